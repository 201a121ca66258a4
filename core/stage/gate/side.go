package gate

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"millwright/core/brep"
	"millwright/core/geom"
)

// This file counts the layers of material above and below faces.
//
// Method: a ray from a point of a face, along the axis that the face is turned to most, crosses the other triangles of
// the solid. The sum of their signs, +1 where it leaves the material, is the winding number at its start. Samples are
// few and triangles many, so triangles are asked one after the other which samples lie in their shadow, of which a
// sorted list gives those in the range of one coordinate: about √n triangles see a sample.
//
// A ray that meets the solid again within what the mesh may be off says nothing, and neither does one that passes an
// edge exactly: such samples are not counted. What is not handled: a mesh that is not closed, which is told elsewhere.

// samplesOfFace is how many points of a face are asked. Most of those that can be counted decide, as a part may pass
// through itself in places.
const samplesOfFace = 3

// sample is a point on a face, in a frame whose third axis is that of the ray.
type sample struct {
	at     geom.Vec2
	height float64
	sign   int // of its triangle: +1 where the ray leaves the material
	own    int32
	face   int // of the solid
	above  int // winding number over it
	unsure bool
}

// sides finds the faces of a solid with material outside or none inside.
func (p *Part) sides(m *measured) []Finding {
	var axes [3][]sample
	for i, f := range m.faces {
		p.sample(f, i, &axes)
	}
	wrong, asked := make([]int, len(m.faces)), make([]int, len(m.faces))
	for axis, samples := range axes {
		slices.SortFunc(samples, func(a, b sample) int { return cmp.Compare(a.at.X, b.at.X) })
		for _, f := range m.faces {
			r := &p.Mesh.Regions[f]
			for t := r.Start; t < r.End; t++ {
				p.cast(samples, t, axis, 2*m.reach)
			}
		}
		for _, s := range samples {
			if s.unsure {
				continue
			}
			asked[s.face]++
			if inside := (1 - s.sign) / 2; s.above != inside {
				wrong[s.face]++
			}
		}
	}
	var out []Finding
	for i, f := range m.faces {
		if 2*wrong[i] > asked[i] {
			out = append(out, found(Side, "the face %s has material on its outside or none on its inside "+
				"(%d of %d points)", face(p.Model, f), wrong[i], asked[i]))
		}
	}
	return out
}

// turned is a point in the frame of an axis.
func turned(q geom.Vec3, axis int) (geom.Vec2, float64) {
	switch axis {
	case 0:
		return geom.Vec2{X: q.Y, Y: q.Z}, q.X
	case 1:
		return geom.Vec2{X: q.Z, Y: q.X}, q.Y
	}
	return geom.Vec2{X: q.X, Y: q.Y}, q.Z
}

// sample adds points of a face, in triangles at even shares of its area.
func (p *Part) sample(f brep.FaceID, index int, axes *[3][]sample) {
	r := &p.Mesh.Regions[f]
	all := p.Mesh.AreaOf(int(r.Start), int(r.End))
	sum, taken := 0.0, 0
	for t := r.Start; t < r.End && taken < samplesOfFace; t++ {
		sum += p.Mesh.AreaOf(int(t), int(t)+1)
		if sum < (float64(taken)+0.5)/samplesOfFace*all {
			continue
		}
		for taken < samplesOfFace && sum >= (float64(taken)+0.5)/samplesOfFace*all {
			taken++
		}
		n := p.Mesh.Normal(int(t))
		size := [3]float64{math.Abs(n.X), math.Abs(n.Y), math.Abs(n.Z)}
		axis := 0
		for k := range size {
			if size[k] > size[axis] {
				axis = k
			}
		}
		if size[axis] == 0 {
			continue
		}
		// Away from the middle, so that the ray is not in a plane of symmetry.
		const u, v = 0.3819660, 0.2763932
		c := p.Mesh.Triangles[t]
		q := p.Mesh.Points[c[0]].Scale(1-u-v).AddScaled(u, p.Mesh.Points[c[1]]).AddScaled(v, p.Mesh.Points[c[2]])
		s := sample{own: t, face: index, sign: 1}
		if [3]float64{n.X, n.Y, n.Z}[axis] < 0 {
			s.sign = -1
		}
		s.at, s.height = turned(q, axis)
		axes[axis] = append(axes[axis], s)
	}
}

// cast lets the rays of samples, sorted by their first coordinate, cross a triangle.
func (p *Part) cast(samples []sample, t int32, axis int, near float64) {
	var c [3]geom.Vec2
	var h [3]float64
	for k, v := range p.Mesh.Triangles[t] {
		c[k], h[k] = turned(p.Mesh.Points[v], axis)
	}
	left, right := min(c[0].X, c[1].X, c[2].X), max(c[0].X, c[1].X, c[2].X)
	front, back, top := min(c[0].Y, c[1].Y, c[2].Y), max(c[0].Y, c[1].Y, c[2].Y), max(h[0], h[1], h[2])+near
	first := sort.Search(len(samples), func(i int) bool { return samples[i].at.X >= left })
	for i := first; i < len(samples) && samples[i].at.X <= right; i++ {
		s := &samples[i]
		if s.at.Y >= front && s.at.Y <= back && s.height <= top && s.own != t {
			s.cross(&c, &h, near)
		}
	}
}

// cross counts a triangle if it is above, and doubts the sample where that is not clear.
func (s *sample) cross(c *[3]geom.Vec2, h *[3]float64, near float64) {
	var w [3]float64 // twice the areas opposite to the corners
	for k := range w {
		a, b := c[(k+1)%3].Sub(s.at), c[(k+2)%3].Sub(s.at)
		w[k] = a.Cross(b)
	}
	sign := 1
	switch area := w[0] + w[1] + w[2]; {
	case w[0] > 0 && w[1] > 0 && w[2] > 0:
	case w[0] < 0 && w[1] < 0 && w[2] < 0:
		sign = -1
	case (w[0] >= 0 && w[1] >= 0 && w[2] >= 0 || w[0] <= 0 && w[1] <= 0 && w[2] <= 0) && area != 0:
		s.unsure = true // through an edge
		return
	default:
		return
	}
	height := (w[0]*h[0] + w[1]*h[1] + w[2]*h[2]) / (w[0] + w[1] + w[2])
	switch {
	case math.Abs(height-s.height) <= near:
		s.unsure = true
	case height > s.height:
		s.above += sign
	}
}
