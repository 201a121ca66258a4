package thread_test

import (
	"math"
	"testing"

	"millwright/core/gdt/thread"
)

func TestByDrill(t *testing.T) {
	for _, c := range []struct {
		name     string
		diameter float64
		want     string // "" = none
	}{
		{"M4", 3.3, "M4x0.7"},
		{"M5", 4.2, "M5x0.8"},
		{"M8", 6.8, "M8x1.25"},
		{"M12", 10.2, "M12x1.75"},
		{"M10 fine", 8.8, "M10x1.25"},
		{"a whole number is a plain hole", 5, ""},
		{"so is a half", 8.5, ""},
		{"1/4-20", 0.201 * 25.4, "1/4-20 UNC"},
		{"3/8-16, rounded", 7.94, "3/8-16 UNC"},
		{"10-32", 4.0386, "#10-32 UNF"},
		{"nothing near", 6.3, ""},
		{"close to M8's drill", 6.82, ""},
		{"nothing", 0, ""},
	} {
		got, ok := thread.ByDrill(c.diameter)
		if ok != (c.want != "") || got.Designation != c.want {
			t.Errorf("%s: %v mm is %q, want %q", c.name, c.diameter, got.Designation, c.want)
		}
	}
}

// A thread is cut into a bore that is narrower than it by about its pitch, and reaches deeper than
// half its depth.
func TestDrillsLeaveTheThread(t *testing.T) {
	for d := 1.0; d < 40; d += 0.001 {
		th, ok := thread.ByDrill(d)
		if !ok {
			continue
		}
		if gap := th.Nominal - th.Drill; gap < 0.6*th.Pitch || gap > 1.1*th.Pitch {
			t.Errorf("%s: drill %v leaves %v of pitch %v", th.Designation, th.Drill, gap, th.Pitch)
		}
		if math.Abs(th.Drill-d) > 0.01 {
			t.Errorf("%s: given for %v, drill %v", th.Designation, d, th.Drill)
		}
	}
}
