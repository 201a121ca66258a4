package trim

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Removal of small defects
//
// In a file with a coarse tolerance, samples a tolerance apart may invert to one point. The end of one edge may also
// extend past the start of the next, so that the polygon has a small knot. Then only the parameters of vertices are
// moved, never their points in space, so that the face keeps its contact with its neighbors. Coincident vertices are
// spread slightly toward the next one, and the vertices of a knot are put along the polygon on both sides of its
// crossing. Cost: O(n). A knot larger than the tolerance stays: it is a defect of the boundary or of coarse sampling,
// and remains visible.

// reach is the number of following pieces in which a piece that ties a knot is searched.
const reach = 6

func (b *Builder) tidy() {
	for _, s := range b.spans {
		vs := b.out[s.lo:s.hi]
		b.untie(vs)
		b.spread(vs)
		openSlits(vs)
	}
}

// untie spreads the vertices of small knots.
func (b *Builder) untie(vs []Vertex) {
	const knots = 10 // times the tolerance: the most that a knot may measure
	n := len(vs)
	if n < 4 {
		return
	}
	size := knots * math.Max(math.Max(b.model.Tolerance.Length, b.domain.Gap), geom.Resolution)
	for i := range n {
		a, c := vs[i].UV, vs[(i+1)%n].UV
		for k := 2; k <= min(reach, n-2); k++ {
			j := (i + k) % n
			if vs[j].P.Dist2(vs[(i+1)%n].P) > size*size {
				break // the knot would be larger than a fault of tolerance
			}
			if at, ok := meet(a, c, vs[j].UV, vs[(j+1)%n].UV); ok {
				straighten(vs, i, k, at)
				break
			}
		}
	}
}

// meet returns the crossing of two segments, if it is an inner point of both.
func meet(a, c, p, q geom.Vec2) (geom.Vec2, bool) {
	d, e := c.Sub(a), q.Sub(p)
	det := d.Cross(e)
	s, t := p.Sub(a).Cross(e), p.Sub(a).Cross(d)
	if det < 0 {
		det, s, t = -det, -s, -t
	}
	if !(s > 0 && s < det && t > 0 && t < det) {
		return geom.Vec2{}, false
	}
	return a.Lerp(c, s/det), true
}

// straighten puts the k vertices after i along the pieces that tie a knot at a point: the first half before it, the
// others after it.
func straighten(vs []Vertex, i, k int, at geom.Vec2) {
	const little = 1e-3 // fraction of the distance to the next vertex outside the knot
	n := len(vs)
	from, to := vs[i].UV, vs[(i+k+1)%n].UV
	for m := 1; m <= k; m++ {
		s := little * (float64(2*m-1-k) / float64(k)) // from -little to little
		if s < 0 {
			vs[(i+m)%n].UV = at.Lerp(from, -s)
		} else {
			vs[(i+m)%n].UV = at.Lerp(to, s)
		}
	}
}

func (b *Builder) spread(vs []Vertex) {
	const (
		same   = 1e-12 // share of the polygon's extent
		little = 1e-3  // fraction of the distance to the next vertex over which coincident ones are spread
	)
	lo, hi := extent(vs)
	epsU, epsV := same*(hi.X-lo.X), same*(hi.Y-lo.Y)
	coincide := func(i, j int) bool {
		a, c := vs[i%len(vs)].UV, vs[j%len(vs)].UV
		return math.Abs(a.X-c.X) <= epsU && math.Abs(a.Y-c.Y) <= epsV
	}
	n := len(vs)
	start := 0 // a vertex that differs from its predecessor
	for start < n && coincide(start+n-1, start) {
		start++
	}
	if start == n {
		return
	}
	for i := start; i < start+n; {
		j := i + 1
		for coincide(i, j) {
			j++
		}
		if m := j - i; m > 1 {
			from, to := vs[i%n].UV, vs[j%n].UV
			for k := 1; k < m; k++ {
				vs[(i+k)%n].UV = from.Lerp(to, little*float64(k)/float64(m))
			}
		}
		i = j
	}
}
