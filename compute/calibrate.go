package compute

import (
	"context"
	"math"
	"time"

	"millwright.dev/millwright/compute/distance"
	"millwright.dev/millwright/compute/evalsurface"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Costs are relative to the reference core. A calibration measures the speed of the current core with two primitives on
// one thread, one limited by arithmetic and one by moving integers. It runs once per engine, at the first call for
// which the result may matter, and takes some 5 ms. Only the choice of the backend depends on it, and both backends
// give the same results within the bounds that the primitives state.

const (
	// calibrationSide (cells) and calibrationSamples are the sizes of the inputs.
	calibrationSide    = 128
	calibrationSamples = 2048

	// cellSeconds and sampleSeconds are the times per cell and per sample on the reference core.
	cellSeconds   = 22e-9
	sampleSeconds = 120e-9

	// calibrationRuns is the number of runs of each primitive. The fastest run counts, because other work can only slow
	// a run down.
	calibrationRuns = 4

	// maxSlowdown limits the measured slowdown, because the machine may be busy with other work.
	maxSlowdown = 8
)

// calibrate returns the time that work takes on this core, as a multiple of the time on the reference core.
func calibrate() float64 {
	ctx, on := context.Background(), primitive.OnCPU(1)
	field := distance.Input{
		Grid: grid.Grid{Step: 1, Width: calibrationSide, Height: calibrationSide},
		Set:  make([]uint8, calibrationSide*calibrationSide),
	}
	const apart = 37 // cells
	for i := 0; i < len(field.Set); i += apart {
		field.Set[i] = 1
	}
	batch := evalsurface.Batch{
		Surface: surface.Torus{Frame: geom.World, Major: 10, Minor: 3},
		U:       make([]float64, calibrationSamples), V: make([]float64, calibrationSamples),
	}
	for i := range batch.U {
		batch.U[i], batch.V[i] = float64(i)/calibrationSamples, float64(i%apart)/apart
	}
	samples := evalsurface.Input{Batches: []evalsurface.Batch{batch}}
	cells := fastest(func() error { _, err := distance.Binary.Run(ctx, on, field); return err })
	points := fastest(func() error { _, err := evalsurface.Primitive.Run(ctx, on, samples); return err })
	return believable(cells/(cellSeconds*calibrationSide*calibrationSide), points/(sampleSeconds*calibrationSamples))
}

// fastest returns the seconds of the quickest of a few runs.
func fastest(run func() error) float64 {
	best := math.Inf(1)
	for range calibrationRuns {
		start := time.Now()
		if run() != nil { // the inputs are sound
			return math.NaN()
		}
		best = min(best, time.Since(start).Seconds())
	}
	return best
}

// believable returns the mean of two ratios, limited to the range of real machines; 1 without a valid ratio.
func believable(a, b float64) float64 {
	mean := math.Sqrt(a * b)
	if !(mean > 0) {
		return 1
	}
	return min(max(mean, 1.0/maxSlowdown), maxSlowdown)
}
