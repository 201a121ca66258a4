// Package chamfer finds the faces in the place of convex edges.
package chamfer

// Chamfers: narrow planes and cones between two faces that would otherwise meet in a convex edge.
//
// A patch is a chamfer if two opposite sides, nearly parallel, or the two circles of a cone, are convex edges with
// turns between BevelMin and BevelMax. The distance between them is at most bevelWidth times the extent of one of the
// two neighbors, measured away from the edge. One side may be short where other features cut it at a slant, or where it
// meets other bevels around a tip. The turns exclude drafted walls and the perpendicular ends of the chamfer, and the
// width excludes the sides of polygonal bars and wedges. A bevel on a floor whose outer edges are at its neighbors is
// the wall of a step. A bevel with the same face on both sides is a flat. A concave cone in a stack, or at the base of
// its bore, belongs to the hole. A group wider than the length of its edge is a cut corner, which is a wall.
// Limits: chamfers along free curves without an analytic surface are not found.

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
	// BevelMax (rad) is the turn of the flattest bevel of a right-angled edge to its other side, with tolerance.
	BevelMax = math.Pi/2 - BevelMin + graph.AxisTolerance

	// SlopeMin (rad) is the least angle of a chamfer to a floor and to a wall of its direction.
	SlopeMin = 8 * math.Pi / 180

	// bevelWidth is the largest ratio of the width of a chamfer to that of its larger neighbor. A side of a regular
	// polygon is equal in width to its neighbors.
	bevelWidth = 0.8

	// cornerWidth is the ratio between perpendicular neighbors, as at most chamfered edges. Of regular polygons, only
	// the octagon has such sides.
	cornerWidth = 0.95

	// sharpTurn (rad) is the least turn between the neighbors of a bevel that would meet at less than 80°, as every
	// other side of a triangle to a heptagon. sharpWidth is the ratio for these, because another feature may have
	// shortened a side.
	sharpTurn  = 100 * math.Pi / 180
	sharpWidth = 0.5

	// straightCos is the cosine of the angle within which two sides of a chamfer are parallel (8°).
	straightCos = 0.99

	// taperCos is the cosine of the largest angle between the two sides of a tapering chamfer (20°).
	taperCos = 0.94

	// sideShare is the share of a chamfer that edges with one neighbor must cover.
	sideShare = 0.5

	// innerShare is the largest share of the length of a chamfer with concave edges along it.
	innerShare = 0.1

	// sameWidth is the largest relative difference in width of chamfers that meet at an outer corner and are one.
	sameWidth = 0.05

	// mostWidths is the largest ratio of width to length for the remains of a chamfer.
	mostWidths = 10

	// maxGaps bounds the tested gaps between chamfers, each linear in triangles.
	maxGaps = 256

	// maxPieces bounds the chamfers on one face that are compared with each other.
	maxPieces = 64
)

// Find returns the patches that are chamfers, by patch, without taken ones.
func Find(g *graph.Graph, taken []bool) []bool {
	out := make([]bool, len(g.Patches))
	for i := range g.Patches {
		if taken[i] {
			continue
		}
		switch g.Patches[i].Kind {
		case surface.KindPlane:
			out[i] = isFlatChamfer(g, int32(i), nil)
		case surface.KindCone:
			out[i] = isRoundChamfer(g, int32(i))
		}
	}
	for _, p := range bySize(g, out) { // patches on floors with beveled edges are not bevels
		out[p] = isFlatChamfer(g, p, out)
	}
	settle(g, out, taken)
	addCorners(g, out, taken)
	return out
}

// bySize returns the planes among some patches, the largest first.
func bySize(g *graph.Graph, is []bool) (planes []int32) {
	for p := range is {
		if is[p] && g.IsPlane(int32(p)) {
			planes = append(planes, int32(p))
		}
	}
	slices.SortStableFunc(planes, func(p, q int32) int { return cmp.Compare(g.Patches[q].Area, g.Patches[p].Area) })
	return planes
}

func isBevel(a *graph.Adjacency) bool {
	return a.Convexity == graph.Convex && a.Turn >= BevelMin && a.Turn <= BevelMax
}

// isStraight reports whether the length of an edge is about that of its chord. The two halves of a circle are parallel
// in their middles only.
func isStraight(g *graph.Graph, a *graph.Adjacency) bool {
	return chord(g, a).Norm() >= straightCos*a.Length
}

// chord returns the vector from the start of an edge to its end, mm.
func chord(g *graph.Graph, a *graph.Adjacency) geom.Vec3 {
	e := &g.Model.Edges[a.Edge]
	return g.Model.Vertices[e.End].Point.Sub(g.Model.Vertices[e.Start].Point)
}

