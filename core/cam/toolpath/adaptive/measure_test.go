package adaptive_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/cam/toolpath/adaptive"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// The measure of this file shares nothing with the package: a point of the cutter's circle is in material when it is in
// the stock and no earlier piece of the path came within the radius.

// figures are the measured properties of a path.
type figures struct {
	worst, p999, p99, mean float64 // rad, front arcs of cuts
	over                   float64 // share of the cut length over 110 % of the target
	cut, idle, link        float64 // mm
	linkWorst              float64 // rad, largest front arc of a link
	left, reachable        float64 // mm²
	outside                float64 // mm, largest distance from the allowed area
	enters, helices        int
	seconds                float64
	entryWorst             float64 // rad of the whole circle in material at an entry in air
}

// swept finds earlier pieces of path by position.
type swept struct {
	level  *adaptive.Level
	cell   float64
	lo     geom.Vec2
	nx, ny int
	bins   [][]int32 // pieces that cover a part of the bin
	isFull []bool    // one piece covers the bin
	pieces []piece
}

type piece struct {
	a, b   geom.Vec2
	radius float64
}

func newSwept(l *adaptive.Level) *swept {
	lo, hi := l.Target.Extent()
	a, b := l.Allowed.Extent()
	lo = geom.Vec2{X: min(lo.X, a.X) - 2*l.Radius, Y: min(lo.Y, a.Y) - 2*l.Radius}
	hi = geom.Vec2{X: max(hi.X, b.X) + 2*l.Radius, Y: max(hi.Y, b.Y) + 2*l.Radius}
	s := &swept{level: l, cell: l.Radius / 10, lo: lo}
	s.nx, s.ny = int((hi.X-lo.X)/s.cell)+2, int((hi.Y-lo.Y)/s.cell)+2
	s.bins, s.isFull = make([][]int32, s.nx*s.ny), make([]bool, s.nx*s.ny)
	return s
}

func (s *swept) add(a, b geom.Vec2, radius float64) {
	n := int32(len(s.pieces))
	s.pieces = append(s.pieces, piece{a, b, radius})
	i0, i1 := int((min(a.X, b.X)-radius-s.lo.X)/s.cell), int((max(a.X, b.X)+radius-s.lo.X)/s.cell)
	j0, j1 := int((min(a.Y, b.Y)-radius-s.lo.Y)/s.cell), int((max(a.Y, b.Y)+radius-s.lo.Y)/s.cell)
	for j := max(0, j0); j <= min(s.ny-1, j1); j++ {
		for i := max(0, i0); i <= min(s.nx-1, i1); i++ {
			k := j*s.nx + i
			if s.isFull[k] {
				continue
			}
			d := distance(s.lo.Add(geom.Vec2{X: (float64(i) + 0.5) * s.cell, Y: (float64(j) + 0.5) * s.cell}), a, b)
			switch half := s.cell * 0.7072; {
			case d+half < radius:
				s.isFull[k], s.bins[k] = true, nil
			case d-half < radius+1e-5:
				s.bins[k] = append(s.bins[k], n)
			}
		}
	}
}

func distance(p, a, b geom.Vec2) float64 {
	d, q := b.Sub(a), p.Sub(a)
	if n := d.Norm2(); n > 0 {
		q = q.Sub(d.Scale(max(0, min(1, q.Dot(d)/n))))
	}
	return math.Sqrt(q.Norm2())
}

// isCut reports whether some earlier piece covers a point.
func (s *swept) isCut(p geom.Vec2) bool {
	i, j := int((p.X-s.lo.X)/s.cell), int((p.Y-s.lo.Y)/s.cell)
	if i < 0 || j < 0 || i >= s.nx || j >= s.ny {
		return false
	}
	bin := s.bins[j*s.nx+i]
	if s.isFull[j*s.nx+i] {
		return true
	}
	for k := len(bin) - 1; k >= 0; k-- {
		q := &s.pieces[bin[k]]
		if distance(p, q.a, q.b) <= q.radius+1e-6 {
			return true
		}
	}
	return false
}

// arc returns the part (rad) of the circle, from one angle to another left of the heading, that is in material.
func (s *swept) arc(p, u geom.Vec2, from, to float64) float64 {
	const pitch = math.Pi / 360
	n, in := int(math.Round((to-from)/pitch)), 0
	for i := range n {
		sn, cs := math.Sincos(from + (float64(i)+0.5)*pitch)
		q := geom.Vec2{X: p.X + s.level.Radius*(cs*u.X-sn*u.Y), Y: p.Y + s.level.Radius*(sn*u.X+cs*u.Y)}
		if !s.isCut(q) && s.level.Stock.Contains(q) {
			in++
		}
	}
	return float64(in) * pitch
}

