// Package programs judges programs of parts: the output, the machined share of the part, the time, and forbidden
// results. Minutes are compared with the target of package target, and the motion is replayed for the engagement of the
// tools (bench/README.md has all formulas). Figures has the bounds that a good programmer keeps.
package programs

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/bench/target"
	"millwright.dev/millwright/cmd/millwright/plancmd"
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
)

// Row is what became of one part with one cut config.
type Row struct {
	Part   string `json:"part"`
	Config string `json:"config"`

	Failure string `json:"failure,omitempty"` // code
	Reason  string `json:"reason,omitempty"`

	Features   int            `json:"features"`
	Planned    int            `json:"planned"`   // features in operations
	Named      int            `json:"named"`     // features that are not made, or not all of, with a reason
	Forgotten  []int          `json:"forgotten"` // features that are neither, from 1
	Reasons    map[string]int `json:"reasons"`   // of unmachined features
	Setups     int            `json:"setups"`
	Operations int            `json:"operations"`
	Tools      int            `json:"tools"`

	// The minutes, how they compare with the target, and what roughing does with them; only of programs that are made.
	Split      Split          `json:"split"`
	Target     *target.Target `json:"target,omitempty"`
	CycleRatio float64        `json:"cycleRatio"` // minutes without loading and setting up over the target
	RoughRatio float64        `json:"roughRatio"` // minutes of roughing over those of the target
	Roughing   Roughing       `json:"roughing"`
	Holding    []string       `json:"holding"`  // the setups' kinds of clamping
	Replayed   float64        `json:"replayed"` // share of stock less part that the replay removes

	Meters  float64 `json:"metres"` // of path at a feed
	Rapids  float64 `json:"rapids"` // meters
	Minutes float64 `json:"minutes"`
	Cents   int64   `json:"cents"` // for one part
	// FastTime and FastCost are the fast estimate over the refined one.
	FastTime float64 `json:"fastTime"`
	FastCost float64 `json:"fastCost"`

	Gouges     int     `json:"gouges"` // operations with one, as the proof reports the worst of each
	MaxGouge   float64 `json:"maxGouge"`
	Collisions int     `json:"collisions"` // moves
	PathLeft   int     `json:"pathLeft"`   // places that the plan makes and the paths do not
	Beyond     int     `json:"beyond"`     // moves beyond the travel
	Removed    float64 `json:"removed"`    // share of stock less part
	Account    string  `json:"account"`    // completeness
	AreaShare  float64 `json:"areaShare"`  // of the part that is made

	ReadMs  float64 `json:"readMs"` // file to features
	PlanMs  float64 `json:"planMs"`
	PathsMs float64 `json:"pathsMs"`
	ProofMs float64 `json:"proofMs"`
	// MeasureMs is the time of target and replay.
	MeasureMs float64 `json:"measureMs"`
	PerMs     float64 `json:"msPerMetre"` // plan, paths and proof
	PeakMB    int64   `json:"peakMb"`
	Alone     *Costs  `json:"alone,omitempty"` // where that is asked for

	Broken []string `json:"broken"` // acceptance lines that do not hold
}

// Take fills in the results. Part is the known data of the part, with its fast estimate.
func (r *Row) Take(part, m *plancmd.Result) {
	r.Features = len(part.Part.Features)
	p := m.Plan
	r.cover(p)
	r.Setups, r.Tools = len(p.Setups), len(p.Tools)
	for i := range p.Setups {
		r.Operations += len(p.Setups[i].Operations)
		for _, path := range m.Set.Paths[i] {
			r.Meters += path.CutLength / mmPerMetre
			r.Rapids += path.RapidLength / mmPerMetre
		}
	}
	r.Minutes, r.Cents = m.Times.Total/60, m.Estimate.CostCents
	if e := part.Estimate; e != nil && m.Estimate.TimeSeconds > 0 && m.Estimate.CostCents > 0 {
		r.FastTime = float64(e.TimeSeconds) / float64(m.Estimate.TimeSeconds)
		r.FastCost = float64(e.CostCents) / float64(m.Estimate.CostCents)
	}
	r.prove(m.Proof)
	r.account(p.Account)
	r.cost(&m.Run)
}

const mmPerMetre = 1000

// cover counts which features are made, which are named, and which are neither.
func (r *Row) cover(p *planning.Plan) {
	made, named := make([]bool, r.Features), make([]bool, r.Features)
	mark := func(of []bool, f int) {
		if f >= 0 && f < len(of) {
			of[f] = true
		}
	}
	for i := range p.Setups {
		for _, o := range p.Setups[i].Operations {
			for _, f := range o.Features {
				mark(made, f)
			}
		}
	}
	r.Reasons = map[string]int{}
	for _, u := range p.Unmachinable {
		r.Reasons[string(u.Reason)]++
		mark(named, u.Feature)
	}
	r.Forgotten = []int{}
	for f := range r.Features {
		if made[f] {
			r.Planned++
		}
		if named[f] {
			r.Named++
		}
		if !made[f] && !named[f] {
			r.Forgotten = append(r.Forgotten, f+1)
		}
	}
}

