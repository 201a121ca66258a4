// Package schema names the entities of ISO 10303 that are needed to read shape and its PMI.
package schema

import (
	"slices"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
)

// The names, in the order of Vocabulary.
const (
	_ part21.Keyword = iota

	// Representations, units and product structure.
	AdvancedBrepShapeRepresentation
	ElementaryBrepShapeRepresentation
	FacetedBrepShapeRepresentation
	ManifoldSurfaceShapeRepresentation
	BoundedSurfaceRepresentation
	TessellatedShapeRepresentation
	AccurateTessellatedRepresentation
	ShapeRepresentation
	Representation
	CsgShapeRepresentation
	NonManifoldSurfaceShapeRepresentation
	ShapeRepresentationWithParameters
	ConstructiveGeometryRepresentation
	ShapeDefinitionRepresentation
	ProductDefinitionShape
	ShapeRepresentationRelationship
	RepresentationRelationship
	TransformedRelationship
	ContextDependentShapeRepresentation
	ItemDefinedTransformation
	NextAssemblyUsageOccurrence
	SpecifiedHigherUsageOccurrence
	ProductDefinition
	ProductDefinitionWithAssociatedDocuments
	ProductDefinitionFormation
	FormationWithSource
	Product
	MappedItem
	RepresentationMap
	CartesianTransformationOperator3d
	CartesianTransformationOperator
	GeometricRepresentationContext
	GlobalUnitAssignedContext
	GlobalUncertaintyAssignedContext
	UncertaintyMeasureWithUnit
	MeasureWithUnit
	LengthMeasureWithUnit
	PlaneAngleMeasureWithUnit
	PositiveLengthMeasureWithUnit
	PositivePlaneAngleMeasureWithUnit
	ConversionBasedUnit
	SiUnit
	LengthUnit
	PlaneAngleUnit
	DocumentFile

	// Solids, shells, faces, loops, edges.
	ManifoldSolidBrep
	BrepWithVoids
	FacetedBrep
	SolidReplica
	ShellBasedSurfaceModel
	FaceBasedSurfaceModel
	ClosedShell
	OpenShell
	ConnectedFaceSet
	OrientedClosedShell
	OrientedOpenShell
	AdvancedFace
	FaceSurface
	Face
	OrientedFace
	Subface
	FaceBound
	FaceOuterBound
	EdgeLoop
	VertexLoop
	PolyLoop
	OrientedEdge
	EdgeCurve
	Subedge
	Edge
	VertexPoint
	Vertex

	// Points, directions, placements.
	CartesianPoint
	Direction
	Vector
	Axis1Placement
	Axis2Placement2d
	Axis2Placement3d

	// Curves.
	Line
	Circle
	Ellipse
	Hyperbola
	Parabola
	Polyline
	BSplineCurve
	BSplineCurveWithKnots
	RationalBSplineCurve
	BezierCurve
	UniformCurve
	QuasiUniformCurve
	TrimmedCurve
	CompositeCurve
	CompositeCurveOnSurface
	BoundaryCurve
	OuterBoundaryCurve
	CompositeCurveSegment
	ReparametrizedCompositeCurveSegment
	SurfaceCurve
	SeamCurve
	IntersectionCurve
	BoundedSurfaceCurve
	Pcurve
	BoundedPcurve
	DefinitionalRepresentation
	OffsetCurve3d
	CurveReplica

	// Surfaces.
	Plane
	CylindricalSurface
	ConicalSurface
	SphericalSurface
	ToroidalSurface
	DegenerateToroidalSurface
	BSplineSurface
	BSplineSurfaceWithKnots
	RationalBSplineSurface
	BezierSurface
	UniformSurface
	QuasiUniformSurface
	SurfaceOfLinearExtrusion
	SurfaceOfRevolution
	OffsetSurface
	RectangularTrimmedSurface
	CurveBoundedSurface
	RectangularCompositeSurface
	SurfacePatch
	SurfaceReplica

	// Loose surfaces.
	GeometricSet

	// Tessellated shape. Entities with numbers are read only on demand, see Tessellation.
	TessellatedSolid
	TessellatedShell
	TessellatedGeometricSet
	RepositionedTessellatedItem
	ComplexTriangulatedFace
	TriangulatedFace
	ComplexTriangulatedSurfaceSet
	TriangulatedSurfaceSet
	CoordinatesList
	CubicBezierTriangulatedFace

	// Colors.
	StyledItem
	OverRidingStyledItem
	ContextDependentOverRidingStyledItem
	PresentationStyleAssignment
	PresentationStyleByContext
	SurfaceStyleUsage
	SurfaceSideStyle
	SurfaceStyleFillArea
	SurfaceStyleRendering
	SurfaceStyleRenderingWithProperties
	FillAreaStyle
	FillAreaStyleColor
	ColorRgb
	DraughtingPreDefinedColor
	PreDefinedColor

	// Content of a file without exact shape: only counted, for the message.
	GeometricCurveSet

	// Measures and enumeration values.
	LengthMeasure
	PositiveLengthMeasure
	ParameterValue
	T
	F
	Metre
	Radian
	Exa
	Peta
	Tera
	Giga
	Mega
	Kilo
	Hecto
	Deca
	Deci
	Centi
	Milli
	Micro
	Nano
	Pico
	Femto
	Atto
	Cartesian
)

