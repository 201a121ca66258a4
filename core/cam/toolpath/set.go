// Package toolpath computes the motion of a plan's operations.
//
// # Method
//
// Everything is cut level by level, on exact areas of lines and arcs (core/kernel/geom/arcpoly). The free area of the
// tip at a height is the area that core/cam/planning/access leaves clear of the part, of stock for shank and holder,
// and of jaws. Walls are the boundary of that area, and every link, lead and entry is
// tested against it. Cut material is removed from the stock at once, so that the next level and the next operation know
// the rest. Material that a setup may leave to later ones is seen along their sides; the material that it certainly
// leaves is computed on dexels. An operation declares the material that it should but cannot reach as rest material,
// minus the removal by later operations of the setup. Only then is motion rounded to the printed resolution.
//
// Rapids are level above all material. They are lower where the whole tool is in the air, both on a control that
// coordinates its axes and on one that does not.
//
// Roughing bounds the front arc of contact (package adaptive). Channels too narrow for its loops, and what it leaves,
// are cut by rings: inward offsets of the area, at a lower feed where the whole width of the tool is in material.
// Floors are finished by rings, slopes and free forms by passes over their surface (package scallop). The largest
// front arc of an operation is not reported.
package toolpath

import (
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
)

// Set is the motion of a plan: for each of its setups, in order, one motion operation for each operation of the plan,
// rounded to the printed resolution.
type Set struct {
	Setups []motion.Setup
	Paths  [][]Path // of each setup, one for each operation
}

// Path is the data of one operation's motion.
type Path struct {
	RestMaterial []RestMaterial `json:"residue"` // declared rest material; none: the operation clears its target
	MoveCount    int            `json:"moveCount"`
	CutLength    float64        `json:"cutLength"`   // mm, at a feed
	RapidLength  float64        `json:"rapidLength"` // mm
	Bounds       geom.Box       `json:"bounds"`      // of the tip, in the frame of the setup
}

// RestMaterial is material between the heights of an operation that it leaves, beyond its plan's stock to leave.
type RestMaterial struct {
	Regions []int               `json:"regions"` // faces beside which it stays, ascending
	Reason  completeness.Reason `json:"reason"`
	Volume  float64             `json:"volume"`    // mm³, of prisms over the unreached area
	Height  float64             `json:"maxHeight"` // mm, of the highest of them
	Detail  string              `json:"detail"`
}