// isFlatChamfer reports whether a plane has two parallel bevel sides. is marks the known bevels, nil at first.
func isFlatChamfer(g *graph.Graph, p int32, is []bool) bool {
	for _, a := range g.Neighbors(p) {
		u := a.Dir
		if !isBevel(a) || !isStraight(g, a) {
			continue
		}
		across := g.Patches[p].Axis.Cross(u).Unit()
		length, width := g.Extent(p, u).Length(), g.Extent(p, across)
		b := bordersOf(g, p, u, across, width.Mid())
		if b.isFlat() || isFlank(g, p, u) || b.inner > innerShare*length || width.Length() > mostWidths*length {
			continue // or the wall or end of a cut that others made deeper
		}
		widest := bevelWidth
		switch turn := b.turn[0] + b.turn[1]; {
		case math.Abs(turn-math.Pi/2) <= graph.SmoothAngle:
			widest = cornerWidth
		case turn > sharpTurn:
			widest = sharpWidth
		}
		short := min(b.near, b.far)
		if short > 0 && short+slants(g, p, u) >= sideShare*length && width.Length() <= widest*b.extent &&
			!hasFloor(g, p, slices.Concat(b.sides[0], b.sides[1]), is) {
			return true
		}
	}
	return false
}

// borders are the straight edges of a plane along a direction.
type borders struct {
	near, far float64    // mm of bevel edges along either side
	inner     float64    // mm of concave edges
	extent    float64    // mm, of the larger neighbor away from the edge
	turn      [2]float64 // rad, of the longest bevel edge on each side, because others may have cut into it
	sides     [2][]int32 // neighbors on each side
}

// isFlat reports whether the same face is on both sides.
func (b *borders) isFlat() bool {
	return slices.ContainsFunc(b.sides[0], func(q int32) bool { return slices.Contains(b.sides[1], q) })
}

