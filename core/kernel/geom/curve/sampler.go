package curve

import (
	"math"
	"slices"
	"sync"

	"millwright.dev/millwright/core/kernel/geom"
)

// count returns the number of segments for a need, one for a need that is not a number.
func count(need float64) int {
	if !(need > 1) {
		return 1
	}
	return int(min(maxSegments, math.Ceil(need*(1-countMargin))))
}

// node is the end of a part.
type node struct {
	t       float64
	p       geom.Vec3
	in, out geom.Vec3 // unit tangents on the left and on the right
	speed   float64   // |C'| on the right
	density float64   // segments needed per unit of t at the node, 0 where not measured
	load    float64   // segments needed from the first node to here
}

type sampler struct {
	c          Curve
	tol, angle float64
	still      float64 // speed below which the tangent is unknown
	breaks     []float64
	nodes      []node // of the whole range
	work       []node // of one smooth run
	seen       []node // measured on it
}

var samplers = sync.Pool{New: func() any { return new(sampler) }}

func (s *sampler) sample(dst []float64, iv geom.Interval) []float64 {
	s.still = standstill / iv.Length()
	s.breaks = append(apart(Breaks(s.breaks[:0], s.c, iv), iv), iv.Hi)
	s.nodes = append(s.nodes, s.dense(iv.Lo))
	for _, b := range s.breaks {
		s.addPiece(b)
	}
	first := 0
	end := s.nodes[len(s.nodes)-1].p
	for i := 1; i < len(s.nodes); i++ {
		n := &s.nodes[i]
		last := i == len(s.nodes)-1
		if !last && (angleBetween(n.in, n.out) <= kinkAngle ||
			n.p.Dist(s.nodes[first].p) <= geom.Resolution || n.p.Dist(end) <= geom.Resolution) {
			continue
		}
		dst = s.run(dst, s.nodes[first:i+1])
		first = i
	}
	return dst
}

// apart removes breaks that are so close to the previous one, or to an end of iv, that the piece between is rounding:
// its chord would have an arbitrary direction.
func apart(breaks []float64, iv geom.Interval) []float64 {
	const nearest = 1e-10 // as a share of iv
	gap, last := nearest*iv.Length(), iv.Lo
	kept := breaks[:0]
	for _, b := range breaks {
		if b-last > gap && iv.Hi-b > gap {
			kept = append(kept, b)
			last = b
		}
	}
	return kept
}

// parts returns the number of parts of the first cut of a piece.
func (s *sampler) parts() int {
	switch k := s.c.(type) {
	case *BSpline:
		return max(1, k.Degree()-1)
	case Ellipse:
		return 2
	case Parabola, Hyperbola, *Offset:
		return 4
	}
	return 8
}

// addPiece adds the nodes from the last one to the break at hi.
func (s *sampler) addPiece(hi float64) {
	lo := s.nodes[len(s.nodes)-1].t
	n := s.parts()
	for i := 1; i <= n; i++ {
		if i < n {
			s.addPart(s.dense(lo+(hi-lo)*float64(i)/float64(n)), partHalvings)
			continue
		}
		nd := s.dense(hi)
		nd.in = s.at(hi - leftOf*(hi-lo)).in
		s.addPart(nd, partHalvings)
	}
}

// addPart adds the node nd and, before it, as many intermediate nodes as the turn requires.
func (s *sampler) addPart(nd node, depth int) {
	prev := &s.nodes[len(s.nodes)-1]
	if _, phi := arc(prev, &nd); phi > partTurn && depth > 0 {
		s.addPart(s.dense(0.5*(prev.t+nd.t)), depth-1)
		s.addPart(nd, depth-1)
		return
	}
	s.nodes = append(s.nodes, nd)
}

// arc returns the length of the chord between two nodes and the turn of the curve from the one through
// the chord to the other.
func arc(a, b *node) (length, phi float64) {
	chord := b.p.Sub(a.p)
	length = chord.Norm()
	switch {
	case length > standstill:
		dir := chord.Scale(1 / length)
		phi = angleBetween(a.out, dir) + angleBetween(dir, b.in)
	case a.speed*(b.t-a.t) > 2*standstill: // a loop
		phi = maxTurn
	}
	return length, phi
}

