package access

import (
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
)

// Window is a rectangle in the plane of a setup that the tip does not leave: what is far from it need not be looked at.
// The zero Window is everything.
type Window struct {
	lo, hi    geom.Vec2
	isBounded bool
}

// NewWindow returns the rectangle between two corners.
func NewWindow(lo, hi geom.Vec2) Window { return Window{lo, hi, true} }

// clipped is the part of an area near a window.
type clipped struct {
	area *arcpoly.Area
	near Window
}

// grow returns the window enlarged by a distance, mm.
func (w Window) grow(by float64) Window {
	d := geom.Vec2{X: by, Y: by}
	return Window{w.lo.Sub(d), w.hi.Add(d), w.isBounded}
}

// Clip returns the part of an area in the window, or the same area if all of it is.
func (w Window) Clip(a *arcpoly.Area) (*arcpoly.Area, error) {
	if !w.isBounded || a.IsEmpty() {
		return a, nil
	}
	lo, hi := a.Extent()
	switch {
	case lo.X >= w.lo.X && lo.Y >= w.lo.Y && hi.X <= w.hi.X && hi.Y <= w.hi.Y:
		return a, nil
	case lo.X >= w.hi.X || lo.Y >= w.hi.Y || hi.X <= w.lo.X || hi.Y <= w.lo.Y:
		return nil, nil
	}
	window, err := arcpoly.New(box2(w.lo, w.hi))
	if err != nil {
		return nil, err
	}
	return arcpoly.Intersection(a, window)
}

// near returns the part of an area that affects a tip in a window at a distance from it, mm. Repeated queries return
// the same area.
func (s *Site) near(a *arcpoly.Area, in Window, by float64) (*arcpoly.Area, error) {
	if !in.isBounded || a.IsEmpty() {
		return a, nil
	}
	in = in.grow(by + besides)
	return s.clips.Get(clipped{a, in}, func() (*arcpoly.Area, error) { return in.Clip(a) })
}

// besides (mm) is the extra width of a clipped area, so that the clipped edge is certainly outside of the window.
const besides = 1.0
