package recognize

// Grooves turned into the outside of something round: the round bottom between walls that look at each other, planes
// across the axis, cones or fillets round it; or a fillet alone that is bottom and walls, or two cones that meet. And grooves
// in a face that run round something and have no flat floor.
//
// Seen along the axis each wall hides the other, and from no other side is the bottom seen all round: the tool comes
// from the side while the part turns. A wall that is seen along the axis is the shoulder of a larger stage, and is left
// to it.

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// turnedGroove is the rule of a groove turned into the outside of something round.
const turnedGroove = feature.TurnedGroove

// grooveRequests returns a direction from the side for each axis round which a groove is cut into something round.
func (r *facts) grooveRequests() (out []direction.Request) {
	for i := range r.g.Patches {
		p := int32(i)
		s := &r.g.Patches[p].Shape
		if !s.IsMantle() || !r.isCutInto(p) {
			continue
		}
		k := slices.IndexFunc(out, func(o direction.Request) bool {
			return math.Abs(o.Dir.Dot(s.Axis)) <= graph.DirectionTolerance
		})
		if k < 0 {
			k = len(out)
			out = append(out, direction.Request{Dir: r.fromSide(s.Axis), Share: roundShare})
		}
		out[k].Patches = append(out[k].Patches, p)
	}
	return out
}

// isCutInto reports whether walls rise from both ends of something round, over fillets or not, as far as each other.
func (r *facts) isCutInto(p int32) bool {
	g := r.g
	s := &g.Patches[p].Shape
	along, against := 0.0, 0.0 // mm, how far they reach from the axis
	r.eachWall(p, func(q, _ int32) {
		switch way := r.facesAlong(q, p); {
		case way > 0:
			along = max(along, g.Reach(q, s).Hi)
		case way < 0:
			against = max(against, g.Reach(q, s).Hi)
		}
	})
	return along > 0 && against > 0 && math.Abs(along-against) <= r.slack() || r.flankOf(p) != graph.None
}

// eachWall visits what rises from the ends of something round with the fillet before it, None for a sharp edge. A fillet that
// goes on in no wall is one.
func (r *facts) eachWall(bottom int32, visit func(wall, fillet int32)) {
	g := r.g
	for _, x := range g.Patches[bottom].Arcs {
		a := &g.Arcs[x]
		q := a.Other(bottom)
		switch f := &g.Patches[q].Shape; {
		case a.Convexity == graph.Concave:
			visit(q, graph.None)
		case a.Convexity == graph.Smooth && f.Kind == surface.KindTorus && f.Hollow && g.Coaxial(&g.Patches[bottom].Shape, f):
			ends := true
			for _, y := range g.Patches[q].Arcs {
				if o := g.Arcs[y].Other(q); g.Arcs[y].Convexity == graph.Smooth && r.facesAlong(o, bottom) != 0 {
					ends = false
					visit(o, q)
				}
			}
			if ends {
				visit(q, graph.None)
			}
		}
	}
}

// flankOf returns the cone that rises from the narrow end of another one on the same axis in an inner edge, as far as that:
// they are the flanks of a V groove. None where there is none.
func (r *facts) flankOf(p int32) int32 {
	g := r.g
	s := &g.Patches[p].Shape
	for _, x := range g.Patches[p].Arcs {
		q := g.Arcs[x].Other(p)
		o := &g.Patches[q].Shape
		if g.Arcs[x].Convexity == graph.Concave && !isShallow(&g.Arcs[x]) && s.Kind == surface.KindCone && o.Kind == surface.KindCone &&
			!o.Hollow && g.Coaxial(s, o) && math.Abs(g.Reach(p, s).Hi-g.Reach(q, s).Hi) <= r.slack() {
			return q
		}
	}
	return graph.None
}

// facesAlong returns the sense in which a wall at an end of something round looks along its axis: a plane across it, a
// cone or a torus round it. It returns 0 for others.
func (r *facts) facesAlong(wall, bottom int32) float64 {
	g := r.g
	s, w := &g.Patches[bottom].Shape, &g.Patches[wall].Shape
	switch {
	case w.Kind == surface.KindPlane && graph.Parallel(w.Axis, s.Axis):
		return w.Axis.Dot(s.Axis)
	case (w.Kind == surface.KindCone && !w.Hollow || w.Kind == surface.KindTorus) && g.Coaxial(s, w):
		return g.Extent(bottom, s.Axis).Mid() - g.Extent(wall, s.Axis).Mid()
	}
	return 0
}

