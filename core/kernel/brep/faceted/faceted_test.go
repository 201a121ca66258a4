package faceted

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const tolerance = 1e-4 // mm

// boxFaces returns the six faces of a box. Each has two triangles and its own points.
func boxFaces(min, size geom.Vec3) []Face {
	at := func(i int) geom.Vec3 {
		return min.Add(geom.Vec3{X: float64(i&1) * size.X, Y: float64(i>>1&1) * size.Y, Z: float64(i>>2) * size.Z})
	}
	var faces []Face
	for i, c := range [][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2},
		{1, 3, 7, 5}} {
		faces = append(faces, Face{Points: []geom.Vec3{at(c[0]), at(c[1]), at(c[2]), at(c[3])},
			Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}}, Source: int64(i + 1)})
	}
	return faces
}

// drum are the faces of a prism over a regular polygon: bottom, top, and one face around.
func drum(n int, radius, height float64) []Face {
	ring := func(z float64) (p []geom.Vec3) {
		for k := range n {
			a := 2 * math.Pi * float64(k) / float64(n)
			p = append(p, geom.Vec3{X: radius * math.Cos(a), Y: radius * math.Sin(a), Z: z})
		}
		return p
	}
	bottom, top := Face{Points: ring(0)}, Face{Points: ring(height)}
	around := Face{Points: append(ring(0), ring(height)...),
		Carrier: surface.Cylinder{Frame: geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{X: 1}),
			Radius: radius}}
	for k := range int32(n) {
		next, m := (k+1)%int32(n), int32(n)
		if k > 0 && next > 0 {
			bottom.Triangles = append(bottom.Triangles, [3]int32{0, next, k})
			top.Triangles = append(top.Triangles, [3]int32{0, k, next})
		}
		around.Triangles = append(around.Triangles, [3]int32{k, next, m + next}, [3]int32{k, m + next, m + k})
	}
	return []Face{bottom, top, around}
}

func build(t rapid.TB, b Body) *brep.Model {
	t.Helper()
	m := &brep.Model{Tolerance: geom.Tolerance{Length: tolerance}}
	if err := Append(context.Background(), m, b, tolerance); err != nil {
		t.Fatal(err)
	}
	m.Link()
	return m
}

func measure(t rapid.TB, m *brep.Model) *mass.Properties {
	t.Helper()
	p, err := mass.Compute(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func sound(t rapid.TB, m *brep.Model) {
	t.Helper()
	for _, p := range brep.Check(m) {
		t.Errorf("%s: %s", p.Code, p.Message)
	}
}

// TestBox assembles a box whose faces are moved slightly apart, whose triangles are flipped at random and partly
// duplicated.
func TestBox(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		faces := boxFaces(geom.Vec3{X: 1, Y: 2, Z: 3}, geom.Vec3{X: 2, Y: 3, Z: 5})
		shake := rapid.Float64Range(-0.2*tolerance, 0.2*tolerance)
		turned, twice := 0, 0
		for i := range faces {
			f := &faces[i]
			for k := range f.Points {
				f.Points[k] = f.Points[k].Add(geom.Vec3{X: shake.Draw(rt, "x"), Y: shake.Draw(rt, "y"),
					Z: shake.Draw(rt, "z")})
			}
			for k := range f.Triangles {
				if rapid.Bool().Draw(rt, "turn") {
					c := &f.Triangles[k]
					c[1], c[2] = c[2], c[1]
					turned++
				}
			}
			if rapid.Bool().Draw(rt, "twice") {
				f.Triangles = append(f.Triangles, [3]int32{1, 0, 2})
				twice++
			}
		}
		m := build(rt, Body{Name: "box", Source: 7, Faces: faces, Solid: true})
		sound(rt, m)
		if len(m.Solids) != 1 || len(m.Faces) != 6 || len(m.Edges) != 12 || len(m.Vertices) != 8 ||
			len(m.Loops) != 6 {
			rt.Fatalf("%d solids, %d faces, %d edges, %d vertices, %d loops", len(m.Solids), len(m.Faces),
				len(m.Edges),
				len(m.Vertices), len(m.Loops))
		}
		if s := m.Solids[0]; s.Name != "box" || s.Source != 7 || m.Faces[3].Source != 4 || m.Faces[3].Origin != 3 {
			rt.Errorf("solid %+v, face %+v", s, m.Faces[3])
		}
		p := measure(rt, m)
		if math.Abs(p.Volume-30) > 60*tolerance || len(p.Solids[0].InsideOut) > 0 {
			rt.Errorf("volume %g, inside out %v", p.Volume, p.Solids[0].InsideOut)
		}
		for i, f := range m.Faces {
			if k := surface.ShapeKind(f.Surface); k != "Plane" {
				rt.Errorf("face %d is a %s", i, k)
			}
		}
		for _, w := range m.Warnings {
			if w.Code == WarnDegenerate && w.Count == twice || w.Code == WarnFlipped && w.Count == turned {
				continue
			}
			rt.Errorf("warning %+v after turning %d and doubling %d", w, turned, twice)
		}
		if has := slices.ContainsFunc(m.Warnings,
			func(w fault.Warning) bool { return w.Code == WarnFlipped }); turned == 0 && has {
			rt.Errorf("nothing was turned: %v", m.Warnings)
		}
	})
}

