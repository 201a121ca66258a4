package geom

import "math"

// Interval is a closed range of a parameter; either end may be infinite.
type Interval struct{ Lo, Hi float64 }

// Unbounded is the unbounded interval.
var Unbounded = Interval{math.Inf(-1), math.Inf(1)}

// Length returns Hi - Lo.
func (i Interval) Length() float64 { return i.Hi - i.Lo }

// Mid returns the middle of a finite interval.
func (i Interval) Mid() float64 { return 0.5 * (i.Lo + i.Hi) }

// At returns Lo + s·Length for s in [0, 1].
func (i Interval) At(s float64) float64 { return i.Lo + s*(i.Hi-i.Lo) }

// EmptyInterval returns an interval that contains nothing.
func EmptyInterval() Interval { return Interval{math.Inf(1), math.Inf(-1)} }

// Add returns the interval extended by t.
func (i Interval) Add(t float64) Interval { return Interval{min(i.Lo, t), max(i.Hi, t)} }

// Union returns the smallest interval that contains both.
func (i Interval) Union(o Interval) Interval { return Interval{min(i.Lo, o.Lo), max(i.Hi, o.Hi)} }

// Intersect returns the common part of two intervals. Its length is negative if they are apart.
func (i Interval) Intersect(o Interval) Interval { return Interval{max(i.Lo, o.Lo), min(i.Hi, o.Hi)} }

// Contains reports whether t lies in the interval widened by tol.
func (i Interval) Contains(t, tol float64) bool { return t >= i.Lo-tol && t <= i.Hi+tol }

// Clamp returns the nearest value inside the interval.
func (i Interval) Clamp(t float64) float64 { return max(i.Lo, min(i.Hi, t)) }

// IsFinite reports whether both ends are finite.
func (i Interval) IsFinite() bool { return !math.IsInf(i.Lo, 0) && !math.IsInf(i.Hi, 0) }

// Wrap returns the value in [Lo, Hi) that differs from t by whole lengths of a finite interval.
func (i Interval) Wrap(t float64) float64 {
	if t >= i.Lo && t < i.Hi {
		return t
	}
	period := i.Hi - i.Lo
	t -= math.Floor((t-i.Lo)/period) * period
	if !(t >= i.Lo && t < i.Hi) { // rounding, or not a number
		return i.Lo
	}
	return t
}

// Box is an axis-aligned box; Empty() is the neutral element of Union.
type Box struct {
	Min Vec3 `json:"Min"`
	Max Vec3 `json:"Max"`
}

// EmptyBox returns the box that contains no point.
func EmptyBox() Box {
	inf := math.Inf(1)
	return Box{Vec3{inf, inf, inf}, Vec3{-inf, -inf, -inf}}
}

// BoxOf returns the smallest box around points.
func BoxOf(points ...Vec3) Box {
	b := EmptyBox()
	for _, p := range points {
		b = b.Add(p)
	}
	return b
}

// IsEmpty reports whether the box contains no point.
func (b Box) IsEmpty() bool { return b.Min.X > b.Max.X || b.Min.Y > b.Max.Y || b.Min.Z > b.Max.Z }

// Add grows the box to contain p.
func (b Box) Add(p Vec3) Box {
	return Box{
		Vec3{min(b.Min.X, p.X), min(b.Min.Y, p.Y), min(b.Min.Z, p.Z)},
		Vec3{max(b.Max.X, p.X), max(b.Max.Y, p.Y), max(b.Max.Z, p.Z)},
	}
}

// Union returns the smallest box around both.
func (b Box) Union(c Box) Box {
	if c.IsEmpty() {
		return b
	}
	return b.Add(c.Min).Add(c.Max)
}

// Grow widens the box by d on every side.
func (b Box) Grow(d float64) Box {
	return Box{b.Min.Sub(Vec3{d, d, d}), b.Max.Add(Vec3{d, d, d})}
}

// Size returns the edge lengths, zero for an empty box.
func (b Box) Size() Vec3 {
	if b.IsEmpty() {
		return Vec3{}
	}
	return b.Max.Sub(b.Min)
}

// Diagonal returns the length of the space diagonal, zero for an empty box.
func (b Box) Diagonal() float64 { return b.Size().Norm() }

// Center returns the middle of the box.
func (b Box) Center() Vec3 { return b.Min.Lerp(b.Max, 0.5) }

// Contains reports whether p lies in the box widened by tol.
func (b Box) Contains(p Vec3, tol float64) bool {
	return p.X >= b.Min.X-tol && p.X <= b.Max.X+tol && p.Y >= b.Min.Y-tol && p.Y <= b.Max.Y+tol &&
		p.Z >= b.Min.Z-tol && p.Z <= b.Max.Z+tol
}
