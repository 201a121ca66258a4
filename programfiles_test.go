package millwright

import (
	"archive/zip"
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/export/gcode"
	"millwright.dev/millwright/adapters/post"
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/fixture"
	"millwright.dev/millwright/core/cam/fixture/fixturetest"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
)

// tapped is a program of two setups for a post; the second taps.
func tapped(dialect string) *pipeline.ProgramView {
	up := geom.Vec3{Z: 30}
	face := motion.Operation{SpindleRPM: 5000, Start: up, Moves: []motion.Move{
		{Kind: motion.Cut, To: geom.Vec3{X: 9}, Feed: 700},
	}}
	tap := motion.Operation{
		SpindleRPM: 500, Start: up, Cycles: []motion.Cycle{{Kind: motion.Tap, Retract: 2, Bottom: -8, Pitch: 1}},
		Moves: []motion.Move{{Kind: motion.CannedCycle, To: up, Feed: 500}},
	}
	box := geom.BoxOf(geom.Vec3{Z: -12}, geom.Vec3{X: 40, Y: 30})
	setup := planning.Setup{Frame: geom.World, Before: box, Operations: []planning.Operation{{ID: "1"}}}
	j := &pipeline.ProgramView{
		PlanParams: &pipeline.PlanParams{Config: machining.BuiltInCutConfig()}, Title: "Träger <7>",
		Plan: &planning.Plan{
			Workpiece: geom.World, Stock: box, Setups: []planning.Setup{setup, setup},
			Account: completeness.New(completeness.Found, nil, 100, 100),
			Tools:   []planning.Tool{{Number: 4, Stickout: 30, Tool: machining.BuiltInTools()[5]}},
		},
		Set: &toolpath.Set{Setups: []motion.Setup{
			{Operations: []motion.Operation{face}}, {Operations: []motion.Operation{tap}},
		}},
		Proof: &verify.Report{Digest: "d"}, Times: &estimate.Times{Setups: make([]estimate.SetupTimes, 2)},
	}
	j.Config.Post = dialect
	return j
}

func wrote(t *testing.T, n pipeline.Name, j *pipeline.ProgramView) string {
	t.Helper()
	var out bytes.Buffer
	if err := programFiles[n](&out, j); err != nil {
		t.Fatalf("%s: %v", n, err)
	}
	return out.String()
}

// TestBundleHoldsEveryFile unpacks one: its files are those that stand alone, and its bytes are the same each time.
func TestBundleHoldsEveryFile(t *testing.T) {
	j := tapped("linuxcnc")
	bundle := wrote(t, pipeline.Bundle, j)
	if wrote(t, pipeline.Bundle, j) != bundle {
		t.Error("the same program gives two bundles")
	}
	container, err := zip.NewReader(strings.NewReader(bundle), int64(len(bundle)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	files := map[string]string{}
	for _, f := range container.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil || len(data) == 0 {
			t.Errorf("%s has %d bytes: %v", f.Name, len(data), err)
		}
		names, files[f.Name] = append(names, f.Name), string(data)
	}
	const want = "setup1.ngc setup2.ngc tool.tbl program.json account.json setup-sheet.html setup1.svg setup2.svg"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("it holds %s, want %s", got, want)
	}
	second, err := gcode.Setup(post.ByName("linuxcnc"), j.Title, j.Plan, j.Set, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"setup2.ngc": second, "tool.tbl": wrote(t, pipeline.ToolTable, j),
		"program.json": wrote(t, pipeline.ProgramJSON, j), "setup-sheet.html": wrote(t, pipeline.SetupSheet, j),
	} {
		if text == "" || files[name] != text {
			t.Errorf("%s is\n%s\nwant\n%s", name, files[name], text)
		}
	}
	for name, says := range map[string]string{
		"program.json": `"digest": "d"`, "account.json": `"completeness"`, "tool.tbl": "T4", "setup1.svg": "<svg",
	} {
		if !strings.Contains(files[name], says) {
			t.Errorf("%s lacks %s:\n%s", name, says, files[name])
		}
	}
}

