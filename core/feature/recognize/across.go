package recognize

// What other features cut apart.
//
// Patches that border on one hollow feature over convex edges and lie on one surface face each other
// across it. A smaller plane that continues the floor or a wall of a pocket across a groove in it, or a wall within
// a groove, is of the pocket too. Faces are joined where they are made (rest.go).
//
// Two pockets that lie on two surfaces both, or on one cylinder, with nothing but air between, are one: one pass of the
// tool cuts them, whatever was cut between later. So is the round end of a slot and what it ends, grooves in line
// whose gap is no longer than they are, and what goes on round an inner corner at the same level.
//
// Cost: the neighbours of a feature are compared in order of their offset, so that few pairs are tried. Patches on one
// surface are looked up; maxAir gaps between them are looked at, each linear in triangles.

import (
	"cmp"
	"math"
	"slices"

	"millwright/core/feature"
	"millwright/core/feature/direction"
	"millwright/core/feature/graph"
	"millwright/core/geom"
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

// acrossTwo joins the faces of one plane that a hollow feature with broken or rounded rims, or two that touch each
// other, have cut apart.
func (r *recognizer) acrossTwo(isFace []int32, set graph.Sets) {
	g := r.g
	var all []int32
	beside := make([][]int32, len(g.Patches)) // by face: the hollow features that it borders on
	for i := range isFace {
		if isFace[i] == graph.None {
			continue
		}
		if beside[i] = r.hollowsBeside(int32(i)); len(beside[i]) > 0 {
			all = append(all, int32(i))
		}
	}
	planes := g.NewPlanes(all)
	tried := 0
	for _, p := range all {
		s := &g.Patches[p].Shape
		planes.Between(s.Axis, s.Origin, -g.Length, g.Length, func(q int32) {
			if p < q && isFace[p] == isFace[q] && g.Continues(s, &g.Patches[q].Shape) && set.Find(p) != set.Find(q) &&
				r.touch(beside[p], beside[q]) && !r.areTopsOfTwo(p, q) && tried < maxAir {
				if tried++; r.isAirBetween(p, q) {
					set.Join(p, q)
				}
			}
		})
	}
}

// hollowsBeside returns the hollow features at which a patch ends, or the chamfer of whose rim.
func (r *recognizer) hollowsBeside(p int32) (out []int32) {
	add := func(p int32, visit func(q, f int32)) {
		for _, x := range r.g.Patches[p].Arcs {
			q := r.g.Arcs[x].Other(p)
			if f := r.owner[q]; r.g.Arcs[x].Bend != graph.Concave && f != graph.None {
				visit(q, f)
			}
		}
	}
	note := func(_, f int32) {
		if isHollow(r.out[f].typ) && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	add(p, func(q, f int32) {
		if note(q, f); r.out[f].typ == feature.Chamfer {
			add(q, note)
		}
	})
	return out
}

// touch reports whether a feature of one list is in another, or borders on one there.
func (r *recognizer) touch(fs, ks []int32) bool {
	for _, f := range fs {
		if slices.Contains(ks, f) {
			return true
		}
		for _, p := range r.out[f].patches {
			for _, x := range r.g.Patches[p].Arcs {
				if slices.Contains(ks, r.owner[r.g.Arcs[x].Other(p)]) {
					return true
				}
			}
		}
	}
	return false
}

// adopt gives pockets the pieces of their floors and walls that a hollow in them parts from the rest.
func (r *recognizer) adopt() {
	r.acrossHollows(func(f, p, q int32) {
		a, b := r.owner[p], r.owner[q]
		if a == graph.None {
			p, q, a, b = q, p, b, a
		}
		if a == graph.None || b != graph.None || r.out[a].typ != feature.Pocket {
			return
		}
		isPiece := (r.g.Patches[q].Area <= r.g.Patches[p].Area || r.isWalledWith(q, p)) &&
			r.v.Share[r.v.Find(r.out[a].dir)][q] >= direction.FloorShare
		if isPiece || r.isWithin(q, f) {
			r.extend(a, q)
		}
	})
}

// isWalledWith reports whether the walls round a floor would be enough for another piece of it too.
func (r *recognizer) isWalledWith(piece, floor int32) bool {
	i := slices.IndexFunc(r.basins, func(b basin) bool { return b.patch == floor })
	if i < 0 {
		return false
	}
	walls := r.basins[i].walled * outerLength(r.g, r.basins[i].rims)
	return walls >= leastWalled*(outerLength(r.g, r.basins[i].rims)+outerLength(r.g, r.rims(piece)))
}

// outerLength returns the length of the outer rims, mm.
func outerLength(g *graph.Graph, rims []graph.Rim) float64 {
	sum := 0.0
	for _, ring := range rims {
		if ring.IsInner {
			continue
		}
		for _, x := range ring.Arcs {
			sum += g.Arcs[x].Length
		}
	}
	return sum
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

// twins are two patches on one surface, of two pockets.
type twins struct{ p, q int32 }

// rejoin makes one pocket of pieces that lie on the same surfaces, with nothing but air between.
func (r *recognizer) rejoin() {
	r.adopt()
	type pair struct{ f, k int32 }
	found := map[pair][]twins{}
	var order []pair
	r.eachTwins(func(p, q int32) {
		k := pair{min(r.owner[p], r.owner[q]), max(r.owner[p], r.owner[q])}
		if found[k] == nil {
			order = append(order, k)
		}
		found[k] = append(found[k], twins{p, q})
	})
	slices.SortFunc(order, func(a, b pair) int { return cmp.Or(cmp.Compare(a.f, b.f), cmp.Compare(a.k, b.k)) })
	tried := 0
	for _, k := range order {
		if f, o := r.keeper(k.f), r.keeper(k.k); f != o && r.wereOne(found[k], &tried) && r.turnAlike(f, o) {
			r.unite(min(f, o), max(f, o), "It lies in pieces on the same surfaces, with nothing but air between.")
		}
	}
	r.roundCorners()
	r.dropUnited()
}

// roundCorners makes one pocket of two whose walls meet in an inner corner, and whose floors lie at one level if they
// have any.
func (r *recognizer) roundCorners() {
	g := r.g
	for i := range g.Arcs {
		a := &g.Arcs[i]
		f, k := r.owner[a.A], r.owner[a.B]
		if f == graph.None || k == graph.None || a.Bend == graph.Convex {
			continue
		}
		f, k = r.keeper(f), r.keeper(k)
		dir := r.out[f].dir
		if f == k || r.out[f].typ != feature.Pocket || r.out[k].typ != feature.Pocket || isAcross(a, dir) ||
			!r.isUpright(a.A, dir) || !r.isUpright(a.B, dir) || !r.areLevel(f, k) || !r.turnAlike(f, k) {
			continue
		}
		r.unite(min(f, k), max(f, k), "It goes on round an inner corner.")
	}
}

// areLevel reports whether two pockets have floors in one plane, or none along the direction of the first.
func (r *recognizer) areLevel(f, k int32) bool {
	a, b := r.floorsAlong(f, r.out[f].dir), r.floorsAlong(k, r.out[f].dir)
	return len(a)+len(b) == 0 || slices.ContainsFunc(a, func(p int32) bool {
		return slices.ContainsFunc(b, func(q int32) bool {
			return r.g.Continues(&r.g.Patches[p].Shape, &r.g.Patches[q].Shape)
		})
	})
}

// floorsAlong returns the patches of a feature that face along a line.
func (r *recognizer) floorsAlong(f int32, dir geom.Vec3) []int32 {
	return slices.DeleteFunc(slices.Clone(r.out[f].patches), func(p int32) bool {
		return !r.g.Facing(p, dir) && !r.g.Facing(p, dir.Neg())
	})
}

// eachTwins visits the pairs of patches of two pockets that lie on one plane or on one hollow cylinder.
func (r *recognizer) eachTwins(visit func(p, q int32)) {
	g := r.g
	var all []int32
	for p, f := range r.owner {
		if f != graph.None && r.out[f].typ == feature.Pocket {
			all = append(all, int32(p))
		}
	}
	planes := g.NewPlanes(all)
	axes := g.NewAxes(slices.DeleteFunc(slices.Clone(all), func(p int32) bool {
		return g.Patches[p].Kind != surface.KindCylinder || !g.Patches[p].Hollow
	}))
	for _, p := range all {
		s := &g.Patches[p].Shape
		see := func(q int32) {
			if p < q && r.owner[p] != r.owner[q] && g.Continues(s, &g.Patches[q].Shape) {
				visit(p, q)
			}
		}
		switch {
		case s.Kind == surface.KindPlane:
			planes.Between(s.Axis, s.Origin, -g.Length, g.Length, see)
		case s.Kind == surface.KindCylinder && s.Hollow:
			axes.Near(s, see)
		}
	}
}

// wereOne reports whether two pockets share, with air between, a cylinder along which they are cut or a little apart,
// or two other surfaces that are not parallel, or one and a round end.
func (r *recognizer) wereOne(shared []twins, tried *int) bool {
	g := r.g
	first := int32(graph.None) // a surface that they share
	for _, t := range shared {
		s := &g.Patches[t.p].Shape
		isEnough := s.Kind == surface.KindCylinder &&
			(graph.Parallel(s.Axis, r.out[r.owner[t.p]].dir) || r.isInLine(t)) ||
			first != graph.None && (s.Kind != g.Patches[first].Kind || !graph.Parallel(s.Axis, g.Patches[first].Axis))
		if !isEnough && first != graph.None || *tried >= maxAir {
			continue
		}
		if *tried++; !r.isAirBetween(t.p, t.q) {
			continue
		}
		if isEnough {
			return true
		}
		first = t.p
	}
	if first == graph.None {
		return false
	}
	f, k := r.owner[shared[0].p], r.owner[shared[0].q]
	return r.isRoundEnd(f, k) || r.isRoundEnd(k, f) ||
		slices.ContainsFunc(shared, func(t twins) bool {
			return g.Facing(t.p, r.out[f].dir) && r.isFlat(t) && r.isAirBetween(t.p, t.q)
		})
}

// isFlat reports whether two floors in one plane end in the same round surface on both sides, as flats on a shaft do.
func (r *facts) isFlat(t twins) bool {
	g := r.g
	sides := func(p int32) (out []*graph.Arc) {
		for _, x := range g.Patches[p].Arcs {
			if a := &g.Arcs[x]; a.Bend == graph.Convex && isMantle(&g.Patches[a.Other(p)].Shape) {
				out = append(out, a)
			}
		}
		return out
	}
	a, b := sides(t.p), sides(t.q)
	return len(a) > 1 && len(b) > 1 && !slices.ContainsFunc(b, func(y *graph.Arc) bool {
		return !slices.ContainsFunc(a, func(x *graph.Arc) bool {
			return g.Continues(&g.Patches[x.Other(t.p)].Shape, &g.Patches[y.Other(t.q)].Shape)
		})
	})
}

// isInLine reports whether the gap between two pieces of a cylinder, along its axis, is no longer than the longer one.
func (r *facts) isInLine(t twins) bool {
	axis := r.g.Patches[t.p].Axis
	a, b := r.g.Extent(t.p, axis), r.g.Extent(t.q, axis)
	return max(a.Lo, b.Lo)-min(a.Hi, b.Hi) <= max(a.Length(), b.Length())
}

// isRoundEnd reports whether an upright hollow cylinder of pocket f touches an upright wall of pocket k as the round
// end of a slot does.
func (r *recognizer) isRoundEnd(f, k int32) bool {
	g := r.g
	slack := g.Length + g.Diagonal*graph.AxisAngle
	for _, p := range r.out[f].patches {
		s := &g.Patches[p].Shape
		if s.Kind != surface.KindCylinder || !s.Hollow || !graph.Parallel(s.Axis, r.out[f].dir) {
			continue
		}
		for _, q := range r.out[k].patches {
			w := &g.Patches[q].Shape
			if w.Kind == surface.KindPlane && math.Abs(w.Axis.Dot(s.Axis)) <= graph.AxisAngle &&
				math.Abs(s.Origin.Sub(w.Origin).Dot(w.Axis)-s.Radius) <= slack {
				return true
			}
		}
	}
	return false
}

// isAirBetween reports whether nothing stands between two patches of one surface, a little off it, where outer edges
// of theirs come nearest.
func (r *recognizer) isAirBetween(p, q int32) bool {
	const (
		off = 10   // lengths of the graph, off the surface and off the edge, lest the line runs along the rim of both
		sag = 0.02 // radii, that facets lie within a hollow cylinder: they turn by 20° at the most
	)
	g := r.g
	var from, to *graph.Arc
	nearest := math.Inf(1)
	for _, x := range g.Patches[p].Arcs {
		for _, y := range g.Patches[q].Arcs {
			a, b := &g.Arcs[x], &g.Arcs[y]
			if d := a.Mid.Dist(b.Mid); a.Bend != graph.Concave && b.Bend != graph.Concave && d < nearest {
				from, to, nearest = a, b, d
			}
		}
	}
	if from == nil {
		return false
	}
	at := func(a *graph.Arc, p int32) geom.Vec3 {
		s := &g.Patches[p].Shape
		box := geom.EmptyBox()
		g.EachPoint(p, func(pt, _ geom.Vec3) { box = box.Add(pt) })
		inwards := box.Center().Sub(a.Mid)
		if s.Kind != surface.KindPlane {
			inwards = s.Axis.Scale(inwards.Dot(s.Axis))
		}
		n := g.NormalAt(g.Patches[p].Faces[0], a.Mid)
		return a.Mid.AddScaled(off*g.Length+sag*s.Radius, n).AddScaled(off*g.Length, inwards.Unit())
	}
	return !g.Crosses(at(from, p), at(to, q))
}

// turnAlike gives two pockets the direction of one of them where it sees both; false where neither does.
func (r *recognizer) turnAlike(f, k int32) bool {
	for _, i := range [2]int32{f, k} {
		d := r.v.Find(r.out[i].dir)
		if d == graph.None || r.v.Seen(r.g, d, r.out[f].patches) < direction.WallShare ||
			r.v.Seen(r.g, d, r.out[k].patches) < direction.WallShare {
			continue
		}
		for _, j := range [2]int32{f, k} {
			if o := &r.out[j]; o.dir != r.v.Dirs[d] {
				o.dir = r.v.Dirs[d]
				axis := o.dir
				o.z, o.axis = r.g.ExtentOf(o.patches, o.dir), &axis
				o.pocket.Depth = o.z.Length()
			}
		}
		return true
	}
	return r.out[f].dir == r.out[k].dir
}
