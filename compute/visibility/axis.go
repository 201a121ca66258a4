package visibility

import (
	"math"
	"math/bits"
)

// axis divides an extent into cells, half of them by length and half by the number of samples. A small detail of the
// part with many of its samples, such as a thread or a logo, gets cells of its size. No cell is more than twice as long
// as a cell of an even division.
type axis struct {
	lo, hi  int32    // steps, ends included: the first and the last sample
	per     uint64   // bins per step, in 2^-32
	cell    []uint16 // per bin
	edge    []int32  // per cell, and one more: no sample of the cell or of later ones lies lower
	longest float64  // steps, of the cells
	count   int      // cells
	tally   []int32  // scratch, per bin
}

// Bounds of the number of bins, which limit the resolution of cells: about one bin for every four samples.
const leastBins, mostBins = 1 << 6, 1 << 12

// start lays empty bins for n samples from lo to hi.
func (a *axis) start(lo, hi int32, n int) {
	bins := min(max(1<<bits.Len(uint(n/4)), leastBins), mostBins)
	a.lo, a.hi = lo, hi
	a.per = min(uint64(bins)<<32/(uint64(hi-lo)+1), math.MaxUint32) // vectors use 32 bits of it
	a.tally, a.cell = resize(a.tally, bins), resize(a.cell, bins)
	clear(a.tally)
}

func (a *axis) bin(x int32) int { return int(uint64(x-a.lo) * a.per >> 32) }

// filled returns the share of the bins that contain a sample.
func (a *axis) filled() float64 {
	n := 0
	for _, k := range a.tally {
		n += min(int(k), 1)
	}
	return float64(n) / float64(len(a.tally))
}

// divide makes up to n cells of the bins, which have been tallied.
func (a *axis) divide(n int) {
	a.edge = a.edge[:0]
	last := a.bin(a.hi)
	samples := 0
	for _, k := range a.tally {
		samples += int(k)
	}
	even, equal := float64(n)/2/float64(last+1), float64(n)/2/float64(samples)
	below := 0
	for b := range last + 1 {
		// Monotonic in b for any rounding.
		c := int(float64(float64(b)*even) + float64(float64(below)*equal))
		a.cell[b] = uint16(c)
		for len(a.edge) <= c {
			a.edge = append(a.edge, a.lo+int32(uint64(b)<<32/a.per))
		}
		below += int(a.tally[b])
	}
	a.count = len(a.edge)
	a.edge = append(a.edge, a.hi)
	longest := int32(0)
	for i, e := range a.edge[1:] {
		longest = max(longest, e-a.edge[i])
	}
	a.longest = float64(longest) + 1
}

// at returns the cell of x between lo and hi. It is monotonic in x, so a value between two samples lies between their
// cells.
func (a *axis) at(x int32) int { return int(a.cell[a.bin(x)]) }
