// Package holding audits how the setups of programs are held, apart from the planner.
//
// # Method
//
// The audit cuts the stock again, operation by operation, on separate dexels. At the start of a setup and after each
// operation, it measures the contact of jaws or bed with the stock ray by ray. The force of an operation is integrated
// along the cutting edges (force.go). The part must not slip, rock, tip or push the movable jaw open; the jaws must not
// crush, bow or bend it, nor the cut bend the material over the jaws; the vise must open far enough; jaws must not
// overlap the part; no piece may come loose. The audit reads jaws, clamping force, tools, cutting data and motion of a
// plan, and not the figures of its grips.
//
// A use is the share of a limit that is used. Forces act in the worst direction, at the highest cut of an operation.
//
// # Bounds
//
// Workpieces lie on parallels or steps where they have a broad enough face between the jaws; parallels themselves,
// torques of drills, walls beside the cutter and vibration are not judged.
package holding

import (
	"context"
	"fmt"
	"math"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/cam/stock/removal"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	safety        = 2.0
	suctionSafety = 2.5  // of vacuum and tape, whose pressure is not certain
	mostSlender   = 3.0  // height over the jaws, in widths between them
	roughSway     = 0.1  // mm
	finishSway    = 0.02 // mm
	mostWall      = 0.02 // mm, that jaws bend a wall
	leastLoose    = 20.0 // mm³; smaller pieces are chips

	// rounding is the permitted excess of a use over 1: contacts are known to half a cell.
	rounding = 0.05
)

// Check is a way in which a clamping fails.
type Check string

// The checks.
const (
	Opens      Check = "opening"    // use of the vise's opening
	StandsOut  Check = "stand-out"  // height over the jaws, of the limit
	Overlaps   Check = "overlap"    // mm of stock in a jaw, over what rounding explains
	Touches    Check = "contact"    // no contact that both sides have
	Shallow    Check = "depth"      // the least depth of the cut config, of the depth of the contact
	NoForce    Check = "force"      // clamping force, of what the device gives; 0: none is stated
	Slips      Check = "slip, rock" // of the friction
	Tips       Check = "tip"        // over the edge of a jaw, of the couple of the jaws
	Pushes     Check = "push"       // against the movable jaw, of its force
	Crushes    Check = "crush"      // pressure on the faces, of their limit
	Bows       Check = "bow"        // force on a plate between the jaws, of a quarter of what buckles it
	Bends      Check = "wall"       // deflection of walls under the jaws, of its limit
	Sways      Check = "sway"       // deflection of the part over the jaws under the cut, of its limit
	Loosens    Check = "loose"      // mm³ of a piece that nothing holds, of what chips have
	Undesigned Check = "undesigned" // a fixture that nobody has designed
)

// Checks are all checks, in the order of tables.
var Checks = []Check{
	Undesigned, Opens, StandsOut, Overlaps, Touches, Shallow, NoForce, Slips, Tips, Pushes, Crushes, Bows, Bends, Sways,
	Loosens,
}

// Kind is the kind of clamping of a setup.
type Kind string

// The kinds.
const (
	RawVise    Kind = "vise on raw faces"
	SoftVise   Kind = "vise on milled faces"
	FormedVise Kind = "formed jaws"
	Bed        Kind = "bed"
	Chuck      Kind = "chuck"
	Plates     Kind = "pair of plates"
	Base       Kind = "base plate"
	Fixture    Kind = "fixture"
	Unjudged   Kind = "held by the caller"
)

// Kinds are all kinds, in the order of tables.
var Kinds = []Kind{RawVise, SoftVise, FormedVise, Bed, Chuck, Plates, Base, Fixture, Unjudged}

// Setup is the audit of a setup. Lengths are mm, forces N. Depth, length and areas are those at the start.
type Setup struct {
	Number   int           `json:"setup"` // from 1
	Kind     Kind          `json:"kind"`
	Opening  float64       `json:"opening"`
	Width    float64       `json:"width"` // between the faces in contact
	Depth    float64       `json:"depth"`
	Length   float64       `json:"length"`
	Area     float64       `json:"area"` // mm², of the side with less, or of the bed
	StandOut float64       `json:"standOut"`
	Force    float64       `json:"force"` // that the plan states
	Seated   bool          `json:"seated"`
	Uses     []Use         `json:"uses"` // the worst of each check
	last     map[Check]int // index into Uses
}

// Use is the worst use of a check, and the operation at which it is so; "": at the start.
type Use struct {
	Check     Check   `json:"check"`
	Value     float64 `json:"value"`
	Operation string  `json:"operation,omitempty"`
}

