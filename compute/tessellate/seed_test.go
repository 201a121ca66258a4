package tessellate

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// seeded returns a worker with rings on a surface, ready to seed.
func seeded(s surface.Surface, chord float64, rings ...[]geom.Vec2) (w *worker, lo, hi geom.Vec2) {
	w = newWorker(&run{chord: chord, angle: DefaultAngle})
	w.shape.set(s)
	for _, r := range rings {
		w.uv = append(w.uv, r...)
		w.ringEnds = append(w.ringEnds, int32(len(w.uv)))
	}
	lo, hi = w.box()
	w.density.measure(&w.shape, lo, hi, chord, DefaultAngle)
	return w, lo, hi
}

func TestSeedsOfASphereZoneAreALattice(t *testing.T) {
	const r, chord = 10, 0.01
	ring := []geom.Vec2{{X: 0, Y: -0.4}, {X: 1, Y: -0.4}, {X: 1, Y: 0.4}, {X: 0, Y: 0.4}}
	w, lo, hi := seeded(surface.Sphere{Frame: geom.World, Radius: r}, chord, ring)
	seeds := w.seed(lo, hi)
	// A triangle of a lattice with deviation e on a sphere has the area 3√3/2·R·e.
	area := r * r * 1 * 2 * math.Sin(0.4)
	fewest := area / (2 * 3 * math.Sqrt(3) / 2 * r * chord)
	if n := float64(len(seeds)); n < fewest || n > 2*fewest {
		t.Errorf("%g seeds, want between %g and %g", n, fewest, 2*fewest)
	}
	for i, a := range seeds {
		p := w.shape.surf.At(a.X, a.Y)
		for _, b := range seeds[:i] {
			if d := w.shape.surf.At(b.X, b.Y).Dist(p); d < 0.5*math.Sqrt(8*r*chord)/2 {
				t.Fatalf("seeds %v and %v are %g mm apart", a, b, d)
			}
		}
	}
}

func TestNoSeedsWhereTheBoundaryIsEnough(t *testing.T) {
	ring := []geom.Vec2{{}, {X: 0.3}, {X: 0.3, Y: 0.3}, {Y: 0.3}}
	for name, s := range map[string]surface.Surface{
		"plane":        surface.Plane{Frame: geom.World},
		"narrow strip": surface.Cylinder{Frame: geom.World, Radius: 1},
	} {
		w, lo, hi := seeded(s, 0.1, ring)
		if seeds := w.seed(lo, hi); len(seeds) != 0 {
			t.Errorf("%s: %d seeds", name, len(seeds))
		}
	}
}

// TestSeedsStayInside takes a random star with a hole on a torus.
func TestSeedsStayInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		star := func(n int, lo, hi, sign float64) []geom.Vec2 {
			var out []geom.Vec2
			for i := range n {
				a := sign * 2 * math.Pi * float64(i) / float64(n)
				r := rapid.Float64Range(lo, hi).Draw(t, "radius")
				out = append(out, geom.Vec2{X: 3 + r*math.Cos(a), Y: 3 + r*math.Sin(a)})
			}
			return out
		}
		outer, hole := star(12, 1, 2.5, 1), star(8, 0.3, 0.8, -1)
		w, lo, hi := seeded(surface.Torus{Frame: geom.World, Major: 20, Minor: 15}, 0.05, outer, hole)
		seeds := w.seed(lo, hi)
		if len(seeds) == 0 {
			t.Fatalf("no seeds")
		}
		for _, p := range seeds {
			if winding(outer, p)+winding(hole, p) != 1 {
				t.Fatalf("seed %v is outside", p)
			}
		}
	})
}

func winding(ring []geom.Vec2, p geom.Vec2) int {
	sum := 0.0
	for i, a := range ring {
		u, v := a.Sub(p), ring[(i+1)%len(ring)].Sub(p)
		sum += math.Atan2(u.Cross(v), u.Dot(v))
	}
	return int(math.Round(sum / (2 * math.Pi)))
}

func TestRowsOfACylinderLineUp(t *testing.T) {
	ring := []geom.Vec2{{}, {X: 2 * math.Pi}, {X: 2 * math.Pi, Y: 300}, {Y: 300}}
	w, lo, hi := seeded(surface.Cylinder{Frame: geom.World, Radius: 5}, 0.01, ring)
	columns := map[float64]int{}
	for _, p := range w.seed(lo, hi) {
		columns[math.Round(p.X*1e9)]++
	}
	rows := len(w.rows)
	if rows == 0 {
		t.Fatal("no rows")
	}
	for u, n := range columns {
		if n != rows {
			t.Errorf("column %g has %d seeds, want one for each of %d rows", u/1e9, n, rows)
		}
	}
}

func TestRowsKeepAwayFromAPole(t *testing.T) {
	ring := []geom.Vec2{{X: 0, Y: 0}, {X: 2, Y: 0}, {X: 2, Y: math.Pi / 2}, {X: 0, Y: math.Pi / 2}}
	w, lo, hi := seeded(surface.Sphere{Frame: geom.World, Radius: 10}, 0.01, ring)
	w.poles = []int32{2}
	w.seed(lo, hi)
	first, last := w.rows[0], hi.Y-w.rows[len(w.rows)-1]
	if !(last > 1.3*first) {
		t.Errorf("first row %g from the equator, last one %g from the pole, want the latter farther", first, last)
	}
}
