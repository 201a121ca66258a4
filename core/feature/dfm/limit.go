package dfm

// What is asked of a part that is cut from metal. The two bounds of each figure are those that design guides for machined
// parts agree on: what they recommend, and beyond that what they call feasible (Protolabs Network/Hubs, How to design
// parts for CNC machining, 2023, table "common features"; Protolabs, Design guidelines CNC milling; Xometry, Guide to CNC
// machining design). A figure between them is an advice, one beyond both a problem.

// Kind is what a finding is about.
type Kind string

// The kinds of findings.
const (
	DeepHole       Kind = "deepHole"       // depth over diameter of a hole
	ThinWall       Kind = "thinWall"       // thickness of what stands, mm
	DeepPocket     Kind = "deepPocket"     // depth over the diameter of the tool that gets everywhere in a pocket
	SharpCorner    Kind = "sharpCorner"    // radius of an inner corner along the tool, mm
	SmallTool      Kind = "smallTool"      // diameter of the tool that a corner, a gap or a bore asks for, mm
	Unreachable    Kind = "unreachable"    // area that no direction reaches, mm²
	TightTolerance Kind = "tightTolerance" // width of a stated tolerance, mm
)

// Severity is how far a figure is off.
type Severity string

// The severities.
const (
	Advice  Severity = "advice"  // makes the part dearer, or asks for a tool that few have
	Problem Severity = "problem" // beyond what is usually made at all
)

// bound is the row of a kind.
type bound struct {
	recommended float64
	feasible    float64
	isLeast     bool // figures must not be below it, instead of above
	remedy      string
}

var bounds = map[Kind]bound{
	DeepHole: {recommended: 4, feasible: 10,
		remedy: "Make the hole wider or less deep, or drill it from both ends."},
	ThinWall: {recommended: 0.8, feasible: 0.5, isLeast: true,
		remedy: "Make the wall thicker, or lower."},
	DeepPocket: {recommended: 4, feasible: 10,
		remedy: "Make the pocket less deep, its gaps wider or its corners rounder, or open a side of it."},
	SharpCorner: {recommended: 0, feasible: 0, isLeast: true,
		remedy: "Round the corner with at least a third of the depth, or let a relief run past it."},
	SmallTool: {recommended: 2.5, feasible: 0.5, isLeast: true,
		remedy: "Make the corner rounder, or the gap or bore wider."},
	Unreachable: {recommended: 0, feasible: 0,
		remedy: "Open the way to the face, or make the part of two."},
	TightTolerance: {recommended: 0.25, feasible: 0.04, isLeast: true,
		remedy: "Keep so tight a tolerance for what has to fit, and let the rest have the general one."},
}

// judge returns how far a figure is off, and the bound that it breaks; ok is false where it keeps both.
func (b *bound) judge(v float64) (severity Severity, limit float64, breaks bool) {
	beyond := func(limit float64) bool {
		if b.isLeast {
			return v < limit*(1-slack)
		}
		return v > limit*(1+slack)
	}
	switch {
	case beyond(b.feasible):
		return Problem, b.feasible, true
	case beyond(b.recommended):
		return Advice, b.recommended, true
	}
	return "", 0, false
}

// slack is how far a figure may be beyond a bound, as a share: sizes in inches, and measured ones, are not round.
const slack = 0.02
