package deviation

import (
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/kernel/mesh"
)

const (
	// grid divides each side of a triangle for its barycentric grid: 28 points, 25 of them not corners.
	// Points on sides belong to two triangles, so a mesh gets 18 points a triangle.
	grid = 6
	// places is the number of points of the grid that are not corners.
	places = (grid+1)*(grid+2)/2 - 3
	// far is the share of the chord tolerance from which a distance found by a local iteration is
	// confirmed by a global search.
	far = 0.8
	// seen is the height, as a share of the chord tolerance, from which a triangle's tilt can be seen.
	seen = 0.01
)

// gauge is the state of one call of Measure.
type gauge struct {
	ctx         context.Context
	model       *brep.Model
	result      *tessellate.Result
	mesh        *mesh.Mesh
	chord, tilt float64
	share       float64 // of all points of the grids that may be measured
}

// meter measures the triangles of one face.
type meter struct {
	*gauge
	Face
	surf    surface.Surface
	exact   bool // closest points have a closed form
	sign    float64
	samples int
	// foot and off are the parameters of the foot point and the distance, for each point of the region.
	vertices []int32
	foot     []geom.Vec2
	off      []float64
}

// face measures one face; it also returns the number of measured points.
func (g *gauge) face(f brep.FaceID) (Face, int) {
	reg := &g.mesh.Regions[f]
	face := &g.model.Faces[f]
	if reg.Start == reg.End || face.Surface == nil {
		return Face{}, 0
	}
	if face.Surface.Kind() == surface.KindFacets { // its triangles are the mesh
		return Face{Triangles: int(reg.End - reg.Start)}, 0
	}
	m := meter{gauge: g, surf: face.Surface, exact: face.Surface.Kind().IsAnalytic(), vertices: reg.Vertices}
	m.Triangles = int(reg.End - reg.Start)
	m.corners()
	m.sign = m.sense(reg, face.Reversed)
	rough := make([]float64, 0, m.Triangles)
	for t := reg.Start; t < reg.End && g.ctx.Err() == nil; t++ {
		m.shape(int(t))
		if g.share >= 1 {
			m.dense(g.mesh.Triangles[t])
		} else {
			rough = append(rough, m.rough(g.mesh.Triangles[t]))
		}
	}
	if g.share < 1 {
		m.worst(rough, int(reg.Start))
	}
	return m.Face, m.samples
}

// corners finds the foot points of all points of the region, independently of the mesher.
func (m *meter) corners() {
	m.foot, m.off = make([]geom.Vec2, len(m.vertices)), make([]float64, len(m.vertices))
	for i, v := range m.vertices {
		m.foot[i], m.off[i] = m.surf.Invert(m.mesh.Points[v])
		m.Gap = max(m.Gap, m.off[i])
	}
}

// sense is 1 if the outward direction is along the surface's normal, and -1 otherwise. Shells that were inside out have
// been reversed, which shows in the normals of the region.
func (m *meter) sense(reg *mesh.Region, reversed bool) float64 {
	sign, sum := 1.0, 0.0
	if reversed {
		sign = -1
	}
	for i := range reg.Vertices {
		uv := m.foot[i]
		sum += reg.Normals[i].Dot(m.surf.Normal(uv.X, uv.Y))
	}
	if sum*sign < 0 {
		return -sign
	}
	return sign
}

// at returns the place of a point of the mesh in the region's list.
func (m *meter) at(v int32) int {
	i, _ := slices.BinarySearch(m.vertices, v)
	return i
}

// shape judges the form of triangle t and its angle to the surface.
func (m *meter) shape(t int) {
	c := m.mesh.Triangles[t]
	p, q, o := m.mesh.Points[c[0]], m.mesh.Points[c[1]], m.mesh.Points[c[2]]
	n := q.Sub(p).Cross(o.Sub(p))
	longest := max(p.Dist(q), q.Dist(o), o.Dist(p))
	double := n.Norm()
	if longest == 0 {
		return
	}
	height := double / longest
	if min(p.Dist(q), q.Dist(o), o.Dist(p)) > geom.Resolution {
		m.Aspect = max(m.Aspect, longest/max(height, math.SmallestNonzeroFloat32))
	}
	if height < geom.Resolution {
		return
	}
	center := p.Add(q).Add(o).Scale(1.0 / 3)
	uv, _ := m.closest(center, m.foot[m.at(c[0])])
	angle := n.Angle(m.surf.Normal(uv.X, uv.Y).Scale(m.sign))
	if angle > math.Pi/2 {
		m.Flipped++
	}
	if height > seen*m.chord {
		m.Tilt = max(m.Tilt, angle)
		if angle > m.tilt {
			m.Tilted++
		}
	}
}

// closest finds the closest point from a hint, and globally where the hint leads to a far one.
func (m *meter) closest(p geom.Vec3, hint geom.Vec2) (geom.Vec2, float64) {
	if m.exact {
		return m.surf.Invert(p)
	}
	uv, d := m.surf.InvertNear(p, hint)
	if d > far*m.chord {
		if g, e := m.surf.Invert(p); e < d {
			return g, e
		}
	}
	return uv, d
}

// sample measures the point of a triangle with the given barycentric coordinates.
func (m *meter) sample(c [3]int32, k [3]int, a, b float64, hint geom.Vec2) (foot geom.Vec2, gap float64) {
	p, q, o := m.mesh.Points[c[0]], m.mesh.Points[c[1]], m.mesh.Points[c[2]]
	x := p.AddScaled(a, q.Sub(p)).AddScaled(b, o.Sub(p))
	foot, gap = m.closest(x, hint)
	m.samples++
	m.Gap = max(m.Gap, gap)
	m.Added = max(m.Added, gap-(1-a-b)*m.off[k[0]]-a*m.off[k[1]]-b*m.off[k[2]])
	return foot, gap
}

func (m *meter) places(c [3]int32) [3]int { return [3]int{m.at(c[0]), m.at(c[1]), m.at(c[2])} }

// dense measures all points of a triangle's grid but the corners.
func (m *meter) dense(c [3]int32) {
	k := m.places(c)
	row := m.foot[k[0]]
	for j := range grid {
		hint := row
		for i := range grid + 1 - j {
			if j == 0 && (i == 0 || i == grid) {
				continue
			}
			hint, _ = m.sample(c, k, float64(i)/grid, float64(j)/grid, hint)
			if i == 0 {
				row = hint
			}
		}
	}
}

// rough measures the centroid and the middles of the sides and returns the largest distance.
func (m *meter) rough(c [3]int32) float64 {
	k := m.places(c)
	most := 0.0
	hint := m.foot[k[0]]
	for _, x := range [4]geom.Vec2{{X: 0.5}, {X: 1.0 / 3, Y: 1.0 / 3}, {X: 0.5, Y: 0.5}, {Y: 0.5}} {
		var gap float64
		hint, gap = m.sample(c, k, x.X, x.Y, hint)
		most = max(most, gap)
	}
	return most
}

// worst measures densely the triangles with the largest deviations, as many as the budget allows.
func (m *meter) worst(rough []float64, start int) {
	order := make([]int, len(rough))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case rough[a] > rough[b]:
			return -1
		case rough[a] < rough[b]:
			return 1
		}
		return 0
	})
	n := int(math.Ceil(m.share * float64(len(order))))
	for _, t := range order[:min(n, len(order))] {
		m.dense(m.mesh.Triangles[start+t])
	}
}
