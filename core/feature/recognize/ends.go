package recognize

// Round ends of slots.
//
// Other features may leave only the ends of a slot, or an end apart from the flanks. An end belongs to a slot if it
// touches both flanks, or one flank that the other end touches too, at the same height and across air.
//
// Cost: flanks are looked up by place. At most maxAir gaps are tested, each linear in triangles.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// maxSides bounds the normal directions of the flanks of slots.
const maxSides = 32

// mergeRoundEnds merges slots with their ends that other features have split off.
func mergeRoundEnds(r *reading, v *verifier, tried *int) {
	g := r.g
	var flanks, ends []int32
	var sides []geom.Vec3 // normals of flanks
	for _, p := range r.patchesOf(func(f *candidate, _ int32) bool { return f.typ == feature.Pocket }) {
		switch s := &g.Patches[p].Shape; {
		case s.Kind == surface.KindPlane:
			flanks = append(flanks, p)
			if len(sides) < maxSides && !slices.ContainsFunc(sides, func(n geom.Vec3) bool {
				return graph.Parallel(n, s.Axis)
			}) {
				sides = append(sides, s.Axis)
			}
		case s.Kind == surface.KindCylinder && s.Hollow && r.isLoneEnd(p, r.ownerOf(p)):
			ends = append(ends, p)
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
					f, k := r.ownerOf(e), r.ownerOf(q)
					if f != k && r.touches(s, q) && r.isLoneEnd(e, f) && isAlong(r, e, k) {
						visit(q, k)
					}
				})
			}
			join := func(q, k int32) {
				if *tried >= maxAir {
					return
				}
				f := r.ownerOf(e)
				if *tried++; r.hasGapBetween(e, q) && v.align(f, k) {
					v.unite(min(f, k), max(f, k), "It is the round end of a slot, with nothing but air between.")
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

// touches reports whether a concave cylinder is tangent to a flank, as the round end of a slot. The flank is a plane,
// or a cylinder for a slot along an arc.
func (pc *partContext) touches(s *graph.Shape, flank int32) bool {
	w := &pc.g.Patches[flank].Shape
	if w.Kind == surface.KindCylinder {
		apart := w.Origin.Sub(s.Origin).Reject(s.Axis).Norm()
		want := w.Radius + s.Radius
		if w.Hollow {
			want = w.Radius - s.Radius
		}
		return graph.Parallel(w.Axis, s.Axis) && want > 0 && math.Abs(apart-want) <= pc.g.Slack()
	}
	return math.Abs(w.Axis.Dot(s.Axis)) <= graph.AxisTolerance &&
		math.Abs(s.Origin.Sub(w.Origin).Dot(w.Axis)-s.Radius) <= pc.g.Slack()
}

// hasOtherEnd reports whether an end opposite to e, of its radius, touches a flank of a pocket.
func (r *reading) hasOtherEnd(e, flank, pocket int32) bool {
	return slices.ContainsFunc(r.features[pocket].patches, func(p int32) bool {
		return areEnds(r.partContext, e, p) && r.touches(&r.g.Patches[p].Shape, flank)
	})
}

// areEnds reports whether two patches are concave cylinders of one radius that face each other.
func areEnds(pc *partContext, p, q int32) bool {
	s, t := &pc.g.Patches[p].Shape, &pc.g.Patches[q].Shape
	if s.Kind != surface.KindCylinder || !s.Hollow || t.Kind != s.Kind || !t.Hollow ||
		math.Abs(s.Radius-t.Radius) > pc.g.Length || !graph.Parallel(s.Axis, t.Axis) {
		return false
	}
	faces := func(p, q int32) bool {
		return pc.normalOf(p).Dot(pc.g.Patches[q].Origin.Sub(pc.g.Patches[p].Origin)) > 0
	}
	return faces(p, q) && faces(q, p)
}

// isLoneEnd reports whether pocket f was cut along the axis of cylinder p and has no other wall along it.
func (r *reading) isLoneEnd(p, f int32) bool {
	return r.isCutAlong(f, r.g.Patches[p].Axis) && len(r.verticalOf(f, r.g.Patches[p].Axis)) == 1
}

// isCutAlong reports whether an axis is parallel to the direction of a pocket, or to all of its patches.
func (r *reading) isCutAlong(f int32, axis geom.Vec3) bool {
	return graph.Parallel(r.features[f].dir, axis) || len(r.verticalOf(f, axis)) == len(r.features[f].patches)
}

// isAlong reports whether a round end lies within the height of a slot along its axis.
func isAlong(r *reading, end, slot int32) bool {
	axis := r.g.Patches[end].Axis
	e, z := r.g.Extent(end, axis), r.g.ExtentOf(r.features[slot].patches, axis)
	return r.isCutAlong(slot, axis) && e.Lo >= z.Lo-r.g.Slack() && e.Hi <= z.Hi+r.g.Slack()
}

// isRoundEnd reports whether a vertical concave cylinder of pocket f is tangent to a vertical wall of pocket k, as the
// round end of a slot.
func isRoundEnd(r *reading, f, k int32) bool {
	for _, p := range r.features[f].patches {
		s := &r.g.Patches[p].Shape
		if s.Kind == surface.KindCylinder && s.Hollow && graph.Parallel(s.Axis, r.features[f].dir) &&
			slices.ContainsFunc(r.features[k].patches, func(q int32) bool {
				kind := r.g.Patches[q].Kind
				return (kind == surface.KindPlane || kind == surface.KindCylinder) && r.touches(s, q)
			}) {
			return true
		}
	}
	return false
}

// areRoundEnds reports whether two pockets are the round ends of one slot: each has one concave cylinder, of one
// radius, and they face each other.
func areRoundEnds(r *reading, f, k int32) bool {
	end := func(f int32) int32 {
		found := int32(graph.None)
		for _, p := range r.features[f].patches {
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
	return p != graph.None && q != graph.None && areEnds(r.partContext, p, q)
}
