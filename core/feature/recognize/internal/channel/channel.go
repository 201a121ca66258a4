// Package channel finds T-slots and dovetails: straight channels that are wider below than at their opening.
package channel

// Method: the cutter of a channel sweeps a prism along a straight line, so that a channel is found by its
// cross-section. From each floor, half-sections are followed over concave edges along one line (half.go): walls and
// fillets that turn further inward with height, up to a flank that leans over the floor, or to a ceiling with a neck
// above it. Two half-sections that face each other over one floor are the cross-section of a channel (section.go). The
// channel has all patches on these surfaces within the cross-section, the fillets between, and the patches that close
// an end (gather.go). Other patches beyond concave edges are of other features, which open into the channel.
//
// Cost: linear in the edges of floors and their walls. Planes on the surfaces of a cross-section are looked up.
// Limits: planar walls and straight channels. Ring-shaped channels are left to other rules.

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
	Patches []int32      // ascending, with the floor
	Open    []int32      // patches seen along Dir: necks of a T-slot, the floor of a dovetail
	Reason  string
}

// maxTriangles bounds the triangles tested along and across channels, about a second. Parts with more are finely meshed
// with many undercuts, and later rules get the rest.
const maxTriangles = 2e8

// channels are the rules of this package on the graph of one part.
type channels struct {
	*graph.Graph
	taken  []bool // by patch
	planes *graph.PlaneIndex
	halves []half
	sides  *graph.PlaneIndex // half-sections by the place of their bases
	budget float64           // triangles left to test
}

// Find returns the possible channels of a part, the largest first, without taken patches. Two channels may have patches
// in common.
func Find(g *graph.Graph, taken []bool) []Channel {
	f := channels{Graph: g, taken: taken, budget: maxTriangles}
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

// isFree reports whether only air lies between two points. It is false after maxTriangles triangles.
func (f *channels) isFree(from, to geom.Vec3) bool {
	f.budget -= float64(len(f.Mesh.Triangles))
	return f.budget > 0 && !f.Crosses(from, to)
}

// from returns the channel of a cross-section. ok is false if too little of it is left.
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
