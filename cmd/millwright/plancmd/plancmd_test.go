package plancmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/export/programjson"
	"millwright.dev/millwright/adapters/post"
	"millwright.dev/millwright/cmd/millwright/analyze"
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/fixture"
	"millwright.dev/millwright/core/cam/fixture/fixturetest"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
)

// artifacts is a workspace whose artifacts are small files.
type artifacts struct {
	Workspace
	dir string
}

func (a artifacts) Path(n pipeline.Name) string { return filepath.Join(a.dir, string(n)) }

func workspace(t *testing.T) artifacts {
	t.Helper()
	a := artifacts{dir: t.TempDir()}
	for n := range shown {
		text := string(n)
		if n == pipeline.SetupSheet {
			text = "<html><svg a>1</svg>\n<p><svg b>2</svg>\n</html>"
		}
		if err := os.WriteFile(a.Path(n), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// made is a program of two setups.
func made(t *testing.T) *Result {
	t.Helper()
	c, err := Cutting("builtin")
	if err != nil {
		t.Fatal(err)
	}
	up := geom.Vec3{Z: 30}
	o := motion.Operation{ID: "1", SpindleRPM: 6000, Start: up, Moves: []motion.Move{{Kind: motion.Rapid, To: geom.Vec3{Z: 3}}}}
	data := cutting.CuttingData{
		SpindleRPM: cutting.SourcedValue{Value: 6000}, Feed: cutting.SourcedValue{Value: 1800}, Axial: cutting.SourcedValue{Value: 10},
		Radial: cutting.SourcedValue{Value: 2.5},
	}
	setup := planning.Setup{
		Frame: geom.World, Clamping: planning.Clamping{Text: "In a vise."},
		Operations: []planning.Operation{{ID: "1", Strategy: planning.Pocket, Top: 0, Bottom: -8, Cutting: data}},
	}
	m := &Result{
		File: "a/part.step", Cutting: c, Proof: &verify.Report{Digest: "d"},
		Plan: &planning.Plan{
			Stock: geom.BoxOf(geom.Vec3{}, geom.Vec3{X: 40, Y: 30, Z: 20}), Setups: []planning.Setup{setup, setup},
			Tools: []planning.Tool{{Number: 7, Stickout: 30, Tool: c.Tools[7]}},
			Account: completeness.New(completeness.Found, []completeness.Entry{{
				Feature: 2, Volume: 80, Height: 2, Reason: completeness.Undercut, Detail: "It leans.", Remedy: "A setup from below.",
			}}, 1000, 100),
		},
		Set: &toolpath.Set{Setups: []motion.Setup{{Operations: []motion.Operation{o}}, {Operations: []motion.Operation{o}}}},
	}
	times, err := estimate.MachiningTimes(m.Plan, m.Set, &c.Config.Machine)
	if err != nil {
		t.Fatal(err)
	}
	m.Times = &times
	if err := m.price(nil); err != nil {
		t.Fatal(err)
	}
	return m
}

func names(t *testing.T, dir string) (out []string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		out = append(out, f.Name())
	}
	return out
}

var always = []string{
	"account.json", "estimate.json", "paths.glb", "paths.json", "plan.json", "proof.json", "residue.glb", "setup-sheet.html", "setup1.svg",
	"setup2.svg", "stock.glb", "times.json",
}

// TestDeliveryOfDevices: the pieces of a device are written, and those of an earlier program are removed.
func TestDeliveryOfDevices(t *testing.T) {
	space, dir, m := workspace(t), t.TempDir(), made(t)
	if err := os.WriteFile(filepath.Join(dir, "setup1-base.step"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	piece := fixturetest.Piece("block")
	piece.Name = "fixed plate"
	m.Plan.Setups[1].Clamping.Pieces = []fixture.Piece{piece}
	if err := deliver(dir, space, m, post.ByName("linuxcnc")); err != nil {
		t.Fatal(err)
	}
	got := names(t, dir)
	for name, want := range map[string]bool{
		"setup2-fixed-plate.step": true, "setup2-fixed-plate.stl": true, "setup1-base.step": false,
	} {
		if slices.Contains(got, name) != want {
			t.Errorf("%s is there: %v, want %v", name, !want, want)
		}
	}
}

func TestDelivery(t *testing.T) {
	space, dir, m := workspace(t), t.TempDir(), made(t)
	for _, old := range []string{"setup3.ngc", "setup3.svg", "setup1.mpf", "tool.t", "setup.ngc", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(dir, old), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := deliver(dir, space, m, post.ByName("linuxcnc")); err != nil {
		t.Fatal(err)
	}
	want := append([]string{"notes.txt", "program.json", "setup.ngc", "setup1.ngc", "setup2.ngc", "tool.tbl"}, always...)
	slices.Sort(want)
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("the folder has %q, want %q", got, want)
	}
	if len(m.Files) != len(want)-2 {
		t.Errorf("it is said to have written %q", m.Files)
	}
	text, err := os.ReadFile(filepath.Join(dir, "setup2.ngc"))
	if err != nil || !strings.Contains(string(text), "G55") || !strings.Contains(string(text), "(PART PART. SETUP 2 OF 2)") {
		t.Errorf("setup 2 is %v\n%s", err, text)
	}
	var doc programjson.Document
	data, err := os.ReadFile(filepath.Join(dir, "program.json"))
	if err == nil {
		err = json.Unmarshal(data, &doc)
	}
	if err != nil || doc.Setups[1].GCode != "setup2.ngc" || doc.Digest != "d" || doc.Tools[0].Number != 7 {
		t.Errorf("program.json: %v %+v", err, doc)
	}

	m.Proof.Findings = []verify.Finding{{Kind: verify.Gouge, Operation: "1"}}
	if err := deliver(dir, space, m, post.ByName("linuxcnc")); err != nil {
		t.Fatal(err)
	}
	want = append([]string{"notes.txt", "setup.ngc"}, always...)
	slices.Sort(want)
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("a program that does not hold leaves %q, want %q", got, want)
	}
}

func TestControlsThatCannot(t *testing.T) {
	space, dir, m := workspace(t), t.TempDir(), made(t)
	tap := &m.Set.Setups[1].Operations[0]
	tap.Cycles = []motion.Cycle{{Kind: motion.Tap, Retract: 2, Bottom: -5, Pitch: 1}}
	tap.Moves = []motion.Move{{Kind: motion.CannedCycle, To: geom.Vec3{Z: 30}, Feed: 500}}
	err := deliver(dir, space, m, post.ByName("grbl"))
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.DoesNotFitMachine {
		t.Errorf("grbl taps: %v", err)
	}
	if got := names(t, dir); len(got) > 0 {
		t.Errorf("it leaves %q", got)
	}
}

func TestExplainedTable(t *testing.T) {
	m := made(t)
	m.Plan.Setups[1].Mills = []planning.MillChoice{
		{Mill: "Thick", Instead: "Thin", Seconds: 12.4}, {Mill: "Thin", Seconds: 3},
	}
	m.Plan.Setups[1].Choice = &planning.SetupChoice{
		Cents: 1234, Held: &planning.Alternative{Text: "On a bed.", Cents: 50},
		Without: &planning.Alternative{Text: "Without it.", Cents: 4300},
	}
	want := "    the setup costs $12.34 a part, without finishing\n    $0.50 more: On a bed.\n" +
		"    $43.00 more: Without it.\n" +
		"    Thick: roughing would take some 12 s longer with Thin instead\n" +
		"    Thin: roughing would take some 3 s longer if the other mills took over its work\n"
	if got := Table(m, true); !strings.Contains(got, want) {
		t.Errorf("the table lacks %q:\n%s", want, got)
	}
	if got := Table(m, false); strings.Contains(got, "longer") {
		t.Errorf("the table explains unasked:\n%s", got)
	}
}

func TestTable(t *testing.T) {
	m := made(t)
	var b bytes.Buffer
	a := Request{Output: "table"}
	if err := a.print(&b, m); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"stock 40.0 × 30.0 × 20.0 mm of Aluminium 6061-T6", "setup 2, from +z: In a vise.", "clear 8 mm deep", "T7 ", "6000", "1800",
		"10 × 2.5", "left: feature 3, undercut, 80 mm³, up to 2 mm high: It leans.\n        remedy: A setup from below.", "setups 2, operations 2, tools 1\n",
		"INCOMPLETE: 92 % of the volume and 100 % of the area are made; left feature 3 (undercut, 80 mm³, up to 2 mm high)", "price $", "0 gouges, 0 collisions",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, b.String())
		}
	}
	m.Proof.Findings = []verify.Finding{{Kind: verify.Gouge, Operation: "1", Depth: 0.3}}
	b.Reset()
	if err := a.print(&b, m); !errors.Is(err, analyze.ErrSomeFailed) || !strings.Contains(b.String(), "cut into by 0.3 mm") ||
		!strings.Contains(b.String(), "(verification_failed)") {
		t.Errorf("%v:\n%s", err, b.String())
	}
	b.Reset()
	a.Output = "json"
	var got Result
	if err := a.print(&b, m); !errors.Is(err, analyze.ErrSomeFailed) || json.Unmarshal(b.Bytes(), &got) != nil ||
		got.Error.Code != fault.VerificationFailed || len(got.Plan.Setups) != 2 {
		t.Errorf("%v: %+v", err, got)
	}
}

