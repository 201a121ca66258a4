// Package chamfer finds the faces that stand in the place of convex edges.
package chamfer

// Chamfers: narrow planes and cones between two faces that would else meet in a convex edge.
//
// A patch is a chamfer when two opposite sides of it, or the two circles of a cone, are convex edges
// with turns between BevelMin and BevelMax, and the distance between them is at most bevelWidth times
// the extent of one of the two neighbours, measured away from the edge. One of the sides may be short
// where others cut it off aslant, or where it meets other bevels round a tip. The turns keep out drafted
// walls and the ends of the chamfer (square to its neighbours there), the width keeps out the sides of
// polygonal bars and wedges. A bevel that stands on a floor of its own, between the same two
// neighbours, is the wall of a step. One with the same face on both sides breaks no edge: it is a flat.
// A hollow cone in a stack, or at the foot of its bore, belongs to the hole. A group that is wider than
// the edge was long is no bevel of it but a corner cut off: a wall.
//
// Limits: chamfers along free curves, which no analytic surface covers, are not found.

import (
	"maps"
	"math"
	"slices"

	"millwright/core/feature/graph"
	"millwright/core/geom"
	"millwright/core/geom/surface"
)

const (
	BevelMin = 10 * math.Pi / 180 // rad
	// BevelMax (rad) is what an even bevel of an edge of 30° turns to either side, as well as directions agree.
	BevelMax = 75*math.Pi/180 + graph.AxisAngle

	// SlopeMin (rad) is how far a chamfer lies at least from a floor and from a wall of its direction.
	SlopeMin = 8 * math.Pi / 180

	// bevelWidth is the widest chamfer as a share of its larger neighbour: a side of a regular
	// polygon is as wide as its neighbours.
	bevelWidth = 0.8

	// cornerWidth is the same where the neighbours are square to each other, as at most edges that are
	// chamfered; among regular polygons only those of the octagon are.
	cornerWidth = 0.95

	// straightCos is the cosine of the angle within which two sides of a chamfer are parallel (8°).
	straightCos = 0.99

	// sideShare is the share of a chamfer that edges with one neighbour must cover.
	sideShare = 0.5

	// innerShare is the share of a chamfer's length on which it may end at an inner edge along it.
	innerShare = 0.1

	// sameWidth is the share by which chamfers that meet at an outer corner may differ in width and be one.
	sameWidth = 0.05

	// mostWidths is how much wider than long what others leave of a chamfer may be.
	mostWidths = 10

	// maxGaps bounds the gaps between chamfers that are looked at, each linear in triangles.
	maxGaps = 256

	// maxPieces bounds the chamfers on one face that are compared with each other.
	maxPieces = 64
)

// chamfers finds the chamfers of one part.
type chamfers struct{ *graph.Graph }

// Find marks the patches that are chamfers, by patch; taken ones are not looked at.
func Find(gr *graph.Graph, taken []bool) []bool {
	g := chamfers{gr}
	out := make([]bool, len(g.Patches))
	for i := range g.Patches {
		if taken[i] {
			continue
		}
		switch g.Patches[i].Kind {
		case surface.KindPlane:
			out[i] = g.isFlatChamfer(int32(i))
		case surface.KindCone:
			out[i] = g.isRoundChamfer(int32(i))
		}
	}
	g.settle(out, taken)
	return out
}

func isBevel(a *graph.Arc) bool {
	return a.Bend == graph.Convex && a.Turn >= BevelMin && a.Turn <= BevelMax
}

// isStraight reports whether an edge is about as long as its chord: the two halves of a circle run
// alongside each other in their middles only.
func (g chamfers) isStraight(a *graph.Arc) bool {
	e := &g.Model.Edges[a.Edge]
	return g.Model.Vertices[e.Start].Point.Dist(g.Model.Vertices[e.End].Point) >= straightCos*a.Length
}

