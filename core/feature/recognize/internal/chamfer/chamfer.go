// Package chamfer finds the faces that stand in the place of convex edges.
package chamfer

// Chamfers: narrow planes and cones between two faces that would else meet in a convex edge.
//
// A patch is a chamfer when two opposite sides of it, parallel or nearly so, or the two circles of a cone, are convex edges
// with turns between BevelMin and BevelMax, and the distance between them is at most bevelWidth times
// the extent of one of the two neighbours, measured away from the edge. One of the sides may be short
// where others cut it off aslant, or where it meets other bevels round a tip. The turns keep out drafted
// walls and the ends of the chamfer (square to its neighbours there), the width keeps out the sides of
// polygonal bars and wedges. A bevel that stands on a floor of which the outer edges are at its
// neighbours is the wall of a step. One with the same face on both sides breaks no edge: it is a flat.
// A hollow cone in a stack, or at the foot of its bore, belongs to the hole. A group that is wider than
// the edge was long is no bevel of it but a corner cut off: a wall.
//
// Limits: chamfers along free curves, which no analytic surface covers, are not found.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	BevelMin = 10 * math.Pi / 180 // rad
	// BevelMax (rad) is what the flattest bevel of a right-angled edge turns to its other side, as well as directions agree.
	BevelMax = math.Pi/2 - BevelMin + graph.AxisTolerance

	// SlopeMin (rad) is how far a chamfer lies at least from a floor and from a wall of its direction.
	SlopeMin = 8 * math.Pi / 180

	// bevelWidth is the widest chamfer as a share of its larger neighbour: a side of a regular
	// polygon is as wide as its neighbours.
	bevelWidth = 0.8

	// cornerWidth is the same where the neighbours are square to each other, as at most edges that are
	// chamfered; among regular polygons only those of the octagon are.
	cornerWidth = 0.95

	// sharpTurn (rad) is by how much the neighbours of a bevel turn at least where they would meet sharper than at 80°, as every
	// other side of a triangle to a heptagon does, and sharpWidth the share for such: another feature may have cut a side short.
	sharpTurn  = 100 * math.Pi / 180
	sharpWidth = 0.5

	// straightCos is the cosine of the angle within which two sides of a chamfer are parallel (8°).
	straightCos = 0.99

	// taperCos is the cosine of the angle at which the two sides of a chamfer that gets wider may run together (20°).
	taperCos = 0.94

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
type chamfers struct {
	*graph.Graph
	bevels []bool // by patch: what is known as bevels so far; nil at first
}

// Find marks the patches that are chamfers, by patch; taken ones are not looked at.
func Find(gr *graph.Graph, taken []bool) []bool {
	g := chamfers{Graph: gr}
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
	g.bevels = out
	for _, p := range g.bySize(out) { // those that stand on floors of which the edges are bevelled are no bevels
		out[p] = g.isFlatChamfer(p)
	}
	g.settle(out, taken)
	g.addCorners(out, taken)
	return out
}

// bySize returns the planes among some patches, the largest first.
func (g chamfers) bySize(is []bool) (planes []int32) {
	for p := range is {
		if is[p] && g.Patches[p].Kind == surface.KindPlane {
			planes = append(planes, int32(p))
		}
	}
	slices.SortStableFunc(planes, func(p, q int32) int { return cmp.Compare(g.Patches[q].Area, g.Patches[p].Area) })
	return planes
}

func isBevel(a *graph.Adjacency) bool {
	return a.Convexity == graph.Convex && a.Turn >= BevelMin && a.Turn <= BevelMax
}

// isStraight reports whether an edge is about as long as its chord: the two halves of a circle run
// alongside each other in their middles only.
func (g chamfers) isStraight(a *graph.Adjacency) bool {
	return g.chord(a).Norm() >= straightCos*a.Length
}

