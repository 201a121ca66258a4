package recognize

// Pockets without a flat floor.
//
// A passage is a through pocket: an inner rim of a plane that opens into walls parallel to the plane's
// normal, with no floor among them. Chamfers and roundings of the opening are looked through. A hollow
// is what is left over then: patches held together by concave edges or hollow blends that one
// direction sees altogether, such as a V groove, a round-bottomed slot or a notch between walls. Of
// several such directions the one with the shortest reach is taken. It is an open pocket where its rim
// comes down to its bottom.
//
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

// passages finds through pockets.
func (r *recognizer) passages() {
	for i := range r.g.Patches {
		p := int32(i)
		if r.g.Patches[p].Kind != surface.KindPlane {
			continue
		}
		for _, ring := range r.rims(p) {
			if !ring.IsInner || len(ring.Arcs) == 0 {
				continue
			}
			walls, ok := r.passage(p, &ring)
			if !ok {
				continue
			}
			for _, alone := range r.connected(walls) {
				for _, room := range r.rooms(alone, r.g.Patches[p].Axis) {
					r.addPassage(r.g.Patches[p].Axis, room)
				}
			}
		}
	}
}

// passage gathers the walls behind an opening of plane p; ok is false when something else than free,
// parallel walls is there.
func (r *recognizer) passage(p int32, ring *graph.BoundaryLoop) (walls []int32, ok bool) {
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
	for _, x := range ring.Arcs {
		if g.Arcs[x].Convexity == graph.Concave {
			return nil, false
		}
		push(g.Arcs[x].Other(p))
	}
	for i := 0; i < len(queue); i++ {
		q := queue[i]
		upright := r.isUpright(q, n)
		breaksEdge := r.isChamfer[q] || g.Patches[q].Kind != surface.KindPlane && !g.Patches[q].Hollow
		switch {
		case upright && r.taken[q]:
			return nil, false
		case upright:
			walls = append(walls, q)
		case !breaksEdge:
			return nil, false
		}
		for _, x := range g.Patches[q].Arcs {
			a := &g.Arcs[x]
			o := a.Other(q)
			lateral := math.Abs(a.Dir.Dot(n)) > graph.LateralCos
			switch {
			case seen[o], upright && r.isChamfer[o], // of the far opening, if any
				upright && r.isBreak(a, o, n):
			case lateral, !upright && !isLevel(g, o, n):
				push(o)
			case upright && a.Convexity == graph.Concave:
				return nil, false // something lies across the passage
			}
		}
	}
	slices.Sort(walls)
	return walls, len(walls) > 0
}

// connected parts walls into those that hang together: one opening may lead to several passages, where it runs
// round the foot of a boss that they cut.
func (r *recognizer) connected(walls []int32) [][]int32 {
	at := make(map[int32]int32, len(walls))
	for i, p := range walls {
		at[p] = int32(i)
	}
	set := graph.NewUnionFind(len(walls))
	for i, p := range walls {
		for _, x := range r.g.Patches[p].Arcs {
			if j, ok := at[r.g.Arcs[x].Other(p)]; ok {
				set.Join(int32(i), j)
			}
		}
	}
	groups := set.Groups(func(int32) bool { return true })
	for _, group := range groups {
		for i, k := range group {
			group[i] = walls[k]
		}
	}
	return groups
}

// isLevel reports whether a patch is a plane square to n, on either side.
func isLevel(g *graph.Graph, p int32, n geom.Vec3) bool {
	return g.Patches[p].Kind == surface.KindPlane && graph.Parallel(g.Patches[p].Axis, n)
}

// addPassage adds walls along n as a passage, where a direction along it sees them.
func (r *recognizer) addPassage(n geom.Vec3, walls []int32) {
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
	dir := r.v.Dirs[best]
	z := r.g.ExtentOf(walls, dir)
	axis := dir
	r.add(found{
		typ: feature.Pocket, patches: walls, dir: dir, axis: &axis, z: z,
		pocket: &feature.PocketShape{Through: true, Open: r.isOpenAlong(walls, dir), Depth: z.Length()},
		rule:   "passage", reasons: []string{fmt.Sprintf("%s through the part without a floor, %s long.",
			count(len(walls), "wall runs", "walls run"), mm(z.Length()))},
	})
}

