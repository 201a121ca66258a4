package recognize

// What other features cut apart.
//
// Patches that border on one hollow feature over convex edges and lie on one surface face each other
// across it. Two pockets whose floors and walls do so are one; a smaller plane that continues the floor or
// a wall of a pocket across a groove in it, or a wall within a groove, is of the pocket too. Faces are joined
// where they are made (rest.go).
//
// Pockets with nothing but air between them are one too when floor and wall of both meet in one line: one
// pass of the tool cuts them.
//
// Cost: the neighbours of a feature are compared in order of their offset, so that few pairs are tried. Of the
// corners of floors and walls only neighbours on one line are tried, maxAir of them in all, each linear in
// triangles.

import (
	"cmp"
	"slices"

	"millwright/core/brep"
	"millwright/core/feature"
	"millwright/core/feature/direction"
	"millwright/core/feature/graph"
	"millwright/core/geom"
	"millwright/core/geom/curve"
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
			r.unite(r.keeper(k.a), r.keeper(k.b), "Another feature cuts it in pieces that lie in the same surfaces.")
		}
	}
	r.dropUnited()
}

// dropUnited takes out the features that others took over.
func (r *recognizer) dropUnited() {
	r.out = slices.DeleteFunc(r.out, func(f found) bool { return len(f.patches) == 0 })
	for i := len(r.out) - 1; i >= 0; i-- { // the first owns what two have
		for _, p := range r.out[i].patches {
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

// unite moves everything of pocket b to pocket a, for a reason.
func (r *recognizer) unite(a, b int32, reason string) {
	if a == b {
		return
	}
	o, p := &r.out[a], &r.out[b]
	o.patches = ascending(append(slices.Clone(o.patches), p.patches...))
	o.z.Lo, o.z.Hi = min(o.z.Lo, p.z.Lo), max(o.z.Hi, p.z.Hi)
	o.pocket.Depth = max(o.pocket.Depth, p.pocket.Depth)
	o.pocket.Open = o.pocket.Open || p.pocket.Open
	o.reasons = append(o.reasons, reason)
	for _, q := range p.patches {
		r.owner[q] = a
	}
	p.patches, p.into = nil, a+1
}

// maxAir bounds the gaps between pieces that are looked at.
const maxAir = 256

// cornerEnd is where a straight corner between two faces of a cut runs out of the material.
type cornerEnd struct {
	feature int32
	a, b    int32     // patches
	at, out geom.Vec3 // out: unit, along the corner
	into    geom.Vec3 // unit, into the cut
	line    int
	along   float64 // mm, of at on its line
}

// throughAir makes one of the pieces of a cut that lie on either side of a gap.
func (r *recognizer) throughAir() {
	ends := r.cornerEnds()
	lines := r.g.NewLines()
	first := map[int]geom.Vec3{} // direction of a line
	for i := range ends {
		e := &ends[i]
		e.line = lines.Number(e.at, e.out)
		if _, ok := first[e.line]; !ok {
			first[e.line] = e.out
		}
		e.along = e.at.Dot(first[e.line])
	}
	slices.SortStableFunc(ends, func(a, b cornerEnd) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.along, b.along))
	})
	tried := 0
	for i := 1; i < len(ends) && tried < maxAir; i++ {
		a, b := &ends[i-1], &ends[i]
		f, k := r.keeper(a.feature), r.keeper(b.feature)
		if a.line != b.line || f == k || r.out[f].typ != r.out[k].typ || !r.facesAcross(a, b) {
			continue
		}
		if tried++; r.isAirBetween(a, b) && r.turnAlike(f, k) {
			r.unite(min(f, k), max(f, k), "It goes on beyond a gap, where two of its faces meet in the same line.")
		}
	}
	r.dropUnited()
}

// turnAlike gives two cuts the direction of one of them where it sees both; false where neither does.
func (r *recognizer) turnAlike(f, k int32) bool {
	for _, i := range [2]int32{f, k} {
		d := r.v.Find(r.out[i].dir)
		if d == graph.None || r.v.Seen(r.g, d, r.out[f].patches) < direction.WallShare ||
			r.v.Seen(r.g, d, r.out[k].patches) < direction.WallShare {
			continue
		}
		for _, j := range [2]int32{f, k} {
			o := &r.out[j]
			if o.dir == r.v.Dirs[d] {
				continue
			}
			o.dir = r.v.Dirs[d]
			o.z = r.g.ExtentOf(o.patches, o.dir)
			if o.pocket != nil {
				o.axis, o.pocket.Depth = &o.dir, o.z.Length()
			}
		}
		return true
	}
	return r.out[f].dir == r.out[k].dir
}

// facesAcross reports whether two corners run out towards each other and lie on the same surfaces.
func (r *recognizer) facesAcross(a, b *cornerEnd) bool {
	g := r.g
	d := b.at.Sub(a.at)
	areOne := func(p, q int32) bool { return g.Continues(&g.Patches[p].Shape, &g.Patches[q].Shape) }
	return d.Dot(a.out) > g.Length && d.Dot(b.out) < -g.Length &&
		(areOne(a.a, b.a) && areOne(a.b, b.b) || areOne(a.a, b.b) && areOne(a.b, b.a))
}

// isAirBetween reports whether nothing stands on the line from one corner to the other, a little inside both
// cuts.
func (r *recognizer) isAirBetween(a, b *cornerEnd) bool {
	const inside = 10 // lengths of the graph
	off := a.into.Scale(2 * inside * r.g.Length)
	return !r.g.Crosses(a.at.Add(off).AddScaled(-inside*r.g.Length, a.out), b.at.Add(off).AddScaled(-inside*r.g.Length, b.out))
}

// cornerEnds lists where the straight corners of cuts, sharp or beside a fillet, end in the open: no other inner edge
// of their faces leads on from there.
func (r *recognizer) cornerEnds() []cornerEnd {
	g := r.g
	var out []cornerEnd
	for i := range g.Arcs {
		a := &g.Arcs[i]
		f := r.owner[a.A]
		e := &g.Model.Edges[a.Edge]
		isCorner := f != graph.None && f == r.owner[a.B] && r.isCorner(a) && e.Curve.Kind() == curve.KindLine
		if !isCorner || r.out[f].typ != feature.Pocket {
			continue
		}
		into := g.NormalAt(g.Patches[a.A].Faces[0], a.Mid).Add(g.NormalAt(g.Patches[a.B].Faces[0], a.Mid)).Unit()
		for _, v := range [2]brep.VertexID{e.Start, e.End} {
			if at := g.Model.Vertices[v].Point; r.innerEdgesAt(v, a.A, a.B) == 1 {
				out = append(out, cornerEnd{feature: f, a: a.A, b: a.B, at: at, out: at.Sub(a.Mid).Unit(), into: into})
			}
		}
	}
	return out
}

// innerEdgesAt counts the inner edges of two patches that end in a vertex.
func (r *recognizer) innerEdgesAt(v brep.VertexID, p, q int32) int {
	g := r.g
	n := 0
	for _, k := range [2]int32{p, q} {
		for _, x := range g.Patches[k].Arcs {
			a := &g.Arcs[x]
			e := &g.Model.Edges[a.Edge]
			if r.isCorner(a) && (e.Start == v || e.End == v) && (k == p || a.Other(q) != p) {
				n++
			}
		}
	}
	return n
}
