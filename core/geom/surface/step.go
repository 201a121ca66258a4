package surface

import (
	"math"

	"millwright/core/geom"
	"millwright/core/geom/curve"
)

// Parameter steps that keep tolerances.
//
// A facet over a parameter cell of hu × hv stays within (|L|hu² + 2|M|hu·hv + |N|hv²)/8 of the surface,
// with L, M, N the normal components of Suu, Suv, Svv: each direction gets half of the chord
// tolerance where both bend, and the twist M is shared in proportion to the lengths of Su and Sv. The
// angle tolerance limits the turn of the normal and of the iso-lines over a step. Analytic kinds have
// closed forms; for all others the derivatives are sampled and the result is taken smaller by a
// safety factor, so that features narrower than a sample can be missed: the caller measures its facets.

const (
	// maxTurn (rad) is the largest step of an angle: a full turn needs three segments at least.
	maxTurn = 2 * math.Pi / 3
	// stepSafety is the factor on steps from samples: curvature between samples of a cubic piece may
	// be about 1.5 times that at the samples, and steps go with its root.
	stepSafety = 0.8
	// samplesPerPiece and maxSamples are the numbers of samples along each direction.
	samplesPerPiece = 4
	maxSamples      = 32
)

// StepSizes returns parameter steps such that facets between neighbours of a grid with these steps over
// u × v stay within chordTol (mm) of the surface, and its normal and iso-lines turn by no more than
// angleTol (rad) over a step. A tolerance of 0 sets no limit. A step is +Inf where the surface is
// flat, and 2π/3 at most where the parameter is an angle.
func StepSizes(s Surface, u, v geom.Interval, chordTol, angleTol float64) (du, dv float64) {
	if !(chordTol > 0) {
		chordTol = math.Inf(1)
	}
	if !(angleTol > 0) {
		angleTol = math.Inf(1)
	}
	inf := math.Inf(1)
	switch s := s.(type) {
	case Plane:
		return inf, inf
	case Cylinder:
		return arcStep(s.Radius, chordTol, angleTol), inf
	case Cone:
		r := linearRange(math.Tan(s.HalfAngle), v)
		return arcStep(max(math.Abs(s.Radius+r.Lo), math.Abs(s.Radius+r.Hi)), chordTol, angleTol), inf
	case Sphere:
		r := harmonicRange(s.Radius, 0, v)
		return arcStep(r.Hi, chordTol/2, angleTol), arcStep(s.Radius, chordTol/2, angleTol)
	case Torus:
		r := harmonicRange(s.Minor, 0, v)
		outer := max(math.Abs(s.Major+r.Lo), math.Abs(s.Major+r.Hi))
		return arcStep(outer, chordTol/2, angleTol), arcStep(s.Minor, chordTol/2, angleTol)
	case *Extrusion:
		st := steps{chordTol: chordTol, angleTol: angleTol}
		st.sample(s, u, geom.Interval{})
		return st.one(st.bendU, st.turnU, u.Length(), chordTol), inf
	case *Trimmed:
		bu := geom.Interval{Lo: flip(u.Lo, s.U, s.SenseU), Hi: flip(u.Hi, s.U, s.SenseU)}
		bv := geom.Interval{Lo: flip(v.Lo, s.V, s.SenseV), Hi: flip(v.Hi, s.V, s.SenseV)}
		return StepSizes(s.Base, ascending(bu), ascending(bv), chordTol, angleTol)
	}
	st := steps{chordTol: chordTol, angleTol: angleTol}
	st.sample(s, u, v)
	if !st.isFlat(st.bendU, u.Length()) && !st.isFlat(st.bendV, v.Length()) {
		chordTol /= 2
	}
	du = st.one(st.bendU, st.turnU, u.Length(), chordTol)
	dv = st.one(st.bendV, st.turnV, v.Length(), chordTol)
	if s.Kind() == KindRevolution {
		du = min(du, maxTurn)
	}
	return du, dv
}

func ascending(iv geom.Interval) geom.Interval {
	return geom.Interval{Lo: min(iv.Lo, iv.Hi), Hi: max(iv.Lo, iv.Hi)}
}

// arcStep returns the angle of an arc with a sagitta of at most chordTol: r·(1 - cos(θ/2)) = chordTol.
func arcStep(r, chordTol, angleTol float64) float64 {
	step := min(angleTol, maxTurn)
	if chordTol < r {
		step = min(step, 2*math.Acos(1-chordTol/r))
	}
	return step
}

// steps collects the largest needs over the samples: bends per step² and turns per step.
type steps struct {
	chordTol, angleTol float64
	bendU, bendV       float64 // mm per parameter²
	turnU, turnV       float64 // rad per parameter
}

