// Package channel finds T-slots and dovetails: straight channels that are wider below than at their
// opening.
package channel

// Method: what their cutters sweep is a prism along a straight line, so that a channel is found by its
// cross-section. From each floor half-sections are followed over inner edges along one line (half.go): walls and the
// fillets between them that turn further inwards the higher they stand, up to a flank that leans over the floor, or to
// a ceiling with a neck above it. Two that face each other over one floor are the cross-section of a channel
// (section.go). Of the part the channel has what lies on these surfaces within the cross-section, however many pieces
// other features leave of it, the fillets between, and what closes an end (gather.go). Whatever else can be reached
// over inner edges is of other features, which open into the channel.
//
// Cost: linear in the edges of floors and their walls; planes on the surfaces of a cross-section are looked up.
// Limits: planar walls, straight channels; ring-shaped ones are left to other rules.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

// Channel is one T-slot or dovetail.
type Channel struct {
	Type    feature.Type // Tslot or Dovetail
	Floor   []int32      // the pieces of its floor
	Dir     geom.Vec3    // unit normal of the floor
	Along   geom.Vec3    // unit, along the channel, canonical sense
	Patches []int32      // ascending, the floor included
	Open    []int32      // of these the ones seen along Dir: necks of a T-slot, the floor of a dovetail
	Reason  string
}

// maxLooks bounds the triangles that are looked at on the ways out of channels and across them, about a second: parts
// with more are finely meshed and full of undercuts, and what comes later there is left to other rules.
const maxLooks = 2e8

// channels are the rules of this package on the graph of one part.
type channels struct {
	*graph.Graph
	taken  []bool // by patch
	planes *graph.PlaneIndex
	halves []half
	sides  *graph.PlaneIndex // half-sections by where their feet lie
	looks  float64           // triangles that may still be looked at
}

// Find returns what may be channels of a part, the largest first; taken patches, by patch, are not looked at. Two may
// have patches in common.
func Find(g *graph.Graph, taken []bool) []Channel {
	f := channels{Graph: g, taken: taken, looks: maxLooks}
	f.findHalves()
	if !slices.ContainsFunc(f.halves, func(h half) bool { return h.floor != graph.None }) {
		return nil
	}
	all := make([]int32, len(g.Patches))
	for i := range all {
		all[i] = int32(i)
	}
	f.planes = g.NewPlanes(all)
	f.enterSides()
	f.mirror()
	var out []Channel
	done := make([]bool, len(f.halves))
	for i := range f.halves {
		if done[i] || f.halves[i].floor == graph.None {
			continue
		}
		s, ok := f.sectionWith(i)
		if !ok {
			continue
		}
		done[i] = true
		for _, k := range s.same {
			done[k] = true
		}
		if c, ok := f.from(s); ok {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b Channel) int {
		return cmp.Compare(direction.RoundSignificant(g.AreaOf(b.Patches)), direction.RoundSignificant(g.AreaOf(a.Patches)))
	})
	return out
}

// isFree reports whether nothing stands between two points; false when enough has been looked at.
func (f *channels) isFree(from, to geom.Vec3) bool {
	f.looks -= float64(len(f.Mesh.Triangles))
	return f.looks > 0 && !f.Crosses(from, to)
}

// from makes the channel of a cross-section, unless what is left of it is none.
func (f *channels) from(s *section) (c Channel, ok bool) {
	m := f.gather(s)
	if !m.isChannel() {
		return c, false
	}
	a, b := &s.side[0], &s.side[1]
	c = Channel{Type: a.typ, Floor: m.of[floor], Dir: s.up, Along: graph.Canonical(s.run), Patches: m.sorted(),
		Open: slices.Concat(m.of[neck], m.of[neckRight])}
	if c.Type == feature.Tslot {
		c.Reason = "Two upright sides stand under ceilings, with a narrower neck above."
		return c, true
	}
	c.Open = c.Floor
	lean := func(h *half) float64 { return geom.Degrees(math.Asin(-f.Patches[h.walls[0]].Axis.Dot(s.up))) }
	c.Reason = fmt.Sprintf("Two flanks lean %.3g° and %.3g° over a flat floor.", lean(a), lean(b))
	return c, true
}
