package recognize

// Other sides of pockets.
//
// Where others have cut the foot of a wall away, or the corners between it and the next, nothing joins it to the pocket
// that it was cut with. A tool leaves what lies on both sides of it: a free wall that looks at one of a pocket's, across
// nothing but air and before all of them, is of that pocket, and so is what lies on the same round corner or end.
//
// Cost: planes across from free ones are looked up, maxLooks pairs of them, and hollows near them; maxAir gaps are looked at,
// each linear in triangles.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// maxLooks bounds the pairs of walls that are looked at.
const maxLooks = 4096

// otherSides gives pockets the free walls across from theirs.
func (r *recognizer) otherSides() {
	g := r.g
	tried, looks := 0, 0
	r.roundSides(&tried)
	r.roundPieces()
	var owned []int32
	for p, f := range r.owner {
		if f != graph.None && r.out[f].typ == feature.Pocket && r.out[f].rule != turnedGroove {
			owned = append(owned, int32(p))
		}
	}
	planes, hollows := g.NewPlanes(owned), r.openHollows()
	for i := range g.Patches {
		q := int32(i)
		s := &g.Patches[q].Shape
		if s.Kind != surface.KindPlane || !r.isLoose(q) {
			continue
		}
		if f := r.flushWith(q, planes, &tried); f != graph.None {
			r.extend(f, q)
			r.out[f].reasons = append(r.out[f].reasons, "A piece of a wall lies flush with it, with nothing but air between.")
			continue
		}
		if f := r.closes(q, hollows, &tried); f != graph.None {
			r.extend(f, q)
			r.out[f].reasons = append(r.out[f].reasons, "A wall closes its outline, with nothing but air between.")
			continue
		}
		best, dir, nearest := int32(graph.None), geom.Vec3{}, math.Inf(1)
		planes.Between(s.Axis.Neg(), s.Origin, -g.Diagonal, -g.Length, func(p int32) {
			w := g.Patches[p].Origin.Sub(s.Origin).Dot(s.Axis)
			if looks >= maxLooks || g.Patches[p].Axis.Dot(s.Axis) > -graph.DirectionTolerance || w <= r.slack() || w >= nearest {
				return
			}
			looks++
			for _, d := range r.alongWalls(r.owner[p]) {
				if tried < maxAir && r.looksAt(q, p, d, &tried) {
					best, dir, nearest = r.owner[p], d, w
					return
				}
			}
		})
		if best == graph.None {
			continue
		}
		r.extend(best, q)
		r.out[best].reasons = append(r.out[best].reasons, "A wall across from its own lies before all of them.")
		r.turnTo(best, dir)
	}
}

// flushWith returns the pocket of one of whose upright walls a free plane is a piece: it lies in the same plane, across
// nothing but air, beside the wall or above it and before all walls of the pocket, and is smaller than that. None where
// there is none.
func (r *recognizer) flushWith(q int32, planes *graph.PlaneIndex, tried *int) int32 {
	g := r.g
	s := &g.Patches[q].Shape
	best := int32(graph.None)
	planes.Between(s.Axis, s.Origin, -g.Length, g.Length, func(p int32) {
		f := r.owner[p]
		dir := r.out[f].dir
		d := r.v.Find(dir)
		if best != graph.None || *tried >= maxAir || d == graph.None || !g.Continues(s, &g.Patches[p].Shape) ||
			!r.isUpright(q, dir) || r.v.Share[d][q] < direction.MinFloorVisibility || g.Patches[q].Area > g.AreaOf(r.out[f].patches) {
			return
		}
		walls := r.uprightOf(f, dir)
		_, isBeside := r.overlap(p, q, dir)
		_, isAbove := r.overlap(p, q, dir.Cross(s.Axis))
		if !isBeside && !isAbove || !r.isBefore(walls, []int32{q}) || !r.isBefore([]int32{q}, walls) {
			return
		}
		if *tried++; r.isAirBetween(p, q) {
			best = f
		}
	})
	return best
}

// hollow is a pocket with room round it as wide as it is.
type hollow struct {
	pocket int32
	room   geom.Box
}

// hollows are in the order in which their room begins along x.
type hollows struct {
	all     []hollow
	longest float64 // along x
}

