package mesh

import "millwright.dev/millwright/core/kernel/geom"

// Bounds returns the box of all points, empty for a mesh without points.
func (m *Mesh) Bounds() geom.Box { return geom.BoxOf(m.Points...) }

// Area returns the area of all triangles, mm².
func (m *Mesh) Area() float64 { return m.AreaOf(0, len(m.Triangles)) }

// AreaOf returns the area of the triangles [start, end), mm².
func (m *Mesh) AreaOf(start, end int) float64 {
	sum := 0.0
	for _, t := range m.Triangles[start:end] {
		sum += m.cross(t).Norm()
	}
	return sum / 2
}

// RegionAreas returns the area of each region, mm².
func (m *Mesh) RegionAreas() []float64 {
	areas := make([]float64, len(m.Regions))
	for i, r := range m.Regions {
		areas[i] = m.AreaOf(int(r.Start), int(r.End))
	}
	return areas
}

// Volume returns the enclosed volume, mm³; it is positive if the triangles are counter-clockwise, seen from outside. It
// is meaningless for a mesh that is not closed.
func (m *Mesh) Volume() float64 {
	return m.VolumeOf(0, len(m.Triangles), m.Bounds().Center())
}

// VolumeOf returns the signed volume, mm³, between the triangles [start, end) and the point apex.
// For a closed set of triangles it does not depend on apex, but loses digits when apex is far away.
func (m *Mesh) VolumeOf(start, end int, apex geom.Vec3) float64 {
	sum := 0.0
	for _, t := range m.Triangles[start:end] {
		a := m.Points[t[0]].Sub(apex)
		b := m.Points[t[1]].Sub(apex)
		c := m.Points[t[2]].Sub(apex)
		sum += a.Dot(b.Cross(c))
	}
	return sum / 6
}

// Centroid returns the center of the enclosed volume, or the center of the bounds without a volume.
func (m *Mesh) Centroid() geom.Vec3 {
	apex := m.Bounds().Center()
	var moment geom.Vec3
	sum := 0.0
	for _, t := range m.Triangles {
		a := m.Points[t[0]].Sub(apex)
		b := m.Points[t[1]].Sub(apex)
		c := m.Points[t[2]].Sub(apex)
		v := a.Dot(b.Cross(c))
		sum += v
		moment = moment.AddScaled(v, a.Add(b).Add(c))
	}
	if sum == 0 {
		return apex
	}
	return apex.AddScaled(1/(4*sum), moment)
}

// Normal returns the unit normal of triangle t, zero when the triangle has no area.
func (m *Mesh) Normal(t int) geom.Vec3 { return m.cross(m.Triangles[t]).Unit() }

func (m *Mesh) cross(t [3]int32) geom.Vec3 {
	a := m.Points[t[0]]
	return m.Points[t[1]].Sub(a).Cross(m.Points[t[2]].Sub(a))
}
