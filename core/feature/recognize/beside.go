package recognize

// What meets a floor in an inner edge and is none of its walls.
//
// Not all that rises from a floor was cut with it: the slope of a rib in its corner is the rib's top, what is round and stands
// on the floor with a small part of its foot goes on beside it, a plane beyond which the floor ends at once was meant to be
// flush, and what meets a wall below the floor is of something else.
//
// Cost: linear in the edges of a patch and of its neighbours.

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

// drawnApart returns by how much, mm, parts are drawn apart that were meant to be flush.
func (r *facts) drawnApart() float64 { return min(0.1, r.g.Diagonal/500) }

// isAtEdge reports whether a floor goes on beyond a plane by no more than parts are drawn apart that were meant to be flush:
// the plane is no wall on it, unless the floor goes all round something as narrow.
func (r *facts) isAtEdge(wall, floor int32) bool {
	s := &r.g.Patches[wall].Shape
	if s.Kind != surface.KindPlane || r.g.Extent(floor, s.Axis).Hi-s.Origin.Dot(s.Axis) > r.drawnApart() {
		return false
	}
	return !r.isSliver(floor) || len(r.rims(floor)) < 2
}

// isLip reports whether a plane that rises from another one over an edge is the side of what stands out at the edge of that: it
// stands out by less than a tenth of the other one's width before it, on less than a tenth of whose rim there are walls, and what
// rises goes on at an end of the edge, or is short and was meant to be flush.
func (r *recognizer) isLip(a *graph.Adjacency, lip int32) bool {
	g, face := r.g, a.Other(lip)
	if a.Convexity != graph.Concave || !r.isEdged[face] || g.Patches[lip].Kind != surface.KindPlane {
		return false
	}
	width := g.Extent(lip, g.Patches[face].Axis).Length()
	if width >= leastWalled*g.Extent(face, g.Patches[lip].Axis).Length() {
		return false
	}
	if width <= r.drawnApart() && a.Length < g.Extent(face, a.Dir).Length()/2 {
		return true
	}
	e := &g.Model.Edges[a.Edge]
	return slices.ContainsFunc(g.Patches[face].Arcs, func(y int32) bool {
		o := &g.Model.Edges[g.Arcs[y].Edge]
		return g.Arcs[y].Convexity == graph.Concave && g.Arcs[y].Edge != a.Edge &&
			(o.Start == e.Start || o.Start == e.End || o.End == e.Start || o.End == e.End)
	})
}

// hasLip reports whether lips stand out at the side of a plane: it is a face, not what a pocket left.
func (r *recognizer) hasLip(p int32) bool {
	return r.isEdged[p] && slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
		return r.isLip(&r.g.Arcs[x], r.g.Arcs[x].Other(p))
	})
}

// isOnlyLip reports whether all that rises from a floor are planes at whose sides it stands out.
func (r *recognizer) isOnlyLip(b *basin) bool {
	isLip := false
	for _, x := range r.g.Patches[b.patch].Arcs {
		if r.rises(x, b) {
			if isLip = r.isLip(&r.g.Arcs[x], b.patch); !isLip {
				return false
			}
		}
	}
	return isLip
}

// isGusset reports whether a plane is the slope of a rib in an inner corner: it and a side of the rib stand on the same
// two faces. A bevel that fills a corner ends at walls across it, or where the corner does.
func isGusset(g *graph.Graph, p int32) bool {
	if g.Patches[p].Kind != surface.KindPlane {
		return false
	}
	var on, sides []int32
	for _, x := range g.Patches[p].Arcs {
		a := &g.Arcs[x]
		q := a.Other(p)
		switch {
		case g.Patches[q].Kind != surface.KindPlane:
		case a.Convexity == graph.Concave && -a.Turn < math.Pi/2-graph.SmoothAngle:
			on = append(on, q)
		case a.Convexity == graph.Convex:
			sides = append(sides, q)
		}
	}
	on = ascending(on)
	return len(on) > 1 && slices.ContainsFunc(ascending(sides), func(side int32) bool {
		var stands []int32
		for _, x := range g.Patches[side].Arcs {
			q := g.Arcs[x].Other(side)
			if _, ok := slices.BinarySearch(on, q); ok && g.Arcs[x].Convexity == graph.Concave {
				stands = append(stands, q)
			}
		}
		return len(ascending(stands)) > 1
	})
}

// withoutSlopes drops the planes among the walls of an island that run down to its floor on one side of it, and marks them:
// the slanting tops of wedges. They lean by more than 45° to where the island is made from, and two walls end at them.
func (r *recognizer) withoutSlopes(walls []int32, b *basin) []int32 {
	dir := r.v.Dirs[b.dir]
	return slices.DeleteFunc(slices.Clone(walls), func(p int32) bool {
		var ends []int32
		for _, x := range r.g.Patches[p].Arcs {
			q := r.g.Arcs[x].Other(p)
			if r.g.Arcs[x].Convexity == graph.Convex && r.isWall(q, dir) && slices.Contains(walls, q) {
				ends = append(ends, q)
			}
		}
		r.reachesDown[p] = r.isSlope(p, dir) && !r.isWall(p, dir) && len(ascending(ends)) > 1
		return r.reachesDown[p]
	})
}

