package schema

import (
	"testing"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
)

func TestNamesMatchKeywords(t *testing.T) {
	for name, want := range map[string]part21.Keyword{
		"ADVANCED_BREP_SHAPE_REPRESENTATION":              AdvancedBrepShapeRepresentation, // the first
		"ADVANCED_FACE":                                   AdvancedFace,
		"B_SPLINE_CURVE_WITH_KNOTS":                       BSplineCurveWithKnots,
		"CARTESIAN_POINT":                                 CartesianPoint,
		"REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION": TransformedRelationship,
		"T":                           T,
		"ATTO":                        Atto,
		"CARTESIAN":                   Cartesian, // the last
		"CSG_SOLID":                   CsgSolid,  // the first construction
		"TRIMMED_VOLUME":              TrimmedVolume,
		"RIGHT_CIRCULAR_CONE":         RightCircularCone,
		"BASIC_ROUND_HOLE":            BasicRoundHole, // the first hole
		"EXPLICIT_ROUND_HOLE":         ExplicitRoundHole,
		"COUNTERBORE_HOLE_OCCURRENCE": CounterboreHoleOccurrence,
		"THREAD":                      Thread,
		"FACE_HANDLE":                 part21.NoKeyword,
		"":                            part21.NoKeyword,
	} {
		if got := Vocabulary.Lookup([]byte(name)); got != want {
			t.Errorf("Lookup(%q) = %d, want %d", name, got, want)
		}
	}
}
