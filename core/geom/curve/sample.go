package curve

import (
	"math"
	"sync"

	"millwright/core/geom"
)

// Adaptive sampling of a curve to a chord tolerance and an angle tolerance.
//
// Method: an arc of length L that turns by φ needs max(√(L·φ/(8·tol)), φ/angle) equal segments. The
// curve is cut at its breaks and halved until each part turns little; the needs of the parts, added up,
// give a density, and the samples are set at equal shares of it, which is close to the smallest
// number that can do. Each segment is then measured: its distance from the chord at the quarters and
// at every part's end, its turn from the tangents at the ends and the middle. If the worst one fails,
// all are tried again with more segments; those that still fail are halved. Where the tangent jumps
// there is always a sample. Circles are divided evenly.
//
// The result does not depend on the direction of the curve beyond rounding. Cost: about two
// evaluations for each part and five for each segment.

const (
	// kinkAngle (rad) is the jump of the tangent from which a break is a corner.
	kinkAngle = 1e-4
	// maxTurn (rad) is the largest turn of a segment: closed curves get three at least.
	maxTurn = 2 * math.Pi / 3
	// partTurn (rad) is the turn up to which a part counts as an arc.
	partTurn = 0.5
	// partHalvings bounds the halving of parts near cusps.
	partHalvings = 8
	// leftOf is the fraction of a part by which the tangent on the left of its end is taken early:
	// curves evaluate to the right of a break.
	leftOf = 1e-9
	// sagMargin covers what the quarters miss of the largest distance from the chord: 5.4 % of that
	// of a cubic that touches its chord, 2.6 % of that of an S.
	sagMargin = 1.06
	// smallest is the fraction of the chord tolerance below which a segment may turn as it likes.
	smallest = 1e-2
	// maxSegments bounds the samples of one curve whatever the tolerances.
	maxSegments = 1 << 20
	// countSlack forgives the rounding of a need that is a whole number.
	countSlack = 1e-9
	// segmentHalvings bounds the halving of a segment that fails; 2^-20 of one is below rounding.
	segmentHalvings = 20
)

// Sample returns ascending parameters from iv.Lo to iv.Hi, both included, such that between
// neighbours the curve is nowhere farther than chordTol (mm) from the chord and turns by no more than
// angleTol (rad). A tolerance of 0 sets no limit, but no segment turns by more than 120°, and a closed
// range has three segments at least. A range that is empty or not finite gives its two ends.
func Sample(c Curve, iv geom.Interval, chordTol, angleTol float64) []float64 {
	return AppendSamples(nil, c, iv, chordTol, angleTol)
}

// AppendSamples is Sample appending to dst.
func AppendSamples(dst []float64, c Curve, iv geom.Interval, chordTol, angleTol float64) []float64 {
	if !(iv.Hi > iv.Lo) || !iv.IsFinite() {
		return append(dst, iv.Lo, iv.Hi)
	}
	if !(chordTol > 0) {
		chordTol = math.Inf(1)
	}
	if !(angleTol > 0 && angleTol < maxTurn) {
		angleTol = maxTurn
	}
	n := len(dst)
	dst = appendSamples(append(dst, iv.Lo), c, iv, chordTol, angleTol)
	const triangle = 4 // samples of three segments
	if len(dst)-n < triangle && encloses(c, iv) {
		for len(dst)-n < triangle {
			dst = halveLongest(dst, n)
		}
	}
	return dst
}

// encloses reports whether the ends meet although the curve is longer than a point.
func encloses(c Curve, iv geom.Interval) bool {
	a := c.At(iv.Lo)
	return a.Dist(c.At(iv.Hi)) <= geom.Resolution &&
		(a.Dist(c.At(iv.At(1./3))) > geom.Resolution || a.Dist(c.At(iv.At(2./3))) > geom.Resolution)
}

// halveLongest inserts the middle of the first longest of the ranges from dst[n] on.
func halveLongest(dst []float64, n int) []float64 {
	at := n
	for i := n + 1; i+1 < len(dst); i++ {
		if dst[i+1]-dst[i] > (dst[at+1]-dst[at])*(1+countSlack) {
			at = i
		}
	}
	dst = append(dst, 0)
	copy(dst[at+2:], dst[at+1:])
	dst[at+1] = 0.5 * (dst[at] + dst[at+2])
	return dst
}

