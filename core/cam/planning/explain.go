package planning

// What each setup costs, and what the next best choices in its place would cost. The others stay as they are. Work that
// is not made then is priced by hand.

import (
	"fmt"
	"math"
	"slices"
)

// SetupChoice is the price of a setup, and of the choices in its place.
type SetupChoice struct {
	Cents int `json:"cents"` // for each part of the batch: preparing, loading, the device and roughing

	Held    *Alternative `json:"held,omitempty"`    // in the next best clamping; nil: no other holds the part
	Without *Alternative `json:"without,omitempty"` // without the setup; nil: of a plan with one
}

// Alternative is what was not chosen.
type Alternative struct {
	Text  string `json:"text"`  // one sentence
	Cents int    `json:"cents"` // for each part of the batch, more than what was chosen
}

// otherClampings is the number of other clampings that are priced.
const otherClampings = 3

// explain prices the setups of an order.
func (p *planner) explain(steps []setup) []SetupChoice {
	total, unmade := p.priceOfOrder(steps, len(steps), nil)
	more := func(cents int) int { return int(math.Round(float64(cents-total) / p.batch())) }
	out := make([]SetupChoice, len(steps))
	st := p.begin()
	for i := range steps {
		step := &steps[i]
		cents := p.cents(&step.clamping) + p.rated(p.batch()*step.seconds)
		out[i].Cents = int(math.Round(float64(cents) / p.batch()))
		list := p.clampingsBy(st, step.side, step.clamping.asked)
		if len(list) <= otherClampings {
			list = slices.Concat(list, p.fixturesBy(st, step.side, step.clamping.asked))
		}
		for k := range min(len(list), otherClampings+1) {
			if list[k].choice == step.clamping.choice {
				continue
			}
			cents, left := p.priceOfOrder(steps, i, &list[k])
			if h := out[i].Held; h != nil && more(cents) >= h.Cents {
				continue
			}
			out[i].Held = &Alternative{list[k].text, more(cents)}
			if left > unmade+p.tol() {
				out[i].Held.Text += fmt.Sprintf(" It leaves %.4g mm² more to make by hand.", left-unmade)
			}
		}
		if len(steps) > 1 {
			cents, left := p.priceOfOrder(steps, i, nil)
			out[i].Without = &Alternative{
				fmt.Sprintf("Without the setup, %.4g mm² more are left to make by hand.", max(left-unmade, 0)), more(cents),
			}
		}
		p.again(st, step)
	}
	return out
}

// priceOfOrder returns the price of an order for a batch and the area that it leaves, with the setup at an index in
// another clamping, or without it where that is nil.
func (p *planner) priceOfOrder(steps []setup, index int, other *clamping) (cents int, unmade float64) {
	if index < len(steps) { // it may have to make what other setups made
		defer func(was map[option]bool) { p.without = was }(p.without)
		p.without = nil
	}
	st := p.begin()
	for i := range steps {
		var s setup
		switch {
		case i != index:
			s = p.again(st, &steps[i])
		case other != nil:
			s = p.work(st, steps[i].side, other)
		default:
			continue
		}
		cents += p.cents(&s.clamping) + p.rated(p.batch()*s.seconds)
	}
	whole, part := p.unmadeAreas(st)
	return cents + p.handwork(whole+part) + p.priceOfStock(st), whole + part
}
