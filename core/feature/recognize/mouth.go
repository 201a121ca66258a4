package recognize

// Mouths of notches.
//
// The sides of a notch may spread towards its mouth, as those of a keyway or a guide do, lest what goes in catches, or the notch
// turns there, as that of a hook does. Such a flank goes on from a wall of the notch over an outer edge, looks at another one,
// or at a wall of it, across the notch, and ends in the same surface as that one does.
//
// Cost: pairs of flanks of one pocket, of which there are a few, and of flanks and its walls.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// flank is a free plane that goes on from a wall of a pocket over an outer edge, or a wall that has such edges.
type flank struct {
	patch, wall int32 // None for a wall itself
	arc         *graph.Adjacency
}

// mouths gives pockets the flanks of their mouths.
func (r *recognizer) mouths() {
	for f := range r.out {
		if r.out[f].typ != feature.Pocket {
			continue
		}
		flanks := r.flanksOf(int32(f))
		var ends []flank
		if len(flanks) > 0 {
			ends = r.endsOf(int32(f))
		}
		for i := range flanks {
			for _, other := range slices.Concat(flanks[:i], ends) {
				if r.areMouth(&flanks[i], &other, r.out[f].dir) {
					for _, p := range [2]int32{flanks[i].patch, other.patch} {
						if !r.taken[p] {
							r.extend(int32(f), p)
						}
					}
				}
			}
		}
	}
}

// flanksOf returns the free planes beside the walls of a pocket that its direction sees, upright to their edges with them.
func (r *recognizer) flanksOf(f int32) (out []flank) {
	g := r.g
	d := r.v.Find(r.out[f].dir)
	if d == graph.None {
		return nil
	}
	for _, p := range r.out[f].patches {
		for _, x := range g.Patches[p].Arcs {
			a := &g.Arcs[x]
			q := a.Other(p)
			if a.Convexity == graph.Convex && a.Turn <= math.Pi/2+graph.SmoothAngle && !r.taken[q] && g.Patches[q].Kind == surface.KindPlane &&
				g.Patches[p].Kind == surface.KindPlane && r.v.Share[d][q] >= direction.MinFloorVisibility {
				out = append(out, flank{q, p, a})
			}
		}
	}
	return out
}

// endsOf returns the flat walls of a pocket with their outer edges to what is no wall of it.
func (r *recognizer) endsOf(f int32) (out []flank) {
	for _, p := range r.out[f].patches {
		for _, x := range r.g.Patches[p].Arcs {
			if a := &r.g.Arcs[x]; a.Convexity == graph.Convex && r.owner[a.Other(p)] != f && r.g.Patches[p].Kind == surface.KindPlane {
				out = append(out, flank{p, graph.None, a})
			}
		}
	}
	return out
}

// areMouth reports whether two flanks, or a flank and a wall that comes down as far along dir, look at each other across a notch,
// and end in one surface.
func (r *recognizer) areMouth(a, b *flank, dir geom.Vec3) bool {
	one, other := []int32{a.patch}, []int32{b.patch}
	if b.wall != graph.None && max(a.arc.Turn, b.arc.Turn) >= widestTurn { // sides of the part
		return false
	}
	if a.patch == b.patch || a.wall == b.wall || a.wall == b.patch || !graph.Parallel(a.arc.Dir, b.arc.Dir) ||
		!r.isBefore(one, other) || !r.isBefore(other, one) || r.g.Patches[a.patch].Axis.Dot(r.g.Patches[b.patch].Axis) >= 0 {
		return false
	}
	if b.wall == graph.None && math.Abs(r.g.Extent(a.patch, dir).Lo-r.g.Extent(b.patch, dir).Lo) > r.slack() {
		return false // of another cut
	}
	beyond := func(o *flank) (out []int32) {
		for _, x := range r.g.Patches[o.patch].Arcs {
			if c := &r.g.Arcs[x]; c.Convexity == graph.Convex && graph.Parallel(c.Dir, o.arc.Dir) && c.Other(o.patch) != o.wall {
				out = append(out, c.Other(o.patch))
			}
		}
		return out
	}
	ends := beyond(b)
	return slices.ContainsFunc(beyond(a), func(p int32) bool {
		return slices.ContainsFunc(ends, func(q int32) bool {
			return p == q || r.g.Continues(&r.g.Patches[p].Shape, &r.g.Patches[q].Shape)
		})
	})
}
