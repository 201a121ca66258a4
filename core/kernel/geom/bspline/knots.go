// Package bspline contains the common parts of B-spline curves and surfaces: knot vectors, basis functions with
// derivatives, generated knot forms, homogeneous points and Bézier extraction.
//
// Knot vectors are flat: every knot is repeated by its multiplicity. A vector for n control points of degree p has
// n+p+1 knots u[0] ≤ … ≤ u[n+p] and the domain [u[p], u[n]]. Span i is the half-open range [u[i], u[i+1]); on it only
// the control points i-p … i count. Names follow Piegl and Tiller, The NURBS Book (2nd ed., 1997), cited as P&T.
package bspline

import (
	"errors"
	"fmt"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// MaxDegree is the highest degree accepted; CAD systems exchange up to 25.
const MaxDegree = 25

// MaxOrder is the number of basis functions that are not zero on a span of the highest degree.
const MaxOrder = MaxDegree + 1

// knotSnap is the fraction of the domain below which two knots are one: text with 15 digits writes
// equal knots with differences of a few 1e-15, and a span so short has no usable derivative.
const knotSnap = 1e-13

// Knots is a validated flat knot vector. It is immutable and safe for concurrent use.
type Knots struct {
	degree, count int
	u             []float64
	inv           []float64 // inv[(j-1)*len(u)+i] = 1/(u[i+j]-u[i]), 0 for a difference of 0
	breaks        []float64 // the distinct knots of the domain, ascending
	spans         []int32   // spans[s] is the flat index of the span [breaks[s], breaks[s+1])
	first         []int32   // see Piece
	cellsPerUnit  float64
}

// NewKnots validates a flat knot vector for points control points and keeps a copy. Knots closer
// than 1e-13 of the domain are made equal, also when they are out of order by so little.
func NewKnots(degree, points int, flat []float64) (*Knots, error) {
	switch {
	case degree < 1 || degree > MaxDegree:
		return nil, fmt.Errorf("degree %d is outside 1…%d", degree, MaxDegree)
	case points < degree+1:
		return nil, fmt.Errorf("%d control points are too few for degree %d", points, degree)
	case len(flat) != points+degree+1:
		return nil, fmt.Errorf("%d knots do not fit %d control points of degree %d, which need %d",
			len(flat), points, degree, points+degree+1)
	}
	k := &Knots{degree: degree, count: points, u: append([]float64(nil), flat...)}
	if err := k.snap(); err != nil {
		return nil, err
	}
	k.reciprocals()
	k.index()
	return k, nil
}

// snap makes nearly equal knots equal and checks order and multiplicities.
func (k *Knots) snap() error {
	u, p := k.u, k.degree
	for i, t := range u {
		if math.IsNaN(t) || math.IsInf(t, 0) {
			return fmt.Errorf("knot %d is not a finite number", i)
		}
	}
	length := u[k.count] - u[p]
	if !(length > 0) || math.IsInf(length, 0) {
		return errors.New("the knots span no parameter range")
	}
	tol := max(knotSnap*length, 4*ulp(max(math.Abs(u[p]), math.Abs(u[k.count]))))
	run := 0 // index of the first of the knots equal to u[i]
	for i := 1; i < len(u); i++ {
		switch {
		case u[i] < u[run]-tol:
			return fmt.Errorf("knot %d decreases from %g to %g", i, u[run], u[i])
		case u[i] <= u[run]+tol:
			u[i] = u[run]
		default:
			run = i
		}
		if i-run > p {
			return fmt.Errorf("knot %g occurs more than degree + 1 = %d times", u[i], p+1)
		}
	}
	if u[k.count] <= u[p] {
		return errors.New("the knots span no parameter range")
	}
	return nil
}

func ulp(x float64) float64 { return math.Nextafter(x, math.Inf(1)) - x }

func (k *Knots) reciprocals() {
	m := len(k.u)
	k.inv = make([]float64, k.degree*m)
	for j := 1; j <= k.degree; j++ {
		row := k.inv[(j-1)*m : j*m]
		for i := 0; i+j < m; i++ {
			if d := k.u[i+j] - k.u[i]; d > 0 {
				row[i] = 1 / d
			}
		}
	}
}

// index builds the break list and the bucket table of Piece.
func (k *Knots) index() {
	pieces := 0
	for i := k.degree; i < k.count; i++ {
		if k.u[i+1] > k.u[i] {
			pieces++
		}
	}
	numbers := make([]int32, 2*pieces+1)
	k.breaks, k.spans, k.first = make([]float64, 0, pieces+1), numbers[:0:pieces], numbers[pieces:]
	for i := k.degree; i < k.count; i++ {
		if k.u[i+1] > k.u[i] {
			k.breaks = append(k.breaks, k.u[i])
			k.spans = append(k.spans, int32(i))
		}
	}
	k.breaks = append(k.breaks, k.u[k.count])
	k.cellsPerUnit = float64(pieces) / (k.u[k.count] - k.u[k.degree])
	s := 0
	for c := range k.first {
		for s < pieces-1 && k.cell(k.breaks[s+1]) < c {
			s++
		}
		k.first[c] = int32(s)
	}
}

// cell is a monotone map of the domain to bucket numbers 0 … len(spans)-1.
func (k *Knots) cell(t float64) int {
	c := int((t - k.breaks[0]) * k.cellsPerUnit)
	return max(0, min(c, len(k.spans)-1))
}

// Degree returns the polynomial degree.
func (k *Knots) Degree() int { return k.degree }

// Points returns the number of control points.
func (k *Knots) Points() int { return k.count }

// Flat returns the knots with their multiplicities; it must not be modified.
func (k *Knots) Flat() []float64 { return k.u }

// Domain returns the parameter range on which the basis functions sum to one.
func (k *Knots) Domain() geom.Interval { return geom.Interval{Lo: k.u[k.degree], Hi: k.u[k.count]} }

// Breaks returns the distinct knots of the domain, both ends included; it must not be modified.
func (k *Knots) Breaks() []float64 { return k.breaks }

// Pieces returns the number of spans of the domain that are not empty: len(Breaks())-1.
func (k *Knots) Pieces() int { return len(k.spans) }

// PieceSpan returns the flat index of piece s, the range Breaks()[s] … Breaks()[s+1].
func (k *Knots) PieceSpan(s int) int { return int(k.spans[s]) }

// Piece returns the number of the piece that contains t: the one to the right of t at a knot, the last one at the end
// of the domain, the first or last one outside the domain. A table of equal cells bounds the search, so evenly spaced
// knots cost no more than two comparisons and no vector more than a bisection. (P&T A2.1 bisects the whole vector.)
func (k *Knots) Piece(t float64) int {
	// In cell c lie only pieces first[c] … first[c+1], since cell is monotone.
	x := (t - k.breaks[0]) * k.cellsPerUnit
	switch n := len(k.spans); {
	case !(x > 0):
		return 0
	case x >= float64(n):
		x = float64(n - 1)
	}
	c := int(x)
	lo, hi := int(k.first[c]), int(k.first[c+1])
	for lo < hi {
		mid := (lo + hi + 1) >> 1
		if t >= k.breaks[mid] {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo
}

// Span returns the flat index i of the span that contains t; see Piece.
func (k *Knots) Span(t float64) int { return int(k.spans[k.Piece(t)]) }

// SpanNear is Span that first tries hint, the span of a nearby parameter.
func (k *Knots) SpanNear(t float64, hint int) int {
	if hint >= k.degree && hint < k.count && t >= k.u[hint] && t < k.u[hint+1] {
		return hint
	}
	return k.Span(t)
}

// Continuity returns the order of continuity that the multiplicity of break s guarantees: degree
// minus multiplicity, -1 for a jump. The ends of the domain count like any other knot.
func (k *Knots) Continuity(s int) int {
	t, m := k.breaks[s], 0
	start := k.count
	if s < len(k.spans) {
		start = int(k.spans[s])
	}
	for i := start; i >= 0 && k.u[i] == t; i-- {
		m++
	}
	for i := start + 1; i < len(k.u) && k.u[i] == t; i++ {
		m++
	}
	return k.degree - m
}
