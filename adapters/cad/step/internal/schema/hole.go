package schema

import "millwright.dev/millwright/adapters/cad/step/internal/part21"

// Holes stated as features (ISO 10303-242 editions 2 and 3), and threads (ISO 10303-214 and 224).
const (
	// Kinds of holes.
	BasicRoundHole part21.Keyword = TrimmedVolume + 1 + iota
	CounterboreHoleDefinition
	CounterdrillHoleDefinition
	CountersinkHoleDefinition
	SpotfaceHoleDefinition
	SimplifiedCounterboreHoleDefinition
	SimplifiedCounterdrillHoleDefinition
	SimplifiedCountersinkHoleDefinition
	SimplifiedSpotfaceHoleDefinition
	ExplicitRoundHole
	SpotfaceDefinition

	// Where they are: shape aspects.
	BasicRoundHoleOccurrence
	CounterboreHoleOccurrence
	CounterdrillHoleOccurrence
	CountersinkHoleOccurrence
	SpotfaceOccurrence
	BasicRoundHoleOccurrenceInAssembly
	CounterboreHoleOccurrenceInAssembly
	CounterdrillHoleOccurrenceInAssembly
	CountersinkHoleOccurrenceInAssembly
	SpotfaceOccurrenceInAssembly

	Thread
)

// holeWords are the words of the names above, in their order.
var holeWords = []part21.Word{
	titledListed("BASIC_ROUND_HOLE"),
	titledListed("COUNTERBORE_HOLE_DEFINITION"),
	titledListed("COUNTERDRILL_HOLE_DEFINITION"),
	titledListed("COUNTERSINK_HOLE_DEFINITION"),
	titledListed("SPOTFACE_HOLE_DEFINITION"),
	titledListed("SIMPLIFIED_COUNTERBORE_HOLE_DEFINITION"),
	titledListed("SIMPLIFIED_COUNTERDRILL_HOLE_DEFINITION"),
	titledListed("SIMPLIFIED_COUNTERSINK_HOLE_DEFINITION"),
	titledListed("SIMPLIFIED_SPOTFACE_HOLE_DEFINITION"),
	entity("EXPLICIT_ROUND_HOLE"),
	entity("SPOTFACE_DEFINITION"),
	titledListed("BASIC_ROUND_HOLE_OCCURRENCE"),
	titledListed("COUNTERBORE_HOLE_OCCURRENCE"),
	titledListed("COUNTERDRILL_HOLE_OCCURRENCE"),
	titledListed("COUNTERSINK_HOLE_OCCURRENCE"),
	titledListed("SPOTFACE_OCCURRENCE"),
	titledListed("BASIC_ROUND_HOLE_OCCURRENCE_IN_ASSEMBLY"),
	titledListed("COUNTERBORE_HOLE_OCCURRENCE_IN_ASSEMBLY"),
	titledListed("COUNTERDRILL_HOLE_OCCURRENCE_IN_ASSEMBLY"),
	titledListed("COUNTERSINK_HOLE_OCCURRENCE_IN_ASSEMBLY"),
	titledListed("SPOTFACE_OCCURRENCE_IN_ASSEMBLY"),
	titledListed("THREAD"),
}

// Holes are the definitions of holes, HoleOccurrences the shape aspects that are such a hole.
var (
	Holes = []part21.Keyword{
		BasicRoundHole, CounterboreHoleDefinition, CounterdrillHoleDefinition,
		CountersinkHoleDefinition, SpotfaceHoleDefinition, SimplifiedCounterboreHoleDefinition,
		SimplifiedCounterdrillHoleDefinition, SimplifiedCountersinkHoleDefinition, SimplifiedSpotfaceHoleDefinition,
	}
	HoleOccurrences = []part21.Keyword{
		BasicRoundHoleOccurrence, CounterboreHoleOccurrence,
		CounterdrillHoleOccurrence, CountersinkHoleOccurrence,
		SpotfaceOccurrence, BasicRoundHoleOccurrenceInAssembly,
		CounterboreHoleOccurrenceInAssembly, CounterdrillHoleOccurrenceInAssembly,
		CountersinkHoleOccurrenceInAssembly, SpotfaceOccurrenceInAssembly,
	}
)
