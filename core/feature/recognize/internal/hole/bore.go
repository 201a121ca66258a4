package hole

// Bores: the round walls that holes are made of.
//
// A bore is all connected concave patches on one cylinder, or one concave cone. It is a wall of a hole if it covers
// enough of the circle and is not a corner, the end of a slot or the wall of a pocket:
//
//   - it covers at least FullSweep, or more than half of the circle with convex edges along the axis, as where a hole
//     breaks out of a side. Tangent walls there make the end of a slot or a fillet, and concave edges the corner of a
//     pocket. A wall of exactly half a circle is a lobe or a channel;
//   - its flat floor, if any, ends at the bore and has only coaxial bores on it. A floor that extends farther belongs
//     to a pocket with a round end, a floor with an island to a round pocket. Exceptions are the last stage of a hole
//     (stages) and bodies put into a bore, such as a screw (isPutIn).
//
// Pieces on one cylinder are one bore if they are side by side along the axis, as keyways cut them. bridge.go joins
// pieces across voids. The crest and the root of a modeled thread are one bore: two cylinders of nearly one radius
// side by side, with a free-form flank between.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/chamfer"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	halfSweep = math.Pi + graph.SmoothAngle // rad

	// crossingGap (diameters) is the least width of a cavity whose opposite walls hold two holes. A drill bridges a
	// narrower crossing hole.
	crossingGap = 2.0

	// threadRatio is the least ratio of the inner to the outer radius of a thread. M1 has 0.73.
	threadRatio = 0.7

	// slenderest is the largest ratio of depth to width of a gap that a mill cuts: the longest mills reach ten
	// diameters.
	slenderest = 10.0

	// sideShare is the overlap, as share of the shorter of two pieces of a bore, from which they are side by side.
	sideShare = 0.5
)

// holeRules are the rules of this package on the graph of one part.
type holeRules struct{ *graph.Graph }

// bore is one candidate wall of a hole.
type bore struct {
	patches []int32
	shape   graph.Shape // of the patch with the smallest radius
	radius  float64     // mm, the largest distance of any point from the axis
	sweep   float64     // rad, of all patches together
	floors  []floor
	isWall  bool // of a hole
}

// floor is a plane perpendicular to the axis that bounds a bore, with the fillet or bevel between.
type floor struct{ plane, fillet int32 }

// bores returns every concave cylinder and cone, grouped, with the decision whether it is the wall of a hole.
func (g holeRules) bores() []bore {
	set := graph.NewUnionFind(len(g.Patches))
	var hollow []int32
	for i := range g.Patches {
		p := &g.Patches[i]
		if p.Hollow && (p.Kind == surface.KindCylinder || p.Kind == surface.KindCone) {
			hollow = append(hollow, int32(i))
		}
	}
	g.joinPieces(set, hollow)
	isHollow := make([]bool, len(g.Patches))
	for _, p := range hollow {
		isHollow[p] = true
	}
	var out []bore
	for _, group := range set.Groups(func(i int32) bool { return isHollow[i] }) {
		b := bore{patches: group, shape: g.Patches[group[0]].Shape}
		for _, p := range group {
			if g.Patches[p].Radius < b.shape.Radius {
				b.shape = g.Patches[p].Shape
			}
			b.radius = max(b.radius, g.Reach(p, &b.shape).Hi)
		}
		b.sweep = g.Sweep(group, &b.shape)
		b.floors = g.floorsOf(&b)
		b.isWall = g.coversCircle(&b) && g.floorsAreOwn(&b)
		out = append(out, b)
	}
	return out
}

// joinPieces joins the connected pieces of each cylinder.
func (g holeRules) joinPieces(set graph.UnionFind, hollow []int32) {
	g.eachPair(hollow, func(p, q int32) {
		a, b := p, q
		if g.Patches[a].Radius > g.Patches[b].Radius {
			a, b = b, a
		}
		if g.areOne(a, b) {
			set.Join(p, q)
		}
	})
}

