package fusion

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/toollib/archive/archivetest"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/catalog"
)

// tool writes an entry of a library: its type, unit and geometry, and more fields.
func tool(kind, unit, geometry, more string) string {
	return fmt.Sprintf(`{"type":%q,"unit":%q,"description":"a tool","BMC":"carbide","geometry":{%s}%s}`,
		kind, unit, geometry, more)
}

func libraryOf(entries ...string) []byte {
	return []byte(`{"data":[` + strings.Join(entries, ",") + `],"version":36}`)
}

const whole = `"DC":10,"LCF":22,"LB":40,"OAL":72,"SFDM":10,"NOF":3,"RE":0,"CSP":false`

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Max(1, math.Abs(b)) }

func TestRead(t *testing.T) {
	file, err := Read(libraryOf(tool("flat end mill", "millimeters", whole, `,
		"guid":"{0B6EA6D0-9E40-4B48-8BC7-0B1D66F6B1A1}","post-process":{"number":4},
		"holder":{"description":"ER16","gaugeLength":80,"segments":[
			{"height":30,"lower-diameter":20,"upper-diameter":28},{"height":50,"lower-diameter":28,"upper-diameter":28}]},
		"start-values":{"presets":[
			{"name":"Aluminium rough","n":8000,"v_c":251.3,"v_f":2400,"f_z":0.1,"use-stepdown":true,"stepdown":12,
			 "use-stepover":true,"stepover":2.5},
			{"name":"Default preset","n":5000,"f_z":0.1},
			{"name":"Plywood","n":18000,"f_z":0.1},
			{"name":"Stainless","v_c":60,"v_f":100,"material":{"category":"all"}},
			{"name":"ISO P","v_c":120,"f_z":0.06}]}`)))
	if err != nil || len(file.Tools) != 1 || file.Format != catalog.ToolsFusion || file.Report.Entries != 1 {
		t.Fatalf("Read = %+v, %v", file, err)
	}
	got := file.Tools[0]
	if got.Kind != machining.FlatEndMill || got.Diameter != 10 || got.FluteLength != 22 || got.BodyLength != 40 ||
		got.OverallLength != 72 || got.ShankDiameter != 10 || got.FluteCount != 3 || *got.Number != 4 ||
		got.Name != "a tool" || got.ID != "0B6EA6D0-9E40-4B48-8BC7-0B1D66F6B1A1" {
		t.Errorf("tool = %+v", got)
	}
	if h := got.Holder; h == nil || h.Name != "ER16" || h.GaugeLength != 80 || len(h.Cones) != 2 ||
		h.Cones[0] != (machining.Cone{DiameterBottom: 20, DiameterTop: 28, Height: 30}) {
		t.Errorf("holder = %+v", h)
	}
	n, _ := got.Preset(machining.GroupN)
	p, _ := got.Preset(machining.GroupP)
	k, _ := got.Preset(machining.GroupK) // of the preset for all materials
	if len(got.Presets) != 6 || !near(n.SurfaceSpeed, 8000*math.Pi*10/1000) || n.AxialDepth != 12 ||
		p.SurfaceSpeed != 120 || p.AxialDepth != 8 || p.RadialDepth != 2 ||
		!near(k.SurfaceSpeed, 5000*math.Pi*10/1000) {
		t.Errorf("presets = %+v", got.Presets)
	}
	want := "1 of its presets name no material that is cut here and were left out. 1 of its presets lack a speed or feed " +
		"and were left out. Depths that its presets do not state are those of the rule for its kind."
	if got.Material != machining.Carbide || len(got.Guessed) != 0 {
		t.Errorf("made of %q, guessed %v", got.Material, got.Guessed)
	}
	if g := file.Report.Guessed; len(g) != 1 || g[0].Detail != want || g[0].Entry != "entry 1 (a tool)" {
		t.Errorf("guessed = %+v, want %q", g, want)
	}
}

func TestInches(t *testing.T) {
	const inches = `"DC":0.25,"LCF":0.75,"LB":1.25,"OAL":2.5,"SFDM":0.25,"NOF":2,"RE":"0.03"`
	speeds := `,"start-values":{"presets":[{"name":"brass","v_c":500,"f_z":0.002}]}`
	old := strings.Replace(tool("bull nose end mill", "", inches, speeds),
		`"unit":"",`, `"expressions":{"tool_unit":"'inches'"},`, 1)
	file, err := Read(libraryOf(tool("bull nose end mill", "inches", inches, speeds), old))
	if err != nil || len(file.Tools) != 2 {
		t.Fatalf("Read = %+v, %v", file, err)
	}
	for _, got := range file.Tools {
		p := got.Presets[0]
		if !near(got.Diameter, 6.35) || !near(got.CornerRadius, 0.762) || !near(got.OverallLength, 63.5) ||
			!near(p.SurfaceSpeed, 152.4) || !near(p.FeedPerTooth, 0.0508) {
			t.Errorf("tool = %+v", got)
		}
	}
	file, err = Read(libraryOf(tool("drill", "", whole, "")))
	if err != nil || len(file.Tools) != 1 || !strings.HasPrefix(file.Report.Guessed[0].Detail, "It names no unit") {
		t.Errorf("without a unit: %+v, %v", file, err)
	}
}

