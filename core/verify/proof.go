// Package verify proves motion by removing material: what is cut is what a tool passes, and everything that a tool, its
// shank or its holder touches that it must not is a finding with the move that did it.
package verify

import "millwright/core/geom"

// Kind is what is wrong with a move, or with what is left.
type Kind string

// The kinds of findings.
const (
	Gouge        Kind = "gouge"   // the part is cut into
	RapidTouch   Kind = "rapid"   // a rapid meets material
	ShankTouch   Kind = "shank"   // neck or shank meets material
	HolderTouch  Kind = "holder"  // the holder meets material
	FixtureTouch Kind = "fixture" // any part of the tool meets what holds the part
	TravelLimit  Kind = "travel"  // the machine does not get there
	Uncut        Kind = "uncut"   // more is left on a face than the plan and its paths declare
)

// Finding is one thing that is wrong.
type Finding struct {
	Kind      Kind      `json:"kind"`
	Setup     int       `json:"setup"`     // index
	Operation string    `json:"operation"` // id of the plan; "" of what is left
	Move      int       `json:"move"`      // index into the moves of the operation
	Position  geom.Vec3 `json:"position"`  // in the part frame, mm
	Depth     float64   `json:"depth"`     // mm; of touches the volume met, mm³
	Regions   []int     `json:"regions"`   // faces of the part that are concerned
}

// Remainder is what is left beside one face of the part, by the nearest face of each place.
type Remainder struct {
	Region   int     `json:"region"`
	Volume   float64 `json:"volume"` // mm³
	Height   float64 `json:"height"` // mm, the farthest from the face
	Declared bool    `json:"declared"`
}

// Proof is what the replay of a program found.
type Proof struct {
	StockVolume   float64 `json:"stockVolume"` // mm³
	PartVolume    float64 `json:"partVolume"`
	RemovedVolume float64 `json:"removedVolume"`
	UncutVolume   float64 `json:"uncutVolume"`
	MaxGouge      float64 `json:"maxGouge"` // mm
	MaxUncut      float64 `json:"maxUncut"` // mm, beside faces that are not declared

	RapidCollisions   int `json:"rapidCollisions"` // moves
	HolderCollisions  int `json:"holderCollisions"`
	FixtureCollisions int `json:"fixtureCollisions"`

	Findings   []Finding   `json:"findings"` // what fails the program; the worst of each operation and kind
	Remainders []Remainder `json:"remainders"`
	Step       float64     `json:"step"`   // mm, of the lattice
	Digest     string      `json:"digest"` // of the motion that was replayed
}

// Holds reports whether the program may be run.
func (p *Proof) Holds() bool { return len(p.Findings) == 0 }
