package access_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/core/cam/planning/access"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// What the cuts of other sides leave is never above the ceiling, however thin, at places drawn by chance.
func TestCeiling(t *testing.T) {
	type hole struct {
		at         geom.Vec2
		radius, to float64
	}
	workpiece := geom.NewFrame(geom.Vec3{X: 100, Y: 50, Z: 7}, geom.Vec3{Y: 1}, geom.Vec3{Z: 1})
	raw := geom.Box{Max: geom.Vec3{X: 40, Y: 30, Z: 20}}
	block, err := dexel.NewBlock(dexel.Lattice{Step: 2, Count: [3]int{20, 15, 10}}, raw)
	if err != nil {
		t.Fatal(err)
	}
	sides := []geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}
	frame := func(d geom.Vec3) geom.Frame {
		side := geom.Vec3{X: d.Y, Y: d.Z, Z: d.X}
		return geom.NewFrame(workpiece.Point(raw.Center()), workpiece.Dir(d), workpiece.Dir(side))
	}
	r := rand.New(rand.NewPCG(7, 3))
	for round := range 30 {
		seen := sides[round%6]
		look := frame(seen)
		ceiling := access.NewCeiling(block, workpiece, look)
		empty, err := dexel.NewBlock(block.Lattice, geom.Box{Max: geom.Vec3{X: 1e-3, Y: 1e-3, Z: 1e-3}})
		if err != nil {
			t.Fatal(err)
		}
		frames, cuts := []geom.Frame{}, [][]hole{}
		for _, d := range sides {
			if d == seen || r.IntN(3) == 0 {
				continue
			}
			f := frame(d)
			box := geom.BoxOf(f.Local(workpiece.Point(raw.Min)), f.Local(workpiece.Point(raw.Max)))
			stock := access.NewStock(box)
			var list []hole
			for range 3 {
				h := hole{
					at:     geom.Vec2{X: box.Min.X + r.Float64()*box.Size().X, Y: box.Min.Y + r.Float64()*box.Size().Y},
					radius: 3 + 12*r.Float64(), to: box.Min.Z + box.Size().Z*(1.2*r.Float64()-0.1),
				}
				stock.Cut(access.RemovedArea{Z: h.to, Area: disc(t, h.at.X, h.at.Y, h.radius)})
				list = append(list, h)
			}
			frames, cuts = append(frames, f), append(cuts, list)
			if err := ceiling.Lower(stock, f); err != nil {
				t.Fatal(err)
			}
		}
		isLeft := func(p geom.Vec3) bool { // of each cut alone
			for i, list := range cuts {
				q := frames[i].Local(workpiece.Point(p))
				for _, h := range list {
					if q.Z > h.to && math.Hypot(q.X-h.at.X, q.Y-h.at.Y) < h.radius {
						return false
					}
				}
			}
			return true
		}
		left := access.Remaining(empty, ceiling, look)
		for range 4000 {
			p := geom.Vec3{X: 40 * r.Float64(), Y: 30 * r.Float64(), Z: 20 * r.Float64()}
			if !isLeft(p) {
				continue
			}
			q := look.Local(workpiece.Point(p))
			above, err := left.Above(q.Z - 1e-3)
			if err != nil {
				t.Fatal(err)
			}
			if !above.Contains(geom.Vec2{X: q.X, Y: q.Y}) {
				t.Fatalf("round %d, seen along %v: there is stock at %v, above the ceiling", round, seen, p)
			}
		}
	}
}

// A skin below the lowest rays is known, and what is gone beyond it is gone.
func TestCeilingOverSkin(t *testing.T) {
	raw := geom.Box{Max: geom.Vec3{X: 40, Y: 30, Z: 20}}
	block, err := dexel.NewBlock(dexel.Lattice{Step: 2, Count: [3]int{20, 15, 10}}, raw)
	if err != nil {
		t.Fatal(err)
	}
	stock := access.NewStock(raw)
	stock.Cut(access.RemovedArea{Z: 0.8, Area: rectangle(t, -10, -10, 20, 40)})
	stock.Cut(access.RemovedArea{Z: -5, Area: disc(t, 31, 15, 6)})
	for _, c := range []struct {
		what       string
		z, x       geom.Vec3 // axes of the frame that looks
		x0, y0, at float64   // place, and how high the stock is there
	}{
		{"the skin from its edge", geom.Vec3{X: -1}, geom.Vec3{Y: 1}, 15, -1, 0},
		{"above the skin", geom.Vec3{X: -1}, geom.Vec3{Y: 1}, 15, -3, -20},
		{"the other edge", geom.Vec3{X: 1}, geom.Vec3{Y: 1}, 15, 9, 40},
		{"from below, under the skin", geom.Vec3{Z: -1}, geom.Vec3{X: 1}, 10, -15, 0},
		{"from below, through the hole", geom.Vec3{Z: -1}, geom.Vec3{X: 1}, 31, -15, -20},
	} {
		look := geom.NewFrame(geom.Vec3{}, c.z, c.x)
		ceiling := access.NewCeiling(block, geom.World, look)
		if err := ceiling.Lower(stock, geom.World); err != nil {
			t.Fatal(err)
		}
		left := access.Remaining(block, ceiling, look)
		got, err := left.Top(geom.Vec2{X: c.x0, Y: c.y0}, 0.5)
		if err != nil || math.Abs(got-c.at) > 1e-4 {
			t.Errorf("%s the stock reaches %g (%v), want %g", c.what, got, err, c.at)
		}
	}
}

// A plate that lies between the rays counts as stock.
func TestCeilingOverThinPlate(t *testing.T) {
	plate, err := dexel.NewBlock(dexel.Lattice{Step: 2, Count: [3]int{20, 15, 1}},
		geom.Box{Max: geom.Vec3{X: 40, Y: 30, Z: 0.8}})
	if err != nil {
		t.Fatal(err)
	}
	look := geom.NewFrame(geom.Vec3{}, geom.Vec3{X: -1}, geom.Vec3{Y: 1})
	left := access.Remaining(plate, access.NewCeiling(plate, geom.World, look), look)
	if got, err := left.Top(geom.Vec2{X: 15, Y: -0.4}, 0.1); err != nil || math.Abs(got) > 1e-4 {
		t.Errorf("seen from its edge a plate reaches %g (%v), want 0", got, err)
	}
}

func rectangle(t *testing.T, x0, y0, x1, y1 float64) *arcpoly.Area {
	t.Helper()
	p := [4]geom.Vec2{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
	l := make(planar.Loop, 4)
	for i := range l {
		l[i] = planar.NewLine(p[i], p[(i+1)%4])
	}
	a, err := arcpoly.New(l)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
