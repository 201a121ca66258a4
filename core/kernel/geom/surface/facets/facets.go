// Package facets implements the surface of a face that is given by triangles instead of an equation.
//
// There are two alternatives. One plane for each triangle would give the part many faces that nobody designed. A fitted
// surface would replace the content of the file by a guess. As a surface type, triangles work like any other face: they
// move with the model, and have distances and normals. Only code that integrates or meshes a face must know that the
// triangles are the face. The exact surface that the triangles approximate, if known, is stored with them as the
// Carrier: it gives recognition the shape and the right radius, but is not used for measurements.
//
// Lengths are mm.
package facets

import (
	"errors"
	"math"
	"sync"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Surface is a set of triangles over shared points. The parameters of triangle i are
// (2i + s, t) for the point a + s(b-a) + t(c-a) with 0 ≤ s, t and s + t ≤ 1, so that no two triangles
// share a parameter; the surface is continuous in space, not in its parameters.
type Surface struct {
	points    []geom.Vec3
	normals   []geom.Vec3
	triangles [][3]int32
	carrier   surface.Surface
	box       geom.Box

	once sync.Once
	tree tree
}

var _ surface.Surface = (*Surface)(nil)

// stride is the step of the parameter u from one triangle to the next.
const stride = 2

// New checks and builds a surface. normals are the unit normals at the points, on the side from which the
// triangles are seen counter-clockwise; nil means the mean of the triangles at each point. carrier may be
// nil. The slices are kept and must not be modified.
func New(points, normals []geom.Vec3, triangles [][3]int32, carrier surface.Surface) (*Surface, error) {
	if len(triangles) == 0 {
		return nil, errors.New("facets: no triangles")
	}
	if normals != nil && len(normals) != len(points) {
		return nil, errors.New("facets: the numbers of points and normals differ")
	}
	for _, p := range points {
		if !p.IsFinite() {
			return nil, errors.New("facets: a point is not finite")
		}
	}
	for _, t := range triangles {
		for _, v := range t {
			if v < 0 || int(v) >= len(points) {
				return nil, errors.New("facets: a triangle has an invalid corner")
			}
		}
	}
	s := &Surface{points: points, normals: normals, triangles: triangles, carrier: carrier,
		box: geom.BoxOf(points...)}
	if normals == nil {
		s.normals = s.meanNormals()
	}
	return s, nil
}

// meanNormals returns at each point the mean normal of its triangles, weighted by area.
func (s *Surface) meanNormals() []geom.Vec3 {
	out := make([]geom.Vec3, len(s.points))
	for i, t := range s.triangles {
		n := s.cross(i)
		for _, v := range t {
			out[v] = out[v].Add(n)
		}
	}
	for i := range out {
		out[i] = out[i].Unit()
	}
	return out
}

// cross is twice the area vector of triangle i.
func (s *Surface) cross(i int) geom.Vec3 {
	a, b, c := s.corners(i)
	return b.Sub(a).Cross(c.Sub(a))
}

func (s *Surface) corners(i int) (a, b, c geom.Vec3) {
	t := s.triangles[i]
	return s.points[t[0]], s.points[t[1]], s.points[t[2]]
}

// Points returns the corners of the triangles; they must not be modified.
func (s *Surface) Points() []geom.Vec3 { return s.points }

// Normals returns the unit normals at the points; they must not be modified.
func (s *Surface) Normals() []geom.Vec3 { return s.normals }

// Triangles returns the triangles, counter-clockwise seen from the side of the normals; they must not be
// modified.
func (s *Surface) Triangles() [][3]int32 { return s.triangles }

// Carrier returns the surface that the triangles approximate, nil when it is not known.
func (s *Surface) Carrier() surface.Surface { return s.carrier }

// Kind returns KindFacets.
func (s *Surface) Kind() surface.Kind { return surface.KindFacets }

// Domain returns the ranges of the parameters of all triangles.
func (s *Surface) Domain() (u, v geom.Interval) {
	return geom.Interval{Hi: float64(stride*len(s.triangles) - 1)}, geom.Interval{Hi: 1}
}

// Periods are both 0.
func (s *Surface) Periods() (u, v float64) { return 0, 0 }

// Singularities is empty.
func (s *Surface) Singularities() []surface.Singularity { return nil }

// place returns the triangle of a parameter and the two coordinates in it.
func (s *Surface) place(u, v float64) (i int, x, y float64) {
	i = int(max(0, min(float64(len(s.triangles)-1), math.Floor(u/stride))))
	return i, u - stride*float64(i), v
}

// At implements surface.Surface.
func (s *Surface) At(u, v float64) geom.Vec3 {
	p, _, _ := s.D1(u, v)
	return p
}

// D1 implements surface.Surface.
func (s *Surface) D1(u, v float64) (p, du, dv geom.Vec3) {
	i, x, y := s.place(u, v)
	a, b, c := s.corners(i)
	du, dv = b.Sub(a), c.Sub(a)
	return a.AddScaled(x, du).AddScaled(y, dv), du, dv
}

// D2 implements surface.Surface: the second derivatives of a triangle are zero.
func (s *Surface) D2(u, v float64) surface.Derivs {
	p, du, dv := s.D1(u, v)
	return surface.Derivs{P: p, Du: du, Dv: dv}
}

// Normal blends the normals at the corners. It approximates the normal of the exact surface, not of the triangle, so
// that tangent faces are recognized.
func (s *Surface) Normal(u, v float64) geom.Vec3 {
	i, x, y := s.place(u, v)
	t := s.triangles[i]
	n := s.normals[t[0]].Scale(1-x-y).AddScaled(x, s.normals[t[1]]).AddScaled(y, s.normals[t[2]])
	const opposed = 1e-3 // a blend of unit vectors shorter than this has no direction
	if n.Norm() > opposed {
		return n.Unit()
	}
	return s.cross(i).Unit()
}

// Invert returns the closest point of all triangles.
func (s *Surface) Invert(p geom.Vec3) (uv geom.Vec2, dist float64) {
	return s.closest(p, -1)
}

// InvertNear is Invert, faster when p is near the triangle of the hint.
func (s *Surface) InvertNear(p geom.Vec3, hint geom.Vec2) (uv geom.Vec2, dist float64) {
	i, _, _ := s.place(hint.X, hint.Y)
	return s.closest(p, i)
}

// Bounds returns the box of all triangles whose parameters are in the rectangle.
func (s *Surface) Bounds(u, _ geom.Interval) geom.Box {
	first, _, _ := s.place(u.Lo, 0)
	last, _, _ := s.place(u.Hi, 0)
	if first == 0 && last == len(s.triangles)-1 {
		return s.box
	}
	box := geom.EmptyBox()
	for i := first; i <= last; i++ {
		a, b, c := s.corners(i)
		box = box.Add(a).Add(b).Add(c)
	}
	return box
}

// Transform keeps the parametrization; a mirroring flips the triangles and their normals.
func (s *Surface) Transform(m geom.Transform) surface.Surface {
	out := &Surface{triangles: s.triangles, box: geom.EmptyBox(),
		points: make([]geom.Vec3, len(s.points)), normals: make([]geom.Vec3, len(s.normals))}
	side := 1.0
	if m.IsMirror() {
		side = -1
	}
	for i, p := range s.points {
		out.points[i] = m.Point(p)
		out.box = out.box.Add(out.points[i])
	}
	for i, n := range s.normals {
		out.normals[i] = m.Dir(n).Unit().Scale(side)
	}
	if s.carrier != nil {
		out.carrier = s.carrier.Transform(m)
	}
	return out
}
