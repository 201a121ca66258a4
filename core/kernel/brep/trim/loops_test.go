package trim

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// drawn is a face whose loops are drawn in the parameter plane of its surface: each becomes one closed
// edge, a polyline through the points of the surface.
type drawn struct {
	m       *brep.Model
	samples [][]Sample
}

func (d *drawn) EdgeSamples(e brep.EdgeID) []Sample { return d.samples[e] }

func (d *drawn) VertexSample(v brep.VertexID) Sample {
	return Sample{P: d.m.Vertices[v].Point, Index: int32(v)}
}

// draw makes a face from loops; a loop whose last point repeats the first some periods further on is a
// ring.
func draw(t failer, s surface.Surface, reversed bool, loops ...[]geom.Vec2) *drawn {
	t.Helper()
	b := build.New("drawn")
	d := &drawn{}
	var all []build.Loop
	index := int32(1000)
	for _, uvs := range loops {
		var points []geom.Vec3
		for _, uv := range uvs {
			points = append(points, s.At(uv.X, uv.Y))
		}
		points[len(points)-1] = points[0]
		line, err := curve.NewPolyline(points)
		if err != nil {
			t.Fatalf("%v", err)
		}
		iv := line.Domain()
		v := b.Vertex(points[0])
		e := b.Edge(line, iv.Lo, iv.Hi, v, v)
		var list []Sample
		for k, p := range points {
			i := int32(v)
			if k > 0 && k < len(points)-1 {
				index++
				i = index
			}
			list = append(list, Sample{T: iv.At(float64(k) / float64(len(points)-1)), P: p, Index: i})
		}
		d.samples = append(d.samples, list)
		all = append(all, build.Chain(build.EdgeUse{Edge: e, Reversed: reversed}))
	}
	b.Face(s, reversed, all...)
	b.Sheet()
	d.m = b.Model()
	return d
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// round draws a circle of n points in the parameter plane, clockwise when r is negative.
func round(u, v, r float64, n int) []geom.Vec2 {
	var uvs []geom.Vec2
	for k := range n + 1 {
		s, c := math.Sincos(2 * math.Pi * float64(k%n) / float64(n))
		uvs = append(uvs, geom.Vec2{X: u + math.Abs(r)*c, Y: v + r*s})
	}
	return uvs
}

// wave draws a ring along u at height v with the given amplitude, n points, direction ±1.
func wave(u0, v, amplitude float64, n int, direction float64) []geom.Vec2 {
	var uvs []geom.Vec2
	for k := range n + 1 {
		u := u0 + direction*2*math.Pi*float64(k)/float64(n)
		uvs = append(uvs, geom.Vec2{X: u, Y: v + amplitude*math.Sin(3*u)})
	}
	return uvs
}

// line draws a straight line of n pieces from a to b.
func line(a, b geom.Vec2, n int) []geom.Vec2 {
	var uvs []geom.Vec2
	for k := range n + 1 {
		uvs = append(uvs, a.Lerp(b, float64(k)/float64(n)))
	}
	return uvs
}

// staggered draws holes over a cylinder so that every meridian between v = 0 and 10 crosses some.
func staggered() [][]geom.Vec2 {
	var all [][]geom.Vec2
	for row := range 4 {
		for k := range 8 {
			u := (float64(k) + 0.5*float64(row%2)) * math.Pi / 4
			all = append(all, round(u, 2+2*float64(row), -0.3, 12))
		}
	}
	return all
}

// polygonArea is the share of a circle's area that its n-gon covers.
func polygonArea(r float64, n int) float64 {
	return 0.5 * float64(n) * r * r * math.Sin(2*math.Pi/float64(n))
}

var (
	unitCylinder = surface.Cylinder{Frame: geom.World, Radius: 3}
	unitSphere   = surface.Sphere{Frame: geom.World, Radius: 3}
	unitTorus    = surface.Torus{Frame: geom.World, Major: 5, Minor: 2}
	unitCone     = surface.Cone{Frame: geom.World, Radius: 3, HalfAngle: 0.5}
)

// revolvedEllipse revolves a whole ellipse about its major axis, so that it covers the ellipsoid twice.
func revolvedEllipse() surface.Surface {
	frame := geom.Frame{X: geom.Vec3{Z: 1}, Y: geom.Vec3{X: 1}, Z: geom.Vec3{Y: 1}}
	s, err := surface.NewRevolution(curve.Ellipse{Frame: frame, Major: 5, Minor: 3}, geom.Vec3{}, geom.Vec3{Z: 1})
	if err != nil {
		panic(err)
	}
	return s
}

func TestDrawnFaces(t *testing.T) {
	const turn, pi = 2 * math.Pi, math.Pi
	up := func(u, v float64) geom.Vec2 { return geom.Vec2{X: u, Y: v} }
	apex := -3 / math.Tan(0.5)
	for _, row := range []struct {
		name     string
		s        surface.Surface
		loops    [][]geom.Vec2
		area     float64 // in the parameter plane
		polygons int
	}{
		{"disc across the seam", unitCylinder, [][]geom.Vec2{round(0, 1, 0.5, 40)}, polygonArea(0.5, 40), 1},
		{"disc with a hole across the seam", unitCylinder,
			[][]geom.Vec2{round(0, 1, 0.8, 40), round(turn, 1, -0.3, 20)},
			polygonArea(0.8, 40) - polygonArea(0.3, 20), 2},
		{"band between waves", unitCylinder,
			[][]geom.Vec2{wave(1, 0, 0.4, 50, 1), wave(2, 3, 0.2, 31, -1)}, 3 * turn, 1},
		{"band between coarse waves", unitCylinder,
			[][]geom.Vec2{wave(1, 0, 0.4, 7, 1), wave(2, 3, 0.2, 5, -1)}, math.NaN(), 1},
		{"band with holes", unitCylinder, [][]geom.Vec2{wave(1, 0, 0.4, 50, 1), wave(2, 3, 0.2, 31, -1),
			round(1, 1.5, -0.3, 20), round(0, 1.5, -0.3, 20)}, 3*turn - 2*polygonArea(0.3, 20), 3},
		{"band that no straight cut crosses", unitCylinder,
			append(staggered(), wave(0, 0, 0, 40, 1), wave(0, 10, 0, 40, -1)), 10*turn - 32*polygonArea(0.3, 12), -1},
		{"cap over a pole", unitSphere, [][]geom.Vec2{wave(0, 0.5, 0.2, 40, 1)}, turn * (pi/2 - 0.5), 1},
		{"cap under a pole", unitSphere, [][]geom.Vec2{wave(0, 0.5, 0.2, 40, -1)}, turn * (pi/2 + 0.5), 1},
		{"sphere with two holes", unitSphere, [][]geom.Vec2{round(0, 0, -0.3, 20), round(2, 1, -0.3, 20)},
			turn*pi - 2*polygonArea(0.3, 20), 3},
		{"sphere full of holes", unitSphere, func() (all [][]geom.Vec2) {
			for k := range 12 {
				all = append(all, round(float64(k)*turn/12, 0.45*float64(k%3-1), -0.3, 16))
			}
			return all
		}(), turn*pi - 12*polygonArea(0.3, 16), -1},
		{"tip of a cone", unitCone, [][]geom.Vec2{wave(0, 1, 0.2, 40, -1)}, turn * (1 - apex), 1},
		{"tip of a cone with a hole", unitCone, [][]geom.Vec2{wave(0, 1, 0.2, 40, -1), round(0, -2, -0.3, 20)},
			turn*(1-apex) - polygonArea(0.3, 20), 2},
		{"torus with holes", unitTorus, [][]geom.Vec2{round(0, 0, -0.3, 20), round(2, 1, -0.3, 20)},
			turn*turn - 2*polygonArea(0.3, 20), 3},
		{"whole revolved ellipse", revolvedEllipse(), nil, turn * pi, 1},
		{"revolved ellipse with holes", revolvedEllipse(), [][]geom.Vec2{round(0, 1, -0.3, 20), round(2, 2, -0.3, 20)},
			turn*pi - 2*polygonArea(0.3, 20), 3},
		{"torus that no straight line goes around", unitTorus, func() (all [][]geom.Vec2) {
			for k := range 12 { // every u and every v meets a hole
				all = append(all, round(float64(k)*turn/12, float64(5*k%12)*turn/12, -0.3, 16))
			}
			return all
		}(), turn*turn - 12*polygonArea(0.3, 16), -1},
		{"torus band around", unitTorus, [][]geom.Vec2{wave(0, 6, 0.2, 40, 1), wave(1, 1, 0.2, 40, -1)},
			turn * (1 + turn - 6), 1},
		{"torus half", unitTorus, [][]geom.Vec2{line(up(2, 0), up(2, turn), 30), line(up(1, turn), up(1, 0), 30)},
			turn, 1},
		{"torus but a wedge", unitTorus,
			[][]geom.Vec2{line(up(1, 0), up(1, turn), 30), line(up(2, turn), up(2, 0), 30)},
			turn * (turn - 1), 1},
		{"torus band in a spiral", unitTorus,
			[][]geom.Vec2{line(up(0, 0), up(turn, turn), 60), line(up(turn, turn+2), up(0, 2), 60)}, turn * 2, 1},
		{"torus band in a double spiral", unitTorus,
			[][]geom.Vec2{line(up(0, 0), up(turn, 2*turn), 60), line(up(turn, 2*turn+2), up(0, 2), 60)}, turn * 2, 1},
		{"torus ring used twice", unitTorus,
			[][]geom.Vec2{wave(1, 1, 0, 40, 1), wave(0, 1, 0, 40, -1)}, turn * turn, 1},
		{"helical strip", unitCylinder, [][]geom.Vec2{append(append(line(up(0, 0), up(3*turn, 9), 120),
			line(up(3*turn, 10), up(0, 1), 120)...), up(0, 0))}, 3 * turn, 1},
	} {
		for _, reversed := range []bool{false, true} {
			d := draw(t, row.s, reversed, row.loops...)
			var b Builder
			got, err := b.Build(d.m, 0, d, Options{ChordTolerance: 0.01})
			if err != nil {
				t.Errorf("%s, reversed %v: %v", row.name, reversed, err)
				continue
			}
			checkDomain(t, row.name, 0, &d.m.Faces[0], got)
			area := 0.0
			for _, p := range got.Polygons {
				area += Area(p)
			}
			if math.Abs(area-row.area) > 1e-6*row.area {
				t.Errorf("%s, reversed %v: parameter area %.9g, want %.9g", row.name, reversed, area, row.area)
			}
			if row.polygons > 0 && len(got.Polygons) != row.polygons {
				t.Errorf("%s, reversed %v: %d polygons, want %d", row.name, reversed, len(got.Polygons), row.polygons)
			}
			if got.Turned != 0 {
				t.Errorf("%s, reversed %v: turned %d loops", row.name, reversed, got.Turned)
			}
			checkSamples(t, row.name, d, got)
		}
	}
}

// checkSamples asserts that every sample of an edge is in the polygons once per use of the edge, in the order of the
// edge.
func checkSamples(t *testing.T, name string, d *drawn, got *Domain) {
	t.Helper()
	pieces := map[[2]int32]int{}
	for _, p := range got.Polygons {
		for i, v := range p {
			if v.Coedge != brep.None {
				pieces[[2]int32{v.Index, p[(i+1)%len(p)].Index}]++
			}
		}
	}
	want := 0
	for e, list := range d.samples {
		for k := 1; k < len(list); k++ {
			a, b := list[k-1].Index, list[k].Index
			if n := pieces[[2]int32{a, b}] + pieces[[2]int32{b, a}]; n != 1 {
				t.Errorf("%s: piece %d of edge %d is in the polygons %d times", name, k, e, n)
			}
			want++
		}
	}
	if len(pieces) != want {
		t.Errorf("%s: %d pieces of edges in the polygons, want %d", name, len(pieces), want)
	}
}

func TestReversedLoops(t *testing.T) {
	const turn = 2 * math.Pi
	plane := surface.Plane{Frame: geom.World}
	for _, row := range []struct {
		name   string
		s      surface.Surface
		loops  [][]geom.Vec2
		area   float64
		turned int
	}{
		{"plane turned", plane, [][]geom.Vec2{round(0, 0, -5, 40)}, polygonArea(5, 40), 1},
		{"plane with its hole turned", plane, [][]geom.Vec2{round(0, 0, 5, 40), round(1, 0, 2, 40)},
			polygonArea(5, 40) - polygonArea(2, 40), 1},
		{"plane with all loops turned", plane,
			[][]geom.Vec2{round(1, 0, 1, 40), round(0, 0, -5, 40), round(-2, 0, 1, 40)},
			polygonArea(5, 40) - 2*polygonArea(1, 40), 3},
		{"band turned", unitCylinder, [][]geom.Vec2{wave(0, 0, 0, 40, -1), wave(0, 3, 0, 40, 1)}, 3 * turn, 2},
		{"upper ring turned", unitCylinder, [][]geom.Vec2{wave(0, 0, 0, 40, 1), wave(0, 3, 0, 40, 1)}, 3 * turn, 1},
		{"lower ring turned", unitCylinder,
			[][]geom.Vec2{wave(0, 3, 0, 40, -1), wave(0, 0, 0, 40, -1)}, 3 * turn, 1},
		{"tip of a cone turned", unitCone, [][]geom.Vec2{wave(0, 1, 0.2, 40, 1)},
			turn * (1 + 3/math.Tan(0.5)), 1},
		{"hole in a band turned", unitCylinder, [][]geom.Vec2{wave(0, 0, 0, 40, 1), wave(0, 3, 0, 40, -1),
			round(0, 1, 0.5, 40)}, 3*turn - polygonArea(0.5, 40), 1},
	} {
		d := draw(t, row.s, false, row.loops...)
		var b Builder
		got, err := b.Build(d.m, 0, d, Options{ChordTolerance: 0.01})
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		checkDomain(t, row.name, 0, &d.m.Faces[0], got)
		checkSamples(t, row.name, d, got)
		area := 0.0
		for _, p := range got.Polygons {
			area += Area(p)
		}
		if math.Abs(area-row.area) > 1e-6*row.area || got.Turned != row.turned {
			t.Errorf("%s: area %.9g turned %d, want %.9g and %d", row.name, area, got.Turned, row.area, row.turned)
		}
	}
}

// TestFlatFace has a face between an arc and its chord sampled at their ends only.
func TestFlatFace(t *testing.T) {
	corners := []build.Corner{{P: geom.Vec2{}}, {P: geom.Vec2{X: 10}, Bulge: 0.1}}
	m := build.Prism("segment", corners, 2, build.Style{})
	s := sampleEvenly(m, 1)
	var b Builder
	for f, want := range []int{1, 1, 0, 0} { // two sides, bottom, top
		d, err := b.Build(m, brep.FaceID(f), s, Options{})
		if err != nil || len(d.Polygons) != want {
			t.Errorf("face %d: %d polygons, error %v; want %d", f, len(d.Polygons), err, want)
		}
	}
}

func TestUnboundedFaces(t *testing.T) {
	for _, row := range []struct {
		name  string
		s     surface.Surface
		loops [][]geom.Vec2
		says  string
	}{
		{"plane without loops", surface.Plane{Frame: geom.World}, nil, "no boundary"},
		{"cylinder without loops", unitCylinder, nil, "no boundary"},
		{"cylinder with one ring", unitCylinder, [][]geom.Vec2{wave(0, 0, 0, 40, 1)}, "nothing bounds it"},
		{"cylinder with three rings", unitCylinder,
			[][]geom.Vec2{wave(0, 0, 0, 40, 1), wave(0, 1, 0, 40, 1), wave(0, 2, 0, 40, -1)}, "same direction"},
		{"torus with one ring", unitTorus, [][]geom.Vec2{wave(0, 0, 0, 40, 1)}, "no counterpart"},
		{"torus with crossing rings", unitTorus, [][]geom.Vec2{wave(0, 0, 0, 40, 1),
			line(geom.Vec2{}, geom.Vec2{Y: 2 * math.Pi}, 40)}, "must cross"},
		{"ring twice around", unitCylinder,
			[][]geom.Vec2{line(geom.Vec2{}, geom.Vec2{X: 4 * math.Pi}, 40)}, "more than once"},
	} {
		d := draw(t, row.s, false, row.loops...)
		d.m.Faces[0].Source = 1234
		var b Builder
		_, err := b.Build(d.m, 0, d, Options{ChordTolerance: 0.01})
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), "face #1234: ") ||
			!strings.Contains(e.Reason, row.says) {
			t.Errorf("%s: error %v, want one of face #1234 saying %q", row.name, err, row.says)
		}
	}
}