// isOpenAlong reports whether walls along n end at outer edges that run all along them: a mill can come in from there.
func (r *recognizer) isOpenAlong(walls []int32, n geom.Vec3) bool {
	depth := r.g.ExtentOf(walls, n).Length()
	return slices.ContainsFunc(walls, func(p int32) bool {
		return slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
			a := &r.g.Arcs[x]
			q := a.Other(p)
			return a.Convexity == graph.Convex && a.Length >= depth-r.g.Length && math.Abs(a.Dir.Dot(n)) > graph.LateralCos &&
				!slices.Contains(walls, q) && !r.isBreak(a, q, n)
		})
	})
}

// hollows finds open pockets among what is left.
func (r *recognizer) hollows() {
	for _, group := range r.hollowGroups() {
		if f := r.bendsOn(group); f != graph.None {
			for _, p := range group {
				r.extend(f, p)
			}
		} else if !r.isTooth[group[0]] && !r.isBottomOfBore(group) && !r.isDrawn(group) && !r.isSway(group) {
			r.addHollow(group)
		}
	}
}

// isBottomOfBore reports whether free forms among some patches go on smoothly from the bore of a hole: they are its
// bottom.
func (r *recognizer) isBottomOfBore(group []int32) bool {
	return slices.ContainsFunc(group, func(p int32) bool {
		return r.g.Patches[p].Kind == surface.KindBSpline && slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
			f := r.owner[r.g.Arcs[x].Other(p)]
			return r.g.Arcs[x].Convexity == graph.Smooth && f != graph.None && r.out[f].typ == feature.Hole
		})
	})
}

// isDrawn reports whether some patches go on smoothly from a side of sheet: they were pressed, not cut.
func (r *recognizer) isDrawn(group []int32) bool {
	return slices.ContainsFunc(group, func(p int32) bool {
		return slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
			return r.g.Arcs[x].Convexity == graph.Smooth && r.sheet.IsSide(r.g.Arcs[x].Other(p))
		})
	})
}

// hollowGroups returns the free patches that concave edges or hollow blends hold together.
func (r *recognizer) hollowGroups() [][]int32 {
	g := r.g
	set := graph.NewUnionFind(len(g.Patches))
	held := make([]bool, len(g.Patches)) // by a concave edge that makes a hollow or the blend in its place
	isOutside := func(p int32) bool { return r.reachesDown[p] || r.isShoulder[p] || r.isFootOfBoss(p) }
	isRound := func(p int32) bool { return r.isRimRounding(p) || r.isRoundWall(p) }
	for i := range g.Patches {
		p := int32(i)
		if r.taken[p] || r.sheet.IsContour(p) {
			continue
		}
		tangent, shallow, sharp := 0, 0, 0
		for _, x := range g.Patches[p].Arcs {
			a := &g.Arcs[x]
			q := a.Other(p)
			switch {
			case a.Convexity == graph.Smooth:
				tangent++
			case isShallow(a):
				shallow++
			case a.Convexity == graph.Concave:
				sharp++
			}
			if r.taken[q] || a.Convexity == graph.Convex && !r.isDrawnOff(a) || isCrack(a) || r.folded(p, q) ||
				r.isLip(a, p) || r.isLip(a, q) ||
				isOutside(p) || isOutside(q) || (isRound(p) || isRound(q)) && !r.isSlotEnd(p) && !r.isSlotEnd(q) ||
				a.Convexity == graph.Smooth && !g.Patches[p].Hollow && !g.Patches[q].Hollow {
				continue
			}
			set.Join(p, q)
			held[p] = held[p] || !isShallow(a) && (a.Convexity != graph.Smooth || r.isBent(p) || r.isBent(q))
		}
		// A round hollow that is no blend of its neighbours is a depression of its own, unless all but outer edges are
		// shallow: the outside sways.
		isOwn := g.Patches[p].Hollow && g.Patches[p].Kind != surface.KindBSpline && len(g.Patches[p].Arcs) > 0 &&
			tangent == 0 && (shallow == 0 || sharp > 0)
		held[p] = held[p] || isOwn
	}
	r.joinRelieved(set, held, func(p int32) bool { return !r.taken[p] && !r.sheet.IsContour(p) && !r.reachesDown[p] })
	return slices.DeleteFunc(set.Groups(func(i int32) bool { return !r.taken[i] }), func(group []int32) bool {
		return !slices.ContainsFunc(group, func(p int32) bool { return held[p] })
	})
}

