package feature

// What a face is, whatever surface type its file used.
//
// Method: analytic surfaces, as most are once a model was read (package canonical), are taken as they are.
// What is left, swept and freeform surfaces of other origin or within the length tolerance only, is
// fitted through the points of the face's mesh and the exact normals there (package fit).
//
// Limits: tori are recognised only as such; other blends stay freeform and are known by their
// hollowness alone.

import (
	"math"

	"millwright/core/brep"
	"millwright/core/geom"
	"millwright/core/geom/fit"
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
		s = g.fitted(f, pts, normals)
	}
	if s.kind == surface.KindPlane {
		s.axis, _ = g.normalAt(f, pts[0], nil)
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

// fitted finds the analytic shape through the points of a face's mesh with their normals, or freeform.
func (g *graph) fitted(f brep.FaceID, pts, normals []geom.Vec3) shape {
	const sparse = 25 // points; a mesh of fewer gives the feet of its triangles' midpoints too
	samples := make([]fit.Sample, 0, max(sparse, len(pts)))
	for i := range pts {
		samples = append(samples, fit.Sample{P: pts[i], N: normals[i]})
	}
	face, r := &g.model.Faces[f], &g.mesh.Regions[f]
	for t := r.Start; t < r.End && len(pts) < sparse; t++ {
		k := g.mesh.Triangles[t]
		mid := g.mesh.Points[k[0]].Add(g.mesh.Points[k[1]]).Add(g.mesh.Points[k[2]]).Scale(1.0 / 3)
		uv, _ := face.Surface.Invert(mid)
		n := face.Surface.Normal(uv.X, uv.Y)
		if face.Reversed {
			n = n.Neg()
		}
		samples = append(samples, fit.Sample{P: face.Surface.At(uv.X, uv.Y), N: n})
	}
	s, ok := fit.Surface(samples, g.length)
	if !ok {
		return shape{kind: surface.KindBSpline}
	}
	return analytic(s)
}
