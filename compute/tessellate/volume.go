package tessellate

import (
	"math"

	"millwright/core/brep"
	"millwright/core/geom/surface"
	"millwright/core/mesh"
)

// This file keeps the volume. Where the angle tolerance governs, because the roundings of a part are small
// beside its size, an inscribed polygon of n sides lacks 6.6/n² of its circle's area: 2 % of the volume of
// a shaft at the default of 20°, which does not matter on a fillet. So the volume between the mesh and its
// surfaces is estimated, and a part that loses too much of its own is meshed again with tolerances that
// much smaller.
//
// Method: with unit normals n at the ends of a side d, the surface stands d·Δn/8 over its middle; the
// quadratic that vanishes at the corners and has these heights at the middles of the sides encloses a third
// of their sum times the triangle's area. One pass over the triangles; what is gained in hollows offsets
// what is lost on ridges. Normals at poles and creases make it inexact there, where triangles are small.

const (
	// volumeLoss is the share of its volume that a mesh may differ by, as estimated, and volumeGoal what
	// it is brought to: the first leaves the estimate a fifth of half a percent.
	volumeLoss = 4e-3
	volumeGoal = 3e-3
	// finest bounds how much smaller the angle tolerance is made: a tube may lose most of nothing.
	finest = 0.3
)

// finer returns the factor by which the angle tolerance must shrink, and the chord tolerance by its
// square, for the mesh to keep the volume; 1 when it does.
func (r *run) finer(m *mesh.Mesh) float64 {
	loss := math.Abs(lost(r.model, m)) / m.Volume()
	if !(loss > volumeLoss) || math.IsInf(loss, 0) {
		return 1
	}
	return max(finest, math.Sqrt(volumeGoal/loss))
}

// lost estimates the volume (mm³) between a mesh and the surfaces outside of it.
func lost(model *brep.Model, m *mesh.Mesh) float64 {
	total := 0.0
	place := make([]int32, len(m.Points)) // of a point among the vertices of the region in work
	for f := range m.Regions {
		reg := &m.Regions[f]
		if s := model.Faces[f].Surface; s == nil || s.Kind() == surface.KindPlane {
			continue
		}
		for i, v := range reg.Vertices {
			place[v] = int32(i)
		}
		for _, t := range m.Triangles[reg.Start:reg.End] {
			height := 0.0
			for k := range 3 {
				a, b := t[k], t[(k+1)%3]
				turn := reg.Normals[place[b]].Sub(reg.Normals[place[a]])
				height += m.Points[b].Sub(m.Points[a]).Dot(turn) / 8
			}
			p := m.Points[t[0]]
			area := m.Points[t[1]].Sub(p).Cross(m.Points[t[2]].Sub(p)).Norm() / 2
			total += area * height / 3
		}
	}
	return total
}