// eachPair visits the pairs of cylinders that may have one axis. The cost is near linear for parts with many holes of
// one or many radii.
func (g holeRules) eachPair(hollow []int32, visit func(p, q int32)) {
	cylinders := slices.DeleteFunc(slices.Clone(hollow), func(p int32) bool {
		return g.Patches[p].Kind != surface.KindCylinder
	})
	axes := g.NewAxes(cylinders)
	for _, p := range cylinders {
		axes.Near(&g.Patches[p].Shape, func(q int32) {
			if p < q {
				visit(p, q)
			}
		})
	}
}

// areOne reports whether two cylinders, the narrower one first, are pieces of one bore.
func (g holeRules) areOne(a, b int32) bool {
	pa, pb := &g.Patches[a], &g.Patches[b]
	isStep := pb.Radius-pa.Radius > g.Length
	switch {
	case isStep && pa.Radius < threadRatio*pb.Radius, !g.Coaxial(&pa.Shape, &pb.Shape):
		return false
	case isStep:
		return g.overlaps(a, b) && g.shareFlank(a, b)
	}
	return g.solidOf(a) == g.solidOf(b) && g.overlaps(a, b)
}

// shareFlank reports whether one free-form patch borders on both.
func (g holeRules) shareFlank(a, b int32) bool {
	return g.AnyNeighbor(a, func(q int32, _ *graph.Adjacency) bool {
		return g.Patches[q].Kind == surface.KindBSpline && g.borders(q, b)
	})
}

// overlaps reports whether two coaxial patches overlap along their axis.
func (g holeRules) overlaps(a, b int32) bool {
	ia, ib := g.Extent(a, g.Patches[a].Axis), g.Extent(b, g.Patches[a].Axis)
	return ia.Intersect(ib).Length() > sideShare*min(ia.Length(), ib.Length())
}

// isFlank reports whether q is the flank of a thread in bore b: free-form, and no farther inside than a thread.
func (g holeRules) isFlank(b *bore, q int32) bool {
	if g.Patches[q].Kind != surface.KindBSpline {
		return false
	}
	r := g.Reach(q, &b.shape)
	return r.Lo >= threadRatio*b.radius && r.Hi <= b.radius+g.Length
}

func (g holeRules) borders(p, q int32) bool {
	return g.AnyNeighbor(p, func(o int32, _ *graph.Adjacency) bool { return o == q })
}

// coversCircle reports whether a bore covers enough of the circle, depending on its edges along the axis.
func (g holeRules) coversCircle(b *bore) bool {
	if b.sweep >= graph.FullSweep {
		return true
	}
	if b.sweep < halfSweep {
		return false
	}
	open, shut := g.sides(b)
	return open > shut
}

// sides returns the lengths, mm, of the convex edges and of all other edges along the axis of a bore.
func (g holeRules) sides(b *bore) (open, shut float64) {
	for _, p := range b.patches {
		for o, a := range g.Neighbors(p) {
			if math.Abs(a.Dir.Dot(b.shape.Axis)) < graph.LateralCos {
				continue
			}
			q := &g.Patches[o]
			switch {
			case a.Convexity == graph.Convex, a.Convexity == graph.Smooth && q.Kind != surface.KindPlane && !q.Hollow:
				open += a.Length // a rounding of the break-out counts as its edge
			default:
				shut += a.Length
			}
		}
	}
	return open, shut
}

