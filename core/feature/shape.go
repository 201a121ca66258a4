package feature

// What a face is, whatever surface type its file used.
//
// Method: analytic surfaces are taken as they are. For every other type the points of the face's mesh
// and the exact normals there decide: a plane has one normal, a sphere is p = c + r·n, a cylinder has
// normals across an axis and is a circle along it, a cone has normals at one angle to an axis and
// tangent planes through one point. Each is a linear least-squares problem; the fit is believed when
// it meets all points within the length tolerance. So extruded circles, revolved lines, offsets and
// analytic surfaces exchanged as B-splines all become what they are.
//
// Limits: tori are recognised only as such; other blends stay freeform and are known by their
// hollowness alone.

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"millwright/core/brep"
	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// shape is the geometry of a face. kind is KindBSpline for everything that is none of the five
// analytic kinds.
type shape struct {
	kind   surface.Kind
	origin geom.Vec3 // a point of the plane, of the axis; the centre of a sphere or torus
	axis   geom.Vec3 // unit; the outward normal of a plane, zero for a sphere and freeform
	radius float64   // mm; of a cone at its origin, of a torus the major one
	minor  float64   // mm; torus only
	slope  float64   // rad; cone only: the radius grows along axis by tan(slope) per mm, may be negative
	hollow bool      // the material is outside, as round a hole or in a fillet
}

const (
	// axisAngle (rad, 0.06°) is how well directions of one design direction agree after exchange.
	axisAngle = 1e-3

	// fitAngle (rad) bounds the error of normals of a surface that was exchanged as a B-spline.
	fitAngle = 1e-4
)

func abs(x float64) float64 { return math.Abs(x) }

func sign(x float64) float64 { return math.Copysign(1, x) }

// parallel reports whether two unit vectors agree up to their sense.
func parallel(a, b geom.Vec3) bool { return a.Cross(b).Norm() <= axisAngle }

// radiusAt returns the radius of a cylinder or cone at the height of p.
func (s *shape) radiusAt(p geom.Vec3) float64 {
	if s.kind != surface.KindCone {
		return s.radius
	}
	return s.radius + math.Tan(s.slope)*p.Sub(s.origin).Dot(s.axis)
}

// coaxial reports whether b turns about the axis of a, which must have one: a plane across it, a
// sphere centred on it, any other surface of revolution with the same axis.
func (g *graph) coaxial(a, b *shape) bool {
	switch b.kind {
	case surface.KindPlane:
		return parallel(a.axis, b.axis)
	case surface.KindSphere:
		return offAxis(a, b.origin) <= g.length
	case surface.KindCylinder, surface.KindCone, surface.KindTorus:
		return parallel(a.axis, b.axis) && offAxis(a, b.origin) <= g.length
	}
	return false
}

// offAxis returns the distance of p from the axis of s.
func offAxis(s *shape, p geom.Vec3) float64 { return p.Sub(s.origin).Cross(s.axis).Norm() }

// shapeOf measures a face that has a mesh.
func (g *graph) shapeOf(f brep.FaceID) shape {
	pts, normals := g.samples(f)
	s := analytic(g.model.Faces[f].Surface)
	if s.kind == surface.KindBSpline {
		s = fit(pts, normals, g.length)
	} else if s.kind == surface.KindPlane {
		s.axis, _ = g.normalAt(f, pts[0], nil)
	}
	if s.kind == surface.KindPlane {
		return s
	}
	s.hollow = g.isHollow(f, &s)
	if s.kind != surface.KindBSpline && s.kind != surface.KindSphere { // the origin near the face
		mid := geom.BoxOf(pts...).Center().Sub(s.origin).Dot(s.axis)
		o := s.origin.AddScaled(mid, s.axis)
		if s.kind == surface.KindTorus {
			return s
		}
		s.radius, s.origin = s.radiusAt(o), o
	}
	return s
}

