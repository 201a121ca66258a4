package leftover

import (
	"math"
	"slices"

	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/core/kernel/geom"
)

// heightAt is the height of a tool's outline above its tip at a distance from its axis; +Inf beyond it.
func heightAt(o replay.Outline, d float64) float64 {
	for i, r := range o {
		if d >= r.Radius {
			continue
		}
		if i == 0 || r.Height == o[i-1].Height || r.Radius == o[i-1].Radius {
			return r.Height
		}
		b := o[i-1]
		return b.Height + (r.Height-b.Height)*max(0, d-b.Radius)/(r.Radius-b.Radius)
	}
	return math.Inf(1)
}

// radiusAt is the largest radius of a tool's outline up to a height above its tip.
func radiusAt(o replay.Outline, h float64) (r float64) {
	for i, ring := range o {
		if ring.Height <= h {
			r = ring.Radius
			continue
		}
		if i > 0 {
			b := o[i-1]
			r = b.Radius + (ring.Radius-b.Radius)*max(0, h-b.Height)/(ring.Height-b.Height)
		}
		break
	}
	return r
}

// distance is the distance of a point from the path of the pass, seen along the tool.
func (p *pass) distance(q geom.Vec2) float64 {
	if p.turn == 0 {
		d := p.to.Sub(p.from)
		l := d.Norm2()
		if l == 0 {
			return q.Dist(p.from)
		}
		return q.Dist(p.from.Lerp(p.to, min(max(q.Sub(p.from).Dot(d)/l, 0), 1)))
	}
	if a, b := p.from.Sub(p.center), q.Sub(p.center); p.sweeps(a, b) {
		return math.Abs(b.Norm() - a.Norm())
	}
	return min(q.Dist(p.from), q.Dist(p.to))
}

// sweeps reports whether the arc of the pass, which starts at a, passes the direction b; both from its center.
func (p *pass) sweeps(a, b geom.Vec2) bool {
	end, turn := p.to.Sub(p.center), math.Abs(p.turn)
	if p.turn < 0 {
		a, end = end, a
	}
	if turn <= math.Pi {
		return a.Cross(b) >= 0 && b.Cross(end) >= 0 && (turn > math.Pi/2 || a.Dot(b) > 0)
	}
	return a.Cross(b) >= 0 || b.Cross(end) >= 0
}

// down returns the heights that the pass removes on a line along the tool.
func (p *pass) down(q geom.Vec2) (lo, hi float64, ok bool) {
	d := p.distance(q)
	if d >= p.radius {
		return 0, 0, false
	}
	return p.lo + heightAt(p.tool.Cutting, d), p.hi + p.tool.Flute, true
}

// across calls emit with the parts that the pass removes of a level line: along X at y = c, or, when swapped,
// along Y at x = c. The line is at a height.
func (p *pass) across(swapped bool, c, height float64, emit func(lo, hi float64)) {
	tip := max(p.lo, height-p.tool.Flute)
	if tip > min(p.hi, height) {
		return
	}
	r := radiusAt(p.tool.Cutting, height-tip)
	if r <= 0 {
		return
	}
	from, to, center := p.from, p.to, p.center
	if swapped {
		flip := func(v geom.Vec2) geom.Vec2 { return geom.Vec2{X: v.Y, Y: v.X} }
		from, to, center = flip(from), flip(to), flip(center)
	}
	if p.turn == 0 {
		if lo, hi := acrossLine(from, to, c, r); lo < hi {
			emit(lo, hi)
		}
		return
	}
	p.acrossArc(swapped, from, to, center, c, r, emit)
}

// acrossDisc returns the part of the line y = c within r of a point; lo > hi when there is none.
func acrossDisc(m geom.Vec2, c, r float64) (lo, hi float64) {
	h := r*r - (c-m.Y)*(c-m.Y)
	if h <= 0 {
		return math.Inf(1), math.Inf(-1)
	}
	h = math.Sqrt(h)
	return m.X - h, m.X + h
}

// acrossLine returns the part of the line y = c within r of a segment, which is one interval.
func acrossLine(from, to geom.Vec2, c, r float64) (lo, hi float64) {
	lo, hi = acrossDisc(from, c, r)
	l, h := acrossDisc(to, c, r)
	lo, hi = min(lo, l), max(hi, h)
	length := from.Dist(to)
	if length == 0 {
		return lo, hi
	}
	d := to.Sub(from).Scale(1 / length)
	l, h = math.Inf(-1), math.Inf(1)
	clip := func(slope, at, least, most float64) { // keeps least <= slope·x + at <= most
		if math.Abs(slope) < 1e-12 {
			if at < least || at > most {
				h = math.Inf(-1)
			}
			return
		}
		a, b := (least-at)/slope, (most-at)/slope
		l, h = max(l, min(a, b)), min(h, max(a, b))
	}
	clip(d.X, (c-from.Y)*d.Y-from.X*d.X, 0, length)
	clip(-d.Y, (c-from.Y)*d.X+from.X*d.Y, -r, r)
	if l < h {
		lo, hi = min(lo, l), max(hi, h)
	}
	return lo, hi
}

// acrossArc cuts the line y = c at all places where it may enter or leave what is within r of the arc, and
// asks in the middle of each piece.
func (p *pass) acrossArc(swapped bool, from, to, center geom.Vec2, c, r float64, emit func(lo, hi float64)) {
	radius := from.Dist(center)
	var breaks []float64
	for _, disc := range []struct {
		m geom.Vec2
		r float64
	}{{from, r}, {to, r}, {center, radius + r}, {center, radius - r}} {
		if lo, hi := acrossDisc(disc.m, c, disc.r); disc.r > 0 && lo < hi {
			breaks = append(breaks, lo, hi)
		}
	}
	for _, end := range []geom.Vec2{from, to} {
		if dy := end.Y - center.Y; math.Abs(dy) > 1e-12 {
			breaks = append(breaks, center.X+(c-center.Y)*(end.X-center.X)/dy)
		}
	}
	slices.Sort(breaks)
	for i := 1; i < len(breaks); i++ {
		lo, hi := breaks[i-1], breaks[i]
		m := geom.Vec2{X: (lo + hi) / 2, Y: c}
		if swapped {
			m = geom.Vec2{X: c, Y: (lo + hi) / 2}
		}
		if lo < hi && p.distance(m) < r {
			emit(lo, hi)
		}
	}
}
