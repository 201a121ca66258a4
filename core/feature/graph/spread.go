package graph

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Spread calls do for 0 … n-1 from all processors, each with a do of its own from worker. What do writes
// must belong to its number alone, so that the result does not depend on who did what. It returns ctx.Err().
func Spread(ctx context.Context, n int, worker func() func(i int)) error {
	const batch = 32 // taken at a time
	return spread(ctx, n, batch, worker)
}

// SpreadLarge is Spread for few numbers with much work each.
func SpreadLarge(ctx context.Context, n int, worker func() func(i int)) error {
	return spread(ctx, n, 1, worker)
}

func spread(ctx context.Context, n, batch int, worker func() func(i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (n+batch-1)/batch) {
		wg.Go(func() {
			do := worker()
			for ctx.Err() == nil {
				lo := int(next.Add(int64(batch))) - batch
				if lo >= n {
					return
				}
				for i := lo; i < min(lo+batch, n); i++ {
					do(i)
				}
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
