package recognize

// Pockets without a flat floor.
//
// A passage is a through pocket: an inner boundary loop of a plane opens into walls parallel to the normal of the
// plane, without a floor. Chamfers and roundings of the opening are skipped. A concave pocket is a group of remaining
// patches that concave edges or blends connect and one direction sees: a V groove, a round-bottomed slot, a notch
// between walls. Of several directions, the one with the shortest reach is used. The pocket is open if its boundary
// comes down to its bottom.
// Limits: passages are found through a planar opening only.

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// passages proposes through pockets.
func passages(r *reading, v *verifier) {
	for p := range int32(len(r.g.Patches)) {
		if !r.g.IsPlane(p) {
			continue
		}
		for _, loop := range r.boundaryLoops(p) {
			if !loop.IsInner || len(loop.Arcs) == 0 {
				continue
			}
			walls, ok := passage(r, p, &loop)
			if !ok {
				continue
			}
			for _, group := range r.connected(walls) {
				for _, outline := range splitPassage(r.partContext, group, r.g.Patches[p].Axis) {
					addPassage(r, v, r.g.Patches[p].Axis, outline)
				}
			}
		}
	}
}

// passage returns the walls behind an opening of plane p, ascending. ok is false if other patches than free, parallel
// walls are there.
func passage(r *reading, p int32, loop *graph.BoundaryLoop) (walls []int32, ok bool) {
	g := r.g
	n := g.Patches[p].Axis
	seen := map[int32]bool{p: true}
	queue := []int32{}
	push := func(q int32) {
		if !seen[q] {
			seen[q] = true
			queue = append(queue, q)
		}
	}
	for _, x := range loop.Arcs {
		if g.Arcs[x].Convexity == graph.Concave {
			return nil, false
		}
		push(g.Arcs[x].Other(p))
	}
	for i := 0; i < len(queue); i++ {
		q := queue[i]
		upright := r.isVertical(q, n)
		breaksEdge := r.isChamfer(q) || !g.IsPlane(q) && !g.Patches[q].Hollow
		switch {
		case upright && r.isTaken(q):
			return nil, false
		case upright:
			walls = append(walls, q)
		case !breaksEdge:
			return nil, false
		}
		for o, a := range g.Neighbors(q) {
			lateral := math.Abs(a.Dir.Dot(n)) > graph.LateralCos
			switch {
			case seen[o], upright && r.isChamfer(o), // of the far opening, if any
				upright && r.isBreak(a, o, n):
			case lateral, !upright && !isLevel(g, o, n):
				push(o)
			case upright && a.Convexity == graph.Concave:
				return nil, false // a patch crosses the passage
			}
		}
	}
	slices.Sort(walls)
	return walls, len(walls) > 0
}

// connected splits walls into connected groups. One opening may lead to several passages if it surrounds the base of a
// boss that they cut.
func (pc *partContext) connected(walls []int32) [][]int32 {
	return pc.connectedOver(walls, func(*graph.Adjacency) bool { return true })
}

// connectedOver splits patches into groups connected over edges that satisfy isJoint.
func (pc *partContext) connectedOver(walls []int32, isJoint func(a *graph.Adjacency) bool) [][]int32 {
	at := make(map[int32]int32, len(walls))
	for i, p := range walls {
		at[p] = int32(i)
	}
	set := graph.NewUnionFind(len(walls))
	for i, p := range walls {
		for q, a := range pc.g.Neighbors(p) {
			if j, ok := at[q]; ok && isJoint(a) {
				set.Join(int32(i), j)
			}
		}
	}
	return groupsOf(set, walls)
}

// isLevel reports whether a patch is a plane perpendicular to n, on either side.
func isLevel(g *graph.Graph, p int32, n geom.Vec3) bool {
	return g.IsPlane(p) && graph.Parallel(g.Patches[p].Axis, n)
}

