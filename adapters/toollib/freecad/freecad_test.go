package freecad

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/toollib/archive/archivetest"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/catalog"
)

// bitOf writes a tool bit.
func bitOf(name, shape, parameters string) string {
	return fmt.Sprintf(`{"version":2,"name":%q,"shape":%q,"attribute":{},"parameter":{%s}}`, name, shape, parameters)
}

const endmill = `"CuttingEdgeHeight":"30.0000 mm","Diameter":"5.0000 mm","Length":"50.0000 mm",
	"ShankDiameter":"3.0000 mm","Flutes":2,"Material":"HSS"`

func TestQuantity(t *testing.T) {
	for text, want := range map[string]float64{
		`5`: 5, `"5.0000 mm"`: 5, `"0,04 mm"`: 0.04, `"0.25 in"`: 6.35, `"1/4\""`: 6.35, `"1/4 in"`: 6.35, `"2 cm"`: 20,
		`"60.0000 \u00b0"`: 60, `"60 deg"`: 60, `"500 µm"`: 0.5, `"3"`: 3, `"1e-1 mm"`: 0.1,
		`" 7 MM "`: 7, `"1 rad"`: 180 / math.Pi, `"1 1/2 in"`: 38.1, `"1-1/8\""`: 28.575, `"1+1/4 in"`: 31.75,
		`"500 μm"`:     0.5,
		`"1/2 1/2 in"`: math.NaN(), `"1.5 1/2 in"`: math.NaN(), `"5 mm + 1 mm"`: math.NaN(), `"=5*2 mm"`: math.NaN(),
		`"<<Sheet>>.d"`: math.NaN(),
		`"wide"`:        math.NaN(), `"5 furlongs"`: math.NaN(), `"-5 mm"`: math.NaN(),
		`null`: math.NaN(), `true`: math.NaN(), `{}`: math.NaN(), `""`: math.NaN(), `"1/0 mm"`: math.NaN(),
		`"1.2.3 mm"`: math.NaN(),
	} {
		got, err := quantity(json.RawMessage(text))
		if math.IsNaN(want) != (err != nil) || err == nil && math.Abs(got-want) > 1e-12 {
			t.Errorf("quantity(%s) = %g, %v; want %g", text, got, err, want)
		}
	}
}

func TestOneBit(t *testing.T) {
	file, err := Read([]byte(bitOf("5mm Endmill", "endmill.fcstd", endmill)))
	if err != nil || len(file.Tools) != 1 || file.Format != catalog.ToolsFreeCAD {
		t.Fatalf("Read = %+v, %v", file, err)
	}
	got := file.Tools[0]
	if got.Kind != machining.FlatEndMill || got.Diameter != 5 || got.FluteLength != 30 || got.OverallLength != 50 ||
		got.ShankDiameter != 3 || got.FluteCount != 2 || got.Material != machining.HSS ||
		strings.Join(got.Guessed, " ") != "bodyLength" || got.Name != "5mm Endmill" || got.Number != nil {
		t.Errorf("tool = %+v", got)
	}
	if g := file.Report.Guessed; len(g) != 1 || g[0].Detail != "Length below the holder taken as 32.5 mm." {
		t.Errorf("guessed = %+v, want the length below the holder only", g)
	}
}

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		shape, parameters string
		want              machining.ToolKind
		tip, corner       float64
	}{
		{"ballend.fcstd", "", machining.BallEndMill, 0, 2.5},
		{"bullnose.fcstd", `,"FlatRadius":"1.5 mm"`, machining.BullNoseEndMill, 0, 1},
		{"Bit/bullnose.fcstd", `,"CornerRadius":"0.5 mm"`, machining.BullNoseEndMill, 0, 0.5},
		{"chamfer.fcstd", `,"CuttingEdgeAngle":"60 °"`, machining.ChamferMill, 60, 0},
		{"v-bit.fcstd", `,"CuttingEdgeAngle":"90 °","TipDiameter":"0.1 mm"`, machining.ChamferMill, 90, 0},
		{"drill.fcstd", `,"TipAngle":"119 °"`, machining.Drill, 119, 0},
		{"dovetail.fcstd", `,"CuttingEdgeAngle":"5 °","NeckDiameter":"2 mm"`, machining.DovetailMill, 5, 0},
		{"reamer.fcstd", "", machining.Reamer, 0, 0},
		{"slittingsaw.fcstd", `,"BladeThickness":"3 mm"`, machining.SlotMill, 0, 0},
		{"tap.fcstd", `,"Pitch":"0.8 mm"`, machining.TapRightHand, 0, 0},
		{"thread-mill.fcstd", `,"Pitch":"0.8 mm"`, machining.ThreadMill, 0, 0},
	} {
		file, err := Read([]byte(bitOf("x", c.shape, endmill+c.parameters)))
		if err != nil || len(file.Tools) != 1 {
			t.Errorf("%s: %+v, %v", c.shape, file.Report, err)
			continue
		}
		got := file.Tools[0]
		if got.Kind != c.want || got.CornerRadius != c.corner || c.tip > 0 && *got.TipAngleDeg != c.tip ||
			c.want.Threading() && *got.Pitch != 0.8 {
			t.Errorf("%s: %+v", c.shape, got)
		}
	}
	newer := `{"name":"V","shape":"custom.fcstd","shape-type":"V-Bit","parameter":{"Diameter":"6 mm"}}`
	if file, err := Read([]byte(newer)); err != nil || file.Tools[0].Kind != machining.ChamferMill {
		t.Errorf("shape-type: %+v, %v", file, err)
	}
}

