// Package color defines the common colors of the exporters.
package color

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/kernel/brep"
)

// Steel is the color of faces without a color in the file, Edge the color of feature edges; both sRGB.
var (
	Steel = brep.Color{R: 0.66, G: 0.68, B: 0.71}
	Edge  = brep.Color{R: 0.10, G: 0.11, B: 0.13}
)

// OfRegion returns the entry of a region, Steel when it is missing or nil.
func OfRegion(colors []*brep.Color, region int) brep.Color {
	if region >= len(colors) || colors[region] == nil {
		return Steel
	}
	return *colors[region]
}

// Linear decodes a color to linear light, each component clamped to 0..1.
func Linear(c brep.Color) [3]float64 { return [3]float64{linear(c.R), linear(c.G), linear(c.B)} }

// linear decodes an sRGB component (IEC 61966-2-1).
func linear(v float64) float64 {
	switch {
	case !(v > 0): // NaN too
		return 0
	case v >= 1:
		return 1
	case v <= 0.04045:
		return v / 12.92
	default:
		return math.Pow((v+0.055)/1.055, 2.4)
	}
}

// Encode is the inverse of the decoding in Linear for one component of 0..1.
func Encode(v float64) float64 {
	if v <= 0.0031308 {
		return 12.92 * v
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}

// Hex is a color as #rrggbb.
func Hex(c brep.Color) string {
	byteOf := func(v float64) int { return int(math.Round(v * 0xff)) }
	return fmt.Sprintf("#%02x%02x%02x", byteOf(c.R), byteOf(c.G), byteOf(c.B))
}
