package evalsurface

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// drawBatch draws an analytic surface, in any place, with some samples.
func drawBatch(t *rapid.T) Batch {
	number := func(name string, lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
	v := func(name string, s float64) geom.Vec3 {
		return geom.Vec3{X: number(name+".x", -s, s), Y: number(name+".y", -s, s), Z: number(name+".z", -s, s)}
	}
	f := geom.NewFrame(v("origin", 1000), v("axis", 1), v("reference", 1))
	r := number("radius", 0.1, 100)
	b := Batch{Surface: rapid.SampledFrom([]surface.Surface{
		surface.Plane{Frame: f}, surface.Cylinder{Frame: f, Radius: r},
		surface.Cone{Frame: f, Radius: r, HalfAngle: number("angle", -1.4, 1.4)},
		surface.Sphere{Frame: f, Radius: r}, surface.Torus{Frame: f, Major: r, Minor: number("minor", 0.1, 200)},
	}).Draw(t, "surface")}
	for range rapid.IntRange(1, 5).Draw(t, "samples") {
		b.U = append(b.U, number("u", -1.5, 1.5))
		b.V = append(b.V, number("v", -1.5, 1.5))
	}
	return b
}

func TestReachContainsSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBatch(t)
		origin, reach := b.Reach()
		for i, u := range b.U {
			if d := b.Surface.At(u, b.V[i]).Dist(origin); d > reach*(1+1e-12)+1e-9 {
				t.Fatalf("sample %d of %T is %g mm from the origin of its batch, reach %g", i, b.Surface, d, reach)
			}
		}
		if e := b.PointError(); e < 0 || e > 1e-5*reach {
			t.Fatalf("point error %g of a reach of %g", e, reach)
		}
	})
}

func TestEvaluateRoundsOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := Input{Batches: []Batch{drawBatch(t), drawBatch(t)}}
		out := newOutput(&in)
		if len(out.Point) != len(in.Batches[0].U)+len(in.Batches[1].U) {
			t.Fatalf("memory for %d samples", len(out.Point))
		}
		for b := range in.Batches {
			for i := range in.Batches[b].U {
				out.evaluate(&in, b, i, i+1)
				p, n, k1, k2 := surface.LocalProperties(in.Batches[b].Surface, in.Batches[b].U[i], in.Batches[b].V[i])
				at := out.First[b] + i
				got := out.Point[at]
				back := out.Origin[b].Add(geom.Vec3{X: float64(got[0]), Y: float64(got[1]), Z: float64(got[2])})
				if d := back.Dist(p); d > in.Batches[b].PointError()+1e-9 {
					t.Fatalf("point off by %g mm", d)
				}
				if out.Normal[at][0] != float32(n.X) || out.Curvature[at] != [2]float32{float32(k1), float32(k2)} {
					t.Fatalf("normal %v, want %v; curvatures %v, want %g, %g",
						out.Normal[at], n, out.Curvature[at], k1, k2)
				}
			}
		}
	})
}

func TestCurvaturesStayInRange(t *testing.T) {
	for _, c := range []struct{ k, want float64 }{
		{1e300, math.MaxFloat32}, {-1e300, -math.MaxFloat32}, {math.Inf(1), math.MaxFloat32}, {0.25, 0.25},
	} {
		if got := bounded(c.k); float64(got) != c.want {
			t.Errorf("curvature %g becomes %g, want %g", c.k, got, c.want)
		}
	}
}

func TestSurfaceInputCheck(t *testing.T) {
	closed, err := surface.NewBSpline(1, 1, []float64{0, 0, 1, 1}, []float64{0, 0, 1, 2, 3, 3}, []geom.Vec3{
		{}, {X: 1}, {Y: 1}, {}, {Z: 1}, {X: 1, Z: 1}, {Y: 1, Z: 1}, {Z: 1},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	turn := []float64{2 * math.Pi * 1000}
	for _, c := range []struct {
		name string
		b    Batch
		ok   bool
	}{
		{"empty", Batch{Surface: surface.Plane{Frame: geom.World}}, true},
		{"a thousand turns", Batch{surface.Cylinder{Frame: geom.World, Radius: 1}, turn, []float64{1e6}}, true},
		{"far on a plane", Batch{surface.Plane{Frame: geom.World}, []float64{1e7}, []float64{0}}, true},
		{"beyond a closed side", Batch{closed, []float64{0.5}, []float64{17}}, true},
		{"rounded out of the domain", Batch{closed, []float64{1 + 1e-12}, []float64{1}}, true},
		{"beyond an open side", Batch{closed, []float64{1.01}, []float64{1}}, false},
		{"offset surface", Batch{Surface: &surface.Offset{}}, false},
		{"none", Batch{}, false},
		{"uneven", Batch{surface.Plane{}, []float64{1}, nil}, false},
		{"NaN", Batch{surface.Plane{}, []float64{math.NaN()}, []float64{1}}, false},
	} {
		in := Input{Batches: []Batch{c.b}}
		if err := in.Check(); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
