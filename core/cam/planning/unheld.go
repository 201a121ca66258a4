package planning

// Sides from which work could be done that no device holds up.

import (
	"fmt"

	"millwright.dev/millwright/core/cam/completeness"
)

// A fixture that is designed by hand costs as much as plates, or up to this.
const (
	slowFixture   = 19_800 // s, to design, make and set up
	costlyFixture = 10_000 // cents, of material
)

// unheld returns why a task is not made if nothing holds the part in the final state with any side up from which it
// could be made; nil otherwise.
func (p *planner) unheld(t *task, st *state) *rejection {
	for s := side(0); s < sides; s++ {
		if t.ways[s] == nil || st.before[s] || !p.fits[s] {
			continue
		}
		if p.canBeHeld(st, s) {
			return nil
		}
		if r := p.whyUnheld(st, s); r != nil {
			return r
		}
	}
	return nil
}

// canBeHeld reports whether a device of the cut config holds the part with a side up.
func (p *planner) canBeHeld(st *state, s side) bool {
	kind := p.in.Config.Workholding.Kind
	return len(p.clampingsBy(st, s, kind))+len(p.fixturesBy(st, s, kind)) > 0
}

// whyUnheld says why nothing holds the part with a side up, and the price of a fixture.
func (p *planner) whyUnheld(st *state, s side) *rejection {
	why := "no finished faces are opposite to each other or around it over the depth of a grip"
	switch high := s.span(p.part).Hi - jawClear - s.span(st.left).Lo; {
	case high < leastForm:
		why = fmt.Sprintf("jaws could be %.2g mm high there at most, and need %.2g mm", max(high, 0), leastForm)
	case p.isGripped(st, s):
		why = "the faces that could be gripped are too small or too low to hold it against a light cut"
	}
	return refuse(completeness.Unheld, "No vise, soft jaws, chuck, bed or plates hold the part with %v up: %s.", s, why).
		with("A fixture that is designed by hand, about $%d to $%d.", p.fixtureCents()/100,
			(p.rated(slowFixture)+costlyFixture)/100)
}

// isGripped reports whether some device would hold the part in a material that takes no force to cut.
func (p *planner) isGripped(st *state, s side) bool {
	on := *p
	on.known = nil
	on.in.Config.Material.SpecificCuttingForce = 0
	return len(on.findClampings(st, s, on.in.Config.Workholding.Kind))+len(on.inFixtures(st, s)) > 0
}
