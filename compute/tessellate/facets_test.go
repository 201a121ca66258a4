package tessellate

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/faceted"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/repair"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface/facets"
)

// facesOf returns the regions of a mesh as faces of triangles, each with separate points.
func facesOf(m *brep.Model, r *Result) []faceted.Face {
	var faces []faceted.Face
	for i, reg := range r.Mesh.Regions {
		f := faceted.Face{Carrier: m.Faces[i].Surface, Source: int64(100 + i)}
		local := map[int32]int32{}
		for _, t := range r.Mesh.Triangles[reg.Start:reg.End] {
			for k, v := range t {
				id, ok := local[v]
				if !ok {
					id = int32(len(f.Points))
					local[v] = id
					f.Points = append(f.Points, r.Mesh.Points[v])
				}
				t[k] = id
			}
			f.Triangles = append(f.Triangles, t)
		}
		faces = append(faces, f)
	}
	return faces
}

// tessellated is a model with the triangles of a mesh for its faces.
func tessellated(t testing.TB, m *brep.Model, r *Result) *brep.Model {
	t.Helper()
	out := &brep.Model{Tolerance: m.Tolerance}
	body := faceted.Body{Faces: facesOf(m, r), Solid: true, Name: m.Name}
	if err := faceted.Append(context.Background(), out, body, 1e-6); err != nil {
		t.Fatal(err)
	}
	out.Link()
	return out
}

// TestMeshOfMeshedPartIsUnchanged meshes parts, makes parts of the meshes, and meshes those. Solids, faces, volume,
// area and triangles must be the same, and no edge may be free.
func TestMeshOfMeshedPartIsUnchanged(t *testing.T) {
	for _, s := range solids() {
		first := closedMesh(t, s.name, s.model, Options{})
		m := tessellated(t, s.model, first)
		if len(m.Solids) != len(s.model.Solids) || len(m.Faces) != len(s.model.Faces) || len(m.Warnings) > 0 {
			t.Errorf("%s: %d solids, %d faces, %v", s.name, len(m.Solids), len(m.Faces), m.Warnings)
			continue
		}
		for _, p := range brep.Check(m) {
			t.Errorf("%s: %s", s.name, p.Message)
		}
		p, err := mass.Compute(context.Background(), m)
		if err != nil {
			t.Fatal(err)
		}
		const rounding = 1e-12
		if v := first.Mesh.Volume(); math.Abs(p.Volume/v-1) > rounding {
			t.Errorf("%s: volume %.15g of the faces, %.15g of the mesh", s.name, p.Volume, v)
		}
		if a := first.Mesh.Area(); math.Abs(p.Area/a-1) > rounding {
			t.Errorf("%s: area %.15g of the faces, %.15g of the mesh", s.name, p.Area, a)
		}
		if c := first.Mesh.Centroid(); c.Dist(p.Centroid) > 1e-9 {
			t.Errorf("%s: centroid %v, of the mesh %v", s.name, p.Centroid, c)
		}
		again := closedMesh(t, s.name, m, Options{ChordTolerance: 0.01})
		if len(again.Mesh.Triangles) != len(first.Mesh.Triangles) ||
			len(again.Mesh.Points) != len(first.Mesh.Points) {
			t.Errorf("%s: %d triangles and %d points, from %d and %d", s.name, len(again.Mesh.Triangles),
				len(again.Mesh.Points), len(first.Mesh.Triangles), len(first.Mesh.Points))
		}
		for i := range m.Faces {
			a, b := first.Mesh.Regions[i], again.Mesh.Regions[i]
			x, y := first.Mesh.AreaOf(int(a.Start), int(a.End)), again.Mesh.AreaOf(int(b.Start), int(b.End))
			if math.Abs(x-y) > rounding*(1+x) {
				t.Errorf("%s: face %d has the area %g, had %g", s.name, i, y, x)
			}
		}
	}
}

