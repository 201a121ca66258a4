package faceted

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/fit"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Fit returns the cylinder, cone, sphere or torus on which all points of triangles lie within tolerance (mm), with the
// given normals at them. It returns nil if there is no such surface or a normal is missing.
func Fit(points, normals []geom.Vec3, tris [][3]int32, tolerance float64) surface.Surface {
	samples := make([]fit.Sample, len(points))
	for i, n := range normals {
		if samples[i] = (fit.Sample{P: points[i], N: n.Unit()}); samples[i].N == (geom.Vec3{}) {
			return nil
		}
	}
	setCurvatures(samples, tris)
	s, ok := fit.Surface(samples, tolerance)
	if !ok || !lies(s, points, tolerance) {
		return nil
	}
	return s
}

// bend is the sums of a least-squares fit of how the normal turns along the tangent plane of a point: the symmetric
// map with the entries xx, xy, yy that takes steps d to turns t.
type bend struct {
	x, y                   geom.Vec3 // of the tangent plane
	dxx, dxy, dyy          float64
	dxtx, dytx, dxty, dyty float64
}

// add gives all neighbors equal weight: long steps across a tube carry little information about its curvature.
func (b *bend) add(step, turn geom.Vec3) {
	if length := step.Norm(); length > 0 {
		step, turn = step.Scale(1/length), turn.Scale(1/length)
	}
	dx, dy, tx, ty := step.Dot(b.x), step.Dot(b.y), turn.Dot(b.x), turn.Dot(b.y)
	b.dxx, b.dxy, b.dyy = b.dxx+dx*dx, b.dxy+dx*dy, b.dyy+dy*dy
	b.dxtx, b.dytx, b.dxty, b.dyty = b.dxtx+dx*tx, b.dytx+dy*tx, b.dxty+dx*ty, b.dyty+dy*ty
}

// setCurvatures estimates the principal curvatures at points from the differences of their normals to those of their
// neighbors. On a lattice along the lines of curvature, as CAD systems make it, this is exact for circles. A boundary
// point has neighbors on one side only and gets the mean of the interior ones.
func setCurvatures(samples []fit.Sample, tris [][3]int32) {
	sums := make([]bend, len(samples))
	for i := range sums {
		n := samples[i].N
		sums[i].x = n.Perp()
		sums[i].y = n.Cross(sums[i].x)
	}
	for _, t := range tris {
		for k, v := range t {
			for _, w := range [2]int32{t[(k+1)%3], t[(k+2)%3]} {
				sums[v].add(samples[w].P.Sub(samples[v].P), samples[w].N.Sub(samples[v].N))
			}
		}
	}
	for i := range sums {
		samples[i].K1, samples[i].K2 = sums[i].curvatures()
	}
	// number of following minus number of preceding neighbors: 0 if the neighbors close a ring
	around := make([]int, len(samples))
	for _, t := range tris {
		for k, v := range t {
			around[v] += int(t[(k+1)%3]) - int(t[(k+2)%3])
		}
	}
	known := make([]bool, len(samples))
	for i := range known {
		known[i] = around[i] == 0
	}
	const rings = 2 // corners have no neighbor within
	for range rings {
		known = spread(samples, tris, known)
	}
}

// spread gives samples that are not known the mean curvatures of their known neighbors, and returns which are then.
func spread(samples []fit.Sample, tris [][3]int32, known []bool) []bool {
	type sum struct{ k1, k2, n float64 }
	sums := make([]sum, len(samples))
	for _, t := range tris {
		for k, v := range t {
			for _, w := range [2]int32{t[(k+1)%3], t[(k+2)%3]} {
				if !known[v] && known[w] {
					s := &sums[v]
					s.k1, s.k2, s.n = s.k1+samples[w].K1, s.k2+samples[w].K2, s.n+1
				}
			}
		}
	}
	out := make([]bool, len(samples))
	for i, s := range sums {
		if out[i] = known[i] || s.n > 0; s.n > 0 {
			samples[i].K1, samples[i].K2 = s.k1/s.n, s.k2/s.n
		}
	}
	return out
}

// curvatures solves the normal equations and returns the eigenvalues, positive where the surface bends toward its
// normal; zeros where the neighbors are on one line.
func (b *bend) curvatures() (k1, k2 float64) {
	const flat = 1e-12 // relative determinant
	trace := b.dxx + b.dyy
	det := trace * (b.dxx*b.dyy - b.dxy*b.dxy)
	if !(det > flat*trace*trace*trace) {
		return 0, 0
	}
	// The system of (xx, xy, yy): [dxx dxy 0; dxy dxx+dyy dxy; 0 dxy dyy] against (dxtx, dytx + dxty, dyty).
	p, q, r := b.dxtx, b.dytx+b.dxty, b.dyty
	xy := (b.dxx*b.dyy*q - b.dxy*(b.dyy*p+b.dxx*r)) / det
	xx, yy := (p-b.dxy*xy)/b.dxx, (r-b.dxy*xy)/b.dyy
	mid, off := (xx+yy)/2, math.Hypot((xx-yy)/2, xy)
	return -mid + off, -mid - off
}
