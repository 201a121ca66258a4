package schema

import (
	"slices"
	"strings"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
)

// The names of product and manufacturing information, after the names of holes, in the order of pmiWords.
const (
	// Shape aspects: the subjects of statements, and their faces.
	ShapeAspect part21.Keyword = Thread + 1 + iota
	CompositeShapeAspect
	CompositeGroupShapeAspect
	AllAroundShapeAspect
	BetweenShapeAspect
	ContinuousShapeAspect
	CenterOfSymmetry
	DerivedShapeAspect
	ShapeAspectRelationship
	ShapeAspectAssociativity
	ShapeAspectDerivingRelationship
	FeatureForDatumTargetRelationship
	GeometricItemSpecificUsage
	ItemIdentifiedRepresentationUsage

	// Dimensions.
	DimensionalSize
	AngularSize
	DimensionalSizeWithPath
	DimensionalSizeWithDatumFeature
	DimensionalLocation
	AngularLocation
	DirectedDimensionalLocation
	DimensionalLocationWithPath
	DimensionalCharacteristicRepresentation
	ShapeDimensionRepresentation
	PlusMinusTolerance
	ToleranceValue
	LimitsAndFits
	TypeQualifier
	ValueFormatTypeQualifier
	QualifiedRepresentationItem
	MeasureRepresentationItem
	RepresentationItem
	CompoundRepresentationItem
	ValueRange
	DescriptiveRepresentationItem

	// Geometric tolerances.
	GeometricTolerance
	StraightnessTolerance
	FlatnessTolerance
	RoundnessTolerance
	CylindricityTolerance
	LineProfileTolerance
	SurfaceProfileTolerance
	AngularityTolerance
	PerpendicularityTolerance
	ParallelismTolerance
	PositionTolerance
	ConcentricityTolerance
	CoaxialityTolerance
	SymmetryTolerance
	CircularRunoutTolerance
	TotalRunoutTolerance
	GeometricToleranceWithDatumReference
	GeometricToleranceWithModifiers
	ModifiedGeometricTolerance
	GeometricToleranceWithMaximumTolerance
	GeometricToleranceWithDefinedUnit
	GeometricToleranceWithDefinedAreaUnit
	UnequallyDisposedGeometricTolerance
	GeometricToleranceRelationship
	ToleranceZone
	ToleranceZoneForm
	ProjectedZoneDefinition

	// Datums.
	Datum
	CommonDatum
	DatumFeature
	DatumTarget
	PlacedDatumTargetFeature
	DatumSystem
	DatumReference
	DatumReferenceCompartment
	DatumReferenceElement
	ReferencedModifiedDatum
	DatumReferenceModifierWithValue

	// Notes, attributes and the drawn presentation of other statements.
	PropertyDefinition
	PropertyDefinitionRepresentation
	GeneralProperty
	GeneralPropertyAssociation
	ValueRepresentationItem
	DraughtingModelItemAssociation
	DraughtingModelItemAssociationWithPlaceholder
	DraughtingCallout
	CharacterizedItemWithinRepresentation
	AnnotationOccurrence
	AnnotationCurveOccurrence
	TessellatedAnnotationOccurrence

	// Typed values.
	SetRepresentationItem
	CommonDatumList
	SimpleDatumReferenceModifier
)

