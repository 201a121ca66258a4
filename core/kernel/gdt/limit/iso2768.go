package limit

import "math"

// General tolerances, ISO 2768-1: the permitted deviation of a dimension without a tolerance in the drawing.

// Class is a tolerance class of ISO 2768-1.
type Class string

// The classes of ISO 2768-1.
const (
	Fine       Class = "f"
	Medium     Class = "m"
	Coarse     Class = "c"
	VeryCoarse Class = "v"
)

// linear are the permissible deviations (± mm) of ISO 2768-1, table 1, for linear sizes up to and including upTo mm; 0
// where the standard has no value.
var linear = []struct{ upTo, fine, medium, coarse, veryCoarse float64 }{
	{3, 0.05, 0.1, 0.2, 0},
	{6, 0.05, 0.1, 0.3, 0.5},
	{30, 0.1, 0.2, 0.5, 1},
	{120, 0.15, 0.3, 0.8, 1.5},
	{400, 0.2, 0.5, 1.2, 2.5},
	{1000, 0.3, 0.8, 2, 4},
	{2000, 0.5, 1.2, 3, 6},
	{4000, 0, 2, 4, 8},
}

// sameSize (mm) is the rounding tolerance of a size at a border of the table.
const sameSize = 1e-4

// Linear returns the permissible deviation, ± mm, of a linear size in mm. The standard covers 0.5 mm to 4000 mm, and
// omits some sizes of the finest and the coarsest class. For other sizes, the result is that of the nearest size with a
// figure. An unknown class is Medium.
func Linear(c Class, size float64) float64 {
	size = max(0, math.Abs(size)-sameSize)
	best, bestGap := 0.0, math.Inf(1)
	from := 0.0
	for _, row := range linear {
		v := row.medium
		switch c {
		case Fine:
			v = row.fine
		case Coarse:
			v = row.coarse
		case VeryCoarse:
			v = row.veryCoarse
		}
		gap := max(from-size, size-row.upTo, 0)
		if v > 0 && gap < bestGap {
			best, bestGap = v, gap
		}
		from = row.upTo
	}
	return best
}
