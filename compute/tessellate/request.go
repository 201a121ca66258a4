package tessellate

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// This file finds edge samples that follow the curve within the tolerances but are still too coarse for a face, and
// requests more. There are two cases. The chords of two edges that nearly touch may cross each other in the parameter
// plane. Or the chord leaves a strongly curved face, as along a small fillet, and tilts the adjacent triangles.

// request is the request to divide the piece between two neighboring samples of an edge, given by their parameters.
type request struct {
	edge   brep.EdgeID
	crease int32 // instead of an edge, when not 0: the face's own affair
	lo, hi float64
	pieces int
	at     float64 // parameter of the division if there are no pieces
}

func (a request) compare(b request) int {
	return cmp.Or(cmp.Compare(a.edge, b.edge), cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi),
		-cmp.Compare(a.pieces, b.pieces), cmp.Compare(a.at, b.at))
}

// request requests a division of the boundary piece that starts at ring point i.
func (w *worker) request(i int32, pieces int) {
	p := w.pieces[i]
	if !p.isDivisible() || p.from == p.to {
		return
	}
	e := brep.EdgeID(brep.None)
	if p.coedge != brep.None {
		e = w.run.model.Coedges[p.coedge].Edge
	}
	w.requests = append(w.requests,
		request{edge: e, crease: p.crease, lo: min(p.from, p.to), hi: max(p.from, p.to), pieces: pieces})
}

// requestTwisted requests samples on boundary pieces along which the surface twists: a straight edge of a twisted face
// has two samples, but no triangle at them is near the surface. It reports whether it requested any.
//
// A triangle over a base of length L and with height h has the error τ·L·h/4 where the normal turns by τ per mm about
// the base. The curvature of the base and of the height add to it.
func (w *worker) requestTwisted() bool {
	if w.shape.isFlat() || w.density.oneSided {
		return false
	}
	first := len(w.requests)
	begin := int32(0)
	for _, end := range w.ringEnds {
		for i := begin; i < end; i++ {
			j := i + 1
			if j == end {
				j = begin
			}
			if w.pieces[i].coedge == brep.None {
				continue
			}
			a, b := w.uv[i], w.uv[j]
			u, v := w.density.at(a.Lerp(b, 0.5))
			const long = 2.5 // planned sides: anything shorter is fine for its neighbors
			if math.Hypot((b.X-a.X)*u, (b.Y-a.Y)*v) < long {
				continue
			}
			if n := w.twistPieces(a, b); n > 1 {
				w.request(i, n)
			}
		}
		begin = end
	}
	return len(w.requests) > first
}

// twistPieces returns the number of pieces that the twist requires for a boundary side a–b.
func (w *worker) twistPieces(a, b geom.Vec2) int {
	const places, most = 4, 64
	need := 0.0
	for k := range places {
		need = max(need, w.twistAt(a, b, (float64(k)+0.5)/places))
	}
	return int(max(1, min(most, math.Ceil(need-stepRounding))))
}

// twistAt is twistPieces by the twist at one point, at the fraction s from a to b.
func (w *worker) twistAt(a, b geom.Vec2, s float64) float64 {
	at := a.Lerp(b, s)
	d := w.shape.surf.D2(at.X, at.Y)
	n, ok := unitCross(d.Du, d.Dv)
	base := d.Du.Scale(b.X - a.X).Add(d.Dv.Scale(b.Y - a.Y))
	length := base.Norm()
	if !ok || length < w.run.smallest {
		return 0
	}
	// The derivative of the normal along the base, per mm: its parts along the base and across it.
	l, m, o := d.Duu.Dot(n), d.Duv.Dot(n), d.Dvv.Dot(n)
	across := n.Cross(base.Scale(1 / length))
	x, y, ok := inBasis(across, d.Du, d.Dv)
	if !ok {
		return 0
	}
	p, q := (b.X-a.X)/length, (b.Y-a.Y)/length
	twist := math.Abs(l*p*x + m*(p*y+q*x) + o*q*y)
	bend := math.Abs(l*x*x + 2*m*x*y + o*y*y)
	height := 1 / sides(bend+twist, bend+twist, w.run.chord, w.run.angle)
	return length * max(twist*height/(2*w.run.chord), twist/w.run.angle)
}

