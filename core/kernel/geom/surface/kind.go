package surface

import (
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

var kindNames = [...]string{
	KindPlane: "Plane", KindCylinder: "Cylinder", KindCone: "Cone", KindSphere: "Sphere",
	KindTorus: "Torus", KindBSpline: "BSpline", KindExtrusion: "Extrusion",
	KindRevolution: "Revolution", KindOffset: "Offset", KindTrimmed: "Trimmed",
	KindFacets: "Facets",
}

// String returns the name of the kind, "Plane" and so on.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "Unknown"
}

// IsAnalytic reports whether surfaces of the kind have closed forms for inversion and bounds.
func (k Kind) IsAnalytic() bool { return k <= KindTorus }

// freeform is the shape kind of every surface that is not one of the analytic kinds.
const freeform = "Freeform"

// Underlying returns the surface that s represents: the carrier of triangles if it is known, else s itself.
func Underlying(s Surface) Surface {
	if f, ok := s.(interface{ Carrier() Surface }); ok {
		if c := f.Carrier(); c != nil {
			return c
		}
	}
	return s
}

// ShapeKind returns the shape kind that the API shows: Plane, Cylinder, Cone, Sphere, Torus or
// Freeform.
func ShapeKind(s Surface) string {
	s = Underlying(s)
	if s != nil && s.Kind().IsAnalytic() {
		return s.Kind().String()
	}
	return freeform
}

// ParamScale returns the factors by which the parameters of a point of s change under s.Transform(m):
// m.Scale() for parameters that are lengths, else 1.
func ParamScale(s Surface, m geom.Transform) (u, v float64) {
	k := m.Scale()
	switch s := s.(type) {
	case Plane:
		return k, k
	case Cylinder, Cone:
		return 1, k
	case *Extrusion:
		return profileScale(s.profile, m), k
	case *Revolution:
		return 1, profileScale(s.profile, m)
	case *Offset:
		return ParamScale(s.base, m)
	case *Trimmed:
		return ParamScale(s.Base, m)
	}
	return 1, 1
}

// profileScale is the same for a curve whose parameters all change by one factor.
func profileScale(c curve.Curve, m geom.Transform) float64 {
	iv := curve.TransformRange(c, m, geom.Interval{Hi: 1})
	return iv.Length()
}