// Fails reports whether the use is more than the limit.
func (u *Use) Fails() bool { return !(u.Value <= 1+rounding) }

// Failures returns the uses that fail.
func (s *Setup) Failures() (list []Use) {
	for _, u := range s.Uses {
		if u.Fails() {
			list = append(list, u)
		}
	}
	return list
}

// rounded returns a figure to three digits after the point: more would be noise of the dexels.
func rounded(x float64) float64 { return math.Round(x*1e3) / 1e3 }

// note keeps a use if it is the worst of its check.
func (s *Setup) note(check Check, value float64, operation string) {
	const most = 1e6 // JSON has no infinity
	if value = min(value, most); math.IsNaN(value) {
		value = most
	}
	value = rounded(value)
	i, ok := s.last[check]
	switch {
	case !ok:
		if s.last == nil {
			s.last = map[Check]int{}
		}
		s.last[check] = len(s.Uses)
		s.Uses = append(s.Uses, Use{check, value, operation})
	case value > s.Uses[i].Value:
		s.Uses[i] = Use{check, value, operation}
	}
}

func (s *Setup) noteAll(u uses, operation string) {
	for _, c := range Checks {
		if value, ok := u[c]; ok {
			s.note(c, value, operation)
		}
	}
}

// Input is a program.
type Input struct {
	Plan   *planning.Plan
	Set    *toolpath.Set
	Config *machining.CutConfig
	Mill   removal.Simulator
	Cells  int // along the longest side of the stock; 0: 500
}

// Audit returns the audits of all setups of a program. Errors are for invalid input and the context.
func Audit(ctx context.Context, in Input) ([]Setup, error) {
	if len(in.Plan.Setups) != len(in.Set.Setups) {
		return nil, fmt.Errorf("holding: paths of %d setups for %d", len(in.Set.Setups), len(in.Plan.Setups))
	}
	if in.Cells == 0 {
		in.Cells = 500
	}
	now, err := in.Plan.Raw(lattice(in.Plan.Stock, in.Cells))
	if err != nil {
		return nil, fmt.Errorf("holding: %w", err)
	}
	session, err := in.Mill.Start(now, nil, 0)
	if err != nil {
		return nil, fmt.Errorf("holding: %w", err)
	}
	out := make([]Setup, len(in.Plan.Setups))
	for i := range out {
		plan, set := &in.Plan.Setups[i], &in.Set.Setups[i]
		f, w := plan.Frame, in.Plan.Workpiece
		frame := geom.Frame{Origin: w.Local(f.Origin), X: w.LocalDir(f.X), Y: w.LocalDir(f.Y), Z: w.LocalDir(f.Z)}
		j := judge{Setup: &out[i], plan: plan, config: in.Config, frame: frame}
		out[i].Number = i + 1
		j.start(newBody(now, frame), in.Plan.Stock)
		for k := range plan.Operations {
			o := &plan.Operations[k]
			if err := mill(ctx, session, in.Plan, &set.Operations[k], frame); err != nil {
				return nil, fmt.Errorf("holding: setup %d: operation %s: %w", i+1, o.ID, err)
			}
			if now, err = session.Stock(ctx); err != nil {
				return nil, fmt.Errorf("holding: %w", err)
			}
			j.cut(o, &in.Plan.Tools[o.Tool].Tool, newBody(now, frame))
		}
	}
	return out, nil
}

// mill does an operation on the stock.
func mill(ctx context.Context, s removal.Simulation, p *planning.Plan, o *motion.Operation, frame geom.Frame) error {
	tool := p.Tools[o.Tool].Tool.Assembly()
	c := removal.ToolMotion{Tool: &tool, Frame: frame}
	o.Steps(func(step motion.Step) bool {
		if step.Kind != motion.Rapid && step.Length() > 0 {
			c.Moves = append(c.Moves, step.Segment)
		}
		return true
	})
	_, err := s.Cut(ctx, c)
	return err
}

// lattice returns cells over a box, whose rays lie in no plane of its sides.
func lattice(b geom.Box, cells int) dexel.Lattice {
	const before, finest, fewest = 0.381966, 0.4, 250
	size := b.Size()
	longest := max(size.X, size.Y, size.Z)
	step := max(longest/float64(cells), min(finest, longest/fewest))
	l := dexel.Lattice{Step: step, Origin: b.Min.Sub(geom.Vec3{X: before * step, Y: before * step, Z: before * step})}
	for a, s := range [3]float64{size.X, size.Y, size.Z} {
		l.Count[a] = int(math.Ceil(s/step+before)) + 1
	}
	return l
}
