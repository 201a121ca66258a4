package recognize

// Straight passages and channels that no plane and no hole asks a direction for.
//
// Planes joined by parallel concave edges, or smoothly by hollow cylinders along them, are the walls of one straight
// cut. In a ring they are those of a passage: through a round or bent body nothing else on the part need point
// along it. In a chain of planes they are those of a
// channel, cut from the middle of the half circle in which all their normals lie; where the normals need more than
// that, the channel is undercut and open at its ends alone. A direction is worth a look where no plane of the
// cut has it for its normal.
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
func (r *facts) passageRequests() []direction.Request {
	g := r.g
	set := graph.NewUnionFind(len(g.Patches))
	isHeld := make([]bool, len(g.Patches))
	for i := range g.Arcs {
		if a := &g.Arcs[i]; r.isCorner(a) {
			set.Join(a.A, a.B)
			isHeld[a.A], isHeld[a.B] = true, true
		}
	}
	var out []direction.Request
	for _, group := range set.Groups(func(p int32) bool { return isHeld[p] }) {
		along, isRing, ok := r.straight(group)
		if !ok {
			continue
		}
		into, isOpen := r.into(group, along)
		switch {
		case isRing || !isOpen || section.Embraces(g, along, group):
			out = append(out, direction.Request{Dir: along, Patches: group},
				direction.Request{Dir: along.Neg(), Patches: group})
		case into != (geom.Vec3{}):
			out = append(out, direction.Request{Dir: into, Patches: group})
		}
	}
	return out
}

// isCorner reports whether an edge is concave or is that of a hollow cylinder which stands in the place of one.
func (r *facts) isCorner(a *graph.Adjacency) bool {
	return a.Convexity == graph.Concave || a.Convexity == graph.Smooth && (r.isFillet(a.A) || r.isFillet(a.B))
}

// straight returns the direction of the corners between some planes and hollow cylinders when they are parallel,
// in the canonical sense, and whether each patch has two neighbours over them.
func (r *facts) straight(group []int32) (along geom.Vec3, isRing, ok bool) {
	if len(group) > maxPassage {
		return along, false, false
	}
	const least = 3 // planes of a ring
	g := r.g
	isRing = len(group) >= least
	for _, p := range group {
		if k := g.Patches[p].Kind; k != surface.KindPlane && (k != surface.KindCylinder || !g.Patches[p].Hollow) {
			return along, false, false
		}
		first, others := int32(graph.None), false
		for _, x := range g.Patches[p].Arcs {
			a := &g.Arcs[x]
			if !r.isCorner(a) {
				continue
			}
			if along == (geom.Vec3{}) {
				along = graph.Canonical(a.Dir)
			}
			if !graph.Parallel(along, a.Dir) {
				return along, false, false
			}
			q := a.Other(p)
			others = others || first != graph.None && q != first
			first = q
		}
		isRing = isRing && others
	}
	return along, isRing, true
}

// into returns the direction into a straight channel that sees all of its planes, zero where one of them faces
// it or asks for another that does, or where it is not of planes alone; isOpen is false where there is none.
func (r *facts) into(group []int32, along geom.Vec3) (dir geom.Vec3, isOpen bool) {
	frame := geom.NewFrame(geom.Vec3{}, along, geom.Vec3{})
	var angles []float64
	for _, p := range group {
		if r.g.Patches[p].Kind != surface.KindPlane {
			return geom.Vec3{}, true
		}
		n := r.g.Patches[p].Axis
		if !slices.ContainsFunc(group, func(q int32) bool {
			return r.g.Patches[q].Axis.Dot(n) < -graph.DirectionTolerance
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
	// The middle lies opposite to that of the gap.
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
