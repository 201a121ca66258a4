package recognize

// Pieces of one cut.
//
// Two pockets that lie on two surfaces both, or on one cylinder, with nothing but air between, are one: one pass of the
// tool cuts them, whatever was cut between later. So is the round end of a slot and what it ends, grooves in line
// that open into one bore or whose gap is no longer than they are or than two diameters, pieces that share a floor or a wall and whose walls look
// at each other, all from before all others as those of one hollow do, round ends of one radius, rows of walls round one
// convex hollow, and what goes on round an inner corner at the same level.
//
// Cost: patches on one surface are looked up; maxAir gaps between them are looked at, each linear in triangles.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

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
		if f, o := r.keeper(k.f), r.keeper(k.k); f != o && !r.areStacked(f, o) && r.wereOne(found[k], &tried) && r.turnAlike(f, o) {
			r.unite(min(f, o), max(f, o), "It lies in pieces on the same surfaces, with nothing but air between.")
		}
	}
	r.roundEnds(&tried)
	r.roundCorners()
	r.rounds(&tried)
	r.dropUnited()
	r.adopt() // across what was united
	r.otherSides()
}

// areStacked reports whether one of two pockets was cut into a floor of the other: all of it lies below that, which ends at it.
func (r *recognizer) areStacked(f, k int32) bool {
	isIn := func(k, f int32) bool {
		dir := r.out[f].dir
		return slices.ContainsFunc(r.out[f].patches, func(p int32) bool {
			return r.g.Facing(p, dir) && slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
				return r.g.Arcs[x].Convexity == graph.Convex && r.owner[r.g.Arcs[x].Other(p)] == k
			}) && r.g.ExtentOf(r.out[k].patches, dir).Hi <= r.g.Extent(p, dir).Lo+r.g.Length
		})
	}
	return isIn(k, f) || isIn(f, k)
}

// roundCorners makes one pocket of two whose walls meet in an inner corner, and whose floors lie at one level if they
// have any, or go on smoothly round it where one of them has lost its floor.
func (r *recognizer) roundCorners() {
	g := r.g
	for i := range g.Arcs {
		a := &g.Arcs[i]
		f, k := r.owner[a.A], r.owner[a.B]
		if f == graph.None || k == graph.None || a.Convexity == graph.Convex {
			continue
		}
		f, k = r.keeper(f), r.keeper(k)
		if f != k && r.out[f].typ == feature.Pocket && r.out[k].typ == feature.Pocket &&
			(r.goesRound(a, f, k) || r.goesRound(a, k, f)) && !r.areStacked(f, k) && r.turnAlike(f, k) {
			r.unite(min(f, k), max(f, k), "It goes on round an inner corner.")
		}
	}
}

// goesRound reports whether an edge between two pockets is an inner corner along the direction of the first, one to which
// all of it is upright, or its own, at one level or, where it is smooth, where one of them has lost its floor.
func (r *recognizer) goesRound(a *graph.Adjacency, f, k int32) bool {
	isRounded := r.isRimRounding(a.A) || r.isRimRounding(a.B)
	if isCrack(a) || isRounded && r.out[f].dir != r.out[k].dir { // two cuts that end at one round edge
		return false
	}
	level := func(dir geom.Vec3) bool {
		return !isAcross(a, dir) && r.isUpright(a.A, dir) && r.isUpright(a.B, dir) && r.areLevel(f, k, dir)
	}
	isRim := func(dir geom.Vec3) bool { // a round edge of one that has the other's floor beside it
		return isRounded && dir != r.out[f].dir && len(r.uprightOf(k, dir)) < len(r.out[k].patches)
	}
	return len(r.floorsAlong(f, a.Dir)) > 0 && !isRim(a.Dir) && level(a.Dir) || slices.ContainsFunc(r.alongWalls(f), func(dir geom.Vec3) bool {
		if isRim(dir) {
			return false
		}
		hasLost := a.Convexity == graph.Smooth && (len(r.floorsAlong(f, dir)) == 0 || len(r.floorsAlong(k, dir)) == 0)
		return level(dir) || hasLost && !isAcross(a, dir) && r.isUpright(a.A, dir) && r.isUpright(a.B, dir)
	})
}

