package feature

// Boundary loops of planar patches: which edges run round the outside, which round an island or an
// opening. They are chained from edges anew, because the loops of B-rep faces that were merged into
// one patch say nothing: two halves of a ring have no inner loop.

import (
	"slices"

	"millwright/core/brep"
	"millwright/core/geom"
)

// rim is one closed boundary of a patch.
type rim struct {
	coedges []brep.CoedgeID // in walking order, the patch on the left
	arcs    []int32         // the arcs of the graph along it; a rim has fewer than coedges at sheets
	isInner bool            // round an opening or an island, not round the patch
}

// rims returns the boundaries of a planar patch.
func (g *graph) rims(p int32) []rim {
	next := make(map[brep.VertexID][]brep.CoedgeID) // boundary coedges by start vertex
	var all []brep.CoedgeID
	for _, f := range g.patches[p].faces {
		for _, l := range g.model.Faces[f].Loops {
			for _, c := range g.model.Loops[l].Coedges {
				if g.inside(p, c) {
					continue
				}
				all = append(all, c)
				next[g.model.CoedgeStart(c)] = append(next[g.model.CoedgeStart(c)], c)
			}
		}
	}
	used := make(map[brep.CoedgeID]bool, len(all))
	var out []rim
	for _, start := range all {
		if used[start] {
			continue
		}
		var r rim
		for c := start; ; {
			used[c] = true
			r.coedges = append(r.coedges, c)
			i := slices.IndexFunc(next[g.model.CoedgeEnd(c)], func(n brep.CoedgeID) bool { return !used[n] })
			if i < 0 {
				break
			}
			c = next[g.model.CoedgeEnd(c)][i]
		}
		r.isInner = g.ringArea(r.coedges, g.patches[p].axis) < 0
		for _, x := range g.patches[p].arcs {
			onRing := func(c brep.CoedgeID) bool { return g.model.Coedges[c].Edge == g.arcs[x].edge }
			if slices.ContainsFunc(r.coedges, onRing) {
				r.arcs = append(r.arcs, x)
			}
		}
		out = append(out, r)
	}
	return out
}

// inside reports whether both sides of a coedge's edge are the patch p.
func (g *graph) inside(p int32, c brep.CoedgeID) bool {
	for _, o := range g.model.Edges[g.model.Coedges[c].Edge].Coedges {
		if g.patchOf[g.model.FaceOf(o)] != p {
			return false
		}
	}
	return true
}

// ringArea returns the signed area of a closed chain of coedges seen along normal, mm²: positive when
// it runs counter-clockwise.
func (g *graph) ringArea(ring []brep.CoedgeID, normal geom.Vec3) float64 {
	const pieces = 8 // per edge: the sign is safe, the exact area is not needed
	frame := geom.NewFrame(geom.Vec3{}, normal, geom.Vec3{})
	var pts []geom.Vec2
	for _, c := range ring {
		ce := &g.model.Coedges[c]
		e := &g.model.Edges[ce.Edge]
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
