package recognize

// Slanting passages.
//
// A passage from the interior of one plane to that of another is cut through, at any slant and with any walls: ducts
// for sound and air turn corners. No direction needs to be perpendicular to its ends or to see all of it. Its direction
// is the one that sees most, and hidden parts are reported as for all features.
//
// Cost: linear in the edges of free patches behind inner boundary loops.

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/sheetmetal"
	"millwright.dev/millwright/core/kernel/geom"
)

// tunnels proposes through pockets from the free patches between two planes.
func tunnels(r *reading, v *verifier) {
	for p := range int32(len(r.g.Patches)) {
		if !r.g.IsPlane(p) {
			continue
		}
		for _, loop := range r.boundaryLoops(p) {
			if walls := tunnel(r, p, &loop); len(walls) > 0 {
				addTunnel(r, v, walls)
			}
		}
	}
}

// tunnel returns the walls behind an inner boundary loop of a plane, ascending. They end only at inner loops of planes,
// one of another plane at least, and at crossing holes. It returns none otherwise, and if all walls are perpendicular
// to the plane (passage.go). Where a passage bends, its walls may meet in shallow convex edges or at a sliver.
func tunnel(r *reading, p int32, loop *graph.BoundaryLoop) (walls []int32) {
	if !loop.IsInner || len(loop.Arcs) == 0 {
		return nil
	}
	for _, x := range loop.Arcs {
		walls = append(walls, r.g.Arcs[x].Other(p))
	}
	walls = ascending(walls)
	isThrough := false
	for i := 0; i < len(walls); i++ {
		q := walls[i]
		if r.isTaken(q) || len(walls) > maxPassage {
			return nil
		}
		for _, x := range r.g.Patches[q].Arcs {
			o := r.g.Arcs[x].Other(q)
			switch {
			case opens(r.partContext, o, x):
				isThrough = isThrough || o != p
			case r.g.Arcs[x].Convexity == graph.Convex && r.typeOf(o) == feature.Hole:
			case r.g.Arcs[x].Convexity == graph.Convex && math.Abs(r.g.Arcs[x].Turn) > shallowTurn && !r.isSliver(q) &&
				!r.isSliver(o):
				return nil
			case !slices.Contains(walls, o):
				walls = append(walls, o)
			}
		}
	}
	if !isThrough || r.areVertical(walls, r.g.Patches[p].Axis) {
		return nil
	}
	return ascending(walls)
}

// isSliver reports whether a patch is no wider than flushTolerance.
func (pc *partContext) isSliver(p int32) bool {
	return sheetmetal.IsNarrow(pc.g, p, pc.flushTolerance())
}

// opens reports whether an edge is convex and on an inner boundary loop of plane p.
func opens(pc *partContext, p, x int32) bool {
	return pc.g.IsPlane(p) && pc.g.Arcs[x].Convexity == graph.Convex &&
		slices.ContainsFunc(pc.boundaryLoops(p), func(loop graph.BoundaryLoop) bool {
			return loop.IsInner && slices.Contains(loop.Arcs, x)
		})
}

// addTunnel proposes walls as a passage along the direction that sees most of them.
func addTunnel(r *reading, v *verifier, walls []int32) {
	best, most := mostSeen(r.partContext, walls, graph.AxisTolerance, func(geom.Vec3) bool { return true })
	if most < direction.MinFloorVisibility {
		return
	}
	f := r.along(feature.Pocket, "slanting passage", walls, r.v.Dirs[best])
	f.pocket = &feature.PocketShape{Through: true, Depth: f.z.Length()}
	f.reasons = []string{fmt.Sprintf("%s from one plane through to another, %s long; %s of it is seen.",
		count(len(walls), "wall runs", "walls run"), mm(f.z.Length()), percent(most))}
	v.propose(f)
}
