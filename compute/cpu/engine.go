// Package cpu holds the compute primitives in plain Go on all cores. Each is the reference that
// other backends are measured against: same inputs, same results, a stated error bound.
package cpu

import (
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Engine runs the primitives on the processor. It keeps no state between calls and is safe for
// concurrent use.
type Engine struct{ threads int }

// New returns an engine that uses up to threads goroutines per call; 0 or less stands for GOMAXPROCS.
func New(threads int) *Engine {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return &Engine{threads: threads}
}

// Threads returns how many goroutines a call uses at most.
func (e *Engine) Threads() int { return e.threads }

// each runs the numbered tasks on all goroutines; every goroutine asks for its own worker.
func (e *Engine) each(ctx context.Context, tasks int, worker func() func(task int)) error {
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range min(e.threads, tasks) {
		g.Go(func() error {
			do := worker()
			for {
				if err := ctx.Err(); err != nil {
					return err
				}
				task := int(next.Add(1)) - 1
				if task >= tasks {
					return nil
				}
				do(task)
			}
		})
	}
	return g.Wait()
}
