package recognize

// Turned shoulders: the round walls above the steps of a turned body.
//
// The round wall above a shoulder is a boss as long as the shoulder ends in a larger round wall on the same
// axis, however little of both is left and be it nothing but a fillet and a rounding.

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// turnedShoulder is the rule of the round wall above a shoulder.
const turnedShoulder = "turned shoulder"

// shoulders finds the round walls that stand on the shoulders of turned bodies.
func (r *recognizer) shoulders(d int, feet []foot) {
	g := r.g
	for i, f := range feet {
		s := &g.Patches[f.wall].Shape
		if r.taken[f.wall] || !s.IsMantle() || !graph.Parallel(s.Axis, g.Patches[f.floor].Axis) || r.isCornerOf(f.wall, f.floor) {
			continue
		}
		outer := r.outerMantle(f.floor, s)
		if outer == 0 {
			continue
		}
		var patches []int32
		for _, o := range feet[i:] {
			if o.floor != f.floor { // those of one floor follow each other
				break
			}
			if r.taken[o.wall] || !g.Patches[o.wall].Shape.IsMantle() || !g.Coaxial(s, &g.Patches[o.wall].Shape) {
				continue
			}
			patches = append(patches, o.wall)
			if o.blend != graph.None && !r.taken[o.blend] {
				patches = append(patches, o.blend)
			}
		}
		r.addBoss(ascending(patches), d, turnedShoulder, fmt.Sprintf("A round wall of diameter %s rises from a shoulder that "+
			"ends at diameter %s on the same axis.", mm(2*s.Radius), mm(2*outer)))
	}
}

// isCornerOf reports whether a round wall on a floor goes on smoothly in a plane on it: it is the end or a corner of something
// that is not round.
func (r *facts) isCornerOf(wall, floor int32) bool {
	return slices.ContainsFunc(r.g.Patches[wall].Arcs, func(x int32) bool {
		q := r.g.Arcs[x].Other(wall)
		return r.g.Arcs[x].Convexity == graph.Smooth && r.g.Patches[q].Kind == surface.KindPlane && r.meets(q, floor, graph.Concave)
	})
}

// neck is a round wall that stands on a shoulder which is all rounding: a fillet and a rounding that turn into
// each other.
type neck struct {
	wall, fillet int32
	radius       float64   // mm, of the round wall outside
	dir          geom.Vec3 // from the shoulder along the wall
}

// roundedShoulders finds the round walls above shoulders without a plane. What has one at both ends is the waist
// of a part, no boss.
func (r *recognizer) roundedShoulders() {
	g := r.g
	var necks []neck
	count := map[int32]int{} // by wall
	for i := range g.Patches {
		p := int32(i)
		s := &g.Patches[p].Shape
		if r.taken[p] || s.Kind != surface.KindTorus || !s.Hollow || g.Sweep([]int32{p}, s) < graph.FullSweep {
			continue
		}
		if n, ok := r.neckOn(p); ok {
			necks = append(necks, n)
			count[n.wall]++
		}
	}
	for _, n := range necks {
		d := r.v.Find(n.dir)
		if d == graph.None || count[n.wall] > 1 || r.taken[n.wall] || r.v.Share[d][n.wall] < direction.MinFloorVisibility {
			continue
		}
		r.addBoss(ascending([]int32{n.wall, n.fillet}), d, turnedShoulder, fmt.Sprintf(
			"A round wall rises from a rounded shoulder that ends at diameter %s on the same axis.", mm(2*n.radius)))
	}
}

// neckOn returns the round wall that stands on a fillet round an axis, where the rounding of a larger one follows on
// the fillet's other side.
func (r *recognizer) neckOn(fillet int32) (n neck, ok bool) {
	g := r.g
	s := &g.Patches[fillet].Shape
	n = neck{wall: graph.None, fillet: fillet}
	for _, x := range g.Patches[fillet].Arcs {
		a := &g.Arcs[x]
		q := a.Other(fillet)
		o := &g.Patches[q].Shape
		switch {
		case o.IsMantle() && g.Coaxial(s, o) && math.Abs(a.Turn) <= shallowTurn:
			n.wall = q
		case a.Convexity == graph.Smooth && o.Kind == surface.KindTorus && !o.Hollow && g.Coaxial(s, o):
			for _, y := range g.Patches[q].Arcs {
				if w := &g.Patches[g.Arcs[y].Other(q)].Shape; g.Arcs[y].Convexity == graph.Smooth && w.IsMantle() &&
					g.Coaxial(s, w) {
					n.radius = w.Radius
				}
			}
		}
	}
	if n.wall == graph.None || r.taken[n.wall] || g.Reach(n.wall, s).Hi >= n.radius-g.Length {
		return n, false
	}
	n.dir = s.Axis
	if g.Extent(n.wall, s.Axis).Mid() < g.Extent(fillet, s.Axis).Mid() {
		n.dir = s.Axis.Neg()
	}
	return n, true
}

// outerMantle returns the radius of the round wall in which a shoulder ends outside s, on the same
// axis; 0 when there is none.
func (r *facts) outerMantle(floor int32, s *graph.Shape) float64 {
	for _, x := range r.g.Patches[floor].Arcs {
		a := &r.g.Arcs[x]
		o := &r.g.Patches[a.Other(floor)].Shape
		if a.Convexity == graph.Convex && o.IsMantle() && r.g.Coaxial(s, o) && o.Radius > s.Radius+r.g.Length {
			return o.Radius
		}
	}
	return 0
}
