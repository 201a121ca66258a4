package recognize

// Pieces of one cut.
//
// Two pockets on two common surfaces, or on one common cylinder, with only air between, are one: one pass of the tool
// cuts them, and a later cut split them. The same holds for these pairs: a slot and its round end; collinear grooves
// that open into one bore, or whose gap is no longer than they are or than two diameters; pieces with a common floor or
// wall whose walls face each other as those of one pocket; round ends of one radius; rows of walls around one convex
// pocket; continuations around an inner corner at the same level.
//
// Cost: patches on one surface are looked up. At most maxAir gaps are tested, each linear in triangles.

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

// maxAir bounds the tested gaps between pieces.
const maxAir = 256

// coSurfacePair is a pair of patches on one surface, of two pockets.
type coSurfacePair struct{ p, q int32 }

// mergePieces merges pockets that are pieces of one cut.
func mergePieces(r *reading, v *verifier) {
	claimPieces(r, v)
	type pair struct{ f, k int32 }
	found := map[pair][]coSurfacePair{}
	var order []pair
	eachCoSurfacePair(r, func(p, q int32) {
		k := pair{min(r.ownerOf(p), r.ownerOf(q)), max(r.ownerOf(p), r.ownerOf(q))}
		if found[k] == nil {
			order = append(order, k)
		}
		found[k] = append(found[k], coSurfacePair{p, q})
	})
	slices.SortFunc(order, func(a, b pair) int { return cmp.Or(cmp.Compare(a.f, b.f), cmp.Compare(a.k, b.k)) })
	tried := 0
	for _, k := range order {
		f, o := r.ownerOf(found[k][0].p), r.ownerOf(found[k][0].q)
		if f != o && !r.areStacked(f, o) && arePiecesOfOne(r, found[k], &tried) && v.align(f, o) {
			v.unite(min(f, o), max(f, o), "It lies in pieces on the same surfaces, with nothing but air between.")
		}
	}
	mergeRoundEnds(r, v, &tried)
	mergeAtCorners(r, v)
	mergeWallRows(r, v, &tried)
	v.dropMerged()
	claimPieces(r, v) // across the merged pockets
	claimOppositeSides(r, v)
}

// areStacked reports whether one of two pockets was cut into a floor of the other: all of it lies below that floor, and
// the floor ends at it.
func (r *reading) areStacked(f, k int32) bool {
	isIn := func(k, f int32) bool {
		dir := r.features[f].dir
		return slices.ContainsFunc(r.features[f].patches, func(p int32) bool {
			return r.g.Facing(p, dir) && r.g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
				return a.Convexity == graph.Convex && r.ownerOf(q) == k
			}) && r.g.ExtentOf(r.features[k].patches, dir).Hi <= r.g.Extent(p, dir).Lo+r.g.Length
		})
	}
	return isIn(k, f) || isIn(f, k)
}

// mergeAtCorners merges two pockets whose walls meet in an inner corner. Their floors must lie at one level, or the
// walls must continue smoothly around the corner where one pocket has lost its floor.
func mergeAtCorners(r *reading, v *verifier) {
	g := r.g
	for i := range g.Arcs {
		a := &g.Arcs[i]
		f, k := r.ownerOf(a.A), r.ownerOf(a.B)
		if f == graph.None || k == graph.None || a.Convexity == graph.Convex {
			continue
		}
		if f != k && r.features[f].typ == feature.Pocket && r.features[k].typ == feature.Pocket &&
			(r.wrapsCorner(a, f, k) || r.wrapsCorner(a, k, f)) && !r.areStacked(f, k) && v.align(f, k) {
			v.unite(min(f, k), max(f, k), "It goes on round an inner corner.")
		}
	}
}

