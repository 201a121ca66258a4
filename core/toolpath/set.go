// Package toolpath turns the operations of a plan into motion.
package toolpath

import (
	"millwright/core/geom"
	"millwright/core/motion"
	"millwright/core/planning"
)

// Set is the motion of a plan: for each of its setups, in order, one motion operation for each operation of the plan,
// rounded to what posts print.
type Set struct {
	Setups []motion.Setup
	Paths  [][]Path // of each setup, one for each operation
}

// Path is what is known of the motion of one operation.
type Path struct {
	Residue     []Residue `json:"residue"` // what it declares to leave; none: it clears all that it is for
	MoveCount   int       `json:"moveCount"`
	CutLength   float64   `json:"cutLength"`   // mm, at a feed
	RapidLength float64   `json:"rapidLength"` // mm
	Bounds      geom.Box  `json:"bounds"`      // of the tip, in the frame of the setup
}

// Residue is material that an operation leaves although it lies between its heights, beyond what its plan leaves for
// later operations.
type Residue struct {
	Regions []int           `json:"regions"` // faces beside which it stays, ascending
	Reason  planning.Reason `json:"reason"`
	Volume  float64         `json:"volume"`    // mm³, of prisms over what the tool does not reach
	Height  float64         `json:"maxHeight"` // mm, of the highest of them
	Detail  string          `json:"detail"`
}
