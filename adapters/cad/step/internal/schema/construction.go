package schema

import "millwright.dev/millwright/adapters/cad/step/internal/part21"

// Solids given by construction, not by their boundary (ISO 10303-42, clause 6, and 10303-515). They are not
// read: that they occur is of interest, for the message.
const (
	CsgSolid part21.Keyword = Cartesian + 1 + iota
	BooleanResult
	HalfSpaceSolid
	Block
	RightAngularWedge
	RightCircularCylinder
	RightCircularCone
	Sphere
	Torus
	Ellipsoid
	RectangularPyramid
	ConvexHexahedron
	CyclideSegmentSolid
	EccentricCone
	FacetedPrimitive
	Tetrahedron
	ExtrudedAreaSolid
	RevolvedAreaSolid
	ExtrudedFaceSolid
	RevolvedFaceSolid
	SweptDiskSolid
	SurfaceCurveSweptAreaSolid
	SurfaceCurveSweptFaceSolid
	TrimmedVolume
)

// constructionWords are the words of the names above, in their order.
var constructionWords = []part21.Word{
	counted("CSG_SOLID"),
	counted("BOOLEAN_RESULT"),
	counted("HALF_SPACE_SOLID"),
	counted("BLOCK"),
	counted("RIGHT_ANGULAR_WEDGE"),
	counted("RIGHT_CIRCULAR_CYLINDER"),
	counted("RIGHT_CIRCULAR_CONE"),
	counted("SPHERE"),
	counted("TORUS"),
	counted("ELLIPSOID"),
	counted("RECTANGULAR_PYRAMID"),
	counted("CONVEX_HEXAHEDRON"),
	counted("CYCLIDE_SEGMENT_SOLID"),
	counted("ECCENTRIC_CONE"),
	counted("FACETED_PRIMITIVE"),
	counted("TETRAHEDRON"),
	counted("EXTRUDED_AREA_SOLID"),
	counted("REVOLVED_AREA_SOLID"),
	counted("EXTRUDED_FACE_SOLID"),
	counted("REVOLVED_FACE_SOLID"),
	counted("SWEPT_DISK_SOLID"),
	counted("SURFACE_CURVE_SWEPT_AREA_SOLID"),
	counted("SURFACE_CURVE_SWEPT_FACE_SOLID"),
	counted("TRIMMED_VOLUME"),
}

// Constructions are all solids given by construction, roots first, in the order of preference for messages.
var Constructions = []part21.Keyword{
	CsgSolid, BooleanResult, HalfSpaceSolid, Block, RightAngularWedge,
	RightCircularCylinder, RightCircularCone, Sphere, Torus, Ellipsoid,
	RectangularPyramid, ConvexHexahedron, CyclideSegmentSolid, EccentricCone, FacetedPrimitive,
	Tetrahedron, ExtrudedAreaSolid, RevolvedAreaSolid, ExtrudedFaceSolid, RevolvedFaceSolid,
	SweptDiskSolid, SurfaceCurveSweptAreaSolid, SurfaceCurveSweptFaceSolid, TrimmedVolume,
}
