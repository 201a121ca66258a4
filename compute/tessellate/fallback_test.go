package tessellate

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func codes(res *Result) []string {
	var out []string
	for _, w := range res.Warnings {
		out = append(out, w.Code)
	}
	return out
}

// TestFaceWithoutASurface checks that the mesh stays closed and that the warning names the face.
func TestFaceWithoutASurface(t *testing.T) {
	for f := range 6 {
		m := build.Box(geom.Vec3{X: 3, Y: 2, Z: 1})
		m.Faces[f].Surface = nil
		m.Faces[f].Source = 77
		res := mustMesh(t, m, Options{})
		if !res.Report.Watertight || !slices.Equal(codes(res), []string{WarnBoundary}) {
			t.Fatalf("face %d: %+v %v", f, res.Report, res.Warnings)
		}
		if v := res.Mesh.Volume(); math.Abs(v-6) > 1e-12 {
			t.Errorf("face %d: volume %g, want 6", f, v)
		}
		r := res.Mesh.Regions[f]
		for i := range r.Normals {
			if n := res.Mesh.Normal(int(r.Start)); r.Normals[i].Dist(n) > 1e-12 {
				t.Errorf("face %d: normal %v, want %v", f, r.Normals[i], n)
			}
		}
	}
}

// TestReversedFaceWithHolesWithoutASurface takes the top of a plate with two holes, the first loop being
// a hole.
func TestReversedFaceWithHolesWithoutASurface(t *testing.T) {
	plate := build.Plate(geom.Vec3{X: 40, Y: 30, Z: 10}, build.Style{},
		build.Hole{Center: geom.Vec2{X: 10, Y: 10}, Profile: build.Through(6, 10)},
		build.Hole{Center: geom.Vec2{X: 25, Y: 10}, Profile: build.Through(6, 10)})
	const top = 5
	for _, reversed := range []bool{false, true} {
		m := &brep.Model{}
		m.Append(plate, geom.Identity)
		m.Faces[top].Surface = nil
		m.Faces[top].Reversed = reversed
		loops := m.Faces[top].Loops
		loops[0], loops[1] = loops[1], loops[0]
		res := mustMesh(t, m, Options{ChordTolerance: 0.01})
		if !res.Report.Watertight || !slices.Equal(codes(res), []string{WarnBoundary}) {
			t.Fatalf("reversed %v: %+v %v", reversed, res.Report, res.Warnings)
		}
		want := 40*30*10 - 2*pi*9*10.0
		if v := res.Mesh.Volume(); math.Abs(v-want) > 5 {
			t.Errorf("reversed %v: volume %g, want %g", reversed, v, want)
		}
		r := res.Mesh.Regions[top]
		for i := r.Start; i < r.End; i++ {
			if n := res.Mesh.Normal(int(i)); n.Z < 0.999 {
				t.Errorf("reversed %v: triangle %d faces %v", reversed, i, n)
			}
		}
	}
}

// TestSelfIntersectingBoundaryIsReported checks that a face with a self-intersecting boundary is triangulated and
// reported.
func TestSelfIntersectingBoundaryIsReported(t *testing.T) {
	b := build.New("bow tie")
	corners := []geom.Vec2{{}, {X: 4, Y: 4}, {X: 4}, {Y: 4}}
	var v [2][4]brep.VertexID
	var e [2][4]brep.EdgeID
	var posts [4]brep.EdgeID
	for k := range v {
		for i, c := range corners {
			v[k][i] = b.Vertex(geom.Vec3{X: c.X, Y: c.Y, Z: float64(k)})
		}
		for i := range corners {
			e[k][i] = b.Line(v[k][i], v[k][(i+1)%4])
		}
	}
	for i := range posts {
		posts[i] = b.Line(v[0][i], v[1][i])
	}
	for i := range corners {
		j := (i + 1) % 4
		d := corners[j].Sub(corners[i])
		frame := geom.NewFrame(geom.Vec3{X: corners[i].X, Y: corners[i].Y}, geom.Vec3{X: d.Y, Y: -d.X}, geom.Vec3{Z: 1})
		b.Face(surface.Plane{Frame: frame}, false,
			build.Chain(build.Fwd(e[0][i]), build.Fwd(posts[j]), build.Rev(e[1][i]), build.Rev(posts[i])))
	}
	up := geom.World
	up.Origin.Z = 1
	b.Face(surface.Plane{Frame: geom.World}, true,
		build.Chain(build.Rev(e[0][3]), build.Rev(e[0][2]), build.Rev(e[0][1]), build.Rev(e[0][0])))
	b.Face(surface.Plane{Frame: up}, false,
		build.Chain(build.Fwd(e[1][0]), build.Fwd(e[1][1]), build.Fwd(e[1][2]), build.Fwd(e[1][3])))
	b.Solid()
	res := mustMesh(t, b.Model(), Options{})
	if !res.Report.Watertight {
		t.Errorf("%+v", res.Report)
	}
	if got := codes(res); !slices.Contains(got, WarnBoundary) {
		t.Errorf("warnings %v, want %s", res.Warnings, WarnBoundary)
	}
}

func TestOpenShellIsReported(t *testing.T) {
	m := build.Box(geom.Vec3{X: 3, Y: 2, Z: 1})
	m.Shells[0].Faces = m.Shells[0].Faces[:5]
	m.Faces = m.Faces[:5]
	m.Loops = m.Loops[:5]
	m.Link()
	res := mustMesh(t, m, Options{})
	if res.Report.Watertight || res.Report.OpenEdges != 4 || !slices.Contains(codes(res), WarnOpen) {
		t.Errorf("%+v %v, want four open edges and %s", res.Report, res.Warnings, WarnOpen)
	}
}

// TestTwoArcsBetweenTwoVertices: a face thinner than the tolerance between a line and an arc still
// has its own triangles.
func TestTwoArcsBetweenTwoVertices(t *testing.T) {
	profile := []build.Corner{{P: geom.Vec2{}, Bulge: 0.004}, {P: geom.Vec2{X: 10}}}
	m := build.Prism("sliver", profile, 5, build.Style{})
	res := mustMesh(t, m, Options{ChordTolerance: 0.5})
	if !res.Report.Watertight || len(res.Warnings) > 0 {
		t.Fatalf("%+v %v", res.Report, res.Warnings)
	}
	if v := res.Mesh.Volume(); v <= 0 {
		t.Errorf("volume %g", v)
	}
}
