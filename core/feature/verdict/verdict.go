// Package verdict decides whether faces can be the feature that a rule proposes, from their visibility in the machining
// direction and from the space that they enclose.
package verdict

// One check for the proposals of all rules.
//
// A rule matches a pattern of faces and edges. A separate question is whether a tool can cut the pattern out of solid
// stock. Its answer is the same for every rule of a kind:
//
//   - No tool reaches the faces of a void that is closed on all sides.
//   - At least a given share of the faces is visible from the direction.
//   - The faces of a pocket or of an undercut channel do not lie in one plane and enclose air: all of them, or two that
//     share a concave edge. The faces of a boss enclose material.
//   - The walls of a boss look away from each other on at least one of its floors. If they face each other, the floor
//     belongs to a pocket, and material between several pockets is not a boss.
//   - Walls that no other rule took do not face each other across a concave edge: that would be a passage.
//
// A rejected proposal leaves its faces free for the rules that follow.
//
// Cost: linear in the triangles of the faces; to find a concave edge, their concave edges times their number.

import (
	"fmt"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	// leastFill is the least magnitude of Fill for an enclosure: shallow features, and faces around a little air next
	// to a little material, have less.
	leastFill = 0.02

	// hollowFill is the fill below which free walls bound a passage: about the fill of two faces of an equilateral
	// triangle.
	hollowFill = -0.2
)

// Candidate is a feature that a rule proposes.
type Candidate struct {
	Type      feature.Type
	Patches   []int32
	Direction geom.Vec3
	// Least is the least visible share of the faces; 0 disables the check.
	Least float64
}

// Verdict is the decision on a candidate.
type Verdict struct {
	Holds  bool
	Reason string // why not
}

func reject(format string, a ...any) Verdict { return Verdict{Reason: fmt.Sprintf(format, a...)} }

// Of decides whether a candidate is a valid feature.
func Of(g *graph.Graph, v *direction.Visibility, c *Candidate) Verdict {
	for _, p := range c.Patches {
		if g.Patches[p].Enclosed {
			return reject("Face %d bounds a hollow that is closed on all sides.", g.Patches[p].Faces[0])
		}
	}
	if d := v.Find(c.Direction); d != graph.None && c.Least > 0 {
		if seen := v.Seen(g, d, c.Patches); seen < c.Least {
			return reject("The direction sees %.0f %% of the faces, less than %.0f %%.", 100*seen, 100*c.Least)
		}
	}
	fill := Fill(g, c.Patches, nil)
	switch c.Type {
	case feature.Pocket, feature.Tslot, feature.Dovetail:
		if isOnePlane(g, c.Patches) {
			return reject("The faces lie in one plane and enclose nothing.")
		}
		if fill > leastFill && !hasHollow(g, c.Patches) {
			return reject("The faces enclose material (%.2f), not air.", fill)
		}
	case feature.Boss:
		if fill < -leastFill {
			return reject("The faces enclose air (%.2f), not material.", fill)
		}
		return onFloors(g, c)
	case feature.Wall:
		if fill < hollowFill && hasInnerEdge(g, c.Patches, func(int32, int32) bool { return true }) {
			return reject("The walls face each other (%.2f): they bound a void.", fill)
		}
	}
	return Verdict{Holds: true}
}

// isOnePlane reports whether all faces lie in one plane.
func isOnePlane(g *graph.Graph, patches []int32) bool {
	return !slices.ContainsFunc(patches, func(p int32) bool {
		s := &g.Patches[p].Shape
		return s.Kind != surface.KindPlane || p != patches[0] && !g.Continues(&g.Patches[patches[0]].Shape, s)
	})
}

// hasHollow reports whether the faces can enclose air. One face is concave, or two share a concave edge and enclose
// air, or their section at the axis of a round face does, since a pocket may surround a core.
func hasHollow(g *graph.Graph, patches []int32) bool {
	isAir := func(p, q int32) bool { return Fill(g, []int32{p, q}, nil) <= leastFill }
	return hasInnerEdge(g, patches, isAir) || slices.ContainsFunc(patches, func(p int32) bool {
		s := &g.Patches[p].Shape
		return s.Hollow && s.Kind != surface.KindPlane || s.IsMantle() && Fill(g, patches, s) <= leastFill
	})
}

// onFloors rejects a boss whose walls face each other on one of its floors and look away from each other on no floor.
func onFloors(g *graph.Graph, c *Candidate) Verdict {
	walls := map[int32][]int32{} // by floor
	for _, p := range c.Patches {
		for _, x := range g.Patches[p].Arcs {
			a := &g.Arcs[x]
			if q := a.Other(p); a.Convexity == graph.Concave && g.Facing(q, c.Direction) {
				walls[q] = append(walls[q], p)
			}
		}
	}
	least, most := 0.0, 0.0
	for _, of := range walls {
		fill := Fill(g, of, nil)
		least, most = min(least, fill), max(most, fill)
	}
	if least < hollowFill && most < leastFill {
		return reject("The walls face each other (%.2f) across every one of their floors.", least)
	}
	return Verdict{Holds: true}
}

// hasInnerEdge reports whether two of the patches that isFit accepts share a concave edge.
func hasInnerEdge(g *graph.Graph, patches []int32, isFit func(p, q int32) bool) bool {
	for _, p := range patches {
		for _, x := range g.Patches[p].Arcs {
			a := &g.Arcs[x]
			if q := a.Other(p); a.Convexity == graph.Concave && slices.Contains(patches, q) && isFit(p, q) {
				return true
			}
		}
	}
	return false
}
