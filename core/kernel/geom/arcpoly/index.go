package arcpoly

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// index finds segments of a boundary by place.
type index struct {
	tree   tree
	pieces []planar.Segment
}

func (a *Area) lookup() *index {
	a.once.Do(func() {
		for _, l := range a.loops {
			first := len(a.index.pieces)
			a.index.pieces = append(a.index.pieces, l...)
			// A ray would slip through a gap that rounding leaves between two ends.
			for i := range l {
				a.index.pieces[first+i].To = l[(i+1)%len(l)].From
			}
		}
		own := make([]box, len(a.index.pieces))
		for i := range own {
			p := &a.index.pieces[i]
			// Rounding must leave no end outside, or a ray could miss one of two segments that meet on it.
			own[i] = around(p)
			own[i].join(boxOf(point{p.From.X, p.From.Y}, point{p.To.X, p.To.Y}))
		}
		a.index.tree.fill(own)
	})
	return &a.index
}

// Contains reports whether p is inside. On the boundary, up to rounding, the result may be either.
func (a *Area) Contains(p geom.Vec2) bool {
	if a.IsEmpty() {
		return false
	}
	x := a.lookup()
	winding := 0
	x.tree.meeting(box{p.X, p.Y, math.Inf(1), p.Y}, func(i int) { winding += windingOf(&x.pieces[i], p) })
	return winding > 0
}

// windingOf returns the contribution of a segment to the winding number of its loop around p. It is the contribution of
// the chord, by a ray to the east, plus the turn of an arc if p is between arc and chord.
func windingOf(a *planar.Segment, p geom.Vec2) int {
	sum := 0
	chord := a.To.Sub(a.From)
	side := chord.Cross(p.Sub(a.From))
	// A point on the chord counts as right of it, or above it.
	isLeft := side > 0 || side == 0 && chord.Y == 0 && chord.X > 0
	if rises := a.To.Y > p.Y; (a.From.Y <= p.Y) == rises && isLeft == rises {
		sum = -1
		if rises {
			sum = 1
		}
	}
	if a.Turn == 0 || p.Sub(a.Center).Norm2() >= a.From.Sub(a.Center).Norm2() {
		return sum
	}
	// An arc of up to a half circle is within the strip over its chord, as is the complement of a longer one.
	along := chord.Dot(p.Sub(a.From))
	isOver := along >= 0 && along <= chord.Norm2() && isLeft == (a.Turn < 0)
	if math.Abs(a.Turn) > math.Pi {
		isOver = along <= 0 || along >= chord.Norm2() || isLeft == (a.Turn < 0)
	}
	if isOver {
		sum += int(sign(a.Turn))
	}
	return sum
}

// Distance returns the distance of p from the boundary, mm, negative outside; for an empty area it is -Inf.
func (a *Area) Distance(p geom.Vec2) float64 {
	if a.IsEmpty() {
		return math.Inf(-1)
	}
	at, _ := a.Nearest(p)
	if !a.Contains(p) {
		return -at.Dist(p)
	}
	return at.Dist(p)
}

// IsApart reports whether all of a segment is at least distance (mm), which is positive, away from the area.
func (a *Area) IsApart(p *planar.Segment, distance float64) bool {
	if a.IsEmpty() {
		return true
	}
	b := around(p)
	b = box{b.x0 - distance, b.y0 - distance, b.x1 + distance, b.y1 + distance}
	if _, all := a.bounds(); !all.meets(&b) {
		return true
	}
	x, isApart := a.lookup(), true
	x.tree.meeting(b, func(i int) { isApart = isApart && x.pieces[i].Gap(p) >= distance })
	return isApart && !a.Contains(p.From)
}

// around returns the box around a segment.
func around(p *planar.Segment) box {
	all := []planar.Segment{*p}
	x0, x1 := planar.ExtentAlong(all, geom.Vec2{X: 1})
	y0, y1 := planar.ExtentAlong(all, geom.Vec2{Y: 1})
	return box{x0, y0, x1, y1}
}

// Nearest returns the point of the boundary nearest to p; false for an empty area.
func (a *Area) Nearest(p geom.Vec2) (at geom.Vec2, ok bool) {
	if a.IsEmpty() {
		return p, false
	}
	x := a.lookup()
	best := math.Inf(1)
	var down func(k int32)
	down = func(k int32) {
		if int(k) >= x.tree.leaves {
			lo, hi := x.tree.span(k)
			for i := lo; i < hi; i++ {
				if q, _ := x.pieces[i].Nearest(p); q.Dist(p) < best {
					at, best = q, q.Dist(p)
				}
			}
			return
		}
		near, far := 2*k, 2*k+1
		dn, df := x.tree.boxes[near].distance(p), x.tree.boxes[far].distance(p)
		if df < dn {
			near, far, dn, df = far, near, df, dn
		}
		if dn < best {
			down(near)
		}
		if df < best {
			down(far)
		}
	}
	down(1)
	return at, true
}

func (a *box) distance(p geom.Vec2) float64 {
	return math.Hypot(max(0, a.x0-p.X, p.X-a.x1), max(0, a.y0-p.Y, p.Y-a.y1))
}
