package planning

// Which method of making a hole is the quickest, and which ones hold its tolerance.
//
// The time of a method is that of its feeds and of the moves between holes, and its share of the tool changes: holes of
// one diameter along one axis are made together, all holes along it are spotted together.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	hop     = 0.5 // s, of the moves to a hole and into it
	turning = 0.1 // s, of the two turns of a peck
)

// each returns a step with each of some tools.
func (s *stack) each(st step, tools []int) (list [][]step) {
	for _, st.tool = range tools {
		list = append(list, []step{st})
	}
	return list
}

// quickest returns the steps that take the least time at a hole whose middle is open to a radius, of equal ones the
// first; nil without any.
func (s *stack) quickest(list [][]step, open float64) []step {
	if len(list) == 0 {
		return nil
	}
	return slices.MinFunc(list, func(a, b []step) int {
		return cmp.Compare(round(s.seconds(a, open)), round(s.seconds(b, open)))
	})
}

// seconds returns the time of some steps at a hole whose middle is open to a radius, with its share of tool changes.
func (s *stack) seconds(steps []step, open float64) float64 {
	const minute = 60 // s
	m := &s.p.in.Config.Machine
	total, deep := 0.0, math.Inf(-1) // deep: the lower end of the opening
	equal, all := s.company()
	for i := range steps {
		st, t := &steps[i], &s.p.tools[steps[i].tool]
		d, err := s.p.resolve(t.Tool, st.purpose, 0, 0, s.tolerance())
		if err != nil {
			return math.Inf(1)
		}
		share, depth := equal, st.top-st.bottom
		if st.phase == spotting {
			share = all
		}
		total += hop + (m.ToolChangeSeconds+m.SpindleRampSeconds)/float64(share)
		switch st.strategy {
		case Bore:
			total += st.boring(t, &d, open, max(deep, st.bottom)) * minute
		case PeckDrill: // up and down again from each peck
			pecks := math.Ceil(depth / d.Axial.Value)
			total += (depth/d.PlungeFeed.Value + d.Axial.Value*pecks*(pecks+1)/m.AxisLimits().Z.RapidFeed) * minute
			total += pecks * turning
		case Ream: // in and out
			total += 2 * depth / d.PlungeFeed.Value * minute
		default:
			total += depth / d.PlungeFeed.Value * minute
		}
		if st.phase == drilling {
			open, deep = t.Diameter/2, st.bottom+t.tip()
		}
	}
	return total
}

// boring returns the time of a bore whose middle is open to a radius down to a height, min: by turns there, by a helix
// below, as toolpaths have them.
func (st *step) boring(t *tool, d *cutting.CuttingData, open, deep float64) (minutes float64) {
	const widestHelix = 0.9 // of the radius
	radius, from := t.Diameter/2, st.top
	turns := func(height, gone float64) {
		wide := max(st.diameter/2-gone, 0)
		rings := max(math.Ceil(wide/d.Radial.Value), 1)
		levels := math.Ceil(height / min(t.FluteLength, d.Axial.Value*d.Radial.Value*rings/max(wide, play)))
		outer := st.diameter/2 - wide*(rings-1)/rings/2 // mean radius of the walls
		minutes += levels * rings * 2 * math.Pi * outer / d.Feed.Value
	}
	if goesDown(t, open) {
		minutes += (st.top - deep) / d.Feed.Value
		turns(st.top-deep, open)
		from = deep
	}
	if from <= st.bottom {
		return minutes
	}
	if ramp := geom.Radians(t.RampDeg()); ramp > 0 {
		minutes += (from - st.bottom) / math.Sin(ramp) / d.RampFeed.Value
	} else {
		minutes += (from - st.bottom) / d.PlungeFeed.Value
	}
	turns(from-st.bottom, min(st.diameter/2, radius*(1+widestHelix)))
	return minutes
}

