package tessellate

import (
	"sync"

	"millwright.dev/millwright/core/parallel"
)

// few is how many steps that are little work are handed out at a time: to wake a thread for less takes longer.
const few = 16

// parallel calls work for 0 … n-1 on all processors, batch of them at a time, each with a worker of its own; they are
// kept from call to call for their memory. It stops early when the context ends and returns why.
func (r *run) parallel(n, batch int, work func(w *worker, i int)) error {
	var taking sync.Mutex
	taken := 0
	return parallel.ForWith(r.ctx, n, batch, func() func(int) {
		taking.Lock()
		defer taking.Unlock()
		if taken == len(r.workers) {
			r.workers = append(r.workers, newWorker(r))
		}
		w := r.workers[taken]
		taken++
		return func(i int) { work(w, i) }
	})
}

func newWorker(r *run) *worker { return &worker{run: r, draft: &draft{}} }
