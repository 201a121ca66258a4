package schema

import (
	"testing"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
)

func TestStatementNamesMatchKeywords(t *testing.T) {
	for name, want := range map[string]part21.Keyword{
		"SHAPE_ASPECT":                    ShapeAspect, // the first
		"DIMENSIONAL_SIZE":                DimensionalSize,
		"GEOMETRIC_TOLERANCE":             GeometricTolerance,
		"CIRCULAR_RUNOUT_TOLERANCE":       CircularRunoutTolerance,
		"DATUM":                           Datum,
		"PROPERTY_DEFINITION":             PropertyDefinition,
		"SIMPLE_DATUM_REFERENCE_MODIFIER": SimpleDatumReferenceModifier, // the last
	} {
		if got := Vocabulary.Lookup([]byte(name)); got != want {
			t.Errorf("Lookup(%q) = %d, want %d", name, got, want)
		}
	}
}

func TestSpell(t *testing.T) {
	for name, want := range map[string]string{
		"MAXIMUM_MATERIAL_REQUIREMENT": "maximum material requirement",
		"VALLEY_DEPTH":                 "valley depth", // the last
		"LINE":                         "line",         // an entity too
		"NO_SUCH_THING":                "",
	} {
		if got := Spell(Vocabulary.Lookup([]byte(name))); got != want {
			t.Errorf("Spell(%s) = %q, want %q", name, got, want)
		}
	}
	if got := Spell(part21.Keyword(len(words))); got != "" {
		t.Errorf("Spell behind the vocabulary = %q", got)
	}
}

func TestVocabularyNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for i, w := range words {
		if i > 0 && (w.Name == "" || seen[w.Name]) {
			t.Errorf("word %d is %q, empty or there already", i, w.Name)
		}
		seen[w.Name] = true
	}
}
