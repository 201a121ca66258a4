package kernel

import (
	"math"
	"testing"

	"millwright/core/geom"
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
func twoSpans() *Dexels {
	d := &Dexels{Lattice: Lattice{Origin: geom.Vec3{Z: 100}, Step: 10, Count: [3]int{1, 1, 1}}}
	for a := range d.Bundles {
		d.Bundles[a] = Bundle{Start: []int32{0, 1}, Spans: []Dexel{{0, 10}}}
	}
	d.Bundles[2] = Bundle{Start: []int32{0, 2}, Spans: []Dexel{{1, 3}, {4, 7}}}
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

func TestDexelsCheckRefuses(t *testing.T) {
	for name, spoil := range map[string]func(d *Dexels){
		"no step":         func(d *Dexels) { d.Lattice.Step = 0 },
		"nowhere":         func(d *Dexels) { d.Lattice.Origin.Y = math.NaN() },
		"inside out":      func(d *Dexels) { d.Lattice.Count[1] = -1 },
		"too long":        func(d *Dexels) { d.Lattice.Count[0] = 1<<20 + 1 },
		"too many rays":   func(d *Dexels) { d.Lattice.Count = [3]int{1 << 20, 1 << 20, 1} },
		"no starts":       func(d *Dexels) { d.Bundles[0].Start = nil },
		"missing spans":   func(d *Dexels) { d.Bundles[0].Start[1] = 2 },
		"falling starts":  func(d *Dexels) { d.Bundles[0].Start[0] = 1 },
		"overlap":         func(d *Dexels) { d.Bundles[2].Spans[1].Lo = 2 },
		"empty span":      func(d *Dexels) { d.Bundles[2].Spans[1].Hi = 4 },
		"below the box":   func(d *Dexels) { d.Bundles[2].Spans[0].Lo = -1 },
		"above the box":   func(d *Dexels) { d.Bundles[2].Spans[1].Hi = 11 },
		"not a number":    func(d *Dexels) { d.Bundles[2].Spans[1].Hi = float32(math.NaN()) },
		"cells, no spans": func(d *Dexels) { d.Lattice.Count = [3]int{2, 2, 2} },
	} {
		d := twoSpans()
		spoil(d)
		if d.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if (*Dexels)(nil).Check() == nil {
		t.Error("no stock: no error")
	}
}

func TestMoves(t *testing.T) {
	quarter := Move{From: geom.Vec3{X: 3, Y: 1}, To: geom.Vec3{X: 1, Y: 3, Z: 2}, Turn: math.Pi / 2,
		Center: geom.Vec2{X: 1, Y: 1}}
	if got, want := quarter.At(0.5), (geom.Vec3{X: 1 + math.Sqrt2, Y: 1 + math.Sqrt2, Z: 1}); got.Dist(want) > 1e-12 {
		t.Errorf("middle of a quarter turn at %v, want %v", got, want)
	}
	line := Move{From: geom.Vec3{X: 1}, To: geom.Vec3{X: 5, Z: 4}}
	if got := line.At(0.25); got != (geom.Vec3{X: 2, Z: 1}) {
		t.Errorf("a quarter of a line at %v", got)
	}
	in := SweepInput{Stock: twoSpans(), Tool: EndMill(10, 1, 20), Frame: geom.World, Moves: []Move{quarter, line}}
	if err := in.Check(); err != nil {
		t.Error(err)
	}
	for name, spoil := range map[string]func(in *SweepInput){
		"no stock":      func(in *SweepInput) { in.Stock = nil },
		"no tool":       func(in *SweepInput) { in.Tool = nil },
		"no frame":      func(in *SweepInput) { in.Frame = geom.Frame{} },
		"skew frame":    func(in *SweepInput) { in.Frame.X.Y = 0.1 },
		"left-handed":   func(in *SweepInput) { in.Frame.X = geom.Vec3{X: -1} },
		"lost frame":    func(in *SweepInput) { in.Frame.Origin.X = math.Inf(1) },
		"endless line":  func(in *SweepInput) { in.Moves[1].To.X = math.Inf(1) },
		"arc elsewhere": func(in *SweepInput) { in.Moves[0].To.X += 0.1 },
		"arc of NaN":    func(in *SweepInput) { in.Moves[0].Turn = math.NaN() },
		"lost centre":   func(in *SweepInput) { in.Moves[0].Center.X = math.NaN() },
	} {
		bad := in
		bad.Moves = []Move{quarter, line}
		spoil(&bad)
		if bad.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
