package recognize

// Cores of ring grooves.
//
// One tool cuts a ring groove along one path, so that its walls have one distance from each other. The walls around
// outer corners, opposite to others that rise to the same surface, are the walls of its core. The groove left the core,
// which is not an island. If other features cut the groove, its floor has several pieces, each with its own walls.
//
// Cost: quadratic in the walls of one groove and in the pieces of its floor, at most maxGroove each.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/chamfer"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// maxGroove bounds the walls of a groove and the pieces of its floor.
const maxGroove = 64

// ringGroove is a groove around a core.
type ringGroove struct {
	width        float64 // mm
	inner, outer []int32 // walls
}

// cores marks the walls of the cores of grooves, floor by floor, and the floors of each groove.
func cores(r *reading, _ *verifier) {
	var floors []int32
	at := make(map[int32]*floorCandidate, len(r.floors))
	for i := range r.floors {
		at[r.floors[i].patch] = &r.floors[i]
		floors = append(floors, r.floors[i].patch)
	}
	planes := r.g.NewPlanes(floors)
	for i := range r.floors {
		b := &r.floors[i]
		walls := wallsOn(r, b)
		if r.groove[b.patch] != 0 || len(walls) < 2 || len(walls) > maxGroove {
			continue
		}
		one := ringGroove{}
		one.inner, one.outer = splitWalls(r.partContext, walls, r.v.Dirs[b.dir])
		var ok bool
		if one.width, ok = isOffset(r, b, one.inner, one.outer); !ok || !riseToOne(r, one.inner, one.outer, b) {
			continue
		}
		r.groove[b.patch] = b.patch + 1
		followGroove(r, &one, b.patch, planes, at)
		for _, p := range one.inner {
			r.isCore[p] = true
		}
		for q := range r.g.Neighbors(b.patch) { // the fillets at their base too
			if r.isCore[r.above(q, b.patch)] {
				r.isCore[q] = true
			}
		}
	}
}

// followGroove finds the other pieces of the floor of a groove. They are coplanar, and their walls are on the surfaces
// of known walls or opposite to them.
func followGroove(r *reading, one *ringGroove, floor int32, planes *graph.PlaneIndex,
	at map[int32]*floorCandidate) {
	s := &r.g.Patches[floor].Shape
	var others []int32
	planes.Between(s.Axis, s.Origin, -r.g.Length, r.g.Length, func(q int32) {
		if r.groove[q] == 0 && len(others) < maxGroove && r.g.Continues(s, &r.g.Patches[q].Shape) {
			others = append(others, q)
		}
	})
	for again := true; again; {
		again = false
		for _, q := range others {
			if r.groove[q] == 0 && isPieceOf(r, one, at[q]) {
				r.groove[q] = floor + 1
				again = true
			}
		}
	}
}

// isPieceOf reports whether a floor is a piece of the floor of a groove, and adds its walls to those of the groove.
func isPieceOf(r *reading, one *ringGroove, b *floorCandidate) bool {
	walls := wallsOn(r, b)
	if len(walls) == 0 || len(walls) > maxGroove || len(one.inner)+len(one.outer) > maxGroove || isWider(r, b, one.width) {
		return false
	}
	isOf := func(p int32, same, across []int32, width func(p, q int32) float64) bool {
		return slices.ContainsFunc(same, func(q int32) bool {
			return r.g.Continues(&r.g.Patches[p].Shape, &r.g.Patches[q].Shape)
		}) || slices.ContainsFunc(across, func(q int32) bool { return math.Abs(width(p, q)-one.width) <= r.g.Slack() })
	}
	var inner, outer, rest []int32
	for _, p := range walls {
		switch {
		case isOf(p, one.inner, one.outer, func(p, q int32) float64 { return r.between(b, p, q) }):
			inner = append(inner, p)
		case isOf(p, one.outer, one.inner, func(p, q int32) float64 { return r.between(b, q, p) }):
			outer = append(outer, p)
		default:
			rest = append(rest, p)
		}
	}
	if len(inner)+len(outer) == 0 {
		inner, outer = otherRun(r.partContext, one, rest, b)
		rest = slices.DeleteFunc(rest, func(p int32) bool { return slices.Contains(inner, p) || slices.Contains(outer, p) })
	}
	for n := len(rest) + 1; len(rest) < n; { // the opposite wall is gone: it continues a known wall
		n = len(rest)
		rest = slices.DeleteFunc(rest, func(p int32) bool {
			switch {
			case continuesFrom(r.partContext, p, inner):
				inner = append(inner, p)
			case continuesFrom(r.partContext, p, outer):
				outer = append(outer, p)
			default:
				return false
			}
			return true
		})
	}
	if len(rest) > 0 {
		return false
	}
	one.inner, one.outer = append(one.inner, inner...), append(one.outer, outer...)
	return true
}

