package recognize

// Islands on round bodies, bosses whose floor is no plane, and islands that others have cut apart.
//
// Cost: linear in edges for each direction; walls are compared with each other where they stand on something round, and
// bosses that do not go round, maxAir gaps looked at.

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/feature/verdict"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// islandsOnRound makes bosses of walls that rise from the outside of something round, where no plane is their floor.
func (r *recognizer) islandsOnRound() {
	g := r.g
	for d, dir := range r.v.Dirs {
		set := graph.NewUnionFind(len(g.Patches))
		isWall := make([]bool, len(g.Patches))
		for i := range g.Arcs {
			r.eachOnRound(int32(i), func(base, wall, at int32) {
				if !graph.Parallel(g.Patches[base].Axis, dir) && !r.taken[wall] && !r.isFillet(wall) && r.leansWithin(wallDraft, wall, dir) &&
					r.v.Share[d][wall] >= direction.MinFloorVisibility && !r.goesOnBelow(&g.Arcs[at], wall, dir) {
					isWall[wall] = true
				}
			})
		}
		for i := range g.Arcs {
			if a := &g.Arcs[i]; isWall[a.A] && isWall[a.B] && a.Convexity != graph.Concave && !isAcross(a, dir) {
				set.Join(a.A, a.B)
			}
		}
		r.joinPieces(isWall, set)
		for _, group := range set.Groups(func(p int32) bool { return isWall[p] && !r.taken[p] }) {
			if (section.Embraces(g, dir, group) || r.endsFlush(group, dir)) && verdict.Fill(r.g, group, nil) > 0 {
				r.addBoss(group, d, "island on a round body", fmt.Sprintf("%s from the outside of something round.",
					count(len(group), "wall rises", "walls rise")))
			}
		}
	}
}

// endsFlush reports whether walls that rise from something round show on three sides, and end on the fourth at a plane across its
// axis at which it ends itself, as those of a key do at the end of a shaft: longer along the axis than wide, unlike the ears of
// a flange.
func (r *recognizer) endsFlush(walls []int32, dir geom.Vec3) bool {
	if section.Gap(r.g, dir, walls) > math.Pi+graph.SmoothAngle {
		return false
	}
	ends := map[int32]int{} // walls that end at a plane
	for _, p := range walls {
		var beside []int32
		for _, x := range r.g.Patches[p].Arcs {
			a := &r.g.Arcs[x]
			if q := a.Other(p); a.Convexity == graph.Convex && !isAcross(a, dir) && r.g.Patches[q].Kind == surface.KindPlane {
				beside = append(beside, q)
			}
		}
		for _, q := range ascending(beside) {
			ends[q]++
		}
	}
	isKeyOn := func(base int32) bool {
		s := &r.g.Patches[base].Shape
		return s.IsMantle() && slices.ContainsFunc(r.g.Patches[base].Arcs, func(y int32) bool {
			q := r.g.Arcs[y].Other(base)
			return r.g.Arcs[y].Convexity == graph.Convex && ends[q] > 1 && graph.Parallel(r.g.Patches[q].Axis, s.Axis) &&
				r.g.ExtentOf(walls, s.Axis).Length() > r.g.ExtentOf(walls, s.Axis.Cross(dir)).Length()
		})
	}
	return slices.ContainsFunc(walls, func(w int32) bool {
		return slices.ContainsFunc(r.g.Patches[w].Arcs, func(x int32) bool {
			return r.g.Arcs[x].Convexity == graph.Concave && isKeyOn(r.g.Arcs[x].Other(w))
		})
	})
}

// eachOnRound visits what rises from the outside of something round at an arc, or over a fillet that ends there, with the arc
// at which it begins.
func (r *facts) eachOnRound(arc int32, visit func(base, wall, at int32)) {
	g := r.g
	a := &g.Arcs[arc]
	for _, e := range [2][2]int32{{a.A, a.B}, {a.B, a.A}} {
		if !g.Patches[e[0]].Shape.IsMantle() || r.isRimRounding(e[0]) {
			continue
		}
		switch {
		case a.Convexity == graph.Concave:
			visit(e[0], e[1], arc)
		case a.Convexity == graph.Smooth && r.isFillet(e[1]):
			for _, x := range g.Patches[e[1]].Arcs {
				if q := g.Arcs[x].Other(e[1]); g.Arcs[x].Convexity == graph.Smooth && q != e[0] {
					visit(e[0], q, x)
				}
			}
		}
	}
}

// goesOnBelow reports whether a wall along a direction ends below one of its edges at an outer one, of no hollow: it does not
// rise from what it meets there, that rises from it.
func (r *recognizer) goesOnBelow(at *graph.Adjacency, wall int32, dir geom.Vec3) bool {
	return slices.ContainsFunc(r.g.Patches[wall].Arcs, func(x int32) bool {
		a := &r.g.Arcs[x]
		return a.Convexity == graph.Convex && isAcross(a, dir) && a.Mid.Dot(dir) < at.Mid.Dot(dir)-r.g.Length && !r.isInHollow(a.Other(wall))
	})
}