// isSlotEnd reports whether a patch is the round end of a slot along an arc, as a tool leaves it: it goes on smoothly in the
// inner one of two walls about one axis, as far apart as it is wide, that this or another end of the kind joins.
func (r *facts) isSlotEnd(p int32) bool {
	g := r.g
	end := &g.Patches[p].Shape
	beside := func(p int32, isFit func(s *graph.Shape, q int32) bool) bool {
		return slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
			q := g.Arcs[x].Other(p)
			s := &g.Patches[q].Shape
			return g.Arcs[x].Convexity == graph.Smooth && s.Kind == surface.KindCylinder && graph.Parallel(s.Axis, end.Axis) && isFit(s, q)
		})
	}
	return end.Kind == surface.KindCylinder && end.Hollow && beside(p, func(inner *graph.Shape, q int32) bool {
		return !inner.Hollow && beside(q, func(s *graph.Shape, e int32) bool {
			return s.Hollow && math.Abs(s.Radius-end.Radius) <= g.Length && beside(e, func(outer *graph.Shape, _ int32) bool {
				return outer.Hollow && g.Coaxial(inner, outer) && math.Abs(outer.Radius-inner.Radius-2*end.Radius) <= r.slack()
			})
		})
	})
}

// isFootOfBoss reports whether a patch is the fillet beside a wall of a boss.
func (r *recognizer) isFootOfBoss(p int32) bool {
	return r.isFillet(p) && slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
		a := &r.g.Arcs[x]
		f := r.owner[a.Other(p)]
		return a.Convexity == graph.Smooth && f != graph.None && r.out[f].typ == feature.Boss
	})
}

// shallowTurn is the largest angle, rad, of an inner edge that makes no hollow of two faces: sides may lean as far
// and still be of one profile.
const shallowTurn = 10 * math.Pi / 180

// isShallow reports whether an edge is concave, but makes no hollow by itself.
func isShallow(a *graph.Adjacency) bool {
	return a.Convexity == graph.Concave && -a.Turn <= shallowTurn
}

// isBent reports whether a patch turns by more than an edge that makes no hollow.
func (r *facts) isBent(p int32) bool {
	mean := r.normalOf(p).Unit()
	return r.g.Slopes(p, mean).Lo < math.Cos(shallowTurn/2)
}

// isDrawnOff reports whether a fillet meets a plane along it at an edge that was meant to be smooth.
func (r *facts) isDrawnOff(a *graph.Adjacency) bool {
	const mostOff = 5 * math.Pi / 180
	isOn := func(fillet, wall int32) bool {
		s, w := &r.g.Patches[fillet].Shape, &r.g.Patches[wall].Shape
		return s.Hollow && s.Kind == surface.KindCylinder && w.Kind == surface.KindPlane &&
			graph.Parallel(a.Dir, s.Axis)
	}
	return math.Abs(a.Turn) <= mostOff && (isOn(a.A, a.B) || isOn(a.B, a.A))
}

// isCrack reports whether two faces lie upon each other beside their edge, so that there is nothing between them.
func isCrack(a *graph.Adjacency) bool {
	return a.Convexity == graph.Concave && -a.Turn >= math.Pi-graph.SmoothAngle
}

