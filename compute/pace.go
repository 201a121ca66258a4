package compute

import (
	"context"
	"math"
	"time"

	"millwright/compute/cpu"
	"millwright/compute/kernel"
	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// The table of costs is that of one core. How much slower or faster the core at hand is tells a probe: two primitives
// on one thread, one that is bound by arithmetic and one by moving integers. It is made once per engine, at the first
// call for which the answer may matter, and takes some 5 ms. Only where a call runs depends on it, and both places give
// the same results within the bounds of package kernel.

const (
	// probeSide (cells) and probeSamples are the sizes of the probes' inputs.
	probeSide    = 128
	probeSamples = 2048

	// probeCell and probeSample (s) are what an item of the probes takes on the core that the costs are for.
	probeCell   = 22e-9
	probeSample = 120e-9

	// probeRuns is how often each is run; the fastest counts, as other work can only slow them down.
	probeRuns = 4

	// mostPace bounds what is believed of a machine that is busy with something else.
	mostPace = 8
)

// probe returns how many times as long as on the core of the table things take on this one.
func probe() float64 {
	ctx, e := context.Background(), cpu.New(1)
	field := kernel.DistanceInput{
		Grid: kernel.Grid{Step: 1, Width: probeSide, Height: probeSide}, Set: make([]uint8, probeSide*probeSide),
	}
	const apart = 37 // cells
	for i := 0; i < len(field.Set); i += apart {
		field.Set[i] = 1
	}
	batch := kernel.SurfaceBatch{
		Surface: surface.Torus{Frame: geom.World, Major: 10, Minor: 3},
		U:       make([]float64, probeSamples), V: make([]float64, probeSamples),
	}
	for i := range batch.U {
		batch.U[i], batch.V[i] = float64(i)/probeSamples, float64(i%apart)/apart
	}
	samples := kernel.SurfaceInput{Batches: []kernel.SurfaceBatch{batch}}
	cells := fastest(func() error { _, err := e.Distance(ctx, field); return err })
	points := fastest(func() error { _, err := e.EvalSurface(ctx, samples); return err })
	return believable(cells/(probeCell*probeSide*probeSide), points/(probeSample*probeSamples))
}

// fastest returns the seconds of the quickest of a few runs.
func fastest(run func() error) float64 {
	best := math.Inf(1)
	for range probeRuns {
		start := time.Now()
		if run() != nil { // the inputs are sound
			return math.NaN()
		}
		best = min(best, time.Since(start).Seconds())
	}
	return best
}

// believable returns the mean of two ratios, within what machines differ by; 1 where there is none.
func believable(a, b float64) float64 {
	mean := math.Sqrt(a * b)
	if !(mean > 0) {
		return 1
	}
	return min(max(mean, 1.0/mostPace), mostPace)
}
