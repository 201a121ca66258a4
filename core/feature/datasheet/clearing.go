package datasheet

// The largest tool that clears a pocket.
//
// It is the largest disc that sweeps clearedShare of the outline from one connected region of its free positions. All
// positions outside are connected, since a tool that leaves over one open side may return over another. In most pockets
// the disc is free everywhere except in corners, and the area that it leaves there is known (planar.Rolled). Otherwise
// package arcpoly computes the free positions, the area within the disc's radius of them, and its share of the outline.
// A search finds the diameter at which the share passes clearedShare.
//
// Beyond the open sides, all material above the floor is an obstacle (package shadow). The distance searched is the
// diameter of the disc that would clear the outline without obstacles: a disc that is free of the walls leaves over
// open sides only. Material over the outline itself, such as a wall that leans over the floor, is an obstacle too; the
// floor under it counts as uncleared plan.
//
// Cost: some ten offsets of the outline if a search is needed, one if it has open sides, else no offset. The same holds
// for the obstacles beyond the open sides. Limits: the floor is taken as level. Obstacles farther away are ignored,
// though a disc may move there from one place to the next outside the outline.

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

	// touching (mm) is the reduction of discs, so that one as wide as a slot is free in it, at the scale of the
	// drawing.
	touching = 2e-5

	drawn = 10 // mm: so large outlines are drawn

	foundDisc  = 2e-3 // mm: to which diameters are searched
	foundShare = 2e-5 // or to which shares of the plan
	mostTries  = 40

	stride = 1.25 // first increase of the diameter, a factor
)

// obstaclesBeyond returns the material above the floor of an outline within reach, mm, of its open sides; nil for no
// material.
type obstaclesBeyond func(reach float64) (*arcpoly.Area, error)

// clears returns the diameter of the largest disc that clears an outline, at most most mm. The value narrowest is the
// outline's narrowest passage; faced says whether it lies between facing walls. The function calls outside only if the
// outline has open sides. If material covers more than 1-clearedShare of the outline, the result is 0.
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
	if !isKnown && !isOpen { // some part of the outline may be wider than the passages
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

// widest returns the diameter of the largest disc that clears the outline; fits reports whether the disc of diameter
// passes clears it.
func (s *clearedArea) widest(passes, most float64, fits bool) float64 {
	const none = 1 - clearedShare // excess share of the smallest disc
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
	for reach := stride; ; reach *= stride { // usually the result is little wider than passes
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

// clearedArea computes the area of an outline that discs clear, at a scale at which arcs have few chords.
type clearedArea struct {
	plan   *arcpoly.Area
	walls  [][]planar.Segment
	others *arcpoly.Area // beyond the open sides
	scale  float64
	isOpen bool
	// known is the area of the centers of the largest disc known to clear the outline: the free centers, or, with open
	// sides, the blocked ones. The areas of larger discs are offsets of it.
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

// around returns the material beyond the open sides within reach, and the material over the outline.
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

// search returns the largest diameter that clears the outline, between lo, which does, and hi, which does not; below
// and above are their excess shares. The uncleared area grows about with the square of the diameter. Inverse quadratic
// interpolation through the last three points is used where it is safe, otherwise bisection, as at chokes (T.
// Chandrupatla, "A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function", 1997).
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

// obstaclesBeyond returns the cleared share of the plan minus clearedShare.
func (s *clearedArea) obstaclesBeyond(diameter float64) float64 {
	radius := diameter/2*s.scale - touching
	cleared, err := s.cleared(radius)
	if err != nil {
		return -clearedShare
	}
	return cleared/s.plan.Size() - clearedShare
}

// cleared returns the area that a disc clears from the best connected region of its free positions.
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

// sweptFrom is cleared for the result of middles.
func (s *clearedArea) sweptFrom(middles *arcpoly.Area, radius float64) (float64, error) {
	if !s.isOpen {
		return s.best(middles.Parts(), radius)
	}
	if !slices.ContainsFunc(middles.Loops(), func(l planar.Loop) bool { return l.Area() < 0 }) {
		// The free positions are connected: only points farther than its radius from all of them stay uncleared.
		left, err := middles.Offset(-radius)
		if err == nil {
			left, err = arcpoly.Intersection(left, s.plan)
		}
		return s.plan.Size() - left.Size(), err
	}
	lo, hi := s.plan.Extent()
	const apart = 1 // distance from positions that walls block
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

// middles returns the positions of a disc's center that walls and obstacles beyond the open sides block. For an outline
// without open sides it returns the free positions.
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
