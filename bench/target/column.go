package target

import (
	"cmp"
	"slices"
)

// crossing is a height at which a column enters or leaves the part.
type crossing struct {
	z  float64
	up bool // the surface faces up: the column leaves the part there
}

// columnOf is all crossings of a column.
type columnOf []crossing

// gaps calls emit for the stretches between two heights that are outside the part.
func (c columnOf) gaps(lo, hi float64, emit func(lo, hi float64)) {
	slices.SortFunc(c, func(a, b crossing) int { return cmp.Compare(a.z, b.z) })
	depth, from := 0, lo
	for _, x := range c {
		if !x.up {
			if depth == 0 && x.z > from {
				emit(from, x.z)
			}
			depth++
			continue
		}
		if depth--; depth == 0 {
			from = x.z
		}
	}
	if depth == 0 && hi > from {
		emit(from, hi)
	}
}
