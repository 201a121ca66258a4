package trim

import "math"

// tidy moves vertices that share their place in the parameter plane with their predecessor a little
// way towards the next vertex. Only the place moves, never the point in space, so that the vertex
// keeps its neighbours on all faces.
func (b *Builder) tidy() {
	for _, s := range b.spans {
		b.spread(b.out[s.lo:s.hi])
	}
}

func (b *Builder) spread(vs []Vertex) {
	const (
		same   = 1e-12 // share of the polygon's extent
		little = 1e-3  // share of the way to the next vertex over which coinciding ones are spread
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
