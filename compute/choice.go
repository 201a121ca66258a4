package compute

import (
	"math"
	"math/bits"
	"time"

	"millwright/compute/gpu"
)

// Primitive names a compute primitive, as in metrics and in `go run ./bench kernels`.
type Primitive string

// The primitives.
const (
	EvalSurface    Primitive = "eval-surface"    // items: samples
	Visibility     Primitive = "visibility"      // items: rays
	HeightMap      Primitive = "height-map"      // items: cells
	OffsetHeight   Primitive = "offset-height"   // items: cells
	DropCutter     Primitive = "drop-cutter"     // items: cells
	Distance       Primitive = "distance"        // items: cells
	SignedDistance Primitive = "signed-distance" // items: cells
	Raycast        Primitive = "raycast"         // items: rays
	Sweep          Primitive = "sweep"           // items: rays met, once for each move
)

// cost is what the choice between the processor and a graphics device goes by: seconds that one thread takes for an
// item, as `go run ./bench kernels --device cpu --threads 1` measures them for a million on a core of Ice Lake at 2.8 GHz,
// and the bytes that go to the device and back for it. Other cores differ by a factor, their pace.
type cost struct{ seconds, bytes float64 }

// at returns the costs on a core that takes pace times as long.
func (c cost) at(pace float64) cost { return cost{c.seconds * pace, c.bytes} }

var costs = map[Primitive]cost{
	EvalSurface:    {seconds: 270e-9, bytes: 48},
	Visibility:     {seconds: 27e-9, bytes: 1},
	HeightMap:      {seconds: 140e-9, bytes: 6},
	OffsetHeight:   {seconds: 26e-9, bytes: 8},
	DropCutter:     {seconds: 660e-9, bytes: 6},
	Distance:       {seconds: 13e-9, bytes: 9},
	Sweep:          {seconds: 46e-9, bytes: 24},
	SignedDistance: {seconds: 60e-9, bytes: 16},
	Raycast:        {seconds: 710e-9, bytes: 40},
}

// least returns from how many items on a call is worth the trip to a device: there the trip alone, as measured
// on that device, takes half of the time of the processor. It is a power of two, so that the rounding of a
// measurement seldom changes it, and at least 1,024.
func least(c cost, trip gpu.Trip, threads int) int {
	const fewest, half = 1 << 10, 0.5
	saved := half*c.seconds/float64(threads) - c.bytes/trip.BytesPerSecond // per item
	if !(saved > 0) {
		return math.MaxInt // the processor is done before the data has arrived
	}
	n := trip.Latency.Seconds() / saved
	if n >= math.MaxInt32 {
		return math.MaxInt
	}
	return max(fewest, 1<<bits.Len(uint(n)))
}

// soonest is the time on the processor from which Auto looks for a graphics device at all: finding one takes
// some tenths of a second.
const soonest = 200 * time.Millisecond

// takes estimates the time of a call on the processor.
func (c cost) takes(items, threads int) time.Duration {
	return time.Duration(c.seconds * float64(items) / float64(threads) * float64(time.Second))
}
