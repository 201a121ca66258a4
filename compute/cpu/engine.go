// Package cpu holds the compute primitives in plain Go on all cores. Each is the reference that
// other backends are measured against: same inputs, same results, a stated error bound.
package cpu

import "runtime"

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