// TestAnyBand draws random waves and holes on random surfaces: the area in the parameter plane is the area between the
// waves less the holes, for any start of the loops.
func TestAnyBand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		float := func(name string, lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		all := []surface.Surface{unitCylinder, unitSphere, unitTorus, unitCone}
		s := all[rapid.IntRange(0, 3).Draw(t, "surface")]
		n := rapid.IntRange(24, 60).Draw(t, "points")
		amplitude := float("amplitude", 0, 0.15)
		loops := [][]geom.Vec2{
			wave(float("start", -9, 9), -0.9, amplitude, n, 1),
			wave(float("start", -9, 9), 0.9, amplitude, n, -1),
		}
		want := 2 * math.Pi * 1.8
		for k := range rapid.IntRange(0, 6).Draw(t, "holes") {
			loops = append(loops, round(float64(k)+float("u", 0, 0.2), float("v", -0.2, 0.2), -0.35, 12))
			want -= polygonArea(0.35, 12)
		}
		d := draw(t, s, rapid.Bool().Draw(t, "reversed"), loops...)
		var b Builder
		got, err := b.Build(d.m, 0, d, Options{ChordTolerance: 0.01})
		if err != nil {
			t.Fatalf("%v", err)
		}
		area := 0.0
		for _, p := range got.Polygons {
			area += Area(p)
		}
		if p, q, found := crossing(got); found {
			t.Fatalf("pieces at %v and %v cross", p, q)
		}
		if math.Abs(area-want) > 2e-2 || got.Turned != 0 { // a sampled sine encloses a little less
			t.Fatalf("area %.9g turned %d, want %.9g", area, got.Turned, want)
		}
	})
}
