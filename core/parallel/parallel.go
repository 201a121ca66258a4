// Package parallel contains the loop that runs its steps in parallel on all processors.
//
// A loop distributes the numbers 0 … n-1 in ascending batches to at most GOMAXPROCS goroutines, or a given number; one
// of these is the caller. It returns when all of them have ended. A step must write only data of its own number. The
// result then depends neither on the assignment of steps nor on the number of processors. A loop begins no batch after
// its context has ended, or after a number that failed.
package parallel

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// For calls do for 0 … n-1, batch of them at a time: 1 for long steps, more if handing one out costs as much as doing
// it. It returns ctx.Err().
func For(ctx context.Context, n, batch int, do func(i int)) error {
	return ForWith(ctx, n, batch, func() func(int) { return do })
}

// ForWith is For for steps that need scratch memory: each goroutine gets its own do from worker.
func ForWith(ctx context.Context, n, batch int, worker func() func(i int)) error {
	return Try(ctx, n, batch, sure(worker))
}

// ForOn is ForWith on at most threads goroutines, one number at a time.
func ForOn(ctx context.Context, threads, n int, worker func() func(i int)) error {
	return try(ctx, threads, n, 1, sure(worker))
}

// sure makes of steps that cannot fail steps that do not.
func sure(worker func() func(i int)) func() func(i int) error {
	return func() func(int) error {
		do := worker()
		return func(i int) error {
			do(i)
			return nil
		}
	}
}

// Try is ForWith for steps that can fail. It returns ctx.Err(), or else the error of the lowest number that
// failed; all numbers below that one were done.
func Try(ctx context.Context, n, batch int, worker func() func(i int) error) error {
	return try(ctx, runtime.GOMAXPROCS(0), n, batch, worker)
}

func try(ctx context.Context, threads, n, batch int, worker func() func(i int) error) error {
	l := loop{ctx: ctx, n: n, batch: batch}
	l.end.Store(int64(n))
	var all sync.WaitGroup
	for range min(threads, (n+batch-1)/batch) - 1 {
		all.Go(func() { l.work(worker) })
	}
	if n > 0 {
		l.work(worker)
	}
	all.Wait()
	if p, ok := l.err.(*Panic); ok {
		panic(p)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return l.err
}

// Panic is the panic value of a loop, in the goroutine of its caller, when the lowest step that failed panicked.
type Panic struct {
	Value any    // the panic value of the step
	Stack []byte // of its goroutine
}

func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// Unwrap returns the value where it is an error, such as a runtime.Error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

type loop struct {
	ctx      context.Context
	n, batch int
	next     atomic.Int64 // first number not handed out
	end      atomic.Int64 // where to stop: n, or the lowest number that failed

	failing sync.Mutex
	err     error // of number end
}

// work does batches until there are no more.
func (l *loop) work(worker func() func(int) error) {
	at := -1
	defer func() {
		if v := recover(); v != nil {
			l.fail(at, &Panic{v, debug.Stack()})
		}
	}()
	do := worker()
	for l.ctx.Err() == nil {
		lo := int(l.next.Add(int64(l.batch))) - l.batch
		if int64(lo) >= l.end.Load() {
			return
		}
		for at = lo; at < min(lo+l.batch, l.n); at++ {
			if err := do(at); err != nil {
				l.fail(at, err)
				return
			}
		}
	}
}

// fail ends the loop at a number, unless a lower one did.
func (l *loop) fail(at int, err error) {
	l.failing.Lock()
	defer l.failing.Unlock()
	if int64(at) < l.end.Load() {
		l.end.Store(int64(at))
		l.err = err
	}
}