// isRimRounding reports whether a patch is the rounding of an outer edge: where that ends at something across it, the edge
// does, and nothing was cut there.
func (r *facts) isRimRounding(p int32) bool { return !r.g.Patches[p].Hollow && r.g.IsBlend(p) }

// isFloorOfBoss reports whether a plane is the floor of a round boss into which the floor of b is cut, as the shoulder at the end
// of a keyway is.
func (r *recognizer) isFloorOfBoss(p int32, b *basin) bool {
	return r.g.Patches[p].Kind == surface.KindPlane && slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
		q := r.g.Arcs[x].Other(p)
		f, round := r.owner[q], &r.g.Patches[q].Shape
		return r.g.Arcs[x].Convexity == graph.Concave && f != graph.None && r.out[f].typ == feature.Boss && round.IsMantle() &&
			r.g.Facing(p, r.out[f].dir) && r.g.Reach(b.patch, round).Hi <= round.Radius+r.g.Length
	})
}

// standsBeside reports whether less than half of the foot of something round, no core of a groove, is on the floor of b.
func (r *recognizer) standsBeside(p int32, b *basin) bool {
	s := &r.g.Patches[p].Shape
	if r.isCore[p] || !s.IsMantle() || s.Kind != surface.KindCylinder || !r.isUpright(p, r.v.Dirs[b.dir]) {
		return false
	}
	foot := 0.0
	for _, x := range r.g.Patches[p].Arcs {
		if a := &r.g.Arcs[x]; a.Other(p) == b.patch {
			foot += a.Length
		}
	}
	return foot < r.g.Sweep([]int32{p}, s)*s.Radius/2
}

// isBelow reports whether a patch lies no higher than the floor of b, and is no floor itself between two of the walls found so far
// on that, as that of a groove beyond an outer corner round which it goes.
func (r *facts) isBelow(p int32, b *basin, walls []int32) bool {
	if r.g.Extent(p, r.v.Dirs[b.dir]).Hi > b.z+r.g.Length {
		return false
	}
	meets := 0
	for _, wall := range walls {
		if r.meets(p, wall, graph.Concave) {
			meets++
		}
	}
	return meets < 2
}

// standsElsewhere reports whether wall q stands on another floor than that of b.
func (r *facts) standsElsewhere(q int32, b *basin) bool {
	return slices.ContainsFunc(r.g.Patches[q].Arcs, func(x int32) bool {
		o := r.g.Arcs[x].Other(q)
		return r.g.Arcs[x].Convexity == graph.Concave && o != b.patch && r.g.Facing(o, r.v.Dirs[b.dir])
	})
}

// besideBevel returns which of the two planes, square to one another, that rise slanting from a basin's floor is the floor of a
// pocket, where that floor is but a bevel between them: the larger of those whose direction more of the part looks in, and sees
// the pocket.
func (r *recognizer) besideBevel(b *basin, pocket []int32) int32 {
	g := r.g
	var sides []int32
	for _, x := range g.Patches[b.patch].Arcs {
		if q := g.Arcs[x].Other(b.patch); r.rises(x, b) && g.Patches[q].Kind == surface.KindPlane && r.isSlope(q, r.v.Dirs[b.dir]) {
			sides = append(sides, q)
		}
	}
	if sides = ascending(sides); len(sides) != 2 || math.Abs(g.Patches[sides[0]].Axis.Dot(g.Patches[sides[1]].Axis)) > graph.DirectionTolerance {
		return graph.None
	}
	sides = slices.DeleteFunc(sides, func(q int32) bool {
		d := r.v.Find(g.Patches[q].Axis)
		return d == graph.None || r.v.Weight[d] <= r.v.Weight[b.dir] ||
			slices.ContainsFunc(pocket, func(p int32) bool { return r.v.Share[d][p] < direction.MinFloorVisibility })
	})
	if len(sides) == 0 {
		return graph.None
	}
	return slices.MinFunc(sides, func(p, q int32) int {
		return cmp.Or(cmp.Compare(direction.RoundSignificant(g.Patches[q].Area), direction.RoundSignificant(g.Patches[p].Area)),
			cmp.Compare(r.v.Find(g.Patches[p].Axis), r.v.Find(g.Patches[q].Axis)))
	})
}

// isRamp reports whether the only wall on a floor that is open on the other sides is a slope rather than a wall, or nothing
// rises from it but fillets that end in slopes.
func (r *recognizer) isRamp(b *basin, walls []int32) bool {
	dir := r.v.Dirs[b.dir]
	if b.walled >= closedShare {
		return false
	}
	if len(walls) == 1 && r.g.Patches[walls[0]].Kind == surface.KindPlane {
		return !r.isWall(walls[0], dir)
	}
	return !slices.ContainsFunc(b.rims, func(ring graph.BoundaryLoop) bool {
		return !ring.IsInner && slices.ContainsFunc(ring.Arcs, func(x int32) bool {
			q := r.g.Arcs[x].Other(b.patch)
			return r.rises(x, b) && (!r.isFillet(q) || r.g.Slopes(q, dir).Lo < section.SteepSin)
		})
	})
}
