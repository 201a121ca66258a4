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

	"millwright/core/feature"
	"millwright/core/feature/direction"
	"millwright/core/feature/graph"
	"millwright/core/feature/recognize/internal/section"
	"millwright/core/geom"
	"millwright/core/geom/surface"
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
func (r *recognizer) passage(p int32, ring *graph.Rim) (walls []int32, ok bool) {
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
		if g.Arcs[x].Bend == graph.Concave {
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
			case seen[o], upright && r.isChamfer[o]: // of the far opening, if any
			case lateral, !upright && !isLevel(g, o, n):
				push(o)
			case upright && a.Bend == graph.Concave:
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
	set := graph.NewSets(len(walls))
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

// rooms parts walls along n where they were cut as several outlines that run into each other: at the bores that cut across
// one of them, and at the outer corners between them, when all that bounds one hollow goes round more than half a turn.
// What goes round less, as the stem of a T does, is a bay of its neighbour.
func (r *recognizer) rooms(walls []int32, n geom.Vec3) (rooms [][]int32) {
	at := make(map[int32]int32, len(walls))
	for i, p := range walls {
		at[p] = int32(i)
	}
	set := graph.NewSets(len(walls))
	join := func(p, q int32) {
		i, ok := at[p]
		if j, isIn := at[q]; ok && isIn {
			set.Join(i, j)
		}
	}
	isBore := make(map[int32]bool)
	for i, p := range walls {
		sides := r.cutsAcross(p, n)
		if sides == nil {
			continue
		}
		isBore[p] = true
		for _, q := range sides {
			join(sides[0], q)
		}
		for _, q := range walls[:i] {
			if isBore[q] && r.g.Continues(&r.g.Patches[p].Shape, &r.g.Patches[q].Shape) {
				join(p, q)
			}
		}
	}
	for _, p := range walls {
		for _, x := range r.g.Patches[p].Arcs {
			a := &r.g.Arcs[x]
			if q := a.Other(p); !isBore[p] && !isBore[q] && (a.Bend != graph.Convex || isAcross(a, n)) {
				join(p, q)
			}
		}
	}
	var rest [][]int32
	for _, room := range set.Groups(func(int32) bool { return true }) {
		for i, k := range room {
			room[i] = walls[k]
		}
		switch {
		case !isBore[room[0]]:
			rest = append(rest, room)
		case !slices.ContainsFunc(room, r.hasEnd):
			rooms = append(rooms, room)
		}
	}
	return append(rooms, r.outlinesOf(rest, n)...)
}

// hasEnd reports whether a bore goes on into something across it: a bottom.
func (r *facts) hasEnd(bore int32) bool {
	return slices.ContainsFunc(r.g.Patches[bore].Arcs, func(x int32) bool {
		return r.g.Arcs[x].Bend != graph.Convex && isAcross(&r.g.Arcs[x], r.g.Patches[bore].Axis)
	})
}

// outlinesOf makes one room of groups of walls along n, unless each of them goes round by itself.
func (r *recognizer) outlinesOf(rooms [][]int32, n geom.Vec3) [][]int32 {
	whole := [][]int32{ascending(slices.Concat(rooms...))}
	if embrace := func(room []int32) bool { return section.Embraces(r.g, n, room) }; !all(rooms, embrace) {
		if rooms = r.convex(rooms); !all(rooms, func(room []int32) bool { return embrace(room) || r.isCutOff(room, n) }) {
			return whole
		}
	}
	return rooms
}

// cutsAcross returns the walls at both sides of a bore along n, at outer corners, when they are pieces of one: it was cut
// through a wall that was there. It returns nil for others, and for half a turn: that is a bay of the outline.
func (r *facts) cutsAcross(p int32, n geom.Vec3) (sides []int32) {
	g := r.g
	s := &g.Patches[p].Shape
	if !s.Hollow || s.Kind != surface.KindCylinder || !graph.Parallel(s.Axis, n) {
		return nil
	}
	for _, x := range g.Patches[p].Arcs {
		a := &g.Arcs[x]
		q := a.Other(p)
		switch {
		case isAcross(a, n):
		case a.Bend != graph.Convex || len(sides) > 0 && !g.Continues(&g.Patches[sides[0]].Shape, &g.Patches[q].Shape):
			return nil
		default:
			sides = append(sides, q)
		}
	}
	if len(sides) < 2 || math.Abs(g.Sweep([]int32{p}, s)-math.Pi) <= graph.SmoothAngle {
		return nil
	}
	return sides
}

// isCutOff reports whether walls along n go round half a turn and end at an outer corner in the middle of a rounded
// corner, of theirs or of what they run into: both were drawn whole, and cut one after the other.
func (r *facts) isCutOff(room []int32, n geom.Vec3) bool {
	g := r.g
	if section.Gap(g, n, room) > math.Pi+graph.SmoothAngle {
		return false
	}
	isPiece := func(p int32) bool {
		s := &g.Patches[p].Shape
		return s.Hollow && s.Kind == surface.KindCylinder && slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
			return g.Arcs[x].Bend == graph.Smooth && !isAcross(&g.Arcs[x], n)
		})
	}
	return slices.ContainsFunc(room, func(p int32) bool {
		return slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
			a := &g.Arcs[x]
			q := a.Other(p)
			return a.Bend == graph.Convex && !isAcross(a, n) && !slices.Contains(room, q) && (isPiece(p) || isPiece(q))
		})
	})
}

