package predicate

import "math"

// Double-double arithmetic: a number is the unevaluated sum of two floats, about 106 bits. Error
// bounds from Joldes, Muller and Popescu, "Tight and rigorous error bounds for basic building blocks
// of double-word arithmetic" (2017). The conversions float64(…) keep the compiler from fusing a
// product with a sum, which would spoil the error terms.

// pair is hi + lo with |lo| at most half a unit in the last place of hi.
type pair struct{ hi, lo float64 }

// circlePairBound times InCircle's permanent exceeds the error of circlePair. With u² = unit²: a
// product is off by at most 5u², a sum by 3u². The minors and the squared lengths are then off by 8u²
// of their permanents, their products by 8+8+5 = 21u², and the last two sums add 6u². The rest up to
// 32 covers terms in u³ and the rounding of the permanent.
const circlePairBound = 32 * unit * unit

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

// mul is algorithm 11 of the paper, error at most 5u².
func (x pair) mul(y pair) pair {
	c := twoProduct(x.hi, y.hi)
	t := float64(x.hi * y.lo)
	t = math.FMA(x.lo, y.hi, t)
	return fastTwoSum(c.hi, c.lo+t)
}

// add is algorithm 6 of the paper, error at most 3u² + 13u³ also under cancellation.
func (x pair) add(y pair) pair {
	s := twoSum(x.hi, y.hi)
	t := twoSum(x.lo, y.lo)
	v := fastTwoSum(s.hi, s.lo+t.hi)
	return fastTwoSum(v.hi, t.lo+v.lo)
}

func (x pair) sub(y pair) pair { return x.add(pair{-y.hi, -y.lo}) }

// circlePair is InCircle's determinant of the differences v = ax ay bx by cx cy.
func circlePair(v *[6]pair) float64 {
	ax, ay, bx, by, cx, cy := v[0], v[1], v[2], v[3], v[4], v[5]
	al := ax.mul(ax).add(ay.mul(ay))
	bl := bx.mul(bx).add(by.mul(by))
	cl := cx.mul(cx).add(cy.mul(cy))
	det := al.mul(bx.mul(cy).sub(cx.mul(by)))
	det = det.add(bl.mul(cx.mul(ay).sub(ax.mul(cy))))
	det = det.add(cl.mul(ax.mul(by).sub(bx.mul(ay))))
	return det.hi
}