func TestConfigs(t *testing.T) {
	own := machining.BuiltInCutConfig()
	own.ToolLibraryIDs = []string{}
	file := func(v any) string {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), "config.json")
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	type withTools struct {
		machining.CutConfig
		Tools []machining.Tool `json:"tools"`
	}
	drill := machining.BuiltInTools()[25]
	bad := drill
	bad.Diameter = -1
	elsewhere, both := own, own
	elsewhere.ToolLibraryIDs = []string{"5e0c8f0e-0000-4000-8000-000000000000"}
	both.ToolLibraryIDs = []string{machining.BuiltInToolLibraryID}
	for _, c := range []struct {
		name, config string
		tools        int // -1: refused
	}{
		{"builtin", "builtin", len(machining.BuiltInTools())},
		{"large", "large", len(machining.BuiltInToolLibraries()[1].Tools) + len(machining.BuiltInTools())},
		{"own tools", file(withTools{own, []machining.Tool{drill}}), 1},
		{"own tools before others", file(withTools{both, []machining.Tool{drill}}), 1 + len(machining.BuiltInTools())},
		{"no such name", "tiny", -1},
		{"no such file", "./tiny.json", -1},
		{"no config", file(map[string]any{"name": 7}), -1},
		{"part of a config", file(map[string]any{"name": "x", "id": "7", "createdAt": nil}), len(machining.BuiltInTools())},
		{"a tool that is none", file(withTools{own, []machining.Tool{bad}}), -1},
		{"a library of a team", file(elsewhere), -1},
	} {
		got, err := Cutting(c.config)
		if c.tools < 0 {
			if err == nil {
				t.Errorf("%s: got %d tools", c.name, len(got.Tools))
			}
			continue
		}
		if err != nil || len(got.Tools) != c.tools {
			t.Errorf("%s: %+v, %v, want %d tools", c.name, got, err, c.tools)
		}
	}
	for text, want := range map[string]string{
		`{"name":"x","post":"linuxnc"}`:                   "post must be one of fanuc, grbl, haas, heidenhain, linuxcnc, siemens, not \"linuxnc\"; is linuxcnc meant?",
		`{"name":"x","stok":{"kind":"round"}}`:            "stok is not a field of a cut config; is stock meant?",
		`{"name":"x","stock":{"kind":"bx"}}`:              "stock.kind must be one of box, cylinder, nearNet, not \"bx\"; is box meant?",
		`{}`:                                              "name is missing.",
		`{"name":"x","tools":[{"id":"1","kind":"drll"}]}`: "tools[0]: kind must be one of",
	} {
		if _, err := Cutting(file(json.RawMessage(text))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestRequestFile(t *testing.T) {
	file := func(text string) string {
		name := filepath.Join(t.TempDir(), "request.json")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	a := Request{Config: "builtin", Terms: file(`{"material":"Brass CuZn39Pb3","machine":{"maxSpindleRpm":4000},"quantity":3,` +
		`"stock":{"size":{"x":9,"y":9,"z":9}},"setups":[{"direction":{"x":0,"y":0,"z":1}}],"doneRegions":[4],"excludedFeatures":["ab"]}`)}
	got, err := a.cutting()
	if err != nil {
		t.Fatal(err)
	}
	c := &got.Config
	if c.Material.Name != "Brass CuZn39Pb3" || c.Machine.MaxSpindleRPM != 4000 || c.Stock.Size == nil ||
		got.Quantity != 3 || len(got.Setups) != 1 || !slices.Equal(got.DoneRegions, []int{4}) ||
		!slices.Equal(got.ExcludedTags, []string{"ab"}) {
		t.Errorf("%+v", got)
	}
	for text, want := range map[string]string{
		`{"materiel":"x"}`:            `unknown field "materiel"`,
		`{"machine":{"rpm":1}}`:       "machine.rpm is not a field",
		`{"quantity":-1}`:             "quantity must lie between",
		`{"material":"Brass CuZn39"}`: `is "Brass CuZn39Pb3" meant?`,
	} {
		a.Terms = file(text)
		_, err := a.cutting()
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), a.Terms) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
