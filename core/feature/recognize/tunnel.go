package recognize

// Slanting passages.
//
// What runs from the inside of one plane to that of another is cut through, whichever way it leans and whatever its walls
// are: sound and air are led round corners so. No direction need be square to its ends or see all of it; the one that sees
// most makes it, with what is left over named as everywhere.
//
// Cost: linear in the edges of free patches behind inner rims.

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/sheetmetal"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// tunnels makes through pockets of the free patches that run from one plane to another.
func (r *recognizer) tunnels() {
	for i := range r.g.Patches {
		p := int32(i)
		if r.g.Patches[p].Kind != surface.KindPlane {
			continue
		}
		for _, ring := range r.rims(p) {
			if walls := r.tunnel(p, &ring); len(walls) > 0 {
				r.addTunnel(walls)
			}
		}
	}
}

// tunnel returns the walls behind an inner rim of a plane, ascending, when they end at inner rims of planes and at holes across
// them alone, of another plane too; none else, nor where all are square to the plane, which is left to the rule for that
// (passage.go). Where a passage bends its walls meet in outer edges too, or at a sliver between them.
func (r *recognizer) tunnel(p int32, ring *graph.BoundaryLoop) (walls []int32) {
	if !ring.IsInner || len(ring.Arcs) == 0 {
		return nil
	}
	for _, x := range ring.Arcs {
		walls = append(walls, r.g.Arcs[x].Other(p))
	}
	walls = ascending(walls)
	leadsOn := false
	for i := 0; i < len(walls); i++ {
		q := walls[i]
		if r.taken[q] || len(walls) > maxPassage {
			return nil
		}
		for _, x := range r.g.Patches[q].Arcs {
			o := r.g.Arcs[x].Other(q)
			switch {
			case r.opens(o, x):
				leadsOn = leadsOn || o != p
			case r.g.Arcs[x].Convexity == graph.Convex && r.owner[o] != graph.None && r.out[r.owner[o]].typ == feature.Hole:
			case r.g.Arcs[x].Convexity == graph.Convex && math.Abs(r.g.Arcs[x].Turn) > shallowTurn && !r.isSliver(q) && !r.isSliver(o):
				return nil
			case !slices.Contains(walls, o):
				walls = append(walls, o)
			}
		}
	}
	if !leadsOn || r.areUpright(walls, r.g.Patches[p].Axis) {
		return nil
	}
	return ascending(walls)
}

// isSliver reports whether a patch is no wider than parts are drawn apart that were meant to be flush.
func (r *facts) isSliver(p int32) bool {
	return sheetmetal.IsNarrow(r.g, p, r.drawnApart())
}

// opens reports whether an edge is an outer one on an inner rim of a plane.
func (r *facts) opens(p, x int32) bool {
	return r.g.Patches[p].Kind == surface.KindPlane && r.g.Arcs[x].Convexity == graph.Convex &&
		slices.ContainsFunc(r.rims(p), func(ring graph.BoundaryLoop) bool { return ring.IsInner && slices.Contains(ring.Arcs, x) })
}

// addTunnel adds walls as a passage along the direction that sees most of them.
func (r *recognizer) addTunnel(walls []int32) {
	best, most := 0, 0.0
	for d := range r.v.Dirs {
		if s := r.v.Seen(r.g, d, walls); s > most+graph.AxisTolerance {
			best, most = d, s
		}
	}
	if most < direction.MinFloorVisibility {
		return
	}
	dir := r.v.Dirs[best]
	z := r.g.ExtentOf(walls, dir)
	r.add(found{
		typ: feature.Pocket, patches: walls, dir: dir, axis: &dir, z: z,
		pocket: &feature.PocketShape{Through: true, Depth: z.Length()},
		rule:   "slanting passage", reasons: []string{fmt.Sprintf("%s from one plane through to another, %s long; %s of it is seen.",
			count(len(walls), "wall runs", "walls run"), mm(z.Length()), percent(most))},
	})
}
