package recognize

// Other sides of pockets.
//
// Where others have cut the foot of a wall away, or the corners between it and the next, nothing joins it to the pocket
// that it was cut with. A tool leaves what lies on both sides of it: a free wall that looks at one of a pocket's, across
// nothing but air and before all of them, is of that pocket, and so is what lies on the same round corner or end.
//
// Cost: planes across from free ones are looked up; maxAir gaps are looked at, each linear in triangles.

import (
	"math"
	"slices"

	"millwright/core/feature"
	"millwright/core/feature/direction"
	"millwright/core/feature/graph"
	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// otherSides gives pockets the free walls across from theirs.
func (r *recognizer) otherSides() {
	g := r.g
	tried := 0
	r.roundSides(&tried)
	var walls []int32
	for p, f := range r.owner {
		if f != graph.None && r.out[f].typ == feature.Pocket && r.isUpright(int32(p), r.out[f].dir) {
			walls = append(walls, int32(p))
		}
	}
	planes := g.NewPlanes(walls)
	for i := range g.Patches {
		q := int32(i)
		s := &g.Patches[q].Shape
		if s.Kind != surface.KindPlane || !r.isLoose(q) {
			continue
		}
		best, nearest := int32(graph.None), math.Inf(1)
		planes.Between(s.Axis.Neg(), s.Origin, -g.Diagonal, -g.Length, func(p int32) {
			w := g.Patches[p].Origin.Sub(s.Origin).Dot(s.Axis)
			if g.Patches[p].Axis.Dot(s.Axis) < -graph.SameDirection && w > r.slack() && w < nearest && tried < maxAir &&
				r.looksAt(q, p, &tried) {
				best, nearest = r.owner[p], w
			}
		})
		if best != graph.None {
			r.extend(best, q)
			r.out[best].reasons = append(r.out[best].reasons, "A wall across from its own lies before all of them.")
		}
	}
}

// isLoose reports whether a patch is free, of no contour, and meets nothing in an inner edge.
func (r *recognizer) isLoose(p int32) bool {
	return !r.taken[p] && r.turnOf[p] == 0 && !r.isTooth[p] &&
		!slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
			a := &r.g.Arcs[x]
			return a.Bend == graph.Concave && !isShallow(a)
		})
}

// looksAt reports whether a free plane and a wall of a pocket look at each other, the plane being before all walls of the
// pocket and they before it, no lower than its floor, with nothing but air between.
func (r *recognizer) looksAt(q, p int32, tried *int) bool {
	g := r.g
	f := r.owner[p]
	dir, n := r.out[f].dir, g.Patches[q].Axis
	d := r.v.Find(dir)
	if d == graph.None || r.v.Share[d][q] < direction.FloorShare || !r.isUpright(q, dir) || r.out[f].rule == turnedGroove {
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
		if f != graph.None && r.out[f].typ == feature.Pocket && s.Kind == surface.KindCylinder &&
			r.isUpright(int32(p), r.out[f].dir) {
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
			f := r.owner[p]
			d := r.v.Find(r.out[f].dir)
			if r.taken[q] || d == graph.None || !g.Continues(s, &g.Patches[p].Shape) || *tried >= maxAir ||
				r.v.Share[d][q] < direction.FloorShare {
				return
			}
			if *tried++; !s.Hollow || r.isAirBetween(p, q) { // round a core the straight way is none
				r.extend(f, q)
			}
		})
	}
}