// cavities finds what floors lie in that look askew to the way in, as in a casting with draft on all sides: patches that nothing
// but fillets hold together, which no floor among them has the direction to see altogether, but another direction sees.
func (r *recognizer) cavities() {
	floorOf := make(map[int32]*basin)
	for i := range r.basins {
		if b := &r.basins[i]; r.isFloor(b) {
			floorOf[b.patch] = b
		}
	}
	for _, group := range r.hollowGroups() {
		isSharp := func(p int32) bool {
			return slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
				_, ok := slices.BinarySearch(group, r.g.Arcs[x].Other(p))
				return ok && r.g.Arcs[x].Convexity == graph.Concave
			})
		}
		var dirs []int
		for _, p := range group {
			if b := floorOf[p]; b != nil && !slices.Contains(dirs, b.dir) {
				dirs = append(dirs, b.dir)
			}
		}
		if len(dirs) > 0 && !slices.ContainsFunc(group, isSharp) &&
			!slices.ContainsFunc(dirs, func(d int) bool { return r.seesAll(d, group) }) {
			r.addHollow(group)
		}
	}
}

// seesAll reports whether a direction sees patches as a tool needs it, each of them and all together.
func (r *facts) seesAll(d int, group []int32) bool {
	return !slices.ContainsFunc(group, func(p int32) bool { return r.v.Share[d][p] < direction.MinFloorVisibility }) &&
		r.v.Seen(r.g, d, group) >= direction.MinWallVisibility
}

// addHollow adds a group of patches as one pocket, cut from the direction that sees all of them and
// needs the shortest tool; nothing when there is none.
func (r *recognizer) addHollow(group []int32) {
	best, depth := graph.None, math.Inf(1)
	for i, d := range r.v.Dirs {
		if h := r.g.ExtentOf(group, d).Length(); h < depth-r.g.Length && r.seesAll(i, group) {
			best, depth = i, h
		}
	}
	if best == graph.None {
		return
	}
	dir := r.v.Dirs[best]
	if len(group) == 1 && r.isEndFace(group[0], dir) {
		return
	}
	z := r.g.ExtentOf(group, dir)
	axis := dir
	r.add(found{
		typ: feature.Pocket, patches: group, dir: dir, axis: &axis, z: z,
		pocket: &feature.PocketShape{
			Open: r.rimComesDown(group, dir), Depth: z.Length(),
			Through: !slices.ContainsFunc(group, func(p int32) bool { return !r.isUpright(p, dir) }),
		},
		rule: "hollow without a flat floor", reasons: []string{fmt.Sprintf(
			"%s held together by inner edges or fillets, %s deep from the direction that sees them all.",
			count(len(group), "face is", "faces are"), mm(z.Length()))},
	})
}

// isEndFace reports whether all round a patch sides go away from dir: it is the whole end of something, which it makes
// hollow, and was not cut into a face.
func (r *facts) isEndFace(p int32, dir geom.Vec3) bool {
	return !slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
		a := &r.g.Arcs[x]
		return a.Convexity != graph.Convex || !r.isUpright(a.Other(p), dir)
	})
}

// isUpright reports whether a patch is parallel to dir all over.
func (r *facts) isUpright(p int32, dir geom.Vec3) bool {
	s := r.g.Slopes(p, dir)
	return max(math.Abs(s.Lo), math.Abs(s.Hi)) <= graph.DirectionTolerance
}

// isBreak reports whether beyond an edge patch q is of a hole that breaks into a wall along n from the side: it opens no
// way for a mill.
func (r *recognizer) isBreak(a *graph.Adjacency, q int32, n geom.Vec3) bool {
	return a.Convexity == graph.Convex && r.taken[q] && r.out[r.owner[q]].typ == feature.Hole && !r.isUpright(q, n)
}

// rimComesDown reports whether the outer edges of a group reach below the middle of its height.
func (r *recognizer) rimComesDown(group []int32, dir geom.Vec3) bool {
	mid := r.g.ExtentOf(group, dir).Mid()
	for _, p := range group {
		for _, x := range r.g.Patches[p].Arcs {
			a := &r.g.Arcs[x]
			e := &r.g.Model.Edges[a.Edge]
			low := min(a.Mid.Dot(dir), r.g.Model.Vertices[e.Start].Point.Dot(dir),
				r.g.Model.Vertices[e.End].Point.Dot(dir))
			q := a.Other(p)
			if a.Convexity == graph.Convex && !slices.Contains(group, q) && !r.isBreak(a, q, dir) && low < mid-r.g.Length {
				return true
			}
		}
	}
	return false
}
