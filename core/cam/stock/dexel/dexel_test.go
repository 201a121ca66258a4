package dexel

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

func TestSidesOfBundles(t *testing.T) {
	l := Lattice{Step: 1, Count: [3]int{2, 3, 5}}
	for a, want := range [][3]int{{1, 2, 15}, {0, 2, 10}, {0, 1, 6}} {
		if b, c := Side(a); b != want[0] || c != want[1] || l.Rays(a) != want[2] {
			t.Errorf("bundle %d: sides %d and %d, %d rays, want %v", a, b, c, l.Rays(a), want)
		}
	}
}

// twoSpans is a stock of 1 × 1 × 1 cells of 10 mm with a gap along z.
func TestAlong(t *testing.T) {
	for _, row := range []struct {
		d    geom.Vec3
		want int
	}{
		{geom.Vec3{X: -1}, 0}, {geom.Vec3{Y: 1}, 1}, {geom.Vec3{Z: -1}, 2}, {geom.Vec3{X: 1e-9, Y: 1e-9, Z: 1}, 2},
	} {
		if got := Along(row.d); got != row.want {
			t.Errorf("rays along %v are of bundle %d, want %d", row.d, got, row.want)
		}
	}
}

func twoSpans() *Stock {
	d := &Stock{Lattice: Lattice{Origin: geom.Vec3{Z: 100}, Step: 10, Count: [3]int{1, 1, 1}}}
	for a := range d.Bundles {
		d.Bundles[a] = Bundle{Start: []int32{0, 1}, Spans: []Span{{0, 10}}}
	}
	d.Bundles[2] = Bundle{Start: []int32{0, 2}, Spans: []Span{{1, 3}, {4, 7}}}
	return d
}

func TestDexels(t *testing.T) {
	d := twoSpans()
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	if got, want := d.Volume(), [3]float64{1000, 1000, 500}; got != want {
		t.Errorf("volumes %v, want %v", got, want)
	}
	if h, ok := d.Height(2, 0, 0); !ok || h != 107 {
		t.Errorf("height %g, %v, want 107", h, ok)
	}
	if box := d.Lattice.Box(); box.Max != (geom.Vec3{X: 10, Y: 10, Z: 110}) {
		t.Errorf("the lattice fills %v", box)
	}
	d.Bundles[2] = Bundle{Start: []int32{0, 0}}
	if _, ok := d.Height(2, 0, 0); ok {
		t.Error("a ray without material has a height")
	}
}

func TestDexelsCheckRejects(t *testing.T) {
	for name, spoil := range map[string]func(d *Stock){
		"no step":         func(d *Stock) { d.Lattice.Step = 0 },
		"nowhere":         func(d *Stock) { d.Lattice.Origin.Y = math.NaN() },
		"inside out":      func(d *Stock) { d.Lattice.Count[1] = -1 },
		"too long":        func(d *Stock) { d.Lattice.Count[0] = 1<<20 + 1 },
		"too many rays":   func(d *Stock) { d.Lattice.Count = [3]int{1 << 20, 1 << 20, 1} },
		"no starts":       func(d *Stock) { d.Bundles[0].Start = nil },
		"missing spans":   func(d *Stock) { d.Bundles[0].Start[1] = 2 },
		"falling starts":  func(d *Stock) { d.Bundles[0].Start[0] = 1 },
		"overlap":         func(d *Stock) { d.Bundles[2].Spans[1].Lo = 2 },
		"empty span":      func(d *Stock) { d.Bundles[2].Spans[1].Hi = 4 },
		"below the box":   func(d *Stock) { d.Bundles[2].Spans[0].Lo = -1 },
		"above the box":   func(d *Stock) { d.Bundles[2].Spans[1].Hi = 11 },
		"not a number":    func(d *Stock) { d.Bundles[2].Spans[1].Hi = float32(math.NaN()) },
		"cells, no spans": func(d *Stock) { d.Lattice.Count = [3]int{2, 2, 2} },
	} {
		d := twoSpans()
		spoil(d)
		if d.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if (*Stock)(nil).Check() == nil {
		t.Error("no stock: no error")
	}
}
