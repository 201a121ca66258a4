package visibility

import (
	"math"
	"math/bits"
)

// facets are eight triangles, each given by its outward normal vector with the length of twice its area (steps²). A ray
// along d may enter by a triangle when that vector · d < limit. The limit allows for the rounding of the corners to
// steps of a view, so only these triangles need the exact test.
type facets struct{ x, y, z, limit [8]float32 }

// newFacets lays eight triangles each side by side. By no triangle after the last can anything enter.
func newFacets(points [][3]float32, triangles [][3]int32) []facets {
	all := make([]facets, (len(triangles)+7)/8)
	for i := range all {
		f := &all[i]
		for k := range f.limit {
			if 8*i+k < len(triangles) {
				t := &triangles[8*i+k]
				f.set(k, &points[t[0]], &points[t[1]], &points[t[2]])
			} else {
				f.limit[k] = float32(math.Inf(-1))
			}
		}
	}
	return all
}

// set computes triangle k. Let its sides from p be a and b, and n their cross product. A view moves every corner by up
// to √½ of a step across it, which changes n · d by at most √2·(|a| + |b|) + 2. Single precision loses 2^-24·|n| by
// each of n, d, the products and two sums.
func (f *facets) set(k int, p, q, r *[3]float32) {
	px, py, pz := float64(p[0]), float64(p[1]), float64(p[2]) // whole numbers
	ax, ay, az := float64(q[0])-px, float64(q[1])-py, float64(q[2])-pz
	bx, by, bz := float64(r[0])-px, float64(r[1])-py, float64(r[2])-pz
	x, y, z := ay*bz-az*by, az*bx-ax*bz, ax*by-ay*bx
	const moved, single = 1.5, 16.0 / (1 << 24)
	a, b := math.Sqrt(ax*ax+ay*ay+az*az), math.Sqrt(bx*bx+by*by+bz*bz)
	f.x[k], f.y[k], f.z[k] = float32(x), float32(y), float32(z)
	f.limit[k] = float32(moved*(a+b+2) + single*a*b)
}

// entered lists the triangles of f by which a ray along d may enter; the first triangle has the number first. dst has
// space for all of them and lanes more.
func entered(dst []int32, f []facets, d *[3]float32, first int) (n int) {
	if vectors && len(f) > 0 {
		return enterVectors(&dst[:8*len(f)+lanes][0], &f[0], len(f), d, first, &chosen[0])
	}
	for i := range f {
		e := &f[i]
		for k, limit := range e.limit {
			if float32(float32(e.x[k]*d[0])+float32(e.y[k]*d[1]))+float32(e.z[k]*d[2]) < limit {
				dst[n] = int32(first + 8*i + k)
				n++
			}
		}
	}
	return n
}

// chosen contains in its bytes the positions of the bits that are set in a byte, from the lowest on.
var chosen = func() (all [256]uint64) {
	for word := range all {
		n := 0
		for w := word; w != 0; w &= w - 1 {
			all[word] |= uint64(bits.TrailingZeros(uint(w))) << (8 * n)
			n++
		}
	}
	return all
}()
