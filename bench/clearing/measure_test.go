package clearing_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/bench/clearing"
	"millwright.dev/millwright/core/kernel/geom"
)

func pt(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }

func box(x0, y0, x1, y1 float64) clearing.Polygon {
	return clearing.Polygon{pt(x0, y0), pt(x1, y0), pt(x1, y1), pt(x0, y1)}
}

func measured(t *testing.T, loops []clearing.Polygon, radius, target float64, moves ...clearing.Move) clearing.Figures {
	t.Helper()
	f, err := clearing.Measure(loops, radius, target, moves)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func near(t *testing.T, name string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within {
		t.Errorf("%s is %g; want %g", name, got, want)
	}
}

// The front arc of a straight cut along a cleared strip is acos(1-ae/R), and that of a slot is 180°.
func TestArcsOfStraightCuts(t *testing.T) {
	const radius = 5
	for _, stepover := range []float64{0.5, 2.5, 5, 7} {
		y := stepover - radius
		f := measured(t, []clearing.Polygon{box(-100, 0, 100, 40)}, radius, math.Acos(1-stepover/radius),
			clearing.Move{To: pt(120, y), Kind: clearing.Enter}, clearing.Move{To: pt(-120, y)})
		want := geom.Degrees(math.Acos(1 - stepover/radius))
		near(t, "the mean arc", f.MeanDeg, want, 0.03*want)
		near(t, "the worst arc", f.WorstDeg, want, 0.1)
		near(t, "the cut", f.Cut, 200, 12)
		if f.Over > 0 {
			t.Errorf("stepover %g: %g of the cut is over the target", stepover, f.Over)
		}
	}
	f := measured(t, []clearing.Polygon{box(-100, -50, 100, 50)}, radius, 1,
		clearing.Move{To: pt(-110, 0), Kind: clearing.Enter}, clearing.Move{To: pt(90, 0)})
	near(t, "the worst arc of a slot", f.WorstDeg, 180, 0.5)
	near(t, "the share over the target", f.Over, 1, 0.01)
	near(t, "the share far over the target", f.FarOver, 1, 0.01)
}

// The first turn after a plunge into material has no arcs. Links through material and cuts in the air count apart.
func TestEntriesLinksAndAir(t *testing.T) {
	const radius = 5
	pocket := []clearing.Polygon{box(-100, -20, 100, 20)}
	f := measured(t, pocket, radius, 1,
		clearing.Move{To: pt(-90, 0), Kind: clearing.Enter}, clearing.Move{To: pt(-50, 0)},
		clearing.Move{To: pt(-90, 0)}, clearing.Move{To: pt(-30, 0), Kind: clearing.Link})
	near(t, "the cut after the entry", f.Cut, 40-2*math.Pi*radius, 0.5)
	near(t, "the cut in the air", f.Air, 40, 0.5)
	near(t, "the link", f.Link, 60, 1e-9)
	near(t, "the worst arc of the link", f.LinkDeg, 180, 0.5)
	f = measured(t, pocket, radius, 1,
		clearing.Move{To: pt(0, 0), Kind: clearing.Enter, Helix: 4},
		clearing.Move{To: pt(4, 0)}, clearing.Move{To: pt(20, 0)})
	near(t, "the air in the bore of a helix", f.Air, 4, 0.3)
	near(t, "the cut out of the bore", f.Cut, 16, 0.3)
}

// A frame of cuts leaves a square that stands free. It leaves none if it is also cut.
func TestStuds(t *testing.T) {
	const radius = 5
	pocket := []clearing.Polygon{box(0, 0, 40, 40)}
	round := []clearing.Move{
		{To: pt(5, 5), Kind: clearing.Enter}, {To: pt(35, 5)}, {To: pt(35, 35)}, {To: pt(5, 35)}, {To: pt(5, 5)},
	}
	f := measured(t, pocket, radius, 1, append(round,
		clearing.Move{To: pt(5, 13)}, clearing.Move{To: pt(35, 13)},
		clearing.Move{To: pt(35, 27)}, clearing.Move{To: pt(5, 27)})...)
	if f.Studs != 1 || math.Abs(f.Left-20*4) > 3 || f.Largest != f.Left {
		t.Errorf("%d studs, %g mm², the largest of %g mm²; want one of 80 mm²", f.Studs, f.Left, f.Largest)
	}
	near(t, "the reachable area", f.Reachable, 1600-(4-math.Pi)*radius*radius, 3)
	f = measured(t, pocket, radius, 1, append(round,
		clearing.Move{To: pt(5, 13)}, clearing.Move{To: pt(35, 13)},
		clearing.Move{To: pt(35, 20)}, clearing.Move{To: pt(5, 20)},
		clearing.Move{To: pt(5, 27)}, clearing.Move{To: pt(35, 27)})...)
	if f.Studs != 0 || f.Left > 1 {
		t.Errorf("%d studs, %g mm² left after all is cut", f.Studs, f.Left)
	}
}