// isFlatChamfer looks for two parallel bevel sides of a plane.
func (g chamfers) isFlatChamfer(p int32) bool {
	for _, x := range g.Patches[p].Arcs {
		u := g.Arcs[x].Dir
		if !isBevel(&g.Arcs[x]) || !g.isStraight(&g.Arcs[x]) {
			continue
		}
		across := g.Patches[p].Axis.Cross(u).Unit()
		length, width := g.Extent(p, u).Length(), g.Extent(p, across)
		b := g.bordersOf(p, u, across, width.Mid())
		if b.isFlat() || g.isFlank(p, u) || b.inner > innerShare*length || width.Length() > mostWidths*length {
			continue // or the wall of what others have deepened, or its end
		}
		widest := bevelWidth
		if math.Abs(g.Arcs[x].Turn+b.turn-math.Pi/2) <= graph.SmoothAngle {
			widest = cornerWidth
		}
		short := min(b.near, b.far)
		if short > 0 && short+g.slants(p, u) >= sideShare*length && width.Length() <= widest*b.extent &&
			!g.hasFloor(p, b.sides) {
			return true
		}
	}
	return false
}

// borders are the straight edges of a plane along a direction.
type borders struct {
	near, far float64    // mm of bevel edges along either side
	inner     float64    // mm of inner edges
	extent    float64    // mm, of the larger neighbour away from the edge
	turn      float64    // rad, at the far side
	sides     [2][]int32 // the neighbours along either side
}

// isFlat reports whether the same face is on both sides.
func (b *borders) isFlat() bool {
	return slices.ContainsFunc(b.sides[0], func(q int32) bool { return slices.Contains(b.sides[1], q) })
}

// bordersOf returns the borders of a plane along u; those beyond middle, mm along across, are the far ones.
func (g chamfers) bordersOf(p int32, u, across geom.Vec3, middle float64) (b borders) {
	for _, x := range g.Patches[p].Arcs {
		a := &g.Arcs[x]
		if math.Abs(a.Dir.Dot(u)) < straightCos || !g.isStraight(a) {
			continue
		}
		if a.Bend == graph.Concave {
			b.inner += a.Length
		}
		if !isBevel(a) {
			continue
		}
		q := a.Other(p)
		if g.Patches[q].Kind == surface.KindPlane {
			b.extent = max(b.extent, g.Extent(q, g.Patches[q].Axis.Cross(u).Unit()).Length())
		} else {
			b.extent = max(b.extent, math.Sqrt(g.Patches[q].Area))
		}
		if a.Mid.Dot(across) > middle {
			b.far += a.Length
			b.turn = a.Turn
			b.sides[1] = append(b.sides[1], q)
		} else {
			b.near += a.Length
			b.sides[0] = append(b.sides[0], q)
		}
	}
	return b
}

// slants returns by how much, mm along u, ends that are not square to the sides of a bevel shorten one of them: where
// others cut it off, and where it meets other bevels round a tip. What meets others in inner edges may be a floor.
func (g chamfers) slants(p int32, u geom.Vec3) (sum float64) {
	for _, x := range g.Patches[p].Arcs {
		a := &g.Arcs[x]
		if a.Bend == graph.Concave {
			return 0
		}
		if a.Bend == graph.Convex && math.Abs(a.Dir.Dot(u)) < straightCos && g.isStraight(a) {
			sum += a.Length * math.Abs(a.Dir.Dot(u))
		}
	}
	return sum
}

// isFlank reports whether a plane goes on smoothly into a hollow cylinder along u: it is the flank of a slot or the side of
// a rounded corner. What a chamfer bends into is a cone.
func (g chamfers) isFlank(p int32, u geom.Vec3) bool {
	return slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
		s := &g.Patches[g.Arcs[x].Other(p)].Shape
		return g.Arcs[x].Bend == graph.Smooth && s.Hollow && s.Kind == surface.KindCylinder && graph.Parallel(s.Axis, u)
	})
}

