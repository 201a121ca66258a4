package dfm

// Limits for metal parts. The two limits of each value are those on which design guides for machined parts agree: the
// recommended value, and the value that is still feasible (Protolabs Network/Hubs, How to design parts for CNC
// machining, 2023, table "common features"; Protolabs, Design guidelines CNC milling; Xometry, Guide to CNC machining
// design). A value between the limits is an advice, a value beyond both a problem.

// Kind is the subject of a finding.
type Kind string

// The kinds of findings.
const (
	DeepHole       Kind = "deepHole"       // depth over diameter of a hole
	ThinWall       Kind = "thinWall"       // thickness of a wall, mm
	DeepPocket     Kind = "deepPocket"     // depth over the diameter of the tool that gets everywhere in a pocket
	SharpCorner    Kind = "sharpCorner"    // radius of an inner corner along the tool, mm
	SmallTool      Kind = "smallTool"      // largest tool diameter for a corner, a gap or a bore, mm
	Unreachable    Kind = "unreachable"    // area that no direction reaches, mm²
	TightTolerance Kind = "tightTolerance" // width of a stated tolerance, mm
)

// Severity is the degree to which a value is out of limits.
type Severity string

// The severities.
const (
	Advice  Severity = "advice"  // increases the cost, or needs an uncommon tool
	Problem Severity = "problem" // beyond the usual limits of machining
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
		remedy: "Round the corner with at least a third of the depth, or add a corner relief."},
	SmallTool: {recommended: 2.5, feasible: 0.5, isLeast: true,
		remedy: "Make the corner rounder, or the gap or bore wider."},
	Unreachable: {recommended: 0, feasible: 0,
		remedy: "Give access to the face, or split the part in two."},
	TightTolerance: {recommended: 0.25, feasible: 0.04, isLeast: true,
		remedy: "Keep this tolerance for mating features only, and give the others the general tolerance."},
}

// judge returns the severity of a value and the limit that it exceeds; breaks is false if the value is within both.
func (b *bound) judge(v float64) (severity Severity, limit float64, breaks bool) {
	beyond := func(limit float64) bool {
		if b.isLeast {
			return v < limit*(1-margin)
		}
		return v > limit*(1+margin)
	}
	switch {
	case beyond(b.feasible):
		return Problem, b.feasible, true
	case beyond(b.recommended):
		return Advice, b.recommended, true
	}
	return "", 0, false
}

// margin is the share by which a value may exceed a limit: inch sizes and measured values are not round.
const margin = 0.02
