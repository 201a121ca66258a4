package feature

// Chamfers: narrow planes and cones between two faces that would else meet in a convex edge.
//
// A patch is a chamfer when two opposite sides of it, or the two circles of a cone, are convex edges
// with turns between bevelMin and bevelMax, and the distance between them is at most bevelWidth times
// the extent of one of the two neighbours, measured away from the edge. The turns keep out drafted
// walls and the ends of the chamfer (square to its neighbours there), the width keeps out the sides of
// polygonal bars and wedges. A bevel that stands on a floor of its own, between the same two
// neighbours, is the wall of a step. Hollow cones in a stack belong to their hole.
//
// Limits: chamfers along free curves, which no analytic surface covers, are not found.

import (
	"math"
	"slices"

	"millwright/core/geom"
	"millwright/core/geom/surface"
)

const (
	bevelMin = 15 * math.Pi / 180 // rad
	bevelMax = 75 * math.Pi / 180 // rad

	// bevelWidth is the widest chamfer as a share of its larger neighbour: a side of a regular
	// polygon is as wide as its neighbours.
	bevelWidth = 0.8

	// straightCos is the cosine of the angle within which two sides of a chamfer are parallel (8°).
	straightCos = 0.99

	// sideShare is the share of a length that counts as lying alongside: of a chamfer that edges with
	// one neighbour cover, of the shorter of two pieces of a bore.
	sideShare = 0.5
)

// chamfers marks the patches that are chamfers; taken ones are not looked at.
func (g *graph) chamfers(taken []bool) []bool {
	out := make([]bool, len(g.patches))
	for i := range g.patches {
		if taken[i] {
			continue
		}
		switch g.patches[i].kind {
		case surface.KindPlane:
			out[i] = g.isFlatChamfer(int32(i))
		case surface.KindCone:
			out[i] = g.isRoundChamfer(int32(i))
		}
	}
	return out
}

func isBevel(a *arc) bool { return a.bend == convex && a.turn >= bevelMin && a.turn <= bevelMax }

// isFlatChamfer looks for two parallel bevel sides of a plane.
func (g *graph) isFlatChamfer(p int32) bool {
	arcs := g.patches[p].arcs
	for _, x := range arcs {
		u := g.arcs[x].dir
		if !isBevel(&g.arcs[x]) {
			continue
		}
		across := g.patches[p].axis.Cross(u).Unit()
		length, width := g.extent(p, u).Length(), g.extent(p, across)
		near, far := 0.0, 0.0 // mm of bevel edges along either side
		extent := 0.0         // mm, of the larger neighbour away from the edge
		var sides [2][]int32  // the neighbours along either side
		for _, y := range arcs {
			a := &g.arcs[y]
			if !isBevel(a) || abs(a.dir.Dot(u)) < straightCos {
				continue
			}
			q := a.other(p)
			if g.patches[q].kind == surface.KindPlane {
				extent = max(extent, g.extent(q, g.patches[q].axis.Cross(u).Unit()).Length())
			} else {
				extent = max(extent, math.Sqrt(g.patches[q].area))
			}
			if a.mid.Dot(across) > width.Mid() {
				far += a.length
				sides[1] = append(sides[1], q)
			} else {
				near += a.length
				sides[0] = append(sides[0], q)
			}
		}
		if min(near, far) >= sideShare*length && width.Length() <= bevelWidth*extent && !g.hasFloor(p, sides) {
			return true
		}
	}
	return false
}

// hasFloor reports whether a bevel meets in a concave edge a face that meets the neighbours on both
// its sides in convex ones.
func (g *graph) hasFloor(p int32, sides [2][]int32) bool {
	for _, x := range g.patches[p].arcs {
		if g.arcs[x].bend != concave {
			continue
		}
		q := g.arcs[x].other(p)
		touches := [2]bool{}
		for _, y := range g.patches[q].arcs {
			for i := range sides {
				isSide := slices.Contains(sides[i], g.arcs[y].other(q))
				touches[i] = touches[i] || isSide && g.arcs[y].bend == convex
			}
		}
		if touches[0] && touches[1] {
			return true
		}
	}
	return false
}

// isRoundChamfer looks for bevel edges at both ends of a cone.
func (g *graph) isRoundChamfer(p int32) bool {
	s := &g.patches[p].shape
	z := g.extent(p, s.axis)
	width := z.Length() / math.Cos(s.slope)
	round := g.sweep([]int32{p}, s) * min(abs(s.radiusAt(heightOn(s, z.Lo))), abs(s.radiusAt(heightOn(s, z.Hi))))
	near, far, extent := 0.0, 0.0, 0.0
	for _, x := range g.patches[p].arcs {
		a := &g.arcs[x]
		if !isBevel(a) || abs(a.dir.Dot(s.axis)) > lateralCos {
			continue
		}
		q := &g.patches[a.other(p)]
		switch q.kind {
		case surface.KindPlane:
			r := g.reach(a.other(p), s)
			extent = max(extent, r.Hi-r.Lo)
		case surface.KindCylinder, surface.KindCone:
			extent = max(extent, g.extent(a.other(p), s.axis).Length())
		default:
			extent = max(extent, math.Sqrt(q.area))
		}
		if a.mid.Dot(s.axis) > z.Mid() {
			far += a.length
		} else {
			near += a.length
		}
	}
	return min(near, far) >= sideShare*round && width <= bevelWidth*extent
}

// heightOn returns the point of the axis of s at height z along it.
func heightOn(s *shape, z float64) geom.Vec3 {
	return s.origin.AddScaled(z-s.origin.Dot(s.axis), s.axis)
}

// chamfer describes a chamfer; ok is false when no direction sees it. It is cut from the first
// direction that sees it at a slope between floor and wall, else from the one that sees most.
func (g *graph) chamfer(p int32, v *sight) (f found, ok bool) {
	best := none
	for i, d := range v.dirs {
		s := g.slopes(p, d)
		if v.share[i][p] >= wallShare && s.Lo > math.Sin(bevelMin)/2 && s.Hi < 1-axisAngle {
			best = i
			break
		}
		if v.share[i][p] >= floorShare && (best == none || v.share[i][p] > v.share[best][p]) {
			best = i
		}
	}
	if best == none {
		return f, false
	}
	f = found{typ: Chamfer, patches: []int32{p}, dir: v.dirs[best], z: g.extent(p, v.dirs[best])}
	axis := g.patches[p].axis
	if g.patches[p].kind == surface.KindCone && axis.Dot(f.dir) < 0 {
		axis = axis.Neg()
	}
	axis = tidy(axis)
	f.axis = &axis
	return f, true
}