// otherRun returns two walls, one groove width apart, that are another run of the groove, or another corner of a known
// radius. The inner wall and the known core lie behind each other, as sides of one convex outline.
func otherRun(pc *partContext, one *ringGroove, walls []int32, b *floorCandidate) (inner, outer []int32) {
	g := pc.g
	isBehind := func(p, q int32) bool {
		s := &g.Patches[q].Shape
		return s.Kind != surface.KindPlane || g.Extent(p, s.Axis).Hi <= s.Origin.Dot(s.Axis)+pc.g.Slack()
	}
	isFlat := func(p int32) bool { return g.IsPlane(p) }
	hasSides := slices.ContainsFunc(one.inner, isFlat) // a round core has no corners
	isAlike := func(p int32) bool {
		s := &g.Patches[p].Shape
		return isFlat(p) || hasSides && g.Sweep([]int32{p}, s) < math.Pi &&
			slices.ContainsFunc(one.inner, func(k int32) bool {
				o := &g.Patches[k].Shape
				return o.Kind == s.Kind && graph.Parallel(o.Axis, s.Axis) && math.Abs(o.Radius-s.Radius) <= g.Length
			})
	}
	for _, p := range walls {
		for _, q := range walls {
			if isAlike(p) && math.Abs(pc.between(b, p, q)-one.width) <= pc.g.Slack() &&
				!slices.ContainsFunc(one.inner, func(k int32) bool { return !isBehind(k, p) || !isBehind(p, k) }) {
				return []int32{p}, []int32{q}
			}
		}
	}
	return nil, nil
}

// continuesFrom reports whether a patch joins one of some others smoothly.
func continuesFrom(pc *partContext, p int32, others []int32) bool {
	return pc.g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
		return a.Convexity == graph.Smooth && slices.Contains(others, q)
	})
}

// wallsOn returns the patches that rise from the boundary of a floor, with or without fillets, ascending.
func wallsOn(r *reading, b *floorCandidate) (out []int32) {
	for _, x := range r.g.Patches[b.patch].Arcs {
		if q := r.g.Arcs[x].Other(b.patch); !r.isTaken(q) && r.climbs(x, b) {
			out = append(out, r.above(q, b.patch))
		}
	}
	return ascending(out)
}

// above returns the wall above fillet or bevel q on a floor, or q itself if it is neither.
func (pc *partContext) above(q, floor int32) int32 {
	g := pc.g
	if !pc.isFillet(q) || !g.IsBlend(q) {
		return chamfer.WallOver(g, q, g.Patches[floor].Axis)
	}
	isOnFloor := func(p int32) bool {
		return g.AnyNeighbor(p, func(q int32, _ *graph.Adjacency) bool { return q == floor })
	}
	wall, longest, meets := q, 0.0, false
	for o, a := range g.Neighbors(q) {
		switch {
		case a.Convexity != graph.Smooth:
		case o == floor:
			meets = true
		case a.Length > longest && !isOnFloor(o):
			wall, longest = o, a.Length
		}
	}
	if !meets {
		return q
	}
	return wall
}

// splitWalls splits the walls on a floor into those around outer corners and the others. The inner ones are convex
// round walls, planes that meet in convex edges, and their continuations.
func splitWalls(pc *partContext, walls []int32, dir geom.Vec3) (inner, outer []int32) {
	g := pc.g
	isInner := make([]bool, len(walls))
	var queue []int
	push := func(i int) {
		if !isInner[i] && !pc.isFillet(walls[i]) {
			isInner[i] = true
			queue = append(queue, i)
		}
	}
	beside := func(i int, visit func(k int, a *graph.Adjacency)) {
		for q, a := range g.Neighbors(walls[i]) {
			if k, ok := slices.BinarySearch(walls, q); ok && a.Convexity != graph.Concave && !isPerpendicular(a, dir) {
				visit(k, a)
			}
		}
	}
	for i, p := range walls {
		if g.Patches[p].Shape.IsMantle() {
			push(i)
		}
		beside(i, func(k int, a *graph.Adjacency) {
			if a.Convexity == graph.Convex {
				push(i)
			}
		})
	}
	for n := 0; n < len(queue); n++ {
		beside(queue[n], func(k int, _ *graph.Adjacency) { push(k) })
	}
	for i, p := range walls {
		if isInner[i] {
			inner = append(inner, p)
		} else {
			outer = append(outer, p)
		}
	}
	return inner, outer
}

// riseToOne reports whether the face around a groove continues on its core.
func riseToOne(r *reading, core, outer []int32, b *floorCandidate) bool {
	tops := topsOf(r, core, b)
	return slices.ContainsFunc(topsOf(r, outer, b), func(t int32) bool {
		return slices.ContainsFunc(tops, func(o int32) bool {
			if t == o { // unless it is a side of the part at which both end
				return !r.isWall(t, r.v.Dirs[b.dir])
			}
			return r.g.Continues(&r.g.Patches[t].Shape, &r.g.Patches[o].Shape)
		})
	})
}

