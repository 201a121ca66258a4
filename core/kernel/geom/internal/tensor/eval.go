package tensor

import (
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
)

// Evaluation contracts the (degree+1)² control points of a patch first along v, where they are
// contiguous, then along u (P&T A3.5, A3.6, A4.3, A4.4). Polynomial nets have their own loops: they
// need three quarters of the work. A bicubic point with second derivatives costs about 220
// multiplications. Outside the domain the polynomials of the outermost patches are continued.

// At returns the point at (u, v).
func (n *Net) At(u, v float64) geom.Vec3 {
	var bu, bv bspline.Row
	su, sv := n.U.Span(u), n.V.Span(v)
	n.U.Basis(su, u, &bu)
	n.V.Basis(sv, v, &bv)
	p, q, nv := n.U.Degree(), n.V.Degree(), n.V.Points()
	base := (su-p)*nv + sv - q
	if n.hom != nil {
		var a bspline.Hom
		for _, f := range bu[:p+1] {
			a = a.AddScaled(f, sumHom(n.hom[base:base+q+1], &bv))
			base += nv
		}
		return a.Point()
	}
	var a geom.Vec3
	for _, f := range bu[:p+1] {
		a = a.AddScaled(f, sumVec(n.poly[base:base+q+1], &bv))
		base += nv
	}
	return a
}

func sumVec(row []geom.Vec3, f *bspline.Row) (a geom.Vec3) {
	w := f[:len(row)]
	for j := range row {
		a = a.AddScaled(w[j], row[j])
	}
	return a
}

func sumHom(row []bspline.Hom, f *bspline.Row) (a bspline.Hom) {
	w := f[:len(row)]
	for j := range row {
		a = a.AddScaled(w[j], row[j])
	}
	return a
}

// D1 returns the point and the first derivatives.
func (n *Net) D1(u, v float64) (pt, du, dv geom.Vec3) {
	var bu, bv [2]bspline.Row
	su, sv := n.U.Span(u), n.V.Span(v)
	n.U.Basis1(su, u, &bu)
	n.V.Basis1(sv, v, &bv)
	p, q, nv := n.U.Degree(), n.V.Degree(), n.V.Points()
	base := (su-p)*nv + sv - q
	if n.hom != nil {
		var a, au, av bspline.Hom
		for i := range p + 1 {
			row := n.hom[base : base+q+1]
			r, r1 := sumHom(row, &bv[0]), sumHom(row, &bv[1])
			a, au = a.AddScaled(bu[0][i], r), au.AddScaled(bu[1][i], r)
			av = av.AddScaled(bu[0][i], r1)
			base += nv
		}
		pt, du = bspline.Quotient1(a, au)
		_, dv = bspline.Quotient1(a, av)
		return pt, du, dv
	}
	for i := range p + 1 {
		row := n.poly[base : base+q+1]
		r, r1 := sumVec(row, &bv[0]), sumVec(row, &bv[1])
		pt, du = pt.AddScaled(bu[0][i], r), du.AddScaled(bu[1][i], r)
		dv = dv.AddScaled(bu[0][i], r1)
		base += nv
	}
	return pt, du, dv
}

// D2 writes the point with all derivatives up to the second order.
func (n *Net) D2(u, v float64, j *Jet) {
	var bu, bv [3]bspline.Row
	su, sv := n.U.Span(u), n.V.Span(v)
	n.U.Basis2(su, u, &bu)
	n.V.Basis2(sv, v, &bv)
	base := (su-n.U.Degree())*n.V.Points() + sv - n.V.Degree()
	if n.hom != nil {
		n.homD2(base, &bu, &bv, j)
		return
	}
	n.polyD2(base, &bu, &bv, j)
}

func (n *Net) polyD2(base int, bu, bv *[3]bspline.Row, d *Jet) {
	q, nv := n.V.Degree(), n.V.Points()
	var a, au, av, auu, auv, avv geom.Vec3
	for i := range n.U.Degree() + 1 {
		row := n.poly[base : base+q+1]
		w0, w1, w2 := bv[0][:len(row)], bv[1][:len(row)], bv[2][:len(row)]
		var r, r1, r2 geom.Vec3
		for j := range row {
			c := row[j]
			r, r1, r2 = r.AddScaled(w0[j], c), r1.AddScaled(w1[j], c), r2.AddScaled(w2[j], c)
		}
		f0, f1, f2 := bu[0][i], bu[1][i], bu[2][i]
		a, au, auu = a.AddScaled(f0, r), au.AddScaled(f1, r), auu.AddScaled(f2, r)
		av, auv = av.AddScaled(f0, r1), auv.AddScaled(f1, r1)
		avv = avv.AddScaled(f0, r2)
		base += nv
	}
	*d = Jet{a, au, av, auu, auv, avv}
}

func (n *Net) homD2(base int, bu, bv *[3]bspline.Row, d *Jet) {
	q, nv := n.V.Degree(), n.V.Points()
	var a, au, av, auu, auv, avv bspline.Hom
	for i := range n.U.Degree() + 1 {
		row := n.hom[base : base+q+1]
		w0, w1, w2 := bv[0][:len(row)], bv[1][:len(row)], bv[2][:len(row)]
		var r, r1, r2 bspline.Hom
		for j := range row {
			c := row[j]
			r, r1, r2 = r.AddScaled(w0[j], c), r1.AddScaled(w1[j], c), r2.AddScaled(w2[j], c)
		}
		f0, f1, f2 := bu[0][i], bu[1][i], bu[2][i]
		a, au, auu = a.AddScaled(f0, r), au.AddScaled(f1, r), auu.AddScaled(f2, r)
		av, auv = av.AddScaled(f0, r1), auv.AddScaled(f1, r1)
		avv = avv.AddScaled(f0, r2)
		base += nv
	}
	d.P, d.Du, d.Duu = bspline.Quotient2(a, au, auu)
	_, d.Dv, d.Dvv = bspline.Quotient2(a, av, avv)
	d.Duv = bspline.QuotientMixed(a.W, au, av, auv, d.P, d.Du, d.Dv)
}
