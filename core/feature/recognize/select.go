package recognize

// The selector: of several readings of a part it takes the one that explains it best.
//
// A rule that is not sure asks whether a hypothesis holds, and says what it thinks itself. The first reading follows
// the rules. Then each hypothesis that one of them was not sure of is turned round, with all that follows from it, and
// the other reading is kept where it costs less (cost.go). So two rules need not know of each other to be weighed
// against each other.
//
// Method: local search over the hypotheses, in the order of their asking, as in the minimum description length
// principle (J. Rissanen, Automatica 14, 1978): the reading that needs the fewest features and leaves the least
// unexplained.
//
// Cost: one reading for each doubt, maxTrials of them.

import (
	"context"
	"slices"
)

// maxTrials bounds the readings of one part.
const maxTrials = 64

// better is by how much a reading must cost less to replace one that follows the rules.
const better = 0.05

// doubt is a hypothesis that a rule is not sure of: what it is about, and the patch that names it.
type doubt struct {
	rule  string
	patch int32
	other int32 // tells two of one patch apart
}

// holds returns whether a hypothesis holds, as the selector says, else as the rule thinks.
func (r *recognizer) holds(d doubt, asRuleThinks bool) bool {
	if !slices.Contains(r.doubts, d) {
		r.doubts = append(r.doubts, d)
	}
	if verdict, ok := r.verdicts[d]; ok {
		return verdict
	}
	if r.verdicts == nil {
		r.verdicts = map[doubt]bool{}
	}
	r.verdicts[d] = asRuleThinks
	return asRuleThinks
}

// best returns the reading that costs least. It returns the error of ctx.
func (f *facts) best(ctx context.Context) (*recognizer, error) {
	best, err := f.read(ctx, nil)
	if err != nil || len(best.doubts) == 0 {
		return best, err
	}
	least := best.cost()
	tried := map[doubt]bool{}
	for trials := 0; trials < maxTrials; trials++ {
		i := slices.IndexFunc(best.doubts, func(d doubt) bool { return !tried[d] })
		if i < 0 {
			break
		}
		d := best.doubts[i]
		tried[d] = true
		other, err := f.read(ctx, best.turned(d))
		if err != nil {
			return nil, err
		}
		if c := other.cost(); c < least-better {
			best, least = other, c
		}
	}
	return best, nil
}

// turned returns the verdicts of a reading with one turned round.
func (r *recognizer) turned(d doubt) map[doubt]bool {
	out := make(map[doubt]bool, len(r.verdicts))
	for k, v := range r.verdicts {
		out[k] = v != (k == d)
	}
	return out
}