// isOffset reports whether opposite walls on a floor have one distance, width (mm), and the floor is nowhere wider.
// Where the floor is narrower, other features cut it.
func isOffset(r *reading, b *floorCandidate, core, outer []int32) (width float64, ok bool) {
	slack := r.g.Slack()
	for _, p := range core {
		for _, q := range outer {
			w := r.between(b, p, q)
			if w <= slack {
				continue
			}
			if width != 0 && math.Abs(w-width) > slack {
				return 0, false
			}
			width = w
		}
	}
	return width, width > 0 && !isWider(r, b, width)
}

// isWider reports whether a floor extends farther than width, mm, from one of its walls.
func isWider(r *reading, b *floorCandidate, width float64) bool {
	const beyond = 0.1 // ratio to the width: facets of a round wall deviate by less
	g := r.g
	up := r.v.Dirs[b.dir]
	for _, x := range g.Patches[b.patch].Arcs {
		if !r.climbs(x, b) {
			continue
		}
		a := &g.Arcs[x]
		n := g.NormalAt(g.Patches[r.above(a.Other(b.patch), b.patch)].Faces[0], a.Mid)
		at := a.Mid.AddScaled((1+beyond)*width, n.Reject(up).Unit())
		isOn := false
		g.EachTriangle(b.patch, func(p, q, s geom.Vec3) bool {
			side := func(from, to geom.Vec3) float64 { return to.Sub(from).Cross(at.Sub(from)).Dot(up) }
			isOn = side(p, q) >= 0 && side(q, s) >= 0 && side(s, p) >= 0
			return !isOn
		})
		if isOn && !slices.ContainsFunc(g.Patches[b.patch].Arcs, func(y int32) bool {
			return r.climbs(y, b) && isInNextRun(r.partContext, at, x, y, b, width)
		}) {
			return true
		}
	}
	return false
}

// isInNextRun reports whether a point lies within width, mm, of the plane over edge to that forms an inner corner with
// the wall over edge from: the groove turns there.
func isInNextRun(pc *partContext, at geom.Vec3, from, to int32, b *floorCandidate, width float64) bool {
	wall, next := pc.above(pc.g.Arcs[from].Other(b.patch), b.patch), pc.above(pc.g.Arcs[to].Other(b.patch), b.patch)
	if !pc.g.IsPlane(next) || !pc.meets(wall, next, graph.Concave) {
		return false
	}
	d := at.Sub(pc.g.Arcs[to].Mid).Dot(pc.g.Patches[next].Axis.Reject(pc.v.Dirs[b.dir]).Unit())
	return d > -pc.g.Slack() && d <= width+pc.g.Slack()
}

// between returns the width, mm, of a groove at its floor between the wall of a core and an opposite wall. It is 0 or
// less if they do not face each other. Drafted walls are extended to the floor.
func (pc *partContext) between(b *floorCandidate, core, outer int32) float64 {
	p, q := &pc.g.Patches[core].Shape, &pc.g.Patches[outer].Shape
	up := pc.v.Dirs[b.dir]
	switch {
	case p.Kind == surface.KindPlane && q.Kind == surface.KindPlane:
		n, far := p.Axis.Reject(up), q.Axis.Reject(up)
		if n.Dot(far) >= 0 || !graph.Parallel(n.Unit(), far.Unit()) {
			return 0
		}
		reach := func(s *graph.Shape, level float64) float64 {
			return (s.Origin.Dot(s.Axis) - b.z*s.Axis.Dot(up)) / level
		}
		return -reach(q, far.Norm()) - reach(p, n.Norm())
	case p.IsMantle() && q.Hollow && q.Kind == p.Kind && pc.g.Coaxial(p, q) && graph.Parallel(p.Axis, up):
		at := p.Origin.AddScaled((b.z-p.Origin.Dot(up))/p.Axis.Dot(up), p.Axis)
		return q.RadiusAt(at) - p.RadiusAt(at)
	}
	return 0
}

// topsOf returns the patches above the floor of b that some walls meet in convex edges, or over roundings or chamfers.
func topsOf(r *reading, walls []int32, b *floorCandidate) []int32 {
	var out []int32
	above := func(p int32, visit func(a *graph.Adjacency)) {
		for _, a := range r.g.Neighbors(p) {
			if a.Mid.Dot(r.v.Dirs[b.dir]) > b.z+r.g.Length {
				visit(a)
			}
		}
	}
	for _, p := range walls {
		above(p, func(a *graph.Adjacency) {
			q := a.Other(p)
			s := &r.g.Patches[q].Shape
			switch {
			case a.Convexity == graph.Convex:
				out = append(out, q)
				if r.isChamfer(q) {
					above(q, func(o *graph.Adjacency) { out = append(out, o.Other(q)) })
				}
			case a.Convexity == graph.Smooth && !s.Hollow && s.Kind != surface.KindPlane && !slices.Contains(walls, q):
				above(q, func(o *graph.Adjacency) {
					if t := o.Other(q); o.Convexity != graph.Concave && t != p && !slices.Contains(walls, t) {
						out = append(out, t)
					}
				})
			}
		})
	}
	return out
}
