package recognize

// Grooves turned into the outside of a round body, and grooves around a core in a face without a flat floor.
//
// A turned groove has a round bottom between walls that face each other: perpendicular planes, coaxial cones or
// fillets. It may also be one fillet, or two cones that meet.
//
// Along the axis each wall hides the other, and no other side sees all of the bottom: the tool comes from the side
// while the part turns. A wall visible along the axis is the shoulder of a larger stage.

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

// turnedGroove is the rule of a groove turned into the outside of a round body.
const turnedGroove = feature.TurnedGroove

// grooveRequests returns a direction from the side for each axis with a groove.
func grooveRequests(pc *partContext) (out []direction.Request) {
	for p := range int32(len(pc.g.Patches)) {
		s := &pc.g.Patches[p].Shape
		if !s.IsMantle() || !isCutInto(pc, p) {
			continue
		}
		k := slices.IndexFunc(out, func(o direction.Request) bool {
			return math.Abs(o.Dir.Dot(s.Axis)) <= graph.DirectionTolerance
		})
		if k < 0 {
			k = len(out)
			out = append(out, direction.Request{Dir: fromSide(pc, s.Axis), Share: minRoundShare})
		}
		out[k].Patches = append(out[k].Patches, p)
	}
	return out
}

// isCutInto reports whether walls, with or without fillets, rise from both ends of a round patch to one radius.
func isCutInto(pc *partContext, p int32) bool {
	g := pc.g
	s := &g.Patches[p].Shape
	along, against := 0.0, 0.0 // mm, largest radius about the axis
	eachWall(pc, p, func(q, _ int32) {
		switch sense := pc.facesAlong(q, p); {
		case sense > 0:
			along = max(along, g.Reach(q, s).Hi)
		case sense < 0:
			against = max(against, g.Reach(q, s).Hi)
		}
	})
	return along > 0 && against > 0 && math.Abs(along-against) <= pc.g.Slack() || flankOf(pc, p) != graph.None
}

