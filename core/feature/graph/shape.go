package graph

// The shape of a face, independent of the surface type in its file.
//
// Method: analytic surfaces, the majority after a model is read (package canonical), are used as they are. Other
// surfaces, swept and freeform, may be analytic within the accuracy of machining. They are fitted through the points of
// the face's mesh and the exact normals there (package fit).
//
// Limits: tori are recognized only as such; other blends stay freeform, and only their concavity is known.

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/fit"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Shape is the geometry of a face. Kind is KindBSpline for every surface other than the five analytic kinds.
type Shape struct {
	Kind   surface.Kind
	Origin geom.Vec3 // a point of the plane, of the axis; the center of a sphere or torus
	Axis   geom.Vec3 // unit; the outward normal of a plane, zero for a sphere and freeform
	Radius float64   // mm; of a cone at its origin, of a torus the major one
	Minor  float64   // mm; torus only
	Slope  float64   // rad; cone only: the radius grows along axis by tan(slope) per mm, may be negative
	Hollow bool      // the material is outside, as around a hole or in a fillet
}

const (
	// AxisTolerance (rad, 0.06°) is the maximum angle between directions of one design direction after exchange.
	AxisTolerance = 1e-3

	// DirectionTolerance (rad, 0.1°): a setup is not more exact.
	DirectionTolerance = 0.1 * math.Pi / 180

	// FullSweep (rad) is the least sweep of a closed wall about its axis.
	FullSweep = 2*math.Pi - SmoothAngle

	// shown (mm): no machining shows less.
	shown = 1e-3

	// LateralCos separates edges along an axis or a direction from edges around it.
	LateralCos = 0.7
)

// Parallel reports whether two unit vectors agree up to their sense.
func Parallel(a, b geom.Vec3) bool { return a.Cross(b).Norm() <= AxisTolerance }

// Canonical returns a direction or its opposite: the sense in which the last component that is not zero
// is positive.
func Canonical(d geom.Vec3) geom.Vec3 {
	for _, c := range [3]float64{d.Z, d.Y, d.X} {
		switch {
		case c > AxisTolerance:
			return d
		case c < -AxisTolerance:
			return d.Neg()
		}
	}
	return d
}

// RadiusAt returns the radius of a cylinder or cone at the height of p.
func (s *Shape) RadiusAt(p geom.Vec3) float64 {
	if s.Kind != surface.KindCone {
		return s.Radius
	}
	return s.Radius + math.Tan(s.Slope)*p.Sub(s.Origin).Dot(s.Axis)
}

// Coaxial reports whether b turns about the axis of a, which must have one: a plane across it, a
// sphere centered on it, any other surface of revolution with the same axis.
func (g *Graph) Coaxial(a, b *Shape) bool {
	switch b.Kind {
	case surface.KindPlane:
		return Parallel(a.Axis, b.Axis)
	case surface.KindSphere:
		return DistanceToAxis(a, b.Origin) <= g.Length
	case surface.KindCylinder, surface.KindCone, surface.KindTorus:
		return Parallel(a.Axis, b.Axis) && DistanceToAxis(a, b.Origin) <= g.Length
	}
	return false
}

// DistanceToAxis returns the distance of p from the axis of s.
func DistanceToAxis(s *Shape, p geom.Vec3) float64 { return p.Sub(s.Origin).Cross(s.Axis).Norm() }

// measurer measures faces one after the other.
type measurer struct {
	*Graph
	pts     []geom.Vec3 // scratch, by vertex of a face
	normals []geom.Vec3 // scratch, by point of the mesh
}

// face measures a face and its triangles.
func (g *measurer) face(f brep.FaceID) (s Shape) {
	g.measureTriangles(f)
	if !g.skip(f) {
		s = g.shapeOf(f)
	}
	return s
}

// shapeOf measures a face that has a mesh.
func (g *measurer) shapeOf(f brep.FaceID) Shape {
	pts, normals := g.samples(f)
	s := analytic(g.Model.Faces[f].Surface)
	if s.Kind == surface.KindBSpline {
		s = g.fitted(f, pts, normals)
	}
	if s.Kind == surface.KindPlane {
		s.Axis, _ = g.normalAt(f, pts[0], nil)
		return s
	}
	s.Hollow = g.isHollow(f, &s)
	if s.Kind != surface.KindBSpline && s.Kind != surface.KindSphere { // the origin near the face
		mid := geom.BoxOf(pts...).Center().Sub(s.Origin).Dot(s.Axis)
		o := s.Origin.AddScaled(mid, s.Axis)
		if s.Kind == surface.KindTorus {
			return s
		}
		s.Radius, s.Origin = s.RadiusAt(o), o
	}
	return s
}

// samples returns the points of a face's mesh and the outward normals there.
func (g *measurer) samples(f brep.FaceID) (pts, normals []geom.Vec3) {
	r := &g.Mesh.Regions[f]
	g.pts = g.pts[:0]
	for _, v := range r.Vertices {
		g.pts = append(g.pts, g.Mesh.Points[v])
	}
	return g.pts, r.Normals
}

// layOut returns the normals of a region by point of the mesh; only the region's own entries are valid.
func (g *measurer) layOut(r *mesh.Region) []geom.Vec3 {
	if g.normals == nil {
		g.normals = make([]geom.Vec3, len(g.Mesh.Points))
	}
	for i, v := range r.Vertices {
		g.normals[v] = r.Normals[i]
	}
	return g.normals
}

