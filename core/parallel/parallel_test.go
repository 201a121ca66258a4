package parallel

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

func TestEveryNumberIsDoneOnce(t *testing.T) {
	for _, n := range []int{0, 1, 31, 32, 33, 1000} {
		for _, batch := range []int{1, 7, 32, 4096} {
			done := make([]int32, n)
			err := For(context.Background(), n, batch, func(i int) { atomic.AddInt32(&done[i], 1) })
			if err != nil {
				t.Fatal(err)
			}
			for i, k := range done {
				if k != 1 {
					t.Errorf("in batches of %d: number %d of %d was done %d times, want once", batch, i, n, k)
				}
			}
		}
	}
}

// TestScratchIsNotShared checks that scratch memory is used by one goroutine at a time, and that there are no more
// of them than processors or batches.
func TestScratchIsNotShared(t *testing.T) {
	for _, c := range []struct{ n, batch, most int }{
		{1000, 1, runtime.GOMAXPROCS(0)}, {10, 10, 1}, {11, 10, 2}, {0, 1, 0},
	} {
		var made atomic.Int32
		err := ForWith(context.Background(), c.n, c.batch, func() func(int) {
			made.Add(1)
			var busy atomic.Bool
			return func(i int) {
				if !busy.CompareAndSwap(false, true) {
					t.Errorf("number %d of %d: its scratch is in use", i, c.n)
				}
				runtime.Gosched()
				busy.Store(false)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if int(made.Load()) > c.most {
			t.Errorf("%d numbers in batches of %d had %d scratches, want %d at most", c.n, c.batch, made.Load(), c.most)
		}
	}
}

func TestContextEndStopsLoop(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var done atomic.Int64
	err := For(ctx, 1<<20, 32, func(int) {
		done.Add(1)
		cancel()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if most := int64(32 * runtime.GOMAXPROCS(0)); done.Load() > most {
		t.Errorf("%d numbers were done, want at most the %d that were begun", done.Load(), most)
	}
}

// TestLowestFailureIsReturned checks that the lowest failing number decides, in any order of execution, and that all
// numbers below it are done.
func TestLowestFailureIsReturned(t *testing.T) {
	const n = 500
	for _, first := range []int{0, 1, 63, 64, 250, n - 1} {
		var done [n]atomic.Bool
		err := Try(context.Background(), n, 8, func() func(int) error {
			return func(i int) error {
				done[i].Store(true)
				if i >= first {
					return fmt.Errorf("number %d", i)
				}
				return nil
			}
		})
		if want := fmt.Sprintf("number %d", first); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
		for i := range first {
			if !done[i].Load() {
				t.Errorf("number %d was not done although only %d failed", i, first)
			}
		}
	}
}

func TestPanicReachesCaller(t *testing.T) {
	cause := errors.New("broken")
	for name, worker := range map[string]func() func(int) error{
		"step": func() func(int) error {
			return func(i int) error {
				if i == 70 {
					panic(cause)
				}
				if i > 70 {
					return fmt.Errorf("number %d", i)
				}
				return nil
			}
		},
		"scratch": func() func(int) error { panic(cause) },
	} {
		func() {
			defer func() {
				p, ok := recover().(*Panic)
				if !ok || !errors.Is(p, cause) {
					t.Errorf("%s: panicked with %v, want *Panic of %q", name, p, cause)
				} else if !strings.Contains(p.Error(), "parallel_test.go") {
					t.Errorf("%s: the stack does not name where it was:\n%s", name, p)
				}
			}()
			err := Try(context.Background(), 500, 8, worker)
			t.Errorf("%s: returned %v, want a panic", name, err)
		}()
	}
}

// TestErrorBelowPanicIsReturned checks that an error at a lower number than a panic is returned.
func TestErrorBelowPanicIsReturned(t *testing.T) {
	err := Try(context.Background(), 100, 1, func() func(int) error {
		return func(i int) error {
			if i == 40 {
				return errors.New("number 40")
			}
			if i == 41 {
				panic("number 41")
			}
			return nil
		}
	})
	if err == nil || err.Error() != "number 40" {
		t.Errorf("error %v, want that of number 40", err)
	}
}

func BenchmarkFor(b *testing.B) {
	out := make([]int, 1<<16)
	for _, batch := range []int{1, 32} {
		b.Run(fmt.Sprint("batch=", batch), func(b *testing.B) {
			for b.Loop() {
				_ = For(context.Background(), len(out), batch, func(i int) { out[i] = i })
			}
		})
	}
}
