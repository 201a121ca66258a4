package fit

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// rankLost is the ratio of the least to the largest pivot below which a system leaves no digits.
const rankLost = 1e-14

// leastSquares solves the overdetermined system a·x = b of n unknowns by Householder reflections (Golub
// and Van Loan, Matrix Computations, 4th ed., 5.2.1 and 5.3.2), in place: a is len(b) rows of n, and both
// are overwritten. ok is false where the columns are linearly dependent. gonum's QR does the same, but
// for systems as small as these it spends most of its time on allocating and estimating conditions.
func leastSquares(a, b, x []float64, n int) (ok bool) {
	least, largest := math.Inf(1), 0.0
	for k := range n {
		norm := 0.0
		for i := k; i < len(b); i++ {
			norm += a[i*n+k] * a[i*n+k]
		}
		norm = math.Sqrt(norm)
		if norm == 0 || k >= len(b) {
			return false
		}
		d := -math.Copysign(norm, a[k*n+k]) // the pivot that the reflection leaves
		a[k*n+k] -= d
		scale := 1 / (d * a[k*n+k]) // -2 / v·v
		for j := k + 1; j <= n; j++ {
			dot := 0.0
			for i := k; i < len(b); i++ {
				dot += a[i*n+k] * at(a, b, i, j, n)
			}
			dot *= scale
			for i := k; i < len(b); i++ {
				if j == n {
					b[i] += dot * a[i*n+k]
				} else {
					a[i*n+j] += dot * a[i*n+k]
				}
			}
		}
		x[k] = d
		least, largest = min(least, norm), max(largest, norm)
	}
	if !(least > rankLost*largest) {
		return false
	}
	for k := n - 1; k >= 0; k-- {
		sum := b[k]
		for j := k + 1; j < n; j++ {
			sum -= a[k*n+j] * x[j]
		}
		x[k] = sum / x[k]
	}
	return true
}

// at returns column j of row i of a system; column n is the right-hand side.
func at(a, b []float64, i, j, n int) float64 {
	if j == n {
		return b[i]
	}
	return a[i*n+j]
}

// eigen3 returns the eigenvalues of a symmetric matrix, ascending, and their unit vectors, by cyclic Jacobi rotations
// (Golub and Van Loan, 8.5.3). Only the upper triangle is used. gonum has the same function, but it allocates, panics
// on some matrices of tiny numbers, and is large: loading its code took a fiftieth of the time of a process that reads
// one small part.
func eigen3(a [3][3]float64) (values [3]float64, vectors [3]geom.Vec3) {
	v := [3]geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}} // columns
	const sweeps = 12                         // four do, as convergence is quadratic
	for range sweeps {
		if a[0][1] == 0 && a[0][2] == 0 && a[1][2] == 0 {
			break
		}
		for _, at := range [3][3]int{{0, 1, 2}, {0, 2, 1}, {1, 2, 0}} { // p < q, and the third
			p, q, r := at[0], at[1], at[2]
			x := a[p][q]
			if x == 0 {
				continue
			}
			tau := (a[q][q] - a[p][p]) / (2 * x)
			t := math.Copysign(1/(math.Abs(tau)+math.Hypot(1, tau)), tau)
			c := 1 / math.Hypot(1, t)
			s := t * c
			a[p][p], a[q][q], a[p][q] = a[p][p]-t*x, a[q][q]+t*x, 0
			rp, rq := &a[min(r, p)][max(r, p)], &a[min(r, q)][max(r, q)]
			*rp, *rq = c**rp-s**rq, s**rp+c**rq
			v[p], v[q] = v[p].Scale(c).AddScaled(-s, v[q]), v[p].Scale(s).AddScaled(c, v[q])
		}
	}
	order := [3]int{0, 1, 2}
	slices.SortStableFunc(order[:], func(i, j int) int { return cmp.Compare(a[i][i], a[j][j]) })
	for k, i := range order {
		values[k], vectors[k] = a[i][i], v[i].Unit()
	}
	return values, vectors
}
