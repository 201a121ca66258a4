package surface

var kindNames = [...]string{
	KindPlane: "Plane", KindCylinder: "Cylinder", KindCone: "Cone", KindSphere: "Sphere",
	KindTorus: "Torus", KindBSpline: "BSpline", KindExtrusion: "Extrusion",
	KindRevolution: "Revolution", KindOffset: "Offset", KindTrimmed: "Trimmed",
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

// ShapeKind returns the shape kind that the API shows: Plane, Cylinder, Cone, Sphere, Torus or
// Freeform.
func ShapeKind(s Surface) string {
	if s != nil && s.Kind().IsAnalytic() {
		return s.Kind().String()
	}
	return freeform
}
