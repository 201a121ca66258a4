package graph

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

// Every number is done once, whatever the batches.
func TestSpread(t *testing.T) {
	for _, n := range []int{0, 1, 31, 32, 33, 1000} {
		for name, spread := range map[string]func(context.Context, int, func() func(int)) error{
			"small": Spread, "large": SpreadLarge,
		} {
			done := make([]int32, n)
			err := spread(context.Background(), n, func() func(int) {
				return func(i int) { atomic.AddInt32(&done[i], 1) }
			})
			if err != nil {
				t.Fatal(err)
			}
			for i, k := range done {
				if k != 1 {
					t.Errorf("%s: number %d of %d was done %d times", name, i, n, k)
				}
			}
		}
	}
}

func TestSpreadStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var done atomic.Int64
	err := Spread(ctx, 1<<20, func() func(int) {
		return func(int) {
			done.Add(1)
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if done.Load() > 1<<19 {
		t.Errorf("%d numbers were done after the end", done.Load())
	}
}
