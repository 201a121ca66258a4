package hole

// Bores: the round walls that holes are made of.
//
// A bore is all hollow cylinder patches on one cylinder that are connected, or one hollow cone. It is
// a wall of a hole when it goes round far enough, and nothing says that it is a corner, the end of a
// slot or the wall of a pocket:
//
//   - it covers at least FullSweep, or more than half of the circle with edges along the axis that are
//     convex, as where a hole breaks out of a side; tangent walls there make the end of a slot or a
//     fillet, and concave edges the corner of a pocket. A wall of exactly half a circle embraces no
//     drill: it is a lobe or a channel, not a hole;
//   - its flat floor, if any, ends at the bore and carries nothing else than coaxial bores: a floor
//     that runs on belongs to a pocket with a round end, one with an island to a round pocket, but for the
//     last stage of a hole (stages) and for what was put into a bore, as a screw is (isPutIn).
//
// Pieces on one cylinder are one bore when they lie side by side along the axis, as keyways cut them; what voids
// part and what is cut open farther is bridged (bridge.go).
// The crest and the root of a modelled thread are one bore: two cylinders of nearly one radius side by
// side, with a free-form flank between.

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

	// crossingGap (diameters): a drill bridges a crossing hole less than twice its size; two walls of a cavity
	// that is wider hold two holes.
	crossingGap = 2.0

	// threadRatio is the least inner radius of a thread as a share of the outer one; M1 has 0.73.
	threadRatio = 0.7

	// slenderest is how many times as deep as it is wide a gap may be that a mill cuts: those with the longest reach
	// have it ten times their diameter.
	slenderest = 10.0

	// sideShare is the share of the shorter of two pieces of a bore that counts as lying side by side.
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

// floor is a plane across the axis that bounds a bore below or above, with the fillet or the bevel between.
type floor struct{ plane, fillet int32 }

// bores returns every hollow cylinder and cone, grouped, with the verdict whether it is a hole's wall.
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
		b.isWall = g.goesRound(&b) && g.floorsAreOwn(&b)
		out = append(out, b)
	}
	return out
}

// joinPieces unites the connected pieces of each cylinder.
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

// eachPair visits the pairs of cylinders that may have one axis, so that the cost stays near linear for
// parts with many holes, of one radius or of many.
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
		return g.besides(a, b) && g.shareFlank(a, b)
	}
	return g.solidOf(a) == g.solidOf(b) && g.besides(a, b)
}

// shareFlank reports whether one free-form patch borders on both.
func (g holeRules) shareFlank(a, b int32) bool {
	return slices.ContainsFunc(g.Patches[a].Arcs, func(x int32) bool {
		q := g.Arcs[x].Other(a)
		return g.Patches[q].Kind == surface.KindBSpline && g.borders(q, b)
	})
}

// besides reports whether two coaxial patches lie side by side along their axis.
func (g holeRules) besides(a, b int32) bool {
	ia, ib := g.Extent(a, g.Patches[a].Axis), g.Extent(b, g.Patches[a].Axis)
	return min(ia.Hi, ib.Hi)-max(ia.Lo, ib.Lo) > sideShare*min(ia.Length(), ib.Length())
}

// isFlank reports whether q is the flank of a thread in bore b: free-form, and no farther inside than
// a thread reaches.
func (g holeRules) isFlank(b *bore, q int32) bool {
	if g.Patches[q].Kind != surface.KindBSpline {
		return false
	}
	r := g.Reach(q, &b.shape)
	return r.Lo >= threadRatio*b.radius && r.Hi <= b.radius+g.Length
}

func (g holeRules) borders(p, q int32) bool {
	return slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool { return g.Arcs[x].Other(p) == q })
}

// goesRound reports whether a bore covers enough of the circle, judged with its edges along the axis.
func (g holeRules) goesRound(b *bore) bool {
	if b.sweep >= graph.FullSweep {
		return true
	}
	if b.sweep < halfSweep {
		return false
	}
	open, shut := g.sides(b)
	return open > shut
}

// sides returns the lengths of the edges along the axis of a bore, mm: of the convex ones, of all others.
func (g holeRules) sides(b *bore) (open, shut float64) {
	for _, p := range b.patches {
		for _, x := range g.Patches[p].Arcs {
			a := &g.Arcs[x]
			if math.Abs(a.Dir.Dot(b.shape.Axis)) < graph.LateralCos {
				continue
			}
			q := &g.Patches[a.Other(p)]
			switch {
			case a.Convexity == graph.Convex, a.Convexity == graph.Smooth && q.Kind != surface.KindPlane && !q.Hollow:
				open += a.Length // a rounding of the break-out counts as the edge it replaces
			default:
				shut += a.Length
			}
		}
	}
	return open, shut
}