// floorsOf returns the perpendicular planes that a bore meets in a concave edge, a fillet or a bevel.
func (g holeRules) floorsOf(b *bore) []floor {
	var out []floor
	add := func(f floor) {
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	isFloor := func(p int32) bool {
		s := &g.Patches[p].Shape
		return s.Kind == surface.KindPlane && graph.Parallel(s.Axis, b.shape.Axis)
	}
	for _, p := range b.patches {
		for q, a := range g.Neighbors(p) {
			if a.Convexity == graph.Concave && isFloor(q) {
				add(floor{q, graph.None})
			}
			s := &g.Patches[q].Shape
			isBevel := a.Convexity == graph.Concave && s.Kind == surface.KindCone && s.Hollow && g.Coaxial(&b.shape, s)
			if !isBevel && !g.isFilletOf(&b.shape, q) {
				continue
			}
			for r, a := range g.Neighbors(q) {
				if a.Convexity != graph.Convex && isFloor(r) {
					add(floor{r, q})
				}
			}
		}
	}
	return out
}

// isFilletOf reports whether q is a concave torus around the axis of s.
func (g holeRules) isFilletOf(s *graph.Shape, q int32) bool {
	t := &g.Patches[q].Shape
	return t.Kind == surface.KindTorus && t.Hollow && g.Coaxial(s, t)
}

// floorsEnd reports whether every floor of a bore ends at the bore. A floor must not end next to it in the outside of a
// body around the hole, as far out as the bore is wide: that is the turned top of the body, and the bore is the side of
// a pad on it.
func (g holeRules) floorsEnd(b *bore) bool {
	return !slices.ContainsFunc(b.floors, func(f floor) bool {
		return g.Reach(f.plane, &b.shape).Hi > b.radius+g.Length ||
			g.AnyNeighbor(f.plane, func(q int32, a *graph.Adjacency) bool {
				s := &g.Patches[q].Shape
				return a.Convexity == graph.Convex && s.IsMantle() && g.Coaxial(&b.shape, s) && s.Radius > b.radius-g.Length
			})
	})
}

// floorsAreOwn reports whether every floor of a bore ends at the bore and has coaxial walls only.
func (g holeRules) floorsAreOwn(b *bore) bool {
	if !g.floorsEnd(b) || g.surroundsCore(b) {
		return false
	}
	for _, f := range b.floors {
		for o, a := range g.Neighbors(f.plane) {
			q := &g.Patches[o].Shape
			if a.Convexity == graph.Convex || a.Convexity == graph.Smooth && !q.Hollow {
				continue
			}
			if ((!q.Hollow || !g.Coaxial(&b.shape, q)) && !g.isFlank(b, o) ||
				g.isFilletOfIsland(b, o)) && !g.isPutIn(b, f.plane, o) {
				return false
			}
		}
	}
	return true
}

// isPutIn reports whether a body on a floor leaves a gap to the bore that is too narrow for any mill, and does not end
// in the surface that the bore opens to, as the core of a ring groove does. The bore was there before.
func (g holeRules) isPutIn(b *bore, floor, wall int32) bool {
	up := g.Patches[floor].Axis
	depth := g.ExtentOf(b.patches, up).Hi - g.Extent(floor, up).Hi
	wall = chamfer.WallOver(g.Graph, wall, up)
	return g.Reach(floor, &b.shape).Length()*slenderest < depth && !slices.ContainsFunc(b.patches, func(p int32) bool {
		return g.AnyNeighbor(p, func(opening int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Convex && g.AnyNeighbor(wall, func(q int32, _ *graph.Adjacency) bool {
				return g.OnOneSurface(opening, q)
			})
		})
	})
}

// surroundsCore reports whether a bore ends, directly or over a fillet, at a coaxial convex patch inside: it is the
// outer wall of a groove without a floor.
func (g holeRules) surroundsCore(b *bore) bool {
	return slices.ContainsFunc(b.patches, func(p int32) bool {
		return g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
			s := &g.Patches[q].Shape
			return g.isFilletOfIsland(b, q) || a.Convexity == graph.Concave && s.IsMantle() && g.Coaxial(&b.shape, s)
		})
	})
}

// isFilletOfIsland reports whether a patch is the fillet at the base of a round island in a bore.
func (g holeRules) isFilletOfIsland(b *bore, p int32) bool {
	return g.isFilletOf(&b.shape, p) && g.AnyNeighbor(p, func(q int32, _ *graph.Adjacency) bool {
		return g.Patches[q].Shape.IsMantle()
	})
}

// axisOf returns the axis of a bore with a sense independent of the file: the first component that is not zero is
// positive.
func (b *bore) axisOf() geom.Vec3 { return graph.Canonical(b.shape.Axis) }
