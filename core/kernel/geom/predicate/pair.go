package predicate

import "math"

// Sums and products of two floats without error, as the unevaluated sum of two floats. The conversions float64(…) keep
// the compiler from fusing a product with a sum, which would spoil the error terms.

// pair is hi + lo with |lo| at most half a unit in the last place of hi.
type pair struct{ hi, lo float64 }

// difference returns a - b without error (Knuth's TwoSum).
func difference(a, b float64) pair {
	hi := a - b
	bv := a - hi
	av := hi + bv
	return pair{hi, (a - av) + (bv - b)}
}

func twoSum(a, b float64) pair {
	hi := a + b
	bv := hi - a
	av := hi - bv
	return pair{hi, (a - av) + (b - bv)}
}

// fastTwoSum is twoSum for |a| ≥ |b|.
func fastTwoSum(a, b float64) pair {
	hi := a + b
	return pair{hi, b - (hi - a)}
}

func twoProduct(a, b float64) pair {
	hi := float64(a * b)
	return pair{hi, math.FMA(a, b, -hi)}
}
