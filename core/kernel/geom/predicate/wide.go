package predicate

import (
	"math"
	"math/big"

	"millwright.dev/millwright/core/kernel/geom"
)

// widePrecision covers every intermediate of Orient2D for any finite floats: a coordinate is a multiple of 2^-1074
// below 2^1024, so a difference needs at most 2099 bits and one of two products of two differences at most 2·2099 + 1.
const widePrecision = 2*2099 + 1

type wideNum struct{ *big.Float }

func wideDiff(a, b float64) wideNum {
	x := new(big.Float).SetPrec(widePrecision).SetFloat64(a)
	return wideNum{x.Sub(x, big.NewFloat(b))}
}

func (a wideNum) mul(b wideNum) wideNum {
	return wideNum{new(big.Float).SetPrec(widePrecision).Mul(a.Float, b.Float)}
}

func (a wideNum) sub(b wideNum) wideNum {
	return wideNum{new(big.Float).SetPrec(widePrecision).Sub(a.Float, b.Float)}
}

// float returns the nearest float that keeps the sign and is finite.
func (a wideNum) float() float64 {
	x, _ := a.Float64()
	if s := a.Sign(); s != 0 && x == 0 {
		return float64(s) * math.SmallestNonzeroFloat64
	}
	return math.Max(-math.MaxFloat64, math.Min(math.MaxFloat64, x))
}

func orientWide(a, b, c geom.Vec2) float64 {
	ax, ay := wideDiff(a.X, c.X), wideDiff(a.Y, c.Y)
	bx, by := wideDiff(b.X, c.X), wideDiff(b.Y, c.Y)
	return ax.mul(by).sub(ay.mul(bx)).float()
}