// samples returns the points of a face's mesh and the outward normals there.
func (g *graph) samples(f brep.FaceID) (pts, normals []geom.Vec3) {
	r := &g.mesh.Regions[f]
	pts = make([]geom.Vec3, len(r.Vertices))
	for i, v := range r.Vertices {
		pts[i] = g.mesh.Points[v]
	}
	return pts, r.Normals
}

// isHollow reports whether the normals of a curved face point towards its axis, its centre or, for a
// torus, the circle its tube follows; those of a freeform face, whether they converge over most of it.
func (g *graph) isHollow(f brep.FaceID, s *shape) bool {
	r := &g.mesh.Regions[f]
	sum := 0.0
	if s.kind == surface.KindBSpline {
		at := g.normals // only the entries of this face are read
		for i, v := range r.Vertices {
			at[v] = r.Normals[i]
		}
		for t := r.Start; t < r.End; t++ { // the divergence of the normal, twice the mean curvature
			k, n := g.mesh.Triangles[t], g.mesh.Normal(int(t))
			for c := range 3 {
				side := g.mesh.Points[k[(c+2)%3]].Sub(g.mesh.Points[k[(c+1)%3]])
				sum += at[k[c]].Dot(n.Cross(side))
			}
		}
		return sum < 0
	}
	for i, v := range r.Vertices {
		d := g.mesh.Points[v].Sub(s.origin)
		if s.kind != surface.KindSphere {
			d = d.AddScaled(-d.Dot(s.axis), s.axis)
		}
		if s.kind == surface.KindTorus {
			d = g.mesh.Points[v].Sub(s.origin).AddScaled(-s.radius, d.Unit())
		}
		sum += r.Normals[i].Dot(d.Unit())
	}
	return sum < 0
}

// analytic returns the shape of an analytic surface, freeform for any other.
func analytic(s surface.Surface) shape {
	switch s := surface.Exact(s).(type) {
	case surface.Plane:
		return shape{kind: surface.KindPlane, origin: s.Frame.Origin, axis: s.Frame.Z}
	case surface.Cylinder:
		return shape{kind: surface.KindCylinder, origin: s.Frame.Origin, axis: s.Frame.Z, radius: s.Radius}
	case surface.Cone:
		return shape{kind: surface.KindCone, origin: s.Frame.Origin, axis: s.Frame.Z, radius: s.Radius,
			slope: s.HalfAngle}
	case surface.Sphere:
		return shape{kind: surface.KindSphere, origin: s.Frame.Origin, radius: s.Radius}
	case surface.Torus:
		return shape{kind: surface.KindTorus, origin: s.Frame.Origin, axis: s.Frame.Z, radius: s.Major,
			minor: s.Minor}
	}
	return shape{kind: surface.KindBSpline}
}

// fit finds the analytic shape through points with normals, or freeform.
func fit(pts, normals []geom.Vec3, tol float64) shape {
	const fewest = 4 // points that do not lie on every shape at once
	if len(pts) < fewest || len(normals) != len(pts) {
		return shape{kind: surface.KindBSpline}
	}
	for _, try := range []func(p, n []geom.Vec3, tol float64) (shape, bool){fitPlane, fitSphere, fitCylinder,
		fitCone} {
		if s, ok := try(pts, normals, tol); ok {
			return s
		}
	}
	return shape{kind: surface.KindBSpline}
}

func fitPlane(pts, normals []geom.Vec3, tol float64) (shape, bool) {
	s := shape{kind: surface.KindPlane, origin: mean(pts), axis: mean(normals).Unit()}
	for i := range pts {
		if normals[i].Cross(s.axis).Norm() > fitAngle || abs(pts[i].Sub(s.origin).Dot(s.axis)) > tol {
			return s, false
		}
	}
	return s, s.axis != geom.Vec3{}
}

