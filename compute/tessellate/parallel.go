package tessellate

import (
	"sync"
	"sync/atomic"
)

// parallel calls work for 0 … n-1 from several goroutines, each with a worker of its own, in roughly
// ascending order. It stops early when the context ends and returns why.
func (r *run) parallel(n int, work func(w *worker, i int)) error {
	threads := max(1, min(r.threads, n))
	for len(r.workers) < threads {
		r.workers = append(r.workers, &worker{run: r})
	}
	var cursor atomic.Int64
	loop := func(w *worker) {
		for r.ctx.Err() == nil {
			k := int(cursor.Add(1)) - 1
			if k >= n {
				return
			}
			work(w, k)
		}
	}
	var wg sync.WaitGroup
	for _, w := range r.workers[1:threads] {
		wg.Go(func() { loop(w) })
	}
	loop(r.workers[0])
	wg.Wait()
	return r.ctx.Err()
}