// bordersOf returns the borders of a plane along u. Those beyond middle, mm along across, are the far ones.
func bordersOf(g *graph.Graph, p int32, u, across geom.Vec3, middle float64) (b borders) {
	var longest [2]float64
	for q, a := range g.Neighbors(p) {
		along := math.Abs(a.Dir.Dot(u))
		if along < taperCos || !isStraight(g, a) {
			continue
		}
		if a.Convexity == graph.Concave && along >= straightCos {
			b.inner += a.Length
		}
		if !isBevel(a) {
			continue
		}
		if g.IsPlane(q) {
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

// slants returns the length, mm along u, by which slanting ends shorten a side of a bevel: where other features cut it,
// and where it meets other bevels around a tip or in an inner corner. Other concave neighbors may be a floor, and the
// bevel may be one itself where it ends at a fillet.
func slants(g *graph.Graph, p int32, u geom.Vec3) (sum float64) {
	for q, a := range g.Neighbors(p) {
		o := &g.Patches[q]
		isFilleted := a.Convexity == graph.Smooth && o.Hollow && o.Kind == surface.KindCylinder
		if isFilleted || a.Convexity == graph.Concave && !share(g, p, q, false) {
			return 0
		}
		if a.Convexity != graph.Smooth && math.Abs(a.Dir.Dot(u)) < straightCos {
			sum += math.Abs(chord(g, a).Dot(u))
		}
	}
	return sum
}

// isFlank reports whether a plane continues smoothly into a concave cylinder along u: it is the flank of a slot or the
// side of a rounded corner. A chamfer would continue into a cone.
func isFlank(g *graph.Graph, p int32, u geom.Vec3) bool {
	return g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
		s := &g.Patches[q].Shape
		return a.Convexity == graph.Smooth && s.Hollow && s.Kind == surface.KindCylinder && graph.Parallel(s.Axis, u)
	})
}

// hasFloor reports whether a bevel meets, in a concave edge, a face that meets the neighbors on its sides in convex
// edges only, beveled or not.
func hasFloor(g *graph.Graph, p int32, sides []int32, is []bool) bool {
	for q, a := range g.Neighbors(p) {
		if a.Convexity != graph.Concave {
			continue
		}
		if share(g, p, q, true) { // an inner corner of a boundary
			continue
		}
		outer, inner := false, false
		for n, a := range g.Neighbors(q) {
			if n == p {
				continue
			}
			around := beyond(g, n, is)
			touches := slices.ContainsFunc(sides, func(side int32) bool {
				return side != q && slices.ContainsFunc(beyond(g, side, is), func(o int32) bool {
					return o != p && slices.Contains(around, o)
				})
			})
			outer = outer || touches && a.Convexity == graph.Convex
			inner = inner || touches && a.Convexity == graph.Concave
		}
		if outer && !inner {
			return true
		}
	}
	return false
}

// beyond returns a face, or the faces that it bevels if it is a bevel.
func beyond(g *graph.Graph, q int32, is []bool) []int32 {
	if is == nil || !is[q] {
		return []int32{q}
	}
	return append(broken(g, q), q)
}

// broken returns the faces at the beveled edges of a patch.
func broken(g *graph.Graph, q int32) []int32 {
	return g.NeighborsWith(q, func(_ int32, a *graph.Adjacency) bool { return isBevel(a) })
}

// isRoundChamfer reports whether a cone has bevel edges at both ends. A bore may leave nothing of the face at one end.
func isRoundChamfer(g *graph.Graph, p int32) bool {
	s := &g.Patches[p].Shape
	z := g.Extent(p, s.Axis)
	width := z.Length() / math.Cos(s.Slope)
	low, high := s.RadiusAt(s.Origin.AtHeight(z.Lo, s.Axis)), s.RadiusAt(s.Origin.AtHeight(z.Hi, s.Axis))
	sweep := g.Sweep([]int32{p}, s)
	round := sweep * min(math.Abs(low), math.Abs(high))
	near, far, across, extent := 0.0, 0.0, 0.0, 0.0
	for o, a := range g.Neighbors(p) {
		beside := acrossRounding(g, p, a)
		q := &g.Patches[beside]
		if a.Convexity == graph.Concave && q.Kind == surface.KindCylinder && q.Hollow && g.Coaxial(s, &q.Shape) {
			return false // the base of a bore
		}
		isSharp := isSharpened(g, s, a, &q.Shape)
		isRounded := beside != o
		if !isBevel(a) && !isSharp && !isRounded || math.Abs(a.Dir.Dot(s.Axis)) > graph.LateralCos {
			continue
		}
		switch {
		case isSharp:
		case q.Kind == surface.KindPlane:
			r := g.Reach(beside, s)
			// The points of a disc may all be on its edge: its width is at least that of a sector of its area.
			r.Lo = min(r.Lo, math.Sqrt(max(0, r.Hi*r.Hi-2*q.Area/sweep)))
			extent = max(extent, r.Length())
		case q.Kind == surface.KindCylinder || q.Kind == surface.KindCone:
			extent = max(extent, g.Extent(beside, s.Axis).Length())
		default:
			extent = max(extent, math.Sqrt(q.Area))
		}
		switch rim := span(g, a, s.Axis); {
		case rim.Length() > z.Length()/2: // where a flat cuts the cone
			across += a.Length
		case rim.Mid() > z.Mid():
			far += a.Length
		default:
			near += a.Length
		}
	}
	return min(near, far)+across >= sideShare*round && max(near, far) >= sideShare*round && width <= bevelWidth*extent
}

// acrossRounding returns the cylinder that continues a cone over the rounding of their edge, at the angle of a bevel,
// otherwise the neighbor at that edge. The rounding is narrower than the cone.
func acrossRounding(g *graph.Graph, cone int32, a *graph.Adjacency) int32 {
	s, r := &g.Patches[cone].Shape, a.Other(cone)
	if torus := &g.Patches[r]; a.Convexity != graph.Smooth || torus.Kind != surface.KindTorus || torus.Hollow ||
		s.Hollow || math.Abs(s.Slope) < BevelMin || torus.Area > g.Patches[cone].Area {
		return r
	}
	for q, a := range g.Neighbors(r) {
		o := &g.Patches[q].Shape
		if a.Convexity == graph.Smooth && o.Kind == surface.KindCylinder && !o.Hollow && g.Coaxial(o, s) {
			return q
		}
	}
	return r
}

// WallOver returns the round wall on a bevel at its base, a coaxial cone narrower than the height of the wall, or p
// itself if it is not such a bevel.
func WallOver(g *graph.Graph, p int32, up geom.Vec3) int32 {
	s := &g.Patches[p].Shape
	if s.Kind != surface.KindCone {
		return p
	}
	if slope := g.Slopes(p, up); slope.Lo < math.Sin(SlopeMin) || slope.Hi > math.Cos(SlopeMin) {
		return p
	}
	width := g.Extent(p, s.Axis).Length() / math.Cos(s.Slope)
	for q, a := range g.Neighbors(p) {
		if o := &g.Patches[q].Shape; a.Convexity == graph.Concave && o.Kind == surface.KindCylinder && g.Coaxial(s, o) &&
			width <= bevelWidth*g.Extent(q, s.Axis).Length() {
			return q
		}
	}
	return p
}

// isSharpened reports whether a bore leaves nothing of a plane face between it and a coaxial cone, which would bevel
// the edge of that face.
func isSharpened(g *graph.Graph, cone *graph.Shape, a *graph.Adjacency, bore *graph.Shape) bool {
	turn := a.Turn - math.Pi/2
	return !cone.Hollow && a.Convexity == graph.Convex && turn >= BevelMin && turn <= BevelMax &&
		bore.Kind == surface.KindCylinder && bore.Hollow && g.Coaxial(cone, bore)
}

// span returns the extent of an edge along a direction, mm, by its ends and its middle.
func span(g *graph.Graph, a *graph.Adjacency, dir geom.Vec3) geom.Interval {
	e := &g.Model.Edges[a.Edge]
	z := geom.Interval{Lo: a.Mid.Dot(dir), Hi: a.Mid.Dot(dir)}
	for _, v := range []geom.Vec3{g.Model.Vertices[e.Start].Point, g.Model.Vertices[e.End].Point} {
		z = z.Add(v.Dot(dir))
	}
	return z
}
