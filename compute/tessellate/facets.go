package tessellate

import (
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface/facets"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Faces that already consist of triangles (package facets) pass through unchanged at any tolerance.
//
// The corners on the boundary get the numbers of the shared edge points, side by side along the loops, so that the mesh
// is closed there as elsewhere. A corner of the mesh is the fan of triangles around it between two boundary sides:
// where the face touches itself in a point, its two fans may be two vertices of the part. An edge may have more samples
// than the triangles have corners, because of the adjacent face. It then divides the triangles at it.

// passing is the face of triangles in work.
type passing struct {
	*facets.Surface
	across  [][3]int32 // by side of a triangle: the adjacent triangle, -1 if there is none
	corner  []int32    // by corner 3t+k: the vertex of the worker, or absent
	borders map[[2]int32]int32
	points  map[geom.Vec3]int32
	reach   float64 // mm: maximum displacement of the boundary by repairs
	divided []division
}

// division is a side of a triangle with samples between its ends.
type division struct {
	corner int32
	inner  []int32 // vertices of the worker, from the start of the side to its end
}

// boundsFacets reports whether an edge is a side of triangles, which its samples must not skip.
func (r *run) boundsFacets(e *brep.Edge) bool {
	if k := e.Curve.Kind(); k != curve.KindPolyline && k != curve.KindLine {
		return false
	}
	for _, c := range e.Coedges {
		if _, ok := r.model.Faces[r.model.FaceOf(c)].Surface.(*facets.Surface); ok {
			return true
		}
	}
	return false
}

// facets writes the triangles of a face.
func (w *worker) facets(f brep.FaceID, s *facets.Surface) {
	tris := s.Triangles()
	p := passing{Surface: s, borders: map[[2]int32]int32{}, points: map[geom.Vec3]int32{},
		across: (&mesh.Mesh{Points: s.Points(), Triangles: tris}).Neighbors(),
		corner: make([]int32, 3*len(tris))}
	for i := range p.corner {
		p.corner[i] = absent
	}
	for t := range tris {
		for k, v := range tris[t] {
			if p.across[t][k] < 0 {
				p.borders[[2]int32{v, tris[t][(k+1)%3]}] = int32(3*t + k)
				p.points[s.Points()[v]] = v
			}
		}
	}
	w.clear()
	w.extra, w.n = w.extra[:0], w.n[:0]
	face := &w.run.model.Faces[f]
	for _, l := range face.Loops {
		w.passLoop(&p, w.run.model.Loops[l].Coedges, face.Reversed)
	}
	w.passRest(&p)
	own := make([]int32, len(s.Points()))
	for i := range own {
		own[i] = absent
	}
	for c, v := range p.corner {
		if v != absent {
			continue
		}
		at := tris[c/3][c%3]
		if own[at] == absent {
			own[at] = int32(len(w.p))
			w.p, w.n = append(w.p, s.Points()[at]), append(w.n, s.Normals()[at])
		}
		p.corner[c] = own[at]
	}
	w.write(w.passedTriangles(&p), face.Reversed)
}

// loopSample is a sample of the boundary; inner ones lie between the corners of triangles.
type loopSample struct {
	trim.Sample
	point int32 // of the surface; absent for inner ones
}

// passLoop gives the corners along a loop their shared points.
func (w *worker) passLoop(p *passing, loop []brep.CoedgeID, reversed bool) {
	var ring []loopSample
	for _, c := range loop {
		ce := w.run.model.Coedges[c]
		e := &w.run.model.Edges[ce.Edge]
		samples := w.run.EdgeSamples(ce.Edge)
		p.reach = max(p.reach, w.run.reach(e))
		for i := range len(samples) - 1 {
			x := samples[i]
			if ce.Reversed {
				x = samples[len(samples)-1-i]
			}
			at := int32(absent)
			if i == 0 || isCorner(e, x.T) {
				at = p.near(x.P)
			}
			ring = append(ring, loopSample{x, at})
		}
	}
	first := 0
	for first < len(ring) && ring[first].point == absent {
		first++
	}
	if first == len(ring) {
		return
	}
	n := len(ring)
	for i := first; i < first+n; {
		j := i + 1
		for ring[j%n].point == absent {
			j++
		}
		w.passSide(p, ring, i, j, reversed)
		i = j
	}
}

// isCorner reports whether an edge has a corner at a parameter.
func isCorner(e *brep.Edge, t float64) bool {
	return e.Curve.Kind() == curve.KindPolyline && t == float64(int64(t))
}

// reach returns the maximum displacement (mm) of an edge's ends by repairs.
func (r *run) reach(e *brep.Edge) float64 {
	return max(r.model.Tolerance.Length, e.Tolerance, r.model.Vertices[e.Start].Tolerance,
		r.model.Vertices[e.End].Tolerance)
}

// near returns the point of the boundary of the triangles at a place, or the nearest one within reach, in
// case
// repairs have moved it; absent for a place between corners.
func (p *passing) near(at geom.Vec3) int32 {
	if v, ok := p.points[at]; ok {
		return v
	}
	best, dist := int32(absent), p.reach*p.reach
	for t, tri := range p.Triangles() { // in their order, so that ties do not depend on a map
		for k, v := range tri {
			if p.across[t][k] < 0 {
				if d := p.Points()[v].Dist2(at); d <= dist && (d < dist || best == absent) {
					best, dist = v, d
				}
			}
		}
	}
	return best
}

// passSide gives the side between the corners i and j of a loop to the triangle at it, and the shared
// point at its start to the fan of triangles there.
func (w *worker) passSide(p *passing, ring []loopSample, i, j int, reversed bool) {
	n := len(ring)
	a, b := ring[i%n], ring[j%n]
	if reversed {
		a, b = b, a
	}
	v := w.passVertex(a.Sample, p.Normals()[a.point])
	c, ok := p.borders[[2]int32{a.point, b.point}]
	if !ok {
		return // see passRest
	}
	for at := c; at >= 0 && p.corner[at] == absent; at = p.around(at) {
		p.corner[at] = v
	}
	if j == i+1 {
		return
	}
	d := division{corner: c}
	from, to := p.Normals()[a.point], p.Normals()[b.point]
	for k := 1; k < j-i; k++ {
		x := ring[(i+k)%n]
		if reversed {
			x = ring[(j-k)%n]
		}
		normal := from.Lerp(to, float64(k)/float64(j-i)).Unit()
		d.inner = append(d.inner, w.passVertex(x.Sample, normal))
	}
	p.divided = append(p.divided, d)
}

// passRest gives corners on the boundary that no loop passes the nearest shared point within reach: repairs
// make points of short edges.
func (w *worker) passRest(p *passing) {
	for t, tri := range p.Triangles() {
		for k, v := range tri {
			if p.corner[3*t+k] != absent || p.across[t][k] >= 0 {
				continue
			}
			best, dist := int32(absent), p.reach*p.reach
			for i, q := range w.p {
				if d := q.Dist2(p.Points()[v]); d <= dist && (d < dist || best == absent) {
					best, dist = int32(i), d
				}
			}
			for at := int32(3*t + k); best != absent && at >= 0 && p.corner[at] == absent; at = p.around(at) {
				p.corner[at] = best
			}
		}
	}
}

func (w *worker) passVertex(s trim.Sample, normal geom.Vec3) int32 {
	w.p, w.index, w.n = append(w.p, s.P), append(w.index, s.Index), append(w.n, normal)
	return int32(len(w.p) - 1)
}

// around returns the corner of the next triangle around the point of a corner, toward the side that ends
// there; -1 at the boundary.
func (p *passing) around(corner int32) int32 {
	tris := p.Triangles()
	t, k := corner/3, corner%3
	at, from := tris[t][k], tris[t][(k+2)%3]
	o := p.across[t][(k+2)%3]
	if o < 0 {
		return -1
	}
	for k := range int32(3) {
		if tris[o][k] == at && tris[o][(k+1)%3] == from {
			return 3*o + k
		}
	}
	return -1 // a triangle of the opposite orientation
}

// passedTriangles returns the triangles over the worker's vertices, those at divided sides cut to fans.
func (w *worker) passedTriangles(p *passing) [][3]int32 {
	w.clip = w.clip[:0]
	for c := 0; c < len(p.corner); c += 3 {
		w.clip = append(w.clip, [3]int32{p.corner[c], p.corner[c+1], p.corner[c+2]})
	}
	pieces := map[int32][]int32{} // by divided triangle: its pieces in w.clip
	for _, d := range p.divided {
		t := d.corner / 3
		list, ok := pieces[t]
		if !ok {
			list = []int32{t}
		}
		a, b := p.corner[d.corner], p.corner[3*t+(d.corner%3+1)%3]
		pieces[t] = w.divideCorner(list, a, b, d.inner)
	}
	return w.clip
}

// divideCorner cuts the one of some triangles that has the side a→b at the inner points of the side, and
// returns them with the new ones.
func (w *worker) divideCorner(list []int32, a, b int32, inner []int32) []int32 {
	for _, i := range list {
		tri := w.clip[i]
		for k := range 3 {
			if tri[k] != a || tri[(k+1)%3] != b {
				continue
			}
			apex, last := tri[(k+2)%3], inner[0]
			w.clip[i] = [3]int32{a, last, apex}
			for _, v := range append(inner[1:len(inner):len(inner)], b) {
				list = append(list, int32(len(w.clip)))
				w.clip = append(w.clip, [3]int32{last, v, apex})
				last = v
			}
			return list
		}
	}
	return list
}
