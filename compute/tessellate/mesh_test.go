package tessellate

import (
	"context"
	"errors"
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// plate is a part with planes, cylinders, cones, seams, holes and a drill tip.
func plate() *brep.Model {
	return build.Plate(geom.Vec3{X: 40, Y: 30, Z: 10}, build.Style{},
		build.Hole{Center: geom.Vec2{X: 10, Y: 10}, Profile: build.Through(6, 10)},
		build.Hole{Center: geom.Vec2{X: 25, Y: 10}, Profile: build.Blind(6, 5, pi/2)})
}

func TestVolumeAndAreaConverge(t *testing.T) {
	for _, s := range someSolids() {
		for _, chord := range []float64{0.1, 0.01, 0.001} {
			res := mustMesh(t, s.model, Options{ChordTolerance: chord, AngleTolerance: 1})
			if err := math.Abs(res.Mesh.Volume() - s.volume); err > chord*s.area {
				t.Errorf("%s: volume is off by %g mm³ at a chord of %g mm", s.name, err, chord)
			}
			// The area of a chord falls short by a share of about the chord over the radius.
			const smallestRadius = 1
			if err := math.Abs(res.Mesh.Area()-s.area) / s.area; err > chord/smallestRadius {
				t.Errorf("%s: area is off by %g of it at a chord of %g mm", s.name, err, chord)
			}
		}
	}
}

// TestAngleTolerance makes the angle the only tolerance that matters.
func TestAngleTolerance(t *testing.T) {
	angles := []float64{0.35, 0.2, 0.1}
	if testing.Short() {
		angles = angles[:1]
	}
	for _, angle := range angles {
		for _, s := range someSolids() {
			res := mustMesh(t, s.model, Options{ChordTolerance: 10, AngleTolerance: angle})
			if !res.Report.Watertight {
				t.Fatalf("%s at %g rad: %+v %v", s.name, angle, res.Report, res.Warnings)
			}
			if _, got := deviation(s.model, res); got > angle {
				t.Errorf("%s: a triangle is %g rad off its surface, want at most %g", s.name, got, angle)
			}
		}
	}
}

func TestNormalsPointOutOfTheMaterial(t *testing.T) {
	for _, s := range someSolids() {
		res := mustMesh(t, s.model, Options{ChordTolerance: 0.02})
		for f, r := range res.Mesh.Regions {
			if len(r.Vertices) != len(r.Normals) {
				t.Fatalf("%s face %d: %d vertices, %d normals", s.name, f, len(r.Vertices), len(r.Normals))
			}
			at := map[int32]geom.Vec3{}
			for i, v := range r.Vertices {
				if i > 0 && v <= r.Vertices[i-1] {
					t.Fatalf("%s face %d: vertices do not ascend", s.name, f)
				}
				if n := r.Normals[i]; math.Abs(n.Norm()-1) > 1e-9 {
					t.Fatalf("%s face %d: normal %v", s.name, f, n)
				}
				at[v] = r.Normals[i]
			}
			for i := r.Start; i < r.End; i++ {
				var sum geom.Vec3
				for _, v := range res.Mesh.Triangles[i] {
					n, ok := at[v]
					if !ok {
						t.Fatalf("%s face %d: corner %d is not listed", s.name, f, v)
					}
					sum = sum.Add(n)
				}
				if sum.Dot(res.Mesh.Normal(int(i))) <= 0 {
					t.Fatalf("%s face %d: triangle %d faces inwards", s.name, f, i)
				}
			}
		}
	}
}

func TestSameBytesForAnyNumberOfThreads(t *testing.T) {
	m := plate()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := mustMesh(t, m, Options{})
	for _, n := range []int{2, 3, 8} {
		runtime.GOMAXPROCS(n)
		if got := mustMesh(t, m, Options{}); !reflect.DeepEqual(got, want) {
			t.Errorf("%d threads give another result than one", n)
		}
	}
}

func TestTriangleCountIsInvariant(t *testing.T) {
	base := plate()
	o := Options{ChordTolerance: 0.01}
	want := mustMesh(t, base, o)
	volume := want.Mesh.Volume()
	rapid.Check(t, func(t *rapid.T) {
		d := func(name string) float64 { return rapid.Float64Range(-50, 50).Draw(t, name) }
		move := geom.Translation(geom.Vec3{X: d("x"), Y: d("y"), Z: d("z")}).
			Mul(geom.Rotation(geom.Vec3{X: d("ax"), Y: d("ay"), Z: 60}, d("angle")))
		m := &brep.Model{}
		m.Append(base, move)
		got, err := Mesh(context.Background(), m, o)
		if err != nil || !got.Report.Watertight {
			t.Fatalf("%v %+v", err, got.Report)
		}
		n, k := len(got.Mesh.Triangles), len(want.Mesh.Triangles)
		if math.Abs(float64(n-k)) > 0.05*float64(k) {
			t.Fatalf("%d triangles, %d before the move", n, k)
		}
		if v := got.Mesh.Volume(); math.Abs(v-volume) > 1e-3*volume {
			t.Fatalf("volume %g, %g before the move", v, volume)
		}
	})
}

func TestSheetsAreLeftOut(t *testing.T) {
	b := build.New("sheet")
	m := plate()
	faces := len(m.Faces)
	sheet := build.Box(geom.Vec3{X: 1, Y: 1, Z: 1})
	sheet.Shells[0].Solid = brep.None
	sheet.Solids = nil
	all := b.Model()
	all.Append(m, geom.Identity)
	all.Append(sheet, geom.Translation(geom.Vec3{X: 100}))
	res := mustMesh(t, all, Options{})
	if !res.Report.Watertight || len(res.Mesh.Regions) != faces+6 {
		t.Fatalf("%+v, %d regions", res.Report, len(res.Mesh.Regions))
	}
	for f, r := range res.Mesh.Regions {
		if isSheet := f >= faces; (r.Start == r.End) != isSheet {
			t.Errorf("face %d has triangles %d to %d", f, r.Start, r.End)
		}
	}
	if x := res.Mesh.Bounds().Max.X; x > 50 {
		t.Errorf("the mesh has points of the sheet: it reaches to x = %g", x)
	}
}

func TestEdgeLines(t *testing.T) {
	m := plate()
	res := mustMesh(t, m, Options{ChordTolerance: 0.01})
	for e, line := range res.EdgeLines {
		c := m.Edges[e].Curve
		if len(line) < 2 {
			t.Fatalf("edge %d has %d points", e, len(line))
		}
		if line[0] != m.Vertices[m.Edges[e].Start].Point || line[len(line)-1] != m.Vertices[m.Edges[e].End].Point {
			t.Errorf("edge %d does not run from start to end", e)
		}
		for i := 1; i < len(line); i++ {
			if _, d := c.Invert(line[i].Lerp(line[i-1], 0.5)); d > 0.01*(1+1e-9) {
				t.Errorf("edge %d is %g off its curve", e, d)
			}
		}
	}
}

func TestModelsWithoutSolids(t *testing.T) {
	res := mustMesh(t, &brep.Model{}, Options{})
	if res.Report.Watertight || len(res.Mesh.Triangles) != 0 {
		t.Errorf("%+v for an empty model", res.Report)
	}
}

func TestOptionsAreValidated(t *testing.T) {
	for _, o := range []Options{
		{ChordTolerance: -1}, {ChordTolerance: math.NaN()}, {AngleTolerance: math.Inf(1)},
		{ChordTolerance: -1, AngleTolerance: -1},
	} {
		if _, err := Mesh(context.Background(), &brep.Model{}, o); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}

func TestDefaultsFollowTheSizeOfThePart(t *testing.T) {
	for _, c := range []struct{ radius, want float64 }{{300, DefaultChord}, {1, 2.0 / SizeShare}} {
		for _, s := range []build.Style{{Seams: build.SeamEdge}, {Seams: build.HalfFaces}, {Seams: build.Rings}} {
			res := mustMesh(t, build.Sphere(c.radius, s), Options{})
			if math.Abs(res.ChordTolerance-c.want) > 1e-9 || res.AngleTolerance != DefaultAngle {
				t.Errorf("radius %g: chord %g, angle %g, want %g and %g", c.radius, res.ChordTolerance,
					res.AngleTolerance, c.want, DefaultAngle)
			}
		}
	}
}

func TestCancellation(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	_, err := Mesh(ctx, plate(), Options{Progress: func(done, total int) {
		calls++
		cancel()
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if calls != 1 {
		t.Errorf("%d faces after the cancellation", calls-1)
	}
}

func TestProgressReachesTheEnd(t *testing.T) {
	m := plate()
	last := 0
	mustMesh(t, m, Options{Progress: func(done, total int) {
		if done <= last || total != len(m.Faces) {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
	}})
	if last != len(m.Faces) {
		t.Errorf("progress ends at %d of %d", last, len(m.Faces))
	}
}

func TestMirroredSolidsAreOutward(t *testing.T) {
	mirror := geom.Transform{X: geom.Vec3{X: -1}, Y: geom.Vec3{Y: 1}, Z: geom.Vec3{Z: 1}}
	for _, s := range someSolids() {
		m := &brep.Model{}
		m.Append(s.model, mirror)
		res := mustMesh(t, m, Options{ChordTolerance: 0.02})
		if !res.Report.Watertight || len(res.Warnings) > 0 {
			t.Fatalf("%s: %+v %v", s.name, res.Report, res.Warnings)
		}
		if v := res.Mesh.Volume(); math.Abs(v-s.volume) > 0.02*s.area {
			t.Errorf("%s: volume %g, want %g", s.name, v, s.volume)
		}
	}
}

func TestInsideOutShellIsTurnedAndReported(t *testing.T) {
	for _, s := range someSolids() {
		m := &brep.Model{}
		m.Append(s.model, geom.Identity)
		for f := range m.Faces {
			m.Faces[f].Reversed = !m.Faces[f].Reversed
		}
		for l := range m.Loops {
			slices.Reverse(m.Loops[l].Coedges)
		}
		for c := range m.Coedges {
			m.Coedges[c].Reversed = !m.Coedges[c].Reversed
		}
		res := mustMesh(t, m, Options{ChordTolerance: 0.02})
		if !res.Report.Watertight || len(res.Warnings) != 1 || res.Warnings[0].Code != WarnInverted {
			t.Fatalf("%s: %+v, warnings %v, want %s", s.name, res.Report, res.Warnings, WarnInverted)
		}
		if v := res.Mesh.Volume(); math.Abs(v-s.volume) > 0.02*s.area {
			t.Errorf("%s: volume %g, want %g", s.name, v, s.volume)
		}
		r := res.Mesh.Regions[0]
		if t0 := int(r.Start); res.Mesh.Normal(t0).Dot(r.Normals[0]) <= 0 &&
			s.model.Faces[0].Surface.Kind() == surface.KindPlane {
			t.Errorf("%s: normals were not turned", s.name)
		}
	}
}