// isHollow reports whether the normals of a curved face point toward its axis, its center or, for a torus, the circle
// of its tube. For a freeform face it reports whether the normals converge over most of it.
func (g *measurer) isHollow(f brep.FaceID, s *Shape) bool {
	r := &g.Mesh.Regions[f]
	sum := 0.0
	if s.Kind == surface.KindBSpline {
		at := g.layOut(r)
		for t := r.Start; t < r.End; t++ { // the divergence of the normal, twice the mean curvature
			k, n := g.Mesh.Triangles[t], g.Mesh.Normal(int(t))
			for c := range 3 {
				side := g.Mesh.Points[k[(c+2)%3]].Sub(g.Mesh.Points[k[(c+1)%3]])
				sum += at[k[c]].Dot(n.Cross(side))
			}
		}
		return sum < 0
	}
	for i, v := range r.Vertices {
		d := g.Mesh.Points[v].Sub(s.Origin)
		if s.Kind != surface.KindSphere {
			d = d.Reject(s.Axis)
		}
		if s.Kind == surface.KindTorus {
			d = g.Mesh.Points[v].Sub(s.Origin).AddScaled(-s.Radius, d.Unit())
		}
		sum += r.Normals[i].Dot(d.Unit())
	}
	return sum < 0
}

// analytic returns the shape of an analytic surface, freeform for any other.
func analytic(s surface.Surface) Shape {
	switch s := surface.Underlying(s).(type) {
	case surface.Plane:
		return Shape{Kind: surface.KindPlane, Origin: s.Frame.Origin, Axis: s.Frame.Z}
	case surface.Cylinder:
		return Shape{Kind: surface.KindCylinder, Origin: s.Frame.Origin, Axis: s.Frame.Z, Radius: s.Radius}
	case surface.Cone:
		return Shape{Kind: surface.KindCone, Origin: s.Frame.Origin, Axis: s.Frame.Z, Radius: s.Radius,
			Slope: s.HalfAngle}
	case surface.Sphere:
		return Shape{Kind: surface.KindSphere, Origin: s.Frame.Origin, Radius: s.Radius}
	case surface.Torus:
		return Shape{Kind: surface.KindTorus, Origin: s.Frame.Origin, Axis: s.Frame.Z, Radius: s.Major,
			Minor: s.Minor}
	}
	return Shape{Kind: surface.KindBSpline}
}

// IsMantle reports whether a shape is the outside of something round.
func (s *Shape) IsMantle() bool {
	return !s.Hollow && (s.Kind == surface.KindCylinder || s.Kind == surface.KindCone)
}

// settle gives fitted cylinders, cones and tori the exact axis of an adjacent face, if machining does not show the
// difference.
func (g *Graph) settle(shapes []Shape, raw []Adjacency) {
	isExact := func(f int32) bool {
		k := analytic(g.Model.Faces[f].Surface).Kind
		return k == surface.KindCylinder || k == surface.KindCone || k == surface.KindTorus
	}
	isNear := func(f int32, o *Shape) bool { // over the length of the face
		s := &shapes[f]
		tilt, farthest := s.Axis.Cross(o.Axis).Norm(), 0.0
		for _, v := range g.Mesh.Regions[f].Vertices {
			farthest = max(farthest, math.Abs(g.Mesh.Points[v].Sub(s.Origin).Dot(s.Axis)))
		}
		return Parallel(s.Axis, o.Axis) && DistanceToAxis(o, s.Origin)+tilt*farthest <= shown
	}
	for i := range raw {
		for _, e := range [2][2]int32{{raw[i].A, raw[i].B}, {raw[i].B, raw[i].A}} {
			s, o := &shapes[e[0]], &shapes[e[1]]
			if s.Axis == (geom.Vec3{}) || s.Kind == surface.KindPlane || isExact(e[0]) || !isExact(e[1]) || !isNear(e[0], o) {
				continue
			}
			s.Origin = o.Origin.AddScaled(s.Origin.Sub(o.Origin).Dot(o.Axis), o.Axis)
			s.Axis = o.Axis.Scale(math.Copysign(1, s.Axis.Dot(o.Axis)))
		}
	}
}

// fitted finds the analytic shape through the points of a face's mesh with their normals, or freeform.
func (g *Graph) fitted(f brep.FaceID, pts, normals []geom.Vec3) Shape {
	const (
		sparse   = 25   // points; below this number, foot points of the triangles' midpoints are added
		maxShare = 1e-4 // of the face: small faces must agree better
	)
	samples := make([]fit.Sample, 0, max(sparse, len(pts)))
	for i := range pts {
		samples = append(samples, fit.Sample{P: pts[i], N: normals[i]})
	}
	face, r := &g.Model.Faces[f], &g.Mesh.Regions[f]
	for t := r.Start; t < r.End && len(pts) < sparse; t++ {
		k := g.Mesh.Triangles[t]
		mid := g.Mesh.Points[k[0]].Add(g.Mesh.Points[k[1]]).Add(g.Mesh.Points[k[2]]).Scale(1.0 / 3)
		uv, _ := face.Surface.Invert(mid)
		n := face.Surface.Normal(uv.X, uv.Y)
		if face.Reversed {
			n = n.Neg()
		}
		samples = append(samples, fit.Sample{P: face.Surface.At(uv.X, uv.Y), N: n})
	}
	tol := max(g.Length, min(shown, maxShare*geom.BoxOf(pts...).Diagonal()))
	s, ok := fit.Surface(samples, tol)
	if !ok {
		return Shape{Kind: surface.KindBSpline}
	}
	return analytic(s)
}