// TestProgramsThatFailHaveNoBundle writes what must not be run, or cannot be.
func TestProgramsThatFailHaveNoBundle(t *testing.T) {
	disproved := tapped("linuxcnc")
	disproved.Proof.Findings = []verify.Finding{{Kind: verify.Gouge}}
	for name, j := range map[string]*pipeline.ProgramView{
		"a gouge": disproved, "a control that does not tap": tapped("grbl"), "a post of the past": tapped("lost"),
	} {
		if got := wrote(t, pipeline.Bundle, j); got != "" {
			t.Errorf("%s: a bundle of %d bytes", name, len(got))
		}
	}
	for _, n := range []pipeline.Name{pipeline.ToolTable, pipeline.ProgramJSON} {
		if got := wrote(t, n, tapped("lost")); got != "" {
			t.Errorf("%s for a post of the past: %s", n, got)
		}
	}
}

// TestDevicesAreFiles: the pieces of a device are in a zip of their own, in the bundle and on the setup sheet.
func TestDevicesAreFiles(t *testing.T) {
	j := tapped("linuxcnc")
	if got := wrote(t, pipeline.Devices, j); got != "" {
		t.Errorf("a program without devices has %d bytes of them", len(got))
	}
	piece := fixturetest.Piece("drilled")
	piece.Name, piece.Note = "fixed jaw", "to be fastened"
	j.Plan.Setups[1].Clamping.Pieces = []fixture.Piece{piece}
	devices, bundle := unpacked(t, wrote(t, pipeline.Devices, j)), unpacked(t, wrote(t, pipeline.Bundle, j))
	if len(devices) != 2 {
		t.Errorf("%d files, want two", len(devices))
	}
	for _, name := range []string{"setup2-fixed-jaw.step", "setup2-fixed-jaw.stl"} {
		if text := devices[name]; text == "" || bundle[name] != text {
			t.Errorf("%s has %d bytes, in the bundle %d", name, len(text), len(bundle[name]))
		}
	}
	file := devices["setup2-fixed-jaw.step"]
	part, err := Read(t.Context(), strings.NewReader(file), int64(len(file)), "jaw.step", Options{})
	if err != nil {
		t.Fatal(err)
	}
	of, err := part.MassProperties(t.Context())
	if err != nil || math.Abs(of.Bodies[0].Volume-piece.Volume()) > 1e-6*piece.Volume() {
		t.Errorf("the file has the solids %+v, want %v mm³ (%v)", of, piece.Volume(), err)
	}
	const facets = 84 // bytes before them
	if stl := devices["setup2-fixed-jaw.stl"]; len(stl) < facets || (len(stl)-facets)%50 != 0 {
		t.Errorf("an STL file of %d bytes", len(stl))
	}
	if sheet := bundle["setup-sheet.html"]; !strings.Contains(sheet,
		"fixed jaw of aluminum, 40 × 30 × 20, M8, to be fastened (setup2-fixed-jaw.step)") {
		t.Errorf("the sheet does not name the jaw:\n%s", sheet)
	}
}

// TestPiecesThatAreNotSolidFail names the reason.
func TestPiecesThatAreNotSolidFail(t *testing.T) {
	j := tapped("linuxcnc")
	piece := fixturetest.Piece("drilled")
	piece.Holes[0].At.Z--
	j.Plan.Setups[0].Clamping.Pieces = []fixture.Piece{piece}
	for _, n := range []pipeline.Name{pipeline.Devices, pipeline.Bundle} {
		if err := programFiles[n](io.Discard, j); err == nil {
			t.Errorf("%s was written", n)
		}
	}
}

// unpacked returns the files of a zip.
func unpacked(t *testing.T, data string) map[string]string {
	t.Helper()
	files := map[string]string{}
	container, err := zip.NewReader(strings.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range container.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	return files
}
