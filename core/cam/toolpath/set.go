// Package toolpath turns the operations of a plan into motion.
//
// # Method
//
// Everything is cut level by level, on exact areas of lines and arcs (core/geom/arcpoly). Where the tip may be at a
// height is what core/planning/access leaves free of the part, of stock for shank and holder, and of jaws; walls are
// the boundary of that area, clearing walks round it in rings, and every link, lead and entry is tried against it.
// What is cut is taken from the stock at once, so that the next level and the next operation know what is still there.
// What a setup may leave to later ones is seen along their sides, and what it leaves for sure is found on dexels. What
// an operation is for and cannot get is declared as residue, less what later operations of the setup take. Only then is
// motion rounded to what posts print.
//
// Rapids go level above everything that stands, or lower where the whole tool is in the air on a control that leads
// its axes together and on one that does not.
//
// It does not bound the engagement of the tool beyond the stepover: where a ring is cut into the full the feed is
// reduced. So the largest front arc of an operation is not given either: of those that begin in material it is half a
// turn, and of finishing, which takes 0.3 mm, it would take cells far finer than those that setups hand on.
package toolpath

import (
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
)

// Set is the motion of a plan: for each of its setups, in order, one motion operation for each operation of the plan,
// rounded to what posts print.
type Set struct {
	Setups []motion.Setup
	Paths  [][]Path // of each setup, one for each operation
}

// Path is what is known of the motion of one operation.
type Path struct {
	RestMaterial []RestMaterial `json:"residue"` // what it declares to leave; none: it clears all that it is for
	MoveCount    int            `json:"moveCount"`
	CutLength    float64        `json:"cutLength"`   // mm, at a feed
	RapidLength  float64        `json:"rapidLength"` // mm
	Bounds       geom.Box       `json:"bounds"`      // of the tip, in the frame of the setup
}

// RestMaterial is material that an operation leaves although it lies between its heights, beyond what its plan leaves for
// later operations.
type RestMaterial struct {
	Regions []int               `json:"regions"` // faces beside which it stays, ascending
	Reason  completeness.Reason `json:"reason"`
	Volume  float64             `json:"volume"`    // mm³, of prisms over what the tool does not reach
	Height  float64             `json:"maxHeight"` // mm, of the highest of them
	Detail  string              `json:"detail"`
}
