package recognize

// Directions of straight passages and channels.
//
// Planes joined over parallel concave edges, or smoothly by concave cylinders along them, are the walls of one straight
// cut. A closed ring is a passage: through a round or bent body, no other feature may have its direction. An open chain
// of planes is a channel, cut from the middle of the half circle of its normals. If the normals need more than a half
// circle, the channel is undercut and open at its ends only. A direction is requested if no plane of the cut has it as
// normal.
//
// Cost: linear in concave edges.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// passageRequests returns the directions along straight passages and into straight channels.
func passageRequests(pc *partContext) []direction.Request {
	g := pc.g
	set := graph.NewUnionFind(len(g.Patches))
	isHeld := make([]bool, len(g.Patches))
	for i := range g.Arcs {
		if a := &g.Arcs[i]; isCorner(pc, a) {
			set.Join(a.A, a.B)
			isHeld[a.A], isHeld[a.B] = true, true
		}
	}
	var out []direction.Request
	for _, group := range set.Groups(func(p int32) bool { return isHeld[p] }) {
		along, isRing, ok := straight(pc, group)
		if !ok {
			continue
		}
		into, isOpen := into(pc, group, along)
		switch {
		case isRing || !isOpen || section.Encircles(g, along, group):
			out = append(out, direction.Request{Dir: along, Patches: group},
				direction.Request{Dir: along.Neg(), Patches: group})
		case into != (geom.Vec3{}):
			out = append(out, direction.Request{Dir: into, Patches: group})
		}
	}
	return out
}

// isCorner reports whether an edge is concave or belongs to a concave cylinder in its place.
func isCorner(pc *partContext, a *graph.Adjacency) bool {
	return a.Convexity == graph.Concave || a.Convexity == graph.Smooth && (pc.isFillet(a.A) || pc.isFillet(a.B))
}

// straight returns the direction of parallel corners between planes and concave cylinders, in the canonical sense, and
// whether each patch has two neighbors over them.
func straight(pc *partContext, group []int32) (along geom.Vec3, isRing, ok bool) {
	if len(group) > maxPassage {
		return along, false, false
	}
	const least = 3 // planes of a ring
	g := pc.g
	isRing = len(group) >= least
	for _, p := range group {
		if k := g.Patches[p].Kind; k != surface.KindPlane && (k != surface.KindCylinder || !g.Patches[p].Hollow) {
			return along, false, false
		}
		first, others := int32(graph.None), false
		for q, a := range g.Neighbors(p) {
			if !isCorner(pc, a) {
				continue
			}
			if along == (geom.Vec3{}) {
				along = graph.Canonical(a.Dir)
			}
			if !graph.Parallel(along, a.Dir) {
				return along, false, false
			}
			others = others || first != graph.None && q != first
			first = q
		}
		isRing = isRing && others
	}
	return along, isRing, true
}

// into returns the direction into a straight channel that sees all of its planes. It is zero if a plane faces it or
// requests such a direction, or if not all walls are planes. isOpen is false if there is no direction.
func into(pc *partContext, group []int32, along geom.Vec3) (dir geom.Vec3, isOpen bool) {
	frame := geom.NewFrame(geom.Vec3{}, along, geom.Vec3{})
	var angles []float64
	for _, p := range group {
		if !pc.g.IsPlane(p) {
			return geom.Vec3{}, true
		}
		n := pc.g.Patches[p].Axis
		if !slices.ContainsFunc(group, func(q int32) bool {
			return pc.g.Patches[q].Axis.Dot(n) < -graph.DirectionTolerance
		}) {
			return geom.Vec3{}, true
		}
		l := frame.LocalDir(n)
		angles = append(angles, math.Atan2(l.Y, l.X))
	}
	gap := section.WidestGap(angles) // sorts them
	if gap < math.Pi-graph.DirectionTolerance {
		return geom.Vec3{}, false
	}
	// The middle is opposite to that of the gap.
	for i, a := range angles {
		next := angles[(i+1)%len(angles)]
		if i == len(angles)-1 {
			next += 2 * math.Pi
		}
		if next-a >= gap {
			s, c := math.Sincos((a+next)/2 + math.Pi)
			return frame.Dir(geom.Vec3{X: c, Y: s}), true
		}
	}
	return geom.Vec3{}, false
}
