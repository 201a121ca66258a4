package feature

// Bores: the round walls that holes are made of.
//
// A bore is all hollow cylinder patches on one cylinder that are connected, or one hollow cone. It is
// a wall of a hole when it goes round far enough, and nothing says that it is a corner, the end of a
// slot or the wall of a pocket:
//
//   - it covers at least fullSweep, or more than half of the circle with edges along the axis that are
//     convex, as where a hole breaks out of a side; tangent walls there make the end of a slot or a
//     fillet, and concave edges the corner of a pocket. A wall of exactly half a circle embraces no
//     drill: it is a lobe or a channel, not a hole;
//   - its flat floor, if any, ends at the bore and carries nothing else than coaxial bores: a floor
//     that runs on belongs to a pocket with a round end, one with an island to a round pocket.
//
// Pieces on one cylinder are connected when they lie side by side along the axis (keyways cut them),
// or when one crossing hollow wall borders on both and parts them by at most crossingGap diameters.
// The crest and the root of a modelled thread are one bore: two cylinders of nearly one radius side by
// side, with a free-form flank between.

import (
	"cmp"
	"math"
	"slices"

	"millwright/core/geom"
	"millwright/core/geom/surface"
)

const (
	fullSweep = 2*math.Pi - smoothAngle // rad
	halfSweep = math.Pi + smoothAngle   // rad

	// lateralCos separates edges along an axis from edges round it.
	lateralCos = 0.7

	// crossingGap (diameters): a drill bridges a crossing hole twice its size; two walls of a cavity
	// that is wider hold two holes.
	crossingGap = 2.0

	// threadRatio is the least inner radius of a thread as a share of the outer one; M1 has 0.73.
	threadRatio = 0.7
)

// bore is one candidate wall of a hole.
type bore struct {
	patches []int32
	shape   shape   // of the patch with the smallest radius
	radius  float64 // mm, the largest distance of any point from the axis
	sweep   float64 // rad, of all patches together
	floors  []floor
	isWall  bool // of a hole
}

// floor is a plane across the axis that bounds a bore below or above, with the fillet between.
type floor struct{ plane, fillet int32 }

// bores returns every hollow cylinder and cone, grouped, with the verdict whether it is a hole's wall.
func (g *graph) bores() []bore {
	set := newSets(len(g.patches))
	var hollow []int32
	for i := range g.patches {
		p := &g.patches[i]
		if p.hollow && (p.kind == surface.KindCylinder || p.kind == surface.KindCone) {
			hollow = append(hollow, int32(i))
		}
	}
	g.joinPieces(set, hollow)
	isHollow := make([]bool, len(g.patches))
	for _, p := range hollow {
		isHollow[p] = true
	}
	var out []bore
	for _, group := range set.groups(func(i int32) bool { return isHollow[i] }) {
		b := bore{patches: group, shape: g.patches[group[0]].shape}
		for _, p := range group {
			if g.patches[p].radius < b.shape.radius {
				b.shape = g.patches[p].shape
			}
			b.radius = max(b.radius, g.reach(p, &b.shape).Hi)
		}
		b.sweep = g.sweep(group, &b.shape)
		b.floors = g.floorsOf(&b)
		b.isWall = g.goesRound(&b) && g.floorsAreOwn(&b)
		out = append(out, b)
	}
	return out
}

// joinPieces unites the connected pieces of each cylinder. Candidates are neighbours in radius, so
// the cost stays near linear for parts with many different holes.
func (g *graph) joinPieces(set sets, hollow []int32) {
	byRadius := slices.DeleteFunc(slices.Clone(hollow), func(p int32) bool {
		return g.patches[p].kind != surface.KindCylinder
	})
	slices.SortStableFunc(byRadius, func(a, b int32) int {
		return cmp.Compare(g.patches[a].radius, g.patches[b].radius)
	})
	for i, a := range byRadius {
		pa := &g.patches[a]
		for _, b := range byRadius[i+1:] {
			pb := &g.patches[b]
			if pa.radius < threadRatio*pb.radius && pb.radius-pa.radius > g.length {
				break
			}
			switch {
			case !g.coaxial(&pa.shape, &pb.shape):
			case pb.radius-pa.radius > g.length:
				if g.besides(a, b) && g.shareFlank(a, b) {
					set.join(a, b)
				}
			case g.connected(a, b):
				set.join(a, b)
			}
		}
	}
}

// shareFlank reports whether one free-form patch borders on both.
func (g *graph) shareFlank(a, b int32) bool {
	return slices.ContainsFunc(g.patches[a].arcs, func(x int32) bool {
		q := g.arcs[x].other(a)
		return g.patches[q].kind == surface.KindBSpline && g.borders(q, b)
	})
}

