package deviation

import (
	"context"
	"errors"
	"math"
	"reflect"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func meshed(t testing.TB, m *brep.Model, chord float64) *tessellate.Result {
	t.Helper()
	r, err := tessellate.Mesh(context.Background(), m, tessellate.Options{ChordTolerance: chord})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func measured(t testing.TB, m *brep.Model, r *tessellate.Result, o Options) Deviation {
	t.Helper()
	d, err := Measure(context.Background(), m, r, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestCylinderAgainstSagitta: the sides of a polygon in a circle are off by r(1-cos(π/n)), and so are the
// triangles between two such polygons that are not turned against each other.
func TestCylinderAgainstSagitta(t *testing.T) {
	for _, chord := range []float64{0.5, 0.1, 0.01, 0.001} {
		const radius = 7
		m := build.Cylinder(radius, 2, build.Style{})
		r := meshed(t, m, chord)
		rim := 0
		for e, line := range r.EdgeLines {
			if m.Edges[e].Start == m.Edges[e].End {
				rim = max(rim, len(line)-1)
			}
		}
		want := radius * (1 - math.Cos(math.Pi/float64(rim)))
		d := measured(t, m, r, Options{})
		if math.Abs(d.EdgeGap-want) > 1e-9 || math.Abs(d.EdgeAdded-want) > 1e-9 {
			t.Errorf("chord %g: edges are %g (%g) mm off, want %g", chord, d.EdgeGap, d.EdgeAdded, want)
		}
		if d.FaceGap < want*(1-1e-9) || d.FaceGap > chord {
			t.Errorf("chord %g: faces are %g mm off, want %g to %g", chord, d.FaceGap, want, chord)
		}
		if d.Flipped != 0 || d.Tilted != 0 || d.FacesOver != 0 || d.EdgesOver != 0 || d.ModelOff > 1e-9 {
			t.Errorf("chord %g: %+v", chord, d)
		}
		if d.Triangles != len(r.Mesh.Triangles) || d.Samples < 10*d.Triangles || d.Thinned {
			t.Errorf("chord %g: %d samples of %d triangles, thinned %v", chord, d.Samples, d.Triangles, d.Thinned)
		}
	}
}

// TestMovedPointIsMeasured moves the middle of a triangulated plane out of it.
func TestMovedPointIsMeasured(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rapid.Float64Range(0.2, 1).Draw(t, "height")
		m := build.Sphere(5, build.Style{})
		r, err := tessellate.Mesh(context.Background(), m, tessellate.Options{ChordTolerance: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		// A point that belongs to the face alone is the last one of a single-faced part.
		v := len(r.Mesh.Points) - 1
		p := r.Mesh.Points[v]
		r.Mesh.Points[v] = p.AddScaled(h, p.Unit())
		d, err := Measure(context.Background(), m, r, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(d.FaceGap-h) > 1e-9 {
			t.Fatalf("gap %g, want %g", d.FaceGap, h)
		}
		// The distance of the corner counts as the file's error; its effect on the triangle does not grow.
		if d.FaceAdded > 0.1 {
			t.Fatalf("added %g for a corner that is off", d.FaceAdded)
		}
	})
}

// TestFlatTriangleDeviatesInItsMiddle measures a triangle whose corners are on the surface and whose middle is not.
func TestFlatTriangleDeviatesInItsMiddle(t *testing.T) {
	m := build.Sphere(5, build.Style{})
	r := meshed(t, m, 2)
	d := measured(t, m, r, Options{})
	r.ChordTolerance = d.FaceAdded / 2
	d = measured(t, m, r, Options{})
	if d.FacesOver != 1 || d.WorstFace != 0 || math.Abs(d.FaceAdded-d.FaceGap) > 1e-9 || d.FaceGap < 0.01 {
		t.Errorf("%+v", d)
	}
}

func TestFlippedAndTilted(t *testing.T) {
	m := build.Plate(geom.Vec3{X: 40, Y: 30, Z: 10}, build.Style{},
		build.Hole{Center: geom.Vec2{X: 10, Y: 10}, Profile: build.Through(6, 10)})
	for f := range m.Faces {
		r := meshed(t, m, 0.05)
		tri := &r.Mesh.Triangles[r.Mesh.Regions[f].Start]
		tri[0], tri[1] = tri[1], tri[0]
		d := measured(t, m, r, Options{})
		if d.Flipped != 1 || d.Faces[f].Flipped != 1 || d.Tilted != 1 || d.Tilt < math.Pi/2 {
			t.Errorf("face %d: %d flipped, %d tilted, tilt %g", f, d.Flipped, d.Tilted, d.Tilt)
		}
	}
}

func TestTiltAngle(t *testing.T) {
	m := build.Cylinder(5, 5, build.Style{})
	r := meshed(t, m, 1)
	d := measured(t, m, r, Options{})
	if d.Tilted != 0 || d.TiltAngle != r.AngleTolerance {
		t.Fatalf("%d tilted by more than %g", d.Tilted, d.TiltAngle)
	}
	if fine := measured(t, m, r, Options{TiltAngle: d.Tilt / 2}); fine.Tilted == 0 || fine.Tilt != d.Tilt {
		t.Errorf("none of the triangles is tilted by more than %g, the largest tilt is %g", d.Tilt/2, fine.Tilt)
	}
}

// TestInsideOutShellIsNotFlipped: the mesh of an inverted shell was turned round as a whole.
func TestInsideOutShellIsNotFlipped(t *testing.T) {
	m := build.Cylinder(5, 5, build.Style{})
	for i := range m.Faces {
		m.Faces[i].Reversed = !m.Faces[i].Reversed
	}
	for i := range m.Loops {
		c := m.Loops[i].Coedges
		for a, b := 0, len(c)-1; a < b; a, b = a+1, b-1 {
			c[a], c[b] = c[b], c[a]
		}
	}
	for i := range m.Coedges {
		m.Coedges[i].Reversed = !m.Coedges[i].Reversed
	}
	r := meshed(t, m, 0.1)
	if d := measured(t, m, r, Options{}); d.Flipped != 0 || d.Tilted != 0 {
		t.Errorf("%d flipped, %d tilted", d.Flipped, d.Tilted)
	}
}

// TestFileErrorIsReportedSeparately moves the surface of a wall away from its edges, an error that no mesh can avoid.
func TestFileErrorIsReportedSeparately(t *testing.T) {
	const off = 0.05
	m := build.Cylinder(5, 5, build.Style{})
	for i := range m.Faces {
		if c, ok := m.Faces[i].Surface.(surface.Cylinder); ok {
			c.Radius += off
			m.Faces[i].Surface = c
		}
	}
	r := meshed(t, m, 0.1)
	d := measured(t, m, r, Options{})
	if math.Abs(d.ModelOff-off) > 1e-9 {
		t.Errorf("the file is %g mm off, want %g", d.ModelOff, off)
	}
	if d.FaceGap < off || d.FaceAdded > 0.1 {
		t.Errorf("gap %g, added %g", d.FaceGap, d.FaceAdded)
	}
}

func TestAspectOfABox(t *testing.T) {
	d := measured(t, build.Box(geom.Vec3{X: 30, Y: 10, Z: 1}), meshed(t, build.Box(geom.Vec3{X: 30, Y: 10, Z: 1}), 0.1),
		Options{})
	const want = 30*30 + 1 // of half a rectangle of 30 by 1: diagonal² over area
	if math.Abs(d.PlaneAspect-want/30.0) > 1e-9 || d.CylinderAspect != 0 || d.WorstCylinderFace != brep.None {
		t.Errorf("aspect %g, want %g; on cylinders %g", d.PlaneAspect, want/30.0, d.CylinderAspect)
	}
	if d.FaceGap > 1e-12 || d.EdgeGap > 1e-12 {
		t.Errorf("a box is off by %g and %g", d.FaceGap, d.EdgeGap)
	}
}

func TestThinnedSamplesFindSameWorst(t *testing.T) {
	m := build.Torus(5, 2, 0)
	r := meshed(t, m, 0.02)
	all := measured(t, m, r, Options{})
	few := measured(t, m, r, Options{MaxSamples: all.Samples / 20})
	if !few.Thinned || few.Samples > all.Samples/3 {
		t.Fatalf("thinned %v, %d of %d samples", few.Thinned, few.Samples, all.Samples)
	}
	if few.FaceGap > all.FaceGap || few.FaceGap < 0.98*all.FaceGap {
		t.Errorf("gap %g with few samples, %g with all", few.FaceGap, all.FaceGap)
	}
	if few.Flipped != all.Flipped || few.Tilt != all.Tilt {
		t.Errorf("tilt %g with few samples, %g with all", few.Tilt, all.Tilt)
	}
}

func TestSameFiguresForAnyNumberOfThreads(t *testing.T) {
	m := build.Torus(5, 2, 1)
	r := meshed(t, m, 0.05)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := measured(t, m, r, Options{})
	for _, n := range []int{2, 5} {
		runtime.GOMAXPROCS(n)
		if got := measured(t, m, r, Options{}); !reflect.DeepEqual(got, want) {
			t.Errorf("%d threads: %+v, want %+v", n, got, want)
		}
	}
}

func TestSheetsAreNotMeasured(t *testing.T) {
	m := build.Box(geom.Vec3{X: 1, Y: 1, Z: 1})
	m.Shells[0].Solid, m.Solids = brep.None, nil
	d := measured(t, m, meshed(t, m, 0.1), Options{})
	if d.Triangles != 0 || d.Samples != 0 || d.WorstFace != brep.None {
		t.Errorf("%+v", d)
	}
}

func TestRefusals(t *testing.T) {
	m := build.Box(geom.Vec3{X: 1, Y: 1, Z: 1})
	r := meshed(t, m, 0.1)
	for _, o := range []Options{{TiltAngle: -1}, {TiltAngle: math.NaN()}, {MaxSamples: -1}} {
		if _, err := Measure(context.Background(), m, r, o); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
	if _, err := Measure(context.Background(), build.Cylinder(1, 1, build.Style{}), r, Options{}); err == nil {
		t.Error("the mesh of another model was accepted")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Measure(ctx, m, r, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}
