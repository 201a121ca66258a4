package recognize

// Patches that meet a floor in a concave edge and are none of its walls.
//
// The slope of a rib in the corner of a floor is the top of the rib. A round wall with a small part of its base on the
// floor extends past it. A plane beyond which the floor ends at once was meant to be flush. A patch that meets a wall
// below the floor belongs to another feature.
//
// Cost: linear in the edges of a patch and of its neighbors.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// flushTolerance returns the offset, mm, up to which drawn faces count as flush.
func (pc *partContext) flushTolerance() float64 { return min(0.1, pc.g.Diagonal/500) }

// isAtEdge reports whether a floor continues beyond a plane by flushTolerance at most. The plane is then no wall on the
// floor, unless the floor is a sliver all around an island.
func (pc *partContext) isAtEdge(wall, floor int32) bool {
	s := &pc.g.Patches[wall].Shape
	if s.Kind != surface.KindPlane || pc.g.Extent(floor, s.Axis).Hi-s.Origin.Dot(s.Axis) > pc.flushTolerance() {
		return false
	}
	return !pc.isSliver(floor) || len(pc.boundaryLoops(floor)) < 2
}

// isProtrusion reports whether plane lip, which rises from another face over edge a, is the side of a small protrusion
// at the border of that face. The protrusion is narrower than a tenth of the face, walls cover less than a tenth of the
// boundary of the face, and a second concave edge continues a or the step is short and nearly flush.
func (r *reading) isProtrusion(a *graph.Adjacency, lip int32) bool {
	g, face := r.g, a.Other(lip)
	if a.Convexity != graph.Concave || !r.isBarelyWalled[face] || !g.IsPlane(lip) {
		return false
	}
	width := g.Extent(lip, g.Patches[face].Axis).Length()
	if width >= minWalled*g.Extent(face, g.Patches[lip].Axis).Length() {
		return false
	}
	if width <= r.flushTolerance() && a.Length < g.Extent(face, a.Dir).Length()/2 {
		return true
	}
	e := &g.Model.Edges[a.Edge]
	return g.AnyNeighbor(face, func(_ int32, b *graph.Adjacency) bool {
		o := &g.Model.Edges[b.Edge]
		return b.Convexity == graph.Concave && b.Edge != a.Edge &&
			(o.Start == e.Start || o.Start == e.End || o.End == e.Start || o.End == e.End)
	})
}

// hasProtrusion reports whether plane p has a protrusion at its border. Such a plane is a face and not left by a
// pocket.
func hasProtrusion(r *reading, p int32) bool {
	return r.isBarelyWalled[p] && r.g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
		return r.isProtrusion(a, q)
	})
}

// hasOnlyProtrusions reports whether all planes that rise from a floor are sides of protrusions at its border.
func hasOnlyProtrusions(r *reading, b *floorCandidate) bool {
	isLip := false
	for _, x := range r.g.Patches[b.patch].Arcs {
		if r.climbs(x, b) {
			if isLip = r.isProtrusion(&r.g.Arcs[x], b.patch); !isLip {
				return false
			}
		}
	}
	return isLip
}

// isGusset reports whether a plane is the slope of a rib in an inner corner. The slope and a side of the rib then rest
// on the same two faces. A bevel that fills a corner ends at perpendicular walls, or where the corner ends.
func isGusset(g *graph.Graph, p int32) bool {
	if !g.IsPlane(p) {
		return false
	}
	var on, sides []int32
	for q, a := range g.Neighbors(p) {
		switch {
		case !g.IsPlane(q):
		case a.Convexity == graph.Concave && -a.Turn < math.Pi/2-graph.SmoothAngle:
			on = append(on, q)
		case a.Convexity == graph.Convex:
			sides = append(sides, q)
		}
	}
	on = ascending(on)
	return len(on) > 1 && slices.ContainsFunc(ascending(sides), func(side int32) bool {
		return len(ascending(g.NeighborsWith(side, func(q int32, a *graph.Adjacency) bool {
			return contains(on, q) && a.Convexity == graph.Concave
		}))) > 1
	})
}

// withoutSlopes removes and marks the planes among the walls of an island that slope down to its floor on one side: the
// tops of wedges. They lean by more than 45° to the direction of the island, and two walls end at them.
func withoutSlopes(r *reading, walls []int32, b *floorCandidate) []int32 {
	dir := r.v.Dirs[b.dir]
	return without(walls, func(p int32) bool {
		ends := r.g.NeighborsWith(p, func(q int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Convex && r.isWall(q, dir) && slices.Contains(walls, q)
		})
		r.reachesDown[p] = r.isSlope(p, dir) && !r.isWall(p, dir) && len(ascending(ends)) > 1
		return r.reachesDown[p]
	})
}