// TestBitsOfUsers reads the values of a bit. A bit with contradictions or gaps cuts nothing until it is confirmed.
func TestBitsOfUsers(t *testing.T) {
	const stickout = `{"version":2,"name":"x","shape":%q,"attribute":{"btl-stickout":"2 cm"},"parameter":{%s}}`
	const chamfer = `"CuttingEdgeAngle":"60,0 °","CuttingEdgeHeight":"6,35 mm","Diameter":"12,3323 mm","Flutes":2,` +
		`"Length":"30 mm","ShankDiameter":"6,35 mm","TipDiameter":"5 mm","Material":"Carbide"`
	for _, c := range []struct {
		name, shape, parameters string
		kind                    machining.ToolKind
		tip, corner             float64
		guessed                 string
	}{
		{"flat tip", "chamfer.fcstd", chamfer, machining.ChamferMill, 5, 0, ""},
		{"another angle", "chamfer.fcstd", strings.Replace(chamfer, "60,0", "45,0", 1), machining.ChamferMill, 5, 0,
			"fluteLength"},
		{"unreadable tip", "chamfer.fcstd", strings.Replace(chamfer, "5 mm\",\"Mat", "wide\",\"Mat", 1),
			machining.ChamferMill, 0, 0, "tipDiameter fluteLength"},
		{"no material", "endmill.fcstd", strings.Replace(endmill, "Material", "Made", 1), machining.FlatEndMill, 0, 0,
			"bodyLength toolMaterial"},
		{"no flutes", "endmill.fcstd", endmill + `,"Flutes":"0"`, machining.FlatEndMill, 0, 0, "fluteCount bodyLength"},
		{"torus", "torus.fcstd", endmill + `,"TorusRadius":"1,0 mm"`, machining.BullNoseEndMill, 0, 1, "bodyLength"},
		{"dovetail", "dovetail.fcstd",
			`"CuttingAngle":"45,0 °","Diameter":"20 mm","DovetailHeight":"5 mm","Flutes":4,` +
				`"Length":"63 mm","NeckDiameter":"7 mm","Material":"HSS"`, machining.DovetailMill, 0, 0, "tipAngleDeg"},
	} {
		text := fmt.Sprintf(stickout, c.shape, c.parameters)
		if strings.Contains(c.guessed, "bodyLength") {
			text = bitOf("x", c.shape, c.parameters)
		}
		file, err := Read([]byte(text))
		if err != nil || len(file.Tools) != 1 {
			t.Errorf("%s: %+v, %v", c.name, file.Report, err)
			continue
		}
		got := &file.Tools[0]
		if got.Kind != c.kind || 2*got.TipRadius() != c.tip || got.CornerRadius != c.corner ||
			strings.Join(got.Guessed, " ") != c.guessed {
			t.Errorf("%s: %+v, guessed %v; want %q", c.name, got, got.Guessed, c.guessed)
		}
	}
}

