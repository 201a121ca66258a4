package recognize

// Passages that run into each other.
//
// What lies behind one opening may have been cut as several outlines: bores through a wall or a corner of another, outlines
// that break into each other at outer corners. Each is a room, of which the walls that are left tell where it was.
//
// Cost: quadratic in the walls of one passage, maxPassage rows of them at most compared with each other.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// rooms parts walls along n where they were cut as several outlines that run into each other: at the bores that cut across
// one of them, and at the outer corners between them, when all that bounds one hollow goes round more than half a turn.
// What goes round less, as the stem of a T does, is a bay of its neighbour.
func (r *recognizer) rooms(walls []int32, n geom.Vec3) (rooms [][]int32) {
	at := make(map[int32]int32, len(walls))
	for i, p := range walls {
		at[p] = int32(i)
	}
	set := graph.NewUnionFind(len(walls))
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
			if q := a.Other(p); !isBore[p] && !isBore[q] && (a.Convexity != graph.Convex || isAcross(a, n)) {
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
		default:
			rooms = append(rooms, room)
		}
	}
	return append(rooms, r.outlinesOf(rest, n)...)
}

// outlinesOf makes one room of groups of walls along n, unless each of them goes round by itself.
func (r *recognizer) outlinesOf(rooms [][]int32, n geom.Vec3) [][]int32 {
	whole := [][]int32{ascending(slices.Concat(rooms...))}
	if embrace := func(room []int32) bool { return section.Embraces(r.g, n, room) }; !all(rooms, embrace) {
		if rooms = r.convex(rooms); !all(rooms, embrace) {
			return whole
		}
	}
	return rooms
}

// cutsAcross returns the walls at both sides of a bore along n, at outer corners, when they are pieces of one or met where
// the bore is: it was cut through what was there. It returns nil for others, and for half a turn: that is a bay of the
// outline.
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
		case a.Convexity != graph.Convex || len(sides) > 0 && !r.areOneAt(sides[0], q, s):
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

// areOneAt reports whether two walls along a bore lie on one surface, or met in a line within the bore. A relief has its
// axis as far from the one as from the other of two planes: that is drawn with their corner.
func (r *facts) areOneAt(p, q int32, bore *graph.Shape) bool {
	g := r.g
	s, t := &g.Patches[p].Shape, &g.Patches[q].Shape
	if g.Continues(s, t) {
		return true
	}
	if s.Kind != surface.KindPlane {
		s, t = t, s
	}
	if s.Kind != surface.KindPlane || p == q {
		return false
	}
	at := bore.Origin
	off := at.Sub(s.Origin).Dot(s.Axis)
	switch {
	case t.Kind == surface.KindPlane:
		cos, other := s.Axis.Dot(t.Axis), at.Sub(t.Origin).Dot(t.Axis)
		// The distance of the axis from the line is that of the origin from two lines at offsets in the plane across.
		return 1-cos*cos > graph.DirectionTolerance && math.Abs(off-other) > r.slack() &&
			off*off+other*other-2*cos*off*other < bore.Radius*bore.Radius*(1-cos*cos)
	case t.Kind == surface.KindCylinder && graph.Parallel(t.Axis, bore.Axis):
		to := t.Origin.Sub(at)
		to = to.AddScaled(-to.Dot(bore.Axis), bore.Axis)
		touch := to.AddScaled(-(t.Origin.Sub(s.Origin)).Dot(s.Axis), s.Axis) // the foot of its axis on the plane
		return math.Abs(math.Abs(t.Origin.Sub(s.Origin).Dot(s.Axis))-t.Radius) <= r.slack() && touch.Norm() < bore.Radius
	}
	return false
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
	set := graph.NewUnionFind(len(rows))
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