// need returns the number of segments for an arc of a length and a turn.
func (s *sampler) need(length, phi float64) float64 {
	return max(math.Sqrt(length*phi*sagMargin/(8*s.tol)), phi/s.angle)
}

// tangent returns the unit tangent, zero if it is unknown.
func (s *sampler) tangent(d1 geom.Vec3, speed float64) geom.Vec3 {
	if speed > s.still {
		return d1.Scale(1 / speed)
	}
	return geom.Vec3{}
}

// angleBetween returns the angle between unit vectors, 0 if one is zero.
func angleBetween(a, b geom.Vec3) float64 {
	if a == (geom.Vec3{}) || b == (geom.Vec3{}) {
		return 0
	}
	d := a.Dist(b) / 2
	if d < 0.06 { // two terms of the arcsine are off by less than 1e-6 of it
		return 2 * d * (1 + d*d/6)
	}
	return 2 * math.Asin(min(1, d))
}

// run appends the samples of the smooth run over the given nodes, without the first.
func (s *sampler) run(dst []float64, nodes []node) []float64 {
	const tries = 3
	s.work = append(s.work[:0], nodes...)
	start, n := len(dst), 0
	for try := 1; ; try++ {
		n = max(n, count(s.load()*(1+spare)))
		dst = s.place(dst[:start], n)
		worst := s.worst(dst[start-1:])
		if !(worst > 1+countMargin) { // also when it is not a number
			return dst
		}
		if try == tries || n == maxSegments {
			return s.repair(dst, start)
		}
		s.merge()
		if try > 1 { // the density is known by now: there are too few
			n = max(n+1, count(float64(n)*min(worst, 1.5)))
		}
	}
}

// load adds up the needs of the parts and returns the need of the run.
func (s *sampler) load() float64 {
	total := 0.0
	s.work[0].load = 0
	for i := 1; i < len(s.work); i++ {
		length, phi := arc(&s.work[i-1], &s.work[i])
		total += s.need(length, phi)
		s.work[i].load = total
	}
	return total
}

// merge adds the measured nodes to the nodes of the run. Both are in order; a node measured at the position of one of
// the run is left out.
func (s *sampler) merge() {
	i, j := len(s.work)-1, len(s.seen)-1
	s.work = append(s.work, s.seen...)
	for at := len(s.work) - 1; j >= 0; at-- {
		if i >= 0 && s.work[i].t > s.seen[j].t {
			s.work[at] = s.work[i]
			i--
		} else {
			s.work[at] = s.seen[j]
			j--
		}
	}
	s.work = slices.CompactFunc(s.work, func(a, b node) bool { return a.t == b.t })
}

// place appends n samples at equal shares of the load, the last one at the last node.
func (s *sampler) place(dst []float64, n int) []float64 {
	last := len(s.work) - 1
	total := s.work[last].load
	at := 0
	for j := 1; j < n; j++ {
		load := total * float64(j) / float64(n)
		for at+1 < last && s.work[at+1].load <= load {
			at++
		}
		a, b := &s.work[at], &s.work[at+1]
		x := float64(j) / float64(n)
		if b.load > a.load {
			x = share((load-a.load)/(b.load-a.load), a.density, b.density)
		}
		dst = append(dst, a.t+x*(b.t-a.t))
	}
	return append(dst, s.work[last].t)
}

// share returns the part s of a range that contains the fraction f of a density that changes evenly from v0 to v1; an
// unknown one counts as even.
func share(f, v0, v1 float64) float64 {
	if v0 == 0 || v1 == 0 {
		return f
	}
	m := f * (v0 + v1)
	return m / (v0 + math.Sqrt(v0*v0+(v1-v0)*m))
}

// at measures a node inside a smooth run, without its density.
func (s *sampler) at(t float64) node {
	p, d1 := s.c.D1(t)
	n := node{t: t, p: p, speed: d1.Norm()}
	n.out = s.tangent(d1, n.speed)
	n.in = n.out
	return n
}