// fitRound solves p = c + r·n; along, when not zero, is a direction to leave out, so that the same
// solves a circle seen along its axis.
func fitRound(pts, normals []geom.Vec3, along geom.Vec3, tol float64) (c geom.Vec3, r float64, ok bool) {
	flat := func(v geom.Vec3) geom.Vec3 { return v.AddScaled(-v.Dot(along), along) }
	pm, nm := flat(mean(pts)), flat(mean(normals))
	num, den := 0.0, 0.0
	for i := range pts {
		dp, dn := flat(pts[i]).Sub(pm), flat(normals[i]).Sub(nm)
		num, den = num+dp.Dot(dn), den+dn.Norm2()
	}
	if den < fitAngle*fitAngle {
		return c, 0, false
	}
	r = num / den
	c = pm.AddScaled(-r, nm)
	for i := range pts {
		if flat(pts[i]).Sub(c).AddScaled(-r, flat(normals[i])).Norm() > tol {
			return c, r, false
		}
	}
	return c, abs(r), true
}

func fitSphere(pts, normals []geom.Vec3, tol float64) (shape, bool) {
	c, r, ok := fitRound(pts, normals, geom.Vec3{}, tol)
	return shape{kind: surface.KindSphere, origin: c, radius: r}, ok
}

func fitCylinder(pts, normals []geom.Vec3, tol float64) (shape, bool) {
	axis, ok := flattest(normals, geom.Vec3{})
	if !ok {
		return shape{}, false
	}
	for _, n := range normals {
		if abs(n.Dot(axis)) > fitAngle {
			return shape{}, false
		}
	}
	c, r, ok := fitRound(pts, normals, axis, tol)
	return shape{kind: surface.KindCylinder, origin: c, axis: axis, radius: r}, ok
}

func fitCone(pts, normals []geom.Vec3, tol float64) (shape, bool) {
	nm := mean(normals)
	axis, ok := flattest(normals, nm)
	if !ok {
		return shape{}, false
	}
	k := nm.Dot(axis)
	var a mat.SymDense
	a.ReuseAsSym(3)
	rhs := mat.NewVecDense(3, nil)
	for i, n := range normals {
		if abs(n.Dot(axis)-k) > fitAngle {
			return shape{}, false
		}
		v := mat.NewVecDense(3, []float64{n.X, n.Y, n.Z})
		a.SymRankOne(&a, 1, v)
		rhs.AddScaledVec(rhs, n.Dot(pts[i]), v)
	}
	var x mat.VecDense
	if err := x.SolveVec(&a, rhs); err != nil {
		return shape{}, false
	}
	apex := geom.Vec3{X: x.AtVec(0), Y: x.AtVec(1), Z: x.AtVec(2)}
	if mean(pts).Sub(apex).Dot(axis) < 0 {
		axis = axis.Neg()
	}
	s := shape{kind: surface.KindCone, origin: apex, axis: axis, slope: math.Asin(min(abs(k), 1))}
	for i, p := range pts {
		d := p.Sub(apex)
		if abs(d.Dot(normals[i])) > tol || abs(offAxis(&s, p)-s.radiusAt(p)) > tol {
			return s, false
		}
	}
	return s, true
}

// flattest returns the unit direction in which vectors, less their given mean, vary least; ok is
// false when there are two such directions.
func flattest(vs []geom.Vec3, m geom.Vec3) (geom.Vec3, bool) {
	var a mat.SymDense
	a.ReuseAsSym(3)
	for _, v := range vs {
		d := v.Sub(m)
		a.SymRankOne(&a, 1, mat.NewVecDense(3, []float64{d.X, d.Y, d.Z}))
	}
	var eig mat.EigenSym
	if !eig.Factorize(&a, true) {
		return geom.Vec3{}, false
	}
	values := eig.Values(nil)
	var vectors mat.Dense
	eig.VectorsTo(&vectors)
	dir := geom.Vec3{X: vectors.At(0, 0), Y: vectors.At(1, 0), Z: vectors.At(2, 0)}
	return dir, values[1] > fitAngle*fitAngle*float64(len(vs))
}

func mean(vs []geom.Vec3) geom.Vec3 {
	var m geom.Vec3
	for _, v := range vs {
		m = m.Add(v)
	}
	return m.Scale(1 / float64(len(vs)))
}