// addPassage proposes walls along n as a passage if a direction along n sees them.
func addPassage(r *reading, v *verifier, n geom.Vec3, walls []int32) {
	best, share := graph.None, direction.MinFloorVisibility
	for _, d := range []geom.Vec3{n, n.Neg()} {
		if i := r.v.Find(d); i != graph.None {
			if s := r.v.Seen(r.g, i, walls); s > share+graph.AxisTolerance || s >= share && i < best {
				best, share = i, s
			}
		}
	}
	if best == graph.None {
		return
	}
	f := r.along(feature.Pocket, "passage", walls, r.v.Dirs[best])
	f.pocket = &feature.PocketShape{Through: true, Open: isOpenAlong(r, walls, f.dir), Depth: f.z.Length()}
	f.reasons = []string{fmt.Sprintf("%s through the part without a floor, %s long.",
		count(len(walls), "wall runs", "walls run"), mm(f.z.Length()))}
	v.propose(f)
}

// isOpenAlong reports whether walls along n end at convex edges over their full length, so that a mill can enter there.
func isOpenAlong(r *reading, walls []int32, n geom.Vec3) bool {
	depth := r.g.ExtentOf(walls, n).Length()
	return slices.ContainsFunc(walls, func(p int32) bool {
		return r.g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Convex && a.Length >= depth-r.g.Length && math.Abs(a.Dir.Dot(n)) > graph.LateralCos &&
				!slices.Contains(walls, q) && !r.isBreak(a, q, n)
		})
	})
}

// concavePockets proposes open pockets from the remaining patches.
func concavePockets(r *reading, v *verifier) {
	for _, group := range r.concaveGroups() {
		if f := continuedPocket(r, group); f != graph.None {
			for _, p := range group {
				v.extend(f, p)
			}
		} else if !r.isTooth[group[0]] && !isBottomOfBore(r, group) && !isFormed(r.partContext, group) &&
			!isSmoothWave(r.partContext, group) {
			addConcave(r, v, group)
		}
	}
}

// isBottomOfBore reports whether free-form patches of a group continue the bore of a hole smoothly: they are its
// bottom.
func isBottomOfBore(r *reading, group []int32) bool {
	return slices.ContainsFunc(group, func(p int32) bool {
		return r.g.Patches[p].Kind == surface.KindBSpline && r.g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Smooth && r.typeOf(q) == feature.Hole
		})
	})
}

// isFormed reports whether patches continue a side of sheet smoothly: they were formed, not cut.
func isFormed(pc *partContext, group []int32) bool {
	return slices.ContainsFunc(group, func(p int32) bool {
		return pc.g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Smooth && pc.sheet.IsSide(q)
		})
	})
}

// concaveGroups returns the free patches connected over concave edges or blends.
func (r *reading) concaveGroups() [][]int32 {
	g := r.g
	set := graph.NewUnionFind(len(g.Patches))
	held := make([]bool, len(g.Patches)) // by a concave edge that forms a pocket, or its blend
	isOutside := func(p int32) bool { return r.reachesDown[p] || r.inNoPocket[p] || isFilletOfBoss(r, p) }
	isRound := func(p int32) bool { return r.isEdgeRounding(p) || isRoundOuterWall(r.partContext, p) }
	for p := range int32(len(g.Patches)) {
		if r.isTaken(p) || r.sheet.IsContour(p) {
			continue
		}
		tangent, shallow, sharp := 0, 0, 0
		for q, a := range g.Neighbors(p) {
			switch {
			case a.Convexity == graph.Smooth:
				tangent++
			case isShallow(a):
				shallow++
			case a.Convexity == graph.Concave:
				sharp++
			}
			if r.isTaken(q) || a.Convexity == graph.Convex && !isNearlySmooth(r.partContext, a) || isZeroGap(a) ||
				r.folded(p, q) || r.isProtrusion(a, p) || r.isProtrusion(a, q) ||
				isOutside(p) || isOutside(q) || (isRound(p) || isRound(q)) && !isArcSlotEnd(r.partContext, p) &&
				!isArcSlotEnd(r.partContext, q) ||
				a.Convexity == graph.Smooth && !g.Patches[p].Hollow && !g.Patches[q].Hollow {
				continue
			}
			set.Join(p, q)
			held[p] = held[p] || !isShallow(a) && (a.Convexity != graph.Smooth || r.isCurved(p) || r.isCurved(q))
		}
		// A round concave patch that blends no neighbors is a separate pocket, unless all its edges are convex or
		// shallow.
		isOwn := g.Patches[p].Hollow && g.Patches[p].Kind != surface.KindBSpline && len(g.Patches[p].Arcs) > 0 &&
			tangent == 0 && (shallow == 0 || sharp > 0)
		held[p] = held[p] || isOwn
	}
	joinRelieved(r.partContext, set, held, func(p int32) bool {
		return !r.isTaken(p) && !r.sheet.IsContour(p) && !r.reachesDown[p]
	})
	return slices.DeleteFunc(set.Groups(func(i int32) bool { return !r.isTaken(i) }), func(group []int32) bool {
		return !slices.ContainsFunc(group, func(p int32) bool { return held[p] })
	})
}

