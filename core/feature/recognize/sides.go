package recognize

// Sides of outlines that other features have cut off.
//
// What bounds the silhouette of a part along a direction is its outline there, and one pass cuts all of it, however
// others have cut it to pieces since. A cut at one height misses what they took away there: a free face that lies in the
// plane or on the mantle of a side of an outline is of it, and so is a plane that the outline touches from behind, all of it.
//
// Cost: planes and mantles on the surfaces of an outline's sides are looked up, and those beside them; each is linear in the
// triangles of the outline.

import (
	"math"
	"slices"

	"millwright/core/feature/graph"
	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// sidesOfOutlines gives outlines the free walls that bound the same silhouette.
func (r *recognizer) sidesOfOutlines() {
	g := r.g
	var free []int32
	for p, isTaken := range r.taken {
		if !isTaken {
			free = append(free, int32(p))
		}
	}
	planes := g.NewPlanes(free)
	axes := g.NewAxes(slices.DeleteFunc(free, func(p int32) bool { return !g.Patches[p].Shape.IsMantle() }))
	for f := range r.out {
		o := &r.out[f]
		d := r.v.Find(o.dir)
		if o.rule != outerProfile || d == graph.None {
			continue
		}
		known, sides := len(o.patches), slices.Clone(o.patches)
		for i := 0; i < len(sides); i++ { // what is added has neighbours in turn
			s := &g.Patches[sides[i]].Shape
			add := func(q int32) {
				if !r.isElsewhere(q) && r.leansLittle(q, o.dir) && r.isOutside(d, q) {
					r.extend(int32(f), q)
					sides = append(sides, q)
				}
			}
			flush := func(q int32) {
				if g.Continues(s, &g.Patches[q].Shape) {
					add(q)
				}
			}
			if s.Kind == surface.KindPlane {
				planes.Between(s.Axis, s.Origin, -g.Length, g.Length, flush)
			} else if s.IsMantle() {
				axes.Near(s, flush)
			}
			for _, x := range g.Patches[sides[i]].Arcs {
				if q := g.Arcs[x].Other(sides[i]); !r.taken[q] && r.reachUpTo(sides, q) {
					add(q)
				}
			}
		}
		if len(sides) > known {
			o.reasons = append(o.reasons, "Others have cut sides of it off.")
		}
	}
}

// leansLittle reports whether a face leans by a draft at most along a direction.
func (r *facts) leansLittle(p int32, dir geom.Vec3) bool {
	s := r.g.Slopes(p, dir)
	return max(math.Abs(s.Lo), math.Abs(s.Hi)) <= maxDraft
}

// reachUpTo reports whether some patches lie behind a plane and reach up to it.
func (r *facts) reachUpTo(patches []int32, plane int32) bool {
	s := &r.g.Patches[plane].Shape
	return s.Kind == surface.KindPlane && math.Abs(r.g.ExtentOf(patches, s.Axis).Hi-s.Origin.Dot(s.Axis)) <= r.g.Length
}
