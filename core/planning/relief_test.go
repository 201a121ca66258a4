package planning

import (
	"math"
	"math/rand/v2"
	"testing"

	"millwright/core/feature/featuretest"
	"millwright/core/geom"
)

func boxOf(t *testing.T, part string) (*relief, geom.Box) {
	t.Helper()
	g := featuretest.Graph(t, part)
	box := geom.BoxOf(g.Mesh.Points...)
	return newRelief(g, 0, geom.World, box), box
}

// TestReliefIsNeverTooLow: every point of the part lies below what the raster says over it.
func TestReliefIsNeverTooLow(t *testing.T) {
	for _, part := range []string{"bosses", "torus", "turned_part"} {
		r, _ := boxOf(t, part)
		random := rand.New(rand.NewPCG(1, 2))
		for p := range r.g.Patches {
			r.g.EachTriangle(int32(p), func(a, b, c geom.Vec3) bool {
				u, v := random.Float64(), random.Float64()
				if u+v > 1 {
					u, v = 1-u, 1-v
				}
				at := a.AddScaled(u, b.Sub(a)).AddScaled(v, c.Sub(a))
				if over := r.over(at); over < at.Z-1e-9 {
					t.Fatalf("%s: %g mm over %v", part, over, at)
				}
				return true
			})
		}
	}
}

// TestWithinAgainstBruteForce: what is said to be the highest within a distance of some patches is no lower than it is, and
// no higher than what a little more distance brings.
func TestWithinAgainstBruteForce(t *testing.T) {
	r, _ := boxOf(t, "bosses")
	for _, p := range []int32{0, 6, 15} {
		around := r.around([]int32{p})
		var foot []geom.Vec2
		r.g.EachPoint(p, func(pt, _ geom.Vec3) { foot = append(foot, geom.Vec2{X: pt.X, Y: pt.Y}) })
		for _, distance := range []float64{0, 2, 7, 25} {
			high := math.Inf(-1)
			for _, pt := range r.g.Mesh.Points {
				for _, f := range foot {
					if f.Dist(geom.Vec2{X: pt.X, Y: pt.Y}) <= distance {
						high = max(high, pt.Z)
					}
				}
			}
			if got := r.within(around, distance); got < high-1e-9 || got > r.high+1e-9 {
				t.Errorf("patch %d, %g mm: %g, the part is as high as %g", p, distance, got, high)
			}
		}
	}
}

// TestEnvelopeIsExact: the transform of a row is the least over all of its cells.
func TestEnvelopeIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		f := make([]float64, 1+random.IntN(40))
		for i := range f {
			if f[i] = 1e4; random.IntN(4) == 0 {
				f[i] = float64(random.IntN(50))
			}
		}
		want := make([]float64, len(f))
		for i := range want {
			want[i] = math.Inf(1)
			for k := range f {
				want[i] = min(want[i], f[k]+float64((i-k)*(i-k)))
			}
		}
		got := append([]float64(nil), f...)
		newEnvelope(len(f)).transform(got, make([]float64, len(f)))
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%v: cell %d is %g, want %g", f, i, got[i], want[i])
			}
		}
	}
}

func TestSides(t *testing.T) {
	names := [sides]string{"+z", "−z", "+y", "−y", "+x", "−x"}
	want := [sides]geom.Vec3{{Z: 1}, {Z: -1}, {Y: 1}, {Y: -1}, {X: 1}, {X: -1}}
	box := geom.Box{Min: geom.Vec3{X: 1, Y: 2, Z: 3}, Max: geom.Vec3{X: 10, Y: 20, Z: 30}}
	for s := side(0); s < sides; s++ {
		if s.String() != names[s] || s.dir(geom.World) != want[s] || s.opposite().dir(geom.World) != want[s].Neg() ||
			sideOf(s.axis(), s.sign() > 0) != s {
			t.Errorf("side %d: %v, %v", s, s, s.dir(geom.World))
		}
		span := s.span(box)
		if hi := max(box.Min.Dot(want[s]), box.Max.Dot(want[s])); span.Hi != hi || s.flip(s.flip(span)) != span {
			t.Errorf("%v: %+v, want up to %g", s, span, hi)
		}
	}
}

func TestMetricThreads(t *testing.T) {
	for text, want := range map[string]float64{"M6x1": 6, "M8×1.25": 8, "M10": 10, "1/4-28 UNF": 0, "Mx": 0, "": 0, "M2.5x0.45": 2.5} {
		if got := metric(text); got != want {
			t.Errorf("%q: %g mm, want %g", text, got, want)
		}
	}
}

func TestHolesAreInAShortOrder(t *testing.T) {
	list := inOrder([]Hole{{At: geom.Vec2{X: 9}}, {At: geom.Vec2{X: 1, Y: 5}}, {At: geom.Vec2{X: 1}}, {At: geom.Vec2{X: 8, Y: 5}}})
	want := []geom.Vec2{{X: 1}, {X: 1, Y: 5}, {X: 8, Y: 5}, {X: 9}}
	for i := range want {
		if list[i].At != want[i] {
			t.Errorf("hole %d at %v, want %v", i, list[i].At, want[i])
		}
	}
}

func TestWhatIsLeftOfARange(t *testing.T) {
	for _, c := range []struct{ all, without, want geom.Interval }{
		{geom.Interval{Lo: 0, Hi: 10}, geom.Interval{Lo: 8, Hi: 10}, geom.Interval{Lo: 0, Hi: 8}},
		{geom.Interval{Lo: 0, Hi: 10}, geom.Interval{Lo: 0, Hi: 3}, geom.Interval{Lo: 3, Hi: 10}},
		{geom.Interval{Lo: 0, Hi: 10}, geom.Interval{Lo: math.Inf(1), Hi: math.Inf(-1)}, geom.Interval{Lo: 0, Hi: 10}},
	} {
		if got := rest(c.all, c.without); got != c.want {
			t.Errorf("%v without %v: %v, want %v", c.all, c.without, got, c.want)
		}
	}
}