// TestDrum checks edges that are closed polylines without any corner, and a face with two loops.
func TestDrum(t *testing.T) {
	const n = 24
	m := build(t, Body{Faces: drum(n, 5, 8), Solid: true})
	sound(t, m)
	if len(m.Edges) != 2 || len(m.Vertices) != 2 || len(m.Faces[2].Loops) != 2 {
		t.Fatalf("%d edges, %d vertices, %d loops around", len(m.Edges), len(m.Vertices), len(m.Faces[2].Loops))
	}
	for i, e := range m.Edges {
		if c, ok := e.Curve.(*curve.Polyline); !ok || e.Start != e.End || c.Period() != n || e.Range != c.Domain() {
			t.Errorf("edge %d: %+v", i, e)
		}
	}
	area := n / 2. * 25 * math.Sin(2*math.Pi/n)
	if p := measure(t, m); math.Abs(p.Volume/(8*area)-1) > 1e-12 {
		t.Errorf("volume %g, want %g", p.Volume, 8*area)
	}
	kinds := []string{"Plane", "Plane", "Cylinder"}
	for i, want := range kinds {
		if got := surface.ShapeKind(m.Faces[i].Surface); got != want {
			t.Errorf("face %d is a %s, want %s", i, got, want)
		}
	}
}

// TestCarriers checks that a surface that the points are not on is not believed.
func TestCarriers(t *testing.T) {
	faces := drum(24, 5, 8)
	faces[2].Carrier = surface.Cylinder{Frame: geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{X: 1}),
		Radius: 5.01}
	faces[0].Carrier = faces[2].Carrier
	m := build(t, Body{Faces: faces, Solid: true})
	for i, want := range []string{"Plane", "Plane", "Freeform"} {
		if got := surface.ShapeKind(m.Faces[i].Surface); got != want {
			t.Errorf("face %d is a %s, want %s", i, got, want)
		}
	}
}

// TestSharedList makes a box of faces that share one list of points and have one normal each.
func TestSharedList(t *testing.T) {
	var all []geom.Vec3
	faces := boxFaces(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3})
	for _, f := range faces {
		all = append(all, f.Points...)
	}
	for i := range faces {
		f := &faces[i]
		for k := range f.Triangles {
			for c := range f.Triangles[k] {
				f.Triangles[k][c] += int32(4 * i)
			}
		}
		f.Points, f.Normals = all, []geom.Vec3{{X: 1, Y: 1}}
	}
	m := build(t, Body{Faces: faces, Solid: true})
	sound(t, m)
	if p := measure(t, m); math.Abs(p.Volume-6) > 1e-12 || len(m.Vertices) != 8 {
		t.Errorf("volume %g, %d vertices", p.Volume, len(m.Vertices))
	}
}

