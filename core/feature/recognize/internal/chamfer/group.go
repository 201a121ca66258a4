package chamfer

// Groups: chamfers that are one feature.
//
// One mill cuts a chamfer along an edge or around a boundary. Pieces are one if they continue smoothly, meet in an
// inner corner of a boundary, meet at an outer corner of one wall (two of three), or continue across air. The
// boundaries of two intersecting pockets meet at an outer corner too, and remain two chamfers.

import (
	"maps"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Groups joins chamfers to features: the pieces along one edge loop, which border on one face at one angle and touch,
// meet in an inner corner, or continue each other across air in a gap of the loop. Groups and members ascend. rims
// returns the boundary loops of a planar patch.
func Groups(g *graph.Graph, is []bool, rims func(p int32) []graph.BoundaryLoop) [][]int32 {
	set := graph.NewUnionFind(len(is))
	pairs, contested := corners(g, is)
	sides := map[int32][]int32{} // the edges of chamfers by adjacent face, in file order
	for p, ok := range is {
		if !ok {
			continue
		}
		for _, x := range g.Patches[p].Arcs {
			q := g.Arcs[x].Other(int32(p))
			if is[q] {
				bend := g.Arcs[x].Convexity
				if bend == graph.Smooth || !contested[x] && share(g, int32(p), q, bend == graph.Concave) &&
					(bend == graph.Concave || areAsWide(g, int32(p), q) && !areSeparate(g, int32(p), q)) {
					set.Join(int32(p), q)
				}
			} else if g.Arcs[x].Convexity == graph.Convex {
				sides[q] = append(sides[q], x)
			}
		}
	}
	joinRound(g, set, is, pairs)
	whole := make([]bool, len(is)) // before any joins across air, so that their order has no effect
	for p, ok := range is {
		whole[p] = ok && continues(g, set, is, int32(p))
	}
	tried := 0
	for _, q := range slices.Sorted(maps.Keys(sides)) {
		arcs := sides[q]
		if len(arcs) > maxPieces || len(arcs) < 2 {
			continue
		}
		rimOf := map[int32]int{} // by edge
		if g.IsPlane(q) {
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
				if set.Find(p) == set.Find(o) || rimOf[x] != rimOf[y] || whole[p] && whole[o] ||
					!g.OnOneSurface(p, o) {
					continue
				}
				if tried++; tried > maxGaps || isAirBetween(g, &g.Arcs[x], &g.Arcs[y], q) {
					set.Join(p, o)
				}
			}
		}
	}
	groups := set.Groups(func(p int32) bool { return is[p] })
	return slices.DeleteFunc(groups, func(group []int32) bool {
		return isWiderThanLong(g, group) && !areAtTip(g, group)
	})
}

// continues reports whether a chamfer is joined to others at all of its ends, or ends at corners: no other feature
// shortened it.
func continues(g *graph.Graph, set graph.UnionFind, is []bool, p int32) bool {
	return !g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
		return isEnd(g, p, a) && set.Find(q) != set.Find(p) && aroundCorner(g, is, q) == nil
	})
}

// isAirBetween reports whether only air lies between two chamfers in one plane, slightly above their edges with a face.
// Material there would split the beveled edge.
func isAirBetween(g *graph.Graph, x, y *graph.Adjacency, face int32) bool {
	const off = 10 // lengths of the graph
	at := func(a *graph.Adjacency) geom.Vec3 {
		p := a.Other(face)
		inwards := g.Box(p).Center().Sub(a.Mid).Unit()
		return a.Mid.AddScaled(off*g.Length, g.Patches[p].Axis).AddScaled(off*g.Length, inwards)
	}
	return g.Patches[x.Other(face)].Kind != surface.KindPlane || !g.Crosses(at(x), at(y))
}

// isWiderThanLong reports whether the edges that chamfers bevel are shorter than the chamfers are wide.
func isWiderThanLong(g *graph.Graph, group []int32) bool {
	long, area := 0.0, 0.0
	for _, p := range group {
		longest := 0.0
		for _, a := range g.Neighbors(p) {
			if isBevel(a) {
				longest = max(longest, a.Length)
			}
		}
		long += longest
		area += g.Patches[p].Area
	}
	return area > long*long
}

// areAtTip reports whether all chamfers of a group bevel the top of a body whose sides at their ends rest on a floor
// over their whole width, apart from roundings of convex edges. From there they are not corners of an outline.
func areAtTip(g *graph.Graph, group []int32) bool {
	return !slices.ContainsFunc(group, func(p int32) bool {
		return !slices.ContainsFunc(broken(g, p), func(top int32) bool {
			arcs := slices.DeleteFunc(slices.Clone(g.Patches[p].Arcs), func(x int32) bool {
				q := g.Arcs[x].Other(p)
				return g.Arcs[x].Convexity == graph.Smooth && !g.Patches[q].Hollow && g.IsBlend(q)
			})
			const sides = 2 // and at least one end
			return g.IsPlane(top) && len(arcs) > sides && !slices.ContainsFunc(arcs, func(x int32) bool {
				a := &g.Arcs[x]
				return !isBevel(a) && (a.Convexity != graph.Convex || !restsWhole(g, a.Other(p), g.Patches[top].Axis))
			})
		})
	})
}

