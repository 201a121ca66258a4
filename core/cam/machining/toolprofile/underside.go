package toolprofile

import "math"

// Span is a part of the underside of a tool between two distances from its axis: a straight line, or an arc of
// a circle around Center.
type Span struct {
	From, To           float64 // mm, distances from the axis
	FromHeight, Height float64 // mm above the tip, at From and at To

	// Radius (mm) of an arc: positive if convex (a ball nose, lowest at its center), negative
	// if concave (a corner-rounding cutter, highest at its center), 0 for a line.
	Radius          float64
	CenterX, Center float64 // mm, distance from the axis and height of the center of an arc
}

// Underside is the height of a tool above its tip as a function of the distance from its axis: consecutive spans from
// the axis outward. The height never falls outward. It may jump from one span to the next, and there the lower one
// counts. A tool that descends from above touches a part only with its underside.
type Underside []Span

// ConcaveUnder is the chordal deviation (share of their radius) by which chords may fill concave arcs of a tool.
const ConcaveUnder = 1.0 / (1 << 14)

// Underside returns the underside of the tool, for an outline that passes Check.
func (p Profile) Underside() Underside {
	var u Underside
	reach := 0.0
	if len(p) > 0 && p[0].From.X > 0 {
		reach = p[0].From.X
		u = append(u, Span{To: reach})
	}
	for _, k := range p {
		s, ok := k.span(reach)
		if ok {
			u = append(u, s)
			reach = s.To
		}
	}
	return u
}

// span returns the part of the segment beyond reach.
func (k Segment) span(reach float64) (Span, bool) {
	c, isArc := k.Center()
	s := Span{From: max(reach, k.From.X), To: k.To.X, FromHeight: k.From.Y, Height: k.To.Y}
	switch {
	case !isArc:
	case k.Radius > 0 && k.From.Y >= c.Y, k.Radius < 0 && k.To.Y <= c.Y:
		return Span{}, false // it leads inward
	case k.Radius > 0 && k.To.Y > c.Y:
		s.To, s.Height = c.X+k.Radius, c.Y
	}
	if s.To <= s.From {
		return Span{}, false
	}
	if isArc {
		s.Radius, s.CenterX, s.Center = k.Radius, c.X, c.Y
	}
	if s.From > k.From.X || k.Radius < 0 && k.From.Y < c.Y {
		if !isArc {
			slope := (k.To.Y - k.From.Y) / (k.To.X - k.From.X)
			s.FromHeight = k.From.Y + slope*(s.From-k.From.X)
		} else {
			s.FromHeight = s.arc(s.From)
		}
	}
	return s, true
}

// At returns the height at r mm from the axis, which lies between From and To.
func (s *Span) At(r float64) float64 {
	switch {
	case r >= s.To:
		return s.Height
	case r <= s.From:
		return s.FromHeight
	case s.Radius == 0:
		return s.FromHeight + (s.Height-s.FromHeight)*((r-s.From)/(s.To-s.From))
	}
	return s.arc(r)
}

// arc evaluates the circle so that nothing cancels near its lowest or highest point.
func (s *Span) arc(r float64) float64 {
	d, a := r-s.CenterX, math.Abs(s.Radius)
	rise := d * d / (a + math.Sqrt(max(a*a-d*d, 0)))
	if s.Radius > 0 {
		return s.Center - a + rise
	}
	return s.Center + a - rise
}

// At returns the height at r mm from the axis, +Inf beyond the tool.
func (u Underside) At(r float64) float64 {
	for i := range u {
		if r <= u[i].To {
			return u[i].At(r)
		}
	}
	return math.Inf(1)
}

// Radius returns the largest distance of the tool from its axis, mm.
func (u Underside) Radius() float64 {
	if len(u) == 0 {
		return 0
	}
	return u[len(u)-1].To
}

// Filled returns the underside with chords in place of concave arcs, which makes the tool larger by at most
// ConcaveUnder.
func (u Underside) Filled() Underside {
	var out Underside
	for _, s := range u {
		if s.Radius >= 0 {
			out = append(out, s)
			continue
		}
		a := -s.Radius
		from, to := math.Asin(min((s.CenterX-s.From)/a, 1)), math.Asin(max((s.CenterX-s.To)/a, -1))
		n := max(int(math.Ceil((from-to)/math.Sqrt(8*ConcaveUnder))), 1) // a chord over an angle φ lies φ²/8 off
		at := Span{To: s.From, Height: s.FromHeight}
		for i := 1; i <= n; i++ {
			r := s.CenterX - a*math.Sin(from+(to-from)*float64(i)/float64(n))
			if i == n {
				r = s.To
			}
			at = Span{From: at.To, FromHeight: at.Height, To: r, Height: s.At(r)}
			out = append(out, at)
		}
	}
	return out
}