// areLevel reports whether two pockets have floors in one plane, or none along a direction.
func (r *recognizer) areLevel(f, k int32, dir geom.Vec3) bool {
	a, b := r.floorsAlong(f, dir), r.floorsAlong(k, dir)
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

// eachTwins visits the pairs of patches of two pockets that lie on one plane, or on one hollow cylinder or sphere, and those
// of a hollow cylinder and the fillet that goes on smoothly from it or a hollow cone on its axis.
func (r *recognizer) eachTwins(visit func(p, q int32)) {
	g := r.g
	var all []int32
	for p, f := range r.owner {
		if f != graph.None && r.out[f].typ == feature.Pocket {
			all = append(all, int32(p))
		}
	}
	planes := g.NewPlanes(all)
	only := func(k surface.Kind) []int32 {
		return slices.DeleteFunc(slices.Clone(all), func(p int32) bool { return g.Patches[p].Kind != k || !g.Patches[p].Hollow })
	}
	axes, balls := g.NewAxes(only(surface.KindCylinder)), only(surface.KindSphere)
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
		case s.Kind == surface.KindCone && s.Hollow: // the tip of the drill of a bore
			axes.Near(s, func(q int32) {
				if r.owner[p] != r.owner[q] && g.Coaxial(s, &g.Patches[q].Shape) {
					visit(q, p)
				}
			})
		case s.Kind == surface.KindTorus && s.Hollow: // the fillet at the foot of a round wall
			axes.Near(s, func(q int32) {
				w := &g.Patches[q].Shape
				if r.owner[p] != r.owner[q] && g.Coaxial(s, w) && math.Abs(s.Radius+s.Minor-w.Radius) <= g.Length {
					visit(q, p)
				}
			})
		case s.Kind == surface.KindSphere && s.Hollow && len(balls) <= maxAir:
			for _, q := range balls {
				see(q)
			}
		}
	}
}

