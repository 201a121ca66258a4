package graph

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// everything lists the patches of a graph.
func everything(g *Graph) []int32 {
	out := make([]int32, len(g.Patches))
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

func partExtent(t *testing.T, g *Graph, dir geom.Vec3) geom.Interval {
	t.Helper()
	out, err := g.PartExtents(context.Background(), []geom.Vec3{dir})
	if err != nil {
		t.Fatal(err)
	}
	return out[0]
}

func drawDirection(r *rapid.T) geom.Vec3 {
	z := rapid.Float64Range(-1, 1).Draw(r, "z")
	a := rapid.Float64Range(0, 2*math.Pi).Draw(r, "angle")
	rho := math.Sqrt(1 - z*z)
	return geom.Vec3{X: rho * math.Cos(a), Y: rho * math.Sin(a), Z: z}
}

// The extents of round bodies along any direction equal their support functions for every surface type and seam.
func TestExtentsOfRoundBodies(t *testing.T) {
	free := func(m *brep.Model) *brep.Model {
		f, err := build.Freeform(m, 0.7)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	flat := func(d geom.Vec3) float64 { return math.Hypot(d.X, d.Y) }
	rows := []struct {
		name  string
		model *brep.Model
		hi    func(d geom.Vec3) float64
	}{
		{"sphere", build.Sphere(7, build.Style{}), func(geom.Vec3) float64 { return 7 }},
		{"sphere as B-spline", free(build.Sphere(7, build.Style{})), func(geom.Vec3) float64 { return 7 }},
		{"hemispheres", build.Hemispheres(7, build.Style{}), func(geom.Vec3) float64 { return 7 }},
		{"cylinder", build.Cylinder(5, 12, build.Style{}), func(d geom.Vec3) float64 {
			return 5*flat(d) + max(12*d.Z, 0)
		}},
		{"cylinder as B-spline", free(build.Cylinder(5, 12, build.Style{})), func(d geom.Vec3) float64 {
			return 5*flat(d) + max(12*d.Z, 0)
		}},
		{"cone", build.Frustum(5, 0, 12, build.Style{}), func(d geom.Vec3) float64 {
			return max(5*flat(d), 12*d.Z)
		}},
		{"torus", build.Torus(9, 2, build.TorusSeams), func(d geom.Vec3) float64 { return 9*flat(d) + 2 }},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			g := graphOf(t, row.model)
			all := everything(g)
			rapid.Check(t, func(r *rapid.T) {
				d := drawDirection(r)
				want := geom.Interval{Lo: -row.hi(d.Neg()), Hi: row.hi(d)}
				const near = 1e-6 // mm, a freeform edge is boxed to 1e-6 of its size
				for _, got := range [2]geom.Interval{g.Exact(all, d), partExtent(t, g, d)} {
					if math.Abs(got.Lo-want.Lo) > near || math.Abs(got.Hi-want.Hi) > 10*near {
						r.Fatalf("along %v from %.9g to %.9g, want %.9g to %.9g", d, got.Lo, got.Hi, want.Lo, want.Hi)
					}
				}
			})
		})
	}
}

// Only points on the face count: the extent of a bore in a block is the extent of its edges.
func TestExtentsStayOnTheFace(t *testing.T) {
	size := geom.Vec3{X: 40, Y: 30, Z: 20}
	g := graphOf(t, build.Plate(size, build.Style{}, build.Hole{Center: v2(20, 15), Profile: build.Blind(8, 10, 2)}))
	rapid.Check(t, func(r *rapid.T) {
		d := drawDirection(r)
		hi := max(d.X, 0)*40 + max(d.Y, 0)*30 + max(d.Z, 0)*20
		if got := partExtent(t, g, d).Hi; math.Abs(got-hi) > 1e-9 {
			r.Fatalf("along %v up to %.9g, want %.9g", d, got, hi)
		}
	})
	// A quarter of a torus: the extreme points of the whole are elsewhere.
	ring := build.Polygon(v2(0, 0), v2(10, 0), v2(10, 5), v2(8, 7), v2(0, 7))
	ring[2].Bulge = build.Bulge(math.Pi / 2)
	g = graphOf(t, build.Revolve("knob", geom.World, ring, build.Style{}))
	if got := partExtent(t, g, geom.Vec3{Z: 1}); math.Abs(got.Lo) > 1e-9 || math.Abs(got.Hi-7) > 1e-9 {
		t.Errorf("knob from %g to %g, want 0 to 7", got.Lo, got.Hi)
	}
}

// The extents of all patches at once equal those of each alone, and their union is the extent of the part.
func TestExtentsOfAllPatches(t *testing.T) {
	free, err := build.Freeform(build.Torus(20, 6, build.TorusSeams), 0.7)
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]*brep.Model{
		"cylinder": build.Cylinder(5, 12, build.Style{}), "hemispheres": build.Hemispheres(7, build.Style{}),
		"torus": build.Torus(20, 6, build.TorusSeams), "torus as B-spline": free,
	} {
		g := graphOf(t, m)
		rapid.Check(t, func(r *rapid.T) {
			dir := drawDirection(r)
			heights := g.HeightsAlong(dir)
			for p := range g.Patches {
				got := heights.Of(int32(p))
				if want := g.Exact([]int32{int32(p)}, dir); got != want {
					r.Fatalf("%s: patch %d reaches %v, by itself %v", name, p, got, want)
				}
			}
			whole := heights.Whole()
			if want := g.Exact(everything(g), dir); whole != want {
				r.Fatalf("%s: the part reaches %v, its patches %v", name, want, whole)
			}
		})
	}
}
