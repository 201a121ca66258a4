package finishing

import (
	"context"
	"math"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/kernel/geom"
)

// wedge is a plane of 45° along X, beyond a square of 4 mm.
func wedge() *Shape {
	m := patch(1, 1, func(u, v float64) geom.Vec3 { return geom.Vec3{X: 24 * (u - .5), Y: 24 * (v - .5), Z: 24 * u} })
	return &Shape{"wedge", m, geom.Vec2{X: -2, Y: -2}, geom.Vec2{X: 2, Y: 2}, true}
}

// rows returns passes of a ball of 3 mm up the wedge, apart from each other, sunk by some mm along the normal.
func rows(apart, sunk float64) (out [][]geom.Vec3) {
	const radius = 3
	z := func(x float64) float64 { return x + 12 + radius*(math.Sqrt2-1) - sunk*math.Sqrt2 }
	for y := -4.0; y <= 4; y += apart {
		out = append(out, []geom.Vec3{{X: -6, Y: y, Z: z(-6)}, {X: 3, Y: y, Z: z(3)}})
	}
	return out
}

// The judge finds cusps as high as the distance of rows makes them, gouges as deep as made, and cells without a pass.
func TestJudgeOfRows(t *testing.T) {
	const cusp, microns = 0.02, 1000.0
	s, tool := wedge(), Tool{Radius: 3, Corner: 3}
	on := compute.OnCPU(0)
	over, err := on.Over(t.Context(), s.Mesh, geom.World)
	if err != nil {
		t.Fatal(err)
	}
	places, err := NewPlaces(t.Context(), over, s, tool, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	judge, err := NewJudge(context.Background(), on, s, tool, cusp, places.At)
	if err != nil {
		t.Fatal(err)
	}
	apart := math.Sqrt(8 * tool.Radius * cusp)
	height := microns * (tool.Radius - math.Sqrt(tool.Radius*tool.Radius-apart*apart/4))
	for name, row := range map[string]struct {
		passes              [][]geom.Vec3
		most, gouge         float64 // µm
		isOver, isUncovered bool
	}{
		"as asked":  {rows(apart, 0), height, 0, false, false},
		"far apart": {rows(1.5*apart, 0), 1.5 * 1.5 * height, 0, true, false},
		"sunk":      {rows(apart, 0.01), height - 10, -10, false, false},
		"one alone": {rows(apart, 0)[:1], math.Inf(1), 0, true, true},
	} {
		r := judge.Result(row.passes, cusp)
		const near = 1.0 // µm
		if r.Max < row.most-near || r.Max > row.most+near || math.Abs(r.Gouge-row.gouge) > near ||
			(r.Over > 0) != row.isOver || (r.Uncovered > 0) != row.isUncovered || r.Rest > 0.001 {
			t.Errorf("%s: %+v, want at most %.1f µm and %.1f deep", name, r, row.most, row.gouge)
		}
	}
}

// The peer's rows rest on the surface, and cover the region.
func TestParallelRows(t *testing.T) {
	s, tool := wedge(), Tool{Radius: 3, Corner: 3}
	on := compute.OnCPU(0)
	over, err := on.Over(t.Context(), s.Mesh, geom.World)
	if err != nil {
		t.Fatal(err)
	}
	places, err := NewPlaces(t.Context(), over, s, tool, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	heights, err := on.Heights(t.Context(), s.Mesh, geom.World, s.Grid(tool, 0.1))
	if err != nil {
		t.Fatal(err)
	}
	passes, err := places.Parallel(t.Context(), over, s.Region(s.Grid(tool, 0.1), heights), 0.5, 0.2)
	if err != nil || len(passes) < 8 {
		t.Fatalf("%d rows, %v", len(passes), err)
	}
	for _, l := range passes {
		for _, at := range l {
			if want := at.X + 12 + 3*(math.Sqrt2-1); math.Abs(at.Z-want) > 1e-6 {
				t.Fatalf("the tip is at %v, want the height %g", at, want)
			}
		}
	}
}
