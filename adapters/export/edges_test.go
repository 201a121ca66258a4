package export

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// chords is a line of two points for each edge, the curve's ends.
func chords(m *brep.Model) [][]geom.Vec3 {
	lines := make([][]geom.Vec3, len(m.Edges))
	for i := range m.Edges {
		if e := &m.Edges[i]; e.Curve != nil {
			lines[i] = []geom.Vec3{e.Curve.At(e.Range.Lo), e.Curve.At(e.Range.Hi)}
		}
	}
	return lines
}

func TestEdgeSelection(t *testing.T) {
	open := build.Box(geom.Vec3{X: 1, Y: 2, Z: 3})
	open.Shells[0].Faces = open.Shells[0].Faces[1:]
	open.Link()
	for _, c := range []struct {
		name         string
		model        *brep.Model
		edges, sharp int
	}{
		{"box", build.Box(geom.Vec3{X: 1, Y: 2, Z: 3}), 12, 12},
		{"box without a side", open, 12, 12},
		{"cylinder with a seam", build.Cylinder(5, 20, build.Style{}), 2, 2},
		{"cylinder of two rings", build.Cylinder(5, 20, build.Style{Seams: build.Rings}), 2, 2},
		{"cylinder of half faces", build.Cylinder(5, 20, build.Style{Seams: build.HalfFaces}), 6, 4},
		{"sphere with a seam", build.Sphere(5, build.Style{}), 0, 0},
		{"hemispheres", build.Hemispheres(5, build.Style{}), 1, 0},
		{"rounded block", build.Prism("rounded", build.Rounded(40, 20, 5), 10, build.Style{}), 24, 16},
		{"plate with a hole", build.Plate(geom.Vec3{X: 40, Y: 20, Z: 5}, build.Style{},
			build.Hole{Center: geom.Vec2{X: 20, Y: 10}, Profile: build.Through(6, 5)}), 14, 14},
	} {
		lines := chords(c.model)
		if got := len(Edges(c.model, lines)); got != c.edges {
			t.Errorf("%s: %d edges, want %d", c.name, got, c.edges)
		}
		if got := len(SharpEdges(c.model, lines)); got != c.sharp {
			t.Errorf("%s: %d sharp edges, want %d", c.name, got, c.sharp)
		}
		same := func(brep.FaceID) int { return 7 }
		if got := len(BorderEdges(c.model, lines, same)); got != c.sharp {
			t.Errorf("%s: %d borders of one label, want the sharp edges, %d", c.name, got, c.sharp)
		}
		each := func(f brep.FaceID) int { return int(f) }
		if got := len(BorderEdges(c.model, lines, each)); got != c.edges {
			t.Errorf("%s: %d borders of a label each, want all edges, %d", c.name, got, c.edges)
		}
	}
}

func TestDraftedEdgeIsSharp(t *testing.T) {
	for _, c := range []struct {
		name    string
		degrees float64 // by which the wall turns at a level edge
		want    int
	}{
		{"tangent", 0, 2},
		{"imperfect blend", 0.1, 2},
		{"draft", 3, 3},
	} {
		out := 10 * math.Tan(geom.Radians(c.degrees))
		profile := build.Polygon(geom.Vec2{}, geom.Vec2{X: 20}, geom.Vec2{X: 20, Y: 10},
			geom.Vec2{X: 20 + out, Y: 20}, geom.Vec2{Y: 20})
		m := build.Revolve("wall", geom.World, profile, build.Style{})
		if got := len(SharpEdges(m, chords(m))); got != c.want {
			t.Errorf("%s: %d sharp edges, want %d", c.name, got, c.want)
		}
	}
}
