// Package primitives measures the compute primitives on every device of the machine, against what the device
// can do at best.
package primitives

import (
	"runtime"
	"sync"
	"time"
)

// Ceiling is the peak rate of a device, measured on it in the same run.
type Ceiling struct {
	BytesPerSecond float64 `json:"bytesPerSecond"` // copied from memory to memory: read and written together
	FlopsPerSecond float64 `json:"flopsPerSecond"` // float32 multiply-adds, two operations each
}

// share returns which part of the ceiling a primitive reaches that moves bytes and does operations in so many
// seconds: of the one that bounds it, as in the roofline model.
func (c Ceiling) share(bytes, flops, seconds float64) float64 {
	return max(bytes/c.BytesPerSecond, flops/c.FlopsPerSecond) / seconds
}

// processor measures the ceilings of the processor on so many threads.
func processor(threads int) Ceiling {
	const (
		block  = 64 << 20 // bytes, far more than the caches hold
		rounds = 1 << 24
	)
	from, to := make([][]byte, threads), make([][]byte, threads)
	for i := range threads {
		from[i], to[i] = make([]byte, block), make([]byte, block)
		copy(to[i], from[i]) // touches the pages
	}
	copied := fastest(threads, func(i int) { copy(to[i], from[i]) })
	operations := make([]float64, threads)
	computed := fastest(threads, func(i int) { operations[i] = multiplyAdd(rounds) })
	runtime.KeepAlive(to)
	flops := 0.0
	for _, n := range operations {
		flops += n
	}
	return Ceiling{
		BytesPerSecond: 2 * block * float64(threads) / copied,
		FlopsPerSecond: flops / computed,
	}
}

// fastest returns the seconds of the quickest of some runs of work on all threads at once.
func fastest(threads int, work func(thread int)) float64 {
	const runs = 5
	best := 0.0
	for r := range runs {
		start := time.Now()
		var wg sync.WaitGroup
		for i := range threads {
			wg.Go(func() { work(i) })
		}
		wg.Wait()
		if took := time.Since(start).Seconds(); r == 0 || took < best {
			best = took
		}
	}
	return best
}