// inBasis returns x, y with x·a + y·b = d for a tangent d, false when a and b are parallel.
func inBasis(d, a, b geom.Vec3) (x, y float64, ok bool) {
	e, f, g := a.Dot(a), a.Dot(b), b.Dot(b)
	det := e*g - f*f
	const parallel = 1e-12 // squared sine
	if !(det > parallel*e*g) {
		return 0, 0, false
	}
	r, s := d.Dot(a), d.Dot(b)
	return (g*r - f*s) / det, (e*s - f*r) / det, true
}

// requestBoundary requests samples at triangles that are too far from the surface, or that the deviation of their
// boundary side tilts by more than the angle tolerance.
func (w *worker) requestBoundary() {
	begin := int32(0)
	for _, end := range w.ringEnds {
		for i := begin; i < end; i++ {
			j := i + 1
			if j == end {
				j = begin
			}
			if n := w.piecesFor(i, j); n > 1 {
				w.request(i, n)
			}
		}
		begin = end
	}
}

// piecesFor returns the number of pieces of the boundary side i–j that its triangle requires.
func (w *worker) piecesFor(i, j int32) int {
	if !w.pieces[i].isDivisible() {
		return 1
	}
	d := w.p[j].Sub(w.p[i])
	length := d.Norm()
	if length < w.run.smallest {
		return 1
	}
	e := w.tri.EdgeBetween(i, j)
	if e < 0 || !w.tri.Inside(w.tri.Triangle(e)) {
		return 1
	}
	k := w.tri.Origin(w.tri.Next(w.tri.Next(e)))
	if w.sags(i, j) {
		return 2
	}
	const most = 8
	v := [3]int32{i, j, k}
	if gap, _ := w.centerFault(v, w.overCentroid(v)); gap > w.chordGoal {
		return max(2, int(min(most, math.Ceil(math.Sqrt(gap/w.run.chord)))))
	}
	if w.stuck && (w.farSide(w.tri.Next(e)) || w.farSide(w.tri.Next(w.tri.Next(e)))) {
		return 2
	}
	if w.stuck && w.peakAt(i, j, k) > w.run.chord {
		return 2
	}
	n := d.Cross(w.p[k].Sub(w.p[i]))
	if mean := w.meanNormal(i, j, k); mean == (geom.Vec3{}) || n.Angle(mean) <= w.run.angle {
		return 1
	}
	const share = 0.25 // of the angle tolerance, that the bulge must explain to be worth a sample
	height := max(n.Norm()/length, w.run.smallest)
	if w.bulge(i, j) > share*w.run.angle*height {
		return 2
	}
	return 1
}

// peakAt estimates the distance (mm) of the inside of a triangle from a doubly curved surface.
func (w *worker) peakAt(i, j, k int32) float64 {
	var h [3]float64
	h[0], _ = w.sideFault(i, j, w.overMiddle(i, j))
	h[1], _ = w.sideFault(j, k, w.overMiddle(j, k))
	h[2], _ = w.sideFault(k, i, w.overMiddle(k, i))
	return peak(h)
}

// farSide reports whether the inner side e exceeds the goal of refinement.
func (w *worker) farSide(e int32) bool {
	if w.tri.Fixed(e) {
		return false
	}
	return w.sideGap(w.tri.Origin(e), w.tri.Origin(w.tri.Twin(e))) > w.chordGoal
}

// bulge returns the deviation (mm) of the edge from the chord of the boundary piece i–j.
func (w *worker) bulge(i, j int32) float64 {
	p := w.pieces[i]
	if p.crease > 0 {
		return pointAt(w.shape.surf, w.uv[i].Lerp(w.uv[j], 0.5)).Dist(w.p[i].Lerp(w.p[j], 0.5))
	}
	c := w.run.model.Edges[w.run.model.Coedges[p.coedge].Edge].Curve
	a, b := c.At(p.from), c.At(p.to)
	return c.At(0.5 * (p.from + p.to)).Dist(a.Lerp(b, 0.5))
}

// sags reports whether the chord i–j is too far from the face and nearer at its ends: the edge's curve,
// which its samples follow, is not quite on the surface.
func (w *worker) sags(i, j int32) bool {
	if !w.shape.exact() {
		return false
	}
	p, q := w.p[i], w.p[j]
	gap := max(w.shape.gap(p.Lerp(q, 0.25)), w.shape.gap(p.Lerp(q, 0.5)), w.shape.gap(p.Lerp(q, 0.75)))
	return gap > w.run.chord*(1+stepRounding) && gap-max(w.offset(i), w.offset(j)) > w.run.chord/4
}

