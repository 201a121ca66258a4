package paths

import (
	"fmt"
	"io"
	"math"

	"millwright.dev/millwright/adapters/export/glb"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// sagitta (mm) is the maximum distance of a chord from its arc; it is invisible at the size of a part.
const sagitta = 0.02

// Colors of lines: rapids, moves down into material or onto and off a cut, and cuts.
var (
	rapidColor = brep.Color{R: 0.93, G: 0.69, B: 0.13}
	entryColor = brep.Color{R: 0.80, G: 0.25, B: 0.33}
	cutColor   = brep.Color{R: 0.00, G: 0.45, B: 0.70}
)

func colorOf(k motion.Kind) brep.Color {
	switch k {
	case motion.Rapid, motion.Link:
		return rapidColor
	case motion.Plunge, motion.Ramp, motion.LeadIn, motion.LeadOut:
		return entryColor
	}
	return cutColor
}

// OperationExtras is the data in the node of an operation in the GLB.
type OperationExtras struct {
	OperationID string `json:"operationId"`
	Strategy    string `json:"strategy"`
	Tool        int    `json:"tool"` // number
}

// WriteGLB writes the motion as lines in the part frame: a node for each setup, below it one for each operation with
// one line strip, rapids and links yellow, entries red, cuts blue.
func WriteGLB(w io.Writer, name string, p *planning.Plan, set *toolpath.Set) error {
	if err := fits(p, set); err != nil {
		return err
	}
	var branches []glb.Branch
	for i := range set.Setups {
		s := &set.Setups[i]
		b := glb.Branch{Name: fmt.Sprintf("setup %d", i+1), Extras: map[string]int{"setup": i + 1}}
		for k := range s.Operations {
			o, plan := &s.Operations[k], &p.Setups[i].Operations[k]
			tool := &p.Tools[o.Tool]
			strip := stripOf(s.Frame, o)
			strip.Name = fmt.Sprintf("%s %s T%d", o.ID, plan.Strategy, tool.Number)
			strip.Extras = OperationExtras{o.ID, string(plan.Strategy), tool.Number}
			b.Strips = append(b.Strips, strip)
		}
		branches = append(branches, b)
	}
	return glb.WriteStrips(w, name, branches)
}

// stripOf returns the path of an operation in the part frame. At a change of color the point appears twice.
func stripOf(f geom.Frame, o *motion.Operation) glb.Strip {
	var s glb.Strip
	var color brep.Color
	o.Steps(func(step motion.Step) bool {
		if step.Kind == motion.Dwell {
			return true
		}
		if c := colorOf(step.Kind); len(s.Points) == 0 || c != color {
			color = c
			s.Points, s.Colors = append(s.Points, f.Point(step.From)), append(s.Colors, c)
		}
		n := chords(&step.Segment)
		for k := 1; k <= n; k++ {
			at := step.To
			if k < n {
				at = step.At(float64(k) / float64(n))
			}
			s.Points, s.Colors = append(s.Points, f.Point(at)), append(s.Colors, color)
		}
		return true
	})
	return s
}

// chords returns the number of chords for an arc.
func chords(s *motion.Segment) int {
	r := s.Radius()
	if s.Turn == 0 || r <= sagitta {
		return 1
	}
	return max(1, int(math.Ceil(math.Abs(s.Turn)/(2*math.Acos(1-sagitta/r)))))
}
