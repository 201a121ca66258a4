package verify

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// RayNear returns where across y the ray next to a place is, of the lattice that a proof with so many cells lays over a
// box.
func RayNear(b geom.Box, cells int, y float64) float64 {
	l := latticeOver(b, cells)
	return l.Origin.Y + (math.Floor((y-l.Origin.Y)/l.Step)+0.5)*l.Step
}
