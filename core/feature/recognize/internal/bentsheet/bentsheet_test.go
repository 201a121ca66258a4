package bentsheet_test

import (
	"context"
	"math"
	"testing"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/bentsheet"
	"millwright.dev/millwright/core/feature/sheetmetal"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

func pt(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }

func graphOf(t *testing.T, m *brep.Model) *graph.Graph {
	t.Helper()
	r, err := tessellate.Mesh(context.Background(), m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.New(context.Background(), m, r.Mesh)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// channel is a U of sheet 2 thick, 40 wide and 30 high, with inner and outer radii.
func channel(inner, outer float64) *brep.Model {
	in, out := -build.Bulge(math.Pi/2), build.Bulge(math.Pi/2)
	return build.Prism("channel", []build.Corner{
		{P: pt(outer, 0)}, {P: pt(40-outer, 0), Bulge: out}, {P: pt(40, outer)}, {P: pt(40, 30)}, {P: pt(38, 30)},
		{P: pt(38, 2+inner), Bulge: in}, {P: pt(38-inner, 2)}, {P: pt(2+inner, 2), Bulge: in}, {P: pt(2, 2+inner)},
		{P: pt(2, 30)}, {P: pt(0, 30)}, {P: pt(0, outer), Bulge: out}}, 50, build.Style{})
}

// angle is an L of sheet 2 thick with a rounded inner corner of radius 3 and a sharp outer one.
func angle() *brep.Model {
	return build.Prism("angle", []build.Corner{
		{P: pt(0, 0)}, {P: pt(60, 0)}, {P: pt(60, 2)}, {P: pt(5, 2), Bulge: -build.Bulge(math.Pi / 2)}, {P: pt(2, 5)},
		{P: pt(2, 60)}, {P: pt(0, 60)}}, 50, build.Style{})
}

// hat is a Z of sheet 2 thick: a bend of inner radius 1 and one whose arcs have their middles at a distance.
func hat(off float64) *brep.Model {
	in, out := -build.Bulge(math.Pi/2), build.Bulge(math.Pi/2)
	return build.Prism("hat", []build.Corner{
		{P: pt(3, 0)}, {P: pt(57, 0)}, {P: pt(57, 2)}, {P: pt(3, 2), Bulge: in}, {P: pt(2, 3)},
		{P: pt(2, 57), Bulge: out}, {P: pt(-1, 60)}, {P: pt(-40, 60)}, {P: pt(-40, 58)}, {P: pt(-1-off, 58), Bulge: in},
		{P: pt(0, 57-off)}, {P: pt(0, 3), Bulge: out}}, 50, build.Style{})
}

// folded counts the edges within bent sheet that are not convex.
func folded(g *graph.Graph, s *bentsheet.Sheet) (n int) {
	for i := range g.Arcs {
		if a := &g.Arcs[i]; a.Convexity != graph.Convex && s.Folded(a.A, a.B) {
			n++
		}
	}
	return n
}

// whole returns the result of package sheetmetal for a part.
func whole(g *graph.Graph) *sheetmetal.Sheet {
	s, ok := sheetmetal.Detect(g)
	if !ok {
		return nil
	}
	return &s
}

func TestFind(t *testing.T) {
	for _, row := range []struct {
		name string
		m    *brep.Model
		want int // edges between sides: two within each bend, two without
	}{
		{"channel", channel(1, 3), 8},
		{"channel with wide bends", channel(6, 8), 8},
		{"bends on one axis each", hat(0), 8},
		{"a bend drawn a little off", hat(0.1), 8},
		{"rounded inner corner, sharp outer one", angle(), 0},
		{"one centre, another thickness beside the bend", channel(1, 3.5), 0},
		{"one radius on both sides", channel(2, 2), 8},
		{"block", build.Box(geom.Vec3{X: 10, Y: 20, Z: 30}), 0},
		{"tube", build.Tube(8, 10, 30, build.Style{}), 0},
		{"tray", build.Milled("tray", build.Rounded(60, 40, 6), 20, build.Style{}, []build.Cut{
			{Profile: build.Moved(build.Rounded(56, 36, 4), pt(2, 2)), Depth: 18}}), 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			g := graphOf(t, row.m)
			if got := folded(g, bentsheet.Find(g, make([]bool, len(g.Patches)), whole(g))); got != row.want {
				t.Errorf("%d edges within bent sheet, want %d", got, row.want)
			}
		})
	}
}

func TestTakenFacesAreNoBends(t *testing.T) {
	g := graphOf(t, channel(1, 3))
	taken := make([]bool, len(g.Patches))
	for i := range taken {
		taken[i] = true
	}
	if s := bentsheet.Find(g, taken, whole(g)); s != nil {
		t.Errorf("found bent sheet where all is taken: %+v", s)
	}
	var none *bentsheet.Sheet
	if none.Folded(0, 1) {
		t.Error("a part without bent sheet has some")
	}
}
