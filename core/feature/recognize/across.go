package recognize

// What other features cut apart.
//
// Patches that border on one hollow feature over convex edges and lie on one surface face each other
// across it. Two pockets whose floors and walls do so are one; a smaller plane that continues the floor or
// a wall of a pocket across a groove in it, or a wall within a groove, is of the pocket too. Faces are joined
// where they are made (rest.go).
//
// Cost: the neighbours of a feature are compared in order of their offset, so that few pairs are tried.

import (
	"cmp"
	"slices"

	"millwright/core/feature"
	"millwright/core/feature/direction"
	"millwright/core/feature/graph"
	"millwright/core/geom/surface"
)

// isHollow reports whether a kind is material taken away inside others.
func isHollow(t feature.Type) bool {
	switch t {
	case feature.Hole, feature.Pocket, feature.Dovetail, feature.Tslot:
		return true
	}
	return false
}

// acrossHollows calls visit for pairs of planes that face each other across hollow feature f.
func (r *recognizer) acrossHollows(visit func(f int32, p, q int32)) {
	g := r.g
	type neighbour struct {
		patch  int32
		offset float64 // mm, of the plane from the origin
	}
	var near []neighbour
	for f := range r.out {
		if !isHollow(r.out[f].typ) {
			continue
		}
		near = near[:0]
		for _, p := range r.out[f].patches {
			for _, x := range g.Patches[p].Arcs {
				q := g.Arcs[x].Other(p)
				s := &g.Patches[q].Shape
				if g.Arcs[x].Bend == graph.Convex && r.owner[q] != int32(f) && s.Kind == surface.KindPlane {
					near = append(near, neighbour{q, s.Origin.Dot(s.Axis)})
				}
			}
		}
		slices.SortFunc(near, func(a, b neighbour) int {
			return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.patch, b.patch))
		})
		near = slices.Compact(near)
		slack := g.Length + g.Diagonal*graph.AxisAngle
		for i, a := range near {
			for _, b := range near[i+1:] {
				if b.offset-a.offset > slack {
					break
				}
				if g.Continues(&g.Patches[a.patch].Shape, &g.Patches[b.patch].Shape) {
					visit(int32(f), a.patch, b.patch)
				}
			}
		}
	}
}

// rejoin makes one pocket of what a hollow parts.
func (r *recognizer) rejoin() {
	const floorPair, wallPair = 1, 2
	type pair struct{ f, a, b int32 }
	held := map[pair]int{}
	var order []pair
	r.acrossHollows(func(f, p, q int32) {
		a, b := r.owner[p], r.owner[q]
		if a == graph.None && b == graph.None || a == b {
			return
		}
		if a == graph.None || b != graph.None && b < a {
			p, q, a, b = q, p, b, a
		}
		if r.out[a].typ != feature.Pocket {
			return
		}
		isFloor := r.g.Facing(p, r.out[a].dir)
		if b == graph.None {
			isPiece := r.g.Patches[q].Area <= r.g.Patches[p].Area &&
				r.v.Share[r.v.Find(r.out[a].dir)][q] >= direction.FloorShare
			if isPiece || r.isWithin(q, f) {
				r.extend(a, q)
			}
			return
		}
		if r.out[b].typ != feature.Pocket || r.out[a].dir != r.out[b].dir || a == f || b == f {
			return
		}
		k := pair{f, a, b}
		if held[k] == 0 {
			order = append(order, k)
		}
		if isFloor {
			held[k] |= floorPair
		} else {
			held[k] |= wallPair
		}
	})
	for _, k := range order {
		if held[k] == floorPair|wallPair {
			r.unite(r.keeper(k.a), r.keeper(k.b))
		}
	}
	r.out = slices.DeleteFunc(r.out, func(f found) bool { return len(f.patches) == 0 })
	for i, f := range r.out {
		for _, p := range f.patches {
			r.owner[p] = int32(i)
		}
	}
}

// isWithin reports whether a patch borders on feature f alone.
func (r *recognizer) isWithin(p, f int32) bool {
	return !slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
		return r.owner[r.g.Arcs[x].Other(p)] != f
	})
}

// keeper returns the feature into which f was united, f itself as a rule.
func (r *recognizer) keeper(f int32) int32 {
	for r.out[f].into != 0 {
		f = r.out[f].into - 1
	}
	return f
}

// extend adds a free patch to a feature.
func (r *recognizer) extend(f, p int32) {
	o := &r.out[f]
	o.patches = ascending(append(slices.Clone(o.patches), p))
	r.taken[p], r.owner[p] = true, f
}

// unite moves everything of pocket b to pocket a.
func (r *recognizer) unite(a, b int32) {
	if a == b {
		return
	}
	o, p := &r.out[a], &r.out[b]
	o.patches = ascending(append(slices.Clone(o.patches), p.patches...))
	o.z.Lo, o.z.Hi = min(o.z.Lo, p.z.Lo), max(o.z.Hi, p.z.Hi)
	o.pocket.Depth = max(o.pocket.Depth, p.pocket.Depth)
	o.pocket.Open = o.pocket.Open || p.pocket.Open
	o.reasons = append(o.reasons, "Another feature cuts it in pieces that lie in the same surfaces.")
	for _, q := range p.patches {
		r.owner[q] = a
	}
	p.patches, p.into = nil, a+1
}