func (r *Row) prove(p *verify.Report) {
	r.MaxGouge = p.MaxGouge
	r.Collisions = p.RapidCollisions + p.HolderCollisions + p.FixtureCollisions
	for _, f := range p.Findings {
		switch f.Kind {
		case verify.Gouge:
			r.Gouges++
		case verify.Overtravel:
			r.Beyond++
		}
	}
	if !p.Passes() {
		r.Failure, r.Reason = string(fault.VerificationFailed), fmt.Sprintf("%d findings", len(p.Findings))
	}
}

// account reads the rest material.
func (r *Row) account(a *completeness.Account) {
	r.Account, r.Removed, r.AreaShare = string(a.Completeness), a.Made.VolumeShare, a.Made.AreaShare
	for i := range a.Left {
		if e := &a.Left[i]; e.Reason == completeness.PathLeft && e.Counts() {
			r.PathLeft++
		}
	}
}

// reading are the stages before the plan.
var reading = []pipeline.Name{
	pipeline.Model, pipeline.Properties, pipeline.Mesh, pipeline.DisplayMesh, pipeline.Features, pipeline.FeatureList, pipeline.Datasheets, pipeline.Summary,
}

// cost assigns times to stages. Time that belongs to neither reading, planning nor paths belongs to the verification.
func (r *Row) cost(run *pipeline.Run) {
	for _, m := range run.Made {
		ms := float64(m.Took.Microseconds()) / 1000
		switch {
		case slices.Contains(reading, m.Name):
			r.ReadMs += ms
		case m.Name == pipeline.Plan:
			r.PlanMs += ms
		case m.Name == pipeline.Drafting:
			r.PathsMs += ms
		default:
			r.ProofMs += ms
		}
	}
	if r.Meters > 0 {
		r.PerMs = (r.PlanMs + r.PathsMs + r.ProofMs) / r.Meters
	}
	r.PeakMB = run.PeakRSSBytes >> 20
}

// Bounds of acceptance.
const (
	mostGouge = 0.01 // mm
	mostPerMs = 10   // ms of computing for a metre of path on two cores
	smallPart = 5000 // ms, which a part with little path may take
	mostApart = 0.01 // of stock less part, between the account and the replay
)

// Judge lists the forbidden results. Size is the size of the part's stock, mm.
func (r *Row) Judge(stock machining.Extent, m *machining.Machine) {
	breaks := func(format string, args ...any) { r.Broken = append(r.Broken, fmt.Sprintf(format, args...)) }
	r.Broken = []string{}
	fits := fits(stock, m.Travel)
	switch {
	case r.Failure == string(fault.DoesNotFitMachine):
		if fits {
			breaks("does not fit, though its stock does")
		}
		return
	case r.Failure != "" && r.Failure != string(fault.VerificationFailed):
		breaks("failed: %s", r.Failure)
		return
	case !fits:
		breaks("planned, though its stock does not fit")
	}
	if r.MaxGouge > mostGouge || r.Gouges > 0 {
		breaks("%d gouges, %.3f mm", r.Gouges, r.MaxGouge)
	}
	if r.Collisions > 0 {
		breaks("%d collisions", r.Collisions)
	}
	if r.PathLeft > 0 {
		breaks("material left at %d places that the plan makes", r.PathLeft)
	}
	if r.Beyond > 0 {
		breaks("%d moves beyond the travel", r.Beyond)
	}
	if r.Target != nil && math.Abs(r.Replayed-r.Removed) > mostApart {
		breaks("the account has %.1f %% made, the replay removes %.1f %%", 100*r.Removed, 100*r.Replayed)
	}
	if len(r.Forgotten) > 0 {
		breaks("%d features neither made nor named", len(r.Forgotten))
	}
	if all := r.PlanMs + r.PathsMs + r.ProofMs; all > max(mostPerMs*r.Meters, smallPart) {
		breaks("%.0f ms of computing for %.1f m", all, r.Meters)
	}
}

// fits reports whether a box fits into another however it is turned by right angles.
func fits(box, room machining.Extent) bool {
	a, b := []float64{box.X, box.Y, box.Z}, []float64{room.X, room.Y, room.Z}
	slices.Sort(a)
	slices.Sort(b)
	return a[0] <= b[0] && a[1] <= b[1] && a[2] <= b[2]
}
