package dropcutter

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/raster"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// drawDrop is a few triangles under a small grid, some of them flat, upright or without area.
func drawDrop(t *rapid.T) *Input {
	m := &mesh.Mesh{}
	at := rapid.Custom(func(t *rapid.T) geom.Vec3 {
		c := func(name string, most int) float64 { return float64(rapid.IntRange(-8, most).Draw(t, name)) / 2 }
		return geom.Vec3{X: c("x", 60), Y: c("y", 50), Z: c("z", 12)}
	})
	for range rapid.IntRange(0, 6).Draw(t, "triangles") {
		n := int32(len(m.Points))
		m.Points = append(m.Points, at.Draw(t, "a"), at.Draw(t, "b"), at.Draw(t, "c"))
		m.Triangles = append(m.Triangles, [3]int32{n, n + 1, n + 2})
	}
	tools := []toolprofile.Profile{toolprofile.EndMill(4, 0, 9), toolprofile.EndMill(6, 3, 9),
		toolprofile.EndMill(5, 1, 9), toolprofile.Drill(3, 2, 9)}
	return &Input{
		Mesh: m, Frame: geom.World, Tool: rapid.SampledFrom(tools).Draw(t, "tool"),
		Grid: grid.Grid{Step: 0.7, Width: rapid.IntRange(1, 40).Draw(t, "width"),
			Height: rapid.IntRange(1, 37).Draw(t, "height")},
	}
}

// TestPlanListsAllEffectiveElements checks that the list of a tile gives its cells the same heights as all elements do,
// and that no element raises a cell above its maximum in the list.
func TestPlanListsAllEffectiveElements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawDrop(t)
		g := in.Grid
		want, err := onCPU(context.Background(), primitive.OnCPU(1), in)
		if err != nil {
			t.Fatal(err)
		}
		p, ok, err := newPlan(context.Background(), in, math.MaxInt32)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		d := &dropper{scene: scene{&raster.Scene{Width: g.Width, Height: g.Height}}, tool: newCutter(in.Tool),
			step: g.Step}
		d.reach = d.tool.radius/g.Step + margin
		const rounding = 1e-5 // mm, of float32
		const zero = 1e-12    // mm, of heights that cancel
		for tile := range p.Across * p.Down {
			z := raster.Target{Z: grid.NewMap(g.Len()), Width: g.Width, Last: g.Height - 1, Slack: margin}
			before := float32(math.Inf(1))
			for _, item := range p.Items[p.Start[tile]:p.Start[tile+1]] {
				if item.Most > before {
					t.Fatalf("tile %d: %g comes after %g", tile, item.Most, before)
				}
				before = item.Most
				one := z
				one.Z = grid.NewMap(g.Len())
				p.apply(d, &one, item.Code)
				for c, h := range one.Z {
					if h > item.Most+rounding {
						t.Fatalf("tile %d: an item raises cell %d to %g, above %g", tile, c, h, item.Most)
					}
					z.Z[c] = max(z.Z[c], h)
				}
			}
			for c, h := range want.Z {
				isOff := z.Z[c] != h && !(math.Abs(float64(z.Z[c]-h)) <= zero)
				if i, j := c%g.Width, c/g.Width; j/planTile*p.Across+i/planTile == tile && isOff {
					t.Fatalf("tile %d: cell %d, %d has %g, want %g", tile, i, j, z.Z[c], h)
				}
			}
		}
	})
}

// apply raises the cells over one item.
func (p *plan) apply(d *dropper, z *raster.Target, code uint32) {
	switch k := code >> 2; code & 3 {
	case planFacet:
		f := &p.Facets[k]
		c := &f.Corner
		z.Triangle((*[3]raster.Point)(places([3]float64(c[:3]), [3]float64(c[3:6]), [3]float64(c[6:]))), f.Du,
			f.Dv, f.Lift)
	case planSide:
		s := &p.Sides[k]
		ends := places([3]float64(s[:3]), [3]float64(s[3:]))
		d.side(z, &ends[0], &ends[1])
	case planCorner:
		c := &p.Corners[k]
		d.corner(z, &places(*c)[0])
	}
}

func TestPlanBounds(t *testing.T) {
	in := &Input{
		Mesh: &mesh.Mesh{
			Points:    []geom.Vec3{{}, {X: 30}, {Y: 30, Z: 1}, {X: 500}, {X: 501}, {X: 500, Y: 1}},
			Triangles: [][3]int32{{0, 1, 2}, {3, 4, 5}}, // the second is far from the grid
		},
		Frame: geom.World, Grid: grid.Grid{Step: 1, Width: 33, Height: 17}, Tool: toolprofile.EndMill(4, 2, 9),
	}
	p, ok, err := newPlan(t.Context(), in, 1<<20)
	if err != nil || !ok || p.Across != 3 || p.Down != 2 || len(p.Start) != 7 || int(p.Start[6]) != len(p.Items) {
		t.Errorf("%v, %v: %d × %d tiles, %d starts", ok, err, p.Across, p.Down, len(p.Start))
	}
	for _, item := range p.Items {
		if item.Most > 1 {
			t.Errorf("%+v is higher than the mesh", item)
		}
	}
	if _, ok, err := newPlan(t.Context(), in, 3); ok || err != nil {
		t.Errorf("more items than may be: %v, %v", ok, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := newPlan(ended, in, 1<<20); err == nil {
		t.Error("an ended context is not noticed")
	}
}