// hasFloor reports whether a bevel meets in a concave edge a face that meets the neighbours on both
// its sides in convex ones.
func (g chamfers) hasFloor(p int32, sides [2][]int32) bool {
	for _, x := range g.Patches[p].Arcs {
		if g.Arcs[x].Bend != graph.Concave {
			continue
		}
		q := g.Arcs[x].Other(p)
		if g.turnsCorner(p, q) {
			continue
		}
		touches := [2]bool{}
		for _, y := range g.Patches[q].Arcs {
			for i := range sides {
				isSide := slices.Contains(sides[i], g.Arcs[y].Other(q))
				touches[i] = touches[i] || isSide && g.Arcs[y].Bend == graph.Convex
			}
		}
		if touches[0] && touches[1] {
			return true
		}
	}
	return false
}

// isRoundChamfer looks for bevel edges at both ends of a cone.
func (g chamfers) isRoundChamfer(p int32) bool {
	s := &g.Patches[p].Shape
	z := g.Extent(p, s.Axis)
	width := z.Length() / math.Cos(s.Slope)
	low, high := s.RadiusAt(heightOn(s, z.Lo)), s.RadiusAt(heightOn(s, z.Hi))
	sweep := g.Sweep([]int32{p}, s)
	round := sweep * min(math.Abs(low), math.Abs(high))
	near, far, across, extent := 0.0, 0.0, 0.0, 0.0
	for _, x := range g.Patches[p].Arcs {
		a := &g.Arcs[x]
		q := &g.Patches[a.Other(p)]
		if a.Bend == graph.Concave && q.Kind == surface.KindCylinder && q.Hollow && g.Coaxial(s, &q.Shape) {
			return false // the foot of a bore
		}
		if !isBevel(a) || math.Abs(a.Dir.Dot(s.Axis)) > graph.LateralCos {
			continue
		}
		switch q.Kind {
		case surface.KindPlane:
			r := g.Reach(a.Other(p), s)
			// The points of a disc may all lie on its rim: it is as wide at least as a sector of its area.
			r.Lo = min(r.Lo, math.Sqrt(max(0, r.Hi*r.Hi-2*q.Area/sweep)))
			extent = max(extent, r.Length())
		case surface.KindCylinder, surface.KindCone:
			extent = max(extent, g.Extent(a.Other(p), s.Axis).Length())
		default:
			extent = max(extent, math.Sqrt(q.Area))
		}
		switch rim := g.span(a, s.Axis); {
		case rim.Length() > z.Length()/2: // where a flat cuts the cone off
			across += a.Length
		case rim.Mid() > z.Mid():
			far += a.Length
		default:
			near += a.Length
		}
	}
	return min(near, far)+across >= sideShare*round && max(near, far) >= sideShare*round && width <= bevelWidth*extent
}

// span returns how far an edge reaches along a direction, mm, by its ends and its middle.
func (g chamfers) span(a *graph.Arc, dir geom.Vec3) geom.Interval {
	e := &g.Model.Edges[a.Edge]
	z := geom.Interval{Lo: a.Mid.Dot(dir), Hi: a.Mid.Dot(dir)}
	for _, v := range []geom.Vec3{g.Model.Vertices[e.Start].Point, g.Model.Vertices[e.End].Point} {
		z.Lo, z.Hi = min(z.Lo, v.Dot(dir)), max(z.Hi, v.Dot(dir))
	}
	return z
}

// heightOn returns the point of the axis of s at height z along it.
func heightOn(s *graph.Shape, z float64) geom.Vec3 {
	return s.Origin.AddScaled(z-s.Origin.Dot(s.Axis), s.Axis)
}

