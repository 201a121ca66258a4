package limit_test

import (
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/gdt/limit"
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