// Vocabulary is the set of names with the parts of their instances that are kept.
var Vocabulary = part21.NewVocabulary(words)

// Tessellation is Vocabulary that also contains triangles and coordinates. Files with exact shapes contain many of
// them, for pictures and notes, so it is better to skip those.
var Tessellation = part21.NewVocabulary(tessellationWords())

func tessellationWords() []part21.Word {
	all := slices.Clone(words)
	for _, k := range []part21.Keyword{TessellatedGeometricSet, ComplexTriangulatedFace, TriangulatedFace,
		CubicBezierTriangulatedFace,
		ComplexTriangulatedSurfaceSet, TriangulatedSurfaceSet, CoordinatesList} {
		all[k].Entity, all[k].Text = true, true
	}
	return all
}

// words are all names: the names of shape, followed by the names of construction.go, hole.go and pmi.go.
var words = slices.Concat(shapeWords, constructionWords, holeWords, pmiWords)

var shapeWords = []part21.Word{
	AdvancedBrepShapeRepresentation:    entity("ADVANCED_BREP_SHAPE_REPRESENTATION"),
	ElementaryBrepShapeRepresentation:  entity("ELEMENTARY_BREP_SHAPE_REPRESENTATION"),
	FacetedBrepShapeRepresentation:     entity("FACETED_BREP_SHAPE_REPRESENTATION"),
	ManifoldSurfaceShapeRepresentation: entity("MANIFOLD_SURFACE_SHAPE_REPRESENTATION"),
	BoundedSurfaceRepresentation:       entity("GEOMETRICALLY_BOUNDED_SURFACE_SHAPE_REPRESENTATION"),
	TessellatedShapeRepresentation:     entity("TESSELLATED_SHAPE_REPRESENTATION"),
	AccurateTessellatedRepresentation: entity(
		"TESSELLATED_SHAPE_REPRESENTATION_WITH_ACCURACY_PARAMETERS"),
	ShapeRepresentation:                      entity("SHAPE_REPRESENTATION"),
	Representation:                           entity("REPRESENTATION"),
	CsgShapeRepresentation:                   entity("CSG_SHAPE_REPRESENTATION"),
	NonManifoldSurfaceShapeRepresentation:    entity("NON_MANIFOLD_SURFACE_SHAPE_REPRESENTATION"),
	ShapeRepresentationWithParameters:        entity("SHAPE_REPRESENTATION_WITH_PARAMETERS"),
	ConstructiveGeometryRepresentation:       word("CONSTRUCTIVE_GEOMETRY_REPRESENTATION"),
	ShapeDefinitionRepresentation:            listed("SHAPE_DEFINITION_REPRESENTATION"),
	ProductDefinitionShape:                   entity("PRODUCT_DEFINITION_SHAPE"),
	ShapeRepresentationRelationship:          listed("SHAPE_REPRESENTATION_RELATIONSHIP"),
	RepresentationRelationship:               listed("REPRESENTATION_RELATIONSHIP"),
	TransformedRelationship:                  entity("REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION"),
	ContextDependentShapeRepresentation:      listed("CONTEXT_DEPENDENT_SHAPE_REPRESENTATION"),
	ItemDefinedTransformation:                entity("ITEM_DEFINED_TRANSFORMATION"),
	NextAssemblyUsageOccurrence:              listed("NEXT_ASSEMBLY_USAGE_OCCURRENCE"),
	SpecifiedHigherUsageOccurrence:           entity("SPECIFIED_HIGHER_USAGE_OCCURRENCE"),
	ProductDefinition:                        listed("PRODUCT_DEFINITION"),
	ProductDefinitionWithAssociatedDocuments: listed("PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS"),
	ProductDefinitionFormation:               entity("PRODUCT_DEFINITION_FORMATION"),
	FormationWithSource:                      entity("PRODUCT_DEFINITION_FORMATION_WITH_SPECIFIED_SOURCE"),
	Product:                                  titledListed("PRODUCT"),
	MappedItem:                               entity("MAPPED_ITEM"),
	RepresentationMap:                        entity("REPRESENTATION_MAP"),
	CartesianTransformationOperator3d:        entity("CARTESIAN_TRANSFORMATION_OPERATOR_3D"),
	CartesianTransformationOperator:          entity("CARTESIAN_TRANSFORMATION_OPERATOR"),
	GeometricRepresentationContext:           entity("GEOMETRIC_REPRESENTATION_CONTEXT"),
	GlobalUnitAssignedContext:                listed("GLOBAL_UNIT_ASSIGNED_CONTEXT"),
	GlobalUncertaintyAssignedContext:         entity("GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT"),
	UncertaintyMeasureWithUnit:               entity("UNCERTAINTY_MEASURE_WITH_UNIT"),
	MeasureWithUnit:                          entity("MEASURE_WITH_UNIT"),
	LengthMeasureWithUnit:                    entity("LENGTH_MEASURE_WITH_UNIT"),
	PlaneAngleMeasureWithUnit:                entity("PLANE_ANGLE_MEASURE_WITH_UNIT"),
	PositiveLengthMeasureWithUnit:            entity("POSITIVE_LENGTH_MEASURE_WITH_UNIT"),
	PositivePlaneAngleMeasureWithUnit:        entity("POSITIVE_PLANE_ANGLE_MEASURE_WITH_UNIT"),
	ConversionBasedUnit:                      entity("CONVERSION_BASED_UNIT"),
	SiUnit:                                   entity("SI_UNIT"),
	LengthUnit:                               entity("LENGTH_UNIT"),
	PlaneAngleUnit:                           entity("PLANE_ANGLE_UNIT"),
	DocumentFile:                             titledListed("DOCUMENT_FILE"),
	ManifoldSolidBrep:                        titledListed("MANIFOLD_SOLID_BREP"),
	BrepWithVoids:                            titledListed("BREP_WITH_VOIDS"),
	FacetedBrep:                              titledListed("FACETED_BREP"),
	SolidReplica:                             entity("SOLID_REPLICA"),
	ShellBasedSurfaceModel:                   titledListed("SHELL_BASED_SURFACE_MODEL"),
	FaceBasedSurfaceModel:                    titledListed("FACE_BASED_SURFACE_MODEL"),
	ClosedShell:                              entity("CLOSED_SHELL"),
	OpenShell:                                entity("OPEN_SHELL"),
	ConnectedFaceSet:                         entity("CONNECTED_FACE_SET"),
	OrientedClosedShell:                      entity("ORIENTED_CLOSED_SHELL"),
	OrientedOpenShell:                        entity("ORIENTED_OPEN_SHELL"),
	AdvancedFace:                             titled("ADVANCED_FACE"),
	FaceSurface:                              titled("FACE_SURFACE"),
	Face:                                     titled("FACE"),
	OrientedFace:                             entity("ORIENTED_FACE"),
	Subface:                                  entity("SUBFACE"),
	FaceBound:                                entity("FACE_BOUND"),
	FaceOuterBound:                           entity("FACE_OUTER_BOUND"),
	EdgeLoop:                                 entity("EDGE_LOOP"),
	VertexLoop:                               entity("VERTEX_LOOP"),
	PolyLoop:                                 entity("POLY_LOOP"),
	OrientedEdge:                             entity("ORIENTED_EDGE"),
	EdgeCurve:                                entity("EDGE_CURVE"),
	Subedge:                                  entity("SUBEDGE"),
	Edge:                                     entity("EDGE"),
	VertexPoint:                              entity("VERTEX_POINT"),
	Vertex:                                   entity("VERTEX"),
	CartesianPoint:                           entity("CARTESIAN_POINT"),
	Direction:                                entity("DIRECTION"),
	Vector:                                   entity("VECTOR"),
	Axis1Placement:                           entity("AXIS1_PLACEMENT"),
	Axis2Placement2d:                         entity("AXIS2_PLACEMENT_2D"),
	Axis2Placement3d:                         entity("AXIS2_PLACEMENT_3D"),
	Line:                                     entity("LINE"),
	Circle:                                   entity("CIRCLE"),
	Ellipse:                                  entity("ELLIPSE"),
	Hyperbola:                                entity("HYPERBOLA"),
	Parabola:                                 entity("PARABOLA"),
	Polyline:                                 entity("POLYLINE"),
	BSplineCurve:                             entity("B_SPLINE_CURVE"),
	BSplineCurveWithKnots:                    entity("B_SPLINE_CURVE_WITH_KNOTS"),
	RationalBSplineCurve:                     entity("RATIONAL_B_SPLINE_CURVE"),
	BezierCurve:                              entity("BEZIER_CURVE"),
	UniformCurve:                             entity("UNIFORM_CURVE"),
	QuasiUniformCurve:                        entity("QUASI_UNIFORM_CURVE"),
	TrimmedCurve:                             entity("TRIMMED_CURVE"),
	CompositeCurve:                           entity("COMPOSITE_CURVE"),
	CompositeCurveOnSurface:                  entity("COMPOSITE_CURVE_ON_SURFACE"),
	BoundaryCurve:                            entity("BOUNDARY_CURVE"),
	OuterBoundaryCurve:                       entity("OUTER_BOUNDARY_CURVE"),
	CompositeCurveSegment:                    entity("COMPOSITE_CURVE_SEGMENT"),
	ReparametrizedCompositeCurveSegment:      entity("REPARAMETRISED_COMPOSITE_CURVE_SEGMENT"),
	SurfaceCurve:                             entity("SURFACE_CURVE"),
	SeamCurve:                                entity("SEAM_CURVE"),
	IntersectionCurve:                        entity("INTERSECTION_CURVE"),
	BoundedSurfaceCurve:                      entity("BOUNDED_SURFACE_CURVE"),
	Pcurve:                                   entity("PCURVE"),
	BoundedPcurve:                            entity("BOUNDED_PCURVE"),
	DefinitionalRepresentation:               entity("DEFINITIONAL_REPRESENTATION"),
	OffsetCurve3d:                            entity("OFFSET_CURVE_3D"),
	CurveReplica:                             entity("CURVE_REPLICA"),
	Plane:                                    entity("PLANE"),
	CylindricalSurface:                       entity("CYLINDRICAL_SURFACE"),
	ConicalSurface:                           entity("CONICAL_SURFACE"),
	SphericalSurface:                         entity("SPHERICAL_SURFACE"),
	ToroidalSurface:                          entity("TOROIDAL_SURFACE"),
	DegenerateToroidalSurface:                entity("DEGENERATE_TOROIDAL_SURFACE"),
	BSplineSurface:                           entity("B_SPLINE_SURFACE"),
	BSplineSurfaceWithKnots:                  entity("B_SPLINE_SURFACE_WITH_KNOTS"),
	RationalBSplineSurface:                   entity("RATIONAL_B_SPLINE_SURFACE"),
	BezierSurface:                            entity("BEZIER_SURFACE"),
	UniformSurface:                           entity("UNIFORM_SURFACE"),
	QuasiUniformSurface:                      entity("QUASI_UNIFORM_SURFACE"),
	SurfaceOfLinearExtrusion:                 entity("SURFACE_OF_LINEAR_EXTRUSION"),
	SurfaceOfRevolution:                      entity("SURFACE_OF_REVOLUTION"),
	OffsetSurface:                            entity("OFFSET_SURFACE"),
	RectangularTrimmedSurface:                entity("RECTANGULAR_TRIMMED_SURFACE"),
	CurveBoundedSurface:                      entity("CURVE_BOUNDED_SURFACE"),
	RectangularCompositeSurface:              entity("RECTANGULAR_COMPOSITE_SURFACE"),
	SurfacePatch:                             entity("SURFACE_PATCH"),
	SurfaceReplica:                           entity("SURFACE_REPLICA"),
	StyledItem:                               listed("STYLED_ITEM"),
	OverRidingStyledItem:                     listed("OVER_RIDING_STYLED_ITEM"),
	ContextDependentOverRidingStyledItem:     listed("CONTEXT_DEPENDENT_OVER_RIDING_STYLED_ITEM"),
	PresentationStyleAssignment:              entity("PRESENTATION_STYLE_ASSIGNMENT"),
	PresentationStyleByContext:               entity("PRESENTATION_STYLE_BY_CONTEXT"),
	SurfaceStyleUsage:                        entity("SURFACE_STYLE_USAGE"),
	SurfaceSideStyle:                         entity("SURFACE_SIDE_STYLE"),
	SurfaceStyleFillArea:                     entity("SURFACE_STYLE_FILL_AREA"),
	SurfaceStyleRendering:                    entity("SURFACE_STYLE_RENDERING"),
	SurfaceStyleRenderingWithProperties:      entity("SURFACE_STYLE_RENDERING_WITH_PROPERTIES"),
	FillAreaStyle:                            entity("FILL_AREA_STYLE"),
	FillAreaStyleColor:                       entity("FILL_AREA_STYLE_COLOUR"),
	ColorRgb:                                 entity("COLOUR_RGB"),
	DraughtingPreDefinedColor:                titled("DRAUGHTING_PRE_DEFINED_COLOUR"),
	PreDefinedColor:                          titled("PRE_DEFINED_COLOUR"),
	GeometricSet:                             listed("GEOMETRIC_SET"),
	GeometricCurveSet:                        listed("GEOMETRIC_CURVE_SET"),
	TessellatedSolid:                         titledListed("TESSELLATED_SOLID"),
	TessellatedShell:                         titledListed("TESSELLATED_SHELL"),
	TessellatedGeometricSet:                  counted("TESSELLATED_GEOMETRIC_SET"),
	RepositionedTessellatedItem:              entity("REPOSITIONED_TESSELLATED_ITEM"),
	CoordinatesList:                          counted("COORDINATES_LIST"),
	CubicBezierTriangulatedFace:              counted("CUBIC_BEZIER_TRIANGULATED_FACE"),
	ComplexTriangulatedFace:                  counted("COMPLEX_TRIANGULATED_FACE"),
	TriangulatedFace:                         counted("TRIANGULATED_FACE"),
	ComplexTriangulatedSurfaceSet:            counted("COMPLEX_TRIANGULATED_SURFACE_SET"),
	TriangulatedSurfaceSet:                   counted("TRIANGULATED_SURFACE_SET"),
	LengthMeasure:                            word("LENGTH_MEASURE"),
	PositiveLengthMeasure:                    word("POSITIVE_LENGTH_MEASURE"),
	ParameterValue:                           word("PARAMETER_VALUE"),
	T:                                        word("T"),
	F:                                        word("F"),
	Metre:                                    word("METRE"),
	Radian:                                   word("RADIAN"),
	Exa:                                      word("EXA"),
	Peta:                                     word("PETA"),
	Tera:                                     word("TERA"),
	Giga:                                     word("GIGA"),
	Mega:                                     word("MEGA"),
	Kilo:                                     word("KILO"),
	Hecto:                                    word("HECTO"),
	Deca:                                     word("DECA"),
	Deci:                                     word("DECI"),
	Centi:                                    word("CENTI"),
	Milli:                                    word("MILLI"),
	Micro:                                    word("MICRO"),
	Nano:                                     word("NANO"),
	Pico:                                     word("PICO"),
	Femto:                                    word("FEMTO"),
	Atto:                                     word("ATTO"),
	Cartesian:                                word("CARTESIAN"),
}

// entity is a name whose instances are read.
func entity(name string) part21.Word { return part21.Word{Name: name, Entity: true} }

// titled is an entity whose own name is of interest.
func titled(name string) part21.Word { return part21.Word{Name: name, Entity: true, Text: true} }

// listed is an entity that is looked for by its type.
func listed(name string) part21.Word { return part21.Word{Name: name, Entity: true, Listed: true} }

func titledListed(name string) part21.Word {
	return part21.Word{Name: name, Entity: true, Text: true, Listed: true}
}

// counted is an entity that is not read; that it occurs is of interest.
func counted(name string) part21.Word { return part21.Word{Name: name, Listed: true} }

// word is a measure or enumeration value.
func word(name string) part21.Word { return part21.Word{Name: name} }