// Groups joins chamfers to features: the pieces round one edge loop, which border on one face at one
// angle and touch each other, meet in an inner corner of its rim, or continue each other across air in a
// gap of the rim. Groups and members ascend. rims returns the boundaries of a planar patch.
func Groups(gr *graph.Graph, is []bool, rims func(p int32) []graph.Rim) [][]int32 {
	g := chamfers{gr}
	set := graph.NewSets(len(is))
	sides := map[int32][]int32{} // the edges of chamfers by the face they border on, in file order
	for p, ok := range is {
		if !ok {
			continue
		}
		for _, x := range g.Patches[p].Arcs {
			q := g.Arcs[x].Other(int32(p))
			if is[q] {
				bend := g.Arcs[x].Bend
				if bend == graph.Smooth || g.share(int32(p), q, bend == graph.Concave) &&
					(bend == graph.Concave || g.areAsWide(int32(p), q)) {
					set.Join(int32(p), q)
				}
			} else if g.Arcs[x].Bend == graph.Convex {
				sides[q] = append(sides[q], x)
			}
		}
	}
	tried := 0
	for _, q := range slices.Sorted(maps.Keys(sides)) {
		arcs := sides[q]
		if len(arcs) > maxPieces || len(arcs) < 2 {
			continue
		}
		rimOf := map[int32]int{} // by arc
		if g.Patches[q].Kind == surface.KindPlane {
			for i, r := range rims(q) {
				for _, x := range r.Arcs {
					rimOf[x] = i
				}
			}
		}
		for i, x := range arcs {
			p := g.Arcs[x].Other(q)
			for _, y := range arcs[i+1:] {
				o := g.Arcs[y].Other(q)
				if set.Find(p) == set.Find(o) || rimOf[x] != rimOf[y] ||
					!g.Continues(&g.Patches[p].Shape, &g.Patches[o].Shape) {
					continue
				}
				if tried++; tried > maxGaps || g.isAirBetween(&g.Arcs[x], &g.Arcs[y], q) {
					set.Join(p, o)
				}
			}
		}
	}
	groups := set.Groups(func(p int32) bool { return is[p] })
	return slices.DeleteFunc(groups, g.isWiderThanLong)
}

// isAirBetween reports whether nothing stands between two chamfers in one plane, a little off their edges with a face: what
// does parts the edge that they break.
func (g chamfers) isAirBetween(x, y *graph.Arc, face int32) bool {
	const off = 10 // lengths of the graph
	at := func(a *graph.Arc) geom.Vec3 {
		p := a.Other(face)
		box := geom.EmptyBox()
		g.EachPoint(p, func(pt, _ geom.Vec3) { box = box.Add(pt) })
		return a.Mid.AddScaled(off*g.Length, g.Patches[p].Axis).AddScaled(off*g.Length, box.Center().Sub(a.Mid).Unit())
	}
	return g.Patches[x.Other(face)].Kind != surface.KindPlane || !g.Crosses(at(x), at(y))
}

// isWiderThanLong reports whether the edges that chamfers break are shorter than the chamfers are wide.
func (g chamfers) isWiderThanLong(group []int32) bool {
	long, area := 0.0, 0.0
	for _, p := range group {
		longest := 0.0
		for _, x := range g.Patches[p].Arcs {
			if isBevel(&g.Arcs[x]) {
				longest = max(longest, g.Arcs[x].Length)
			}
		}
		long += longest
		area += g.Patches[p].Area
	}
	return area > long*long
}

// areAsWide reports whether two chamfers are about as wide, as far as that is known.
func (g chamfers) areAsWide(p, q int32) bool {
	a, b := g.widthOf(p), g.widthOf(q)
	return a == 0 || b == 0 || math.Abs(a-b) <= sameWidth*max(a, b)
}

// widthOf returns how wide a flat or conical chamfer is, mm, and 0 for others.
func (g chamfers) widthOf(p int32) float64 {
	switch s := &g.Patches[p].Shape; s.Kind {
	case surface.KindPlane:
		_, extent := g.strip(p)
		return extent.Length()
	case surface.KindCone:
		return g.Extent(p, s.Axis).Length() / math.Cos(s.Slope)
	}
	return 0
}

// share reports whether two chamfers border on one face, at one angle unless they may differ.
func (g chamfers) share(p, q int32, mayDiffer bool) bool {
	for _, x := range g.Patches[p].Arcs {
		a := &g.Arcs[x]
		o := a.Other(p)
		for _, y := range g.Patches[q].Arcs {
			b := &g.Arcs[y]
			if b.Other(q) == o && o != p && o != q && isBevel(a) && isBevel(b) &&
				(mayDiffer || math.Abs(a.Turn-b.Turn) <= graph.SmoothAngle) {
				return true
			}
		}
	}
	return false
}
