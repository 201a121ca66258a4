package verify

import (
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/kernel/mesh/edgebreak"
)

// brokenEdges are the edges that a plan breaks. Their chamfers are the regions of the mesh beyond the faces of the
// part.
type brokenEdges struct {
	list  []edgebreak.Edge
	faces int     // number of faces of the part
	width float64 // mm, the largest
}

// of returns the edge whose chamfer is a region; false for faces of the part.
func (b *brokenEdges) of(region int) (edgebreak.Edge, bool) {
	if region < b.faces || region-b.faces >= len(b.list) {
		return edgebreak.Edge{}, false
	}
	return b.list[region-b.faces], true
}

// breakEdges replaces the part by one with the edges broken that the plan breaks.
func (r *replay) breakEdges() error {
	r.edges.faces = len(r.Part.Regions)
	for i := range r.Plan.Setups {
		for k := range r.Plan.Setups[i].Operations {
			if o := &r.Plan.Setups[i].Operations[k]; len(o.Edges) > 0 {
				r.edges.list, r.edges.width = append(r.edges.list, o.Edges...), max(r.edges.width, o.Width)
			}
		}
	}
	if len(r.edges.list) == 0 {
		return nil
	}
	part, _, err := edgebreak.Break(r.Part, r.edges.list, r.edges.width)
	if err != nil {
		return err
	}
	r.Part = part
	return nil
}

// withIdleEdges returns a plan that names the edges of operations that had no moves.
func withIdleEdges(p *planning.Plan, idle []toolpath.Idle) *planning.Plan {
	out := *p
	for i := range idle {
		o := &idle[i].Operation
		if len(o.Edges) == 0 {
			continue
		}
		u := planning.Unmachinable{
			Feature: -1, Reason: completeness.EdgeNotBroken, Detail: idle[i].Detail(), Remedy: "A file.",
		}
		for _, e := range o.Edges {
			u.Regions = append(u.Regions, e[0], e[1])
		}
		slices.Sort(u.Regions)
		u.Regions = slices.Compact(u.Regions)
		out.Unmachinable = append(slices.Clone(out.Unmachinable), u)
	}
	return &out
}