// TestNormalsFollowTheTriangles gives normals that are right, missing, or inward.
func TestNormalsFollowTheTriangles(t *testing.T) {
	for name, side := range map[string]float64{"outward": 1, "inward": -1, "missing": 0} {
		faces := drum(24, 5, 8)
		f := &faces[2]
		for _, p := range f.Points {
			f.Normals = append(f.Normals, geom.Vec3{X: p.X, Y: p.Y}.Unit().Scale(side))
		}
		f.Carrier = nil
		m := build(t, Body{Faces: faces, Solid: true})
		s := m.Faces[2].Surface
		p := geom.Vec3{X: 5 * math.Cos(math.Pi/12), Y: 5 * math.Sin(math.Pi/12), Z: 3}
		uv, _ := s.Invert(p)
		if a := s.Normal(uv.X, uv.Y).Angle(geom.Vec3{X: p.X, Y: p.Y}); a > 0.05 {
			t.Errorf("%s: the normal is %g rad off", name, a)
		}
	}
}

// TestNesting puts boxes into boxes.
func TestNesting(t *testing.T) {
	inner := func(turn bool) []Face {
		f := boxFaces(geom.Vec3{X: 2, Y: 2, Z: 2}, geom.Vec3{X: 3, Y: 3, Z: 3})
		if turn {
			turnAll(f)
		}
		return f
	}
	outer := boxFaces(geom.Vec3{}, geom.Vec3{X: 10, Y: 10, Z: 10})
	turnedOuter := boxFaces(geom.Vec3{}, geom.Vec3{X: 10, Y: 10, Z: 10})
	turnAll(turnedOuter)
	beside := boxFaces(geom.Vec3{X: 20}, geom.Vec3{X: 1, Y: 1, Z: 1})
	for _, c := range []struct {
		name           string
		faces          []Face
		solids, shells int
		volume         float64
	}{
		{"void", append(slices.Clone(outer), inner(true)...), 1, 2, 973},
		{"void first", append(inner(true), outer...), 1, 2, 973},
		{"all inside out", append(slices.Clone(turnedOuter), inner(false)...), 1, 2, 973},
		{"one in the other", append(slices.Clone(outer), inner(false)...), 2, 2, 1027},
		{"side by side", append(slices.Clone(outer), beside...), 2, 2, 1001},
		{"one inside out", turnedOuter, 1, 1, 1000},
	} {
		m := build(t, Body{Faces: c.faces, Solid: true})
		sound(t, m)
		if len(m.Solids) != c.solids || len(m.Shells) != c.shells {
			t.Errorf("%s: %d solids, %d shells", c.name, len(m.Solids), len(m.Shells))
		}
		p := measure(t, m)
		if math.Abs(p.Volume-c.volume) > 1e-9 {
			t.Errorf("%s: volume %g, want %g", c.name, p.Volume, c.volume)
		}
		for i, s := range p.Solids {
			if len(s.InsideOut) > 0 {
				t.Errorf("%s: shells %v of solid %d are inside out", c.name, s.InsideOut, i)
			}
		}
	}
}

func turnAll(faces []Face) {
	for _, f := range faces {
		for i := range f.Triangles {
			c := &f.Triangles[i]
			c[1], c[2] = c[2], c[1]
		}
	}
}

// TestOpen leaves a face out: a solid stays one, with its open edges named; sheets have no solid.
func TestOpen(t *testing.T) {
	faces := boxFaces(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3})[:5]
	m := build(t, Body{Faces: faces, Solid: true})
	if len(m.Solids) != 1 || len(m.Faces) != 5 {
		t.Errorf("%d solids, %d faces", len(m.Solids), len(m.Faces))
	}
	open := 0
	for _, p := range brep.Check(m) {
		if p.Code != brep.FreeEdge {
			t.Errorf("%s: %s", p.Code, p.Message)
		}
		open++
	}
	if open != 4 {
		t.Errorf("%d open edges, want 4", open)
	}
	sheets := build(t, Body{Faces: append(faces, boxFaces(geom.Vec3{X: 9}, geom.Vec3{X: 1, Y: 1, Z: 1})[2])})
	if len(sheets.Solids) != 0 || len(sheets.Shells) != 2 || !sheets.IsSheet(0) {
		t.Errorf("%d solids, %d shells", len(sheets.Solids), len(sheets.Shells))
	}
}

