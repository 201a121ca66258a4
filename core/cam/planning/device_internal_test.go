package planning

import (
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/workholding"
	"millwright.dev/millwright/core/kernel/geom"
)

// turned returns the planner of a block and a state in which its upper part is finished on all sides.
func turned(t *testing.T, size geom.Vec3) (*planner, *state) {
	t.Helper()
	p := blockPlanner(t, size)
	st := p.begin()
	list := p.clampings(st, 0)
	if len(list) == 0 {
		t.Fatal("nothing holds the raw block")
	}
	p.work(st, 0, &list[0])
	return p, st
}

// Plates are as high as a tall block needs, where jaws of a vise would let it tip.
func TestPlatesHoldTallBlocks(t *testing.T) {
	p, st := turned(t, geom.Vec3{X: 100, Y: 100, Z: 12})
	const side = side(4) // +x up: 100 mm high, 12 mm thick
	p.in.Config.Workholding.JawHeight = 20
	list := p.inPlates(st, side)
	if len(list) == 0 {
		t.Fatal("no plates hold it")
	}
	for _, h := range list {
		if h.kind != machining.WorkholdingFixture || h.deviceKind() != DevicePlates || h.strength == nil ||
			!p.isNamed(clamping{kind: h.kind, asked: machining.WorkholdingVise}) {
			t.Errorf("%+v", h)
		}
		rest := side.span(st.left).Lo
		for _, b := range h.jaws {
			if !near(side.span(b).Hi+jawClear, h.limit) || !near(side.span(b).Lo, rest-baseGap) {
				t.Errorf("a plate from %v, tools down to %g", side.span(b), h.limit)
			}
		}
		if len(h.under) != 3 || side.span(h.under[0]).Hi > rest-baseGap+1e-9 {
			t.Errorf("base and bolts: %v", h.under)
		}
		if most := 2 * plateBolts * workholding.ScrewForce(plateTorque, plateBolt); h.strength.force > most {
			t.Errorf("%g N of bolts for %g N", h.strength.force, most)
		}
	}
	named := list[0]
	named.asked = machining.WorkholdingVise
	if cost, vise := p.cents(&named), p.cents(nil); cost < vise+p.rated(plateSeconds)+plateCents-1 {
		t.Errorf("plates cost %d cents more than a vise", cost-vise)
	}
}

// A wide plate that is finished on both faces is held by straps, which are over its edges and not in it.
func TestStrapsHoldPlates(t *testing.T) {
	p, st := turned(t, geom.Vec3{X: 240, Y: 130, Z: 20})
	if h, ok := p.onBase(st, 1); ok {
		t.Errorf("straps on a face that is to be milled: %s", h.text)
	}
	h := p.clampings(st, 1)
	p.work(st, 1, &h[0])
	c, ok := p.onBase(st, 0)
	if !ok {
		t.Fatal("no straps hold it")
	}
	part := p.part.Grow(-1e-6)
	for _, b := range append(c.jaws, c.under...) {
		if common(part, b) {
			t.Errorf("%v is in the part", b)
		}
	}
	g := c.strength.device.(*baseGrip)
	if len(g.Clamps) != mostClamps || len(c.under) != mostClamps+1 || !strings.Contains(c.text, "4 straps (4 × M8 at 20 N·m)") {
		t.Errorf("%d clamps, %d seats: %s", len(g.Clamps), len(c.under), c.text)
	}
	load := workholding.Load{Horizontal: 500, Axial: 100, Height: 15}
	if f := g.least(load); math.Abs(g.at(f).use(load)-1) > 0.01 || f > g.Normal() != (g.use(load) > 1) {
		t.Errorf("%g N hold with a use of %g", f, g.at(f).use(load))
	}
}

// A side that nothing holds up is named, with the price of a fixture.
func TestUnheldIsNamed(t *testing.T) {
	p := blockPlanner(t, geom.Vec3{X: 30, Y: 30, Z: 20})
	st := p.begin()
	st.before[0] = true
	p.in.Config.Workholding.Opening, p.in.Config.Workholding.OuterOpening = 10, 0
	list := p.fixturesBy(st, 1, machining.WorkholdingVise)
	r := p.whyUnheld(st, 1)
	if r.reason != completeness.Unheld || !strings.Contains(r.detail, "−z up") || !strings.Contains(r.remedy, "$") {
		t.Errorf("%+v, with %d fixtures", r, len(list))
	}
}

// A raw bar lies in jaws that are bored to it, along the part of it that is still round.
func TestBarsLieInBoredJaws(t *testing.T) {
	p := blockPlanner(t, geom.Vec3{X: 20, Y: 20, Z: 80})
	p.in.Config.Stock.Kind = machining.StockCylinder
	if err := p.place(); err != nil {
		t.Fatal(err)
	}
	const side = side(4) // +x up
	st := p.begin()
	list := p.inBored(st, side)
	if len(list) == 0 {
		t.Fatal("no jaws hold the bar")
	}
	radius, middle := along(p.stock, 0).Length()/2, p.stock.Center()
	for _, h := range list {
		if h.strength.grip.Length < along(p.stock, 2).Length()-2 || h.kind != machining.WorkholdingVise {
			t.Errorf("%s: %+v", h.text, h.strength)
		}
		for _, b := range h.jaws {
			x := max(b.Min.X-middle.X, middle.X-b.Max.X, 0)
			if y := max(b.Min.Y-middle.Y, middle.Y-b.Max.Y, 0); math.Hypot(x, y) < radius-1e-6 {
				t.Errorf("%v is in the bar", b)
			}
		}
	}
	st.cuts = append(st.cuts, cut{0, 30}) // around the part, down to 30 mm
	if cut := p.inBored(st, side); len(cut) == 0 || cut[0].strength.grip.Length > 30+3 {
		t.Errorf("in jaws over what is cut: %d", len(cut))
	}
	if list := p.inBored(st, 0); len(list) > 0 {
		t.Errorf("an upright bar lies in %s", list[0].text)
	}
}
