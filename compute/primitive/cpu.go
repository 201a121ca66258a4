package primitive

import (
	"context"
	"runtime"

	"millwright.dev/millwright/core/parallel"
)

// CPU is the processor with a number of threads. It keeps no state between calls and is safe for concurrent use.
type CPU struct{ threads int }

var _ Runner = CPU{}

// OnCPU returns the processor with up to threads goroutines per call; 0 or less means GOMAXPROCS.
func OnCPU(threads int) CPU {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return CPU{threads}
}

// Do implements Runner.
func (c CPU) Do(ctx context.Context, j Job) error { return j.OnCPU(ctx, c) }

// Batch implements Runner.
func (CPU) Batch(Cost) int { return 1 }

// Threads returns the maximum number of goroutines in a call.
func (c CPU) Threads() int { return c.threads }

// Each runs the numbered tasks on all goroutines; every goroutine creates its own worker.
func (c CPU) Each(ctx context.Context, tasks int, worker func() func(task int)) error {
	return parallel.ForOn(ctx, c.threads, tasks, worker)
}

// OnHost runs numbered tasks on all processors: the host's share of a call on a graphics device.
func OnHost(ctx context.Context, tasks int, do func(task int)) error {
	return OnCPU(0).Each(ctx, tasks, func() func(int) { return do })
}
