package bspline

// Extraction computes the matrix that turns the control points of one piece into Bézier points.
//
// Method: row j is the blossom (Ramshaw 1987) of the piece's polynomial at degree-j copies of the
// piece's start and j copies of its end, written in the control points; every step of the de Boor
// recursion is a convex combination there, so the matrix has no negative entry and each row sums
// to one. Borden, Scott, Evans and Hughes (2011) name the matrix the extraction operator. Works for
// any multiplicities, also for vectors that are not clamped. Cost: degree⁴/2 multiplications a piece.

// Extraction writes the (degree+1)² matrix of piece s, row by row, into c: Bézier point j of the
// piece is the sum over r of c[j·(degree+1)+r] times control point PieceSpan(s)-degree+r.
func (k *Knots) Extraction(s int, c []float64) {
	p, span := k.degree, k.PieceSpan(s)
	if k.u[span-p+1] < k.u[span] || k.u[span+1] < k.u[span+p] {
		k.Restriction(s, k.breaks[s], k.breaks[s+1], c)
		return
	}
	// Both ends have full multiplicity: the control points are the Bézier points.
	clear(c[:(p+1)*(p+1)])
	for j := 0; j <= p; j++ {
		c[j*(p+2)] = 1
	}
}

// Restriction is Extraction for the part a … b of piece s.
func (k *Knots) Restriction(s int, a, b float64, c []float64) {
	p := k.degree
	order := p + 1
	span := k.PieceSpan(s)
	var d [MaxOrder]Row // d[r] are the coefficients of de Boor point r
	for j := 0; j <= p; j++ {
		for r := 0; r <= p; r++ {
			d[r] = Row{}
			d[r][r] = 1
		}
		for step := 1; step <= p; step++ {
			x := a
			if step <= j {
				x = b
			}
			k.blossomStep(span, step, x, &d)
		}
		copy(c[j*order:(j+1)*order], d[p][:order])
	}
}

// blossomStep replaces the de Boor points step … degree by their combination at argument x.
func (k *Knots) blossomStep(span, step int, x float64, d *[MaxOrder]Row) {
	p := k.degree
	for r := p; r >= step; r-- {
		lo, hi := k.u[span-p+r], k.u[span+1+r-step]
		f := (x - lo) / (hi - lo)
		for q := r - step; q <= r; q++ { // the only coefficients that are not zero
			d[r][q] = (1-f)*d[r-1][q] + f*d[r][q]
		}
	}
}