// all reports whether something holds of all of some lists.
func all(lists [][]int32, is func([]int32) bool) bool {
	return !slices.ContainsFunc(lists, func(list []int32) bool { return !is(list) })
}

// convex joins rows of walls each of which lies before all walls of the others: they bound one convex hollow, which
// others have broken open. A row that some of the rest lie before and some do not stays alone.
func (r *facts) convex(rows [][]int32) [][]int32 {
	if len(rows) > maxPassage {
		return rows
	}
	set := graph.NewSets(len(rows))
	faces := func(i, k int) bool { return r.isBefore(rows[i], rows[k]) && r.isBefore(rows[k], rows[i]) }
	for k := range rows {
		for i := range k {
			if faces(i, k) {
				set.Join(int32(i), int32(k))
			}
		}
	}
	var out [][]int32
	for _, group := range set.Groups(func(int32) bool { return true }) {
		var joined []int32
		for n, k := range group {
			for _, i := range group[:n] {
				if !faces(int(i), int(k)) {
					return rows
				}
			}
			joined = append(joined, rows[k]...)
		}
		out = append(out, ascending(joined))
	}
	if r.shareMiddle(out) {
		return rows
	}
	return out
}

// shareMiddle reports whether two of some rows of walls have one middle, seen along a wall: they were drawn as one.
func (r *facts) shareMiddle(rows [][]int32) bool {
	for i, a := range rows {
		for _, b := range rows[:i] {
			for _, p := range slices.Concat(a, b) {
				s := &r.g.Patches[p].Shape
				if s.Kind == surface.KindPlane &&
					math.Abs(r.g.ExtentOf(a, s.Axis).Mid()-r.g.ExtentOf(b, s.Axis).Mid()) <= r.slack() {
					return true
				}
			}
		}
	}
	return false
}

// isLevel reports whether a patch is a plane square to n, on either side.
func isLevel(g *graph.Graph, p int32, n geom.Vec3) bool {
	return g.Patches[p].Kind == surface.KindPlane && graph.Parallel(g.Patches[p].Axis, n)
}

// addPassage adds walls along n as a passage, where a direction along it sees them.
func (r *recognizer) addPassage(n geom.Vec3, walls []int32) {
	best, share := graph.None, direction.FloorShare
	for _, d := range []geom.Vec3{n, n.Neg()} {
		if i := r.v.Find(d); i != graph.None {
			if s := r.v.Seen(r.g, i, walls); s > share+graph.AxisAngle || s >= share && i < best {
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
		pocket: &feature.PocketShape{Through: true, Depth: z.Length()},
		rule:   "passage", reasons: []string{fmt.Sprintf("%s through the part without a floor, %s long.",
			count(len(walls), "wall runs", "walls run"), mm(z.Length()))},
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
			return r.g.Arcs[x].Bend == graph.Smooth && f != graph.None && r.out[f].typ == feature.Hole
		})
	})
}

// isDrawn reports whether some patches go on smoothly from a side of sheet: they were pressed, not cut.
func (r *recognizer) isDrawn(group []int32) bool {
	return slices.ContainsFunc(group, func(p int32) bool {
		return slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
			return r.g.Arcs[x].Bend == graph.Smooth && r.sheet.IsSide(r.g.Arcs[x].Other(p))
		})
	})
}