// TestTouching joins two boxes along an edge, and at a point.
func TestTouching(t *testing.T) {
	one := geom.Vec3{X: 1, Y: 1, Z: 1}
	for name, at := range map[string]geom.Vec3{"edge": {X: 1, Y: 1}, "point": one} {
		faces := append(boxFaces(geom.Vec3{}, one), boxFaces(at, one)...)
		m := build(t, Body{Faces: faces, Solid: true})
		if v := measure(t, m).Volume; math.Abs(v-2) > 1e-12 {
			t.Errorf("%s: volume %g", name, v)
		}
		uses := 0
		for _, e := range m.Edges {
			uses = max(uses, len(e.Coedges))
		}
		if name == "edge" && (uses != 4 || len(m.Solids) != 1) || name == "point" &&
			(uses != 2 || len(m.Solids) != 2) {
			t.Errorf("%s: %d solids, an edge with %d uses", name, len(m.Solids), uses)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		face Face
		want string
	}{
		{"corner", Face{Points: make([]geom.Vec3, 3), Triangles: [][3]int32{{0, 1, 3}}}, "invalid corner"},
		{"infinite", Face{Points: []geom.Vec3{{X: math.Inf(1)}}, Triangles: [][3]int32{{0, 0, 0}}}, "not finite"},
		{"normals", Face{Points: make([]geom.Vec3, 3), Normals: make([]geom.Vec3, 2)}, "2 normals"},
	} {
		err := Append(context.Background(), &brep.Model{}, Body{Faces: []Face{c.face}}, tolerance)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error about %q", c.name, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	body := Body{Faces: boxFaces(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1})}
	if err := Append(ctx, &brep.Model{}, body, tolerance); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	m := build(t, Body{Faces: []Face{{Points: make([]geom.Vec3, 1), Triangles: [][3]int32{{0, 0, 0}}}},
		Solid: true})
	if len(m.Faces) != 0 || len(m.Solids) != 0 || len(m.Warnings) != 1 || m.Warnings[0].Code != WarnDegenerate {
		t.Errorf("a triangle without area gave %+v", m)
	}
}

// TestAnyTriangles builds random triangles over few points: the resulting references are valid and the faces
// measurable.
func TestAnyTriangles(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var faces []Face
		for range rapid.IntRange(1, 4).Draw(rt, "faces") {
			f := Face{}
			for range 6 {
				c := rapid.IntRange(0, 2)
				f.Points = append(f.Points, geom.Vec3{X: float64(c.Draw(rt, "x")), Y: float64(c.Draw(rt, "y")),
					Z: float64(c.Draw(rt, "z"))})
			}
			for range rapid.IntRange(0, 8).Draw(rt, "triangles") {
				c := rapid.Int32Range(0, 5)
				f.Triangles = append(f.Triangles, [3]int32{c.Draw(rt, "a"), c.Draw(rt, "b"), c.Draw(rt, "c")})
			}
			faces = append(faces, f)
		}
		m := build(rt, Body{Faces: faces, Solid: rapid.Bool().Draw(rt, "solid")})
		for _, p := range brep.Check(m) {
			if p.Code == brep.BadReference || p.Code == brep.OpenLoop || p.Code == brep.VertexOffEdge {
				rt.Errorf("%s: %s", p.Code, p.Message)
			}
		}
		if p := measure(rt, m); math.IsNaN(p.Volume + p.Area) {
			rt.Errorf("volume %g, area %g", p.Volume, p.Area)
		}
	})
}
