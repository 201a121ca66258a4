package chamfer

// Groups: which chamfers are one.
//
// A chamfer is what one mill cuts along an edge or round a rim. So pieces are one where they go on smoothly, where they
// meet in an inner corner of a rim, at an outer corner of one wall (of three that meet there, two), and across air.
// Where two pockets run into each other their rims meet at an outer corner too, and stay two.

import (
	"maps"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Groups joins chamfers to features: the pieces round one edge loop, which border on one face at one
// angle and touch each other, meet in an inner corner of its rim, or continue each other across air in a
// gap of the rim. Groups and members ascend. rims returns the boundaries of a planar patch.
func Groups(gr *graph.Graph, is []bool, rims func(p int32) []graph.BoundaryLoop) [][]int32 {
	g := chamfers{Graph: gr}
	set := graph.NewUnionFind(len(is))
	corners, contested := g.corners(is)
	sides := map[int32][]int32{} // the edges of chamfers by the face they border on, in file order
	for p, ok := range is {
		if !ok {
			continue
		}
		for _, x := range g.Patches[p].Arcs {
			q := g.Arcs[x].Other(int32(p))
			if is[q] {
				bend := g.Arcs[x].Convexity
				if bend == graph.Smooth || !contested[x] && g.share(int32(p), q, bend == graph.Concave) &&
					(bend == graph.Concave || g.areAsWide(int32(p), q) && !g.standApart(int32(p), q)) {
					set.Join(int32(p), q)
				}
			} else if g.Arcs[x].Convexity == graph.Convex {
				sides[q] = append(sides[q], x)
			}
		}
	}
	g.joinRound(set, is, corners)
	whole := make([]bool, len(is)) // before any are joined across air: in whatever order they are tried
	for p, ok := range is {
		whole[p] = ok && g.goesOn(set, is, int32(p))
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
				if set.Find(p) == set.Find(o) || rimOf[x] != rimOf[y] || whole[p] && whole[o] ||
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
	return slices.DeleteFunc(groups, func(group []int32) bool { return g.isWiderThanLong(group) && !g.areAtTip(group) })
}

// goesOn reports whether a chamfer is one with others at all of its ends, or ends at corners: nothing has cut it short.
func (g chamfers) goesOn(set graph.UnionFind, is []bool, p int32) bool {
	return !slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
		q := g.Arcs[x].Other(p)
		return g.isEnd(p, &g.Arcs[x]) && set.Find(q) != set.Find(p) && g.aroundCorner(is, q) == nil
	})
}

