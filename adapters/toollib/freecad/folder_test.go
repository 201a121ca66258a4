package freecad

import (
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/toollib/archive/archivetest"
	"millwright.dev/millwright/core/cam/machining"
)

// Bits as versions of FreeCAD write them.
const (
	// imperial is a tool bit of a user whose unit schema is inches.
	imperial = `{"version": 2, "name": "1/4\" endmill", "shape": "endmill.fcstd", "attribute": {},
		"parameter": {"Chipload": "0.0020 in", "CuttingEdgeHeight": "1 1/4 in", "Diameter": "1/4 in", "Flutes": "2",
		"Length": "2.5000 in", "Material": "HSS", "ShankDiameter": "0.25\"", "SpindleDirection": "Forward"}}`
	// newer names its shape by type and keeps numbers as numbers.
	newer = `{"id": "6mm_ball", "name": "6mm Ball", "shape": "custom/my ball.fcstd", "shape-type": "Ballend", "version": 2,
		"attribute": {"Notes": "long reach"}, "parameter": {"CuttingEdgeHeight": "12,0000 mm", "Diameter": "6,0000 mm",
		"Flutes": 2, "Length": "100,0000 mm", "ShankDiameter": "6,0000 mm"}}`
	// bound has parameters that follow from others, which only FreeCAD can work out.
	bound = `{"version": 2, "name": "slitting saw", "shape": "slittingsaw.fcstd",
		"parameter": {"Diameter": "76.2000 mm", "BladeThickness": "<<Sheet>>.thickness", "CapDiameter": "8 mm",
		"Length": "=2*25 mm", "ShankDiameter": "19.05 mm", "Flutes": 48}}`
	library = `{"tools": [{"nr": 1, "path": "quarter.fctb"}, {"nr": 2.5, "path": "ball.fctb"}, {"nr": "3", "path": "saw.fctb"}],
		"version": 1}`
)

// TestZippedFolder reads a Tools folder as it is zipped on a Mac by somebody who edited a bit on Windows.
func TestZippedFolder(t *testing.T) {
	file, err := Read(archivetest.Pack(t,
		"Tools/Bit/quarter.fctb", "\xef\xbb\xbf"+imperial,
		"__MACOSX/Tools/Bit/._quarter.fctb", "\x00\x05\x16\x07",
		"Tools/Bit/ball.fctb", newer,
		"Tools/Bit/saw.fctb", bound,
		"Tools/Library/Shop.fctl", library,
		"Tools/Shape/endmill.fcstd", "PK",
	))
	if err != nil || len(file.Tools) != 3 || file.Report.Entries != 3 || file.Name != "Shop" {
		t.Fatalf("Read = %+v, %v", file, err)
	}
	mill, ball, saw := file.Tools[0], file.Tools[1], file.Tools[2]
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	if mill.Kind != machining.FlatEndMill || !near(mill.Diameter, 6.35) || !near(mill.FluteLength, 31.75) ||
		!near(mill.ShankDiameter, 6.35) || !near(mill.OverallLength, 63.5) || mill.FluteCount != 2 ||
		*mill.Number != 1 {
		t.Errorf("quarter inch mill = %+v", mill)
	}
	if ball.Kind != machining.BallEndMill || ball.Diameter != 6 || ball.OverallLength != 100 ||
		ball.CornerRadius != 3 ||
		ball.Number != nil {
		t.Errorf("ball = %+v, want no number: 2.5 is none", ball)
	}
	if saw.Kind != machining.SlotMill || saw.Diameter != 76.2 || saw.FluteCount != 48 || saw.Number != nil {
		t.Errorf("saw = %+v", saw)
	}
	var said string
	for _, n := range file.Report.Guessed {
		if n.Entry == "saw.fctb (slitting saw)" {
			said += n.Detail
		}
	}
	for _, want := range []string{"BladeThickness was ignored:", "Length was ignored:"} {
		if !strings.Contains(said, want) {
			t.Errorf("of the saw it is said %q, without %q", said, want)
		}
	}
}
