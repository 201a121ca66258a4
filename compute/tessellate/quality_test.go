package tessellate_test

import (
	"context"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/compute/tessellate/deviation"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// maxAspect is the bound on planar and cylindrical faces.
const maxAspect = 150

// anyPart draws a part: a plate with rounded corners and holes, a turned part, a slotted block, or one of
// those as free-form surfaces.
func anyPart(t *rapid.T) *brep.Model {
	size := func(name string, lo, hi float64) float64 {
		return math.Exp(rapid.Float64Range(math.Log(lo), math.Log(hi)).Draw(t, name))
	}
	style := rapid.SampledFrom(build.Styles()).Draw(t, "style")
	var m *brep.Model
	switch rapid.IntRange(0, 3).Draw(t, "part") {
	case 0:
		x, y, z := size("x", 8, 400), size("y", 8, 100), size("z", 0.5, 300)
		r := 0.45 * size("share", 0.01, 1) * min(x, y)
		d := 0.4 * (min(x, y) - 2*r/math.Sqrt2)
		m = build.Prism("plate", build.Rounded(x, y, r), z, style,
			build.Hole{Center: geom.Vec2{X: x / 2, Y: y / 2}, Profile: build.Through(max(0.5, d), z)})
	case 1:
		r, h, f := size("radius", 1, 50), size("height", 0.5, 500), size("fillet", 0.05, 1)
		f = min(f*r, 0.9*h, 0.9*r)
		m = build.Revolve("knob", geom.World, []build.Corner{{P: geom.Vec2{}}, {P: geom.Vec2{X: r}},
			{P: geom.Vec2{X: r, Y: h - f}, Bulge: build.Bulge(math.Pi / 2)}, {P: geom.Vec2{X: r - f, Y: h}},
			{P: geom.Vec2{Y: h}}}, style)
	case 2:
		m = build.Tube(size("inner", 0.5, 20), size("outer", 21, 60), size("length", 0.5, 500), style)
	default:
		minor := size("minor", 1, 5)
		m = build.Torus(minor+size("inside", 2, 50), minor, build.TorusForm(
			rapid.IntRange(0, int(build.TorusForms)-1).Draw(t, "form")))
	}
	return m
}

func turned(t *rapid.T, m *brep.Model) *brep.Model {
	number := rapid.Float64Range(-1, 1)
	axis := geom.Vec3{X: number.Draw(t, "x"), Y: number.Draw(t, "y"), Z: 1.1}
	move := geom.Translation(geom.Vec3{X: 300 * number.Draw(t, "dx"), Y: 7, Z: 300 * number.Draw(t, "dz")})
	out := &brep.Model{Tolerance: m.Tolerance}
	out.Append(m, move.Mul(geom.Rotation(axis, 3*number.Draw(t, "angle"))))
	return out
}

// TestAnyPartKeepsItsTolerances: closed, near its surfaces and curves, nothing flipped or tilted, no needle,
// at any place and tolerance.
func TestAnyPartKeepsItsTolerances(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes under the race detector; other tests mesh on many threads")
	}
	rapid.Check(t, func(t *rapid.T) {
		m := turned(t, anyPart(t))
		o := tessellate.Options{ChordTolerance: rapid.SampledFrom([]float64{0, 0.02, 0.05}).Draw(t, "chord")}
		r, err := tessellate.Mesh(context.Background(), m, o)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Report.Watertight {
			t.Fatalf("%+v %v", r.Report, r.Warnings)
		}
		for _, w := range r.Warnings { // keeping the volume may require more triangles than its limit permits
			if w.Code != tessellate.WarnCoarse || !strings.Contains(w.Message, "more than the") {
				t.Fatalf("%v", w)
			}
		}
		const tilted = 1.5 * tessellate.DefaultAngle // a few triangles between rows that do not match
		d, err := deviation.Measure(context.Background(), m, r, deviation.Options{TiltAngle: tilted})
		if err != nil {
			t.Fatal(err)
		}
		if (d.FacesOver > 0 || d.EdgesOver > 0) && len(r.Warnings) == 0 {
			t.Errorf("face %d is %g mm off, edge %d %g mm, want at most %g", d.WorstFace, d.FaceAdded, d.WorstEdge,
				d.EdgeAdded, d.ChordTolerance)
		}
		if d.Flipped > 0 || d.Tilted > 0 {
			t.Errorf("%d triangles are flipped, %d tilted by up to %g rad", d.Flipped, d.Tilted, d.Tilt)
		}
		if d.PlaneAspect > maxAspect || d.CylinderAspect > maxAspect {
			t.Errorf("aspects of %g on planes and %g on cylinders, want at most %d", d.PlaneAspect,
				d.CylinderAspect, maxAspect)
		}
	})
}

