package access

import "millwright.dev/millwright/core/kernel/geom/arcpoly"

// A body with the width of its flutes follows them closely. So the stock that successive levels leave in an inner
// corner consists of arcs about positions that only rounding separates. If each level went as far as the last one
// allows, the stock would end in thousands of slips between such arcs, and each would cost every later offset. So a
// tool whose free area is that of the last level, except for slivers, gets the same area again.

const (
	// slip (mm) is the distance outside of the free area at which a position still counts as within it: rounding, as
	// for fluteMargin.
	slip = 1e-4
	// sliver (mm) is the largest width of a strip that is not worth clearing.
	sliver = 1e-2
)

// free is the free area of a tip.
type free struct {
	area      *arcpoly.Area
	forbidden *arcpoly.Area
	among     clippedGrowth // where flutes would cut into the part, and the window and margin
}

// isAbout reports whether two areas are equal, except for slips and slivers.
func isAbout(a, all *arcpoly.Area) bool {
	if a.IsEmpty() || all.IsEmpty() {
		return a.IsEmpty() && all.IsEmpty()
	}
	return isAlong(a, all, -slip, sliver) && isAlong(all, a, -sliver, slip)
}

// isAlong reports whether the boundary of an area is so far (mm) within another one.
func isAlong(a, other *arcpoly.Area, least, most float64) bool {
	const places = 4 // of each piece: between ends that lie along one another pieces are single lines and arcs
	for _, l := range a.Loops() {
		for i := range l {
			for k := range places {
				if d := other.Distance(l[i].At(float64(k) / places)); d < least || d > most {
					return false
				}
			}
		}
	}
	return true
}