// hollowGroups returns the free patches that concave edges or hollow blends hold together.
func (r *recognizer) hollowGroups() [][]int32 {
	g := r.g
	set := graph.NewSets(len(g.Patches))
	held := make([]bool, len(g.Patches)) // by a concave edge that makes a hollow or the blend in its place
	for i := range g.Patches {
		p := int32(i)
		if r.taken[p] || r.sheet.IsContour(p) {
			continue
		}
		edges, tangent := 0, 0
		for _, x := range g.Patches[p].Arcs {
			a := &g.Arcs[x]
			q := a.Other(p)
			if a.Bend == graph.Smooth && g.Patches[p].Hollow {
				tangent++
			}
			edges++
			if r.taken[q] || a.Bend == graph.Convex && !r.isDrawnOff(a) || isCrack(a) || r.folded(p, q) ||
				r.reachesDown[p] || r.reachesDown[q] || r.isRimRounding(p) || r.isRimRounding(q) || r.isRoundWall(p) || r.isRoundWall(q) || r.isShoulder[p] || r.isShoulder[q] || r.isFootOfBoss(p) || r.isFootOfBoss(q) ||
				a.Bend == graph.Smooth && !g.Patches[p].Hollow && !g.Patches[q].Hollow {
				continue
			}
			set.Join(p, q)
			held[p] = held[p] || !isShallow(a)
		}
		// A round hollow that is no blend of its neighbours is a depression of its own.
		isOwn := g.Patches[p].Hollow && g.Patches[p].Kind != surface.KindBSpline && tangent == 0 && edges > 0
		held[p] = held[p] || isOwn
	}
	return slices.DeleteFunc(set.Groups(func(i int32) bool { return !r.taken[i] }), func(group []int32) bool {
		return !slices.ContainsFunc(group, func(p int32) bool { return held[p] })
	})
}

// isFootOfBoss reports whether a patch is the fillet beside a wall of a boss.
func (r *recognizer) isFootOfBoss(p int32) bool {
	return r.isFillet(p) && slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
		a := &r.g.Arcs[x]
		f := r.owner[a.Other(p)]
		return a.Bend == graph.Smooth && f != graph.None && r.out[f].typ == feature.Boss
	})
}

// shallowTurn is the largest angle, rad, of an inner edge that makes no hollow of two faces: sides may lean as far
// and still be of one profile.
const shallowTurn = 10 * math.Pi / 180

// isShallow reports whether an edge is concave, but makes no hollow by itself.
func isShallow(a *graph.Arc) bool { return a.Bend == graph.Concave && -a.Turn <= shallowTurn }

// isDrawnOff reports whether a fillet meets a plane along it at an edge that was meant to be smooth.
func (r *facts) isDrawnOff(a *graph.Arc) bool {
	const mostOff = 5 * math.Pi / 180
	isOn := func(fillet, wall int32) bool {
		s, w := &r.g.Patches[fillet].Shape, &r.g.Patches[wall].Shape
		return s.Hollow && s.Kind == surface.KindCylinder && w.Kind == surface.KindPlane &&
			graph.Parallel(a.Dir, s.Axis)
	}
	return math.Abs(a.Turn) <= mostOff && (isOn(a.A, a.B) || isOn(a.B, a.A))
}

// isCrack reports whether two faces lie upon each other beside their edge, so that there is nothing between them.
func isCrack(a *graph.Arc) bool {
	return a.Bend == graph.Concave && -a.Turn >= math.Pi-graph.SmoothAngle
}

// addHollow adds a group of patches as one pocket, cut from the direction that sees all of them and
// needs the shortest tool; nothing when there is none.
func (r *recognizer) addHollow(group []int32) {
	best, depth := graph.None, math.Inf(1)
	for i, d := range r.v.Dirs {
		low := 1.0
		for _, p := range group {
			low = min(low, r.v.Share[i][p])
		}
		h := r.g.ExtentOf(group, d).Length()
		if low >= direction.FloorShare && r.v.Seen(r.g, i, group) >= direction.WallShare && h < depth-r.g.Length {
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
		return a.Bend != graph.Convex || !r.isUpright(a.Other(p), dir)
	})
}

// isUpright reports whether a patch is parallel to dir all over.
func (r *facts) isUpright(p int32, dir geom.Vec3) bool {
	s := r.g.Slopes(p, dir)
	return max(math.Abs(s.Lo), math.Abs(s.Hi)) <= graph.SameDirection
}

// rimComesDown reports whether the outer edges of a group reach below the middle of its height.
func (r *facts) rimComesDown(group []int32, dir geom.Vec3) bool {
	mid := r.g.ExtentOf(group, dir).Mid()
	for _, p := range group {
		for _, x := range r.g.Patches[p].Arcs {
			a := &r.g.Arcs[x]
			e := &r.g.Model.Edges[a.Edge]
			low := min(a.Mid.Dot(dir), r.g.Model.Vertices[e.Start].Point.Dot(dir),
				r.g.Model.Vertices[e.End].Point.Dot(dir))
			if a.Bend == graph.Convex && !slices.Contains(group, a.Other(p)) && low < mid-r.g.Length {
				return true
			}
		}
	}
	return false
}