// pmiWords are the words of the names above, in their order, and behind them the modifiers.
var pmiWords = slices.Concat([]part21.Word{
	entity("SHAPE_ASPECT"),
	entity("COMPOSITE_SHAPE_ASPECT"),
	entity("COMPOSITE_GROUP_SHAPE_ASPECT"),
	entity("ALL_AROUND_SHAPE_ASPECT"),
	entity("BETWEEN_SHAPE_ASPECT"),
	entity("CONTINUOUS_SHAPE_ASPECT"),
	entity("CENTRE_OF_SYMMETRY"),
	entity("DERIVED_SHAPE_ASPECT"),
	listed("SHAPE_ASPECT_RELATIONSHIP"),
	listed("SHAPE_ASPECT_ASSOCIATIVITY"),
	listed("SHAPE_ASPECT_DERIVING_RELATIONSHIP"),
	listed("FEATURE_FOR_DATUM_TARGET_RELATIONSHIP"),
	listed("GEOMETRIC_ITEM_SPECIFIC_USAGE"),
	listed("ITEM_IDENTIFIED_REPRESENTATION_USAGE"),
	titledListed("DIMENSIONAL_SIZE"),
	titledListed("ANGULAR_SIZE"),
	titledListed("DIMENSIONAL_SIZE_WITH_PATH"),
	titledListed("DIMENSIONAL_SIZE_WITH_DATUM_FEATURE"),
	titledListed("DIMENSIONAL_LOCATION"),
	titledListed("ANGULAR_LOCATION"),
	titledListed("DIRECTED_DIMENSIONAL_LOCATION"),
	titledListed("DIMENSIONAL_LOCATION_WITH_PATH"),
	listed("DIMENSIONAL_CHARACTERISTIC_REPRESENTATION"),
	entity("SHAPE_DIMENSION_REPRESENTATION"),
	listed("PLUS_MINUS_TOLERANCE"),
	entity("TOLERANCE_VALUE"),
	titled("LIMITS_AND_FITS"),
	titled("TYPE_QUALIFIER"),
	titled("VALUE_FORMAT_TYPE_QUALIFIER"),
	entity("QUALIFIED_REPRESENTATION_ITEM"),
	titled("MEASURE_REPRESENTATION_ITEM"),
	titled("REPRESENTATION_ITEM"),
	titled("COMPOUND_REPRESENTATION_ITEM"),
	titled("VALUE_RANGE"),
	titled("DESCRIPTIVE_REPRESENTATION_ITEM"),
	titledListed("GEOMETRIC_TOLERANCE"),
	titledListed("STRAIGHTNESS_TOLERANCE"),
	titledListed("FLATNESS_TOLERANCE"),
	titledListed("ROUNDNESS_TOLERANCE"),
	titledListed("CYLINDRICITY_TOLERANCE"),
	titledListed("LINE_PROFILE_TOLERANCE"),
	titledListed("SURFACE_PROFILE_TOLERANCE"),
	titledListed("ANGULARITY_TOLERANCE"),
	titledListed("PERPENDICULARITY_TOLERANCE"),
	titledListed("PARALLELISM_TOLERANCE"),
	titledListed("POSITION_TOLERANCE"),
	titledListed("CONCENTRICITY_TOLERANCE"),
	titledListed("COAXIALITY_TOLERANCE"),
	titledListed("SYMMETRY_TOLERANCE"),
	titledListed("CIRCULAR_RUNOUT_TOLERANCE"),
	titledListed("TOTAL_RUNOUT_TOLERANCE"),
	titledListed("GEOMETRIC_TOLERANCE_WITH_DATUM_REFERENCE"),
	titledListed("GEOMETRIC_TOLERANCE_WITH_MODIFIERS"),
	titledListed("MODIFIED_GEOMETRIC_TOLERANCE"),
	titledListed("GEOMETRIC_TOLERANCE_WITH_MAXIMUM_TOLERANCE"),
	titledListed("GEOMETRIC_TOLERANCE_WITH_DEFINED_UNIT"),
	titledListed("GEOMETRIC_TOLERANCE_WITH_DEFINED_AREA_UNIT"),
	titledListed("UNEQUALLY_DISPOSED_GEOMETRIC_TOLERANCE"),
	titledListed("GEOMETRIC_TOLERANCE_RELATIONSHIP"),
	listed("TOLERANCE_ZONE"),
	titled("TOLERANCE_ZONE_FORM"),
	listed("PROJECTED_ZONE_DEFINITION"),
	titledListed("DATUM"),
	titledListed("COMMON_DATUM"),
	listed("DATUM_FEATURE"),
	titledListed("DATUM_TARGET"),
	titledListed("PLACED_DATUM_TARGET_FEATURE"),
	entity("DATUM_SYSTEM"),
	entity("DATUM_REFERENCE"),
	entity("DATUM_REFERENCE_COMPARTMENT"),
	entity("DATUM_REFERENCE_ELEMENT"),
	entity("REFERENCED_MODIFIED_DATUM"),
	entity("DATUM_REFERENCE_MODIFIER_WITH_VALUE"),
	titledListed("PROPERTY_DEFINITION"),
	listed("PROPERTY_DEFINITION_REPRESENTATION"),
	titled("GENERAL_PROPERTY"),
	listed("GENERAL_PROPERTY_ASSOCIATION"),
	titled("VALUE_REPRESENTATION_ITEM"),
	listed("DRAUGHTING_MODEL_ITEM_ASSOCIATION"),
	listed("DRAUGHTING_MODEL_ITEM_ASSOCIATION_WITH_PLACEHOLDER"),
	titledListed("DRAUGHTING_CALLOUT"),
	listed("CHARACTERIZED_ITEM_WITHIN_REPRESENTATION"),
	counted("ANNOTATION_OCCURRENCE"),
	counted("ANNOTATION_CURVE_OCCURRENCE"),
	counted("TESSELLATED_ANNOTATION_OCCURRENCE"),
	word("SET_REPRESENTATION_ITEM"),
	word("COMMON_DATUM_LIST"),
	word("SIMPLE_DATUM_REFERENCE_MODIFIER"),
}, modifiers())