func TestKinds(t *testing.T) {
	for kind, want := range kinds {
		more := `,"SIG":100,"TP":1`
		if want == machining.ChamferMill || want == machining.DovetailMill {
			more = `,"TA":30,"tip-diameter":5`
		}
		geometry := `"DC":10,"LCF":5,"LB":40,"OAL":72,"SFDM":6,"NOF":3` + more
		switch want {
		case machining.BallEndMill, machining.Lollipop:
			geometry += `,"RE":5`
		case machining.BullNoseEndMill:
			geometry += `,"RE":1`
		}
		file, err := Read(libraryOf(tool(strings.ToUpper(kind), "millimeters", geometry, "")))
		if err != nil || len(file.Tools) != 1 || len(file.Report.Guessed) != 0 {
			t.Errorf("%s: %+v, %v", kind, file, err)
			continue
		}
		got := file.Tools[0]
		angle := 100.0
		if want == machining.ChamferMill || want == machining.DovetailMill {
			angle = 60 // Fusion keeps the half
		}
		if got.Kind != want || want.Pointed() && *got.TipAngleDeg != angle || want.Threading() && *got.Pitch != 1 {
			t.Errorf("%s: %+v", kind, got)
		}
	}
}

// TestTips keeps a flat at the end of a cone, and reports outlines that a tool cannot represent.
func TestTips(t *testing.T) {
	const chamfer = `"DC":6,"LCF":2,"LB":31,"OAL":60,"SFDM":6,"NOF":2,"TA":45,"tip-diameter":2`
	for _, c := range []struct {
		name, kind, geometry string
		tip                  float64
		guessed              string
	}{
		{"flat", "chamfer mill", chamfer, 2, ""},
		{"pilot", "chamfer mill", chamfer + `,"tip-length":1`, 2, "tipDiameter"},
		{"point", "chamfer mill", strings.Replace(chamfer, `"LCF":2`, `"LCF":3`, 1) + `,"tip-diameter":0`, 0, ""},
		{"short flutes", "chamfer mill", chamfer + `,"tip-diameter":0`, 0, "fluteLength"},
		{"decimal comma", "chamfer mill",
			strings.Replace(chamfer, `"tip-diameter":2`, `"tip-diameter":"2,0"`, 1), 2, ""},
		{"unreadable", "chamfer mill", strings.Replace(chamfer, `"tip-diameter":2`, `"tip-diameter":"wide"`, 1), 0,
			"tipDiameter fluteLength"},
		{"unreadable corner", "flat end mill", strings.Replace(whole, `"RE":0`, `"RE":"round"`, 1), 0, "cornerRadius"},
		{"countersink", "counter sink", whole + `,"SIG":90,"tip-diameter":3`, 3, ""},
		{"leaning face mill", "face mill", whole + `,"TA":45`, 0, "diameter"},
	} {
		file, err := Read(libraryOf(tool(c.kind, "millimeters", c.geometry, "")))
		if err != nil || len(file.Tools) != 1 {
			t.Fatalf("%s: %+v, %v", c.name, file.Report, err)
		}
		got := &file.Tools[0]
		if 2*got.TipRadius() != c.tip || strings.Join(got.Guessed, " ") != c.guessed {
			t.Errorf("%s: flat %g mm, guessed %v; want %g, %q", c.name, 2*got.TipRadius(), got.Guessed,
				c.tip, c.guessed)
		}
	}
}

// TestOldStartValues reads cutting data of before there were presets, of a tool of high-speed steel.
func TestOldStartValues(t *testing.T) {
	entry := strings.Replace(tool("flat end mill", "inches",
		`"DC":0.25,"LB":2.5,"LCF":0.75,"NOF":3,"OAL":2.5,"SFDM":0.25`,
		`,"start-values":{"*":{"f_z":0.002,"n":2500}}`), "carbide", "hss", 1)
	file, err := Read(libraryOf(entry))
	if err != nil || len(file.Tools) != 1 {
		t.Fatal(file.Report, err)
	}
	got := file.Tools[0]
	p, ok := got.Preset(machining.GroupN)
	if !ok || !near(p.SurfaceSpeed, 2500*math.Pi*6.35/1000) || !near(p.FeedPerTooth, 0.0508) ||
		got.Material != machining.HSS || len(got.Guessed) != 0 {
		t.Errorf("tool = %+v", got)
	}
	if _, hard := got.Preset(machining.GroupH); hard {
		t.Error("a tool of high-speed steel has a preset for hardened steel")
	}
}

