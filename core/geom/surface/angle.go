package surface

import (
	"math"

	"millwright/core/geom"
)

const turn = 2 * math.Pi

var (
	fullTurn  = geom.Interval{Hi: turn}
	wholeLine = geom.Everything
)

// unwrap returns t moved by whole periods to within half a period of hint.
func unwrap(t, hint, period float64) float64 {
	return t + period*math.Round((hint-t)/period)
}

// harmonicRange returns the range of a·cos t + b·sin t over iv.
func harmonicRange(a, b float64, iv geom.Interval) geom.Interval {
	amp := math.Hypot(a, b)
	if !(iv.Length() < turn) {
		return geom.Interval{Lo: -amp, Hi: amp}
	}
	s0, c0 := math.Sincos(iv.Lo)
	s1, c1 := math.Sincos(iv.Hi)
	f0, f1 := a*c0+b*s0, a*c1+b*s1
	r := geom.Interval{Lo: math.Min(f0, f1), Hi: math.Max(f0, f1)}
	next := geom.Interval{Lo: iv.Lo, Hi: iv.Lo + turn}
	peak := next.Wrap(math.Atan2(b, a))
	if peak <= iv.Hi {
		r.Hi = amp
	}
	if next.Wrap(peak+math.Pi) <= iv.Hi {
		r.Lo = -amp
	}
	return r
}

// linearRange returns the range of c·t over iv; 0 times an unbounded end is 0.
func linearRange(c float64, iv geom.Interval) geom.Interval {
	if c == 0 {
		return geom.Interval{}
	}
	lo, hi := c*iv.Lo, c*iv.Hi
	return geom.Interval{Lo: math.Min(lo, hi), Hi: math.Max(lo, hi)}
}

func hull(a, b geom.Interval) geom.Interval {
	return geom.Interval{Lo: math.Min(a.Lo, b.Lo), Hi: math.Max(a.Hi, b.Hi)}
}

// shift returns iv moved by d.
func shift(iv geom.Interval, d float64) geom.Interval {
	return geom.Interval{Lo: iv.Lo + d, Hi: iv.Hi + d}
}

// boxOf puts the ranges of the three coordinates together.
func boxOf(x, y, z geom.Interval) geom.Box {
	return geom.Box{Min: geom.Vec3{X: x.Lo, Y: y.Lo, Z: z.Lo}, Max: geom.Vec3{X: x.Hi, Y: y.Hi, Z: z.Hi}}
}