// openHollows returns the pockets that have nothing but upright walls, which do not stand all round.
func (r *recognizer) openHollows() (h hollows) {
	for f := range r.out {
		o := &r.out[f]
		if o.typ != feature.Pocket || o.into != 0 || len(o.patches) < 2 || !r.areUpright(o.patches, o.dir) ||
			section.Embraces(r.g, o.dir, o.patches) {
			continue
		}
		box := r.boxOf(o.patches)
		box = box.Grow(box.Diagonal())
		h.all = append(h.all, hollow{int32(f), box})
		h.longest = max(h.longest, box.Size().X)
	}
	slices.SortStableFunc(h.all, func(a, b hollow) int { return cmp.Compare(a.room.Min.X, b.room.Min.X) })
	return h
}

// boxOf returns the box of some patches.
func (r *facts) boxOf(patches []int32) geom.Box {
	x, y, z := r.g.ExtentOf(patches, geom.Vec3{X: 1}), r.g.ExtentOf(patches, geom.Vec3{Y: 1}), r.g.ExtentOf(patches, geom.Vec3{Z: 1})
	return geom.Box{Min: geom.Vec3{X: x.Lo, Y: y.Lo, Z: z.Lo}, Max: geom.Vec3{X: x.Hi, Y: y.Hi, Z: z.Hi}}
}

// near returns the pockets into whose room a box reaches, in ascending order.
func (h *hollows) near(b geom.Box) (pockets []int32) {
	first, _ := slices.BinarySearchFunc(h.all, b.Min.X-h.longest, func(o hollow, x float64) int { return cmp.Compare(o.room.Min.X, x) })
	for _, o := range h.all[first:] {
		if o.room.Min.X > b.Max.X {
			break
		}
		if o.room.Max.X >= b.Min.X && o.room.Min.Y <= b.Max.Y && o.room.Max.Y >= b.Min.Y &&
			o.room.Min.Z <= b.Max.Z && o.room.Max.Z >= b.Min.Z {
			pockets = append(pockets, o.pocket)
		}
	}
	return ascending(pockets)
}

// closes returns the passage round all of whose sides walls stand with a free plane, and without it on half of them at least:
// they bound one convex hollow with nothing but air between. None where there is none.
func (r *recognizer) closes(q int32, hollows hollows, tried *int) int32 {
	for _, f := range hollows.near(r.boxOf([]int32{q})) {
		o := &r.out[f]
		d := r.v.Find(o.dir)
		if d == graph.None || !r.isUpright(q, o.dir) || r.v.Share[d][q] < direction.MinFloorVisibility || *tried >= maxAir {
			continue
		}
		all := append(slices.Clone(o.patches), q)
		_, isBeside := r.overlap(r.largest(o.patches), q, o.dir)
		if !isBeside || section.Embraces(r.g, o.dir, o.patches) || !section.Embraces(r.g, o.dir, all) ||
			!r.isBefore(o.patches, []int32{q}) || !r.isBefore([]int32{q}, o.patches) {
			continue
		}
		if *tried++; r.isFree(r.largest(o.patches), q, func(b graph.Convexity) bool { return b != graph.Concave }) {
			return f
		}
	}
	return graph.None
}

// alongWalls returns the direction of a pocket, and others to which all that it has is upright and that see it.
func (r *recognizer) alongWalls(f int32) []geom.Vec3 {
	out := []geom.Vec3{r.out[f].dir}
	for d, dir := range r.v.Dirs {
		if dir != out[0] && len(r.uprightOf(f, dir)) == len(r.out[f].patches) &&
			r.v.Seen(r.g, d, r.out[f].patches) >= direction.MinWallVisibility {
			out = append(out, dir)
		}
	}
	return out
}

// isLoose reports whether a patch is free, of no contour, and meets nothing in an inner edge.
func (r *recognizer) isLoose(p int32) bool {
	return !r.taken[p] && r.turnOf[p] == 0 && !r.isTooth[p] &&
		!slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
			a := &r.g.Arcs[x]
			return a.Convexity == graph.Concave && !isShallow(a)
		})
}

