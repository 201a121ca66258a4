package direction

// What of a feature's faces its own direction does not see.
//
// A face of a feature counts as made when its direction sees madeShare of it: the rest of that is samples at rims and
// what crosses walls. Of one that is seen less, what is not seen is left over. T-slots and dovetails are left out: their
// cutters work behind the neck.

import (
	"fmt"

	"millwright/core/feature"
	"millwright/core/feature/graph"
	"millwright/core/geom"
)

// madeShare is the share of a face from which on it is made as a whole.
const madeShare = 0.8

// Rest is what is left over of the faces of one feature.
type Rest struct {
	Feature int
	Regions []int   // ascending
	Area    float64 // mm², of what is not seen
	Reason  string  // one of the Reason constants of package feature
	Detail  string  // one sentence for a machinist
}

// Hidden lists what is left over of features, in their order.
func Hidden(g *graph.Graph, s *Visibility, features []feature.Feature) []Rest {
	var out []Rest
	for i := range features {
		f := &features[i]
		d := s.Find(f.Direction)
		if d == graph.None || f.Type == feature.Tslot || f.Type == feature.Dovetail {
			continue
		}
		var elsewhere, nowhere Rest
		for _, p := range g.PatchesOf(f.Regions) {
			seen := s.Share[d][p]
			if seen >= madeShare {
				continue
			}
			r := &nowhere
			if best, _ := s.best(p); best > seen+seenAtAll {
				r = &elsewhere
			}
			r.Regions = append(r.Regions, g.Regions([]int32{p})...)
			r.Area += (1 - seen) * g.Patches[p].Area
		}
		from := along(f.Direction)
		for _, r := range [2]*Rest{&elsewhere, &nowhere} {
			if len(r.Regions) == 0 {
				continue
			}
			r.Feature = i
			r.Reason, r.Detail = feature.ReasonUndercut, fmt.Sprintf("Parts of this %s are hidden from %s.", f.Type, from)
			if r == &elsewhere {
				r.Reason = feature.ReasonOtherDirection
				r.Detail = fmt.Sprintf("Parts of this %s are hidden from %s, and other directions see more of them.",
					f.Type, from)
			}
			out = append(out, *r)
		}
	}
	return out
}

// along shows a direction.
func along(d geom.Vec3) string { return fmt.Sprintf("(%.3g, %.3g, %.3g)", d.X, d.Y, d.Z) }
