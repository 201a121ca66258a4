package tensor

import (
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
)

// strip is one side of a grid of patches: part i is the range bounds[i] … bounds[i+1] of piece piece[i] of the knots,
// and matrix contains the conversions of all parts to Bézier form.
type strip struct {
	k      *bspline.Knots
	bounds []float64
	piece  []int32
	matrix []float64
}

// newStrip cuts every piece that overlaps iv into parts[s] equal parts, or one where parts is nil.
func newStrip(k *bspline.Knots, iv geom.Interval, parts []int) strip {
	t := strip{k: k}
	breaks := k.Breaks()
	first, last := k.Piece(iv.Lo), k.Piece(iv.Hi)
	if last > first && breaks[last] >= iv.Hi {
		last--
	}
	for s := first; s <= last; s++ {
		lo, hi := breaks[s], breaks[s+1]
		if s == first {
			lo = iv.Lo
		}
		if s == last {
			hi = iv.Hi
		}
		n := 1
		if parts != nil {
			n = parts[s]
		}
		for i := range n {
			t.bounds = append(t.bounds, lo+(hi-lo)*float64(i)/float64(n))
			t.piece = append(t.piece, int32(s))
		}
		if s == last {
			t.bounds = append(t.bounds, hi)
		}
	}
	size := (k.Degree() + 1) * (k.Degree() + 1)
	t.matrix = make([]float64, size*len(t.piece))
	for i, s := range t.piece {
		k.Restriction(int(s), t.bounds[i], t.bounds[i+1], t.matrix[i*size:(i+1)*size])
	}
	return t
}

// patches calls f with the Bézier net of every cell of the grid, u outermost. The net is row-major like the net of the
// surface and only valid during the call. Cost: (degree+1)³ for each cell and row.
func (n *Net) patches(u, v *strip, f func(i, j int, net []bspline.Hom)) {
	p, q, nv := n.U.Degree()+1, n.V.Degree()+1, n.V.Points()
	rows := make([]bspline.Hom, p*nv) // Bézier in u, still B-spline in v
	net := make([]bspline.Hom, p*q)
	for i, s := range u.piece {
		first := (n.U.PieceSpan(int(s)) - p + 1) * nv
		for a := range p {
			m := u.matrix[(i*p+a)*p:][:p]
			for c := range nv {
				var h bspline.Hom
				for r, w := range m {
					h = h.AddScaled(w, n.control(first+r*nv+c))
				}
				rows[a*nv+c] = h
			}
		}
		for j, s := range v.piece {
			first := n.V.PieceSpan(int(s)) - q + 1
			for a := range p {
				row := rows[a*nv+first:][:q]
				for b := range q {
					var h bspline.Hom
					for r, w := range v.matrix[(j*q+b)*q:][:q] {
						h = h.AddScaled(w, row[r])
					}
					net[a*q+b] = h
				}
			}
			f(i, j, net)
		}
	}
}

// Bezier returns the Bézier points of the patch on piece i of u and piece j of v, row by row; all weights are 1 in
// a polynomial net.
func (n *Net) Bezier(i, j int) []bspline.Hom {
	p, q := n.U.Degree()+1, n.V.Degree()+1
	mu, mv := make([]float64, p*p+q*q), []float64(nil)
	mu, mv = mu[:p*p], mu[p*p:]
	n.U.Extraction(i, mu)
	n.V.Extraction(j, mv)
	first := (n.U.PieceSpan(i)-p+1)*n.V.Points() + n.V.PieceSpan(j) - q + 1
	points := make([]bspline.Hom, p*q)
	rows := make([]bspline.Hom, p*q) // Bézier in v, still B-spline in u
	for r := range p {
		for b := range q {
			var h bspline.Hom
			for c, w := range mv[b*q:][:q] {
				if w != 0 {
					h = h.AddScaled(w, n.control(first+r*n.V.Points()+c))
				}
			}
			rows[r*q+b] = h
		}
	}
	for a := range p {
		for r, w := range mu[a*p:][:p] {
			if w == 0 {
				continue
			}
			for b := range q {
				points[a*q+b] = points[a*q+b].AddScaled(w, rows[r*q+b])
			}
		}
	}
	return points
}
