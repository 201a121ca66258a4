package bspline

// Row contains one value for each basis function that is not zero on a span: entry r belongs to control point
// span-degree+r. Entries after the degree are not written.
type Row = [MaxOrder]float64

// Basis writes the values of the basis functions on span at t (P&T A2.2, with the knot differences inverted in advance
// to avoid divisions). t may lie outside the span: the polynomials of the span are continued. Cost: degree²
// multiplications, no allocation.
func (k *Knots) Basis(span int, t float64, n *Row) {
	n[0] = 1
	k.raise(span, t, n, 1, k.degree)
}

// raise lifts the basis values in n from degree from-1 to degree to. The first three degrees are written out: most
// splines are cubic, and the loop takes three times as long. Both add in the same order.
func (k *Knots) raise(span int, t float64, n *Row, from, to int) {
	m, j := len(k.u), from
	if j == 1 && j <= to {
		a := n[0] * k.inv[span]
		n[0], n[1] = (k.u[span+1]-t)*a, (t-k.u[span])*a
		j++
	}
	if j == 2 && j <= to {
		u, inv := k.u[span-1:][:4], k.inv[m+span-1:][:2]
		a, b := n[0]*inv[0], n[1]*inv[1]
		n[0], n[1], n[2] = (u[2]-t)*a, (t-u[0])*a+(u[3]-t)*b, (t-u[1])*b
		j++
	}
	if j == 3 && j <= to {
		u, inv := k.u[span-2:][:6], k.inv[2*m+span-2:][:3]
		a, b, c := n[0]*inv[0], n[1]*inv[1], n[2]*inv[2]
		n[0], n[1] = (u[3]-t)*a, (t-u[0])*a+(u[4]-t)*b
		n[2], n[3] = (t-u[1])*b+(u[5]-t)*c, (t-u[2])*c
		j++
	}
	for ; j <= to; j++ {
		base := span + 1 - j
		left := k.u[base : base+j]      // u[span+1-j+r]
		right := k.u[span+1 : span+1+j] // u[span+1+r]
		inv := k.inv[(j-1)*m+base:][:j] // 1/(right[r]-left[r])
		row, saved := n[:j+1], 0.0
		for r := 0; r < j; r++ {
			temp := row[r] * inv[r]
			row[r] = saved + (right[r]-t)*temp
			saved = (t - left[r]) * temp
		}
		row[j] = saved
	}
}

// Basis1 writes the basis functions into d[0] and their first derivatives into d[1] (P&T A2.3).
func (k *Knots) Basis1(span int, t float64, d *[2]Row) {
	p := k.degree
	d[0][0] = 1
	k.raise(span, t, &d[0], 1, p-1)
	copy(d[1][:p], d[0][:p])
	k.differentiate(span, &d[1], p)
	k.raise(span, t, &d[0], p, p)
}

// Basis2 writes the basis functions into d[0], their first derivatives into d[1] and their second
// ones into d[2] (P&T A2.3, by differences of the functions one and two degrees lower).
func (k *Knots) Basis2(span int, t float64, d *[3]Row) {
	p := k.degree
	d[0][0] = 1
	if p == 1 {
		d[1][0] = 1
		k.differentiate(span, &d[1], 1)
		d[2][0], d[2][1] = 0, 0
		k.raise(span, t, &d[0], 1, 1)
		return
	}
	k.raise(span, t, &d[0], 1, p-2)
	copy(d[2][:p-1], d[0][:p-1])
	k.differentiate(span, &d[2], p-1)
	k.differentiate(span, &d[2], p)
	k.raise(span, t, &d[0], p-1, p-1)
	copy(d[1][:p], d[0][:p])
	k.differentiate(span, &d[1], p)
	k.raise(span, t, &d[0], p, p)
}

// differentiate turns coefficients of the functions of degree j-1 into coefficients of the derivatives of degree j (P&T
// eq. 2.7): N'[i,j] = j·(N[i,j-1]/(u[i+j]-u[i]) - N[i+1,j-1]/(u[i+j+1]-u[i+1])).
func (k *Knots) differentiate(span int, n *Row, j int) {
	base := span + 1 - j
	inv := k.inv[(j-1)*len(k.u)+base:][:j]
	row, f, saved := n[:j+1], float64(j), 0.0
	for r := 0; r < j; r++ {
		temp := f * row[r] * inv[r]
		row[r] = saved - temp
		saved = temp
	}
	row[j] = saved
}
