// Package completeness accounts for the material that a program leaves on a part.
//
// An Account has two sides. The predicted one follows from a plan and the reach of its tools, before there are paths.
// The found one follows from the remaining stock of the simulated program. Both list the same kind of entries: the
// faces that keep material, its amount, its height, the reason, and a remedy. Plans, programs, verification reports,
// estimates, setup sheets, the command line and the API all read the account, the only source of this information.
//
// Lengths are mm.
package completeness

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// Reason is why material is left.
type Reason string

// The reasons.
const (
	NoToolFits      Reason = "no_tool_fits"      // all tools are too large, or none has the shape
	OutOfReach      Reason = "out_of_reach"      // flutes, shank or holder
	NotAccessible   Reason = "not_accessible"    // visible from no direction
	NeedsMoreAxes   Reason = "needs_more_axes"   // the direction is oblique to those that the machine can set up
	SetupCostsMore  Reason = "setup_costs_more"  // a setup would make it, and is not worth its cost
	HeldThere       Reason = "held_there"        // jaws cover it in every setup that could make it
	Unheld          Reason = "unheld"            // no designed device holds the part with its side up
	Undercut        Reason = "undercut"          // it lies under other material
	SharpCorner     Reason = "sharp_corner"      // a concave edge that no round tool makes
	ExceedsTravel   Reason = "exceeds_travel"    // the machine does not get there
	ThreadNotStated Reason = "thread_not_stated" // the hole is made, the thread is a guess
	Turned          Reason = "turned"            // work for a lathe
	NotRequested    Reason = "not_requested"     // the plan covers other features only
	PathLeft        Reason = "path_left"         // planned as made, and found to be left
	EdgeNotBroken   Reason = "edge_not_broken"   // a sharp edge that no operation breaks, though it was asked for
)

// isNamed reports whether the drawing or the request implies the material left for a reason. The program is then
// complete except for the named entries.
func (r Reason) isNamed() bool {
	return r == SharpCorner || r == ThreadNotStated || r == NotRequested || r == EdgeNotBroken
}

// IsUnmeasured reports whether the reason is for work that a plan names without an amount of material: threads, and
// edges that no operation breaks.
func (r Reason) IsUnmeasured() bool { return r == ThreadNotStated || r == EdgeNotBroken }

// isUnmeasured reports whether no material was measured for work that has no amount.
func (e *Entry) isUnmeasured() bool { return e.Reason.IsUnmeasured() && e.Volume == 0 && e.Height == 0 }

// Side is the source of an account.
type Side string

// The sides.
const (
	Predicted Side = "predicted" // from the reach of the planned tools
	Found     Side = "found"     // from the simulation of the program
)

// Level is the completeness of a program.
type Level string

// The levels.
const (
	Complete Level = "complete" // nothing counts that is left
	// only sharp corners, threads that the file does not state, edges that stay sharp, and work not requested
	CompleteButNamed Level = "complete_but_named"
	Incomplete       Level = "incomplete"
)

// Material counts as left where it is larger than LeastVolume and higher than LeastHeight. It is listed where it is
// either: a caliper reads a tenth of a millimeter, and 5 mm³ is a burr.
const (
	LeastVolume = 5.0 // mm³
	LeastHeight = 0.1 // mm
)

// Entry is material that is left for one reason.
type Entry struct {
	Feature int       `json:"feature"` // index into the recognized features; -1: faces of no feature
	Regions []int     `json:"regions"` // adjacent faces of the part, ascending
	Volume  float64   `json:"volume"`  // mm³
	Height  float64   `json:"height"`  // mm, of the point that is farthest from the part
	Area    float64   `json:"area"`    // mm² of these faces that have more than LeastHeight above them
	At      geom.Vec3 `json:"at"`      // that point, in the part frame
	Reason  Reason    `json:"reason"`
	Detail  string    `json:"detail"`          // one sentence for a machinist
	Remedy  string    `json:"remedy"`          // one sentence; "": unknown
	Price   *Price    `json:"price,omitempty"` // of making it; nil: unknown
}

// Counts reports whether the entry keeps a program from being complete.
func (e *Entry) Counts() bool { return e.Volume > LeastVolume && e.Height > LeastHeight }

// IsListed reports whether the entry is large enough to list, or is named without an amount.
func (e *Entry) IsListed() bool {
	return e.Volume > LeastVolume || e.Height > LeastHeight || e.isUnmeasured()
}

// Made is the completed share of the work, from 0 to 1.
type Made struct {
	VolumeShare float64 `json:"volumeShare"` // of the material to remove
	AreaShare   float64 `json:"areaShare"`   // of the area of the part that has at most LeastHeight above it
}

// Account is the material left on a part.
type Account struct {
	Side         Side    `json:"side"`
	Made         Made    `json:"made"`
	Completeness Level   `json:"completeness"`
	Left         []Entry `json:"left"` // the largest first
}

// New closes an account over some entries, at most one for each face. Removable is the volume of the stock less the
// part's (mm³), area the part's surface area (mm²).
func New(side Side, entries []Entry, removable, area float64) *Account {
	a := &Account{Side: side, Made: Made{1, 1}, Completeness: Complete, Left: []Entry{}}
	volume, covered := 0.0, 0.0
	for i := range entries {
		e := entries[i]
		volume, covered = volume+e.Volume, covered+e.Area
		// A prediction is too coarse to show that a named face is made in fact.
		counts := e.Counts() || e.isUnmeasured() || side == Predicted
		if !e.IsListed() && !counts {
			continue
		}
		a.Left = append(a.Left, e)
		switch {
		case !counts:
		case !e.Reason.isNamed():
			a.Completeness = Incomplete
		case a.Completeness == Complete:
			a.Completeness = CompleteButNamed
		}
	}
	share := func(of, all float64) float64 {
		if !(all > 0) {
			return 1
		}
		return min(max(1-of/all, 0), 1)
	}
	a.Made = Made{share(volume, removable), share(covered, area)}
	slices.SortStableFunc(a.Left, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(b.Volume, a.Volume), cmp.Compare(b.Height, a.Height), cmp.Compare(a.Feature, b.Feature))
	})
	return a
}

// Has reports whether the account lists something for a reason.
func (a *Account) Has(r Reason) bool {
	return a != nil && slices.ContainsFunc(a.Left, func(e Entry) bool { return e.Reason == r })
}
