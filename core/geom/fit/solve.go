package fit

import "math"

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

// at returns column j of row i of a system, of which the right-hand side is column n.
func at(a, b []float64, i, j, n int) float64 {
	if j == n {
		return b[i]
	}
	return a[i*n+j]
}
