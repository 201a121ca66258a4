package linuxcnc

import (
	"errors"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/catalog"
)

const table = `; my tools
T1 P1 X0 Y0 Z-35.2 D6 ;6mm end mill 4FL

t2 p2 z+1.5 d5.0; Drill 5mm 135deg
T3P3D8Z1;M8x1.25 tap
T4 P4 D10 ; R1 bull nose
T5 P5 D12
T6 P6 D3 Q3 I95 J155 ; turning
T7 P7 Z4
P8 D1 ; nameless
T9 D-1
T10 X ; broken
nonsense here
T1.5 D1
T11 D3 D3
T99 D2 ;probe
`

func TestRead(t *testing.T) {
	file, err := Read([]byte(table), catalog.UnitMM)
	if err != nil || len(file.Tools) != 5 || file.Report.Entries != 14 || file.Format != catalog.ToolsLinuxCNC {
		t.Fatalf("Read: %d tools of %d entries, %v", len(file.Tools), file.Report.Entries, err)
	}
	mill, drill, tap, bull, bare := file.Tools[0], file.Tools[1], file.Tools[2], file.Tools[3], file.Tools[4]
	if mill.Kind != machining.FlatEndMill || mill.Diameter != 6 || mill.FluteCount != 4 || *mill.Number != 1 ||
		mill.Name != "6mm end mill 4FL" {
		t.Errorf("T1 = %+v", mill)
	}
	if drill.Kind != machining.Drill || *drill.TipAngleDeg != 135 || *drill.Number != 2 || drill.Diameter != 5 {
		t.Errorf("T2 = %+v", drill)
	}
	if tap.Kind != machining.TapRightHand || *tap.Pitch != 1.25 {
		t.Errorf("T3 = %+v", tap)
	}
	if bull.Kind != machining.BullNoseEndMill || bull.CornerRadius != 1 {
		t.Errorf("T4 = %+v", bull)
	}
	if bare.Kind != machining.FlatEndMill || bare.Diameter != 12 || bare.Name != "" {
		t.Errorf("T5 = %+v", bare)
	}
	want := []string{
		"line 8 (T6): It is a turning tool, as it has an orientation or angles; this service mills.",
		"line 9 (T7): It has no diameter D.",
		"line 10: The line has no tool number T from 0 to 99999.",
		"line 11 (T9): It has no diameter D.",
		"line 12: The line is not of a tool table: X has no number.",
		`line 13: The line is not of a tool table: "nonsense here" is not a word of a tool table.`,
		"line 14: The line has no tool number T from 0 to 99999.",
		"line 15: The line is not of a tool table: D is there twice.",
		"line 16 (T99): It is a probe, which cuts nothing.",
	}
	for i, n := range file.Report.Skipped {
		if i >= len(want) || n.Entry+": "+n.Detail != want[i] {
			t.Errorf("skipped %d: %s: %s", i, n.Entry, n.Detail)
		}
	}
	if len(file.Report.Skipped) != len(want) {
		t.Errorf("%d lines skipped, want %d", len(file.Report.Skipped), len(want))
	}
	guess := file.Report.Guessed[len(file.Report.Guessed)-1]
	if guess.Entry != "line 7 (T5)" || !strings.HasPrefix(guess.Detail, "The comment does not say what tool it is") {
		t.Errorf("guessed %+v", guess)
	}
}

func TestUnits(t *testing.T) {
	const inch = "T1 P1 D.25 ;1/4 end mill\n"
	file, err := Read([]byte(inch), catalog.UnitInch)
	if err != nil || len(file.Tools) != 1 || math.Abs(file.Tools[0].Diameter-6.35) > 1e-12 {
		t.Errorf("in inches: %+v, %v", file, err)
	}
	file, err = Read([]byte(inch), "")
	if err != nil || file.Tools[0].Diameter != 0.25 || file.Report.Guessed[0].Entry != "" ||
		!strings.Contains(file.Report.Guessed[0].Detail, "Send unit=in") {
		t.Errorf("without a unit: %+v, %v", file, err)
	}
}