func (st *steps) sample(s Surface, u, v geom.Interval) {
	us, vs := sampleAt(s, u, false), sampleAt(s, v, true)
	for _, a := range us {
		for _, b := range vs {
			d := s.D2(a, b)
			st.add(&d)
		}
	}
}

// sampleAt returns parameters inside the pieces of iv, or evenly if there are too many pieces.
func sampleAt(s Surface, iv geom.Interval, alongV bool) []float64 {
	if !(iv.Length() > 0) || !iv.IsFinite() {
		return []float64{iv.Lo}
	}
	breaks := append(append([]float64{iv.Lo}, smoothPieces(s, iv, alongV)...), iv.Hi)
	var out []float64
	if (len(breaks)-1)*samplesPerPiece > maxSamples {
		for i := range maxSamples {
			out = append(out, iv.At((float64(i)+0.5)/maxSamples))
		}
		return out
	}
	for k := range len(breaks) - 1 {
		piece := geom.Interval{Lo: breaks[k], Hi: breaks[k+1]}
		for i := range samplesPerPiece {
			// Both ends, but inside: derivatives are those of the piece, and no pole is hit.
			out = append(out, piece.At(nudge+(1-2*nudge)*float64(i)/(samplesPerPiece-1)))
		}
	}
	return out
}

// smoothPieces returns the parameters strictly inside iv at which the surface is not smooth.
func smoothPieces(s Surface, iv geom.Interval, alongV bool) []float64 {
	switch s := s.(type) {
	case *BSpline:
		dom, period := s.u, 0.0
		knots, _ := s.Breaks()
		if alongV {
			dom = s.v
			_, knots = s.Breaks()
		}
		if pu, pv := s.Periods(); alongV {
			period = pv
		} else {
			period = pu
		}
		return knotsInside(knots, dom, iv, period)
	case *Extrusion:
		if !alongV {
			return curve.Breaks(nil, s.profile, iv)
		}
	case *Revolution:
		if alongV {
			return curve.Breaks(nil, s.profile, iv)
		}
	case *Offset:
		return smoothPieces(s.base, iv, alongV)
	}
	return nil
}

func knotsInside(knots []float64, dom, iv geom.Interval, period float64) (out []float64) {
	first, last := 0.0, 0.0
	if period > 0 {
		first, last = math.Floor((iv.Lo-dom.Lo)/period), math.Floor((iv.Hi-dom.Lo)/period)
	}
	for k := first; k <= last; k++ {
		for _, t := range knots {
			if t += k * period; t > iv.Lo && t < iv.Hi && (len(out) == 0 || t > out[len(out)-1]) {
				out = append(out, t)
			}
		}
	}
	return out
}

// add takes one sample into account.
func (st *steps) add(d *Derivs) {
	c := d.Du.Cross(d.Dv)
	length := c.Norm()
	a, b := d.Du.Norm(), d.Dv.Norm()
	if length <= parallel*a*b || length == 0 {
		return
	}
	n := c.Scale(1 / length)
	l, m, nn := math.Abs(d.Duu.Dot(n)), math.Abs(d.Duv.Dot(n)), math.Abs(d.Dvv.Dot(n))
	st.bendU = max(st.bendU, l+m*a/b)
	st.bendV = max(st.bendV, nn+m*b/a)
	turn := func(ck geom.Vec3) float64 { return ck.AddScaled(-ck.Dot(n), n).Norm() / length }
	st.turnU = max(st.turnU, turn(d.Duu.Cross(d.Dv).Add(d.Du.Cross(d.Duv))), lineTurn(d.Du, d.Duu))
	st.turnV = max(st.turnV, turn(d.Duv.Cross(d.Dv).Add(d.Du.Cross(d.Dvv))), lineTurn(d.Dv, d.Dvv))
}

// lineTurn is the turn of the tangent of an iso-line per parameter.
func lineTurn(d1, d2 geom.Vec3) float64 { return d1.Cross(d2).Norm() / d1.Norm2() }

// flatPart is the fraction of a tolerance that counts as none: where the whole range bends or turns by
// less it is flat up to rounding and the accuracy of files.
const flatPart = 1e-3

func (st *steps) isFlat(bend, length float64) bool {
	return bend*length*length/8 <= flatPart*st.chordTol
}

// one returns the step in one direction.
func (st *steps) one(bend, turn, length, chordTol float64) float64 {
	step := math.Inf(1)
	if !st.isFlat(bend, length) {
		step = math.Sqrt(8 * chordTol / bend)
	}
	if turn*length > flatPart*st.angleTol {
		step = min(step, st.angleTol/turn)
	}
	return stepSafety * step
}