// dense is at with the density.
func (s *sampler) dense(t float64) node {
	p, d1, d2 := s.c.D2(t)
	n := node{t: t, p: p, speed: d1.Norm()}
	n.out = s.tangent(d1, n.speed)
	n.in = n.out
	if n.speed > s.still {
		phi := n.out.Cross(d2).Norm() / n.speed // turn by unit of t
		n.density = s.need(n.speed, phi)
	}
	return n
}

// worst returns the factor by which the number of segments between the given samples of the run is too small, and keeps
// its measurements.
func (s *sampler) worst(t []float64) float64 {
	s.seen = s.seen[:0]
	w, at := 0.0, 0
	a, last := s.work[0], s.work[len(s.work)-1]
	for i := 1; i < len(t); i++ {
		b := last
		if i+1 < len(t) {
			b = s.at(t[i])
		}
		var f float64
		var mid node
		f, mid, at = s.measure(&a, &b, at)
		w = max(w, f)
		if s.seen = append(s.seen, mid); i+1 < len(t) {
			s.seen = append(s.seen, b)
		}
		a = b
	}
	return w
}

// measure returns by which factor the segment from a to b is too long, its middle, and the last node
// of the run that is not beyond b. at is a node not beyond a.
func (s *sampler) measure(a, b *node, at int) (factor float64, mid node, next int) {
	mid = s.at(a.t + 0.5*(b.t-a.t))
	sag, turn := sagitta(a.p, b.p, mid.p), 0.0
	last, passed := a.out, false
	for ; at+1 < len(s.work) && s.work[at+1].t <= b.t; at++ {
		n := &s.work[at+1]
		if n.t <= a.t || n.t == b.t {
			continue
		}
		sag = max(sag, sagitta(a.p, b.p, n.p))
		if !passed && n.t >= mid.t {
			turn += angleBetween(last, mid.in)
			last, passed = mid.out, true
		}
		turn += angleBetween(last, n.in)
		last = n.out
	}
	if !passed {
		turn += angleBetween(last, mid.in)
		last = mid.out
	}
	turn += angleBetween(last, b.in)
	length := a.p.Dist(mid.p) + mid.p.Dist(b.p)
	// A curve that turns by no more than this cannot be farther than length·turn/2 from its chord.
	if length*turn/2 > s.tol || sag*sagMargin > s.tol {
		h := b.t - a.t
		sag = max(sag, sagitta(a.p, b.p, s.c.At(a.t+0.25*h)), sagitta(a.p, b.p, s.c.At(a.t+0.75*h)))
	}
	factor = math.Sqrt(sag * sagMargin / s.tol)
	if length > smallest*s.tol || math.IsInf(s.tol, 1) {
		factor = max(factor, turn/s.angle)
	}
	return factor, mid, at
}

// sagitta returns the distance from p to the segment ab.
func sagitta(a, b, p geom.Vec3) float64 {
	d, r := b.Sub(a), p.Sub(a)
	n := d.Norm2()
	if n == 0 {
		return r.Norm()
	}
	x := max(0, min(1, r.Dot(d)/n))
	return r.AddScaled(-x, d).Norm()
}

// repair halves the failing segments of the samples from start on.
func (s *sampler) repair(dst []float64, start int) []float64 {
	old := append([]float64(nil), dst[start:]...)
	dst = dst[:start]
	a, last := s.work[0], s.work[len(s.work)-1]
	at := 0
	for i, t := range old {
		b := last
		if i+1 < len(old) {
			b = s.at(t)
		}
		dst, at = s.halve(dst, &a, &b, at, segmentHalvings)
		a = b
	}
	return dst
}

func (s *sampler) halve(dst []float64, a, b *node, at, depth int) ([]float64, int) {
	f, mid, next := s.measure(a, b, at)
	if !(f > 1+countMargin) || depth == 0 || !(mid.t > a.t && mid.t < b.t) {
		return append(dst, b.t), next
	}
	dst, at = s.halve(dst, a, &mid, at, depth-1)
	return s.halve(dst, &mid, b, at, depth-1)
}
