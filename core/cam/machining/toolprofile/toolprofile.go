// Package toolprofile describes rotating tools by their outline and their underside.
package toolprofile

import (
	"errors"
	"fmt"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Profile is the outline of a rotating tool in the half plane of its axis: straight lines and arcs from the
// tip on the axis outward and upward to the top. X of a point is the distance from the axis, Y the height
// above the lowest point of the tool, both in mm. The tool is the area between the axis and the outline.
//
// The height never falls along the outline; it is constant on horizontal segments, which may lead outward (the
// flat of an end mill) or inward (the shoulder of a neck).
type Profile []Segment

// Segment is one line or arc of an outline.
type Segment struct {
	From, To geom.Vec2 // mm

	// Radius (mm) of an arc of at most half a turn: positive when it bulges out of the tool
	// (a ball nose), negative when it hollows the tool (a corner-rounding cutter), 0 for a line.
	Radius float64
}

// Rounding (share of the profile's size) is the largest gap between the ends of segments, and between arcs and their
// chords: outlines are computed in float64 from a few dimensions.
const Rounding = 1e-9

// EndMill returns the outline of an end mill of the given diameter (mm) whose corner is rounded by corner
// (mm): 0 for a flat one, half of the diameter for a ball nose. It is length (mm) high.
func EndMill(diameter, corner, length float64) Profile {
	r := diameter / 2
	var p Profile
	if flat := r - corner; flat > 0 {
		p = append(p, Segment{To: geom.Vec2{X: flat}})
	}
	if corner > 0 {
		p = append(p, Segment{geom.Vec2{X: r - corner}, geom.Vec2{X: r, Y: corner}, corner})
	}
	if length > corner {
		p = append(p, Segment{From: geom.Vec2{X: r, Y: corner}, To: geom.Vec2{X: r, Y: length}})
	}
	return p
}

// Drill returns the outline of a drill or countersink of the given diameter (mm) whose point has the included
// angle tip (rad). It is length (mm) high.
func Drill(diameter, tip, length float64) Profile {
	r := diameter / 2
	z := r / math.Tan(tip/2)
	p := Profile{{To: geom.Vec2{X: r, Y: z}}}
	if length > z {
		p = append(p, Segment{From: geom.Vec2{X: r, Y: z}, To: geom.Vec2{X: r, Y: length}})
	}
	return p
}

// MaxRadius returns the greatest distance of the outline from the axis in mm.
func (p Profile) MaxRadius() float64 {
	r := 0.0
	for _, k := range p {
		r = max(r, k.From.X, k.To.X)
		if c, ok := k.Center(); ok && k.Radius > 0 && k.From.Y <= c.Y && c.Y <= k.To.Y {
			r = max(r, c.X+k.Radius)
		}
	}
	return r
}

// Top returns the height of the outline in mm.
func (p Profile) Top() float64 {
	if len(p) == 0 {
		return 0
	}
	return p[len(p)-1].To.Y
}

// Center returns the center of an arc (mm); ok is false for a line.
func (k Segment) Center() (c geom.Vec2, ok bool) {
	chord := k.To.Sub(k.From)
	l := chord.Norm()
	if k.Radius == 0 || l == 0 {
		return geom.Vec2{}, false
	}
	m := k.From.Lerp(k.To, 0.5)
	off := math.Sqrt(max(k.Radius*k.Radius-l*l/4, 0)) / l
	if k.Radius < 0 {
		off = -off
	}
	return geom.Vec2{X: m.X - off*chord.Y, Y: m.Y + off*chord.X}, true
}

// Check returns an error for an outline that is empty or not finite, starts above height 0, has a gap, falls,
// crosses the axis or has an arc that is not one between its ends.
func (p Profile) Check() error {
	if len(p) == 0 {
		return errors.New("tool profile: it has no pieces")
	}
	size := 0.0
	for i, k := range p {
		s := math.Abs(k.From.X) + math.Abs(k.From.Y) + math.Abs(k.To.X) + math.Abs(k.To.Y) + math.Abs(k.Radius)
		if math.IsNaN(s) || math.IsInf(s, 0) {
			return fmt.Errorf("tool profile: piece %d is not finite", i)
		}
		size = max(size, s)
	}
	at := p[0].From
	if math.Abs(at.Y) > Rounding*size {
		return fmt.Errorf("tool profile: it starts at height %g mm, the tip must be at 0", at.Y)
	}
	for i, k := range p {
		if k.From.Dist(at) > Rounding*size {
			return fmt.Errorf("tool profile: piece %d starts %g mm beside the end of the one before", i, k.From.Dist(at))
		}
		if err := k.check(Rounding * size); err != nil {
			return fmt.Errorf("tool profile: piece %d %w", i, err)
		}
		at = k.To
	}
	if p.MaxRadius() == 0 || p.Top() == 0 {
		return errors.New("tool profile: it encloses nothing")
	}
	return nil
}

// check treats lengths up to slack (mm) as rounding.
func (k Segment) check(slack float64) error {
	switch {
	case k.From.X < 0 || k.To.X < 0:
		return errors.New("crosses the axis")
	case k.To.Y < k.From.Y:
		return fmt.Errorf("falls from %g to %g mm", k.From.Y, k.To.Y)
	case k.Radius == 0:
		return nil
	}
	c, ok := k.Center()
	switch l := k.To.Dist(k.From); {
	case !ok || l > 2*math.Abs(k.Radius)+slack:
		return fmt.Errorf("has its ends %g mm apart, too far or too near for an arc of radius %g mm", l, k.Radius)
	case k.Radius > 0 && (k.From.X < c.X-slack || k.To.X < c.X-slack),
		k.Radius < 0 && (k.From.X > c.X+slack || k.To.X > c.X+slack):
		return errors.New("is an arc that falls between its ends")
	}
	return nil
}