// closedMesh meshes a model, which must give no open edge.
func closedMesh(t testing.TB, name string, m *brep.Model, o Options) *Result {
	t.Helper()
	r, err := Mesh(context.Background(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Report.Watertight {
		t.Errorf("%s: the mesh is not closed: %+v", name, r.Report)
	}
	return r
}

// TestMovedFacets meshes copies of a part of triangles, moved and mirrored.
func TestMovedFacets(t *testing.T) {
	parts := someSolids()
	rapid.Check(t, func(rt *rapid.T) {
		s := parts[rapid.IntRange(0, len(parts)-1).Draw(rt, "part")]
		first := closedMesh(t, s.name, s.model, Options{})
		m := tessellated(t, s.model, first)
		n := rapid.SliceOfN(rapid.Float64Range(-3, 3), 4, 4).Draw(rt, "numbers")
		move := geom.Translation(geom.Vec3{X: 100 * n[0], Y: n[1]}).Mul(
			geom.Rotation(geom.Vec3{X: n[1], Y: n[2], Z: 4}.Unit(), n[3]))
		if rapid.Bool().Draw(rt, "mirror") {
			mirror := geom.Identity
			mirror.Y = mirror.Y.Neg()
			move = move.Mul(mirror)
		}
		moved := &brep.Model{Tolerance: m.Tolerance}
		moved.Append(m, move)
		moved.Append(m, geom.Translation(geom.Vec3{Z: 1e4}))
		again := closedMesh(t, s.name, moved, Options{})
		if v := again.Mesh.Volume(); math.Abs(v/(2*first.Mesh.Volume())-1) > 1e-9 || len(again.Warnings) > 0 {
			rt.Errorf("%s: volume %g, want twice %g; %v", s.name, v, first.Mesh.Volume(), again.Warnings)
		}
	})
}

// TestDividedSides adds samples between the corners of triangles, as an adjacent face of another type may request.
func TestDividedSides(t *testing.T) {
	for _, s := range someSolids() {
		first := closedMesh(t, s.name, s.model, Options{})
		m := tessellated(t, s.model, first)
		extra := 0
		for i := range m.Edges { // polylines with corners in the middle of straight pieces count as samples
			e := &m.Edges[i]
			if _, ok := e.Curve.(curve.Line); !ok || i%2 == 0 {
				continue
			}
			a, b := m.Vertices[e.Start].Point, m.Vertices[e.End].Point
			e.Curve, e.Range = bentLine(a, b), geom.Interval{Lo: 0.25, Hi: 3.25}
			extra += 2
		}
		again := closedMesh(t, s.name, m, Options{})
		if got, want := len(again.Mesh.Triangles), len(first.Mesh.Triangles)+2*extra; got != want {
			t.Errorf("%s: %d triangles, want %d", s.name, got, want)
		}
		if v := first.Mesh.Volume(); math.Abs(again.Mesh.Volume()/v-1) > 1e-12 {
			t.Errorf("%s: volume %g, was %g", s.name, again.Mesh.Volume(), v)
		}
	}
}

// bentLine is a straight curve from a to b over [0.25, 3.25] with two samples inside.
func bentLine(a, b geom.Vec3) curve.Curve {
	d := b.Sub(a)
	return sampled{curve.Line{Origin: a.AddScaled(-0.25/3, d), Dir: d.Scale(1. / 3)}}
}

// sampled is a line whose breaks are at a third and two thirds, off the whole numbers of corners.
type sampled struct{ curve.Line }

func (s sampled) Kind() curve.Kind { return curve.KindPolyline }

func (s sampled) Breaks(dst []float64, _ geom.Interval) []float64 { return append(dst, 1.25, 2.25) }

// TestSnappedVertices moves the vertices a little after the triangles were made, as healing may.
func TestSnappedVertices(t *testing.T) {
	for _, s := range someSolids() {
		first := closedMesh(t, s.name, s.model, Options{})
		m := tessellated(t, s.model, first)
		const shift = 1e-7 // mm
		m.Tolerance.Length = 2 * shift
		for i := range m.Vertices {
			v := &m.Vertices[i].Point
			*v = v.Add(geom.Vec3{X: shift, Y: -shift})
		}
		again := closedMesh(t, s.name, m, Options{})
		if len(again.Mesh.Triangles) != len(first.Mesh.Triangles) {
			t.Errorf("%s: %d triangles, want %d", s.name, len(again.Mesh.Triangles), len(first.Mesh.Triangles))
		}
	}
}

// TestNormalsOfFacets checks that the normals of the underlying surface reach the mesh.
func TestNormalsOfFacets(t *testing.T) {
	for _, s := range someSolids() {
		first := closedMesh(t, s.name, s.model, Options{})
		m := tessellated(t, s.model, first)
		again := closedMesh(t, s.name, m, Options{})
		for i := range m.Faces {
			f := m.Faces[i].Surface.(*facets.Surface)
			if f.Carrier() == nil || !f.Carrier().Kind().IsAnalytic() || len(f.Carrier().Singularities()) > 0 {
				continue
			}
			reg := again.Mesh.Regions[i]
			for k, v := range reg.Vertices {
				p := again.Mesh.Points[v]
				uv, _ := f.Carrier().Invert(p)
				n := f.Carrier().Normal(uv.X, uv.Y)
				if c := math.Abs(n.Dot(reg.Normals[k])); c < 1-1e-9 {
					t.Fatalf("%s: face %d has a normal that is off by the cosine %g", s.name, i, c)
				}
			}
			if !slices.IsSorted(reg.Vertices) {
				t.Errorf("%s: the vertices of region %d are not ascending", s.name, i)
			}
		}
	}
}

// TestShortEdgesOfFacets heals a part of triangles that has edges shorter than the tolerance: the mesh loses
// the triangles at them, and nothing else.
func TestShortEdgesOfFacets(t *testing.T) {
	for _, s := range someSolids() {
		first := closedMesh(t, s.name, s.model, Options{})
		m := tessellated(t, s.model, first)
		shortest := math.Inf(1)
		for i := range m.Edges {
			if e := &m.Edges[i]; e.Start != e.End {
				shortest = min(shortest, e.Range.Length())
			}
		}
		if math.IsInf(shortest, 1) {
			continue
		}
		for i := range m.Edges { // move the ends of one straight edge together
			e := &m.Edges[i]
			if _, ok := e.Curve.(curve.Line); !ok || len(e.Coedges) != 2 {
				continue
			}
			const short = 1e-5 // mm
			a, b := m.Vertices[e.Start].Point, m.Vertices[e.End].Point
			shrunk := shrink(t, first, a, b, short)
			if shrunk == nil {
				continue
			}
			m = tessellated(t, s.model, shrunk)
			m.Tolerance.Length = 10 * short
			before := len(m.Edges)
			if err := repair.Model(context.Background(), m); err != nil {
				t.Fatal(err)
			}
			if len(m.Edges) >= before {
				t.Errorf("%s: %d edges, had %d", s.name, len(m.Edges), before)
			}
			again := closedMesh(t, s.name+" healed", m, Options{})
			if len(again.Mesh.Triangles) != len(first.Mesh.Triangles)-2 {
				t.Errorf("%s: %d triangles, had %d", s.name, len(again.Mesh.Triangles), len(first.Mesh.Triangles))
			}
			break
		}
	}
}

// shrink moves the point b of a mesh to within short of a, where no triangle turns over by that; else nil.
func shrink(t *testing.T, r *Result, a, b geom.Vec3, short float64) *Result {
	t.Helper()
	out := *r
	copied := *r.Mesh
	copied.Points = slices.Clone(copied.Points)
	out.Mesh = &copied
	for i, p := range copied.Points {
		if p == b {
			copied.Points[i] = a.AddScaled(short, b.Sub(a).Unit())
		}
	}
	for i := range copied.Triangles {
		if copied.Normal(i).Dot(r.Mesh.Normal(i)) <= 0.1 && copied.AreaOf(i, i+1) > short*short {
			return nil
		}
	}
	return &out
}