// company returns the number of holes along the axis with the diameter of this one, and of all holes along it.
func (s *stack) company() (equal, all int) {
	if s.equal == 0 {
		for i := range s.p.in.Sheets {
			f, ok := s.p.in.Sheets[i].Facts.(*feature.HoleFacts)
			if !ok || !s.p.isWanted(i) || f.Axis.Cross(s.facts.Axis).Norm() > graph.DirectionTolerance {
				continue
			}
			if s.all++; math.Abs(f.Diameter-s.facts.Diameter) <= s.p.tol() {
				s.equal++
			}
		}
	}
	return s.equal, s.all
}

// tolerance returns the width of the band of the hole's radius, mm.
func (s *stack) tolerance() float64 {
	b := s.p.in.Sheets[s.id].ToleranceBand
	return b.RadialUpper - b.RadialLower
}

// under returns the largest difference of a thinner drill from the bore, mm. It is that of the band, up to underMost;
// of a band no finer than drills hold, at least the runout of a drill. Before a tap it is the runout alone.
func (s *stack) under() float64 {
	const underMost = 0.1
	allowed := min(-2*s.p.in.Sheets[s.id].ToleranceBand.RadialLower, underMost)
	switch {
	case s.band() < gradeSteel:
		return max(allowed, thicker)
	case s.facts.Thread != nil:
		return thinner
	}
	return max(allowed, thinner)
}

// Grades of ISO 286-1 that decide how a bore is made.
const (
	gradeReamed  = 8
	gradeCarbide = 10 // that drills of carbide hold, after tables of tool makers
	gradeSteel   = 12 // that drills of high-speed steel hold
	gradeMost    = 18
)

// grade returns the finest grade that a drill holds.
func (t *tool) grade() int {
	if t.Material == machining.Carbide {
		return gradeCarbide
	}
	return gradeSteel
}

// centersItself reports whether a drill needs no spot: its point is of carbide and blunt.
func (t *tool) centersItself() bool {
	const blunt = 130 // degrees
	return t.Material == machining.Carbide && *t.TipAngleDeg >= blunt
}

// peckFrom returns the depth of a hole from which on a drill comes up for its chips, mm. The flutes of carbide drills
// carry them over five diameters.
func (t *tool) peckFrom() float64 {
	if t.Material == machining.Carbide {
		return 5 * t.Diameter
	}
	return 3 * t.Diameter
}

// band returns the grade that the tolerance of the hole allows: drilled where the file states none.
func (s *stack) band() int {
	b := s.p.in.Sheets[s.id].ToleranceBand
	if b.Source != feature.ToleranceFromPMI {
		return gradeMost
	}
	d := s.facts.Diameter
	unit := (0.45*math.Cbrt(d) + 0.001*d) / 1000 // i of ISO 286-1, mm
	grade := gradeMost
	for n, times := range map[int]float64{5: 7, 6: 10, 7: 16, 8: 25, 9: 40, 10: 64, 11: 100} {
		if 2*s.tolerance() <= times*unit*1.05 {
			grade = min(grade, n)
		}
	}
	return grade
}

// reamStock returns the least material that a reamer takes of a diameter, mm: 4 % up to a quarter of a millimeter, the
// lower ends of shop tables.
func reamStock(d float64) float64 { return max(0.1, min(0.04*d, 0.25)) }

// firstOfEach returns the first tool of each material.
func (s *stack) firstOfEach(list []int) (out []int) {
	for _, i := range list {
		if !slices.ContainsFunc(out, func(o int) bool { return s.p.tools[o].Material == s.p.tools[i].Material }) {
			out = append(out, i)
		}
	}
	return out
}

// pilots returns the thickest drill of each material that leaves something of a bore for a mill and reaches its end.
func (s *stack) pilots(b *bore) []int {
	d := 2 * b.radius
	return s.firstOfEach(s.pointed(machining.Drill, d-pilotStock, b, d/2, 0))
}
