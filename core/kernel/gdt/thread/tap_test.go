package thread_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/gdt/thread"
)

func TestByDrill(t *testing.T) {
	for _, c := range []struct {
		name     string
		diameter float64
		want     string // "" = no thread
		isPlain  bool
	}{
		{"M4", 3.3, "M4x0.7", false},
		{"M5", 4.2, "M5x0.8", false},
		{"M8", 6.8, "M8x1.25", false},
		{"M12", 10.2, "M12x1.75", false},
		{"M10 fine", 8.8, "M10x1.25", false},
		{"M6, or a plain hole", 5, "M6x1", true},
		{"M10, or a plain hole", 8.5, "M10x1.5", true},
		{"M3, or a plain hole", 2.5, "M3x0.5", true},
		{"a fine thread is not suggested by a plain diameter", 7, "", false},
		{"1/4-20", 0.201 * 25.4, "1/4-20 UNC", false},
		{"3/8-16, rounded", 7.94, "3/8-16 UNC", false},
		{"10-32", 4.0386, "#10-32 UNF", false},
		{"nothing near", 6.3, "", false},
		{"close to M8's drill", 6.82, "", false},
		{"nothing", 0, "", false},
	} {
		got, isPlain, ok := thread.FromTapDrill(c.diameter)
		if ok != (c.want != "") || got.Designation != c.want || isPlain != c.isPlain {
			t.Errorf("%s: %v mm is %q, plain %v, want %q, plain %v", c.name, c.diameter, got.Designation, isPlain,
				c.want, c.isPlain)
		}
	}
}

// A thread is cut into a bore that is narrower than it by about its pitch, and reaches deeper than
// half its depth.
func TestDrillFitsThreadDepth(t *testing.T) {
	for d := 1.0; d < 40; d += 0.001 {
		th, _, ok := thread.FromTapDrill(d)
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

// Modeled threads have the names of the standard threads that they are, and otherwise their sizes.
func TestByHelix(t *testing.T) {
	for _, c := range []struct {
		major, pitch float64
		want         string
		exact        float64 // pitch, mm
	}{
		{6, 1, "M6x1", 1},
		{6.12, 1.004, "M6x1", 1},
		{12.7, 25.4 / 13, "1/2-13 UNC", 25.4 / 13},
		{14.705, 1.0585, "14.705x1.058", 1.058},
		{8.536, 0.3512, "8.536x0.35", 0.35},
		{6, 1.2, "6x1.2", 1.2},
		{7, 1, "7x1", 1},
	} {
		got := thread.FromHelix(c.major, c.pitch, math.Pi/3)
		if got.Designation != c.want || math.Abs(got.Pitch-c.exact) > 1e-9 {
			t.Errorf("%v by %v: %q of pitch %v, want %q, %v", c.major, c.pitch, got.Designation, got.Pitch,
				c.want, c.exact)
		}
	}
}

// TestByHelixOfOtherFlanks checks that flanks at another angle belong to another standard.
func TestByHelixOfOtherFlanks(t *testing.T) {
	for angle, want := range map[float64]string{60: "M10x1.5", 64: "M10x1.5", 55: "10x1.5", 30: "10x1.5", 0: "10x1.5"} {
		if got := thread.FromHelix(10, 1.5, angle*math.Pi/180); got.Designation != want {
			t.Errorf("flanks at %v°: %q, want %q", angle, got.Designation, want)
		}
	}
}

func TestCalled(t *testing.T) {
	for _, c := range []struct {
		name   string
		pitch  float64
		starts int
		isLeft bool
		want   string
	}{
		{"M10x1.5", 1.5, 1, false, "M10x1.5"},
		{"M10x1.5", 1.5, 1, true, "M10x1.5-LH"},
		{"M16x1.5", 1.5, 2, false, "M16xPh3P1.5"},
		{"12x1.1", 1.1, 3, true, "12xPh3.3P1.1-LH"},
		{"1/2-13 UNC", 25.4 / 13, 2, false, "1/2-13 UNC 2 starts"},
	} {
		if got := (thread.Tapped{Designation: c.name, Pitch: c.pitch}).Called(c.starts, c.isLeft); got != c.want {
			t.Errorf("%+v is called %q", c, got)
		}
	}
	// They are read back unchanged.
	if got, ok := thread.Parse("M16xPh3P1.5-LH"); !ok || got.Starts != 2 || !got.Left || got.Pitch != 1.5 {
		t.Errorf("M16xPh3P1.5-LH is read as %+v, %v", got, ok)
	}
}

func TestByBore(t *testing.T) {
	for _, c := range []struct {
		nominal, bore float64
		series        string // "" = no series
		pitch         float64
	}{
		{3, 2.459, "M", 0.5},
		{12, 10.2, "M", 1.75},
		{12, 10.106, "M", 1.75},
		{12, 10.8, "M", 1.25},
		{12, 10.38, "M", 1.5},
		{0.5 * 25.4, 0.4219 * 25.4, "UNC", 25.4 / 13},
		{0.25 * 25.4, 0.2130 * 25.4, "UNF", 25.4 / 28},
		{11.7, 10, "", 0},
		{12, 6, "", 0},
	} {
		got, ok := thread.FromBore(c.nominal, c.bore)
		if ok != (c.series != "") || got.Series != c.series || math.Abs(got.Pitch-c.pitch) > 1e-9 {
			t.Errorf("%v in %v: %+v, %v, want %q of pitch %v", c.nominal, c.bore, got, ok, c.series, c.pitch)
		}
	}
}
