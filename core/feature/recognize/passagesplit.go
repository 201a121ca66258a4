package recognize

// Passages that intersect.
//
// Several outlines may have been cut behind one opening: bores through a wall or a corner of another, or outlines that
// intersect at convex edges. The remaining walls of each outline show its place.
//
// Cost: quadratic in the walls of one passage, with at most maxPassage rows compared.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// splitPassage splits walls along n into intersecting outlines: at bores across one of them, and at the convex edges
// between them, if the walls of each convex region turn by more than 180°. Walls that turn by less, as the stem of a T,
// are a bay of their neighbor.
func splitPassage(pc *partContext, walls []int32, n geom.Vec3) (outlines [][]int32) {
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
		sides := cutsAcross(pc, p, n)
		if sides == nil {
			continue
		}
		isBore[p] = true
		for _, q := range sides {
			join(sides[0], q)
		}
		for _, q := range walls[:i] {
			if isBore[q] && pc.g.OnOneSurface(p, q) {
				join(p, q)
			}
		}
	}
	for _, p := range walls {
		for q, a := range pc.g.Neighbors(p) {
			if !isBore[p] && !isBore[q] && (a.Convexity != graph.Convex || isPerpendicular(a, n)) {
				join(p, q)
			}
		}
	}
	var rest [][]int32
	for _, outline := range groupsOf(set, walls) {
		if isBore[outline[0]] {
			outlines = append(outlines, outline)
		} else {
			rest = append(rest, outline)
		}
	}
	return append(outlines, passageOutlines(pc, rest, n)...)
}

// passageOutlines joins groups of walls along n into one outline, unless each closes around an axis by itself.
func passageOutlines(pc *partContext, outlines [][]int32, n geom.Vec3) [][]int32 {
	whole := [][]int32{ascending(slices.Concat(outlines...))}
	encircles := func(outline []int32) bool { return section.Encircles(pc.g, n, outline) }
	if !all(outlines, encircles) {
		if outlines = convex(pc, outlines); !all(outlines, encircles) {
			return whole
		}
	}
	return outlines
}

// cutsAcross returns the walls at both sides of a bore along n, over convex edges, if they are pieces of one wall or
// met within the bore. It returns nil for others, and for half a turn, which is a bay of the outline.
func cutsAcross(pc *partContext, p int32, n geom.Vec3) (sides []int32) {
	g := pc.g
	s := &g.Patches[p].Shape
	if !s.Hollow || s.Kind != surface.KindCylinder || !graph.Parallel(s.Axis, n) {
		return nil
	}
	for q, a := range g.Neighbors(p) {
		switch {
		case isPerpendicular(a, n):
		case a.Convexity != graph.Convex || len(sides) > 0 && !areOneAt(pc, sides[0], q, s):
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

// areOneAt reports whether two walls along a bore lie on one surface, or met in a line within the bore. A corner relief
// has equal distances from its axis to both planes and does not count.
func areOneAt(pc *partContext, p, q int32, bore *graph.Shape) bool {
	g := pc.g
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
		// The distance from axis to line is that from the origin to the intersection of two lines with offsets, in the
		// normal plane.
		return 1-cos*cos > graph.DirectionTolerance && math.Abs(off-other) > pc.g.Slack() &&
			off*off+other*other-2*cos*off*other < bore.Radius*bore.Radius*(1-cos*cos)
	case t.Kind == surface.KindCylinder && graph.Parallel(t.Axis, bore.Axis):
		to := t.Origin.Sub(at).Reject(bore.Axis)
		touch := to.AddScaled(-(t.Origin.Sub(s.Origin)).Dot(s.Axis), s.Axis) // the foot point of its axis on the plane
		return math.Abs(math.Abs(t.Origin.Sub(s.Origin).Dot(s.Axis))-t.Radius) <= pc.g.Slack() &&
			touch.Norm() < bore.Radius
	}
	return false
}

// convex joins rows of walls that lie before all walls of each other: they bound one convex region that others have
// opened. If a row fits only a part of a group, nothing is joined.
func convex(pc *partContext, rows [][]int32) [][]int32 {
	if len(rows) > maxPassage {
		return rows
	}
	set := graph.NewUnionFind(len(rows))
	faces := func(i, k int) bool { return pc.isBefore(rows[i], rows[k]) && pc.isBefore(rows[k], rows[i]) }
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
	if shareMiddle(pc, out) {
		return rows
	}
	return out
}

// shareMiddle reports whether two rows of walls have one middle, seen along a wall: they were drawn as one.
func shareMiddle(pc *partContext, rows [][]int32) bool {
	for i, a := range rows {
		for _, b := range rows[:i] {
			for _, p := range slices.Concat(a, b) {
				s := &pc.g.Patches[p].Shape
				if s.Kind == surface.KindPlane &&
					math.Abs(pc.g.ExtentOf(a, s.Axis).Mid()-pc.g.ExtentOf(b, s.Axis).Mid()) <= pc.g.Slack() {
					return true
				}
			}
		}
	}
	return false
}