// wereOne reports whether two pockets share, with air between, a cylinder along which they are cut or a little apart, a
// sphere, or two other surfaces that are not parallel, or one and a round end.
func (r *recognizer) wereOne(shared []twins, tried *int) bool {
	g := r.g
	first := int32(graph.None) // a surface that they share
	for _, t := range shared {
		if n := r.groove[t.p]; n != 0 && n == r.groove[t.q] {
			return true
		}
		s := &g.Patches[t.p].Shape
		isEnough := s.Kind == surface.KindSphere || s.Kind == surface.KindCylinder &&
			(graph.Parallel(s.Axis, r.out[r.owner[t.p]].dir) || r.isInLine(t) || r.areAcrossBore(t)) ||
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
	return r.isRoundEnd(f, k) || r.isRoundEnd(k, f) || r.areRoundEnds(f, k) || r.boundOne(f, k)
}

// isInLine reports whether the gap between two pieces of a cylinder, along its axis, is no longer than the longer one or
// than two diameters.
func (r *facts) isInLine(t twins) bool {
	axis := r.g.Patches[t.p].Axis
	a, b := r.g.Extent(t.p, axis), r.g.Extent(t.q, axis)
	return max(a.Lo, b.Lo)-min(a.Hi, b.Hi) <= max(a.Length(), b.Length(), 4*r.g.Patches[t.p].Radius)
}

// areAcrossBore reports whether two pieces of a cylinder open into one bore: a groove across the rim of a cup, or the
// slots of a castle nut, are cut from one side to the other.
func (r *facts) areAcrossBore(t twins) bool {
	g := r.g
	bores := func(p int32) (out []int32) {
		for _, x := range g.Patches[p].Arcs {
			q := g.Arcs[x].Other(p)
			if s := &g.Patches[q].Shape; g.Arcs[x].Convexity == graph.Convex && s.Hollow && s.Kind != surface.KindPlane {
				out = append(out, q)
			}
		}
		return out
	}
	others := bores(t.q)
	return slices.ContainsFunc(bores(t.p), func(p int32) bool {
		return slices.ContainsFunc(others, func(q int32) bool { return p == q || g.Continues(&g.Patches[p].Shape, &g.Patches[q].Shape) })
	})
}

// normalOf returns the sum of the normals of a patch.
func (r *facts) normalOf(p int32) (sum geom.Vec3) {
	r.g.EachPoint(p, func(_, n geom.Vec3) { sum = sum.Add(n) })
	return sum
}

// isAirBetween reports whether nothing stands between two patches of one surface, a little off it, where outer edges
// of theirs come nearest: where others cut them, or rounded rims too.
func (r *recognizer) isAirBetween(p, q int32) bool {
	return r.isFree(p, q, func(b graph.Convexity) bool { return b == graph.Convex }) ||
		r.isFree(p, q, func(b graph.Convexity) bool { return b != graph.Concave })
}

// isFree reports whether the way between the nearest edges of two patches that are fit is free.
func (r *recognizer) isFree(p, q int32, isFit func(graph.Convexity) bool) bool {
	const (
		off = 10   // lengths of the graph, off the surface and off the edge, lest the line runs along the rim of both
		sag = 0.02 // radii, that facets lie within a hollow cylinder: they turn by 20° at the most
	)
	g := r.g
	var from, to *graph.Adjacency
	nearest := math.Inf(1)
	for _, x := range g.Patches[p].Arcs {
		for _, y := range g.Patches[q].Arcs {
			a, b := &g.Arcs[x], &g.Arcs[y]
			if d := a.Mid.Dist(b.Mid); isFit(a.Convexity) && isFit(b.Convexity) && d < nearest {
				from, to, nearest = a, b, d
			}
		}
	}
	if from == nil {
		return false
	}
	at := func(a *graph.Adjacency, p int32) geom.Vec3 {
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

// seesBoth returns one of the directions of two pockets that sees both of them, else the first that does, graph.None where
// there is none.
func (r *recognizer) seesBoth(f, k int32) int {
	isFit := func(d int) bool {
		return r.v.Seen(r.g, d, r.out[f].patches) >= direction.MinWallVisibility &&
			r.v.Seen(r.g, d, r.out[k].patches) >= direction.MinWallVisibility
	}
	for _, i := range [2]int32{f, k} {
		if d := r.v.Find(r.out[i].dir); d != graph.None && isFit(d) {
			return d
		}
	}
	for d := range r.v.Dirs {
		if isFit(d) {
			return d
		}
	}
	return graph.None
}

// turnAlike gives two pockets one direction that sees both; false where there is none, and of two flats of bent sheet, as
// each was cut before they were bent.
func (r *recognizer) turnAlike(f, k int32) bool {
	if r.sheet.AreInTwoFlats(r.g, r.out[f].patches, r.out[k].patches) {
		return false
	}
	d := r.seesBoth(f, k)
	if d == graph.None {
		return r.out[f].dir == r.out[k].dir
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

// boundOne reports whether the walls of two pockets that share a surface bound one hollow: each lies before all walls of
// the other, some look at each other or into one corner, and floors of both lie in one plane. Cores of grooves count for
// none.
func (r *recognizer) boundOne(f, k int32) bool {
	d := r.seesBoth(f, k)
	if d == graph.None {
		return false
	}
	dir := r.v.Dirs[d]
	if a, b := r.floorsAlong(f, dir), r.floorsAlong(k, dir); len(a) > 0 && len(b) > 0 && !r.areLevel(f, k, dir) {
		return false
	}
	isCore := func(p int32) bool { return r.isCore[p] }
	a, b := slices.DeleteFunc(r.uprightOf(f, dir), isCore), slices.DeleteFunc(r.uprightOf(k, dir), isCore)
	return r.isBefore(a, b) && r.isBefore(b, a) && slices.ContainsFunc(a, func(p int32) bool {
		return slices.ContainsFunc(b, func(q int32) bool {
			s, t := &r.g.Patches[p].Shape, &r.g.Patches[q].Shape
			return s.Kind == surface.KindPlane && t.Kind == surface.KindPlane && s.Axis.Dot(t.Axis) < graph.AxisTolerance
		})
	})
}

// maxRows bounds the pockets along one direction that are compared with each other.
const maxRows = 64

// rounds makes one pocket of two, one of them without a floor, whose walls, some of each, stand on half of all sides of one
// convex hollow at least, neither of them alone.
func (r *recognizer) rounds(tried *int) {
	for d, dir := range r.v.Dirs {
		var rows []int32
		for f := range r.out {
			if o := &r.out[f]; o.typ == feature.Pocket && o.into == 0 {
				if walls := r.uprightOf(int32(f), dir); len(walls) > 1 && !section.Embraces(r.g, dir, walls) {
					rows = append(rows, int32(f))
				}
			}
		}
		if len(rows) > maxRows {
			continue
		}
		for i, f := range rows {
			for _, k := range rows[:i] {
				if r.keeper(f) == f && r.out[k].into == 0 && *tried < maxAir && r.boundRound(f, k, d, tried) && r.turnAlike(f, k) {
					r.unite(k, f, "Walls in pieces stand round one hollow, with nothing but air between.")
				}
			}
		}
	}
}

// boundRound reports whether the walls of two pockets stand round one convex hollow along direction d, none below the floor
// of the other.
func (r *recognizer) boundRound(f, k int32, d int, tried *int) bool {
	dir := r.v.Dirs[d]
	a, b := r.uprightOf(f, dir), r.uprightOf(k, dir)
	za, zb := r.g.ExtentOf(a, dir), r.g.ExtentOf(b, dir)
	if min(za.Hi, zb.Hi)-max(za.Lo, zb.Lo) < r.slack() ||
		r.v.Seen(r.g, d, ascending(slices.Concat(r.out[f].patches, r.out[k].patches))) < direction.MinWallVisibility ||
		section.Gap(r.g, dir, slices.Concat(a, b)) > math.Pi+graph.SmoothAngle || !r.isBefore(a, b) || !r.isBefore(b, a) {
		return false
	}
	if len(r.floorsAlong(f, dir)) > 0 {
		a, b, f, k = b, a, k, f
	}
	if len(r.floorsAlong(f, dir)) > 0 ||
		r.g.ExtentOf(r.out[f].patches, dir).Lo < r.g.ExtentOf(r.out[k].patches, dir).Lo-r.slack() {
		return false
	}
	*tried++
	return r.isFree(r.largest(a), r.largest(b), func(b graph.Convexity) bool { return b != graph.Concave })
}

// isBefore reports whether none of some walls reaches behind a plane among others.
func (r *facts) isBefore(walls, others []int32) bool {
	for _, p := range others {
		s := &r.g.Patches[p].Shape
		if s.Kind == surface.KindPlane && slices.ContainsFunc(walls, func(q int32) bool {
			return r.g.Extent(q, s.Axis).Lo < s.Origin.Dot(s.Axis)-r.slack()
		}) {
			return false
		}
	}
	return true
}