func segmentOf(from geom.Vec2, m *adaptive.Move) planar.Segment {
	return planar.Segment{From: from, To: m.To, Center: m.Center, Turn: m.Turn}
}

type sample struct{ arc, length float64 }

// measure replays a path. Its times are for 2000 mm/min at the target arc, twice that at most, 8 m/min on links and 1 s
// for a retract.
func measure(tb testing.TB, l *adaptive.Level, moves []adaptive.Move) figures {
	tb.Helper()
	const feed, rapid = 2000.0 / 60, 8000.0 / 60
	s := newSwept(l)
	var f figures
	var samples []sample
	var at geom.Vec2
	entry := 0.0 // mm of cuts since an entry in material, which the bound does not cover
	for i := range moves {
		m := &moves[i]
		switch m.Kind {
		case adaptive.Enter:
			f.enters++
			f.seconds++
			if at = m.To; m.Air {
				in := s.arc(at, geom.Vec2{X: 1}, -math.Pi, math.Pi)
				if isHole(l, at) {
					entry = math.Pi * 0.45 * l.Radius
				} else {
					f.entryWorst = max(f.entryWorst, in)
				}
				s.add(at, at, l.Radius)
			} else {
				f.helices++
				s.add(at, at, l.Radius+m.Helix)
			}
			continue
		case adaptive.Retract:
			continue
		}
		p := segmentOf(at, m)
		f.outside = max(f.outside, outside(l, &p))
		n := int(math.Ceil(max(p.Length()/(l.Radius*0.05), math.Abs(p.Turn)/0.1)))
		for k := range n {
			mid := (float64(k) + 0.5) / float64(n)
			a := s.arc(p.At(mid), p.Tangent(mid), -math.Pi/2, math.Pi/2)
			length := p.Length() / float64(n)
			switch {
			case m.Kind == adaptive.Link:
				f.link += length
				f.linkWorst = max(f.linkWorst, a)
				f.seconds += length / rapid
			case a < 0.026:
				f.idle += length
				f.seconds += length / (2 * feed)
			default:
				f.cut += length
				f.seconds += length / (feed * min(2, math.Sin(l.Arc)/math.Sin(min(a, math.Pi/2))))
				f.mean += a * length
				if entry -= length; entry < 0 {
					samples = append(samples, sample{a, length})
				}
			}
			s.add(p.At(float64(k)/float64(n)), p.At(float64(k+1)/float64(n)), l.Radius)
		}
		at = m.To
	}
	f.mean /= max(f.cut, 1e-9)
	f.quantiles(samples, l.Arc)
	f.rest(tb, l, s)
	return f
}

func isHole(l *adaptive.Level, p geom.Vec2) bool {
	return slices.Contains(l.Entries, p)
}

func (f *figures) quantiles(samples []sample, target float64) {
	slices.SortFunc(samples, func(a, b sample) int { return cmp.Compare(b.arc, a.arc) })
	sum := 0.0
	for _, s := range samples {
		f.worst = max(f.worst, s.arc)
		if s.arc > 1.1*target {
			f.over += s.length / f.cut
		}
		if sum += s.length; sum > 0.001*f.cut && f.p999 == 0 {
			f.p999 = s.arc
		}
		if sum > 0.01*f.cut && f.p99 == 0 {
			f.p99 = s.arc
		}
	}
}

// rest measures the part of the target that a cutter on allowed positions reaches, and what stays of it, in squares of
// a fortieth of the radius.
func (f *figures) rest(tb testing.TB, l *adaptive.Level, s *swept) {
	reach, err := l.Allowed.Offset(l.Radius)
	if err != nil {
		tb.Fatal(err)
	}
	pitch := l.Radius / 20
	lo, hi := l.Target.Extent()
	for y := lo.Y + pitch/2; y < hi.Y; y += pitch {
		for x := lo.X + pitch/2; x < hi.X; x += pitch {
			p := geom.Vec2{X: x, Y: y}
			isCut := s.isCut(p)
			if isCut || reach.Contains(p) {
				if !l.Target.Contains(p) {
					continue
				}
				f.reachable += pitch * pitch
				if !isCut {
					f.left += pitch * pitch
				}
			}
		}
	}
}

// outside returns the largest distance of points of a segment from the allowed area.
func outside(l *adaptive.Level, p *planar.Segment) float64 {
	worst := 0.0
	n := int(p.Length()/(0.02*l.Radius)) + 1
	for k := 0; k <= n; k++ {
		worst = max(worst, -l.Allowed.Distance(p.At(float64(k)/float64(n))))
	}
	return worst
}
