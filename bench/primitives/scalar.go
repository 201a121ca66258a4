package primitives

import (
	"math"
	"runtime"
)

// multiplyAddScalar is multiplyAdd where no vector unit is known: the ceiling of plain Go.
func multiplyAddScalar(rounds int) float64 {
	const sums, operations = 4, 2
	a, b, c, d := 0.1, 0.2, 0.3, 0.4
	for range rounds {
		a = math.FMA(a, 0.999, 0.1)
		b = math.FMA(b, 0.999, 0.1)
		c = math.FMA(c, 0.999, 0.1)
		d = math.FMA(d, 0.999, 0.1)
	}
	runtime.KeepAlive(a + b + c + d)
	return float64(rounds) * sums * operations
}