// fromSide returns a direction square to an axis: that of the largest plane which faces so, where there is one.
func (r *facts) fromSide(axis geom.Vec3) geom.Vec3 {
	best, most := geom.NewFrame(geom.Vec3{}, axis, geom.Vec3{}).X, 0.0
	for i := range r.g.Patches {
		p := &r.g.Patches[i]
		if p.Kind == surface.KindPlane && p.Area > (1+graph.AxisTolerance)*most && math.Abs(p.Axis.Dot(axis)) <= graph.DirectionTolerance {
			best, most = p.Axis, p.Area
		}
	}
	return best
}

// grooves finds turned grooves. What others cut out of a bottom leaves pieces of one.
func (r *recognizer) grooves() {
	n := len(r.g.Patches)
	set := graph.NewUnionFind(n)
	var bottoms []int32
	isOf := make([]bool, n)
	for i := range r.g.Patches {
		p := int32(i)
		if r.taken[p] || !r.g.Patches[p].Shape.IsMantle() {
			continue
		}
		walls, blends := r.grooveWalls(p)
		if len(walls) == 0 {
			continue
		}
		for _, q := range append(walls, blends...) {
			set.Join(p, q)
			isOf[q] = true
		}
		isOf[p] = true
		for _, q := range bottoms {
			if r.areOneBottom(p, q) {
				set.Join(p, q)
			}
		}
		bottoms = append(bottoms, p)
	}
	for _, p := range bottoms {
		r.joinAround(p, bottoms, set)
	}
	r.filletGrooves()
	r.vGrooves()
	r.faceGrooves()
	for _, group := range set.Groups(func(p int32) bool { return isOf[p] && !r.taken[p] }) {
		if i := slices.IndexFunc(group, func(p int32) bool {
			_, is := slices.BinarySearch(bottoms, p)
			return is
		}); i >= 0 {
			r.addGroove(group, group[i])
		}
	}
}

// vGrooves finds the grooves of two flanks without a bottom.
func (r *recognizer) vGrooves() {
	for i := range r.g.Patches {
		p := int32(i)
		if r.taken[p] || !r.g.Patches[p].Shape.IsMantle() {
			continue
		}
		if q := r.flankOf(p); q > p && !r.taken[q] {
			r.addGroove([]int32{p, q}, p)
		}
	}
}

// filletGrooves finds the grooves that are a fillet round an axis, bottom and walls in one: its pieces go round and lie on
// both sides of the circle that its tube follows, hidden along the axis from either side. The neck of a ball is none.
func (r *recognizer) filletGrooves() {
	g := r.g
	var all []int32
	for i := range g.Patches {
		p := int32(i)
		s := &g.Patches[p].Shape
		if s.Kind == surface.KindTorus && s.Hollow && !r.taken[p] && g.Reach(p, s).Hi <= s.Radius+g.Length &&
			r.isHiddenFrom(p, s.Axis) && r.isHiddenFrom(p, s.Axis.Neg()) {
			all = append(all, p)
		}
	}
	surfaces := g.NewSurfaces(all)
	for _, p := range all {
		s := &g.Patches[p].Shape
		var group []int32
		surfaces.On(s, func(q int32) {
			if !r.taken[q] {
				group = append(group, q)
			}
		})
		z, center := g.ExtentOf(group, s.Axis), s.Origin.Dot(s.Axis)
		if len(group) == 0 || z.Lo > center-r.slack() || z.Hi < center+r.slack() ||
			g.Sweep(group, s) <= math.Pi+graph.SmoothAngle || r.leadsToBall(group) {
			continue
		}
		for _, q := range slices.Clone(group) {
			for _, x := range g.Patches[q].Arcs {
				w := g.Arcs[x].Other(q)
				if g.Arcs[x].Convexity == graph.Smooth && r.isEnd(w, s) && r.isHiddenFrom(w, g.Patches[w].Axis) {
					group = append(append(group, w), r.roundingsOf(w, s)...)
				}
			}
			group = append(group, r.roundingsOf(q, s)...)
		}
		r.addGroove(ascending(group), p)
	}
}

// leadsToBall reports whether fillets go on smoothly in a sphere: they are the neck of a ball, and of its surface.
func (r *facts) leadsToBall(fillets []int32) bool {
	return slices.ContainsFunc(fillets, func(p int32) bool {
		return slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
			a := &r.g.Arcs[x]
			q := &r.g.Patches[a.Other(p)]
			return a.Convexity == graph.Smooth && q.Kind == surface.KindSphere && !q.Hollow
		})
	})
}