// floorsOf returns the planes across the axis that a bore meets in a concave edge, a fillet or a bevel.
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
		for _, x := range g.Patches[p].Arcs {
			a := &g.Arcs[x]
			q := a.Other(p)
			if a.Convexity == graph.Concave && isFloor(q) {
				add(floor{q, graph.None})
			}
			s := &g.Patches[q].Shape
			isBevel := a.Convexity == graph.Concave && s.Kind == surface.KindCone && s.Hollow && g.Coaxial(&b.shape, s)
			if !isBevel && !g.isFilletOf(&b.shape, q) {
				continue
			}
			for _, y := range g.Patches[q].Arcs {
				if r := g.Arcs[y].Other(q); g.Arcs[y].Convexity != graph.Convex && isFloor(r) {
					add(floor{r, q})
				}
			}
		}
	}
	return out
}

// isFilletOf reports whether q is a hollow torus round the axis of s.
func (g holeRules) isFilletOf(s *graph.Shape, q int32) bool {
	t := &g.Patches[q].Shape
	return t.Kind == surface.KindTorus && t.Hollow && g.Coaxial(s, t)
}

// floorsEnd reports whether every floor of a bore ends at the bore, and nowhere beside it in the outside of what stands round a
// hole as far out as the bore is wide: what turns about the axis leaves the top of that, and the bore is the side of a pad on it.
func (g holeRules) floorsEnd(b *bore) bool {
	return !slices.ContainsFunc(b.floors, func(f floor) bool {
		return g.Reach(f.plane, &b.shape).Hi > b.radius+g.Length || slices.ContainsFunc(g.Patches[f.plane].Arcs, func(x int32) bool {
			s := &g.Patches[g.Arcs[x].Other(f.plane)].Shape
			return g.Arcs[x].Convexity == graph.Convex && s.IsMantle() && g.Coaxial(&b.shape, s) && s.Radius > b.radius-g.Length
		})
	})
}

// floorsAreOwn reports whether every floor of a bore ends at the bore and carries coaxial walls only.
func (g holeRules) floorsAreOwn(b *bore) bool {
	if !g.floorsEnd(b) || g.runsRound(b) {
		return false
	}
	for _, f := range b.floors {
		for _, x := range g.Patches[f.plane].Arcs {
			a := &g.Arcs[x]
			q := &g.Patches[a.Other(f.plane)].Shape
			if a.Convexity == graph.Convex || a.Convexity == graph.Smooth && !q.Hollow {
				continue
			}
			if ((!q.Hollow || !g.Coaxial(&b.shape, q)) && !g.isFlank(b, a.Other(f.plane)) ||
				g.isFootOfIsland(b, a.Other(f.plane))) && !g.isPutIn(b, f.plane, a.Other(f.plane)) {
				return false
			}
		}
	}
	return true
}

// isPutIn reports whether what stands on a floor leaves a gap of the bore that is too narrow for any mill, and does not
// end in the surface that the bore opens to, as the core of a ring-shaped groove does: the bore was there before.
func (g holeRules) isPutIn(b *bore, floor, wall int32) bool {
	up := g.Patches[floor].Axis
	depth := g.ExtentOf(b.patches, up).Hi - g.Extent(floor, up).Hi
	wall = chamfer.WallOver(g.Graph, wall, up)
	return g.Reach(floor, &b.shape).Length()*slenderest < depth && !slices.ContainsFunc(b.patches, func(p int32) bool {
		return slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
			mouth := g.Arcs[x].Other(p)
			return g.Arcs[x].Convexity == graph.Convex && slices.ContainsFunc(g.Patches[wall].Arcs, func(y int32) bool {
				return g.Continues(&g.Patches[mouth].Shape, &g.Patches[g.Arcs[y].Other(wall)].Shape)
			})
		})
	})
}

// runsRound reports whether a bore ends, directly or over a fillet, at something round on its axis that stands in it: it is
// the outer wall of a groove without a floor.
func (g holeRules) runsRound(b *bore) bool {
	return slices.ContainsFunc(b.patches, func(p int32) bool {
		return slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
			q := g.Arcs[x].Other(p)
			s := &g.Patches[q].Shape
			return g.isFootOfIsland(b, q) || g.Arcs[x].Convexity == graph.Concave && s.IsMantle() && g.Coaxial(&b.shape, s)
		})
	})
}

// isFootOfIsland reports whether a patch is the fillet at the foot of something round that stands in a bore.
func (g holeRules) isFootOfIsland(b *bore, p int32) bool {
	return g.isFilletOf(&b.shape, p) && slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
		return g.Patches[g.Arcs[x].Other(p)].Shape.IsMantle()
	})
}

// axisOf returns the axis of a bore with a sense that does not depend on the file: the first
// component that is not zero is positive.
func (b *bore) axisOf() geom.Vec3 { return graph.Canonical(b.shape.Axis) }
