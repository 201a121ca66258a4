package compute

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/compute/raster/rastertest"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/cam/stock/removal"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestEngineSimulatesRemoval cuts a block with a step from a larger block. It checks the removed, touched and gouged
// volumes of the ports.
func TestEngineSimulatesRemoval(t *testing.T) {
	var m removal.Simulator = OnCPU(2)
	part := rastertest.Block(geom.Vec3{}, geom.Vec3{X: 20, Y: 10, Z: 5})
	l := dexel.Lattice{Origin: geom.Vec3{X: -0.13, Y: -0.13, Z: -0.13}, Step: 0.25, Count: [3]int{82, 42, 34}}
	keep, err := m.Dexelize(t.Context(), part, l)
	if err != nil {
		t.Fatal(err)
	}
	stock, err := dexel.NewBlock(l, geom.Box{Max: geom.Vec3{X: 20, Y: 10, Z: 8}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.Start(stock, keep, 0.001)
	if err != nil {
		t.Fatal(err)
	}
	tool := &toolprofile.Assembly{}
	tool.Line(2, 0, toolprofile.Cutting)
	tool.Line(2, 2, toolprofile.Cutting)
	tool.Line(2, 30, toolprofile.Shank)
	along := func(y, z float64) motion.Segment {
		return motion.Segment{From: geom.Vec3{X: -5, Y: y, Z: z}, To: geom.Vec3{X: 25, Y: y, Z: z}}
	}
	met, err := s.Cut(t.Context(), removal.ToolMotion{Tool: tool, Frame: geom.World,
		Moves: []motion.Segment{along(0, 5), along(0, 5), along(10, 4.5)}})
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.05*want {
			t.Errorf("%s %g mm³, want %g", what, got, want)
		}
	}
	near("the first move removes", met.Removed[0], 20*2*2) // material above the flutes collides with the shank
	near("the shank meets", met.Touched[toolprofile.Shank][0], 20*2*1)
	if met.Removed[1] != 0 {
		t.Errorf("the same way again removes %g mm³", met.Removed[1])
	}
	if len(met.Gouges) == 0 {
		t.Error("no gouge is told")
	}
	for _, g := range met.Gouges {
		if g.Move != 2 || g.Axis == 2 && math.Abs(g.Depth-0.5) > 1e-5 {
			t.Errorf("gouge %+v, want one of move 2, 0.5 mm deep", g)
		}
	}
	left, err := s.Stock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if h, ok := left.Height(2, 40, 4); !ok || math.Abs(h-5) > 1e-5 && math.Abs(h-8) > 1e-5 {
		t.Errorf("what is left ends at %g mm", h)
	}
	over, err := m.Over(t.Context(), part, geom.World)
	if err != nil {
		t.Fatal(err)
	}
	z, err := over.Clearance(t.Context(), tool.Outline, []geom.Vec3{
		{X: 10, Y: 5, Z: 2}, {X: -1.9, Y: 5, Z: 5.5}, {X: -2.1, Y: 5, Z: math.Inf(-1)},
	})
	if err != nil || z[0] != 5 || z[1] != 5.5 || !math.IsInf(z[2], -1) {
		t.Errorf("clearance %v, %v; want 5, 5.5 and none", z, err)
	}
}

// TestCutOfOneAxisKeepsOtherRays checks that a cut of the rays along one axis gives these the same result as a cut of
// all rays, and does not change the others.
func TestCutOfOneAxisKeepsOtherRays(t *testing.T) {
	var m removal.Simulator = OnCPU(2)
	l := dexel.Lattice{Step: 0.5, Count: [3]int{20, 20, 20}}
	stock, err := dexel.NewBlock(l, l.Box())
	if err != nil {
		t.Fatal(err)
	}
	tool := &toolprofile.Assembly{}
	tool.Line(2, 0, toolprofile.Cutting)
	tool.Line(2, 20, toolprofile.Cutting)
	left := func(axes [3]bool) *dexel.Stock {
		s, err := m.Start(stock, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Cut(t.Context(), removal.ToolMotion{Tool: tool, Frame: geom.World, Axes: axes,
			Moves: []motion.Segment{{From: geom.Vec3{X: 2, Y: 5, Z: 5}, To: geom.Vec3{X: 8, Y: 5, Z: 5}}}})
		if err != nil {
			t.Fatal(err)
		}
		d, err := s.Stock(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	all := left([3]bool{})
	for axis := range 3 {
		var axes [3]bool
		axes[axis] = true
		one := left(axes)
		for a := range 3 {
			want := stock.Bundles[a]
			if a == axis {
				want = all.Bundles[a]
			}
			if !slices.Equal(one.Bundles[a].Spans, want.Spans) {
				t.Errorf("cut along axis %d: rays along axis %d are not as wanted", axis, a)
			}
		}
		if slices.Equal(all.Bundles[axis].Spans, stock.Bundles[axis].Spans) {
			t.Errorf("nothing was cut along axis %d", axis)
		}
	}
}
