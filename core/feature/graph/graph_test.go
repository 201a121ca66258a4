package graph

import (
	"context"
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func graphOf(t *testing.T, m *brep.Model) *Graph {
	t.Helper()
	r, err := tessellate.Mesh(context.Background(), m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := New(context.Background(), m, r.Mesh)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func v2(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }

// The side of a prism between two profile pieces shows every kind of edge.
func TestConvexity(t *testing.T) {
	quarter := build.Bulge(math.Pi / 2)
	rows := []struct {
		name    string
		profile []build.Corner
		a, b    int // sides, as patches
		bend    Convexity
		turn    float64 // degrees
	}{
		{"corner of a box", build.Rectangle(20, 10), 0, 1, Convex, 90},
		{"chamfer", build.Polygon(v2(0, 0), v2(20, 0), v2(20, 10), v2(3, 10), v2(0, 7)), 2, 3, Convex, 45},
		{"inner corner", build.Polygon(v2(0, 0), v2(20, 0), v2(20, 5), v2(10, 5), v2(10, 10), v2(0, 10)), 2, 3,
			Concave, -90},
		{"sharp ridge", build.Polygon(v2(0, 0), v2(20, 0), v2(19, 1)), 0, 1, Convex, 135},
		{"V groove", build.Polygon(v2(0, 0), v2(20, 0), v2(20, 10), v2(12, 10), v2(10, 8), v2(8, 10), v2(0,
			10)), 3, 4, Concave, -90},
		{"rounding", build.Rounded(20, 10, 2), 0, 1, Smooth, 0},
		{"fillet", []build.Corner{{P: v2(0, 0)}, {P: v2(20, 0)}, {P: v2(20, 5)}, {P: v2(12, 5), Bulge: -quarter},
			{P: v2(10, 7)}, {P: v2(10, 10)}, {P: v2(0, 10)}}, 2, 3, Smooth, 0},
		{"draft of two degrees", build.Polygon(v2(0, 0), v2(20, 0), v2(20, 5), v2(20-5*math.Tan(2*math.Pi/180),
			10), v2(0, 10)),
			1, 2, Convex, 2},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			g := graphOf(t, build.Prism("prism", row.profile, 30, build.Style{}))
			i := slices.IndexFunc(g.Arcs, func(a Adjacency) bool {
				return min(a.A, a.B) == int32(row.a) && max(a.A, a.B) == int32(row.b)
			})
			if i < 0 {
				t.Fatalf("no arc between patches %d and %d", row.a, row.b)
			}
			a := &g.Arcs[i]
			if a.Convexity != row.bend || math.Abs(a.Turn*180/math.Pi-row.turn) > 1e-9 {
				t.Errorf("bend %d, turn %.9g°, want %d, %g°", a.Convexity, a.Turn*180/math.Pi, row.bend, row.turn)
			}
			if math.Abs(a.Length-30) > 1e-9 || math.Abs(math.Abs(a.Dir.Z)-1) > 1e-12 {
				t.Errorf("length %g along %v, want 30 along z", a.Length, a.Dir)
			}
		})
	}
}

// However a CAD system cuts round faces, they are one patch.
func TestPatchesJoinHalves(t *testing.T) {
	size := geom.Vec3{X: 40, Y: 40, Z: 20}
	hole := build.Hole{Center: v2(20, 20), Profile: []geom.Vec2{v2(9, 0), v2(6, 3), v2(6, 12), v2(0, 15)}}
	for _, style := range build.Styles() {
		g := graphOf(t, build.Plate(size, style, hole))
		if len(g.Patches) != 9 {
			t.Errorf("style %v: %d patches, want 6 sides and 3 of the hole", style, len(g.Patches))
		}
		kinds := map[surface.Kind]int{}
		for i := range g.Patches {
			p := &g.Patches[i]
			kinds[p.Kind]++
			if round := p.Kind != surface.KindPlane; round != p.Hollow {
				t.Errorf("style %v: patch %d of kind %v is hollow: %v", style, i, p.Kind, p.Hollow)
			}
			if p.Kind == surface.KindPlane {
				continue
			}
			if s := g.Sweep([]int32{int32(i)}, &p.Shape); math.Abs(s-2*math.Pi) > 1e-9 {
				t.Errorf("style %v: patch %d covers %g rad, want 2π", style, i, s)
			}
		}
		if kinds[surface.KindCylinder] != 1 || kinds[surface.KindCone] != 2 {
			t.Errorf("style %v: kinds %v, want 1 cylinder and 2 cones", style, kinds)
		}
	}
}

func TestHollowness(t *testing.T) {
	w, sharp := geom.World, build.Style{}
	quarter := build.Bulge(math.Pi / 2)
	rows := []struct {
		name string
		m    *brep.Model
		kind surface.Kind
		want bool
	}{
		{"outside of a tube", build.Cylinder(5, 10, sharp), surface.KindCylinder, false},
		{"ball", build.Sphere(5, sharp), surface.KindSphere, false},
		{"torus", build.Torus(10, 3, build.TorusWhole), surface.KindTorus, false},
		// The fillet of a thin shaft has a larger curvature around the shaft than along it, and is still concave.
		{"large fillet of a thin shaft", build.Revolve("shaft", w, []build.Corner{{P: v2(0, 0)}, {P: v2(30, 0)},
			{P: v2(30, 5)},
			{P: v2(22, 5), Bulge: -quarter}, {P: v2(2, 25)}, {P: v2(2, 30)}, {P: v2(0,
				30)}}, sharp), surface.KindTorus, true},
		{"rounded mouth of a bore", build.Revolve("ring", w, []build.Corner{{P: v2(10, 0)}, {P: v2(20, 0)},
			{P: v2(20, 20)},
			{P: v2(12, 20), Bulge: quarter}, {P: v2(10, 18)}}, sharp), surface.KindTorus, false},
		{"spherical bottom", build.Plate(geom.Vec3{X: 40, Y: 40, Z: 20}, sharp, build.Hole{Center: v2(20, 20),
			Profile: []geom.Vec2{v2(6, 0), v2(0, 6)}}), surface.KindCone, true},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			g := graphOf(t, row.m)
			for i := range g.Patches {
				if p := &g.Patches[i]; p.Kind == row.kind {
					if p.Hollow != row.want {
						t.Errorf("hollow %v, want %v", p.Hollow, row.want)
					}
					return
				}
			}
			t.Fatalf("no patch of kind %v", row.kind)
		})
	}
}