func TestSkips(t *testing.T) {
	for name, c := range map[string]struct{ entry, why string }{
		"no object": {`7`, "It is not of the form that Fusion writes."},
		"nothing":   {`{}`, "It does not say what type of tool it is."},
		"probe":     {tool("probe", "millimeters", whole, ""), "It is a probe, which cuts nothing."},
		"holder":    {tool("holder", "millimeters", "", ""), "holders are uploaded on their own."},
		"turning":   {tool("turning general", "inches", whole, ""), "It is a turning tool; this service mills."},
		"left-hand tap": {tool("tap left hand", "millimeters", whole, ""),
			`Tools of type "tap left hand" are not supported.`},
		"left-hand": {tool("flat end mill", "millimeters", whole+`,"HAND":false`, ""),
			"It is a left-hand tool, which is not supported."},
		"no diameter": {tool("drill", "millimeters", `"DC":null,"LCF":5`, ""), "It has no diameter."},
		"no pitch":    {tool("thread mill", "millimeters", whole, ""), "It cuts threads, but its pitch is not given."},
	} {
		file, err := Read(libraryOf(c.entry, tool("drill", "millimeters", whole+`,"SIG":118`, "")))
		s := file.Report.Skipped
		if err != nil || len(file.Tools) != 1 || len(s) != 1 || !strings.HasSuffix(s[0].Detail, c.why) ||
			!strings.HasPrefix(s[0].Entry, "entry 1") {
			t.Errorf("%s: %+v, %v; want %q and the other tool", name, file.Report, err, c.why)
		}
	}
}

func TestInvalidFieldsKeepTool(t *testing.T) {
	entry := `{"type":"drill","unit":"millimeters","description":{"x":1},"guid":5,"geometry":{"DC":"5","LCF":"a",
		"LB":true,"OAL":1e999,"NOF":2.5},"post-process":{"number":1.5},"start-values":{"presets":[{"n":"fast"}]}}`
	file, err := Read(libraryOf(entry))
	if err != nil || len(file.Tools) != 1 || file.Tools[0].Diameter != 5 || file.Tools[0].Number != nil {
		t.Errorf("Read = %+v, %v", file, err)
	}
}

func TestNotALibrary(t *testing.T) {
	for _, data := range []string{``, `[]`, `{}`, `{"data":{}}`, `{"data":[]}`, `{"data":[`, "T1 D5"} {
		if _, err := Read([]byte(data)); !errors.Is(err, ErrFormat) {
			t.Errorf("%q: %v, want ErrFormat", data, err)
		}
	}
}

func TestZipped(t *testing.T) {
	data := archivetest.Pack(t, "tools.json", string(libraryOf(tool("drill", "millimeters", whole+`,"SIG":118`, ""))))
	file, err := Read(data)
	if err != nil || len(file.Tools) != 1 || file.Tools[0].Kind != machining.Drill {
		t.Errorf("Read = %+v, %v", file, err)
	}
	if _, err := Read(data[:len(data)/2]); err == nil {
		t.Error("half a zip was read")
	}
}

func TestGroupOf(t *testing.T) {
	for text, want := range map[string]machining.MaterialGroup{
		"Aluminum 6061": machining.GroupN, "stainless steel": machining.GroupM, "Steel": machining.GroupP,
		"Hardened steel 55 HRC": machining.GroupH, "Cast Iron": machining.GroupK, "Titanium": machining.GroupS,
		"ISO K": machining.GroupK, "m": machining.GroupM, "Brass": machining.GroupN, "iso-n": machining.GroupN,
		"all": "", "": "", "Roughing": "", "a p": "",
	} {
		if got, ok := groupOf(text); got != want || ok != (want != "") {
			t.Errorf("groupOf(%q) = %q, %v; want %q", text, got, ok, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(libraryOf(tool("flat end mill", "millimeters", whole, `,"holder":{"segments":[{"height":1}]}`)))
	f.Add(libraryOf(tool("drill", "inches", whole, `,"start-values":{"presets":[{"name":"steel","n":1,"f_z":1}]}`)))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read(data)
		if err != nil {
			return
		}
		for _, tool := range file.Tools {
			if err := tool.Validate(); err != nil {
				t.Errorf("an unsound tool: %v", err)
			}
		}
		if n := len(file.Tools) + len(file.Report.Skipped); n != file.Report.Entries {
			t.Errorf("%d entries, but %d tools and reasons", file.Report.Entries, n)
		}
	})
}
