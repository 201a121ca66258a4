package recognize

// Islands on round bodies, without a plane as floor, and islands that other features split.
//
// Cost: linear in edges for each direction. Walls on round bodies are compared with each other, and bosses that do not
// close; at most maxAir gaps are tested.

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/feature/verdict"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// islandsOnRound proposes bosses from walls that rise from the outside of a round body.
func islandsOnRound(r *reading, v *verifier) {
	g := r.g
	for d, dir := range r.v.Dirs {
		set := graph.NewUnionFind(len(g.Patches))
		isWall := make([]bool, len(g.Patches))
		for i := range g.Arcs {
			eachWallOnRound(r.partContext, int32(i), func(base, wall, at int32) {
				if !graph.Parallel(g.Patches[base].Axis, dir) && !r.isTaken(wall) && !r.isFillet(wall) &&
					isWithinDraft(r.partContext, wallDraft, wall, dir) &&
					r.sees(d, wall) && !continuesBelow(r, &g.Arcs[at], wall, dir) {
					isWall[wall] = true
				}
			})
		}
		for i := range g.Arcs {
			if a := &g.Arcs[i]; isWall[a.A] && isWall[a.B] && a.Convexity != graph.Concave && !isPerpendicular(a, dir) {
				set.Join(a.A, a.B)
			}
		}
		joinPieces(r.partContext, isWall, set)
		for _, group := range set.Groups(func(p int32) bool { return isWall[p] && !r.isTaken(p) }) {
			if (section.Encircles(g, dir, group) || endsFlush(r.partContext, group, dir)) && verdict.Fill(r.g, group, nil) > 0 {
				addBoss(r, v, group, d, "island on a round body", fmt.Sprintf("%s from the outside of something round.",
					count(len(group), "wall rises", "walls rise")))
			}
		}
	}
}

// endsFlush reports whether walls on a round body show on three sides and end on the fourth at the end plane of the
// body, as a key at the end of a shaft. They must be longer along the axis than wide, unlike the tabs of a flange.
func endsFlush(pc *partContext, walls []int32, dir geom.Vec3) bool {
	if section.WidestNormalGap(pc.g, dir, walls) > math.Pi+graph.SmoothAngle {
		return false
	}
	ends := map[int32]int{} // number of walls by end plane
	for _, p := range walls {
		beside := pc.g.NeighborsWith(p, func(q int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Convex && !isPerpendicular(a, dir) && pc.g.IsPlane(q)
		})
		for _, q := range ascending(beside) {
			ends[q]++
		}
	}
	isKeyOn := func(base int32) bool {
		s := &pc.g.Patches[base].Shape
		return s.IsMantle() && pc.g.AnyNeighbor(base, func(q int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Convex && ends[q] > 1 && graph.Parallel(pc.g.Patches[q].Axis, s.Axis) &&
				pc.g.ExtentOf(walls, s.Axis).Length() > pc.g.ExtentOf(walls, s.Axis.Cross(dir)).Length()
		})
	}
	return slices.ContainsFunc(walls, func(w int32) bool {
		return pc.g.AnyNeighbor(w, func(q int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Concave && isKeyOn(q)
		})
	})
}

// eachWallOnRound visits the walls that rise from the outside of a round body at an edge, or over a fillet there, with
// their lower edge.
func eachWallOnRound(pc *partContext, arc int32, visit func(base, wall, at int32)) {
	g := pc.g
	a := &g.Arcs[arc]
	for _, e := range [2][2]int32{{a.A, a.B}, {a.B, a.A}} {
		if !g.Patches[e[0]].Shape.IsMantle() || pc.isEdgeRounding(e[0]) {
			continue
		}
		switch {
		case a.Convexity == graph.Concave:
			visit(e[0], e[1], arc)
		case a.Convexity == graph.Smooth && pc.isFillet(e[1]):
			for _, x := range g.Patches[e[1]].Arcs {
				if q := g.Arcs[x].Other(e[1]); g.Arcs[x].Convexity == graph.Smooth && q != e[0] {
					visit(e[0], q, x)
				}
			}
		}
	}
}

// continuesBelow reports whether a wall along dir ends below edge at in a convex edge to no pocket. The wall then does
// not rise from the other face; that face rises from the wall.
func continuesBelow(r *reading, at *graph.Adjacency, wall int32, dir geom.Vec3) bool {
	return r.g.AnyNeighbor(wall, func(q int32, a *graph.Adjacency) bool {
		return a.Convexity == graph.Convex && isPerpendicular(a, dir) && a.Mid.Dot(dir) < at.Mid.Dot(dir)-r.g.Length &&
			!r.isInsidePocket(q)
	})
}

// eachCoplanar visits the indexed planes coplanar with a patch.
func (pc *partContext) eachCoplanar(planes *graph.PlaneIndex, p int32, visit func(q int32)) {
	if s := &pc.g.Patches[p].Shape; s.Kind == surface.KindPlane {
		planes.Between(s.Axis, s.Origin, -pc.g.Length, pc.g.Length, visit)
	}
}

