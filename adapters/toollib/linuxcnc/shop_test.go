package linuxcnc

import (
	"math"
	"strings"
	"testing"

	"millwright/core/catalog"
	"millwright/core/machining"
)

// shop is a table in inches as LinuxCNC writes it back after tools were touched off, with what its users add: heads,
// tools of a remapped tool change (T0 and a setter), pockets of a carousel, several semicolons, and a line of a table
// of 2008.
const shop = "; tool table of the knee mill, see nc_files/remap/manual_change.ngc\r\n" +
	";\r\n" +
	"T0 P0 ;empty spindle, M6 T0 is remapped\r\n" +
	"T1 P17 D+0.500000 Z+1.456000 ;1/2 end mill 4FL R.030 ; regrind 2x\r\n" +
	"T2 P2 D0.201 Z+2.1 ;#7 tap drill for 1/4-20\r\n" +
	"T3 P3 D0.25 X+0.000000 Y+0.000000 Z+1.0 ;1/4-20 spiral point tap\r\n" +
	"T4 P4 D.1250 Z+1.2 ;1/8 ball r1.5875mm\r\n" +
	"T5 P5 D0.375 ;bull nose R1.5mm 3 flute\r\n" +
	"T6 P6 D0.25 ;1/4-28 left hand tap\r\n" +
	"T98 P98 D0.2 ;Edge finder\r\n" +
	"T99 P99 Z+3.25 ;tool setter for the remap\r\n" +
	"T10 P10 A+0.000000 B0 C0 U0 V0 W0 I+0.000000 J0 Q0 D2.0000 ; 2in face mill 5F\r\n" +
	"1 1 0.0 0.125 old style\r\n"

func TestShopTable(t *testing.T) {
	if !Is([]byte(shop)) {
		t.Fatal("it is not taken for a table")
	}
	file, err := Read([]byte(shop), catalog.UnitInch)
	if err != nil {
		t.Fatal(err)
	}
	type short struct {
		number   int
		kind     machining.Kind
		diameter float64
		corner   float64
		pitch    float64
		flutes   int
	}
	for i, want := range []short{
		{1, machining.BullNoseEndMill, 12.7, 0.762, 0, 4},
		{2, machining.Drill, 5.1054, 0, 0, 2},
		{3, machining.TapRightHand, 6.35, 0, 1.27, 0},
		{4, machining.BallEndMill, 3.175, 1.5875, 0, 0},
		{5, machining.BullNoseEndMill, 9.525, 1.5, 0, 3},
		{10, machining.FaceMill, 50.8, 0, 0, 5},
	} {
		if i >= len(file.Tools) {
			t.Fatalf("%d tools: %+v", len(file.Tools), file.Report)
		}
		got := file.Tools[i]
		pitch := 0.0
		if got.Pitch != nil {
			pitch = *got.Pitch
		}
		if *got.Number != want.number || got.Kind != want.kind || math.Abs(got.Diameter-want.diameter) > 1e-9 ||
			math.Abs(got.CornerRadius-want.corner) > 1e-9 ||
			math.Abs(pitch-want.pitch) > 1e-9 || want.flutes > 0 && got.FluteCount != want.flutes {
			t.Errorf("T%d = %+v, want %+v", want.number, got, want)
		}
	}
	var skipped []string
	for _, n := range file.Report.Skipped {
		skipped = append(skipped, n.Entry+": "+n.Detail)
	}
	want := []string{
		"line 3 (T0): It has no diameter D.",
		"line 9 (T6): It is a left-hand tap, which is not supported.",
		"line 10 (T98): It is a probe, which cuts nothing.",
		"line 11 (T99): It has no diameter D.",
		`line 13: The line is not of a tool table: "1 1 0.0 0.125 old st`,
	}
	if len(skipped) != len(want) || len(file.Tools) != 6 {
		t.Errorf("%d tools; skipped:\n%s", len(file.Tools), strings.Join(skipped, "\n"))
	}
	for i, s := range skipped {
		if i < len(want) && !strings.HasPrefix(s, want[i]) {
			t.Errorf("skipped %q, want %q", s, want[i])
		}
	}
}