// eachWall visits the walls that rise from the ends of a round patch, with the fillet between, None for a sharp edge. A
// fillet without a wall counts as a wall.
func eachWall(pc *partContext, bottom int32, visit func(wall, fillet int32)) {
	g := pc.g
	for q, a := range g.Neighbors(bottom) {
		switch f := &g.Patches[q].Shape; {
		case a.Convexity == graph.Concave:
			visit(q, graph.None)
		case a.Convexity == graph.Smooth && f.Kind == surface.KindTorus && f.Hollow && g.Coaxial(&g.Patches[bottom].Shape, f):
			ends := true
			for o, a := range g.Neighbors(q) {
				if a.Convexity == graph.Smooth && pc.facesAlong(o, bottom) != 0 {
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

// flankOf returns the cone that rises from the narrow end of a coaxial cone in a concave edge, to the same radius, None
// if there is none. They are the flanks of a V groove.
func flankOf(pc *partContext, p int32) int32 {
	g := pc.g
	s := &g.Patches[p].Shape
	for q, a := range g.Neighbors(p) {
		o := &g.Patches[q].Shape
		if a.Convexity == graph.Concave && !isShallow(a) && s.Kind == surface.KindCone && o.Kind == surface.KindCone &&
			!o.Hollow && g.Coaxial(s, o) && math.Abs(g.Reach(p, s).Hi-g.Reach(q, s).Hi) <= pc.g.Slack() {
			return q
		}
	}
	return graph.None
}

// facesAlong returns the sense of a wall at an end of a round patch along its axis: of a perpendicular plane, or a
// coaxial cone or torus. It is 0 for others.
func (pc *partContext) facesAlong(wall, bottom int32) float64 {
	g := pc.g
	s, w := &g.Patches[bottom].Shape, &g.Patches[wall].Shape
	switch {
	case w.Kind == surface.KindPlane && graph.Parallel(w.Axis, s.Axis):
		return w.Axis.Dot(s.Axis)
	case (w.Kind == surface.KindCone && !w.Hollow || w.Kind == surface.KindTorus) && g.Coaxial(s, w):
		return g.Extent(bottom, s.Axis).Mid() - g.Extent(wall, s.Axis).Mid()
	}
	return 0
}

// fromSide returns a direction perpendicular to an axis: the normal of the largest such plane if there is one.
func fromSide(pc *partContext, axis geom.Vec3) geom.Vec3 {
	best, most := geom.NewFrame(geom.Vec3{}, axis, geom.Vec3{}).X, 0.0
	for i := range pc.g.Patches {
		p := &pc.g.Patches[i]
		if p.Kind == surface.KindPlane && p.Area > (1+graph.AxisTolerance)*most &&
			math.Abs(p.Axis.Dot(axis)) <= graph.DirectionTolerance {
			best, most = p.Axis, p.Area
		}
	}
	return best
}

// grooves proposes turned grooves. Pieces of one bottom are one groove.
func grooves(r *reading, v *verifier) {
	n := len(r.g.Patches)
	set := graph.NewUnionFind(n)
	var bottoms []int32
	isOf := make([]bool, n)
	for p := range int32(len(r.g.Patches)) {
		if r.isTaken(p) || !r.g.Patches[p].Shape.IsMantle() {
			continue
		}
		walls, blends := grooveWalls(r, p)
		if len(walls) == 0 {
			continue
		}
		for _, q := range append(walls, blends...) {
			set.Join(p, q)
			isOf[q] = true
		}
		isOf[p] = true
		for _, q := range bottoms {
			if areOneBottom(r.partContext, p, q) {
				set.Join(p, q)
			}
		}
		bottoms = append(bottoms, p)
	}
	for _, p := range bottoms {
		joinAround(r.partContext, p, bottoms, set)
	}
	filletGrooves(r, v)
	vGrooves(r, v)
	faceGrooves(r, v)
	for _, group := range set.Groups(func(p int32) bool { return isOf[p] && !r.isTaken(p) }) {
		if i := slices.IndexFunc(group, func(p int32) bool { return contains(bottoms, p) }); i >= 0 {
			addGroove(r, v, group, group[i])
		}
	}
}

// vGrooves proposes the grooves of two flanks without a bottom.
func vGrooves(r *reading, v *verifier) {
	for p := range int32(len(r.g.Patches)) {
		if r.isTaken(p) || !r.g.Patches[p].Shape.IsMantle() {
			continue
		}
		if q := flankOf(r.partContext, p); q > p && !r.isTaken(q) {
			addGroove(r, v, []int32{p, q}, p)
		}
	}
}

// filletGrooves proposes the grooves that are one fillet around an axis. Its pieces surround the axis, lie on both
// sides of the center circle of the tube, and are hidden along the axis from both sides. The neck of a ball is not a
// groove.
func filletGrooves(r *reading, v *verifier) {
	g := r.g
	var all []int32
	for p := range int32(len(g.Patches)) {
		s := &g.Patches[p].Shape
		if s.Kind == surface.KindTorus && s.Hollow && !r.isTaken(p) && g.Reach(p, s).Hi <= s.Radius+g.Length &&
			r.isHiddenFrom(p, s.Axis) && r.isHiddenFrom(p, s.Axis.Neg()) {
			all = append(all, p)
		}
	}
	surfaces := g.NewSurfaces(all)
	for _, p := range all {
		s := &g.Patches[p].Shape
		var group []int32
		surfaces.On(s, func(q int32) {
			if !r.isTaken(q) {
				group = append(group, q)
			}
		})
		z, center := g.ExtentOf(group, s.Axis), s.Origin.Dot(s.Axis)
		if len(group) == 0 || z.Lo > center-r.g.Slack() || z.Hi < center+r.g.Slack() ||
			g.Sweep(group, s) <= math.Pi+graph.SmoothAngle || leadsToBall(r.partContext, group) {
			continue
		}
		for _, q := range slices.Clone(group) {
			for w, a := range g.Neighbors(q) {
				if a.Convexity == graph.Smooth && r.isFreeEnd(w, s) && r.isHiddenFrom(w, g.Patches[w].Axis) {
					group = append(append(group, w), r.roundingsOf(w, s)...)
				}
			}
			group = append(group, r.roundingsOf(q, s)...)
		}
		addGroove(r, v, ascending(group), p)
	}
}

// leadsToBall reports whether fillets join a sphere smoothly: they are the neck of a ball and part of its surface.
func leadsToBall(pc *partContext, fillets []int32) bool {
	return slices.ContainsFunc(fillets, func(p int32) bool {
		return pc.g.AnyNeighbor(p, func(o int32, a *graph.Adjacency) bool {
			q := &pc.g.Patches[o]
			return a.Convexity == graph.Smooth && q.Kind == surface.KindSphere && !q.Hollow
		})
	})
}

// faceGrooves proposes the grooves in a face, around a core, without a flat floor. They lie between a bore and its
// core, which meet or end in one fillet. A core that rises beyond the bore is separate.
func faceGrooves(r *reading, v *verifier) {
	g := r.g
	for p := range int32(len(g.Patches)) {
		s := &g.Patches[p].Shape
		core, at := coreOfBore(r, p)
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
		if g.ExtentOf(inner, dir).Hi <= g.ExtentOf(group, dir).Hi+r.g.Slack() {
			group = append(group, inner...)
		} else if core == bottom {
			continue
		}
		group = ascending(append(group, bottom))
		f := r.along(feature.Pocket, "ring-shaped groove", group, dir)
		f.pocket = &feature.PocketShape{Depth: f.z.Length()}
		f.reasons = []string{fmt.Sprintf("It runs round something of diameter %s and has no flat floor.",
			mm(2*g.Patches[core].Radius))}
		v.propose(f)
	}
}

// coreOfBore returns the round outer wall in a bore without a floor, and the edge from the bore to it or to the fillet
// between. It returns None if there is none.
func coreOfBore(r *reading, bore int32) (core int32, at *graph.Adjacency) {
	g := r.g
	s := &g.Patches[bore].Shape
	if r.isTaken(bore) || !s.Hollow || s.Kind != surface.KindCylinder && s.Kind != surface.KindCone ||
		g.Sweep([]int32{bore}, s) < graph.FullSweep {
		return graph.None, nil
	}
	isCore := func(p int32) bool {
		o := &g.Patches[p].Shape
		return !r.isTaken(p) && o.IsMantle() && g.Coaxial(s, o)
	}
	for q, a := range g.Neighbors(bore) {
		if t := &g.Patches[q].Shape; t.Kind == surface.KindTorus && t.Hollow && !r.isTaken(q) && g.Coaxial(s, t) {
			for o := range g.Neighbors(q) {
				if isCore(o) {
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

// joinAround joins the bottoms of one diameter on both sides of a deeper groove, which was turned into them.
func joinAround(pc *partContext, deeper int32, bottoms []int32, set graph.UnionFind) {
	g := pc.g
	s := &g.Patches[deeper].Shape
	var beside []int32
	for w, a := range g.Neighbors(deeper) {
		if a.Convexity != graph.Concave || !graph.Parallel(g.Patches[w].Axis, s.Axis) {
			continue
		}
		for q, a := range g.Neighbors(w) {
			if !contains(bottoms, q) || a.Convexity != graph.Convex {
				continue
			}
			for _, p := range beside {
				if g.OnOneSurface(p, q) {
					set.Join(p, q)
				}
			}
			beside = append(beside, q)
		}
	}
}

// areOneBottom reports whether two round patches lie on one surface and overlap along its axis.
func areOneBottom(pc *partContext, p, q int32) bool {
	g := pc.g
	s := &g.Patches[p].Shape
	if !g.Continues(s, &g.Patches[q].Shape) {
		return false
	}
	return g.Extent(p, s.Axis).Intersect(g.Extent(q, s.Axis)).Length() > 0
}

// grooveWalls returns the walls at the ends of a round bottom that are hidden along the axis, with the fillets at their
// base and the roundings of their edges. It returns none if an end has neither a wall nor a deeper groove.
func grooveWalls(r *reading, bottom int32) (walls, blends []int32) {
	g := r.g
	s := &g.Patches[bottom].Shape
	var along, against bool // ends of the bottom
	end := func(sense float64) { along, against = along || sense > 0, against || sense < 0 }
	eachWall(r.partContext, bottom, func(q, fillet int32) {
		sense := r.facesAlong(q, bottom)
		if k := g.Patches[q].Kind; sense == 0 || (k == surface.KindPlane || k == surface.KindTorus) && r.isTaken(q) ||
			fillet != graph.None && r.isTaken(fillet) {
			return
		}
		end(sense)
		if fillet != graph.None {
			blends = append(blends, fillet)
		}
		if !r.isTaken(q) && endsRound(r.partContext, q, s) && r.isHiddenFrom(q, s.Axis.Scale(math.Copysign(1, sense))) {
			walls = append(walls, q)
			blends = append(blends, r.roundingsOf(q, s)...)
		}
	})
	for q, a := range g.Neighbors(bottom) { // another groove continues deeper
		if f := &g.Patches[q].Shape; a.Convexity == graph.Convex && r.isFreeEnd(q, s) && r.isHiddenFrom(q, f.Axis) &&
			hasBottom(r.partContext, q, s) {
			end(-f.Axis.Dot(s.Axis))
		}
	}
	if !along || !against {
		return nil, nil
	}
	return walls, blends
}

// isFreeEnd reports whether a patch is a free plane perpendicular to the axis of s.
func (r *reading) isFreeEnd(p int32, s *graph.Shape) bool {
	o := &r.g.Patches[p].Shape
	return !r.isTaken(p) && o.Kind == surface.KindPlane && graph.Parallel(o.Axis, s.Axis)
}

// isHiddenFrom reports whether a direction does not see most of a patch.
func (pc *partContext) isHiddenFrom(p int32, dir geom.Vec3) bool {
	return !pc.sees(pc.v.Find(dir), p)
}

// hasBottom reports whether a plane rises from a round patch on the axis of s.
func hasBottom(pc *partContext, p int32, s *graph.Shape) bool {
	return pc.g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
		o := &pc.g.Patches[q].Shape
		return a.Convexity == graph.Concave && o.IsMantle() && pc.g.Coaxial(s, o)
	})
}

// roundingsOf returns the free roundings of the edge of a wall around the axis of s.
func (r *reading) roundingsOf(wall int32, s *graph.Shape) (out []int32) {
	for q, a := range r.g.Neighbors(wall) {
		o := &r.g.Patches[q].Shape
		if a.Convexity != graph.Smooth || o.Kind != surface.KindTorus || !r.g.Coaxial(s, o) || r.isTaken(q) {
			continue
		}
		if !o.Hollow {
			out = append(out, q)
		} else if r.g.Reach(q, s).Hi > r.g.Reach(wall, s).Hi+r.g.Length { // the wall bends up before its edge
			out = append(append(out, q), r.roundingsOf(q, s)...)
		}
	}
	return out
}

// endsRound reports whether a wall perpendicular to the axis of s ends in a round patch on that axis.
func endsRound(pc *partContext, wall int32, s *graph.Shape) bool {
	return pc.g.AnyNeighbor(wall, func(q int32, a *graph.Adjacency) bool {
		o := &pc.g.Patches[q].Shape
		return a.Convexity != graph.Concave && o.Kind != surface.KindPlane && pc.g.Coaxial(s, o) &&
			(!o.Hollow || pc.g.Reach(q, s).Hi > pc.g.Reach(wall, s).Hi+pc.g.Length && endsRound(pc, q, s))
	})
}

// addGroove proposes a groove from the side that sees most of it. It does nothing without a direction from the side.
func addGroove(r *reading, v *verifier, group []int32, bottom int32) {
	g := r.g
	axis := g.Patches[bottom].Axis
	best, _ := mostSeen(r.partContext, group, shareTolerance, func(dir geom.Vec3) bool {
		return math.Abs(dir.Dot(axis)) <= graph.DirectionTolerance
	})
	if best == graph.None {
		return
	}
	reach := geom.Interval{Lo: math.Inf(1)}
	for _, p := range group {
		reach = reach.Union(g.Reach(p, &g.Patches[bottom].Shape))
	}
	f := r.along(feature.Pocket, turnedGroove, group, r.v.Dirs[best])
	f.axis, f.pocket = &axis, &feature.PocketShape{Open: true, Depth: reach.Length()}
	f.reasons = []string{fmt.Sprintf("A round bottom of diameter %s lies between walls that look at each other.",
		mm(2*reach.Lo))}
	v.propose(f)
}
