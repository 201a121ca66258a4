// Package verify verifies motion by simulated material removal. The swept volume of a tool is removed; every contact of
// a tool, its shank or its holder that is not allowed is a finding with its move.
//
// # Method
//
// Part and stock are dexels of one lattice in the workpiece frame (core/cam/stock/dexel). One session removes the swept
// volumes of the tools setup by setup, with cycles expanded and arcs as arcs. Moves that only the control adds are
// included: the approach to the start after a tool change, and the retract at the end. Rapids are along Z or level.
// Level ones are taken as straight, and also as on controls that do not coordinate the axes.
//
//   - Rapids may not remove material, and neck, shank and holder may not touch it (passage.go), up to rub times their
//     shadow.
//   - Missing material of the part is found along the rays; its depth is its distance from the mesh of the part
//     (gouge.go).
//   - Between the rays, and for thin cuts, the exact drop-cutter compares the path of every tool with the mesh of the
//     part, from the spindle side (clearance.go). Tools that are wider below than above are compared with each triangle
//     next to their path instead (undercut.go).
//   - Edges that the plan breaks are broken in the mesh of the part (edges.go). So a wider chamfer is a gouge, and an
//     edge that stays sharp keeps material.
//   - Clampings are boxes, which the whole assembly must clear (jaw.go).
//   - The remaining material is measured by the nearest face (package completeness), and compared with the plan's
//     expectations (account.go). It fails no program, but is part of the account of the program.
//
// # Bounds
//
// A cut into the mesh of the part deeper than 1.5 times the tolerance is found. The drop-cutter tests points so close
// that a cut between them is at most half a tolerance deeper. For pointed tools this holds only where the section is as
// wide as the tool. The mesh itself may deviate from the part by its chord. Some contacts cannot be distinguished from
// rounding: contacts of less than rub on average over the shadow, contacts less than graze deep by a body with the
// width of its flutes, and jaws passed by less than jawGap.
//
// Not verified: material left between rays, narrower than a step; the depth of a thread (its tool may cut as deep into
// the wall of the hole as threads of ISO 68-1). Nor is it verified that a part does not move, that nothing bends, and
// that chips leave.
package verify

import (
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/kernel/geom"
)

// Kind is the kind of error of a move, or of the remaining material.
type Kind string

// The kinds of findings.
const (
	Gouge            Kind = "gouge"   // the part is cut into
	RapidCollision   Kind = "rapid"   // a rapid meets material
	ShankCollision   Kind = "shank"   // neck or shank meets material
	HolderCollision  Kind = "holder"  // the holder meets material
	FixtureCollision Kind = "fixture" // any part of the tool touches the fixture
	Overtravel       Kind = "travel"  // the machine does not get there
)

// Finding is one thing that is wrong.
type Finding struct {
	Kind      Kind      `json:"kind"`
	Setup     int       `json:"setup"`     // index
	Operation string    `json:"operation"` // id of the plan
	Move      int       `json:"move"`      // index into the moves of the operation
	Position  geom.Vec3 `json:"position"`  // in the part frame, mm
	Depth     float64   `json:"depth"`     // mm; of collisions the volume met, mm³, 0 if it was not measured
	Regions   []int     `json:"regions"`   // faces of the part that are concerned
}

// Report is the result of a program's replay.
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

	Findings []Finding `json:"findings"` // errors that fail the program; the worst of each operation and kind
	// Left is the remaining material. Its cause is the index of the entry of Plan.Unmachinable that explains it, -1
	// without one, -2 at edges that the plan breaks.
	Left   []completeness.Piece `json:"left"`
	Step   float64              `json:"step"`   // mm, of the lattice
	Digest string               `json:"digest"` // of the motion that was replayed
}

// Passes reports whether the program may be run.
func (p *Report) Passes() bool { return len(p.Findings) == 0 }