// restsWhole reports whether a side rests over its whole width on planes with a normal, with or without fillets.
func restsWhole(g *graph.Graph, side int32, normal geom.Vec3) bool {
	base, width := 0.0, math.Inf(1)
	for _, x := range g.Patches[side].Arcs {
		if len(floorsAtEdge(g, nil, side, x, normal)) > 0 {
			base += g.Arcs[x].Length
			width = g.Extent(side, g.Arcs[x].Dir).Length()
		}
	}
	return base >= straightCos*width
}

// areAsWide reports whether two chamfers have about the same width, if known.
func areAsWide(g *graph.Graph, p, q int32) bool {
	a, b := widthOf(g, p), widthOf(g, q)
	return a == 0 || b == 0 || math.Abs(a-b) <= sameWidth*max(a, b)
}

// widthOf returns the width, mm, of a flat or conical chamfer, 0 for others.
func widthOf(g *graph.Graph, p int32) float64 {
	switch s := &g.Patches[p].Shape; s.Kind {
	case surface.KindPlane:
		_, extent := strip(g, p)
		return extent.Length()
	case surface.KindCone:
		return g.Extent(p, s.Axis).Length() / math.Cos(s.Slope)
	}
	return 0
}

// areSeparate reports whether the walls under two chamfers that meet at an outer corner are of two intersecting
// pockets: no floor is under both, and material is in front of one of them. Around an island no material is needed.
func areSeparate(g *graph.Graph, p, q int32) bool {
	a, b := floors(g, p), floors(g, q)
	return len(a)+len(b) > 0 && !slices.ContainsFunc(a, func(f int32) bool {
		return slices.ContainsFunc(b, func(o int32) bool { return g.OnOneSurface(f, o) })
	}) && (facesMaterial(g, p, q) || facesMaterial(g, q, p))
}

// facesMaterial reports whether a neighbor of chamfer p, but not of chamfer q, has material in front of it.
func facesMaterial(g *graph.Graph, p, q int32) bool {
	return g.AnyNeighbor(p, func(o int32, a *graph.Adjacency) bool {
		wall := &g.Patches[o]
		return isBevel(a) && !isBeside(g, q, o) && (wall.Hollow || wall.Kind == surface.KindPlane &&
			g.Crosses(a.Mid.AddScaled(g.Length, wall.Axis), a.Mid.AddScaled(g.Diagonal, wall.Axis)))
	})
}

// floors returns the planes under a neighbor of a chamfer that have the normal of another neighbor.
func floors(g *graph.Graph, p int32) (out []int32) {
	for top, a := range g.Neighbors(p) {
		if !isBevel(a) || !g.IsPlane(top) {
			continue
		}
		for wall, a := range g.Neighbors(p) {
			if isBevel(a) && wall != top {
				for _, x := range g.Patches[wall].Arcs {
					out = floorsAtEdge(g, out, wall, x, g.Patches[top].Axis)
				}
			}
		}
	}
	return out
}

// floorsAtEdge appends the planes with a normal at one edge of a wall, with or without a fillet.
func floorsAtEdge(g *graph.Graph, out []int32, wall, x int32, normal geom.Vec3) []int32 {
	add := func(q int32) {
		if s := &g.Patches[q].Shape; s.Kind == surface.KindPlane && s.Axis.Dot(normal) > straightCos {
			out = append(out, q)
		}
	}
	q := g.Arcs[x].Other(wall)
	switch g.Arcs[x].Convexity {
	case graph.Concave:
		add(q)
	case graph.Smooth:
		for o, a := range g.Neighbors(q) {
			if g.Patches[q].Hollow && a.Convexity == graph.Smooth {
				add(o)
			}
		}
	}
	return out
}

// share reports whether two chamfers border on one face, at one angle unless mayDiffer.
func share(g *graph.Graph, p, q int32, mayDiffer bool) bool {
	return shared(g, p, q, func(int32) bool { return true }, mayDiffer) != graph.None
}

// shared returns the first face of p that is fit and that both border on, None if there is none.
func shared(g *graph.Graph, p, q int32, isFit func(face int32) bool, mayDiffer bool) int32 {
	for face, a := range g.Neighbors(p) {
		for o, b := range g.Neighbors(q) {
			if isBevel(a) && isBevel(b) && face != q && o != p && isFit(face) && g.OnOneSurface(face, o) &&
				(mayDiffer || math.Abs(a.Turn-b.Turn) <= graph.SmoothAngle) {
				return face
			}
		}
	}
	return graph.None
}