// wrapsCorner reports whether an edge between two pockets is an inner corner. It is one along the direction of the
// first pocket, a direction along all of its walls, or the edge itself. The pockets must be at one level, or, at a
// smooth edge, one must have lost its floor.
func (r *reading) wrapsCorner(a *graph.Adjacency, f, k int32) bool {
	isRounded := r.isEdgeRounding(a.A) || r.isEdgeRounding(a.B)
	if isZeroGap(a) || isRounded && r.features[f].dir != r.features[k].dir { // two cuts that end at one round edge
		return false
	}
	level := func(dir geom.Vec3) bool {
		return !isPerpendicular(a, dir) && r.isVertical(a.A, dir) && r.isVertical(a.B, dir) && r.areLevel(f, k, dir)
	}
	isRim := func(dir geom.Vec3) bool { // a round edge of one beside the floor of the other
		return isRounded && dir != r.features[f].dir && len(r.verticalOf(k, dir)) < len(r.features[k].patches)
	}
	return len(r.floorsAlong(f, a.Dir)) > 0 && !isRim(a.Dir) && level(a.Dir) ||
		slices.ContainsFunc(r.alongWalls(f), func(dir geom.Vec3) bool {
			if isRim(dir) {
				return false
			}
			hasLost := a.Convexity == graph.Smooth && (len(r.floorsAlong(f, dir)) == 0 || len(r.floorsAlong(k, dir)) == 0)
			return level(dir) || hasLost && !isPerpendicular(a, dir) && r.isVertical(a.A, dir) && r.isVertical(a.B, dir)
		})
}

// areLevel reports whether two pockets have coplanar floors along a direction, or no floors.
func (r *reading) areLevel(f, k int32, dir geom.Vec3) bool {
	a, b := r.floorsAlong(f, dir), r.floorsAlong(k, dir)
	return len(a)+len(b) == 0 || slices.ContainsFunc(a, func(p int32) bool {
		return slices.ContainsFunc(b, func(q int32) bool {
			return r.g.OnOneSurface(p, q)
		})
	})
}

// floorsAlong returns the patches of a feature that face dir or its opposite.
func (r *reading) floorsAlong(f int32, dir geom.Vec3) []int32 {
	return without(r.features[f].patches, func(p int32) bool {
		return !r.g.Facing(p, dir) && !r.g.Facing(p, dir.Neg())
	})
}

