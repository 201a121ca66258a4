package programs

import (
	"fmt"

	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/planning"
)

// Split is the minutes of one part by the kind of work.
type Split struct {
	Rough  float64 `json:"rough"`
	Finish float64 `json:"finish"` // floors, walls and edges
	Drill  float64 `json:"drill"`  // holes and threads, bored ones too
	Face   float64 `json:"face"`
	Change float64 `json:"change"` // of tools
	Load   float64 `json:"load"`   // of the part, in all setups
	Setup  float64 `json:"setup"`  // to prepare the setups, once for all parts
}

// Cycle returns the minutes of the machine without loading and setting up.
func (s *Split) Cycle() float64 { return s.Rough + s.Finish + s.Drill + s.Face + s.Change }

// isRough reports whether an operation only clears the way.
func isRough(o *planning.Operation) bool { return o.Strategy == planning.Pocket && !o.Floor }

// splitOf sums up the times of a plan's operations. It is an error when a strategy is of no known kind.
func splitOf(p *planning.Plan, t *estimate.Times) (s Split, err error) {
	for i := range p.Setups {
		for k := range p.Setups[i].Operations {
			o := &p.Setups[i].Operations[k]
			minutes := t.Setups[i].Operations[k].Seconds / secondsPerMinute
			switch {
			case isRough(o):
				s.Rough += minutes
			case o.Strategy == planning.Pocket, o.Strategy == planning.Contour, o.Strategy == planning.Chamfer,
				o.Strategy == planning.BreakEdges, o.Strategy == planning.Surface, o.Channel != nil:
				s.Finish += minutes
			case o.Strategy == planning.Face:
				s.Face += minutes
			case isHole[o.Strategy]:
				s.Drill += minutes
			default:
				return s, fmt.Errorf("operation %s: the strategy %q is of no known kind", o.ID, o.Strategy)
			}
		}
	}
	s.Change, s.Load, s.Setup = t.ToolChange/secondsPerMinute, t.Load/secondsPerMinute, t.Setup/secondsPerMinute
	return s, nil
}

const secondsPerMinute = 60

// isHole are the strategies that make holes and threads.
var isHole = map[planning.Strategy]bool{
	planning.Drill: true, planning.PeckDrill: true, planning.Bore: true, planning.Ream: true, planning.Tap: true,
	planning.ThreadMill: true,
}
