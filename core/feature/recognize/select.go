package recognize

// The selector: of several readings of a part, it takes the one with the lowest cost.
//
// A rule that is not sure asks whether a hypothesis holds and gives its own answer. The first reading follows the
// rules. Then each hypothesis is inverted, with all consequences, and the other reading is kept if it costs less
// (cost.go). So no rule needs to weigh itself against another.
//
// Method: local search over the hypotheses in the order of the questions, by the minimum description length principle
// (J. Rissanen, Automatica 14, 1978): the reading with the fewest features and the fewest unexplained patches.
//
// Cost: one reading for each hypothesis, at most maxTrials.

import (
	"context"
	"slices"
)

// maxTrials bounds the readings of one part.
const maxTrials = 64

// better is the least difference in cost for a reading to replace another.
const better = 0.05

// hypothesis is an assumption of a rule about a patch.
type hypothesis struct {
	rule  string
	patch int32
	other int32 // tells two of one patch apart
}

// hypotheses are the assumptions of one reading.
type hypotheses struct {
	verdicts map[hypothesis]bool // answers of the selector, which replace those of the rules, and of this reading
	asked    []hypothesis        // in the order of the questions
}

// holds returns the verdict on a hypothesis, byRule where the selector has none.
func (h *hypotheses) holds(d hypothesis, byRule bool) bool {
	if !slices.Contains(h.asked, d) {
		h.asked = append(h.asked, d)
	}
	if verdict, ok := h.verdicts[d]; ok {
		return verdict
	}
	if h.verdicts == nil {
		h.verdicts = map[hypothesis]bool{}
	}
	h.verdicts[d] = byRule
	return byRule
}

// inverted returns the verdicts of a reading with the opposite one on d.
func (h *hypotheses) inverted(d hypothesis) map[hypothesis]bool {
	out := make(map[hypothesis]bool, len(h.verdicts))
	for k, v := range h.verdicts {
		out[k] = v != (k == d)
	}
	return out
}

// best returns the reading with the lowest cost. The error is that of ctx.
func best(ctx context.Context, pc *partContext) (*reading, error) {
	best, err := read(ctx, pc, nil)
	if err != nil {
		return nil, err
	}
	least := cost(best.reading)
	tried := map[hypothesis]bool{}
	for range maxTrials {
		i := slices.IndexFunc(best.asked, func(d hypothesis) bool { return !tried[d] })
		if i < 0 {
			break
		}
		d := best.asked[i]
		tried[d] = true
		other, err := read(ctx, pc, best.inverted(d))
		if err != nil {
			return nil, err
		}
		if c := cost(other.reading); c < least-better {
			best, least = other, c
		}
	}
	return best.reading, nil
}