// besides reports whether two coaxial patches lie side by side along their axis.
func (g *graph) besides(a, b int32) bool {
	ia, ib := g.extent(a, g.patches[a].axis), g.extent(b, g.patches[a].axis)
	return min(ia.Hi, ib.Hi)-max(ia.Lo, ib.Lo) > sideShare*min(ia.Length(), ib.Length())
}

// isFlank reports whether q is the flank of a thread in bore b: free-form, and no farther inside than
// a thread reaches.
func (g *graph) isFlank(b *bore, q int32) bool {
	if g.patches[q].kind != surface.KindBSpline {
		return false
	}
	r := g.reach(q, &b.shape)
	return r.Lo >= threadRatio*b.radius && r.Hi <= b.radius+g.length
}

func (g *graph) connected(a, b int32) bool {
	sa, sb := g.model.Faces[g.patches[a].faces[0]].Shell, g.model.Faces[g.patches[b].faces[0]].Shell
	if g.model.Shells[sa].Solid != g.model.Shells[sb].Solid {
		return false
	}
	if g.besides(a, b) {
		return true
	}
	ia, ib := g.extent(a, g.patches[a].axis), g.extent(b, g.patches[a].axis)
	if max(ia.Lo, ib.Lo)-min(ia.Hi, ib.Hi) > crossingGap*2*g.patches[a].radius {
		return false
	}
	for _, x := range g.patches[a].arcs {
		q := g.arcs[x].other(a)
		if g.patches[q].hollow && !g.coaxial(&g.patches[a].shape, &g.patches[q].shape) && g.borders(q, b) {
			return true
		}
	}
	return false
}

func (g *graph) borders(p, q int32) bool {
	return slices.ContainsFunc(g.patches[p].arcs, func(x int32) bool { return g.arcs[x].other(p) == q })
}

// goesRound reports whether a bore covers enough of the circle, judged with its edges along the axis.
func (g *graph) goesRound(b *bore) bool {
	if b.sweep >= fullSweep {
		return true
	}
	if b.sweep < halfSweep {
		return false
	}
	open, shut := 0.0, 0.0 // mm of convex edges, of all others
	for _, p := range b.patches {
		for _, x := range g.patches[p].arcs {
			a := &g.arcs[x]
			if abs(a.dir.Dot(b.shape.axis)) < lateralCos {
				continue
			}
			q := &g.patches[a.other(p)]
			switch {
			case a.bend == convex, a.bend == smooth && q.kind != surface.KindPlane && !q.hollow:
				open += a.length // a rounding of the break-out counts as the edge it replaces
			default:
				shut += a.length
			}
		}
	}
	return open > shut
}

// floorsOf returns the planes across the axis that a bore meets in a concave edge or a fillet.
func (g *graph) floorsOf(b *bore) []floor {
	var out []floor
	add := func(f floor) {
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	isFloor := func(p int32) bool {
		s := &g.patches[p].shape
		return s.kind == surface.KindPlane && parallel(s.axis, b.shape.axis)
	}
	for _, p := range b.patches {
		for _, x := range g.patches[p].arcs {
			a := &g.arcs[x]
			q := a.other(p)
			if a.bend == concave && isFloor(q) {
				add(floor{q, none})
			}
			if !g.isFilletOf(&b.shape, q) {
				continue
			}
			for _, y := range g.patches[q].arcs {
				if r := g.arcs[y].other(q); g.arcs[y].bend != convex && isFloor(r) {
					add(floor{r, q})
				}
			}
		}
	}
	return out
}

// isFilletOf reports whether q is a hollow torus round the axis of s.
func (g *graph) isFilletOf(s *shape, q int32) bool {
	t := &g.patches[q].shape
	return t.kind == surface.KindTorus && t.hollow && g.coaxial(s, t)
}

// floorsAreOwn reports whether every floor of a bore ends at the bore and carries coaxial walls only.
func (g *graph) floorsAreOwn(b *bore) bool {
	for _, f := range b.floors {
		if g.reach(f.plane, &b.shape).Hi > b.radius+g.length {
			return false
		}
		for _, x := range g.patches[f.plane].arcs {
			a := &g.arcs[x]
			q := &g.patches[a.other(f.plane)].shape
			if a.bend == convex || a.bend == smooth && !q.hollow {
				continue
			}
			if (!q.hollow || !g.coaxial(&b.shape, q)) && !g.isFlank(b, a.other(f.plane)) {
				return false
			}
		}
	}
	return true
}

// axisOf returns the axis of a bore with a sense that does not depend on the file: the first
// component that is not zero is positive.
func (b *bore) axisOf() geom.Vec3 { return canonical(b.shape.axis) }

func canonical(d geom.Vec3) geom.Vec3 {
	for _, c := range [3]float64{d.Z, d.Y, d.X} {
		switch {
		case c > axisAngle:
			return d
		case c < -axisAngle:
			return d.Neg()
		}
	}
	return d
}