// disguised replaces the analytic surfaces of half faces by rational B-splines of the same form.
func disguised(t *testing.T, m *brep.Model) *brep.Model {
	t.Helper()
	for i := range m.Faces {
		f := &m.Faces[i]
		var frame geom.Frame
		var radius, slope float64
		switch s := f.Surface.(type) {
		case surface.Cylinder:
			frame, radius = s.Frame, s.Radius
		case surface.Cone:
			frame, radius, slope = s.Frame, s.Radius, math.Tan(s.HalfAngle)
		default:
			continue
		}
		lo, hi, side := math.Inf(1), math.Inf(-1), 0.0
		for _, c := range m.Loops[f.Loops[0]].Coedges {
			e := &m.Edges[m.Coedges[c].Edge]
			for k := range 9 {
				l := frame.Local(e.Curve.At(e.Range.At(float64(k) / 8)))
				lo, hi, side = min(lo, l.Z), max(hi, l.Z), side+l.Y
			}
		}
		start := 0.0
		if side < 0 {
			start = math.Pi
		}
		f.Surface = halfTurn(t, frame, radius, slope, start, lo, hi)
	}
	return m
}

// halfTurn is the half of a cylinder or cone from angle start on, as a B-spline.
func halfTurn(t *testing.T, f geom.Frame, radius, slope, start, lo, hi float64) surface.Surface {
	t.Helper()
	var pts []geom.Vec3
	var weights []float64
	for i := range 5 {
		s, c := math.Sincos(start + float64(i)*math.Pi/4)
		w, out := 1.0, 1.0
		if i%2 == 1 {
			w, out = math.Sqrt2/2, math.Sqrt2
		}
		for _, z := range []float64{lo, hi} {
			r := (radius + slope*z) * out
			pts = append(pts, f.Point(geom.Vec3{X: r * c, Y: r * s, Z: z}))
			weights = append(weights, w)
		}
	}
	b, err := surface.NewBSpline(2, 1, []float64{0, 0, 0, 0.5, 0.5, 1, 1, 1}, []float64{0, 0, 1, 1}, pts,
		weights)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAnalyticShapesOfFreeformSurfaces(t *testing.T) {
	half := build.Style{Seams: build.HalfFaces}
	m := disguised(t, build.Plate(geom.Vec3{X: 40, Y: 40, Z: 20}, half,
		build.Hole{Center: v2(18, 21), Profile: []geom.Vec2{v2(9, 0), v2(6, 3), v2(6, 20)}}))
	g := graphOf(t, m)
	if len(g.Patches) != 8 {
		t.Fatalf("%d patches, want 8", len(g.Patches))
	}
	axis := Shape{Origin: geom.Vec3{X: 18, Y: 21}, Axis: geom.Vec3{Z: 1}}
	for i, want := range map[int]Shape{
		6: {Kind: surface.KindCone, Slope: math.Pi / 4, Radius: 7.5, Hollow: true},
		7: {Kind: surface.KindCylinder, Radius: 6, Hollow: true},
	} {
		got := &g.Patches[i].Shape
		if got.Kind != want.Kind || got.Hollow != want.Hollow || math.Abs(got.Radius-want.Radius) > 1e-6 ||
			math.Abs(math.Abs(got.Slope)-want.Slope) > 1e-6 {
			t.Errorf("patch %d: %+v, want %+v", i, *got, want)
		}
		if !g.Coaxial(&axis, got) {
			t.Errorf("patch %d: axis through %v along %v, want the axis of the hole", i, got.Origin, got.Axis)
		}
	}
}

func TestCovered(t *testing.T) {
	rows := []struct {
		name  string
		spans []geom.Interval
		want  float64
	}{
		{"nothing", nil, 0},
		{"one", []geom.Interval{{Lo: 1, Hi: 2}}, 1},
		{"overlapping", []geom.Interval{{Lo: 1, Hi: 2}, {Lo: 1.5, Hi: 3}}, 2},
		{"across the start", []geom.Interval{{Lo: -1, Hi: 1}}, 2},
		{"twice round", []geom.Interval{{Lo: -1, Hi: 1}, {Lo: 2*math.Pi - 1, Hi: 2*math.Pi + 1}}, 2},
		{"all", []geom.Interval{{Lo: -3, Hi: 0}, {Lo: 0, Hi: 3}, {Lo: 3, Hi: 3.5}}, 2 * math.Pi},
	}
	for _, row := range rows {
		if got := covered(row.spans); math.Abs(got-row.want) > 1e-12 {
			t.Errorf("%s: %g, want %g", row.name, got, row.want)
		}
	}
}

// A rounded corner turns by at least 10°: a narrow smooth side with a smaller turn is not a blend.
func TestBlendTurns(t *testing.T) {
	for turn, isBlend := range map[float64]bool{8: false, 12: true, 90: true} {
		const off = 2 // mm of each slope that the rounding takes
		half := geom.Radians(turn / 2)
		rise := math.Tan(half)
		profile := append(build.Polygon(v2(0, 0), v2(60, 0), v2(60, 20)),
			build.Corner{P: v2(30+off*math.Cos(half), 20+rise*30-off*math.Sin(half)), Bulge: build.Bulge(2 * half)},
			build.Corner{P: v2(30-off*math.Cos(half), 20+rise*30-off*math.Sin(half))}, build.Corner{P: v2(0, 20)})
		g := graphOf(t, build.Prism("roof", profile, 40, build.Style{}))
		round := slices.IndexFunc(g.Patches, func(p Patch) bool { return p.Kind == surface.KindCylinder })
		if round < 0 || g.IsBlend(int32(round)) != isBlend {
			t.Errorf("a ridge of %g°: patch %d rounds it, want %v", turn, round, isBlend)
		}
	}
}

// The box of patches contains exactly their points.
func TestBox(t *testing.T) {
	g := graphOf(t, build.Box(geom.Vec3{X: 30, Y: 20, Z: 10}))
	var sides []int32 // across x
	for p := range int32(len(g.Patches)) {
		if Parallel(g.Patches[p].Axis, geom.Vec3{X: 1}) {
			sides = append(sides, p)
			if got := g.Box(p); got.Size().Dist(geom.Vec3{Y: 20, Z: 10}) > 1e-12 {
				t.Errorf("box of patch %d: got %v, want one of 0 x 20 x 10", p, got)
			}
		}
	}
	if got := g.Box(sides...); len(sides) != 2 ||
		got.Min.Dist(g.Bounds.Min) > 1e-12 || got.Max.Dist(g.Bounds.Max) > 1e-12 {
		t.Errorf("box of %d sides: got %v, want that of the part, %v", len(sides), got, g.Bounds)
	}
}
