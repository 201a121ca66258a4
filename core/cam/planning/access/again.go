package access

import "millwright.dev/millwright/core/kernel/geom/arcpoly"

// A body that is as wide as its flutes follows them closely, so that what level after level leaves of the stock in an inner
// corner are arcs about places that rounding alone parts. Were each level to go as far as the last one lets it, the stock
// would end in thousands of slips between such arcs, each of which the next offset meets. So a tool that may be where it
// was at the last level, but for slivers, is let go there and no further.

const (
	// slip (mm) is how far outside of where the tool may be a place may be that counts as within it: rounding, as of shy.
	slip = 1e-4
	// sliver (mm) is how wide a strip is at most that is not worth being gone to.
	sliver = 1e-2
)

// free is where a tip may be.
type free struct {
	area      *arcpoly.Area
	forbidden *arcpoly.Area
	among     clippedGrowth // where flutes would cut into the part, and the window and margin
}

// isAbout reports whether an area is another one but for slips, and for slivers of it.
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