// appendSamples appends the samples after iv.Lo.
func appendSamples(dst []float64, c Curve, iv geom.Interval, chordTol, angleTol float64) []float64 {
	switch k := c.(type) {
	case Line:
		return append(dst, iv.Hi)
	case Circle:
		return appendEven(dst, iv, circleStep(k.Radius, chordTol, angleTol))
	case *Trimmed:
		n := len(dst)
		base := k.flipRange(iv)
		dst = appendSamples(dst, k.Base, base, chordTol, angleTol)
		if k.Reversed {
			added := dst[n : len(dst)-1]
			for i, j := 0, len(added)-1; i <= j; i, j = i+1, j-1 {
				added[i], added[j] = k.flip(added[j]), k.flip(added[i])
			}
		}
		dst[len(dst)-1] = iv.Hi
		return dst
	case *Polyline:
		return append(k.Breaks(dst, iv), iv.Hi)
	case *Composite:
		k.each(iv, func(i int, part geom.Interval, start float64) {
			n := len(dst)
			dst = appendSamples(dst, k.segments[i], part, chordTol, angleTol)
			for j := range dst[n:] {
				dst[n+j] += start - part.Lo
			}
		})
		dst[len(dst)-1] = iv.Hi
		return dst
	}
	s := samplers.Get().(*sampler)
	defer samplers.Put(s)
	s.c, s.tol, s.angle, s.nodes = c, chordTol, angleTol, s.nodes[:0]
	dst = s.sample(dst, iv)
	s.c = nil
	return dst
}

// circleStep returns the largest angle of a segment: the sagitta 2·r·sin²(step/4) is the tolerance.
func circleStep(r, chordTol, angleTol float64) float64 {
	if x := chordTol / (2 * r); x < 1 {
		angleTol = math.Min(angleTol, 4*math.Asin(math.Sqrt(x)))
	}
	return angleTol
}

// appendEven appends the ends of equal segments no longer than step.
func appendEven(dst []float64, iv geom.Interval, step float64) []float64 {
	n := count(iv.Length() / step)
	for i := 1; i < n; i++ {
		dst = append(dst, iv.At(float64(i)/float64(n)))
	}
	return append(dst, iv.Hi)
}

// count returns the number of segments for a need.
func count(need float64) int {
	return int(math.Max(1, math.Min(maxSegments, math.Ceil(need*(1-countSlack)))))
}

// node is the end of a part.
type node struct {
	t       float64
	p       geom.Vec3
	in, out geom.Vec3 // unit tangents on the left and on the right
	load    float64   // segments needed from the first node to here
}

type sampler struct {
	c          Curve
	tol, angle float64
	nodes      []node
	breaks     []float64
}

var samplers = sync.Pool{New: func() any { return new(sampler) }}

func (s *sampler) sample(dst []float64, iv geom.Interval) []float64 {
	s.breaks = append(apart(Breaks(s.breaks[:0], s.c, iv), iv), iv.Hi)
	p, d1 := s.c.D1(iv.Lo)
	s.nodes = append(s.nodes, node{t: iv.Lo, p: p, out: d1.Unit()})
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
		dst = s.run(dst, first, i)
		first = i
	}
	return dst
}

// apart drops breaks so near the one before or an end of iv that the piece between is rounding: its
// chord would have any direction.
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

// parts returns into how many parts a piece is cut at first.
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
		var nd node
		if i < n {
			nd.t = lo + (hi-lo)*float64(i)/float64(n)
			p, d1 := s.c.D1(nd.t)
			nd.p, nd.out = p, d1.Unit()
			nd.in = nd.out
		} else {
			nd.t = hi
			p, d1 := s.c.D1(hi)
			nd.p, nd.out = p, d1.Unit()
			_, d1 = s.c.D1(hi - leftOf*(hi-lo))
			nd.in = d1.Unit()
		}
		s.addPart(nd, partHalvings)
	}
}

// addPart adds the node nd and before it as many between as the turn asks for.
func (s *sampler) addPart(nd node, depth int) {
	prev := &s.nodes[len(s.nodes)-1]
	chord := nd.p.Sub(prev.p)
	length := chord.Norm()
	phi := maxTurn
	if length > 0 {
		dir := chord.Scale(1 / length)
		phi = angleBetween(prev.out, dir) + angleBetween(dir, nd.in)
	}
	if phi > partTurn && depth > 0 {
		t := 0.5 * (prev.t + nd.t)
		p, d1 := s.c.D1(t)
		u := d1.Unit()
		s.addPart(node{t: t, p: p, in: u, out: u}, depth-1)
		s.addPart(nd, depth-1)
		return
	}
	nd.load = prev.load + math.Max(math.Sqrt(length*phi*sagMargin/(8*s.tol)), phi/s.angle)
	s.nodes = append(s.nodes, nd)
}

// angleBetween returns the angle between unit vectors, 0 if one is zero.
func angleBetween(a, b geom.Vec3) float64 {
	if a == (geom.Vec3{}) || b == (geom.Vec3{}) {
		return 0
	}
	d := a.Dist(b) / 2
	if d < 0.1 { // two terms of the arcsine are off by less than 1e-6 of it
		return 2 * d * (1 + d*d/6)
	}
	return 2 * math.Asin(math.Min(1, d))
}

