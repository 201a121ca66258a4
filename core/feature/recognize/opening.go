package recognize

// Openings of notches.
//
// The sides of a notch may spread toward its opening, as those of a keyway or a guide, or the notch may turn there, as
// that of a hook. Such a flank continues a wall of the notch over a convex edge. It faces another flank, or a wall,
// across the notch and ends in the same surface as that.
//
// Cost: pairs of flanks and walls of one pocket; their number is small.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

// flank is a free plane that continues a wall of a pocket over a convex edge, or a wall with such edges.
type flank struct {
	patch, wall int32 // wall: None if the patch is a wall
	arc         *graph.Adjacency
}

// openings gives pockets the flanks of their openings.
func openings(r *reading, v *verifier) {
	for f := range r.features {
		if r.features[f].typ != feature.Pocket {
			continue
		}
		flanks := flanksOf(r, int32(f))
		var ends []flank
		if len(flanks) > 0 {
			ends = endsOf(r, int32(f))
		}
		for i := range flanks {
			for _, other := range slices.Concat(flanks[:i], ends) {
				if areOpening(r.partContext, &flanks[i], &other, r.features[f].dir) {
					for _, p := range [2]int32{flanks[i].patch, other.patch} {
						if !r.isTaken(p) {
							v.extend(int32(f), p)
						}
					}
				}
			}
		}
	}
}

// flanksOf returns the free planes next to the walls of a pocket that its direction sees.
func flanksOf(r *reading, f int32) (out []flank) {
	g := r.g
	d := r.v.Find(r.features[f].dir)
	for _, p := range r.features[f].patches {
		for q, a := range g.Neighbors(p) {
			if a.Convexity == graph.Convex && a.Turn <= math.Pi/2+graph.SmoothAngle && !r.isTaken(q) && g.IsPlane(q) &&
				g.IsPlane(p) && r.sees(d, q) {
				out = append(out, flank{q, p, a})
			}
		}
	}
	return out
}

// endsOf returns the flat walls of a pocket with their convex edges to other features.
func endsOf(r *reading, f int32) (out []flank) {
	for _, p := range r.features[f].patches {
		for q, a := range r.g.Neighbors(p) {
			if a.Convexity == graph.Convex && r.ownerOf(q) != f && r.g.IsPlane(p) {
				out = append(out, flank{p, graph.None, a})
			}
		}
	}
	return out
}

// areOpening reports whether two flanks, or a flank and a wall of equal depth along dir, face each other across a notch
// and end in one surface.
func areOpening(pc *partContext, a, b *flank, dir geom.Vec3) bool {
	one, other := []int32{a.patch}, []int32{b.patch}
	if b.wall != graph.None && max(a.arc.Turn, b.arc.Turn) >= maxInnerTurn { // sides of the part
		return false
	}
	if a.patch == b.patch || a.wall == b.wall || a.wall == b.patch || !graph.Parallel(a.arc.Dir, b.arc.Dir) ||
		!pc.isBefore(one, other) || !pc.isBefore(other, one) ||
		pc.g.Patches[a.patch].Axis.Dot(pc.g.Patches[b.patch].Axis) >= 0 {
		return false
	}
	if b.wall == graph.None && math.Abs(pc.g.Extent(a.patch, dir).Lo-pc.g.Extent(b.patch, dir).Lo) > pc.g.Slack() {
		return false // of another cut
	}
	beyond := func(o *flank) []int32 {
		return pc.g.NeighborsWith(o.patch, func(q int32, c *graph.Adjacency) bool {
			return c.Convexity == graph.Convex && graph.Parallel(c.Dir, o.arc.Dir) && q != o.wall
		})
	}
	ends := beyond(b)
	return slices.ContainsFunc(beyond(a), func(p int32) bool {
		return slices.ContainsFunc(ends, func(q int32) bool {
			return pc.g.OnOneSurface(p, q)
		})
	})
}
