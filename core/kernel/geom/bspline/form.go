package bspline

import "fmt"

// Expand repeats each knot by its multiplicity, to so many knots at most: a damaged multiplicity may be any number,
// and must not exhaust the memory.
func Expand(knots []float64, multiplicities []int, most int) ([]float64, error) {
	if len(knots) != len(multiplicities) {
		return nil, fmt.Errorf("%d knots have %d multiplicities", len(knots), len(multiplicities))
	}
	total := 0
	for i, m := range multiplicities {
		if m < 1 || m > most-total {
			return nil, fmt.Errorf("multiplicity %d of knot %d is out of range", m, i)
		}
		total += m
	}
	flat := make([]float64, 0, total)
	for i, m := range multiplicities {
		for ; m > 0; m-- {
			flat = append(flat, knots[i])
		}
	}
	return flat, nil
}

// UniformKnots returns the knots of the form UNIFORM_KNOTS of ISO 10303-42: simple knots at distance 1, with the domain
// [0, points-degree].
func UniformKnots(degree, points int) []float64 {
	flat := make([]float64, points+degree+1)
	for i := range flat {
		flat[i] = float64(i - degree)
	}
	return flat
}

// QuasiUniformKnots returns the knots of the form QUASI_UNIFORM_KNOTS of ISO 10303-42: at distance 1, with the end
// knots of multiplicity degree+1, on the domain [0, points-degree].
func QuasiUniformKnots(degree, points int) []float64 {
	flat := UniformKnots(degree, points)
	last := float64(points - degree)
	for i := range flat {
		flat[i] = max(0, min(last, flat[i]))
	}
	return flat
}

// BezierKnots returns the knots of the form PIECEWISE_BEZIER_KNOTS of ISO 10303-42: at distance 1, inner knots of
// multiplicity degree and end knots of multiplicity degree+1.
func BezierKnots(degree, points int) ([]float64, error) {
	if degree < 1 || points < degree+1 || (points-1)%degree != 0 {
		return nil, fmt.Errorf("%d control points do not make whole Bézier pieces of degree %d", points, degree)
	}
	flat := make([]float64, points+degree+1)
	last := (points - 1) / degree
	for i := range flat {
		flat[i] = float64(max(0, min(last, (i-1)/degree)))
	}
	return flat, nil
}
