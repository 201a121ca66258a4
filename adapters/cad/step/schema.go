package step

import "millwright/adapters/cad/step/part21"

// The names of ISO 10303 that the mapping knows.
const (
	_ part21.Keyword = iota

	// Representations, units and product structure.
	kwAdvancedBrepShapeRepresentation
	kwFacetedBrepShapeRepresentation
	kwManifoldSurfaceShapeRepresentation
	kwShapeRepresentation
	kwRepresentation
	kwCsgShapeRepresentation
	kwNonManifoldSurfaceShapeRepresentation
	kwShapeRepresentationWithParameters
	kwConstructiveGeometryRepresentation
	kwShapeDefinitionRepresentation
	kwProductDefinitionShape
	kwShapeRepresentationRelationship
	kwRepresentationRelationship
	kwTransformedRelationship
	kwContextDependentShapeRepresentation
	kwItemDefinedTransformation
	kwNextAssemblyUsageOccurrence
	kwProductDefinition
	kwProductDefinitionWithAssociatedDocuments
	kwProductDefinitionFormation
	kwFormationWithSource
	kwProduct
	kwMappedItem
	kwRepresentationMap
	kwCartesianTransformationOperator3d
	kwCartesianTransformationOperator
	kwGeometricRepresentationContext
	kwGlobalUnitAssignedContext
	kwGlobalUncertaintyAssignedContext
	kwUncertaintyMeasureWithUnit
	kwMeasureWithUnit
	kwLengthMeasureWithUnit
	kwPlaneAngleMeasureWithUnit
	kwConversionBasedUnit
	kwSiUnit
	kwLengthUnit
	kwPlaneAngleUnit
	kwDocumentFile

	// Solids, shells, faces, loops, edges.
	kwManifoldSolidBrep
	kwBrepWithVoids
	kwFacetedBrep
	kwSolidReplica
	kwShellBasedSurfaceModel
	kwFaceBasedSurfaceModel
	kwClosedShell
	kwOpenShell
	kwConnectedFaceSet
	kwOrientedClosedShell
	kwOrientedOpenShell
	kwAdvancedFace
	kwFaceSurface
	kwFace
	kwOrientedFace
	kwSubface
	kwFaceBound
	kwFaceOuterBound
	kwEdgeLoop
	kwVertexLoop
	kwPolyLoop
	kwOrientedEdge
	kwEdgeCurve
	kwSubedge
	kwEdge
	kwVertexPoint
	kwVertex

	// Points, directions, placements.
	kwCartesianPoint
	kwDirection
	kwVector
	kwAxis1Placement
	kwAxis2Placement2d
	kwAxis2Placement3d

	// Curves.
	kwLine
	kwCircle
	kwEllipse
	kwHyperbola
	kwParabola
	kwPolyline
	kwBSplineCurve
	kwBSplineCurveWithKnots
	kwRationalBSplineCurve
	kwBezierCurve
	kwUniformCurve
	kwQuasiUniformCurve
	kwTrimmedCurve
	kwCompositeCurve
	kwCompositeCurveOnSurface
	kwBoundaryCurve
	kwOuterBoundaryCurve
	kwCompositeCurveSegment
	kwReparametrisedCompositeCurveSegment
	kwSurfaceCurve
	kwSeamCurve
	kwIntersectionCurve
	kwBoundedSurfaceCurve
	kwPcurve
	kwBoundedPcurve
	kwDefinitionalRepresentation
	kwOffsetCurve3d
	kwCurveReplica

	// Surfaces.
	kwPlane
	kwCylindricalSurface
	kwConicalSurface
	kwSphericalSurface
	kwToroidalSurface
	kwDegenerateToroidalSurface
	kwBSplineSurface
	kwBSplineSurfaceWithKnots
	kwRationalBSplineSurface
	kwBezierSurface
	kwUniformSurface
	kwQuasiUniformSurface
	kwSurfaceOfLinearExtrusion
	kwSurfaceOfRevolution
	kwOffsetSurface
	kwRectangularTrimmedSurface
	kwCurveBoundedSurface
	kwSurfaceReplica

	// Colours.
	kwStyledItem
	kwOverRidingStyledItem
	kwPresentationStyleAssignment
	kwPresentationStyleByContext
	kwSurfaceStyleUsage
	kwSurfaceSideStyle
	kwSurfaceStyleFillArea
	kwSurfaceStyleRendering
	kwSurfaceStyleRenderingWithProperties
	kwFillAreaStyle
	kwFillAreaStyleColour
	kwColourRgb
	kwDraughtingPreDefinedColour
	kwPreDefinedColour

	// What a file without exact shape holds instead: counted only, for the message.
	kwGeometricSet
	kwGeometricCurveSet
	kwTessellatedSolid
	kwTessellatedShell
	kwTessellatedGeometricSet
	kwComplexTriangulatedFace
	kwTriangulatedFace
	kwComplexTriangulatedSurfaceSet
	kwTriangulatedSurfaceSet
	kwCsgSolid
	kwBooleanResult
	kwExtrudedAreaSolid
	kwRevolvedAreaSolid

	// Measures and enumeration values.
	kwLengthMeasure
	kwPositiveLengthMeasure
	kwParameterValue
	kwT
	kwF
	kwMetre
	kwRadian
	kwExa
	kwPeta
	kwTera
	kwGiga
	kwMega
	kwKilo
	kwHecto
	kwDeca
	kwDeci
	kwCenti
	kwMilli
	kwMicro
	kwNano
	kwPico
	kwFemto
	kwAtto
	kwCartesian
)