// faceGrooves finds the grooves in a face, round something, that have no flat floor: between a bore and the core on its axis,
// which meet or end in one fillet. A core that rises beyond the bore stands by itself.
func (r *recognizer) faceGrooves() {
	g := r.g
	for i := range g.Patches {
		p := int32(i)
		s := &g.Patches[p].Shape
		core, at := r.coreIn(p)
		if core == graph.None {
			continue
		}
		bottom := at.Other(p)
		group, inner := append(r.roundingsOf(p, s), p), append(r.roundingsOf(core, s), core)
		d := r.v.Find(s.Axis)
		if g.Extent(p, s.Axis).Mid() < at.Mid.Dot(s.Axis) {
			d = r.v.Find(s.Axis.Neg())
		}
		if d == graph.None {
			continue
		}
		dir := r.v.Dirs[d]
		if g.ExtentOf(inner, dir).Hi <= g.ExtentOf(group, dir).Hi+r.slack() {
			group = append(group, inner...)
		} else if core == bottom {
			continue
		}
		group = ascending(append(group, bottom))
		z := g.ExtentOf(group, dir)
		r.add(found{
			typ: feature.Pocket, patches: group, dir: dir, axis: &dir, z: z, pocket: &feature.PocketShape{Depth: z.Length()},
			rule: "ring-shaped groove", reasons: []string{fmt.Sprintf(
				"It runs round something of diameter %s and has no flat floor.", mm(2*g.Patches[core].Radius))},
		})
	}
}

// coreIn returns the outside of something round that stands in a bore without a floor, and the edge at which the bore meets it
// or the fillet between; None where there is none.
func (r *recognizer) coreIn(bore int32) (core int32, at *graph.Adjacency) {
	g := r.g
	s := &g.Patches[bore].Shape
	if r.taken[bore] || !s.Hollow || s.Kind != surface.KindCylinder && s.Kind != surface.KindCone ||
		g.Sweep([]int32{bore}, s) < graph.FullSweep {
		return graph.None, nil
	}
	isCore := func(p int32) bool {
		o := &g.Patches[p].Shape
		return !r.taken[p] && o.IsMantle() && g.Coaxial(s, o)
	}
	for _, x := range g.Patches[bore].Arcs {
		a := &g.Arcs[x]
		q := a.Other(bore)
		if t := &g.Patches[q].Shape; t.Kind == surface.KindTorus && t.Hollow && !r.taken[q] && g.Coaxial(s, t) {
			for _, y := range g.Patches[q].Arcs {
				if o := g.Arcs[y].Other(q); isCore(o) {
					return o, a
				}
			}
		}
		if a.Convexity == graph.Concave && isCore(q) {
			return q, a
		}
	}
	return graph.None, nil
}

// joinAround joins the bottoms of one diameter on both sides of a groove that goes deeper: one groove was turned into the
// other.
func (r *recognizer) joinAround(deeper int32, bottoms []int32, set graph.UnionFind) {
	g := r.g
	s := &g.Patches[deeper].Shape
	var beside []int32
	for _, x := range g.Patches[deeper].Arcs {
		w := g.Arcs[x].Other(deeper)
		if g.Arcs[x].Convexity != graph.Concave || !graph.Parallel(g.Patches[w].Axis, s.Axis) {
			continue
		}
		for _, y := range g.Patches[w].Arcs {
			q := g.Arcs[y].Other(w)
			if _, is := slices.BinarySearch(bottoms, q); !is || g.Arcs[y].Convexity != graph.Convex {
				continue
			}
			for _, p := range beside {
				if g.Continues(&g.Patches[p].Shape, &g.Patches[q].Shape) {
					set.Join(p, q)
				}
			}
			beside = append(beside, q)
		}
	}
}

// areOneBottom reports whether two round patches lie on one surface, at the same place along its axis.
func (r *facts) areOneBottom(p, q int32) bool {
	g := r.g
	s := &g.Patches[p].Shape
	if !g.Continues(s, &g.Patches[q].Shape) {
		return false
	}
	a, b := g.Extent(p, s.Axis), g.Extent(q, s.Axis)
	return min(a.Hi, b.Hi) > max(a.Lo, b.Lo)
}

