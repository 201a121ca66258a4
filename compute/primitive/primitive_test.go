package primitive

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"millwright.dev/millwright/compute/device"
)

var errOdd, errTwin = errors.New("odd"), errors.New("the twin fails")

// half halves even numbers on the processor; 0 fails there after it was answered.
var half = &Primitive[int, int]{
	Name: "half", Items: func(in *int) int { return *in }, Cost: Cost{Seconds: 1},
	Check: func(in *int) error {
		if *in%2 != 0 {
			return errOdd
		}
		return nil
	},
	CPU: func(_ context.Context, _ CPU, in *int) (int, error) {
		if *in == 0 {
			return 7, errTwin
		}
		return *in / 2, nil
	},
}

func TestRun(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		on   Runner
		in   int
		want int
		err  error
	}{
		{"answered", t.Context(), OnCPU(1), 8, 4, nil},
		{"refused by its check", t.Context(), OnCPU(1), 3, 0, errOdd},
		{"refused before the context counts", ended, OnCPU(1), 3, 0, errOdd},
		{"ended context", ended, OnCPU(1), 8, 0, context.Canceled},
		{"a failed twin leaves no output", t.Context(), OnCPU(1), 0, 0, errTwin},
		{"no twin there", t.Context(), OnGPU(nil), 8, 0, ErrNoTwin},
	} {
		if got, err := half.Run(c.ctx, c.on, c.in); got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %d, %v; want %d, %v", c.name, got, err, c.want, c.err)
		}
	}
}

// TestRunOnADevice: the twin there gets the device of the runner.
func TestRunOnADevice(t *testing.T) {
	g := &device.GPU{}
	p := *half
	p.GPU = func(_ context.Context, on *device.GPU, in *int) (int, error) {
		if on != g {
			t.Error("another device")
		}
		return -*in, nil
	}
	if got, err := p.Run(t.Context(), OnGPU(g), 8); got != -8 || err != nil {
		t.Errorf("%d, %v", got, err)
	}
}

// TestEach: every task is done once, each goroutine has one worker, and nothing is begun after the context ended.
func TestEach(t *testing.T) {
	for _, threads := range []int{1, 3, 50} {
		const tasks = 20
		var done [tasks]atomic.Int32
		var workers atomic.Int32
		err := OnCPU(threads).Each(t.Context(), tasks, func() func(int) {
			workers.Add(1)
			return func(task int) { done[task].Add(1) }
		})
		if n := int(workers.Load()); err != nil || n > min(threads, tasks) || n < 1 {
			t.Errorf("%d threads: %d workers, %v", threads, n, err)
		}
		for i := range done {
			if n := done[i].Load(); n != 1 {
				t.Errorf("%d threads: task %d is done %d times", threads, i, n)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := OnCPU(2).Each(ctx, 5, func() func(int) { return func(int) { t.Error("begun after the end") } })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
	if OnCPU(0).Threads() < 1 {
		t.Error("no threads")
	}
}