// chord returns the way from the start of an edge to its end, mm.
func (g chamfers) chord(a *graph.Adjacency) geom.Vec3 {
	e := &g.Model.Edges[a.Edge]
	return g.Model.Vertices[e.End].Point.Sub(g.Model.Vertices[e.Start].Point)
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
		switch turn := b.turn[0] + b.turn[1]; {
		case math.Abs(turn-math.Pi/2) <= graph.SmoothAngle:
			widest = cornerWidth
		case turn > sharpTurn:
			widest = sharpWidth
		}
		short := min(b.near, b.far)
		if short > 0 && short+g.slants(p, u) >= sideShare*length && width.Length() <= widest*b.extent &&
			!g.hasFloor(p, slices.Concat(b.sides[0], b.sides[1])) {
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
	turn      [2]float64 // rad, of the longest bevel edge along either side: others may have cut into it
	sides     [2][]int32 // the neighbours along either side
}

// isFlat reports whether the same face is on both sides.
func (b *borders) isFlat() bool {
	return slices.ContainsFunc(b.sides[0], func(q int32) bool { return slices.Contains(b.sides[1], q) })
}

// bordersOf returns the borders of a plane along u; those beyond middle, mm along across, are the far ones.
func (g chamfers) bordersOf(p int32, u, across geom.Vec3, middle float64) (b borders) {
	var longest [2]float64
	for _, x := range g.Patches[p].Arcs {
		a := &g.Arcs[x]
		along := math.Abs(a.Dir.Dot(u))
		if along < taperCos || !g.isStraight(a) {
			continue
		}
		if a.Convexity == graph.Concave && along >= straightCos {
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
		side := 0
		if a.Mid.Dot(across) > middle {
			side = 1
			b.far += a.Length
		} else {
			b.near += a.Length
		}
		b.sides[side] = append(b.sides[side], q)
		if a.Length > longest[side] {
			longest[side], b.turn[side] = a.Length, a.Turn
		}
	}
	return b
}

// slants returns by how much, mm along u, ends that are not square to the sides of a bevel shorten one of them: where
// others cut it off, and where it meets other bevels round a tip or in an inner corner. What else it meets in inner edges
// may be a floor, and it may be one itself where it ends at a fillet.
func (g chamfers) slants(p int32, u geom.Vec3) (sum float64) {
	for _, x := range g.Patches[p].Arcs {
		a := &g.Arcs[x]
		o := &g.Patches[a.Other(p)]
		isFilleted := a.Convexity == graph.Smooth && o.Hollow && o.Kind == surface.KindCylinder
		if isFilleted || a.Convexity == graph.Concave && !g.share(p, a.Other(p), false) {
			return 0
		}
		if a.Convexity != graph.Smooth && math.Abs(a.Dir.Dot(u)) < straightCos {
			sum += math.Abs(g.chord(a).Dot(u))
		}
	}
	return sum
}

// isFlank reports whether a plane goes on smoothly into a hollow cylinder along u: it is the flank of a slot or the side of
// a rounded corner. What a chamfer bends into is a cone.
func (g chamfers) isFlank(p int32, u geom.Vec3) bool {
	return slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
		s := &g.Patches[g.Arcs[x].Other(p)].Shape
		return g.Arcs[x].Convexity == graph.Smooth && s.Hollow && s.Kind == surface.KindCylinder && graph.Parallel(s.Axis, u)
	})
}

// hasFloor reports whether a bevel meets in a concave edge a face that meets the neighbours on its sides in convex ones
// only, bevelled or not.
func (g chamfers) hasFloor(p int32, sides []int32) bool {
	for _, x := range g.Patches[p].Arcs {
		if g.Arcs[x].Convexity != graph.Concave {
			continue
		}
		q := g.Arcs[x].Other(p)
		if g.share(p, q, true) { // an inner corner of a rim
			continue
		}
		outer, inner := false, false
		for _, y := range g.Patches[q].Arcs {
			if g.Arcs[y].Other(q) == p {
				continue
			}
			around := g.beyond(g.Arcs[y].Other(q))
			touches := slices.ContainsFunc(sides, func(side int32) bool {
				return side != q && slices.ContainsFunc(g.beyond(side), func(o int32) bool {
					return o != p && slices.Contains(around, o)
				})
			})
			outer = outer || touches && g.Arcs[y].Convexity == graph.Convex
			inner = inner || touches && g.Arcs[y].Convexity == graph.Concave
		}
		if outer && !inner {
			return true
		}
	}
	return false
}

// beyond returns a face, and where that is a bevel what it is the bevel of.
func (g chamfers) beyond(q int32) []int32 {
	if g.bevels == nil || !g.bevels[q] {
		return []int32{q}
	}
	return append(g.broken(q), q)
}

