package surface

import (
	"millwright/core/geom"
	"millwright/core/geom/curve"
)

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
