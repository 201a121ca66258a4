package tessellate

import (
	"context"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// widened is a cylinder whose wall has a larger radius than its edges, by off mm.
func widened(off float64) *brep.Model {
	m := build.Cylinder(5, 5, build.Style{Seams: build.SeamEdge})
	for i := range m.Faces {
		if c, ok := m.Faces[i].Surface.(surface.Cylinder); ok {
			c.Radius += off
			m.Faces[i].Surface = c
		}
	}
	return m
}

// TestEdgesOffTheirSurface checks edges that are off the surface in the file. No number of points inside the face can
// repair that.
func TestEdgesOffTheirSurface(t *testing.T) {
	want := len(mustMesh(t, widened(0), Options{ChordTolerance: 0.1}).Mesh.Triangles)
	for _, off := range []float64{-1, -0.2, -0.05, 0.05, 0.1, 0.15, 0.2, 0.4, 1, 3} {
		res := mustMesh(t, widened(off), Options{ChordTolerance: 0.1})
		if !res.Report.Watertight {
			t.Errorf("%g mm: %+v %v", off, res.Report, res.Warnings)
		}
		if n := len(res.Mesh.Triangles); n > 3*want {
			t.Errorf("%g mm: %d triangles, %d for a proper cylinder", off, n, want)
		}
	}
}

// TestRefinementEndsAtEdgesFarOff refines squares of the parameter plane with a side in space that is tens of mm off
// the surface, which curves away from it. Points that follow the distance of such a side get as near as rounding, until
// refinement reaches its limit, and each search for one passes thousands of slivers.
func TestRefinementEndsAtEdgesFarOff(t *testing.T) {
	surfaces := map[string]surface.Surface{
		"cylinder": surface.Cylinder{Frame: geom.World, Radius: 20},
		"sphere":   surface.Sphere{Frame: geom.World, Radius: 20},
		"torus":    surface.Torus{Frame: geom.World, Major: 50, Minor: 20},
	}
	for name, s := range surfaces {
		for _, off := range []geom.Vec3{{}, {X: -30}, {X: 30}, {X: -20, Y: 10, Z: -20}} {
			w := newWorker(&run{ctx: context.Background(), chord: 0.1, angle: DefaultAngle, smallest: 0.01})
			w.shape.set(s)
			w.chart, w.limit = chart{su: 1, sv: 1}, DefaultMaxTriangles
			const size, samples = 0.4, 300 // rad; of a side
			corners := [4]geom.Vec2{{}, {X: size}, {X: size, Y: size}, {Y: size}}
			for i := range 4 * samples {
				side := i / samples
				uv := corners[side].Lerp(corners[(side+1)%4], float64(i%samples)/samples)
				p, _ := w.shape.at(uv)
				if side == 0 {
					p = p.Add(off)
				}
				w.uv, w.plane, w.p = append(w.uv, uv), append(w.plane, uv), append(w.p, p)
			}
			w.ringEnds = []int32{4 * samples}
			if !w.build(0, 0) {
				t.Fatal("no triangulation")
			}
			w.lift()
			bad := w.refine(false)
			const most = 10 // times the samples; refinement may add growth times as many
			if n := len(w.uv); n > most*4*samples || bad > int(w.tri.Slots()) {
				t.Errorf("%s, a side off by %v: %d points for %d samples, %d of %d triangles too coarse",
					name, off, n, 4*samples, bad, w.tri.Slots())
			}
			if off == (geom.Vec3{}) && bad > 0 {
				t.Errorf("%s: %d triangles too coarse with proper edges", name, bad)
			}
		}
	}
}

// TestRefinementEndsAtSidesThatLeaveTheSurface refines a strip around half a cylinder with a side from one end of it to
// the other, which no point of the face brings nearer to the surface. Near a line of the plane where a parameter is 0,
// floating-point numbers have no least distance that would end the refinement.
func TestRefinementEndsAtSidesThatLeaveTheSurface(t *testing.T) {
	for _, rise := range []float64{0, 3} {
		w := newWorker(&run{ctx: context.Background(), chord: 0.05, angle: DefaultAngle, smallest: 0.005})
		w.shape.set(surface.Cylinder{Frame: geom.World, Radius: 6})
		w.chart, w.limit = chart{su: 3.8, sv: 0.03}, DefaultMaxTriangles
		const samples = 64
		w.uv = append(w.uv, geom.Vec2{Y: rise}, geom.Vec2{X: pi})
		for i := range samples {
			w.uv = append(w.uv, geom.Vec2{X: pi * (1 - float64(i)/(samples-1)), Y: 6})
		}
		for _, uv := range w.uv {
			p, _ := w.shape.at(uv)
			w.plane, w.p = append(w.plane, w.chart.plane(uv)), append(w.p, p)
		}
		w.ringEnds = []int32{samples + 2}
		if !w.build(0, 0) {
			t.Fatal("no triangulation")
		}
		w.lift()
		w.refine(false)
		const most = 25 // times the samples; refinement may add growth times as many
		if n := len(w.uv); n > most*samples {
			t.Errorf("a side that rises by %g: %d points for %d samples", rise, n, samples)
		}
	}
}

// TestSwapRemovesPerpendicularTriangle gives a flat quadrilateral the diagonal that makes one of its triangles
// perpendicular to the surface in space, as three points of a geodesic edge do.
func TestSwapRemovesPerpendicularTriangle(t *testing.T) {
	w := newWorker(&run{chord: 0.1, angle: DefaultAngle, smallest: 1e-3})
	w.shape.set(surface.Cylinder{Frame: geom.World, Radius: 1})
	w.chart = chart{su: 1, sv: 1}
	// The second point is bent out of the line of its neighbors in the plane, hardly so in space.
	for _, uv := range []geom.Vec2{{}, {X: 0.2, Y: -0.02}, {X: 0.4}, {X: 0.2, Y: 0.4}} {
		w.uv, w.plane = append(w.uv, uv), append(w.plane, uv)
		p, n := w.shape.at(uv)
		w.p, w.n = append(w.p, p), append(w.n, n)
	}
	w.p[1] = w.p[1].AddScaled(0.1, geom.Vec3{X: -1}) // into the chord plane of its neighbors and beyond
	w.p[1].Z = -0.001
	w.ringEnds = []int32{4}
	if !w.build(0, 0) {
		t.Fatal("no triangulation")
	}
	e := w.tri.EdgeBetween(0, 2)
	if e < 0 {
		w.tri.Swap(w.tri.EdgeBetween(1, 3))
		e = w.tri.EdgeBetween(0, 2)
	}
	before := min(w.upright(w.tri.Triangle(e)), w.upright(w.tri.Triangle(w.tri.Twin(e))))
	w.chordGoal = 1
	w.swapTilted()
	if w.tri.EdgeBetween(0, 2) >= 0 || w.tri.EdgeBetween(1, 3) < 0 {
		t.Fatalf("the diagonal is where it was, worst cosine %g", before)
	}
	e = w.tri.EdgeBetween(1, 3)
	after := min(w.upright(w.tri.Triangle(e)), w.upright(w.tri.Triangle(w.tri.Twin(e))))
	if after <= before {
		t.Errorf("worst cosine %g before, %g after the swap", before, after)
	}
}