// isEdgeRounding reports whether a patch rounds a convex edge. Where it ends at a perpendicular face, the edge ends,
// and nothing was cut there.
func (pc *partContext) isEdgeRounding(p int32) bool {
	return !pc.g.Patches[p].Hollow && pc.g.IsBlend(p)
}

// isFloorOfBoss reports whether a plane is the floor of a round boss into which the floor of b is cut, as the shoulder
// at the end of a keyway.
func isFloorOfBoss(r *reading, p int32, b *floorCandidate) bool {
	return r.g.IsPlane(p) && r.g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
		round := &r.g.Patches[q].Shape
		return a.Convexity == graph.Concave && r.typeOf(q) == feature.Boss && round.IsMantle() &&
			r.g.Facing(p, r.features[r.ownerOf(q)].dir) && r.g.Reach(b.patch, round).Hi <= round.Radius+r.g.Length
	})
}

// isAdjacentTo reports whether less than half of the base edge of a round wall is on the floor of b. Cores of grooves
// do not count.
func isAdjacentTo(r *reading, p int32, b *floorCandidate) bool {
	s := &r.g.Patches[p].Shape
	if r.isCore[p] || !s.IsMantle() || s.Kind != surface.KindCylinder || !r.isVertical(p, r.v.Dirs[b.dir]) {
		return false
	}
	base := 0.0
	for q, a := range r.g.Neighbors(p) {
		if q == b.patch {
			base += a.Length
		}
	}
	return base < r.g.Sweep([]int32{p}, s)*s.Radius/2
}

// isBelowFloor reports whether a patch lies no higher than the floor of b. A floor between two of the walls found so
// far does not count: a groove around an outer corner has one.
func isBelowFloor(pc *partContext, p int32, b *floorCandidate, walls []int32) bool {
	if pc.g.Extent(p, pc.v.Dirs[b.dir]).Hi > b.z+pc.g.Length {
		return false
	}
	meets := 0
	for _, wall := range walls {
		if pc.meets(p, wall, graph.Concave) {
			meets++
		}
	}
	return meets < 2
}

// restsElsewhere reports whether wall q rests on another floor than that of b.
func restsElsewhere(pc *partContext, q int32, b *floorCandidate) bool {
	return pc.g.AnyNeighbor(q, func(o int32, a *graph.Adjacency) bool {
		return a.Convexity == graph.Concave && o != b.patch && pc.g.Facing(o, pc.v.Dirs[b.dir])
	})
}

// floorBesideBevel returns the floor of a pocket if b is only a bevel between two perpendicular planes that rise from
// it at a slant. It is the larger plane whose direction faces more of the part and sees the pocket, otherwise b itself.
func floorBesideBevel(r *reading, b *floorCandidate, pocket []int32) *floorCandidate {
	g := r.g
	var sides []int32
	for _, x := range g.Patches[b.patch].Arcs {
		if q := g.Arcs[x].Other(b.patch); r.climbs(x, b) && g.IsPlane(q) && r.isSlope(q, r.v.Dirs[b.dir]) {
			sides = append(sides, q)
		}
	}
	if sides = ascending(sides); len(sides) != 2 ||
		math.Abs(g.Patches[sides[0]].Axis.Dot(g.Patches[sides[1]].Axis)) > graph.DirectionTolerance {
		return b
	}
	area := func(o *floorCandidate) float64 { return direction.RoundSignificant(g.Patches[o.patch].Area) }
	best := b
	for i := range r.floors {
		o := &r.floors[i]
		if slices.Contains(sides, o.patch) && r.v.Weight[o.dir] > r.v.Weight[b.dir] &&
			!slices.ContainsFunc(pocket, func(p int32) bool { return !r.sees(o.dir, p) }) &&
			(best == b || cmp.Or(cmp.Compare(area(best), area(o)), cmp.Compare(o.dir, best.dir)) < 0) {
			best = o
		}
	}
	return best
}

// isRamp reports whether the only wall on a floor without closed walls is a slope, or nothing rises from the floor
// except fillets that end in slopes.
func isRamp(r *reading, b *floorCandidate, walls []int32) bool {
	dir := r.v.Dirs[b.dir]
	if b.walled >= closedRatio {
		return false
	}
	if len(walls) == 1 && r.g.IsPlane(walls[0]) {
		return !r.isWall(walls[0], dir)
	}
	return !slices.ContainsFunc(b.boundaryLoops, func(loop graph.BoundaryLoop) bool {
		return !loop.IsInner && slices.ContainsFunc(loop.Arcs, func(x int32) bool {
			q := r.g.Arcs[x].Other(b.patch)
			return r.climbs(x, b) && (!r.isFillet(q) || r.g.Slopes(q, dir).Lo < section.SteepSin)
		})
	})
}