// run appends the samples of the smooth run between two nodes, without the first.
func (s *sampler) run(dst []float64, first, last int) []float64 {
	const tries = 3
	need := s.nodes[last].load - s.nodes[first].load
	n := count(need)
	start := len(dst)
	for try := 1; ; try++ {
		dst = s.place(dst[:start], first, last, n)
		worst := s.worst(dst[start-1:], first, last)
		if worst <= 1+countSlack {
			return dst
		}
		if try == tries || n >= maxSegments {
			return s.repair(dst, start, first, last)
		}
		n = max(n+1, count(float64(n)*math.Min(worst, 1.5)))
	}
}

// place appends n samples at equal shares of the load, the last one at the last node.
func (s *sampler) place(dst []float64, first, last, n int) []float64 {
	from, total := s.nodes[first].load, s.nodes[last].load-s.nodes[first].load
	at := first
	for j := 1; j < n; j++ {
		load := from + total*float64(j)/float64(n)
		for at+1 < last && s.nodes[at+1].load <= load {
			at++
		}
		a, b := &s.nodes[at], &s.nodes[at+1]
		x := float64(j) / float64(n)
		if b.load > a.load {
			x = (load - a.load) / (b.load - a.load)
		}
		dst = append(dst, a.t+x*(b.t-a.t))
	}
	return append(dst, s.nodes[last].t)
}

// end is a measured end of a segment.
type end struct {
	t float64
	p geom.Vec3
	u geom.Vec3 // unit tangent on the segment's side
}

func (s *sampler) at(t float64) end {
	p, d1 := s.c.D1(t)
	return end{t, p, d1.Unit()}
}

func (s *sampler) firstEnd(i int) end { return end{s.nodes[i].t, s.nodes[i].p, s.nodes[i].out} }
func (s *sampler) lastEnd(i int) end  { return end{s.nodes[i].t, s.nodes[i].p, s.nodes[i].in} }

// worst returns by which factor the number of segments between the given samples falls short.
func (s *sampler) worst(t []float64, first, last int) float64 {
	w, at := 0.0, first
	a := s.firstEnd(first)
	for i := 1; i < len(t); i++ {
		b := s.lastEnd(last)
		if i+1 < len(t) {
			b = s.at(t[i])
		}
		var f float64
		f, _, at = s.measure(a, b, at)
		w = math.Max(w, f)
		a = b
	}
	return w
}

// measure returns by which factor the segment from a to b is too long, its middle, and the last node
// that is not beyond b. at is a node not beyond a.
func (s *sampler) measure(a, b end, at int) (factor float64, mid end, next int) {
	h := b.t - a.t
	mid = s.at(a.t + 0.5*h)
	sag := math.Max(sagitta(a.p, b.p, mid.p),
		math.Max(sagitta(a.p, b.p, s.c.At(a.t+0.25*h)), sagitta(a.p, b.p, s.c.At(a.t+0.75*h))))
	for ; at+1 < len(s.nodes) && s.nodes[at+1].t <= b.t; at++ {
		if n := &s.nodes[at+1]; n.t < b.t {
			sag = math.Max(sag, sagitta(a.p, b.p, n.p))
		}
	}
	factor = math.Sqrt(sag * sagMargin / s.tol)
	if a.p.Dist(mid.p)+mid.p.Dist(b.p) > smallest*s.tol || math.IsInf(s.tol, 1) {
		factor = math.Max(factor, (angleBetween(a.u, mid.u)+angleBetween(mid.u, b.u))/s.angle)
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
	x := math.Max(0, math.Min(1, r.Dot(d)/n))
	return r.AddScaled(-x, d).Norm()
}

// repair replaces the samples from start on by the same with those segments halved that fail.
func (s *sampler) repair(dst []float64, start, first, last int) []float64 {
	old := append([]float64(nil), dst[start:]...)
	dst = dst[:start]
	a := s.firstEnd(first)
	at := first
	for i, t := range old {
		b := s.lastEnd(last)
		if i+1 < len(old) {
			b = s.at(t)
		}
		dst, at = s.halve(dst, a, b, at, segmentHalvings)
		a = b
	}
	return dst
}

func (s *sampler) halve(dst []float64, a, b end, at, depth int) ([]float64, int) {
	f, mid, next := s.measure(a, b, at)
	if f <= 1+countSlack || depth == 0 || !(mid.t > a.t && mid.t < b.t) {
		return append(dst, b.t), next
	}
	dst, at = s.halve(dst, a, mid, at, depth-1)
	return s.halve(dst, mid, b, at, depth-1)
}