// vocabulary says what is kept of the instances of each name.
var vocabulary = part21.NewVocabulary([]part21.Word{
	kwAdvancedBrepShapeRepresentation:          entity("ADVANCED_BREP_SHAPE_REPRESENTATION"),
	kwFacetedBrepShapeRepresentation:           entity("FACETED_BREP_SHAPE_REPRESENTATION"),
	kwManifoldSurfaceShapeRepresentation:       entity("MANIFOLD_SURFACE_SHAPE_REPRESENTATION"),
	kwShapeRepresentation:                      entity("SHAPE_REPRESENTATION"),
	kwRepresentation:                           entity("REPRESENTATION"),
	kwCsgShapeRepresentation:                   entity("CSG_SHAPE_REPRESENTATION"),
	kwNonManifoldSurfaceShapeRepresentation:    entity("NON_MANIFOLD_SURFACE_SHAPE_REPRESENTATION"),
	kwShapeRepresentationWithParameters:        entity("SHAPE_REPRESENTATION_WITH_PARAMETERS"),
	kwConstructiveGeometryRepresentation:       word("CONSTRUCTIVE_GEOMETRY_REPRESENTATION"),
	kwShapeDefinitionRepresentation:            listed("SHAPE_DEFINITION_REPRESENTATION"),
	kwProductDefinitionShape:                   entity("PRODUCT_DEFINITION_SHAPE"),
	kwShapeRepresentationRelationship:          listed("SHAPE_REPRESENTATION_RELATIONSHIP"),
	kwRepresentationRelationship:               listed("REPRESENTATION_RELATIONSHIP"),
	kwTransformedRelationship:                  entity("REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION"),
	kwContextDependentShapeRepresentation:      listed("CONTEXT_DEPENDENT_SHAPE_REPRESENTATION"),
	kwItemDefinedTransformation:                entity("ITEM_DEFINED_TRANSFORMATION"),
	kwNextAssemblyUsageOccurrence:              listed("NEXT_ASSEMBLY_USAGE_OCCURRENCE"),
	kwProductDefinition:                        listed("PRODUCT_DEFINITION"),
	kwProductDefinitionWithAssociatedDocuments: listed("PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS"),
	kwProductDefinitionFormation:               entity("PRODUCT_DEFINITION_FORMATION"),
	kwFormationWithSource:                      entity("PRODUCT_DEFINITION_FORMATION_WITH_SPECIFIED_SOURCE"),
	kwProduct:                                  titledListed("PRODUCT"),
	kwMappedItem:                               entity("MAPPED_ITEM"),
	kwRepresentationMap:                        entity("REPRESENTATION_MAP"),
	kwCartesianTransformationOperator3d:        entity("CARTESIAN_TRANSFORMATION_OPERATOR_3D"),
	kwCartesianTransformationOperator:          entity("CARTESIAN_TRANSFORMATION_OPERATOR"),
	kwGeometricRepresentationContext:           entity("GEOMETRIC_REPRESENTATION_CONTEXT"),
	kwGlobalUnitAssignedContext:                listed("GLOBAL_UNIT_ASSIGNED_CONTEXT"),
	kwGlobalUncertaintyAssignedContext:         entity("GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT"),
	kwUncertaintyMeasureWithUnit:               entity("UNCERTAINTY_MEASURE_WITH_UNIT"),
	kwMeasureWithUnit:                          entity("MEASURE_WITH_UNIT"),
	kwLengthMeasureWithUnit:                    entity("LENGTH_MEASURE_WITH_UNIT"),
	kwPlaneAngleMeasureWithUnit:                entity("PLANE_ANGLE_MEASURE_WITH_UNIT"),
	kwConversionBasedUnit:                      entity("CONVERSION_BASED_UNIT"),
	kwSiUnit:                                   entity("SI_UNIT"),
	kwLengthUnit:                               entity("LENGTH_UNIT"),
	kwPlaneAngleUnit:                           entity("PLANE_ANGLE_UNIT"),
	kwDocumentFile:                             counted("DOCUMENT_FILE"),
	kwManifoldSolidBrep:                        titledListed("MANIFOLD_SOLID_BREP"),
	kwBrepWithVoids:                            titledListed("BREP_WITH_VOIDS"),
	kwFacetedBrep:                              titledListed("FACETED_BREP"),
	kwSolidReplica:                             entity("SOLID_REPLICA"),
	kwShellBasedSurfaceModel:                   titledListed("SHELL_BASED_SURFACE_MODEL"),
	kwFaceBasedSurfaceModel:                    titledListed("FACE_BASED_SURFACE_MODEL"),
	kwClosedShell:                              entity("CLOSED_SHELL"),
	kwOpenShell:                                entity("OPEN_SHELL"),
	kwConnectedFaceSet:                         entity("CONNECTED_FACE_SET"),
	kwOrientedClosedShell:                      entity("ORIENTED_CLOSED_SHELL"),
	kwOrientedOpenShell:                        entity("ORIENTED_OPEN_SHELL"),
	kwAdvancedFace:                             titled("ADVANCED_FACE"),
	kwFaceSurface:                              titled("FACE_SURFACE"),
	kwFace:                                     titled("FACE"),
	kwOrientedFace:                             entity("ORIENTED_FACE"),
	kwSubface:                                  entity("SUBFACE"),
	kwFaceBound:                                entity("FACE_BOUND"),
	kwFaceOuterBound:                           entity("FACE_OUTER_BOUND"),
	kwEdgeLoop:                                 entity("EDGE_LOOP"),
	kwVertexLoop:                               entity("VERTEX_LOOP"),
	kwPolyLoop:                                 entity("POLY_LOOP"),
	kwOrientedEdge:                             entity("ORIENTED_EDGE"),
	kwEdgeCurve:                                entity("EDGE_CURVE"),
	kwSubedge:                                  entity("SUBEDGE"),
	kwEdge:                                     entity("EDGE"),
	kwVertexPoint:                              entity("VERTEX_POINT"),
	kwVertex:                                   entity("VERTEX"),
	kwCartesianPoint:                           entity("CARTESIAN_POINT"),
	kwDirection:                                entity("DIRECTION"),
	kwVector:                                   entity("VECTOR"),
	kwAxis1Placement:                           entity("AXIS1_PLACEMENT"),
	kwAxis2Placement2d:                         entity("AXIS2_PLACEMENT_2D"),
	kwAxis2Placement3d:                         entity("AXIS2_PLACEMENT_3D"),
	kwLine:                                     entity("LINE"),
	kwCircle:                                   entity("CIRCLE"),
	kwEllipse:                                  entity("ELLIPSE"),
	kwHyperbola:                                entity("HYPERBOLA"),
	kwParabola:                                 entity("PARABOLA"),
	kwPolyline:                                 entity("POLYLINE"),
	kwBSplineCurve:                             entity("B_SPLINE_CURVE"),
	kwBSplineCurveWithKnots:                    entity("B_SPLINE_CURVE_WITH_KNOTS"),
	kwRationalBSplineCurve:                     entity("RATIONAL_B_SPLINE_CURVE"),
	kwBezierCurve:                              entity("BEZIER_CURVE"),
	kwUniformCurve:                             entity("UNIFORM_CURVE"),
	kwQuasiUniformCurve:                        entity("QUASI_UNIFORM_CURVE"),
	kwTrimmedCurve:                             entity("TRIMMED_CURVE"),
	kwCompositeCurve:                           entity("COMPOSITE_CURVE"),
	kwCompositeCurveOnSurface:                  entity("COMPOSITE_CURVE_ON_SURFACE"),
	kwBoundaryCurve:                            entity("BOUNDARY_CURVE"),
	kwOuterBoundaryCurve:                       entity("OUTER_BOUNDARY_CURVE"),
	kwCompositeCurveSegment:                    entity("COMPOSITE_CURVE_SEGMENT"),
	kwReparametrisedCompositeCurveSegment:      entity("REPARAMETRISED_COMPOSITE_CURVE_SEGMENT"),
	kwSurfaceCurve:                             entity("SURFACE_CURVE"),
	kwSeamCurve:                                entity("SEAM_CURVE"),
	kwIntersectionCurve:                        entity("INTERSECTION_CURVE"),
	kwBoundedSurfaceCurve:                      entity("BOUNDED_SURFACE_CURVE"),
	kwPcurve:                                   entity("PCURVE"),
	kwBoundedPcurve:                            entity("BOUNDED_PCURVE"),
	kwDefinitionalRepresentation:               entity("DEFINITIONAL_REPRESENTATION"),
	kwOffsetCurve3d:                            entity("OFFSET_CURVE_3D"),
	kwCurveReplica:                             entity("CURVE_REPLICA"),
	kwPlane:                                    entity("PLANE"),
	kwCylindricalSurface:                       entity("CYLINDRICAL_SURFACE"),
	kwConicalSurface:                           entity("CONICAL_SURFACE"),
	kwSphericalSurface:                         entity("SPHERICAL_SURFACE"),
	kwToroidalSurface:                          entity("TOROIDAL_SURFACE"),
	kwDegenerateToroidalSurface:                entity("DEGENERATE_TOROIDAL_SURFACE"),
	kwBSplineSurface:                           entity("B_SPLINE_SURFACE"),
	kwBSplineSurfaceWithKnots:                  entity("B_SPLINE_SURFACE_WITH_KNOTS"),
	kwRationalBSplineSurface:                   entity("RATIONAL_B_SPLINE_SURFACE"),
	kwBezierSurface:                            entity("BEZIER_SURFACE"),
	kwUniformSurface:                           entity("UNIFORM_SURFACE"),
	kwQuasiUniformSurface:                      entity("QUASI_UNIFORM_SURFACE"),
	kwSurfaceOfLinearExtrusion:                 entity("SURFACE_OF_LINEAR_EXTRUSION"),
	kwSurfaceOfRevolution:                      entity("SURFACE_OF_REVOLUTION"),
	kwOffsetSurface:                            entity("OFFSET_SURFACE"),
	kwRectangularTrimmedSurface:                entity("RECTANGULAR_TRIMMED_SURFACE"),
	kwCurveBoundedSurface:                      entity("CURVE_BOUNDED_SURFACE"),
	kwSurfaceReplica:                           entity("SURFACE_REPLICA"),
	kwStyledItem:                               listed("STYLED_ITEM"),
	kwOverRidingStyledItem:                     listed("OVER_RIDING_STYLED_ITEM"),
	kwPresentationStyleAssignment:              entity("PRESENTATION_STYLE_ASSIGNMENT"),
	kwPresentationStyleByContext:               entity("PRESENTATION_STYLE_BY_CONTEXT"),
	kwSurfaceStyleUsage:                        entity("SURFACE_STYLE_USAGE"),
	kwSurfaceSideStyle:                         entity("SURFACE_SIDE_STYLE"),
	kwSurfaceStyleFillArea:                     entity("SURFACE_STYLE_FILL_AREA"),
	kwSurfaceStyleRendering:                    entity("SURFACE_STYLE_RENDERING"),
	kwSurfaceStyleRenderingWithProperties:      entity("SURFACE_STYLE_RENDERING_WITH_PROPERTIES"),
	kwFillAreaStyle:                            entity("FILL_AREA_STYLE"),
	kwFillAreaStyleColour:                      entity("FILL_AREA_STYLE_COLOUR"),
	kwColourRgb:                                entity("COLOUR_RGB"),
	kwDraughtingPreDefinedColour:               titled("DRAUGHTING_PRE_DEFINED_COLOUR"),
	kwPreDefinedColour:                         titled("PRE_DEFINED_COLOUR"),
	kwGeometricSet:                             counted("GEOMETRIC_SET"),
	kwGeometricCurveSet:                        counted("GEOMETRIC_CURVE_SET"),
	kwTessellatedSolid:                         counted("TESSELLATED_SOLID"),
	kwTessellatedShell:                         counted("TESSELLATED_SHELL"),
	kwTessellatedGeometricSet:                  counted("TESSELLATED_GEOMETRIC_SET"),
	kwComplexTriangulatedFace:                  counted("COMPLEX_TRIANGULATED_FACE"),
	kwTriangulatedFace:                         counted("TRIANGULATED_FACE"),
	kwComplexTriangulatedSurfaceSet:            counted("COMPLEX_TRIANGULATED_SURFACE_SET"),
	kwTriangulatedSurfaceSet:                   counted("TRIANGULATED_SURFACE_SET"),
	kwCsgSolid:                                 counted("CSG_SOLID"),
	kwBooleanResult:                            counted("BOOLEAN_RESULT"),
	kwExtrudedAreaSolid:                        counted("EXTRUDED_AREA_SOLID"),
	kwRevolvedAreaSolid:                        counted("REVOLVED_AREA_SOLID"),
	kwLengthMeasure:                            word("LENGTH_MEASURE"),
	kwPositiveLengthMeasure:                    word("POSITIVE_LENGTH_MEASURE"),
	kwParameterValue:                           word("PARAMETER_VALUE"),
	kwT:                                        word("T"),
	kwF:                                        word("F"),
	kwMetre:                                    word("METRE"),
	kwRadian:                                   word("RADIAN"),
	kwExa:                                      word("EXA"),
	kwPeta:                                     word("PETA"),
	kwTera:                                     word("TERA"),
	kwGiga:                                     word("GIGA"),
	kwMega:                                     word("MEGA"),
	kwKilo:                                     word("KILO"),
	kwHecto:                                    word("HECTO"),
	kwDeca:                                     word("DECA"),
	kwDeci:                                     word("DECI"),
	kwCenti:                                    word("CENTI"),
	kwMilli:                                    word("MILLI"),
	kwMicro:                                    word("MICRO"),
	kwNano:                                     word("NANO"),
	kwPico:                                     word("PICO"),
	kwFemto:                                    word("FEMTO"),
	kwAtto:                                     word("ATTO"),
	kwCartesian:                                word("CARTESIAN"),
})

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
