package recognize

// Sentences of the reasons of a feature.

import (
	"fmt"
	"math"
	"strconv"

	"millwright.dev/millwright/core/kernel/geom"
)

// mm formats a length with up to three decimals.
func mm(x float64) string {
	return strconv.FormatFloat(math.Round(x*1000)/1000, 'f', -1, 64) + " mm"
}

// degrees formats an angle, rad, with up to one decimal.
func degrees(a float64) string {
	return strconv.FormatFloat(math.Round(geom.Degrees(a)*10)/10, 'f', -1, 64) + "°"
}

// slopeOf returns the slope of a face from horizontal, rad, of n·dir.
func slopeOf(c float64) float64 { return math.Acos(min(1, max(-1, c))) }

// percent formats a share.
func percent(x float64) string { return fmt.Sprintf("%.0f %%", 100*min(1, x)) }

// count formats a number with its noun and verb.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