func TestDescribe(t *testing.T) {
	const noLeft = "It is a left-hand tap, which is not supported."
	for comment, want := range map[string]remark{
		"":                                 {},
		"6mm Ball Nose 2 flute":            {kind: machining.BallEndMill, flutes: 2},
		"Centre drill #3 60 deg":           {kind: machining.CenterDrill, angle: 60},
		"SPOT DRILL 90°":                   {kind: machining.SpotDrill, angle: 90},
		"countersink 82deg":                {kind: machining.Countersink, angle: 82},
		"1/4-20 UNC tap":                   {kind: machining.TapRightHand, pitch: 1.27},
		"M6 x 1 Tap":                       {kind: machining.TapRightHand, pitch: 1},
		"thread mill M5x0.8":               {kind: machining.ThreadMill, pitch: 0.8},
		"50mm face mill 5F":                {kind: machining.FaceMill, flutes: 5},
		"engraving v-bit 30 deg":           {kind: machining.ChamferMill, angle: 30},
		"T-slot cutter":                    {kind: machining.SlotMill},
		"Reamer 6H7":                       {kind: machining.Reamer},
		"lollipop":                         {kind: machining.Lollipop},
		"45deg dovetail":                   {kind: machining.DovetailMill, angle: 45},
		"bullnose r0.5 4 FL":               {kind: machining.BullNoseEndMill, corner: 0.5, flutes: 4},
		"3D touch probe":                   {unfit: "It is a probe, which cuts nothing."},
		"staple":                           {},
		"5.0mm tap drill (M6)":             {kind: machining.Drill},
		"drill for M6x1 tap":               {kind: machining.Drill, pitch: 1},
		"8-32 spiral flute tap":            {kind: machining.TapRightHand, pitch: 25.4 / 32},
		"1/4-20 Tap LH tap":                {kind: machining.TapRightHand, pitch: 1.27, unfit: noLeft},
		"M6x1 left-hand tap":               {kind: machining.TapRightHand, pitch: 1, unfit: noLeft},
		"Edge finder 10mm":                 {unfit: "It is a probe, which cuts nothing."},
		"3-8 inch end mill":                {kind: machining.FlatEndMill},
		"carbide roughing endmill 3-flute": {kind: machining.FlatEndMill, flutes: 3, material: machining.Carbide},
		"HSSCo NC drill":                   {kind: machining.SpotDrill, material: machining.HSSCobalt},
		"HSS 2f EM":                        {kind: machining.FlatEndMill, flutes: 2, material: machining.HSS},
		"emery stick":                      {},
		"1/2 end mill 0.03R":               {kind: machining.FlatEndMill, corner: 0.03},
		"tapered end mill 3 deg":           {kind: machining.FlatEndMill, unfit: "Tapered tools are not supported."},
		"Laser crosshair":                  {unfit: "It is not a cutting tool."},
	} {
		got := describe(comment, 1)
		if math.Abs(got.pitch-want.pitch) < 1e-9 {
			got.pitch = want.pitch
		}
		if got != want {
			t.Errorf("describe(%q) = %+v, want %+v", comment, got, want)
		}
	}
}

func TestIs(t *testing.T) {
	for text, want := range map[string]bool{
		table: true, "\n ; x\nT1 D5": true, "": false, "; only a comment": false, "hello world": false, "{}": false,
		"P1 D5": false,
	} {
		if got := Is([]byte(text)); got != want {
			t.Errorf("Is(%.20q) = %v, want %v", text, got, want)
		}
	}
}

func TestNotATable(t *testing.T) {
	for name, data := range map[string]string{
		"binary": "T1\x00\xff", "endless line": "T1 D5 ;" + strings.Repeat("x", maxLine),
	} {
		if _, err := Read([]byte(data), ""); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v, want ErrFormat", name, err)
		}
	}
	if _, err := Read([]byte(strings.Repeat("T1 D5\n", catalog.MaxTools+1)), ""); err == nil {
		t.Error("a table of more tools than are read gave no error")
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(table), false)
	f.Add([]byte("T1 D.25 ;1/4-20 UNC tap\n"), true)
	f.Fuzz(func(t *testing.T, data []byte, inches bool) {
		unit := catalog.UnitMM
		if inches {
			unit = catalog.UnitInch
		}
		file, err := Read(data, unit)
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