// isArcSlotEnd reports whether a patch is the round end of a slot along an arc. It smoothly continues the inner of two
// coaxial walls, one slot width apart, which this or another such end joins.
func isArcSlotEnd(pc *partContext, p int32) bool {
	g := pc.g
	end := &g.Patches[p].Shape
	beside := func(p int32, isFit func(s *graph.Shape, q int32) bool) bool {
		return g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
			s := &g.Patches[q].Shape
			return a.Convexity == graph.Smooth && s.Kind == surface.KindCylinder && graph.Parallel(s.Axis, end.Axis) &&
				isFit(s, q)
		})
	}
	return end.Kind == surface.KindCylinder && end.Hollow && beside(p, func(inner *graph.Shape, q int32) bool {
		return !inner.Hollow && beside(q, func(s *graph.Shape, e int32) bool {
			return s.Hollow && math.Abs(s.Radius-end.Radius) <= g.Length && beside(e, func(outer *graph.Shape, _ int32) bool {
				return outer.Hollow && g.Coaxial(inner, outer) &&
					math.Abs(outer.Radius-inner.Radius-2*end.Radius) <= pc.g.Slack()
			})
		})
	})
}

// isFilletOfBoss reports whether a patch is the fillet at a wall of a boss.
func isFilletOfBoss(r *reading, p int32) bool {
	return r.isFillet(p) && r.g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
		return a.Convexity == graph.Smooth && r.typeOf(q) == feature.Boss
	})
}

// shallowTurn is the largest angle, rad, of a concave edge that forms no pocket. Sides of one profile may turn by as
// much.
const shallowTurn = 10 * math.Pi / 180

// isShallow reports whether an edge is concave but forms no pocket by itself.
func isShallow(a *graph.Adjacency) bool {
	return a.Convexity == graph.Concave && -a.Turn <= shallowTurn
}

// isCurved reports whether a patch turns by more than a shallow edge.
func (pc *partContext) isCurved(p int32) bool {
	mean := pc.normalOf(p).Unit()
	return pc.g.Slopes(p, mean).Lo < math.Cos(shallowTurn/2)
}

// isNearlySmooth reports whether a fillet meets a plane along it at an edge that was meant to be smooth.
func isNearlySmooth(pc *partContext, a *graph.Adjacency) bool {
	const mostOff = 5 * math.Pi / 180
	isOn := func(fillet, wall int32) bool {
		s, w := &pc.g.Patches[fillet].Shape, &pc.g.Patches[wall].Shape
		return s.Hollow && s.Kind == surface.KindCylinder && w.Kind == surface.KindPlane &&
			graph.Parallel(a.Dir, s.Axis)
	}
	return math.Abs(a.Turn) <= mostOff && (isOn(a.A, a.B) || isOn(a.B, a.A))
}

// isZeroGap reports whether two faces coincide beside their edge, so that nothing is between them.
func isZeroGap(a *graph.Adjacency) bool {
	return a.Convexity == graph.Concave && -a.Turn >= math.Pi-graph.SmoothAngle
}

