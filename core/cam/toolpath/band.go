package toolpath

import (
	"slices"

	"millwright.dev/millwright/core/cam/motion"
)

// Depth bands: the heights that an operation clears, in the order of the work.
//
// A tool removes a layer as thick as its axial depth in one pass. So the material is divided into bands of at most that
// depth. In each band the tool first clears the bottom, over the whole section at full depth. Then it clears the floors
// within the band, from the lowest up: there only the material that stands on the floor is left. So each place is cut
// once in each band. A floor does not add a pass over the rest of the section.

// band is a layer of material that the tool removes in one pass at each place, mm.
type band struct {
	top, bottom float64
	floors      []float64 // within the band, ascending
}

// bands divides the material between two heights into bands of at most a depth; 0: one band. As few bands as possible
// are made. Where that leaves a choice, a band ends at a floor, below which the section is smaller, else all bands are
// equally deep.
func bands(top, bottom, depth float64, floors []float64) []band {
	within := slices.DeleteFunc(descending(slices.Clone(floors)), func(z float64) bool {
		return z <= bottom+motion.Resolution || z >= top-motion.Resolution
	})
	var out []band
	for {
		b := band{top: top, bottom: bottom}
		if depth > 0 && top-bottom > depth+motion.Resolution {
			count := float64(int((top-bottom)/depth + 1 - 1e-6))
			b.bottom = top - (top-bottom)/count
			for _, z := range within {
				if z <= b.bottom && z >= top-depth-motion.Resolution {
					b.bottom = z
				}
			}
		}
		for len(within) > 0 && within[0] > b.bottom-motion.Resolution {
			if within[0] > b.bottom+motion.Resolution {
				b.floors = slices.Insert(b.floors, 0, within[0])
			}
			within = within[1:]
		}
		out = append(out, b)
		if b.bottom <= bottom+motion.Resolution {
			return out
		}
		top = b.bottom
	}
}

// heights returns the heights of a band in the order of the work.
func (b *band) heights() []float64 { return append([]float64{b.bottom}, b.floors...) }