// eachFlush visits the planes that may be one with a patch.
func (r *facts) eachFlush(planes *graph.PlaneIndex, p int32, visit func(q int32)) {
	if s := &r.g.Patches[p].Shape; s.Kind == surface.KindPlane {
		planes.Between(s.Axis, s.Origin, -r.g.Length, r.g.Length, visit)
	}
}

// arePieces reports whether two walls lie in one plane with nothing but air between.
func (r *recognizer) arePieces(p, q int32, tried *int) bool {
	s := &r.g.Patches[p].Shape
	if s.Kind != surface.KindPlane || !r.g.Continues(s, &r.g.Patches[q].Shape) || *tried >= maxAir {
		return false
	}
	*tried++
	return r.isAirBetween(p, q)
}

// restOfWalls gives bosses the free planes that stand on the floor from which they rise, and lie in the plane of one of their
// walls with nothing but air between, or end at two of them, above which something else was cut.
func (r *recognizer) restOfWalls() {
	var free []int32
	for i := range r.g.Patches {
		if p := int32(i); !r.taken[p] && r.g.Patches[p].Kind == surface.KindPlane {
			free = append(free, p)
		}
	}
	tried := 0
	planes := r.g.NewPlanes(free)
	for i := range r.out {
		f := int32(i)
		if r.out[f].typ != feature.Boss {
			continue
		}
		for _, p := range r.out[f].patches {
			r.eachFlush(planes, p, func(q int32) {
				if r.risesAlongside(q, f) && r.arePieces(p, q, &tried) {
					r.extend(f, q)
				}
			})
		}
		for k := 0; k < len(r.out[f].patches); k++ { // what is added may have others beside it
			for _, x := range r.g.Patches[r.out[f].patches[k]].Arcs {
				q := r.g.Arcs[x].Other(r.out[f].patches[k])
				if r.g.Patches[q].Kind == surface.KindPlane && r.risesAlongside(q, f) && r.endsAtWalls(q, f) {
					r.extend(f, q)
					k = -1 // they ascend
					break
				}
			}
		}
		r.out[f].z.Hi = max(r.out[f].z.Hi, r.g.ExtentOf(r.out[f].patches, r.out[f].dir).Hi)
	}
}

// risesAlongside reports whether a free wall rises from where a boss does, in an inner edge of a floor.
func (r *recognizer) risesAlongside(p, f int32) bool {
	dir := r.out[f].dir
	return !r.taken[p] && r.isUpright(p, dir) && slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
		q := r.g.Arcs[x].Other(p)
		return r.g.Arcs[x].Convexity == graph.Concave && r.g.Facing(q, dir) && math.Abs(r.g.Extent(q, dir).Hi-r.out[f].z.Lo) <= r.g.Length
	})
}

// endsAtWalls reports whether a plane meets nothing beside it but two walls of a boss, in outer edges.
func (r *recognizer) endsAtWalls(p, f int32) bool {
	var walls []int32
	for _, x := range r.g.Patches[p].Arcs {
		a := &r.g.Arcs[x]
		q := a.Other(p)
		switch {
		case isAcross(a, r.out[f].dir):
		case a.Convexity != graph.Convex || r.owner[q] != f:
			return false
		default:
			walls = append(walls, q)
		}
	}
	return len(ascending(walls)) > 1
}

// piecesOfIslands makes one boss of two along one direction that go round something together alone, and lie in two planes
// both: others have cut through it.
func (r *recognizer) piecesOfIslands() {
	var open, sides []int32
	for i := range r.out {
		if o := &r.out[i]; o.typ == feature.Boss && !section.Embraces(r.g, o.dir, o.patches) {
			open, sides = append(open, int32(i)), append(sides, o.patches...)
		}
	}
	tried := 0
	planes := r.g.NewPlanes(sides)
	for _, f := range open {
		var before []int32
		for _, p := range r.out[f].patches {
			r.eachFlush(planes, p, func(q int32) {
				if r.owner[q] < f {
					before = append(before, r.owner[q])
				}
			})
		}
		for _, k := range ascending(before) {
			if r.out[f].dir == r.out[k].dir && r.out[f].into == 0 && r.out[k].into == 0 && r.areHalves(f, k, &tried) {
				r.merge(k, f, "It lies in pieces on the same planes, with nothing but air between.")
			}
		}
	}
	r.dropUnited()
}

// areHalves reports whether two bosses go round something together and have two planes in common, with nothing but air
// between.
func (r *recognizer) areHalves(f, k int32, tried *int) bool {
	a, b := r.out[f].patches, r.out[k].patches
	if dir, all := r.out[f].dir, slices.Concat(a, b); !section.Embraces(r.g, dir, all) || verdict.Fill(r.g, all, nil) <= 0 {
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

// joinPieces joins walls that lie in one plane with nothing but air between: others have cut what stands on them apart.
func (r *recognizer) joinPieces(isWall []bool, set graph.UnionFind) {
	var walls []int32
	for i := range isWall {
		if isWall[i] {
			walls = append(walls, int32(i))
		}
	}
	tried := 0
	planes := r.g.NewPlanes(walls)
	for _, p := range walls {
		r.eachFlush(planes, p, func(q int32) {
			if q < p && set.Find(p) != set.Find(q) && r.arePieces(p, q, &tried) {
				set.Join(p, q)
			}
		})
	}
}
