package salvage

import (
	"maps"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// intersection is the known geometry around a vertex.
type intersection struct {
	edges    []brep.EdgeID
	curves   []curve.Curve
	surfaces []surface.Surface
	ends     []geom.Vec3 // the other ends of the edges
}

// RepairPoints finds the unknown points of vertices, and fits their edges.
func (w *PartialModel) RepairPoints() {
	if len(w.Points) == 0 || len(w.Points) > maxMended {
		return
	}
	reach := w.reach()
	uses := w.uses()
	around := map[brep.VertexID]*intersection{}
	for v := range w.Points {
		around[v] = &intersection{}
	}
	for e := range w.Model.Edges {
		id := brep.EdgeID(e)
		for _, v := range []brep.VertexID{w.Model.Edges[e].Start, w.Model.Edges[e].End} {
			if at := around[v]; at != nil && len(uses[e]) > 0 {
				w.meet(at, id, v, uses[e])
			}
		}
	}
	for _, v := range slices.Sorted(maps.Keys(around)) {
		at := around[v]
		p, ok := at.point(reach)
		if !ok {
			continue
		}
		why := w.Points[v]
		w.Vertices[v].Point = p
		delete(w.Points, v)
		w.made(MadeVertex, uses[at.edges[0]][0].face, "A vertex of %s was put where its edges and faces meet", why)
		for _, e := range at.edges {
			edge := &w.Model.Edges[e]
			if w.Points[edge.Start] == nil && w.Points[edge.End] == nil {
				w.Edges[e] = w.Fit(e)
			}
		}
	}
}

// meet adds an edge to the known geometry around a vertex.
func (w *PartialModel) meet(at *intersection, e brep.EdgeID, v brep.VertexID, uses []use) {
	at.edges = append(at.edges, e)
	if c := w.Curve(e); c != nil {
		at.curves = append(at.curves, c)
	}
	if on, ok := w.surfaces(uses); ok {
		at.surfaces = append(at.surfaces, on...)
	}
	edge := &w.Model.Edges[e]
	other := edge.Start
	if other == v {
		other = edge.End
	}
	if w.Points[other] == nil {
		at.ends = append(at.ends, w.Vertices[other].Point)
	}
}

// point returns the common point of all geometry, within tol (mm), if it is the only one apart from the other ends.
func (m *intersection) point(tol float64) (geom.Vec3, bool) {
	if len(m.curves)+len(m.surfaces) < 2 || len(m.ends) == 0 {
		return geom.Vec3{}, false
	}
	const apart = 10 // minimum distance between two solutions, in tolerances
	var middle geom.Vec3
	for _, p := range m.ends {
		middle = middle.AddScaled(1/float64(len(m.ends)), p)
	}
	var found []geom.Vec3
	for _, start := range append(slices.Clone(m.ends), middle) {
		p, ok := descend(m.curves, m.surfaces, start, tol)
		if !ok || slices.ContainsFunc(m.ends, func(q geom.Vec3) bool { return p.Dist(q) <= apart*tol }) {
			continue
		}
		if len(found) > 0 && found[0].Dist(p) > apart*tol {
			return p, false
		}
		found = append(found, p)
	}
	if len(found) == 0 {
		return geom.Vec3{}, false
	}
	return found[0], true
}

// descend iterates from a start to a common point of curves and surfaces. It returns false if the distance stays above
// tol, mm.
//
// Method: Gauss–Newton on the distances: a surface counts along its normal, a curve perpendicular to its tangent.
func descend(curves []curve.Curve, surfaces []surface.Surface, p geom.Vec3, tol float64) (geom.Vec3, bool) {
	const steps = 40
	for range steps {
		var a [3]geom.Vec3 // rows of the normal equations
		var b geom.Vec3
		add := func(n, gap geom.Vec3, weight float64) {
			a[0] = a[0].AddScaled(weight*n.X, n)
			a[1] = a[1].AddScaled(weight*n.Y, n)
			a[2] = a[2].AddScaled(weight*n.Z, n)
			b = b.AddScaled(weight*n.Dot(gap), n)
		}
		off := 0.0
		for _, c := range curves {
			t, _ := c.Invert(p)
			q, d := c.D1(t)
			gap := q.Sub(p)
			for _, axis := range []geom.Vec3{geom.World.X, geom.World.Y, geom.World.Z} {
				add(axis, gap, 1)
			}
			add(d.Unit(), gap, -1)
			off = max(off, gap.Norm())
		}
		for _, s := range surfaces {
			uv, _ := s.Invert(p)
			gap := s.At(uv.X, uv.Y).Sub(p)
			add(s.Normal(uv.X, uv.Y), gap, 1)
			off = max(off, gap.Norm())
		}
		// Cramer's rule; the matrix is symmetric, and of the order of the count of curves and surfaces.
		const flat = 1e-12 // of its cube; below it the geometry is tangent
		det := a[0].Dot(a[1].Cross(a[2]))
		count := float64(2*len(curves) + len(surfaces))
		if !(det > flat*count*count*count) {
			return p, false
		}
		step := geom.Vec3{X: b.Dot(a[1].Cross(a[2])), Y: b.Dot(a[2].Cross(a[0])),
			Z: b.Dot(a[0].Cross(a[1]))}.Scale(1 / det)
		p = p.Add(step)
		const settled = 1e-3 // of the tolerance
		if step.Norm() <= settled*tol {
			return p, off <= tol
		}
	}
	return p, false
}