// broken returns the faces at the bevelled edges of a patch.
func (g chamfers) broken(q int32) (out []int32) {
	for _, x := range g.Patches[q].Arcs {
		if isBevel(&g.Arcs[x]) {
			out = append(out, g.Arcs[x].Other(q))
		}
	}
	return out
}

// isRoundChamfer looks for bevel edges at both ends of a cone. Of the face at one end a bore may leave nothing.
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
		beside := g.acrossRounding(p, a)
		q := &g.Patches[beside]
		if a.Convexity == graph.Concave && q.Kind == surface.KindCylinder && q.Hollow && g.Coaxial(s, &q.Shape) {
			return false // the foot of a bore
		}
		isSharp := g.isSharpened(s, a, &q.Shape)
		isRounded := beside != a.Other(p)
		if !isBevel(a) && !isSharp && !isRounded || math.Abs(a.Dir.Dot(s.Axis)) > graph.LateralCos {
			continue
		}
		switch {
		case isSharp:
		case q.Kind == surface.KindPlane:
			r := g.Reach(beside, s)
			// The points of a disc may all lie on its rim: it is as wide at least as a sector of its area.
			r.Lo = min(r.Lo, math.Sqrt(max(0, r.Hi*r.Hi-2*q.Area/sweep)))
			extent = max(extent, r.Length())
		case q.Kind == surface.KindCylinder || q.Kind == surface.KindCone:
			extent = max(extent, g.Extent(beside, s.Axis).Length())
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

// acrossRounding returns the cylinder to which a round cone goes on over the rounding of the edge between them, at the angle
// of a bevel; else what is at an edge of the cone. The rounding is narrower than the cone.
func (g chamfers) acrossRounding(cone int32, a *graph.Adjacency) int32 {
	s, r := &g.Patches[cone].Shape, a.Other(cone)
	if torus := &g.Patches[r]; a.Convexity != graph.Smooth || torus.Kind != surface.KindTorus || torus.Hollow || s.Hollow ||
		math.Abs(s.Slope) < BevelMin || torus.Area > g.Patches[cone].Area {
		return r
	}
	for _, x := range g.Patches[r].Arcs {
		q := g.Arcs[x].Other(r)
		o := &g.Patches[q].Shape
		if g.Arcs[x].Convexity == graph.Smooth && o.Kind == surface.KindCylinder && !o.Hollow && g.Coaxial(o, s) {
			return q
		}
	}
	return r
}

// WallOver returns the round wall that stands on a bevel at its foot, a cone about the same axis narrower than the wall is high;
// p itself where it is no such bevel.
func WallOver(g *graph.Graph, p int32, up geom.Vec3) int32 {
	s := &g.Patches[p].Shape
	if s.Kind != surface.KindCone {
		return p
	}
	if slope := g.Slopes(p, up); slope.Lo < math.Sin(SlopeMin) || slope.Hi > math.Cos(SlopeMin) {
		return p
	}
	width := g.Extent(p, s.Axis).Length() / math.Cos(s.Slope)
	for _, x := range g.Patches[p].Arcs {
		q := g.Arcs[x].Other(p)
		if o := &g.Patches[q].Shape; g.Arcs[x].Convexity == graph.Concave && o.Kind == surface.KindCylinder && g.Coaxial(s, o) &&
			width <= bevelWidth*g.Extent(q, s.Axis).Length() {
			return q
		}
	}
	return p
}

// isSharpened reports whether a bore leaves nothing of a plane face between it and a cone round it, which would bevel
// the edge of that face.
func (g chamfers) isSharpened(cone *graph.Shape, a *graph.Adjacency, bore *graph.Shape) bool {
	turn := a.Turn - math.Pi/2
	return !cone.Hollow && a.Convexity == graph.Convex && turn >= BevelMin && turn <= BevelMax &&
		bore.Kind == surface.KindCylinder && bore.Hollow && g.Coaxial(cone, bore)
}

// span returns how far an edge reaches along a direction, mm, by its ends and its middle.
func (g chamfers) span(a *graph.Adjacency, dir geom.Vec3) geom.Interval {
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
