package planning

// Sloped breaks of edges: planes and cones that the flank of a pointed tool makes as it goes along them. The smallest
// tool whose flank is wide enough is taken, as it goes into the narrowest places and cuts as well.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	leastSeen  = 0.9 // share of a bevel, as of walls
	bevelMatch = 0.5 // degrees by which the flank of a tool may differ from the bevel it makes
	tipMargin  = 0.2 // mm of the flank of a pointed tool at either end that do not cut
)

// bevelApproaches finds the pointed tools for the sloped breaks of edges.
func (p *planner) bevelApproaches(s side, at []int) {
	v := p.in.Run.Visibility
	for q := range p.g.Patches {
		if at[q] < 0 || !p.isBevel(int32(q)) {
			continue
		}
		angle, ok := p.bevelAngle(int32(q), s)
		if !ok || v.Share[p.seen[s]][q] < leastSeen {
			continue
		}
		z := s.span(p.boxes[q])
		wide := z.Length() * math.Tan(angle)
		spot := place{side: s, patches: []int32{int32(q)}, bottom: z.Lo}
		right := func(t *tool) bool {
			return math.Abs(geom.Radians(*t.TipAngleDeg)/2-angle) <= geom.Radians(bevelMatch)
		}
		list := p.choose(func(t *tool) bool {
			spot.beside = t.Diameter / 2
			return right(t) && wide+2*tipMargin <= t.Diameter/2-t.TipRadius() && p.clears(&spot, t)
		}, machining.ChamferMill)
		if len(list) == 0 {
			p.set(at[q], s, nil, p.noPoint(angle, wide, right))
			continue
		}
		best := slices.MinFunc(list,
			func(i, j int) int { return cmp.Compare(p.tools[i].Diameter, p.tools[j].Diameter) })
		p.set(at[q], s, &approach{kind: bevel, tool: best, z: z, wide: p.tools[best].Diameter}, nil)
	}
}

// isBevel reports whether a patch is a plane or cone of a chamfer or a hole.
func (p *planner) isBevel(q int32) bool {
	k := p.g.Patches[q].Kind
	if k != surface.KindPlane && k != surface.KindCone {
		return false
	}
	return slices.ContainsFunc(p.owners[q], func(f int) bool {
		t := p.in.Run.Features[f].Type
		return t == feature.Chamfer || t == feature.Hole
	})
}

// bevelAngle returns the angle between a bevel and the axis of a tool from a side, rad; false where it does not slope
// toward the side, all over at one angle.
func (p *planner) bevelAngle(q int32, s side) (float64, bool) {
	sh, dir := &p.g.Patches[q].Shape, s.dir(p.frame)
	if sh.Kind == surface.KindCone && sh.Axis.Cross(dir).Norm() > graph.DirectionTolerance {
		return 0, false
	}
	up := p.g.Slopes(q, dir)
	if up.Lo <= graph.DirectionTolerance || up.Hi >= 1-graph.DirectionTolerance {
		return 0, false
	}
	return math.Asin(up.Lo), true
}

func (p *planner) noPoint(angle, wide float64, right func(t *tool) bool) *rejection {
	if list := p.choose(right, machining.ChamferMill); len(list) > 0 {
		return refuse(completeness.OutOfReach,
			"The bevel is %.4g mm wide across the tool, and no chamfer mill of its angle reaches it with its flank.",
			round(wide)).with("A larger chamfer mill of its angle.")
	}
	return refuse(completeness.NoToolFits,
		"The bevel is at %.4g° to the tool, and no chamfer mill has a flank of that angle.",
		math.Round(geom.Degrees(angle)*1000)/1000).
		with("A chamfer mill of %.4g°, or a ball end mill along the slope.",
			math.Round(2*geom.Degrees(angle)*1000)/1000)
}
