// Package verify proves motion by removing material: what is cut is what a tool passes, and everything that a tool, its
// shank or its holder touches that it must not is a finding with the move that did it.
//
// # Method
//
// Part and stock are dexels of one lattice in the workpiece frame (core/stock/dexel), from which one session mills
// setup by setup what the tools pass, cycles expanded, arcs as arcs. What only the control adds is played too: the way
// down to the start after a tool change, and the way up at the end. Rapids are along Z or level; level ones are taken as
// straight, and as they are on controls that do not lead the axes together.
//
//   - Rapids may not remove, and neck, shank and holder may not meet material (passage.go), up to rub times their
//     shadow.
//   - What of the part is missing is found along the rays, and is as deep as it is far from the mesh of the part
//     (gouge.go).
//   - Between the rays, and however thin what is cut: the exact drop-cutter holds the way of every tool against the
//     mesh of the part, from the side of the spindle (clearance.go).
//   - What holds the part is boxes, which the whole assembly must clear (jaw.go).
//   - What is left is measured by the nearest face (package completeness), and held against what the plan expects to be
//     left (account.go). It fails no program: it goes into the account of the program.
//
// # Bounds
//
// A cut into the mesh of the part that is deeper than 1.5 times the tolerance is found: the drop-cutter is told of
// places so close that what lies between them is at most half a tolerance deeper for all but pointed tools, of which
// that holds where the section is as wide as the tool. The mesh itself may stray from the part by its chord. Touches of
// less than rub as a mean over the shadow of what touches, or by a body as wide as its flutes less than graze deep, and
// jaws passed by less than jawGap, are not told apart from rounding.
//
// Not proven: what undercut tools (dovetails, T-slots, lollipops) cut between rays; material left between rays, which
// is narrower than a step; how deep a thread is (its tool may cut as deep into the wall of the hole as threads of ISO 68-1
// are); that a part stays where it is held, that nothing bends, and that chips leave.
package verify

import (
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/kernel/geom"
)

// Kind is what is wrong with a move, or with what is left.
type Kind string

// The kinds of findings.
const (
	Gouge            Kind = "gouge"   // the part is cut into
	RapidCollision   Kind = "rapid"   // a rapid meets material
	ShankCollision   Kind = "shank"   // neck or shank meets material
	HolderCollision  Kind = "holder"  // the holder meets material
	FixtureCollision Kind = "fixture" // any part of the tool meets what holds the part
	Overtravel       Kind = "travel"  // the machine does not get there
)

// Finding is one thing that is wrong.
type Finding struct {
	Kind      Kind      `json:"kind"`
	Setup     int       `json:"setup"`     // index
	Operation string    `json:"operation"` // id of the plan
	Move      int       `json:"move"`      // index into the moves of the operation
	Position  geom.Vec3 `json:"position"`  // in the part frame, mm
	Depth     float64   `json:"depth"`     // mm; of touches the volume met, mm³
	Regions   []int     `json:"regions"`   // faces of the part that are concerned
}

// Report is what the replay of a program found.
type Report struct {
	StockVolume   float64 `json:"stockVolume"` // mm³
	PartVolume    float64 `json:"partVolume"`
	RemovedVolume float64 `json:"removedVolume"`
	UncutVolume   float64 `json:"uncutVolume"`
	MaxGouge      float64 `json:"maxGouge"` // mm
	MaxUncut      float64 `json:"maxUncut"` // mm, of material that the plan does not expect

	RapidCollisions   int `json:"rapidCollisions"` // moves
	HolderCollisions  int `json:"holderCollisions"`
	FixtureCollisions int `json:"fixtureCollisions"`

	Findings []Finding `json:"findings"` // what fails the program; the worst of each operation and kind
	// Left is the material that is left, with the index of the entry of Plan.Unmachinable that explains it as its cause, -1
	// for none.
	Left   []completeness.Piece `json:"left"`
	Step   float64              `json:"step"`   // mm, of the lattice
	Digest string               `json:"digest"` // of the motion that was replayed
}

// Holds reports whether the program may be run.
func (p *Report) Holds() bool { return len(p.Findings) == 0 }
