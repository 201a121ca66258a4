package recognize

// Turned shoulders: the round walls above the steps of a turned body.
//
// The round wall above a shoulder is a boss if the shoulder ends in a larger coaxial round wall, even if little of both
// remains, or only a fillet and a rounding.

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// turnedShoulder is the rule of the round wall above a shoulder.
const turnedShoulder = "turned shoulder"

// shoulders proposes the round walls on the shoulders of turned bodies.
func shoulders(r *reading, v *verifier, d int, bases []wallBase) {
	g := r.g
	for i, f := range bases {
		s := &g.Patches[f.wall].Shape
		if r.isTaken(f.wall) || !s.IsMantle() || !graph.Parallel(s.Axis, g.Patches[f.floor].Axis) ||
			isCornerOf(r.partContext, f.wall, f.floor) {
			continue
		}
		outer := outerMantle(r.partContext, f.floor, s)
		if outer == 0 {
			continue
		}
		var patches []int32
		for _, o := range bases[i:] {
			if o.floor != f.floor { // bases of one floor are consecutive
				break
			}
			if r.isTaken(o.wall) || !g.Patches[o.wall].Shape.IsMantle() || !g.Coaxial(s, &g.Patches[o.wall].Shape) {
				continue
			}
			patches = append(patches, o.wall)
			if o.blend != graph.None && !r.isTaken(o.blend) {
				patches = append(patches, o.blend)
			}
		}
		addBoss(r, v, ascending(patches), d, turnedShoulder,
			fmt.Sprintf("A round wall of diameter %s rises from a shoulder that "+
				"ends at diameter %s on the same axis.", mm(2*s.Radius), mm(2*outer)))
	}
}

// isCornerOf reports whether a round wall on a floor continues smoothly into a plane on it. It is then the end or a
// corner of a body that is not round.
func isCornerOf(pc *partContext, wall, floor int32) bool {
	return pc.g.AnyNeighbor(wall, func(q int32, a *graph.Adjacency) bool {
		return a.Convexity == graph.Smooth && pc.g.IsPlane(q) && pc.meets(q, floor, graph.Concave)
	})
}

// filletedShoulder is a round wall on a shoulder that consists of a fillet and a rounding.
type filletedShoulder struct {
	wall, fillet int32
	radius       float64   // mm, of the outer round wall
	dir          geom.Vec3 // from the shoulder along the wall
}

// roundedShoulders proposes the round walls above shoulders without a plane. A wall with a shoulder at both ends is the
// waist of a part and no boss.
func roundedShoulders(r *reading, v *verifier) {
	g := r.g
	var necks []filletedShoulder
	count := map[int32]int{} // by wall
	for p := range int32(len(g.Patches)) {
		s := &g.Patches[p].Shape
		if r.isTaken(p) || s.Kind != surface.KindTorus || !s.Hollow || g.Sweep([]int32{p}, s) < graph.FullSweep {
			continue
		}
		if n, ok := neckOn(r, p); ok {
			necks = append(necks, n)
			count[n.wall]++
		}
	}
	for _, n := range necks {
		d := r.v.Find(n.dir)
		if count[n.wall] > 1 || r.isTaken(n.wall) || !r.sees(d, n.wall) {
			continue
		}
		addBoss(r, v, ascending([]int32{n.wall, n.fillet}), d, turnedShoulder, fmt.Sprintf(
			"A round wall rises from a rounded shoulder that ends at diameter %s on the same axis.", mm(2*n.radius)))
	}
}

// neckOn returns the round wall on a fillet around an axis if the rounding of a larger one follows on the other side of
// the fillet.
func neckOn(r *reading, fillet int32) (n filletedShoulder, ok bool) {
	g := r.g
	s := &g.Patches[fillet].Shape
	n = filletedShoulder{wall: graph.None, fillet: fillet}
	for q, a := range g.Neighbors(fillet) {
		o := &g.Patches[q].Shape
		switch {
		case o.IsMantle() && g.Coaxial(s, o) && math.Abs(a.Turn) <= shallowTurn:
			n.wall = q
		case a.Convexity == graph.Smooth && o.Kind == surface.KindTorus && !o.Hollow && g.Coaxial(s, o):
			for o, a := range g.Neighbors(q) {
				if w := &g.Patches[o].Shape; a.Convexity == graph.Smooth && w.IsMantle() && g.Coaxial(s, w) {
					n.radius = w.Radius
				}
			}
		}
	}
	if n.wall == graph.None || r.isTaken(n.wall) || g.Reach(n.wall, s).Hi >= n.radius-g.Length {
		return n, false
	}
	n.dir = s.Axis
	if g.Extent(n.wall, s.Axis).Mid() < g.Extent(fillet, s.Axis).Mid() {
		n.dir = s.Axis.Neg()
	}
	return n, true
}

// outerMantle returns the radius of the coaxial round wall at which a shoulder ends outside s, 0 if there is none.
func outerMantle(pc *partContext, floor int32, s *graph.Shape) float64 {
	for q, a := range pc.g.Neighbors(floor) {
		o := &pc.g.Patches[q].Shape
		if a.Convexity == graph.Convex && o.IsMantle() && pc.g.Coaxial(s, o) && o.Radius > s.Radius+pc.g.Length {
			return o.Radius
		}
	}
	return 0
}
