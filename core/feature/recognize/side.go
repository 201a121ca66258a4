package recognize

// Opposite sides of pockets.
//
// If other features cut away the base of a wall, or its corners to the next walls, nothing joins it to its pocket. A
// tool cuts the walls on both of its sides. A free wall that faces a wall of a pocket across air, and lies before all
// of its walls, belongs to the pocket. So does a wall on the same round corner or end.
//
// Cost: opposite planes are looked up, at most maxPairs pairs, as are open pockets near them. At most maxAir gaps are
// tested, each linear in triangles.

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

// maxPairs bounds the tested pairs of walls.
const maxPairs = 4096

// claimOppositeSides gives pockets the free walls opposite to theirs.
func claimOppositeSides(r *reading, v *verifier) {
	g := r.g
	tried, pairs := 0, 0
	claimRoundSides(r, v, &tried)
	claimRoundPieces(r, v)
	owned := r.patchesOf(func(f *candidate, _ int32) bool { return f.typ == feature.Pocket && f.rule != turnedGroove })
	planes, pockets := g.NewPlanes(owned), findOpenPockets(r)
	for q := range int32(len(g.Patches)) {
		s := &g.Patches[q].Shape
		if s.Kind != surface.KindPlane || !isUnattached(r, q) {
			continue
		}
		if f := flushWith(r, q, planes, &tried); f != graph.None {
			v.extend(f, q)
			v.explain(f, "A piece of a wall lies flush with it, with nothing but air between.")
			continue
		}
		if f := closesOutline(r, q, pockets, &tried); f != graph.None {
			v.extend(f, q)
			v.explain(f, "A wall closes its outline, with nothing but air between.")
			continue
		}
		best, dir, nearest := int32(graph.None), geom.Vec3{}, math.Inf(1)
		planes.Between(s.Axis.Neg(), s.Origin, -g.Diagonal, -g.Length, func(p int32) {
			w := g.Patches[p].Origin.Sub(s.Origin).Dot(s.Axis)
			if pairs >= maxPairs || g.Patches[p].Axis.Dot(s.Axis) > -graph.DirectionTolerance ||
				w <= r.g.Slack() || w >= nearest {
				return
			}
			pairs++
			for _, d := range r.alongWalls(r.ownerOf(p)) {
				if tried < maxAir && facesWall(r, q, p, d, &tried) {
					best, dir, nearest = r.ownerOf(p), d, w
					return
				}
			}
		})
		if best == graph.None {
			continue
		}
		v.extend(best, q)
		v.explain(best, "A wall across from its own lies before all of them.")
		v.cutThrough(best, dir)
	}
}

// flushWith returns the pocket with a vertical wall that free plane q is a piece of, None if there is none. The plane
// is coplanar across air, beside or above the wall, before all walls of the pocket and smaller than the pocket.
func flushWith(r *reading, q int32, planes *graph.PlaneIndex, tried *int) int32 {
	g := r.g
	s := &g.Patches[q].Shape
	best := int32(graph.None)
	planes.Between(s.Axis, s.Origin, -g.Length, g.Length, func(p int32) {
		f := r.ownerOf(p)
		dir := r.features[f].dir
		if best != graph.None || *tried >= maxAir || !g.Continues(s, &g.Patches[p].Shape) ||
			!r.isVertical(q, dir) || !r.sees(r.v.Find(dir), q) || g.Patches[q].Area > g.AreaOf(r.features[f].patches) {
			return
		}
		walls := r.verticalOf(f, dir)
		_, isBeside := r.overlap(p, q, dir)
		_, isAbove := r.overlap(p, q, dir.Cross(s.Axis))
		if !isBeside && !isAbove || !r.isBefore(walls, []int32{q}) || !r.isBefore([]int32{q}, walls) {
			return
		}
		if *tried++; r.hasGapBetween(p, q) {
			best = f
		}
	})
	return best
}

// openPocket is a pocket with a surrounding box that extends by its diagonal.
type openPocket struct {
	pocket int32
	box    geom.Box
}

// openPockets are sorted by the lower end of their boxes along x.
type openPockets struct {
	all     []openPocket
	longest float64 // mm, along x
}

// findOpenPockets returns the pockets that have vertical walls only, not on all sides.
func findOpenPockets(r *reading) (h openPockets) {
	for f := range r.features {
		o := r.features[f]
		if o.typ != feature.Pocket || len(o.patches) < 2 || !r.areVertical(o.patches, o.dir) ||
			section.Encircles(r.g, o.dir, o.patches) {
			continue
		}
		box := r.g.Box(o.patches...)
		box = box.Grow(box.Diagonal())
		h.all = append(h.all, openPocket{int32(f), box})
		h.longest = max(h.longest, box.Size().X)
	}
	slices.SortStableFunc(h.all, func(a, b openPocket) int { return cmp.Compare(a.box.Min.X, b.box.Min.X) })
	return h
}

// near returns the pockets whose boxes overlap b, in ascending order.
func (h *openPockets) near(b geom.Box) (pockets []int32) {
	first, _ := slices.BinarySearchFunc(h.all, b.Min.X-h.longest,
		func(o openPocket, x float64) int { return cmp.Compare(o.box.Min.X, x) })
	for _, o := range h.all[first:] {
		if o.box.Min.X > b.Max.X {
			break
		}
		if o.box.Max.X >= b.Min.X && o.box.Min.Y <= b.Max.Y && o.box.Max.Y >= b.Min.Y &&
			o.box.Min.Z <= b.Max.Z && o.box.Max.Z >= b.Min.Z {
			pockets = append(pockets, o.pocket)
		}
	}
	return ascending(pockets)
}

