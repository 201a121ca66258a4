package tessellate

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// pillow is a square plate whose top bulges by less than the tolerance of the test: top and bottom get
// the same four points and the same diagonal.
func pillow(t *testing.T, height float64) *brep.Model {
	t.Helper()
	knots := []float64{0, 0, 0, 1, 1, 1}
	var net []geom.Vec3
	for i := range 3 {
		for j := range 3 {
			p := geom.Vec3{X: 5 * float64(i), Y: 5 * float64(j)}
			if i == 1 && j == 1 {
				p.Z = 4 * height // the middle of the patch is at a quarter of it
			}
			net = append(net, p)
		}
	}
	top, err := surface.NewBSpline(2, 2, knots, knots, net, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := build.New("pillow")
	var v [4]brep.VertexID
	for i, p := range []geom.Vec3{{}, {X: 10}, {X: 10, Y: 10}, {Y: 10}} {
		v[i] = b.Vertex(p)
	}
	var e [4]brep.EdgeID
	for i := range e {
		e[i] = b.Line(v[i], v[(i+1)%4])
	}
	b.Face(top, false, build.Chain(build.Fwd(e[0]), build.Fwd(e[1]), build.Fwd(e[2]), build.Fwd(e[3])))
	b.Face(surface.Plane{Frame: geom.World}, true,
		build.Chain(build.Rev(e[3]), build.Rev(e[2]), build.Rev(e[1]), build.Rev(e[0])))
	b.Solid()
	return b.Model()
}

func TestTwoFacesWithTheSameDiagonal(t *testing.T) {
	res := mustMesh(t, pillow(t, 0.2), Options{ChordTolerance: 1, AngleTolerance: 1})
	if !res.Report.Watertight || len(res.Warnings) > 0 {
		t.Fatalf("%+v %v", res.Report, res.Warnings)
	}
	if n := len(res.Mesh.Triangles); n != 6 {
		t.Errorf("%d triangles, want two below and four above", n)
	}
	if v := res.Mesh.Volume(); v <= 0 {
		t.Errorf("volume %g, want a positive one", v)
	}
	for f, r := range res.Mesh.Regions {
		if len(r.Vertices) != len(r.Normals) {
			t.Errorf("face %d: %d vertices, %d normals", f, len(r.Vertices), len(r.Normals))
		}
	}
}

func TestPillowConverges(t *testing.T) {
	res := mustMesh(t, pillow(t, 2), Options{ChordTolerance: 0.01})
	if !res.Report.Watertight || len(res.Warnings) > 0 {
		t.Fatalf("%+v %v", res.Report, res.Warnings)
	}
	// The bulge is 16·h·u(1-u)·v(1-v) over the square: 16·h·(10/6)².
	if got, want := res.Mesh.Volume(), 16*2*100.0/36; math.Abs(got-want) > 0.01*100 {
		t.Errorf("volume %g, want %g", got, want)
	}
	if gap, _ := deviation(pillow(t, 2), res); gap > 0.01*(1+1e-9) {
		t.Errorf("deviation %g, want 0.01", gap)
	}
}

// TestChordsThatCross makes a crescent thinner than the chord tolerance: its two arcs, sampled
// independently, cross each other until they get more samples.
func TestChordsThatCross(t *testing.T) {
	for _, thickness := range []float64{0.5, 0.05, 0.02, 0.01} {
		outer, inner := 8.0, 8.0-thickness // sagittas over a chord of 20
		profile := []build.Corner{
			{P: geom.Vec2{}, Bulge: outer / 10},
			{P: geom.Vec2{X: 20}, Bulge: -inner / 10},
		}
		m := build.Prism("crescent", profile, 5, build.Style{})
		res := mustMesh(t, m, Options{ChordTolerance: 0.1})
		if !res.Report.Watertight || len(res.Warnings) > 0 {
			t.Errorf("thickness %g: %+v %v", thickness, res.Report, res.Warnings)
			continue
		}
		segment := func(s float64) float64 {
			r := (s*s + 100) / (2 * s)
			a := 2 * math.Asin(10/r)
			return r * r / 2 * (a - math.Sin(a))
		}
		want := 5 * (segment(outer) - segment(inner))
		if got := res.Mesh.Volume(); math.Abs(got-want) > 0.5*want {
			t.Errorf("thickness %g: volume %g, want about %g", thickness, got, want)
		}
	}
}

// TestSmallFilletOnALargeRadius checks a fillet whose chords deviate by more than its triangles are wide, so that the
// angle tolerance requires more samples than the curve's own tolerances.
func TestSmallFilletOnALargeRadius(t *testing.T) {
	q := build.Bulge(math.Pi / 2)
	for _, r := range []float64{0.2, 0.5, 1} {
		profile := []build.Corner{{P: geom.Vec2{}}, {P: geom.Vec2{X: 30}}, {P: geom.Vec2{X: 30, Y: 10 - r}, Bulge: q},
			{P: geom.Vec2{X: 30 - r, Y: 10}}, {P: geom.Vec2{Y: 10}}}
		m := build.Revolve("rounded", geom.World, profile, build.Style{})
		res := mustMesh(t, m, Options{ChordTolerance: 0.1})
		if !res.Report.Watertight || len(res.Warnings) > 0 {
			t.Fatalf("radius %g: %+v %v", r, res.Report, res.Warnings)
		}
		gap, angle := deviation(m, res)
		t.Logf("radius %g: %d triangles, gap %.3f, angle %.1f°", r, len(res.Mesh.Triangles), gap, angle*180/pi)
		if gap > 0.1*(1+1e-9) || angle > 1.1*DefaultAngle {
			t.Errorf("radius %g: gap %g mm, angle %g°", r, gap, angle*180/pi)
		}
	}
}
