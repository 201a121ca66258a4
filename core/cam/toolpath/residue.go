package toolpath

import (
	"cmp"
	"fmt"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/feature/graph"
)

// Rest material is reported by connected areas: the reason that the tool does not reach it, the adjacent faces, and the
// amount.

// leftover is a prism that stays.
type leftover struct {
	reason      completeness.Reason
	detail      string
	patches     map[int32]bool
	area        float64 // mm²
	bottom, top float64 // mm
}

// leftovers are the leftovers of an operation.
type leftovers struct {
	list    []leftover
	claims  []claim
	refused *leftover // why the rings that could not be entered were not
}

func (s *leftovers) add(l leftover) { s.list = append(s.list, l) }

// refuse records the reason that reachable material remains.
func (s *leftovers) refuse(reason completeness.Reason, detail string) {
	s.refused = &leftover{reason: reason, detail: detail}
}

// residue returns the rest material, with all material of one reason and the same faces merged.
func (s *leftovers) residue(g *graph.Graph) []RestMaterial {
	type sum struct {
		RestMaterial
		bottom, top float64
	}
	var keys []string
	sums := map[string]*sum{}
	for _, l := range s.list {
		var patches []int32
		for p := range l.patches {
			patches = append(patches, p)
		}
		slices.Sort(patches)
		key := fmt.Sprint(l.reason, patches)
		r := sums[key]
		if r == nil {
			r = &sum{RestMaterial{Regions: g.Regions(patches), Reason: l.reason, Detail: l.detail}, l.bottom, l.top}
			sums[key] = r
			keys = append(keys, key)
		}
		r.Volume += l.area * (l.top - l.bottom)
		r.bottom, r.top = min(r.bottom, l.bottom), max(r.top, l.top)
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(sums[b].Volume, sums[a].Volume), cmp.Compare(a, b))
	})
	out := make([]RestMaterial, 0, len(keys))
	for _, k := range keys {
		r := sums[k]
		r.Height = r.top - r.bottom
		out = append(out, r.RestMaterial)
	}
	return out
}
