package tensor

import (
	"math"

	"millwright/core/geom"
	"millwright/core/geom/bspline"
)

// Bounds of the second derivatives of a rational Bézier patch.
//
// A derivative is enclosed in a ball. The derivatives of the homogeneous net are Bézier nets too, their
// points differences of the control points times the degrees, and lie within the balls round these. With O
// the middle of the box of the control points and A = w·(S - O) the derivatives of the quotient are, k and
// m each u or v,
//
//	S_k = (A_k - w_k·(S - O))/w,  S_km = (A_km - w_k·S_m - w_m·S_k - w_km·(S - O))/w,
//
// in arithmetic of balls and intervals (Neumaier, Interval Methods for Systems of Equations, ch. 1). A ball
// shrinks with its cell, so that it also gives the range of a derivative along a direction.

// Bend encloses Suu, Suv and Svv by the parameters of a cell that run from 0 to 1, in mm.
type Bend struct{ UU, UV, VV Ball }

// Ball holds the vectors within R of C; none is longer than Most.
type Ball struct {
	C       geom.Vec3
	R, Most float64
}

// Along bounds the magnitude of the components along the unit vector n.
func (b *Ball) Along(n geom.Vec3) float64 { return min(b.Most, math.Abs(b.C.Dot(n))+b.R) }

// scalar is the interval within r of c.
type scalar struct{ c, r float64 }

func (s scalar) times(b Ball) Ball {
	a, l := math.Abs(s.c), b.C.Norm()
	return Ball{C: b.C.Scale(s.c), R: a*b.R + s.r*(l+b.R), Most: (a + s.r) * b.Most}
}

func (b Ball) minus(o Ball) Ball {
	return Ball{C: b.C.Sub(o.C), R: b.R + o.R, Most: b.Most + o.Most}
}

// roundUp covers the rounding of the bounds.
const roundUp = 1 + 1e-12

func (b Ball) outwards() Ball {
	b.Most = roundUp * min(b.Most, b.C.Norm()+b.R)
	b.R = roundUp*b.R + (roundUp-1)*b.Most
	return b
}

// bend bounds the second derivatives of a Bézier patch with q columns inside box.
func bend(net []bspline.Hom, q int, box *geom.Box, isRational bool) Bend {
	p := len(net) / q
	fp, fq := float64(p-1), float64(q-1)
	o := box.Center()
	auu, wuu := differences(net, q, 2, 0, o, fp*(fp-1))
	auv, wuv := differences(net, q, 1, 1, o, fp*fq)
	avv, wvv := differences(net, q, 0, 2, o, fq*(fq-1))
	if !isRational {
		return Bend{UU: auu.outwards(), UV: auv.outwards(), VV: avv.outwards()}
	}
	au, wu := differences(net, q, 1, 0, o, fp)
	av, wv := differences(net, q, 0, 1, o, fq)
	lo, hi := math.Inf(1), 0.0
	for i := range net {
		lo, hi = min(lo, net[i].W), max(hi, net[i].W)
	}
	inverse := scalar{0.5 * (1/lo + 1/hi), 0.5 * (1/lo - 1/hi)}
	r := 0.5 * box.Diagonal()
	rest := Ball{R: r, Most: r} // S - O
	su := inverse.times(au.minus(wu.times(rest)))
	sv := inverse.times(av.minus(wv.times(rest)))
	second := func(a Ball, w, wk, wm scalar, sk, sm Ball) Ball {
		return inverse.times(a.minus(wk.times(sm)).minus(wm.times(sk)).minus(w.times(rest))).outwards()
	}
	return Bend{
		UU: second(auu, wuu, wu, wu, su, su),
		UV: second(auv, wuv, wu, wv, su, sv),
		VV: second(avv, wvv, wv, wv, sv, sv),
	}
}

// differences encloses the differences of order (di, dj) of A and of w, times f.
func differences(net []bspline.Hom, q, di, dj int, o geom.Vec3, f float64) (a Ball, w scalar) {
	p := len(net) / q
	if di >= p || dj >= q {
		return a, w
	}
	lo, hi := bspline.Hom{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1), W: math.Inf(1)}, bspline.Hom{}
	hi.X, hi.Y, hi.Z, hi.W = math.Inf(-1), math.Inf(-1), math.Inf(-1), math.Inf(-1)
	most := 0.0
	for i := range p - di {
		for j := range q - dj {
			h := difference(net, i*q+j, di, dj, q)
			h.X, h.Y, h.Z = h.X-h.W*o.X, h.Y-h.W*o.Y, h.Z-h.W*o.Z
			lo.X, lo.Y, lo.Z, lo.W = min(lo.X, h.X), min(lo.Y, h.Y), min(lo.Z, h.Z), min(lo.W, h.W)
			hi.X, hi.Y, hi.Z, hi.W = max(hi.X, h.X), max(hi.Y, h.Y), max(hi.Z, h.Z), max(hi.W, h.W)
			most = max(most, h.X*h.X+h.Y*h.Y+h.Z*h.Z)
		}
	}
	c := lo.Vec().Lerp(hi.Vec(), 0.5)
	a = Ball{C: c.Scale(f), R: f * hi.Vec().Sub(c).Norm(), Most: f * math.Sqrt(most)}
	return a, scalar{0.5 * f * (lo.W + hi.W), 0.5 * f * (hi.W - lo.W)}
}

// difference returns the forward difference of order (di, dj), di + dj at most 2, at net[k].
func difference(net []bspline.Hom, k, di, dj, q int) bspline.Hom {
	switch {
	case di == 2:
		return net[k].AddScaled(-2, net[k+q]).AddScaled(1, net[k+2*q])
	case dj == 2:
		return net[k].AddScaled(-2, net[k+1]).AddScaled(1, net[k+2])
	case di == 1 && dj == 1:
		return net[k].AddScaled(-1, net[k+1]).AddScaled(-1, net[k+q]).AddScaled(1, net[k+q+1])
	case di == 1:
		return net[k+q].AddScaled(-1, net[k])
	default:
		return net[k+1].AddScaled(-1, net[k])
	}
}