// looksAt reports whether a free plane and a wall of a pocket, upright to a direction, look at each other, the plane being
// before all walls of the pocket and they before it, no lower than its floor, with nothing but air between.
func (r *recognizer) looksAt(q, p int32, dir geom.Vec3, tried *int) bool {
	g := r.g
	f, n := r.owner[p], g.Patches[q].Axis
	d := r.v.Find(dir)
	if d == graph.None || r.v.Share[d][q] < direction.MinFloorVisibility || !r.isUpright(q, dir) || !r.isUpright(p, dir) {
		return false
	}
	for _, b := range r.floorsAlong(f, dir) {
		if g.Extent(q, dir).Lo < g.Extent(b, dir).Hi-r.slack() {
			return false
		}
	}
	walls := r.uprightOf(f, dir)
	if !r.isBefore(walls, []int32{q}) || !r.isBefore([]int32{q}, walls) {
		return false
	}
	along := dir.Cross(n)
	up, ok := r.overlap(p, q, dir)
	side, isOk := r.overlap(p, q, along)
	if !ok || !isOk {
		return false
	}
	const off = 10 // lengths of the graph
	at := func(p int32) geom.Vec3 {
		s := &g.Patches[p].Shape
		return dir.Scale(up).Add(along.Scale(side)).AddScaled(s.Origin.Dot(n)+off*g.Length*s.Axis.Dot(n), n)
	}
	*tried++
	return !g.Crosses(at(q), at(p))
}

// overlap returns the middle of what two patches have in common along a direction, mm.
func (r *facts) overlap(p, q int32, dir geom.Vec3) (mid float64, ok bool) {
	a, b := r.g.Extent(p, dir), r.g.Extent(q, dir)
	both := geom.Interval{Lo: max(a.Lo, b.Lo), Hi: min(a.Hi, b.Hi)}
	return both.Mid(), both.Length() > r.slack()
}

// uprightOf returns the patches of a feature that are upright to a direction.
func (r *recognizer) uprightOf(f int32, dir geom.Vec3) []int32 {
	return slices.DeleteFunc(slices.Clone(r.out[f].patches), func(p int32) bool { return !r.isUpright(p, dir) })
}

// roundSides gives pockets the free pieces of their round walls: corners, ends, and cores of grooves.
func (r *recognizer) roundSides(tried *int) {
	g := r.g
	var round []int32
	for p, f := range r.owner {
		s := &g.Patches[p].Shape
		if f != graph.None && r.out[f].typ == feature.Pocket && s.Kind == surface.KindCylinder {
			round = append(round, int32(p))
		}
	}
	axes := g.NewAxes(round)
	for i := range g.Patches {
		q := int32(i)
		s := &g.Patches[q].Shape
		if s.Kind != surface.KindCylinder || !r.isLoose(q) {
			continue
		}
		axes.Near(s, func(p int32) {
			if f := r.owner[p]; !r.taken[q] && g.Continues(s, &g.Patches[p].Shape) {
				for _, dir := range r.alongWalls(f) {
					d := r.v.Find(dir)
					if d == graph.None || *tried >= maxAir || !r.isUpright(p, dir) || r.v.Share[d][q] < direction.MinFloorVisibility {
						continue
					}
					if *tried++; !s.Hollow || r.isAirBetween(p, q) { // round a core the straight way is none
						r.extend(f, q)
						r.turnTo(f, dir)
						return
					}
				}
			}
		})
	}
}

// roundPieces gives the outsides of something round, and the bottoms of grooves turned into it, the free pieces of their
// walls that lie beside them along the axis, and makes one stage of pieces of stages.
func (r *recognizer) roundPieces() {
	g := r.g
	var round []int32
	for p, f := range r.owner {
		if f != graph.None && g.Patches[p].Shape.IsMantle() &&
			(r.out[f].typ == feature.Boss || r.out[f].typ == feature.Profile || r.out[f].rule == turnedGroove) {
			round = append(round, int32(p))
		}
	}
	axes := g.NewAxes(round)
	for i := range g.Patches {
		q := int32(i)
		s := &g.Patches[q].Shape
		if !s.IsMantle() || r.taken[q] && r.out[r.owner[q]].rule != turnedShoulder {
			continue
		}
		axes.Near(s, func(p int32) {
			f, k := r.owner[p], r.owner[q]
			switch {
			case f == k || !r.areOneBottom(p, q):
			case k == graph.None:
				r.extend(f, q)
			case r.out[f].rule == turnedShoulder && r.out[f].dir == r.out[k].dir:
				r.merge(min(f, k), max(f, k), "A piece of it lies beside it on the axis.")
			}
		})
	}
	r.dropUnited()
}

// turnTo gives a pocket that has all of its walls along a direction that one.
func (r *recognizer) turnTo(f int32, dir geom.Vec3) {
	if o := &r.out[f]; o.dir != dir {
		o.dir, o.axis, o.z = dir, &dir, r.g.ExtentOf(o.patches, dir)
		o.pocket.Through, o.pocket.Depth = true, o.z.Length()
	}
}
