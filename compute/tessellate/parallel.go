package tessellate

import (
	"sync"

	"millwright.dev/millwright/core/parallel"
)

// few is the batch size for small steps. Waking a thread for fewer steps takes longer than the steps.
const few = 16

// parallel calls work for 0 … n-1 on all processors, in batches, each goroutine with a separate worker. Workers and
// their memory are reused by later calls. It stops early when the context ends and returns the context's error.
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
