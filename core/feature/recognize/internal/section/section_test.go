package section_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

func graphOf(t testing.TB, m *brep.Model) *graph.Graph {
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

func rectangle(x, y, w, h float64) []build.Corner {
	return build.Moved(build.Rectangle(w, h), geom.Vec2{X: x, Y: y})
}

// plate is 80 × 60 × 20 with a pocket, an island in it and a boss on top. Patches: 0-3 the sides, 6-9 the walls of the
// pocket, 11-14 those of the island, 16-19 those of the boss.
func plate() *brep.Model {
	return build.Milled("plate", build.Rectangle(80, 60), 20, build.Style{}, []build.Cut{
		{Profile: rectangle(10, 10, 30, 20), Depth: 8, Cuts: []build.Cut{
			{Profile: rectangle(20, 15, 6, 5), Depth: -4}}},
		{Profile: rectangle(50, 10, 10, 12), Depth: -5},
	})
}

func TestChains(t *testing.T) {
	up := geom.Vec3{Z: 1}
	rows := []struct {
		name   string
		patch  int32
		z      float64
		area   float64 // mm²
		length float64 // mm
	}{
		{"sides", 0, 10, 80 * 60, 280},
		{"pocket", 6, 16, -30 * 20, 100},
		{"island", 11, 14, 6 * 5, 22},
		{"boss", 16, 22, 10 * 12, 44},
	}
	g := graphOf(t, plate())
	w := section.Along(g, up)
	for _, row := range rows {
		c, ok := w.ChainOf(row.patch, row.z)
		if !ok || !c.IsClosed || len(c.Patches) != 4 {
			t.Errorf("%s: found %v, chain %+v, want one closed over four walls", row.name, ok, c)
			continue
		}
		if math.Abs(c.Area-row.area) > 1e-9 || math.Abs(c.Length-row.length) > 1e-9 {
			t.Errorf("%s: area %g, length %g, want %g, %g", row.name, c.Area, c.Length, row.area, row.length)
		}
		if !w.ShowsAllRound(c) || section.WidestNormalGap(g, w.Dir, c.Patches[:1]) != 2*math.Pi {
			t.Errorf("%s: the walls embrace: %v, one alone leaves %g", row.name, w.ShowsAllRound(c),
				section.WidestNormalGap(g, w.Dir, c.Patches[:1]))
		}
		if _, ok := w.ChainOf(row.patch, 100); ok {
			t.Errorf("%s: there is a chain above the part", row.name)
		}
	}
	if w.Steep[5] || w.Root(0) != w.Root(2) || w.Root(0) == w.Root(6) {
		t.Error("the top is steep, the sides are apart or joined with the pocket")
	}
}

// Where a slope interrupts the walls the chain is open, but its remaining walls still surround material.
func TestOpenChains(t *testing.T) {
	v := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	m := build.Prism("wedge", build.Polygon(v(0, 0), v(40, 0), v(10, 30), v(0, 30)), 50, build.Style{})
	w := section.Along(graphOf(t, m), geom.Vec3{Y: -1}) // from below the slope leans away
	c, ok := w.ChainOf(3, -10)
	if !ok || c.IsClosed || c.Area <= 0 {
		t.Fatalf("found %v, chain %+v, want an open one round material", ok, c)
	}
	if len(c.Patches) != 3 || w.Encircles(c.Patches) {
		t.Errorf("chain over %v, embraces %v: want the two ends and the back, which leave half a circle", c.Patches,
			w.Encircles(c.Patches))
	}
}

// Areas of cuts do not depend on the position of a part.
func TestCutsMoveWithThePart(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		f := func(name string) float64 { return rapid.Float64Range(-2, 2).Draw(r, name) }
		turn := geom.Rotation(geom.Vec3{X: f("x"), Y: f("y"), Z: 2.5}, f("angle"))
		move := geom.Translation(geom.Vec3{X: 50 * f("dx"), Y: 50 * f("dy")}).Mul(turn)
		src := plate()
		m := &brep.Model{Name: src.Name, Tolerance: src.Tolerance}
		m.Append(src, move)
		m.Link()
		g := graphOf(t, m)
		dir := turn.Dir(geom.Vec3{Z: 1}).Unit()
		w := section.Along(g, dir)
		c, ok := w.ChainOf(6, w.Z[6].Mid())
		if !ok || !c.IsClosed || math.Abs(c.Area+600) > 1e-6 {
			r.Fatalf("found %v, chain %+v, want a closed one of area -600", ok, c)
		}
	})
}
