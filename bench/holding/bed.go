package holding

import "math"

const (
	vacuum      = 0.08     // MPa
	tape        = 0.085    // MPa
	leastVacuum = 10_000.0 // mm²; less is held by tape
	bedFriction = 0.2
	leastStop   = 5.0 // mm² of contact with a stop
)

// seat is the contact of a body with a flat bed.
type seat struct {
	area   float64
	low    float64
	center [2]float64
	edge   float64 // least distance from the center to an edge of the outline's hull, mm
}

// seatOf returns the contact of a body with a bed at a height.
func seatOf(b *body, low float64) (s seat) {
	const directions = 72
	s.low = low
	var far [directions]float64
	for d := range far {
		far[d] = math.Inf(-1)
	}
	var buffer []span
	for j := range b.count[1] {
		for i := range b.count[0] {
			if buffer = b.ray(buffer, 2, i, j); len(buffer) == 0 || buffer[0].lo > low+near {
				continue
			}
			x, y, a := b.at(0, i), b.at(1, j), b.step*b.step
			s.area += a
			s.center[0], s.center[1] = s.center[0]+a*x, s.center[1]+a*y
			for d := range far {
				sin, cos := math.Sincos(2 * math.Pi * float64(d) / directions)
				far[d] = max(far[d], x*cos+y*sin)
			}
		}
	}
	if s.area == 0 {
		return s
	}
	s.center[0], s.center[1] = s.center[0]/s.area, s.center[1]/s.area
	s.edge = math.Inf(1)
	for d := range far {
		sin, cos := math.Sincos(2 * math.Pi * float64(d) / directions)
		s.edge = min(s.edge, far[d]-s.center[0]*cos-s.center[1]*sin)
	}
	return s
}

// normal is the force of the bed, N.
func (s *seat) normal() float64 {
	if s.area >= leastVacuum {
		return vacuum * s.area
	}
	return tape * s.area
}

// startBed judges a bed when the setup begins.
func (j *judge) startBed(b *body) {
	heights := b.heights()
	s := seatOf(b, heights.lo)
	j.Area, j.Force, j.Seated = rounded(s.area), rounded(s.normal()), true
	j.StandOut = rounded(heights.hi - heights.lo)
	if s.area == 0 {
		j.note(Touches, math.Inf(1), "")
		j.gone = true
		return
	}
	j.note(Touches, 0, "")
	_, deep := j.stops(b, heights.lo)
	j.note(Overlaps, deep/deepest, "")
}

// stops returns whether stops on all four sides touch the body, and how deep they overlap it, mm.
func (j *judge) stops(b *body, low float64) (all bool, deep float64) {
	var touch [2][2]float64 // by axis and side, mm²
	var buffer []span
	for _, box := range j.plan.Clamping.Solid {
		z := interval(box, 2)
		var in [2]float64 // along each axis
		for axis := range 2 {
			wide, depth := interval(box, 1-axis), interval(box, axis)
			for i := range b.count[1-axis] {
				if x := b.at(1-axis, i); x < wide.lo || x > wide.hi {
					continue
				}
				for k := b.cell(2, max(z.lo, low)); k <= b.cell(2, z.hi); k++ {
					if at := b.at(2, k); at < z.lo || at > z.hi {
						continue
					}
					buffer = b.ray(buffer, axis, i, k)
					for _, s := range buffer {
						in[axis] = max(in[axis], min(s.hi, depth.hi)-max(s.lo, depth.lo))
						if math.Abs(s.lo-depth.hi) < near {
							touch[axis][0] += b.step * b.step
						}
						if math.Abs(s.hi-depth.lo) < near {
							touch[axis][1] += b.step * b.step
						}
					}
				}
			}
		}
		deep = max(deep, min(in[0], in[1])) // a round part that touches a stop overlaps it far along it
	}
	all = true
	for axis := range touch {
		for k := range touch[axis] {
			all = all && touch[axis][k] >= leastStop
		}
	}
	return all, deep
}

// cutOnBed judges an operation on a bed.
func (j *judge) cutOnBed(operation string, c *cut, now *body) {
	heights := now.heights()
	s := seatOf(now, heights.lo)
	p := now.pieces()
	lies := map[int]bool{}
	for i := range p.spans {
		if p.spans[i].lo <= heights.lo+near {
			lies[p.root(i)] = true
		}
	}
	for r, volume := range p.volume {
		if !lies[r] {
			j.note(Loosens, volume/leastLoose, operation)
		}
	}
	if c.Across+c.Up == 0 {
		return
	}
	normal := s.normal()
	left := normal - suctionSafety*c.Up
	j.note(Tips, suctionSafety*c.Up/normal, operation)
	if left <= 0 {
		j.note(Tips, math.Inf(1), operation)
		return
	}
	j.note(Tips, suctionSafety*c.Across*(c.height-s.low)/(left*s.edge), operation)
	if stopped, _ := j.stops(now, s.low); !stopped {
		j.note(Slips, suctionSafety*c.Across/(bedFriction*left), operation)
	}
}
