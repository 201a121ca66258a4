package limit_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright/core/feature/limit"
)

func TestLinearFollowsTheTable(t *testing.T) {
	for _, c := range []struct {
		name  string
		class limit.Class
		size  float64
		want  float64
	}{
		{"smallest", limit.Medium, 0.5, 0.1},
		{"below the table", limit.Medium, 0.1, 0.1},
		{"at a border the smaller range counts", limit.Medium, 6, 0.1},
		{"above a border", limit.Medium, 6.01, 0.2},
		{"at a border up to rounding", limit.Medium, 120.0000001, 0.3},
		{"middle", limit.Medium, 100, 0.3},
		{"large", limit.Medium, 400.5, 0.8},
		{"beyond the table", limit.Medium, 9000, 2},
		{"fine", limit.Fine, 29, 0.1},
		{"fine has nothing above 2 m", limit.Fine, 3000, 0.5},
		{"coarse", limit.Coarse, 121, 1.2},
		{"very coarse", limit.VeryCoarse, 5, 0.5},
		{"very coarse has nothing up to 3 mm", limit.VeryCoarse, 2, 0.5},
		{"unknown class is medium", "x", 100, 0.3},
		{"a size has no sign", limit.Medium, -100, 0.3},
	} {
		if got := limit.Linear(c.class, c.size); got != c.want {
			t.Errorf("%s: ±%v for %v mm of class %q, want ±%v", c.name, got, c.size, c.class, c.want)
		}
	}
}

func TestLinearGrowsWithSizeAndClass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Float64Range(0, 5000).Draw(t, "size")
		more := size + rapid.Float64Range(0, 500).Draw(t, "more")
		last := 0.0
		for _, c := range []limit.Class{limit.Fine, limit.Medium, limit.Coarse, limit.VeryCoarse} {
			small, large := limit.Linear(c, size), limit.Linear(c, more)
			if small <= 0 || large < small {
				t.Fatalf("class %q: ±%v for %v mm, ±%v for %v mm", c, small, size, large, more)
			}
			if small < last {
				t.Fatalf("class %q is finer than the one before at %v mm", c, size)
			}
			last = small
		}
	})
}

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
		got, ok := limit.ByDrill(c.diameter)
		if ok != (c.want != "") || got.Designation != c.want {
			t.Errorf("%s: %v mm is %q, want %q", c.name, c.diameter, got.Designation, c.want)
		}
	}
}

// A thread is cut into a bore that is narrower than it by about its pitch, and reaches deeper than
// half its depth.
func TestDrillsLeaveTheThread(t *testing.T) {
	for d := 1.0; d < 40; d += 0.001 {
		th, ok := limit.ByDrill(d)
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