// closesOutline returns the passage that a free plane closes on all sides, None if there is none. Its walls and the
// plane bound one convex region with only air between.
func closesOutline(r *reading, q int32, pockets openPockets, tried *int) int32 {
	for _, f := range pockets.near(r.g.Box(q)) {
		o := r.features[f]
		if !r.isVertical(q, o.dir) || !r.sees(r.v.Find(o.dir), q) || *tried >= maxAir {
			continue
		}
		all := append(slices.Clone(o.patches), q)
		_, isBeside := r.overlap(r.largest(o.patches), q, o.dir)
		if !isBeside || section.Encircles(r.g, o.dir, o.patches) || !section.Encircles(r.g, o.dir, all) ||
			!r.isBefore(o.patches, []int32{q}) || !r.isBefore([]int32{q}, o.patches) {
			continue
		}
		if *tried++; r.isFree(r.largest(o.patches), q, func(b graph.Convexity) bool { return b != graph.Concave }) {
			return f
		}
	}
	return graph.None
}

// alongWalls returns the direction of a pocket, and all other directions along all of its walls that see it.
func (r *reading) alongWalls(f int32) []geom.Vec3 {
	out := []geom.Vec3{r.features[f].dir}
	for d, dir := range r.v.Dirs {
		if dir != out[0] && len(r.verticalOf(f, dir)) == len(r.features[f].patches) &&
			r.v.Seen(r.g, d, r.features[f].patches) >= direction.MinWallVisibility {
			out = append(out, dir)
		}
	}
	return out
}

// isUnattached reports whether a patch is free, in no contour, and without concave edges.
func isUnattached(r *reading, p int32) bool {
	return !r.isTaken(p) && r.cornerOf[p] == 0 && !r.isTooth[p] &&
		!r.g.AnyNeighbor(p, func(_ int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Concave && !isShallow(a)
		})
}

// facesWall reports whether a free plane and a wall of a pocket, both along dir, face each other across air. The plane
// lies before all walls of the pocket, they lie before it, and it is no lower than the floor.
func facesWall(r *reading, q, p int32, dir geom.Vec3, tried *int) bool {
	g := r.g
	f, n := r.ownerOf(p), g.Patches[q].Axis
	if !r.sees(r.v.Find(dir), q) || !r.isVertical(q, dir) || !r.isVertical(p, dir) {
		return false
	}
	for _, b := range r.floorsAlong(f, dir) {
		if g.Extent(q, dir).Lo < g.Extent(b, dir).Hi-r.g.Slack() {
			return false
		}
	}
	walls := r.verticalOf(f, dir)
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

// overlap returns the middle, mm, of the common extent of two patches along a direction.
func (pc *partContext) overlap(p, q int32, dir geom.Vec3) (mid float64, ok bool) {
	a, b := pc.g.Extent(p, dir), pc.g.Extent(q, dir)
	both := a.Intersect(b)
	return both.Mid(), both.Length() > pc.g.Slack()
}

// verticalOf returns the patches of a feature that are parallel to a direction.
func (r *reading) verticalOf(f int32, dir geom.Vec3) []int32 {
	return only(r.features[f].patches, func(p int32) bool { return r.isVertical(p, dir) })
}

// claimRoundSides gives pockets the free pieces of their round walls: corners, ends, and cores of grooves.
func claimRoundSides(r *reading, v *verifier, tried *int) {
	g := r.g
	axes := g.NewAxes(r.patchesOf(func(f *candidate, p int32) bool {
		return f.typ == feature.Pocket && g.Patches[p].Kind == surface.KindCylinder
	}))
	for q := range int32(len(g.Patches)) {
		s := &g.Patches[q].Shape
		if s.Kind != surface.KindCylinder || !isUnattached(r, q) {
			continue
		}
		axes.Near(s, func(p int32) {
			if f := r.ownerOf(p); !r.isTaken(q) && g.Continues(s, &g.Patches[p].Shape) {
				for _, dir := range r.alongWalls(f) {
					if *tried >= maxAir || !r.isVertical(p, dir) || !r.sees(r.v.Find(dir), q) {
						continue
					}
					if *tried++; !s.Hollow || r.hasGapBetween(p, q) { // around a core, a straight line is not free
						v.extend(f, q)
						v.cutThrough(f, dir)
						return
					}
				}
			}
		})
	}
}

// claimRoundPieces gives round bosses and profiles, and the bottoms of turned grooves, the free pieces of their walls
// beside them on the axis. It merges pieces of turned shoulders.
func claimRoundPieces(r *reading, v *verifier) {
	g := r.g
	axes := g.NewAxes(r.patchesOf(func(f *candidate, p int32) bool {
		return g.Patches[p].Shape.IsMantle() && (f.typ == feature.Boss || f.typ == feature.Profile || f.rule == turnedGroove)
	}))
	for q := range int32(len(g.Patches)) {
		s := &g.Patches[q].Shape
		if !s.IsMantle() || r.isTaken(q) && r.features[r.ownerOf(q)].rule != turnedShoulder {
			continue
		}
		axes.Near(s, func(p int32) {
			f, k := r.ownerOf(p), r.ownerOf(q)
			switch {
			case f == k || !areOneBottom(r.partContext, p, q):
			case k == graph.None:
				v.extend(f, q)
			case r.features[f].rule == turnedShoulder && r.features[f].dir == r.features[k].dir:
				v.merge(min(f, k), max(f, k), "A piece of it lies beside it on the axis.")
			}
		})
	}
	v.dropMerged()
}