func TestLibraries(t *testing.T) {
	list := `{"version":1,"tools":[{"nr":7,"path":"Drill.fctb"},
		{"nr":2,"path":"sub\\5mm.fctb"},{"nr":9,"path":"gone.fctb"}]}`
	data := archivetest.Pack(t,
		"Tools/Bit/5mm.fctb", bitOf("five", "endmill.fcstd", endmill),
		"Tools/Bit/drill.fctb", bitOf("drill", "drill.fcstd", `"Diameter":"5 mm","TipAngle":"118 °","Material":"HSS"`),
		"Tools/Bit/probe.fctb", bitOf("probe", "probe.fcstd", endmill),
		"Tools/Bit/broken.fctb", `{`,
		"Tools/Bit/left.fctb", bitOf("left", "endmill.fcstd", endmill+`,"SpindleDirection":"Reverse"`),
		"Tools/Bit/odd.fctb", bitOf("odd", "radius.fcstd", endmill),
		"Tools/Library/Mill.fctl", list,
		"Tools/Library/other.fctl", `{"tools":[{"nr":1,"path":"5mm.fctb"}]}`,
		"Tools/Library/zzz.fctl", `nonsense`,
		"Tools/Shape/endmill.fcstd", "a picture",
	)
	file, err := Read(data)
	if err != nil || len(file.Tools) != 2 || file.Name != "Mill" || file.Report.Entries != 7 {
		t.Fatalf("Read = %+v, %v", file, err)
	}
	if a, b := file.Tools[0], file.Tools[1]; a.Name != "drill" || *a.Number != 7 || b.Name != "five" || *b.Number != 2 {
		t.Errorf("tools = %+v, want the drill as T7 and the end mill as T2", file.Tools)
	}
	var said []string
	for _, n := range append(file.Report.Skipped, file.Report.Guessed...) {
		said = append(said, n.Entry+": "+n.Detail)
	}
	all := strings.Join(said, "\n")
	for _, want := range []string{
		"gone.fctb: Mill.fctl names this bit, but the zip does not hold it.",
		"probe.fctb (probe): It is a probe, which cuts nothing.",
		"left.fctb (left): It is a left-hand tool, which is not supported.",
		"broken.fctb: It is not of the form that FreeCAD writes.",
		`odd.fctb (odd): Bits of shape "radius" are not supported; there are ballend, `,
		"zzz.fctl: The library cannot be read; its bits have no numbers.",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the report lacks %q:\n%s", want, all)
		}
	}
}

func TestNotABit(t *testing.T) {
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"library alone": {[]byte(`{"tools":[{"nr":1,"path":"a.fctb"}],"version":1}`), ErrBare},
		"empty":         {nil, ErrFormat},
		"other JSON":    {[]byte(`{"data":[]}`), ErrFormat},
		"empty zip":     {archivetest.Pack(t), ErrFormat},
		"zip of others": {archivetest.Pack(t, "a.txt", "x"), ErrFormat},
	} {
		if _, err := Read(c.data); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestUnreadableParametersAreReported(t *testing.T) {
	file, err := Read([]byte(bitOf("x", "drill.fcstd", `"Diameter":"5 mm","Length":"long","Flutes":"two"`)))
	if err != nil || len(file.Tools) != 1 || !strings.Contains(file.Report.Guessed[0].Detail, "Length was ignored:") ||
		!strings.Contains(file.Report.Guessed[0].Detail, "Flute count taken as 2.") {
		t.Errorf("Read = %+v, %v", file, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(bitOf("5mm Endmill", "endmill.fcstd", endmill)))
	f.Add([]byte(bitOf("b", "bullnose.fcstd", `"Diameter":"1/4 in","FlatRadius":"0,5 mm"`)))
	f.Add([]byte(`{"tools":[{"nr":1,"path":"a.fctb"}]}`))
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