// TestAnyPartIsTheSameForAnyNumberOfThreads compares all bytes.
func TestAnyPartIsTheSameForAnyNumberOfThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	rapid.Check(t, func(t *rapid.T) {
		m := turned(t, anyPart(t))
		runtime.GOMAXPROCS(1)
		want, err := tessellate.Mesh(context.Background(), m, tessellate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		threads := rapid.IntRange(2, 6).Draw(t, "threads")
		runtime.GOMAXPROCS(threads)
		got, err := tessellate.Mesh(context.Background(), m, tessellate.Options{})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d threads give another mesh than one: %v", threads, err)
		}
	})
}

// TestNumberOfTrianglesOfAMovedPart checks that a moved part keeps its number of triangles at the same tolerances,
// except for ties that rounding decides. The angle is so small that no volume loss requires more triangles.
func TestNumberOfTrianglesOfAMovedPart(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes under the race detector; other tests mesh on many threads")
	}
	const share, few = 0.15, 16
	rapid.Check(t, func(t *rapid.T) {
		m := anyPart(t)
		o := tessellate.Options{ChordTolerance: 0.05, AngleTolerance: 0.1}
		a, err := tessellate.Mesh(context.Background(), m, o)
		if err != nil {
			t.Fatal(err)
		}
		b, err := tessellate.Mesh(context.Background(), turned(t, m), o)
		if err != nil {
			t.Fatal(err)
		}
		n, k := len(a.Mesh.Triangles), len(b.Mesh.Triangles)
		if math.Abs(float64(n-k)) > share*float64(n)+few {
			t.Errorf("%d triangles, %d after the move", n, k)
		}
	})
}

// TestStripsAndFilletsAreNoNeedles: the bound costs few triangles.
func TestStripsAndFilletsAreNoNeedles(t *testing.T) {
	cases := []struct {
		name  string
		model *brep.Model
		most  int
	}{
		{"strip of 1 by 600", build.Box(geom.Vec3{X: 600, Y: 20, Z: 1}), 200},
		{"strip of 0.4 by 100", build.Box(geom.Vec3{X: 100, Y: 100, Z: 0.4}), 200},
		{"bar with small fillets", build.Prism("bar", build.Rounded(10, 10, 0.5), 500, build.Style{}), 3500},
		{"needle shaft", build.Cylinder(1, 800, build.Style{}), 14000},
		{"small hole in a large plate", build.Plate(geom.Vec3{X: 500, Y: 500, Z: 5}, build.Style{},
			build.Hole{Center: geom.Vec2{X: 20, Y: 480}, Profile: build.Through(1, 5)}), 900},
	}
	for _, c := range cases {
		r, err := tessellate.Mesh(context.Background(), c.model, tessellate.Options{ChordTolerance: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		d, err := deviation.Measure(context.Background(), c.model, r, deviation.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Report.Watertight || d.FacesOver > 0 || d.Flipped > 0 {
			t.Errorf("%s: %+v, %d faces over", c.name, r.Report, d.FacesOver)
		}
		if d.PlaneAspect > maxAspect || d.CylinderAspect > maxAspect || d.Triangles > c.most {
			t.Errorf("%s: aspects %.0f and %.0f with %d triangles, want at most %d", c.name, d.PlaneAspect,
				d.CylinderAspect, d.Triangles, c.most)
		}
	}
}
