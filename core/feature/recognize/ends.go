package recognize

// Round ends of pockets.
//
// What others leave of a slot may be its ends alone, or an end and what lies far from it. A tool that cut both went along the
// flanks: an end belongs to a slot where it touches both flanks, or one on which the other end stands too, at the same
// height, with nothing but air between.
//
// Cost: flanks are looked up by where they lie; maxAir gaps are looked at, each linear in triangles.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// maxSides bounds the lines to which flanks of slots are square.
const maxSides = 32

// roundEnds makes one pocket of a slot and an end of it that others have parted from its flanks.
func (r *recognizer) roundEnds(tried *int) {
	g := r.g
	var flanks, ends []int32
	var sides []geom.Vec3 // that flanks face
	for p, f := range r.owner {
		if f == graph.None || r.out[f].typ != feature.Pocket {
			continue
		}
		switch s := &g.Patches[p].Shape; {
		case s.Kind == surface.KindPlane:
			flanks = append(flanks, int32(p))
			if len(sides) < maxSides && !slices.ContainsFunc(sides, func(n geom.Vec3) bool { return graph.Parallel(n, s.Axis) }) {
				sides = append(sides, s.Axis)
			}
		case s.Kind == surface.KindCylinder && s.Hollow && r.isLoneEnd(int32(p), f):
			ends = append(ends, int32(p))
		}
	}
	planes := g.NewPlanes(flanks)
	for _, e := range ends {
		s := &g.Patches[e].Shape
		for _, n := range sides {
			if math.Abs(n.Dot(s.Axis)) > graph.AxisTolerance {
				continue
			}
			left := map[int32]bool{} // slots with a flank on one side
			touch := func(n geom.Vec3, visit func(q, k int32)) {
				planes.Between(n, s.Origin, -s.Radius-g.Length, -s.Radius+g.Length, func(q int32) {
					f, k := r.keeper(r.owner[e]), r.keeper(r.owner[q])
					if f != k && r.touches(s, q) && r.isLoneEnd(e, f) && r.isAlong(e, k) {
						visit(q, k)
					}
				})
			}
			join := func(q, k int32) {
				if *tried >= maxAir {
					return
				}
				f := r.keeper(r.owner[e])
				if *tried++; r.isAirBetween(e, q) && r.turnAlike(f, k) {
					r.unite(min(f, k), max(f, k), "It is the round end of a slot, with nothing but air between.")
				}
			}
			touch(n, func(q, k int32) {
				if left[k] = true; r.hasOtherEnd(e, q, k) {
					join(q, k)
				}
			})
			touch(n.Neg(), func(q, k int32) {
				if left[k] || r.hasOtherEnd(e, q, k) {
					join(q, k)
				}
			})
		}
	}
}

// touches reports whether a hollow cylinder touches a plane as the round end of a slot does its flank, or a cylinder as
// that of a slot along an arc.
func (r *facts) touches(s *graph.Shape, flank int32) bool {
	w := &r.g.Patches[flank].Shape
	if w.Kind == surface.KindCylinder {
		apart := flattened(w.Origin.Sub(s.Origin), s.Axis).Norm()
		want := w.Radius + s.Radius
		if w.Hollow {
			want = w.Radius - s.Radius
		}
		return graph.Parallel(w.Axis, s.Axis) && want > 0 && math.Abs(apart-want) <= r.slack()
	}
	return math.Abs(w.Axis.Dot(s.Axis)) <= graph.AxisTolerance &&
		math.Abs(s.Origin.Sub(w.Origin).Dot(w.Axis)-s.Radius) <= r.slack()
}

// hasOtherEnd reports whether another end that looks at end e, of its radius, touches a flank of a pocket.
func (r *recognizer) hasOtherEnd(e, flank, pocket int32) bool {
	return slices.ContainsFunc(r.out[pocket].patches, func(p int32) bool {
		return r.areEnds(e, p) && r.touches(&r.g.Patches[p].Shape, flank)
	})
}

// areEnds reports whether two patches are hollow cylinders of one radius that look at each other.
func (r *facts) areEnds(p, q int32) bool {
	s, t := &r.g.Patches[p].Shape, &r.g.Patches[q].Shape
	if s.Kind != surface.KindCylinder || !s.Hollow || t.Kind != s.Kind || !t.Hollow ||
		math.Abs(s.Radius-t.Radius) > r.g.Length || !graph.Parallel(s.Axis, t.Axis) {
		return false
	}
	looks := func(p, q int32) bool { return r.normalOf(p).Dot(r.g.Patches[q].Origin.Sub(r.g.Patches[p].Origin)) > 0 }
	return looks(p, q) && looks(q, p)
}

// isLoneEnd reports whether a pocket was cut along the axis of a cylinder and has no other wall along it.
func (r *recognizer) isLoneEnd(p, f int32) bool {
	return r.isCutAlong(f, r.g.Patches[p].Axis) && len(r.uprightOf(f, r.g.Patches[p].Axis)) == 1
}

// isCutAlong reports whether a line is that of a pocket's direction, or all that the pocket has is upright to it.
func (r *recognizer) isCutAlong(f int32, axis geom.Vec3) bool {
	return graph.Parallel(r.out[f].dir, axis) || len(r.uprightOf(f, axis)) == len(r.out[f].patches)
}

// isAlong reports whether a round end lies at the height of a slot along its axis.
func (r *recognizer) isAlong(end, slot int32) bool {
	axis := r.g.Patches[end].Axis
	e, z := r.g.Extent(end, axis), r.g.ExtentOf(r.out[slot].patches, axis)
	return r.isCutAlong(slot, axis) && e.Lo >= z.Lo-r.slack() && e.Hi <= z.Hi+r.slack()
}

// isRoundEnd reports whether an upright hollow cylinder of pocket f touches an upright wall of pocket k as the round
// end of a slot does.
func (r *recognizer) isRoundEnd(f, k int32) bool {
	for _, p := range r.out[f].patches {
		s := &r.g.Patches[p].Shape
		if s.Kind == surface.KindCylinder && s.Hollow && graph.Parallel(s.Axis, r.out[f].dir) &&
			slices.ContainsFunc(r.out[k].patches, func(q int32) bool {
				kind := r.g.Patches[q].Kind
				return (kind == surface.KindPlane || kind == surface.KindCylinder) && r.touches(s, q)
			}) {
			return true
		}
	}
	return false
}

// areRoundEnds reports whether two pockets that share a surface are the round ends of one slot: each has one hollow
// cylinder, of one radius, and they look at each other.
func (r *recognizer) areRoundEnds(f, k int32) bool {
	end := func(f int32) int32 {
		found := int32(graph.None)
		for _, p := range r.out[f].patches {
			if r.g.Patches[p].Kind != surface.KindCylinder || !r.g.Patches[p].Hollow {
				continue
			}
			if found != graph.None {
				return graph.None
			}
			found = p
		}
		return found
	}
	p, q := end(f), end(k)
	return p != graph.None && q != graph.None && r.areEnds(p, q)
}
