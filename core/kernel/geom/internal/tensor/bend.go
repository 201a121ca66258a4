package tensor

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
)

// bend bounds the second derivatives of a rational Bézier patch with q columns inside box.
//
// With O the middle of the box, R its half diagonal and A = w·(S - O), the derivatives of the quotient
// S - O = A/w give, k and m each u or v,
//
//	|S_k| ≤ (|A_k| + |w_k|·R)/w,  |S_km| ≤ (|A_km| + |w_k||S_m| + |w_m||S_k| + |w_km|·R)/w,
//
// and every factor is bounded by its Bézier coefficients: differences of control points times the
// degrees. On a polynomial patch the terms with derivatives of w vanish.
func bend(net []bspline.Hom, q int, box *geom.Box) DerivBound {
	p := len(net) / q
	o, r := box.Center(), 0.5*box.Diagonal()
	least := math.Inf(1)
	for i := range net {
		least = min(least, net[i].W)
	}
	// diff returns the largest length of a difference of A and of w over the patch.
	diff := func(di, dj int) (a, w float64) {
		for i := range p - di {
			for j := range q - dj {
				h := difference(net, i*q+j, di, dj, q)
				a = max(a, h.Vec().AddScaled(-h.W, o).Norm())
				w = max(w, math.Abs(h.W))
			}
		}
		return a, w
	}
	fp, fq := float64(p-1), float64(q-1)
	au, wu := diff(1, 0)
	av, wv := diff(0, 1)
	auu, wuu := diff(2, 0)
	auv, wuv := diff(1, 1)
	avv, wvv := diff(0, 2)
	su, sv := fp*(au+wu*r)/least, fq*(av+wv*r)/least
	return DerivBound{
		UU: above((fp*(fp-1)*(auu+wuu*r) + 2*fp*wu*su) / least),
		UV: above((fp*fq*(auv+wuv*r) + fp*wu*sv + fq*wv*su) / least),
		VV: above((fq*(fq-1)*(avv+wvv*r) + 2*fq*wv*sv) / least),
	}
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