// edgeChord returns the chord tolerance for an edge. It is smaller than the usual one where the edge bounds a sphere or
// torus, whose triangles deviate slightly more near a side than in its middle, and along a small fillet. Only tori
// are handled there, which are inverted in closed form; other faces make requests. Every edge reserves a little of the
// tolerance for files whose edges deviate from their faces.
func (r *run) edgeChord(e *brep.Edge) float64 {
	const beside, astray = 0.96, 0.995
	chord := astray * r.chord
	for _, c := range e.Coedges {
		s := r.model.Faces[r.model.FaceOf(c)].Surface
		if s != nil && (s.Kind() == surface.KindSphere || s.Kind() == surface.KindTorus) {
			chord = min(chord, beside*r.chord)
		}
		t, ok := s.(surface.Torus)
		if !ok {
			continue
		}
		p, d1, d2 := e.Curve.D2(e.Range.Mid())
		uv, _ := t.Invert(p)
		d := t.D2(uv.X, uv.Y)
		b := bendOf(d)
		if b.lengthU == 0 {
			continue
		}
		// The parameter lines of a torus are its lines of curvature: Euler's formula.
		tangent := d1.Unit()
		x := tangent.Dot(d.Du) / b.lengthU
		x *= x
		along, across := b.ku*x+b.kv*(1-x), b.ku*(1-x)+b.kv*x
		speed := d1.Norm2()
		bend := d2.Sub(tangent.Scale(tangent.Dot(d2))).Norm() / speed
		side := max(1/sides(across, across, r.chord, r.angle), r.smallest)
		if along > 0 && bend > 0 {
			chord = min(chord, tilt*r.angle*side*bend/along)
		}
	}
	return chord
}

// grantRequests adds the samples that faces asked for and returns the faces at their edges, ascending.
func (r *run) grantRequests() []brep.FaceID {
	var all []request
	for i := range r.faces {
		f := &r.faces[i]
		all = append(all, f.requests...)
		f.requests = nil
	}
	slices.SortFunc(all, request.compare)
	all = slices.Compact(all)
	var again []brep.FaceID
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].edge == all[0].edge {
			n++
		}
		if r.insertSamples(all[:n]) {
			for _, c := range r.model.Edges[all[0].edge].Coedges {
				if f := r.model.FaceOf(c); !r.model.IsSheet(f) {
					again = append(again, f)
				}
			}
		}
		all = all[n:]
	}
	slices.Sort(again)
	return slices.Compact(again)
}

// insertSamples divides the requested pieces of one edge evenly.
func (r *run) insertSamples(reqs []request) bool {
	e := reqs[0].edge
	edge := &r.model.Edges[e]
	old := r.samples[e]
	if len(old) > int(edgeShare*float64(r.faceLimit())) {
		reqs = slices.DeleteFunc(reqs, func(q request) bool { return q.pieces > 0 }) // more would not help either
	}
	grown := make([]trim.Sample, 0, len(old)+len(reqs))
	for i, s := range old {
		grown = append(grown, s)
		if i+1 == len(old) {
			break
		}
		next := old[i+1].T
		for len(reqs) > 0 && reqs[0].lo < s.T {
			reqs = reqs[1:]
		}
		last := s.T
		for _, t := range r.divisions(reqs, s.T, next) {
			if t > last && t < next {
				grown = append(grown, r.newSample(edge, t))
				last = t
			}
		}
	}
	if len(grown) == len(old) {
		return false
	}
	r.samples[e] = grown
	return true
}

// divisions returns the parameters at which requests divide a piece: evenly, by the largest requested number of pieces,
// and at creases. The first requests are for the piece from lo to hi.
func (r *run) divisions(reqs []request, lo, hi float64) []float64 {
	r.places = r.places[:0]
	even := 0.0
	for ; len(reqs) > 0 && reqs[0].lo == lo; reqs = reqs[1:] {
		switch q := reqs[0]; {
		case q.hi != hi:
		case q.pieces == 0:
			r.places = append(r.places, q.at)
		default:
			even = max(even, float64(q.pieces))
		}
	}
	for k := 1.0; k < even; k++ {
		r.places = append(r.places, lo+(hi-lo)*k/even)
	}
	slices.Sort(r.places)
	const same = 1e-9 // of the piece
	return slices.CompactFunc(r.places, func(a, b float64) bool { return math.Abs(b-a) < same*(hi-lo) })
}
