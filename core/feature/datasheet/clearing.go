package datasheet

// The largest tool that clears a pocket.
//
// It is the largest disc that, from one connected region of the places where it is free of the walls, sweeps
// clearedShare of the outline; all places outside are connected, as a tool that leaves over one open side comes in again
// over another. In most pockets it is free everywhere but in corners, and what it leaves there is
// known (planar.Rolled). Otherwise the places where it is free are computed, what lies within its radius of them,
// and how much of the outline that is (package arcpoly); where the share passes clearedShare is searched for.
//
// Beyond the open sides all stands in the way that rises above the floor (package shadow). Looked at is what is no
// further from them than the disc is wide that would clear the outline without that: a disc that is free of the walls
// reaches out over open sides only. What stands over the outline itself, where a wall leans over the floor, is in the way
// as well: the floor under it counts as plan that is not cleared.
//
// Cost: some ten offsets of the outline where it has to be searched, one where it has open sides, else none; the same
// of what stands beside these. Limits: the floor is taken as level, and what is in the way only where a disc gets from
// one place to the next outside the outline, further away than that, is not seen.

import (
	"errors"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

const (
	clearedShare = 0.98 // of the plan area

	// touching (mm) is by how much discs are taken smaller, so that one as wide as a slot is free in it,
	// at the scale at which they are drawn.
	touching = 2e-5

	drawn = 10 // mm: so large outlines are drawn

	foundDisc  = 2e-3 // mm: to which diameters are searched
	foundShare = 2e-5 // or to which shares of the plan
	mostTries  = 40

	stride = 1.25 // is by how much wider discs are tried first
)

// obstaclesBeyond returns what rises above the floor of an outline within reach, mm, of its open sides, nil for nothing.
type obstaclesBeyond func(reach float64) (*arcpoly.Area, error)

// clears returns the diameter of the largest disc that clears an outline, most mm wide at the most. The narrowest
// passage is that of the outline, between walls that face each other or not. What stands beyond the open sides is asked
// for where there are some. None clears an outline that more than a rest of it stands over.
func clears(outline *planar.Region, narrowest float64, faced bool, most float64, outside obstaclesBeyond, over *arcpoly.Area) float64 {
	area := math.Abs(outline.Area())
	if over.Size() > (1-clearedShare)*area {
		return 0
	}
	isOpen := slices.ContainsFunc(outline.Loops, hasGap)
	if !faced && (isOpen || narrowest <= 0) {
		narrowest = most
	}
	passes := min(most, narrowest)
	known, ok := outline.Rolled(passes, (1-clearedShare)*area)
	isKnown := ok && known < passes
	if !isKnown && !isOpen { // some room is wider than the passages, or none
		most = max(passes, min(most, outline.Inscribed()))
	}
	isKnown = isKnown || ok && passes >= most
	isFree := !isOpen && over.IsEmpty()
	if isKnown && isFree {
		return known
	}
	s, err := newSweeps(outline, !isFree)
	if err != nil || area == 0 {
		return passes // it crosses itself
	}
	widest := known
	if !isKnown {
		widest = s.widest(passes, most, ok)
	}
	if isFree {
		return widest
	}
	if s.others, err = s.around(outline, outside, widest, over); err != nil || s.others.IsEmpty() {
		return widest
	}
	s.known, s.knownRadius = nil, 0
	if share := s.obstaclesBeyond(widest); share < -foundShare {
		return s.search(0, 1-clearedShare, widest, share)
	}
	return widest
}

// widest returns the diameter of the largest disc that clears the outline; fits says that one that passes does.
func (s *clearedArea) widest(passes, most float64, fits bool) float64 {
	const none = 1 - clearedShare // is left by the smallest disc
	below := none
	if passes < most {
		below = s.obstaclesBeyond(passes + 4*touching/s.scale)
	}
	if passes >= most || below < 0 { // a choke, if not too wide
		if fits {
			return passes
		}
		if below = s.obstaclesBeyond(passes); below < 0 {
			return s.search(0, none, passes, below)
		}
		return passes
	}
	for reach := stride; ; reach *= stride { // mostly it is little wider than what passes
		wider := min(most, reach*passes)
		share := s.obstaclesBeyond(wider)
		switch {
		case share < 0:
			return s.search(passes, below, wider, share)
		case wider >= most:
			return most
		}
		passes, below = wider, share
	}
}

// clearedArea computes what discs clear of an outline, drawn to a scale at which arcs have few chords.
type clearedArea struct {
	plan   *arcpoly.Area
	walls  [][]planar.Segment
	others *arcpoly.Area // beyond the open sides
	scale  float64
	isOpen bool
	// known is where the middle of the largest disc that was found to clear the outline may not be, or, without open
	// sides, may be. Of larger discs it is an offset of that.
	known       *arcpoly.Area
	knownRadius float64
}

func newSweeps(outline *planar.Region, isOpen bool) (*clearedArea, error) {
	var all []planar.Segment
	for _, l := range outline.Loops {
		all = append(all, l...)
	}
	left, right := planar.ExtentAlong(all, geom.Vec2{X: 1})
	low, high := planar.ExtentAlong(all, geom.Vec2{Y: 1})
	s := &clearedArea{isOpen: isOpen, scale: drawn / max(right-left, high-low, drawn)}
	loops := make([]planar.Loop, len(outline.Loops))
	for i, l := range outline.Loops {
		loops[i] = s.drawn(l)
		for _, run := range runs(loops[i]) {
			s.walls = append(s.walls, run)
		}
	}
	var err error
	s.plan, err = arcpoly.New(loops...)
	return s, err
}

// drawn returns a loop to scale.
func (s *clearedArea) drawn(l planar.Loop) planar.Loop {
	l = slices.Clone(l)
	for k := range l {
		q := &l[k]
		q.From, q.To, q.Center = q.From.Scale(s.scale), q.To.Scale(s.scale), q.Center.Scale(s.scale)
	}
	return l
}

// around returns what stands beyond the open sides within reach, and over the outline.
func (s *clearedArea) around(outline *planar.Region, outside obstaclesBeyond, reach float64, over *arcpoly.Area) (*arcpoly.Area, error) {
	found, err := outside(reach)
	if err != nil {
		return nil, err
	}
	if !found.IsEmpty() {
		plan, err := arcpoly.New(outline.Loops...)
		if err != nil {
			return nil, err
		}
		if found, err = found.Minus(plan); err != nil {
			return nil, err
		}
	}
	if !over.IsEmpty() {
		if found, err = arcpoly.Union(found, over); err != nil {
			return nil, err
		}
	}
	if found.IsEmpty() {
		return nil, nil
	}
	return found.Scaled(s.scale), nil
}

// search returns the largest diameter that clears the outline, between one that does and one that does not, by how much
// more of it they clear. What is left grows with the square of the diameter, more or less, over which a parabola through
// the last three is drawn, sideways, where it is safe to go by it, else bisection goes on, as at chokes (T. Chandrupatla,
// "A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function", 1997).
func (s *clearedArea) search(lo, below, hi, above float64) float64 {
	type try struct{ square, share float64 }
	a, b := try{hi * hi, above}, try{lo * lo, below} // a is the last one, b on the other side
	t := max(0.02, min(0.98, above/(above-below)))
	for n := 1; n < mostTries && hi-lo > foundDisc; n++ {
		x := try{square: a.square + t*(b.square-a.square)}
		d := math.Sqrt(x.square)
		if x.share = s.obstaclesBeyond(d); math.Abs(x.share) <= foundShare {
			return d - 2*touching/s.scale
		}
		if x.share > 0 {
			lo = d
		} else {
			hi = d
		}
		c := a
		if (x.share > 0) != (a.share > 0) {
			b, c = a, b
		}
		a = x
		t = 0.5
		xi, phi := (a.square-b.square)/(c.square-b.square), (a.share-b.share)/(c.share-b.share)
		if phi*phi < xi && (1-phi)*(1-phi) < 1-xi {
			t = a.share/(b.share-a.share)*c.share/(b.share-c.share) +
				(c.square-a.square)/(b.square-a.square)*a.share/(c.share-a.share)*b.share/(c.share-b.share)
		}
		least := foundDisc / 4 / (hi - lo)
		t = max(least, min(1-least, t))
	}
	return max(0, lo-2*touching/s.scale)
}

// obstaclesBeyond returns how much more than clearedShare of the plan a disc clears, less where it is negative.
func (s *clearedArea) obstaclesBeyond(diameter float64) float64 {
	radius := diameter/2*s.scale - touching
	cleared, err := s.cleared(radius)
	if err != nil {
		return -clearedShare
	}
	return cleared/s.plan.Size() - clearedShare
}

// cleared returns how much a disc clears from the best of the connected places where it is free.
func (s *clearedArea) cleared(radius float64) (float64, error) {
	if radius <= 0 {
		return s.plan.Size(), nil
	}
	middles, err := s.middles(radius)
	if err != nil {
		return 0, err
	}
	cleared, err := s.sweptFrom(middles, radius)
	if radius > s.knownRadius && cleared >= clearedShare*s.plan.Size() {
		s.known, s.knownRadius = middles, radius
	}
	return cleared, err
}

// sweptFrom is cleared by what middles returns.
func (s *clearedArea) sweptFrom(middles *arcpoly.Area, radius float64) (float64, error) {
	if !s.isOpen {
		return s.best(middles.Parts(), radius)
	}
	if !slices.ContainsFunc(middles.Loops(), func(l planar.Loop) bool { return l.Area() < 0 }) {
		// The places where it is free are connected: it leaves what is within its radius of none of them.
		left, err := middles.Offset(-radius)
		if err == nil {
			left, err = arcpoly.Intersection(left, s.plan)
		}
		return s.plan.Size() - left.Size(), err
	}
	lo, hi := s.plan.Extent()
	const apart = 1 // from where walls are in the way
	far := geom.Vec2{X: 1.01*radius + apart, Y: 1.01*radius + apart}
	lo, hi = lo.Sub(far), hi.Add(far)
	a, b := geom.Vec2{X: hi.X, Y: lo.Y}, geom.Vec2{X: lo.X, Y: hi.Y}
	around, err := arcpoly.New(planar.Loop{planar.NewLine(lo, a), planar.NewLine(a, hi), planar.NewLine(hi, b),
		planar.NewLine(b, lo)})
	if err != nil {
		return 0, err
	}
	free, err := around.Minus(middles)
	if err != nil {
		return 0, err
	}
	var parts, outside []*arcpoly.Area
	for _, c := range free.Parts() {
		from, to := c.Extent()
		if min(from.X-lo.X, from.Y-lo.Y, hi.X-to.X, hi.Y-to.Y) < apart/2.0 {
			outside = append(outside, c)
		} else {
			parts = append(parts, c)
		}
	}
	if len(outside) > 0 { // over one side a tool leaves, over another it comes in again
		all, err := arcpoly.Union(outside...)
		if err != nil {
			return 0, err
		}
		parts = append(parts, all)
	}
	return s.best(parts, radius)
}

// middles returns where the middle of a disc may not be, for walls and what is beyond the open sides; of an outline
// without such where it may be.
func (s *clearedArea) middles(radius float64) (*arcpoly.Area, error) {
	if more := radius - s.knownRadius; s.known != nil && more >= 0 {
		if !s.isOpen {
			more = -more
		}
		return s.known.Offset(more)
	}
	if !s.isOpen {
		return s.plan.Offset(-radius)
	}
	taken, err := arcpoly.SweepDisc(radius, s.walls...)
	if err != nil || s.others.IsEmpty() {
		return taken, err
	}
	others, err := s.others.Offset(max(0, radius-flush*s.scale))
	if err != nil {
		return nil, err
	}
	return arcpoly.Union(taken, others)
}

// best returns the most of the plan that a disc clears from one of the parts where it is free.
func (s *clearedArea) best(free []*arcpoly.Area, radius float64) (float64, error) {
	var err error
	most := 0.0
	for _, c := range free {
		swept, e := c.Offset(radius)
		if e == nil && s.isOpen {
			swept, e = arcpoly.Intersection(swept, s.plan)
		}
		err = errors.Join(err, e)
		most = max(most, swept.Size())
	}
	return most, err
}