// cavities proposes the pockets whose floors are oblique to the access direction, as in a casting with draft on all
// sides. They are patches connected only by fillets, which another direction sees and no floor direction does.
func cavities(r *reading, v *verifier) {
	floorOf := make(map[int32]*floorCandidate)
	for i := range r.floors {
		if b := &r.floors[i]; r.isFloor(b) {
			floorOf[b.patch] = b
		}
	}
	for _, group := range r.concaveGroups() {
		isSharp := func(p int32) bool {
			return r.g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
				return contains(group, q) && a.Convexity == graph.Concave
			})
		}
		var dirs []int
		for _, p := range group {
			if b := floorOf[p]; b != nil && !slices.Contains(dirs, b.dir) {
				dirs = append(dirs, b.dir)
			}
		}
		if len(dirs) > 0 && !slices.ContainsFunc(group, isSharp) &&
			!slices.ContainsFunc(dirs, func(d int) bool { return seesAll(r.partContext, d, group) }) {
			addConcave(r, v, group)
		}
	}
}

// seesAll reports whether a direction sees each patch of a group, and the group as a whole, well enough for a tool.
func seesAll(pc *partContext, d int, group []int32) bool {
	return !slices.ContainsFunc(group, func(p int32) bool { return !pc.sees(d, p) }) &&
		pc.v.Seen(pc.g, d, group) >= direction.MinWallVisibility
}

// addConcave proposes a group of patches as one pocket, from the direction that sees all of it with the shortest tool.
// It does nothing without such a direction.
func addConcave(r *reading, v *verifier, group []int32) {
	best, depth := graph.None, math.Inf(1)
	for i, d := range r.v.Dirs {
		if h := r.g.ExtentOf(group, d).Length(); h < depth-r.g.Length && seesAll(r.partContext, i, group) {
			best, depth = i, h
		}
	}
	if best == graph.None {
		return
	}
	dir := r.v.Dirs[best]
	if len(group) == 1 && isEndFace(r.partContext, group[0], dir) {
		return
	}
	f := r.along(feature.Pocket, "hollow without a flat floor", group, dir)
	f.pocket = &feature.PocketShape{
		Open: isOpenBelow(r, group, dir), Depth: f.z.Length(), Through: r.areVertical(group, dir),
	}
	f.reasons = []string{fmt.Sprintf(
		"%s held together by inner edges or fillets, %s deep from the direction that sees them all.",
		count(len(group), "face is", "faces are"), mm(f.z.Length()))}
	v.propose(f)
}

// isEndFace reports whether vertical sides surround a patch: it is a whole hollow end of the part and was not cut into
// a face.
func isEndFace(pc *partContext, p int32, dir geom.Vec3) bool {
	return !pc.g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
		return a.Convexity != graph.Convex || !pc.isVertical(q, dir)
	})
}

// isVertical reports whether a patch is parallel to dir all over.
func (pc *partContext) isVertical(p int32, dir geom.Vec3) bool {
	s := pc.g.Slopes(p, dir)
	return max(math.Abs(s.Lo), math.Abs(s.Hi)) <= graph.DirectionTolerance
}

// isBreak reports whether patch q beyond an edge is in a hole that breaks into a wall along n from the side. A mill
// cannot enter there.
func (r *reading) isBreak(a *graph.Adjacency, q int32, n geom.Vec3) bool {
	return a.Convexity == graph.Convex && r.typeOf(q) == feature.Hole && !r.isVertical(q, n)
}

// isOpenBelow reports whether the convex edges of a group extend below the middle of its height.
func isOpenBelow(r *reading, group []int32, dir geom.Vec3) bool {
	mid := r.g.ExtentOf(group, dir).Mid()
	for _, p := range group {
		for q, a := range r.g.Neighbors(p) {
			e := &r.g.Model.Edges[a.Edge]
			low := min(a.Mid.Dot(dir), r.g.Model.Vertices[e.Start].Point.Dot(dir),
				r.g.Model.Vertices[e.End].Point.Dot(dir))
			if a.Convexity == graph.Convex && !slices.Contains(group, q) && !r.isBreak(a, q, dir) && low < mid-r.g.Length {
				return true
			}
		}
	}
	return false
}
