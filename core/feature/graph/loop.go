package graph

// Boundary loops of planar patches: the edges around the outside, and those around an island or an opening. They are
// chained from edges, because the loops of B-rep faces merged into one patch do not show them. For example, two halves
// of a ring have no inner loop.

import (
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// BoundaryLoop is one closed boundary of a patch.
type BoundaryLoop struct {
	Coedges []brep.CoedgeID // in walking order, the patch on the left
	Arcs    []int32         // the arcs of the graph along it, ascending; fewer than coedges at sheets
	Area    float64         // mm², signed, of a polygon with a few corners per edge: below 0 for an inner loop
	IsInner bool            // around an opening or an island, not around the patch
}

// Rims returns the boundaries of a planar patch.
func (g *Graph) Rims(p int32) []BoundaryLoop {
	next := make(map[brep.VertexID][]brep.CoedgeID) // boundary coedges by start vertex
	var all []brep.CoedgeID
	for _, f := range g.Patches[p].Faces {
		for _, l := range g.Model.Faces[f].Loops {
			for _, c := range g.Model.Loops[l].Coedges {
				if g.inside(p, c) {
					continue
				}
				all = append(all, c)
				next[g.Model.CoedgeStart(c)] = append(next[g.Model.CoedgeStart(c)], c)
			}
		}
	}
	used := make(map[brep.CoedgeID]bool, len(all))
	ring := make(map[brep.EdgeID]int, len(all)) // the loop of each edge
	var out []BoundaryLoop
	for _, start := range all {
		if used[start] {
			continue
		}
		var r BoundaryLoop
		for c := start; ; {
			used[c] = true
			ring[g.Model.Coedges[c].Edge] = len(out)
			r.Coedges = append(r.Coedges, c)
			i := slices.IndexFunc(next[g.Model.CoedgeEnd(c)], func(n brep.CoedgeID) bool { return !used[n] })
			if i < 0 {
				break
			}
			c = next[g.Model.CoedgeEnd(c)][i]
		}
		r.Area = g.ringArea(r.Coedges, g.Patches[p].Axis)
		r.IsInner = r.Area < 0
		out = append(out, r)
	}
	for _, x := range g.Patches[p].Arcs {
		if i, ok := ring[g.Arcs[x].Edge]; ok {
			out[i].Arcs = append(out[i].Arcs, x)
		}
	}
	return out
}

// inside reports whether both sides of a coedge's edge are the patch p.
func (g *Graph) inside(p int32, c brep.CoedgeID) bool {
	for _, o := range g.Model.Edges[g.Model.Coedges[c].Edge].Coedges {
		if g.PatchOf[g.Model.FaceOf(o)] != p {
			return false
		}
	}
	return true
}

// ringArea returns the signed area of a closed chain of coedges seen along normal, mm²: positive when
// it runs counter-clockwise.
func (g *Graph) ringArea(ring []brep.CoedgeID, normal geom.Vec3) float64 {
	const pieces = 8 // per edge: the sign is safe, the exact area is not needed
	frame := geom.NewFrame(geom.Vec3{}, normal, geom.Vec3{})
	var pts []geom.Vec2
	for _, c := range ring {
		ce := &g.Model.Coedges[c]
		e := &g.Model.Edges[ce.Edge]
		if e.Curve == nil {
			continue
		}
		for i := range pieces {
			t := float64(i) / pieces
			if ce.Reversed {
				t = 1 - t
			}
			q := frame.LocalDir(e.Curve.At(e.Range.At(t)))
			pts = append(pts, geom.Vec2{X: q.X, Y: q.Y})
		}
	}
	area := 0.0
	for i := range pts {
		area += pts[i].Sub(pts[0]).Cross(pts[(i+1)%len(pts)].Sub(pts[0])) / 2
	}
	return area
}