// eachCoSurfacePair visits the pairs of patches of two pockets on one plane, concave cylinder or concave sphere. It
// also visits pairs of a concave cylinder and a coaxial concave cone, or the fillet that continues it.
func eachCoSurfacePair(r *reading, visit func(p, q int32)) {
	g := r.g
	all := r.patchesOf(func(f *candidate, _ int32) bool { return f.typ == feature.Pocket })
	planes := g.NewPlanes(all)
	hollow := func(k surface.Kind) []int32 {
		return only(all, func(p int32) bool { return g.Patches[p].Kind == k && g.Patches[p].Hollow })
	}
	axes, balls := g.NewAxes(hollow(surface.KindCylinder)), hollow(surface.KindSphere)
	for _, p := range all {
		s := &g.Patches[p].Shape
		see := func(q int32) {
			if p < q && r.ownerOf(p) != r.ownerOf(q) && g.Continues(s, &g.Patches[q].Shape) {
				visit(p, q)
			}
		}
		switch {
		case s.Kind == surface.KindPlane:
			planes.Between(s.Axis, s.Origin, -g.Length, g.Length, see)
		case s.Kind == surface.KindCylinder && s.Hollow:
			axes.Near(s, see)
		case s.Kind == surface.KindCone && s.Hollow: // the drill tip of a bore
			axes.Near(s, func(q int32) {
				if r.ownerOf(p) != r.ownerOf(q) && g.Coaxial(s, &g.Patches[q].Shape) {
					visit(q, p)
				}
			})
		case s.Kind == surface.KindTorus && s.Hollow: // the fillet at the base of a round wall
			axes.Near(s, func(q int32) {
				w := &g.Patches[q].Shape
				if r.ownerOf(p) != r.ownerOf(q) && g.Coaxial(s, w) && math.Abs(s.Radius+s.Minor-w.Radius) <= g.Length {
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

// arePiecesOfOne reports whether two pockets share, across air, a sphere, a cylinder along which they are cut or nearly
// in line, or two surfaces that are not parallel. One surface is enough with a round end.
func arePiecesOfOne(r *reading, shared []coSurfacePair, tried *int) bool {
	g := r.g
	first := int32(graph.None) // a common surface
	for _, t := range shared {
		if n := r.groove[t.p]; n != 0 && n == r.groove[t.q] {
			return true
		}
		s := &g.Patches[t.p].Shape
		isEnough := s.Kind == surface.KindSphere || s.Kind == surface.KindCylinder &&
			(graph.Parallel(s.Axis, r.features[r.ownerOf(t.p)].dir) || isInLine(r.partContext, t) ||
				areAcrossBore(r.partContext, t)) ||
			first != graph.None && (s.Kind != g.Patches[first].Kind || !graph.Parallel(s.Axis, g.Patches[first].Axis))
		if !isEnough && first != graph.None || *tried >= maxAir {
			continue
		}
		if *tried++; !r.hasGapBetween(t.p, t.q) {
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
	f, k := r.ownerOf(shared[0].p), r.ownerOf(shared[0].q)
	return isRoundEnd(r, f, k) || isRoundEnd(r, k, f) || areRoundEnds(r, f, k) || boundOne(r, f, k)
}

// isInLine reports whether the axial gap between two pieces of a cylinder is no longer than the longer piece or than
// two diameters.
func isInLine(pc *partContext, t coSurfacePair) bool {
	axis := pc.g.Patches[t.p].Axis
	a, b := pc.g.Extent(t.p, axis), pc.g.Extent(t.q, axis)
	return -a.Intersect(b).Length() <= max(a.Length(), b.Length(), 4*pc.g.Patches[t.p].Radius)
}

// areAcrossBore reports whether two pieces of a cylinder open into one bore. A groove across the edge of a cup, or the
// slots of a castle nut, are cut from one side to the other.
func areAcrossBore(pc *partContext, t coSurfacePair) bool {
	g := pc.g
	bores := func(p int32) []int32 {
		return g.NeighborsWith(p, func(q int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Convex && pc.isFillet(q)
		})
	}
	others := bores(t.q)
	return slices.ContainsFunc(bores(t.p), func(p int32) bool {
		return slices.ContainsFunc(others, func(q int32) bool {
			return g.OnOneSurface(p, q)
		})
	})
}

// normalOf returns the sum of the normals of a patch.
func (pc *partContext) normalOf(p int32) (sum geom.Vec3) {
	pc.g.EachPoint(p, func(_, n geom.Vec3) { sum = sum.Add(n) })
	return sum
}

// hasGapBetween reports whether only air lies between two patches of one surface, slightly above it, where their convex
// edges, or their rounded edges, are nearest.
func (pc *partContext) hasGapBetween(p, q int32) bool {
	return pc.isFree(p, q, func(b graph.Convexity) bool { return b == graph.Convex }) ||
		pc.isFree(p, q, func(b graph.Convexity) bool { return b != graph.Concave })
}

// isFree reports whether the segment between the nearest edges of two patches that satisfy isFit is free.
func (pc *partContext) isFree(p, q int32, isFit func(graph.Convexity) bool) bool {
	const (
		off = 10   // lengths of the graph, off surface and edge, so that the line does not run along both edges
		sag = 0.02 // radii; facets deviate from a concave cylinder by less, as they turn by 20° at most
	)
	g := pc.g
	var from, to *graph.Adjacency
	nearest := math.Inf(1)
	for _, a := range g.Neighbors(p) {
		if !isFit(a.Convexity) {
			continue
		}
		for _, b := range g.Neighbors(q) {
			if d := a.Mid.Dist(b.Mid); isFit(b.Convexity) && d < nearest {
				from, to, nearest = a, b, d
			}
		}
	}
	if from == nil {
		return false
	}
	at := func(a *graph.Adjacency, p int32) geom.Vec3 {
		s := &g.Patches[p].Shape
		inwards := g.Box(p).Center().Sub(a.Mid)
		if s.Kind != surface.KindPlane {
			inwards = s.Axis.Scale(inwards.Dot(s.Axis))
		}
		n := g.NormalAt(g.Patches[p].Faces[0], a.Mid)
		return a.Mid.AddScaled(off*g.Length+sag*s.Radius, n).AddScaled(off*g.Length, inwards.Unit())
	}
	return !g.Crosses(at(from, p), at(to, q))
}

// seesBoth returns a direction that sees two pockets, their own directions first, graph.None if there is none.
func seesBoth(r *reading, f, k int32) int {
	isFit := func(d int) bool {
		return r.v.Seen(r.g, d, r.features[f].patches) >= direction.MinWallVisibility &&
			r.v.Seen(r.g, d, r.features[k].patches) >= direction.MinWallVisibility
	}
	for _, i := range [2]int32{f, k} {
		if d := r.v.Find(r.features[i].dir); d != graph.None && isFit(d) {
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

// boundOne reports whether the walls of two pockets with a common surface bound one pocket. Each wall lies before all
// walls of the other pocket, two face each other or meet in a corner, and their floors are coplanar. Cores of grooves
// do not count.
func boundOne(r *reading, f, k int32) bool {
	d := seesBoth(r, f, k)
	if d == graph.None {
		return false
	}
	dir := r.v.Dirs[d]
	if a, b := r.floorsAlong(f, dir), r.floorsAlong(k, dir); len(a) > 0 && len(b) > 0 && !r.areLevel(f, k, dir) {
		return false
	}
	isCore := func(p int32) bool { return r.isCore[p] }
	a, b := slices.DeleteFunc(r.verticalOf(f, dir), isCore), slices.DeleteFunc(r.verticalOf(k, dir), isCore)
	return r.isBefore(a, b) && r.isBefore(b, a) && slices.ContainsFunc(a, func(p int32) bool {
		return slices.ContainsFunc(b, func(q int32) bool {
			s, t := &r.g.Patches[p].Shape, &r.g.Patches[q].Shape
			return s.Kind == surface.KindPlane && t.Kind == surface.KindPlane && s.Axis.Dot(t.Axis) < graph.AxisTolerance
		})
	})
}

// maxRows bounds the pockets along one direction that are compared with each other.
const maxRows = 64

// mergeWallRows merges two pockets, one without a floor, whose walls together cover at least half of all sides of one
// convex pocket. Neither may do so alone.
func mergeWallRows(r *reading, v *verifier, tried *int) {
	for d, dir := range r.v.Dirs {
		var rows []int32
		for f := range r.features {
			if o := r.features[f]; o.typ == feature.Pocket {
				if walls := r.verticalOf(int32(f), dir); len(walls) > 1 && !section.Encircles(r.g, dir, walls) {
					rows = append(rows, int32(f))
				}
			}
		}
		if len(rows) > maxRows {
			continue
		}
		for i, f := range rows {
			for _, k := range rows[:i] {
				if len(r.features[f].patches) > 0 && len(r.features[k].patches) > 0 && *tried < maxAir &&
					boundRound(r, f, k, d, tried) && v.align(f, k) {
					v.unite(k, f, "Walls in pieces stand round one hollow, with nothing but air between.")
				}
			}
		}
	}
}

// boundRound reports whether the walls of two pockets surround one convex pocket along direction d, none below the
// floor of the other.
func boundRound(r *reading, f, k int32, d int, tried *int) bool {
	dir := r.v.Dirs[d]
	a, b := r.verticalOf(f, dir), r.verticalOf(k, dir)
	za, zb := r.g.ExtentOf(a, dir), r.g.ExtentOf(b, dir)
	both := ascending(slices.Concat(r.features[f].patches, r.features[k].patches))
	if za.Intersect(zb).Length() < r.g.Slack() || r.v.Seen(r.g, d, both) < direction.MinWallVisibility ||
		section.WidestNormalGap(r.g, dir, slices.Concat(a, b)) > math.Pi+graph.SmoothAngle || !r.isBefore(a, b) ||
		!r.isBefore(b, a) {
		return false
	}
	if len(r.floorsAlong(f, dir)) > 0 {
		a, b, f, k = b, a, k, f
	}
	if len(r.floorsAlong(f, dir)) > 0 ||
		r.g.ExtentOf(r.features[f].patches, dir).Lo < r.g.ExtentOf(r.features[k].patches, dir).Lo-r.g.Slack() {
		return false
	}
	*tried++
	return r.isFree(r.largest(a), r.largest(b), func(b graph.Convexity) bool { return b != graph.Concave })
}

// isBefore reports whether no wall extends behind a plane among others.
func (pc *partContext) isBefore(walls, others []int32) bool {
	for _, p := range others {
		s := &pc.g.Patches[p].Shape
		if s.Kind == surface.KindPlane && slices.ContainsFunc(walls, func(q int32) bool {
			return pc.g.Extent(q, s.Axis).Lo < s.Origin.Dot(s.Axis)-pc.g.Slack()
		}) {
			return false
		}
	}
	return true
}
