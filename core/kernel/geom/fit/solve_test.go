package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// TestLeastSquares: the solution is the one of the library, and the residual is across all columns.
func TestLeastSquares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, maxParams).Draw(t, "unknowns")
		rows := n + rapid.IntRange(0, 40).Draw(t, "more rows")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		a, b := make([]float64, rows*n), make([]float64, rows)
		for i := range a {
			a[i] = 2*r.Float64() - 1
		}
		for i := range b {
			b[i] = 2*r.Float64() - 1
		}
		dense, rhs := mat.NewDense(rows, n, slices.Clone(a)), mat.NewVecDense(rows, slices.Clone(b))
		const tame = 1e6 // condition: two solvers may differ by rounding times it
		if mat.Cond(dense, 2) > tame {
			t.Skip("nearly singular")
		}
		var want mat.VecDense
		if err := want.SolveVec(dense, rhs); err != nil {
			t.Fatal(err)
		}
		x := make([]float64, n)
		if !leastSquares(a, b, x, n) {
			t.Fatal("nothing found")
		}
		for k := range x {
			if off := math.Abs(x[k] - want.AtVec(k)); off > 1e-8*(1+mat.Norm(&want, 2)) {
				t.Fatalf("unknown %d of %d: %g, want %g", k, n, x[k], want.AtVec(k))
			}
		}
	})
}

func TestLeastSquaresRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		a, b []float64
		n    int
	}{
		"fewer rows than unknowns": {[]float64{1, 2}, []float64{1}, 2},
		"a column of zeros":        {[]float64{1, 0, 2, 0, 3, 0}, []float64{1, 2, 3}, 2},
		"equal columns":            {[]float64{1, 1, 2, 2, 3, 3}, []float64{1, 2, 3}, 2},
		"not a number":             {[]float64{1, math.NaN(), 2, 5, 3, 4}, []float64{1, 2, 3}, 2},
	} {
		if x := make([]float64, c.n); leastSquares(c.a, c.b, x, c.n) {
			t.Errorf("%s: found %v", name, x)
		}
	}
}

// TestDerivatives compares the rows of the Jacobian with the change of distance by moved parameters.
func TestDerivatives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t)
		coord := rapid.Float64Range(-1, 1)
		p := m.c.AddScaled(m.major+m.r+0.5, m.a.Perp()).AddScaled(coord.Draw(t, "h"), m.a)
		n, _ := m.params()
		b1, b2 := basis(m.a)
		var row [maxParams]float64
		dist := m.row(p, b1, b2, row[:n])
		if direct, _, ok := m.distance(p); !ok || math.Abs(direct-dist) > 1e-12 {
			t.Fatalf("distance %g by row, %g directly", dist, direct)
		}
		const h = 1e-6
		for k := range n {
			moved := func(by float64) float64 {
				var step [maxParams]float64
				step[k] = by
				to := m
				to.move(step[:n], b1, b2)
				d, _, _ := to.distance(p)
				return d
			}
			if slope := (moved(h) - moved(-h)) / (2 * h); math.Abs(slope-row[k]) > 1e-6 {
				t.Fatalf("%v, parameter %d: derivative %g, difference quotient %g", m.kind, k, row[k], slope)
			}
		}
	})
}

// TestEigen3 compares eigenvalues with the library, and checks that each vector is stretched by its own, also for equal
// or zero values. Entries are no smaller than a millionth: the library panics on some matrices with numbers like
// 1e-123.
func TestEigen3(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entry := rapid.OneOf(rapid.IntRange(-1, 1), rapid.IntRange(-1e6, 1e6))
		var a [3][3]float64
		flat := make([]float64, 9)
		for i := range 3 {
			for j := i; j < 3; j++ {
				a[i][j] = float64(entry.Draw(t, "entry")) / 1e6
				flat[3*i+j], flat[3*j+i] = a[i][j], a[i][j]
			}
		}
		values, vectors := eigen3(a)
		var want mat.EigenSym
		if !want.Factorize(mat.NewSymDense(3, flat), false) {
			t.Fatal("the library finds nothing")
		}
		const rounding = 1e-14
		for k, w := range want.Values(nil) {
			v := [3]float64{vectors[k].X, vectors[k].Y, vectors[k].Z}
			if math.Abs(values[k]-w) > rounding || math.Abs(vectors[k].Norm()-1) > rounding {
				t.Errorf("value %d is %g, want %g; its vector is %v", k, values[k], w, v)
			}
			for i := range 3 {
				if got := flat[3*i]*v[0] + flat[3*i+1]*v[1] + flat[3*i+2]*v[2]; math.Abs(got-w*v[i]) > rounding {
					t.Errorf("value %d, %g: the vector %v becomes %g in row %d", k, w, v, got, i)
				}
			}
		}
	})
}