// modifiers are the modifiers of tolerances and datums, and area forms. LINE, PLANE and POINT also serve as modifiers.
func modifiers() []part21.Word {
	var out []part21.Word
	for name := range strings.FieldsSeq(modifierNames) {
		out = append(out, word(name))
	}
	return out
}

const modifierNames = `
ANY_CROSS_SECTION ANY_LONGITUDINAL_SECTION ASSOCIATED_LEAST_SQUARE_FEATURE
ASSOCIATED_MAXIMUM_INSCRIBED_FEATURE ASSOCIATED_MINIMUM_INSCRIBED_FEATURE ASSOCIATED_MINMAX_FEATURE
ASSOCIATED_TANGENT_FEATURE ASSOCIATED_MINIMUM_CIRCUMSCRIBED_FEATURE BASIC CIRCULAR
CIRCULAR_OR_CYLINDRICAL COMMON_ZONE CONTACTING_FEATURE CYLINDRICAL DEGREE_OF_FREEDOM_CONSTRAINT_U
DEGREE_OF_FREEDOM_CONSTRAINT_V DEGREE_OF_FREEDOM_CONSTRAINT_W DEGREE_OF_FREEDOM_CONSTRAINT_X
DEGREE_OF_FREEDOM_CONSTRAINT_Y DEGREE_OF_FREEDOM_CONSTRAINT_Z DISTANCE DISTANCE_VARIABLE
DYNAMIC_PROFILE EACH_RADIAL_ELEMENT FREE_STATE LEAST_MATERIAL_CONDITION LEAST_MATERIAL_REQUIREMENT
LINE_ELEMENT MAJOR_DIAMETER MAXIMUM_MATERIAL_CONDITION MAXIMUM_MATERIAL_REQUIREMENT MINOR_DIAMETER
NOT_CONVEX ORIENTATION PEAK_HEIGHT PITCH_DIAMETER POINT PROJECTED RECIPROCITY_REQUIREMENT
RECTANGULAR REFERENCE_LEAST_SQUARE_FEATURE_WITH_EXTERNAL_MATERIAL_CONSTRAINT
REFERENCE_LEAST_SQUARE_FEATURE_WITH_INTERNAL_MATERIAL_CONSTRAINT
REFERENCE_LEAST_SQUARE_FEATURE_WITHOUT_CONSTRAINT
REFERENCE_MINIMAX_FEATURE_WITH_EXTERNAL_MATERIAL_CONSTRAINT
REFERENCE_MINIMAX_FEATURE_WITH_INTERNAL_MATERIAL_CONSTRAINT
REFERENCE_MINIMAX_FEATURE_WITHOUT_CONSTRAINT REFERENCE_MAXIMUM_INSCRIBED_FEATURE
REFERENCE_MINIMUM_CIRCUMSCRIBED_FEATURE REGARDLESS_OF_FEATURE_SIZE SEPARATE_REQUIREMENT SPHERICAL
SQUARE STANDARD_DEVIATION STATISTICAL_TOLERANCE TANGENT_PLANE TOTAL_RANGE_DEVIATIONS TRANSLATION
UNITED_FEATURE VALLEY_DEPTH`

// Spell returns a name of the vocabulary in lower case, with blanks between its words, or "" for NoKeyword.
func Spell(k part21.Keyword) string {
	if int(k) >= len(words) {
		return ""
	}
	return strings.ReplaceAll(strings.ToLower(words[k].Name), "_", " ")
}