// isAirBetween reports whether nothing stands between two chamfers in one plane, a little off their edges with a face: what
// does parts the edge that they break.
func (g chamfers) isAirBetween(x, y *graph.Adjacency, face int32) bool {
	const off = 10 // lengths of the graph
	at := func(a *graph.Adjacency) geom.Vec3 {
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

// areAtTip reports whether all of some chamfers bevel the top of something that stands on a floor with the whole width of the
// sides at which they end, but for roundings of outer edges: from there they are no corners of an outline.
func (g chamfers) areAtTip(group []int32) bool {
	return !slices.ContainsFunc(group, func(p int32) bool {
		return !slices.ContainsFunc(g.broken(p), func(top int32) bool {
			arcs := slices.DeleteFunc(slices.Clone(g.Patches[p].Arcs), func(x int32) bool {
				q := g.Arcs[x].Other(p)
				return g.Arcs[x].Convexity == graph.Smooth && !g.Patches[q].Hollow && g.IsBlend(q)
			})
			const sides = 2 // and an end at least
			return g.Patches[top].Kind == surface.KindPlane && len(arcs) > sides && !slices.ContainsFunc(arcs, func(x int32) bool {
				a := &g.Arcs[x]
				return !isBevel(a) && (a.Convexity != graph.Convex || !g.standsWhole(a.Other(p), g.Patches[top].Axis))
			})
		})
	})
}

// standsWhole reports whether a side stands with its whole width on planes with a normal, on fillets or without.
func (g chamfers) standsWhole(side int32, normal geom.Vec3) bool {
	foot, width := 0.0, math.Inf(1)
	for _, x := range g.Patches[side].Arcs {
		if len(g.feetAt(nil, side, x, normal)) > 0 {
			foot += g.Arcs[x].Length
			width = g.Extent(side, g.Arcs[x].Dir).Length()
		}
	}
	return foot >= straightCos*width
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

// areOneFace reports whether two patches are one, or what others leave of one face.
func (g chamfers) areOneFace(p, q int32) bool {
	return p == q || g.Continues(&g.Patches[p].Shape, &g.Patches[q].Shape)
}

// standApart reports whether the walls under two chamfers, which meet at an outer corner, are of a pocket and of what it runs
// into: on no floor do both stand, and something stands before one of them. All round an island nothing need.
func (g chamfers) standApart(p, q int32) bool {
	a, b := g.floors(p), g.floors(q)
	return len(a)+len(b) > 0 && !slices.ContainsFunc(a, func(f int32) bool {
		return slices.ContainsFunc(b, func(o int32) bool { return g.areOneFace(f, o) })
	}) && (g.looksAtPart(p, q) || g.looksAtPart(q, p))
}

// looksAtPart reports whether a neighbour of chamfer p, but none of chamfer q, has part of the part before it.
func (g chamfers) looksAtPart(p, q int32) bool {
	return slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
		a := &g.Arcs[x]
		wall := &g.Patches[a.Other(p)]
		return isBevel(a) && !g.isBeside(q, a.Other(p)) && (wall.Hollow || wall.Kind == surface.KindPlane &&
			g.Crosses(a.Mid.AddScaled(g.Length, wall.Axis), a.Mid.AddScaled(g.Diagonal, wall.Axis)))
	})
}

// floors returns the planes that a neighbour of a chamfer stands on and that face as another neighbour of it does.
func (g chamfers) floors(p int32) (out []int32) {
	for _, x := range g.Patches[p].Arcs {
		top := g.Arcs[x].Other(p)
		if !isBevel(&g.Arcs[x]) || g.Patches[top].Kind != surface.KindPlane {
			continue
		}
		for _, y := range g.Patches[p].Arcs {
			if wall := g.Arcs[y].Other(p); isBevel(&g.Arcs[y]) && wall != top {
				out = g.feet(out, wall, g.Patches[top].Axis)
			}
		}
	}
	return out
}

// feet appends the planes with a normal on which a wall stands, on a fillet or without.
func (g chamfers) feet(out []int32, wall int32, normal geom.Vec3) []int32 {
	for _, x := range g.Patches[wall].Arcs {
		out = g.feetAt(out, wall, x, normal)
	}
	return out
}

// feetAt appends those at one edge of the wall.
func (g chamfers) feetAt(out []int32, wall, x int32, normal geom.Vec3) []int32 {
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
		for _, y := range g.Patches[q].Arcs {
			if g.Patches[q].Hollow && g.Arcs[y].Convexity == graph.Smooth {
				add(g.Arcs[y].Other(q))
			}
		}
	}
	return out
}

// share reports whether two chamfers border on one face, at one angle unless they may differ.
func (g chamfers) share(p, q int32, mayDiffer bool) bool {
	return g.shared(p, q, func(int32) bool { return true }, mayDiffer) != graph.None
}

// shared returns the first face of p that is fit and on which both border so; None where there is none.
func (g chamfers) shared(p, q int32, isFit func(face int32) bool, mayDiffer bool) int32 {
	for _, x := range g.Patches[p].Arcs {
		a := &g.Arcs[x]
		for _, y := range g.Patches[q].Arcs {
			b := &g.Arcs[y]
			if isBevel(a) && isBevel(b) && a.Other(p) != q && b.Other(q) != p && isFit(a.Other(p)) &&
				g.areOneFace(a.Other(p), b.Other(q)) &&
				(mayDiffer || math.Abs(a.Turn-b.Turn) <= graph.SmoothAngle) {
				return a.Other(p)
			}
		}
	}
	return graph.None
}
