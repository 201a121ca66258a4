package toolpath

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// rounding (mm) is the largest distance of a path from the boundary that it is taken from: more than the rounding of
// areas, and far less than fluteMargin of package access.
const rounding = 2.5e-5

// merged returns a path in which segments on one line or circle, within rounding, are one, on the line or circle of the
// longest. Boundaries of an area that overlap, such as a wall and stock along it, otherwise alternate.
func merged(way []planar.Segment) []planar.Segment { return appendMerged(nil, way) }

func appendMerged(out, way []planar.Segment) []planar.Segment {
	if len(way) == 0 {
		return out
	}
	k := 0
	for i := range way {
		if way[i].Length() > way[k].Length() {
			k = i
		}
	}
	lo, hi, one := k, k+1, way[k]
	for lo > 0 && continues(&way[lo-1], &way[k]) {
		lo--
	}
	for hi < len(way) && continues(&way[hi], &way[k]) {
		hi++
	}
	if all, ok := stretch(way[lo:hi], &way[k]); ok && hi-lo > 1 {
		one = all
	} else {
		lo, hi = k, k+1
	}
	return appendMerged(append(appendMerged(out, way[:lo]), one), way[hi:])
}

// continues reports whether a piece lies on the line or circle of another.
func continues(p, of *planar.Segment) bool {
	for _, at := range [...]geom.Vec2{p.From, p.At(0.5), p.To} {
		off := at.Dist(of.Center) - of.Radius()
		if of.Turn == 0 {
			off = of.Tangent(0).Cross(at.Sub(of.From))
		}
		if !(math.Abs(off) <= rounding) {
			return false
		}
	}
	return true
}

// stretch returns the range of a segment's line or circle from the first to the last of a run of segments, and whether
// all of them lie on it.
func stretch(run []planar.Segment, of *planar.Segment) (one planar.Segment, ok bool) {
	one = *of
	from, to := run[0].From, run[len(run)-1].To
	if of.Turn == 0 {
		t := of.Tangent(0)
		one.From = of.From.Add(t.Scale(from.Sub(of.From).Dot(t)))
		one.To = of.From.Add(t.Scale(to.Sub(of.From).Dot(t)))
	} else {
		u, v := from.Sub(of.Center), to.Sub(of.Center)
		one.From = of.Center.Add(u.Scale(of.Radius() / u.Norm()))
		one.To = of.Center.Add(v.Scale(of.Radius() / v.Norm()))
		one.Turn = 0
		for i := range run {
			u, v := run[i].From.Sub(of.Center), run[i].To.Sub(of.Center)
			if turn := math.Atan2(u.Cross(v), u.Dot(v)); run[i].Turn == 0 {
				one.Turn += turn
			} else {
				// it may be more than half a turn
				one.Turn += turn + 2*math.Pi*math.Round((run[i].Turn-turn)/(2*math.Pi))
			}
		}
	}
	for i := range run {
		if one.Distance(run[i].At(0.5)) > rounding || one.Distance(run[i].To) > rounding {
			return one, false
		}
	}
	return one, math.Abs(one.Turn) < 2*math.Pi
}