// grooveWalls returns the walls at the ends of a round bottom that are hidden along the axis, with the fillets at their
// feet and the roundings of their rims; none where an end has neither a wall nor a groove that goes deeper.
func (r *recognizer) grooveWalls(bottom int32) (walls, blends []int32) {
	g := r.g
	s := &g.Patches[bottom].Shape
	var along, against bool // the axis: where the bottom has ends
	end := func(way float64) { along, against = along || way > 0, against || way < 0 }
	r.eachWall(bottom, func(q, fillet int32) {
		way := r.facesAlong(q, bottom)
		if k := g.Patches[q].Kind; way == 0 || (k == surface.KindPlane || k == surface.KindTorus) && r.taken[q] || fillet != graph.None && r.taken[fillet] {
			return
		}
		end(way)
		if fillet != graph.None {
			blends = append(blends, fillet)
		}
		if !r.taken[q] && r.endsRound(q, s) && r.isHiddenFrom(q, s.Axis.Scale(math.Copysign(1, way))) {
			walls = append(walls, q)
			blends = append(blends, r.roundingsOf(q, s)...)
		}
	})
	for _, x := range g.Patches[bottom].Arcs { // another groove goes on deeper
		q := g.Arcs[x].Other(bottom)
		if f := &g.Patches[q].Shape; g.Arcs[x].Convexity == graph.Convex && r.isEnd(q, s) && r.isHiddenFrom(q, f.Axis) && r.hasBottom(q, s) {
			end(-f.Axis.Dot(s.Axis))
		}
	}
	if !along || !against {
		return nil, nil
	}
	return walls, blends
}

// isEnd reports whether a patch is a free plane across the axis of s.
func (r *recognizer) isEnd(p int32, s *graph.Shape) bool {
	o := &r.g.Patches[p].Shape
	return !r.taken[p] && o.Kind == surface.KindPlane && graph.Parallel(o.Axis, s.Axis)
}

// isHiddenFrom reports whether a direction does not see most of a patch.
func (r *recognizer) isHiddenFrom(p int32, dir geom.Vec3) bool {
	d := r.v.Find(dir)
	return d == graph.None || r.v.Share[d][p] < direction.MinFloorVisibility
}

// hasBottom reports whether a plane rises from something round on the axis of s.
func (r *facts) hasBottom(p int32, s *graph.Shape) bool {
	return slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
		o := &r.g.Patches[r.g.Arcs[x].Other(p)].Shape
		return r.g.Arcs[x].Convexity == graph.Concave && o.IsMantle() && r.g.Coaxial(s, o)
	})
}

// roundingsOf returns the roundings of the rim of a wall round the axis of s.
func (r *recognizer) roundingsOf(wall int32, s *graph.Shape) (out []int32) {
	for _, x := range r.g.Patches[wall].Arcs {
		q := r.g.Arcs[x].Other(wall)
		o := &r.g.Patches[q].Shape
		if r.g.Arcs[x].Convexity != graph.Smooth || o.Kind != surface.KindTorus || !r.g.Coaxial(s, o) || r.taken[q] {
			continue
		}
		if !o.Hollow {
			out = append(out, q)
		} else if r.g.Reach(q, s).Hi > r.g.Reach(wall, s).Hi+r.g.Length { // the wall bends up before its rim
			out = append(append(out, q), r.roundingsOf(q, s)...)
		}
	}
	return out
}

// endsRound reports whether a wall across the axis of s ends in something round on that axis.
func (r *facts) endsRound(wall int32, s *graph.Shape) bool {
	return slices.ContainsFunc(r.g.Patches[wall].Arcs, func(x int32) bool {
		a := &r.g.Arcs[x]
		q := a.Other(wall)
		o := &r.g.Patches[q].Shape
		return a.Convexity != graph.Concave && o.Kind != surface.KindPlane && r.g.Coaxial(s, o) &&
			(!o.Hollow || r.g.Reach(q, s).Hi > r.g.Reach(wall, s).Hi+r.g.Length && r.endsRound(q, s))
	})
}

// addGroove adds a groove from the side that sees most of it; nothing where no direction comes from the side.
func (r *recognizer) addGroove(group []int32, bottom int32) {
	g := r.g
	axis := g.Patches[bottom].Axis
	best, most := graph.None, 0.0
	for i, d := range r.v.Dirs {
		if seen := r.v.Seen(g, i, group); max(d.Dot(axis), -d.Dot(axis)) <= graph.DirectionTolerance && seen > most+sameShare {
			best, most = i, seen
		}
	}
	if best == graph.None {
		return
	}
	dir := r.v.Dirs[best]
	reach := geom.Interval{Lo: math.Inf(1)}
	for _, p := range group {
		o := g.Reach(p, &g.Patches[bottom].Shape)
		reach.Lo, reach.Hi = min(reach.Lo, o.Lo), max(reach.Hi, o.Hi)
	}
	r.add(found{
		typ: feature.Pocket, patches: group, dir: dir, axis: &axis, z: g.ExtentOf(group, dir),
		pocket: &feature.PocketShape{Open: true, Depth: reach.Length()}, rule: turnedGroove, reasons: []string{fmt.Sprintf(
			"A round bottom of diameter %s lies between walls that look at each other.", mm(2*reach.Lo))},
	})
}