// arePieces reports whether two walls are coplanar with only air between.
func (pc *partContext) arePieces(p, q int32, tried *int) bool {
	s := &pc.g.Patches[p].Shape
	if s.Kind != surface.KindPlane || !pc.g.Continues(s, &pc.g.Patches[q].Shape) || *tried >= maxAir {
		return false
	}
	*tried++
	return pc.hasGapBetween(p, q)
}

// remainingWalls gives bosses the free planes that rise from the same floor and are coplanar with a wall of the boss
// across air, or end at two of its walls below another cut.
func remainingWalls(r *reading, v *verifier) {
	tried := 0
	planes := r.g.NewPlanes(only(r.free(), r.g.IsPlane))
	for i := range r.features {
		f := int32(i)
		if r.features[f].typ != feature.Boss {
			continue
		}
		for _, p := range r.features[f].patches {
			r.eachCoplanar(planes, p, func(q int32) {
				if risesAlongside(r, q, f) && r.arePieces(p, q, &tried) {
					v.extend(f, q)
				}
			})
		}
		for k := 0; k < len(r.features[f].patches); k++ { // it may have further neighbors
			for q := range r.g.Neighbors(r.features[f].patches[k]) {
				if r.g.IsPlane(q) && risesAlongside(r, q, f) && endsAtWalls(r, q, f) {
					v.extend(f, q)
					k = -1 // patches are sorted
					break
				}
			}
		}
		for _, p := range r.features[f].patches {
			v.raise(f, p)
		}
	}
}

// risesAlongside reports whether a free wall rises from the floor of a boss in a concave edge.
func risesAlongside(r *reading, p, f int32) bool {
	dir := r.features[f].dir
	return !r.isTaken(p) && r.isVertical(p, dir) && r.g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
		return a.Convexity == graph.Concave && r.g.Facing(q, dir) &&
			math.Abs(r.g.Extent(q, dir).Hi-r.features[f].z.Lo) <= r.g.Length
	})
}

// endsAtWalls reports whether the vertical edges of a plane are all convex edges to walls of a boss, two at least.
func endsAtWalls(r *reading, p, f int32) bool {
	var walls []int32
	for q, a := range r.g.Neighbors(p) {
		switch {
		case isPerpendicular(a, r.features[f].dir):
		case a.Convexity != graph.Convex || r.ownerOf(q) != f:
			return false
		default:
			walls = append(walls, q)
		}
	}
	return len(ascending(walls)) > 1
}

// mergeIslands merges two bosses of one direction that close around an axis only together and have two common planes:
// another feature cut through them.
func mergeIslands(r *reading, v *verifier) {
	var open, sides []int32
	for i := range r.features {
		if o := r.features[i]; o.typ == feature.Boss && !section.Encircles(r.g, o.dir, o.patches) {
			open, sides = append(open, int32(i)), append(sides, o.patches...)
		}
	}
	tried := 0
	planes := r.g.NewPlanes(sides)
	for _, f := range open {
		var before []int32
		for _, p := range r.features[f].patches {
			r.eachCoplanar(planes, p, func(q int32) {
				if r.ownerOf(q) < f {
					before = append(before, r.ownerOf(q))
				}
			})
		}
		for _, k := range ascending(before) {
			if o, p := r.features[f], r.features[k]; o.dir == p.dir && len(o.patches) > 0 && len(p.patches) > 0 &&
				areHalves(r, f, k, &tried) {
				v.merge(k, f, "It lies in pieces on the same planes, with nothing but air between.")
			}
		}
	}
	v.dropMerged()
}

// areHalves reports whether two bosses close around an axis together and have two common planes across air.
func areHalves(r *reading, f, k int32, tried *int) bool {
	a, b := r.features[f].patches, r.features[k].patches
	if dir, all := r.features[f].dir, slices.Concat(a, b); !section.Encircles(r.g, dir, all) ||
		verdict.Fill(r.g, all, nil) <= 0 {
		return false
	}
	sides := 0
	for _, p := range a {
		if slices.ContainsFunc(b, func(q int32) bool { return r.arePieces(p, q, tried) }) {
			sides++
		}
	}
	return sides > 1
}

// joinPieces joins coplanar walls with only air between: other features split their island.
func joinPieces(pc *partContext, isWall []bool, set graph.UnionFind) {
	var walls []int32
	for i := range isWall {
		if isWall[i] {
			walls = append(walls, int32(i))
		}
	}
	tried := 0
	planes := pc.g.NewPlanes(walls)
	for _, p := range walls {
		pc.eachCoplanar(planes, p, func(q int32) {
			if q < p && set.Find(p) != set.Find(q) && pc.arePieces(p, q, &tried) {
				set.Join(p, q)
			}
		})
	}
}
