package recognize

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/hole"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Holes, with the pieces of their shoulders and countersinks that other features cut off.

func holes(r *reading, v *verifier) {
	for i := range r.stacks {
		addHole(r, v, &r.stacks[i])
	}
	shouldersOfHoles(r, v)
}

func addHole(r *reading, v *verifier, s *hole.Stack) {
	h := hole.Measure(r.g, s, r.v)
	thread, patches := threadIn(r, s.Patches)
	reasons := []string{fmt.Sprintf("%s on one axis, diameter %s, %s deep.",
		count(len(s.Patches), "hollow face of revolution lies", "hollow faces of revolution lie"),
		mm(h.Shape.Diameter), mm(h.Shape.Depth))}
	if h.Shape.Through {
		reasons = append(reasons, "Both ends are open.")
	} else {
		reasons = append(reasons, fmt.Sprintf("Its lower end is closed: %s.", h.Shape.Bottom))
	}
	v.propose(candidate{
		typ: feature.Hole, patches: patches, dir: h.Dir, axis: &h.Axis, z: h.Z, hole: h.Shape, thread: thread,
		rule: "coaxial bores", reasons: reasons,
	})
}

// threadIn returns the thread in the wall of a hole, nil if there is none, and the patches of the hole with those of
// the thread.
func threadIn(r *reading, hole []int32) (*feature.ThreadShape, []int32) {
	for i := range r.threads {
		if t := &r.threads[i]; t.Inner && slices.ContainsFunc(t.Patches, func(p int32) bool {
			return slices.Contains(hole, p)
		}) {
			free := without(t.Patches, r.isTaken)
			return threadShape(t), ascending(slices.Concat(hole, free))
		}
	}
	return nil, hole
}

// shouldersOfHoles gives holes the split-off pieces of their shoulders: coplanar planes within the bore above.
func shouldersOfHoles(r *reading, v *verifier) {
	g := r.g
	planes := g.NewPlanes(only(r.free(), g.IsPlane))
	for i := range r.features {
		f := r.features[i]
		if f.typ != feature.Hole {
			continue
		}
		for _, q := range slices.Clone(f.patches) {
			s := &g.Patches[q].Shape
			bore := boreAbove(r.partContext, f, q)
			if s.Kind != surface.KindPlane || bore == graph.None {
				continue
			}
			b := &g.Patches[bore].Shape
			planes.Between(s.Axis, s.Origin, -g.Length, g.Length, func(p int32) {
				if !r.isTaken(p) && g.Continues(s, &g.Patches[p].Shape) && g.Reach(p, b).Hi <= b.Radius+r.g.Slack() {
					v.extend(int32(i), p)
				}
			})
		}
	}
}

// boreAbove returns the cylinder of a hole that rises from one of its shoulders, None if there is none.
func boreAbove(pc *partContext, f *candidate, shoulder int32) int32 {
	for q, a := range pc.g.Neighbors(shoulder) {
		if a.Convexity == graph.Concave && pc.g.Patches[q].Kind == surface.KindCylinder && pc.g.Patches[q].Hollow &&
			slices.Contains(f.patches, q) {
			return q
		}
	}
	return graph.None
}

// countersinks gives holes the split-off pieces of their countersinks: pieces of one cone, and cones that narrow down
// to the bore at its end or beyond, across air.
func countersinks(r *reading, v *verifier) {
	var cones []int32
	for p, is := range r.bevels {
		if is && !r.isTaken(int32(p)) && r.g.Patches[p].Kind == surface.KindCone {
			cones = append(cones, int32(p))
		}
	}
	for i := range r.features {
		f := r.features[i]
		if f.typ != feature.Hole {
			continue
		}
		queue := slices.Clone(f.patches)
		for k := 0; k < len(queue); k++ { // added cones may have further pieces
			q := queue[k]
			for _, p := range cones {
				if !r.isTaken(p) && (r.g.OnOneSurface(p, q) || isCountersinkOf(r.partContext, p, q, f)) {
					v.extend(int32(i), p)
					queue = append(queue, p)
				}
			}
		}
	}
}

// isCountersinkOf reports whether a cone is the countersink at an end of a hole, split off by other features. It is
// coaxial with the bore, opens away from the hole, and would meet the bore at its end or beyond. A cone around a wider
// bore is the chamfer of that bore.
func isCountersinkOf(pc *partContext, cone, bore int32, f *candidate) bool {
	g := pc.g
	s, b := &g.Patches[cone].Shape, &g.Patches[bore].Shape
	if !s.Hollow || s.Kind != surface.KindCone || b.Kind != surface.KindCylinder || !g.Coaxial(b, s) ||
		g.AnyNeighbor(cone, func(q int32, _ *graph.Adjacency) bool {
			o := &g.Patches[q].Shape
			return o.Kind == surface.KindCylinder && o.Hollow && g.Coaxial(b, o)
		}) {
		return false
	}
	hole, sink := g.ExtentOf(f.patches, b.Axis), g.Extent(cone, b.Axis)
	up, gap, low := b.Axis, sink.Lo-hole.Hi, sink.Lo
	if sink.Mid() < hole.Mid() {
		up, gap, low = b.Axis.Neg(), hole.Lo-sink.Hi, sink.Hi
	}
	axisAt := func(z float64) geom.Vec3 { return b.Origin.AtHeight(z, b.Axis) }
	narrow := s.RadiusAt(axisAt(low))
	below := (narrow - b.Radius) / math.Abs(math.Tan(s.Slope)) // mm, from its base down to the bore
	return gap > 0 && math.Abs(s.RadiusAt(axisAt(low).AddScaled(g.Length, up))) > math.Abs(narrow) &&
		below > -pc.g.Slack() && math.Abs(below) <= gap+pc.g.Slack() && !g.Crosses(axisAt(hole.Mid()), axisAt(low))
}
