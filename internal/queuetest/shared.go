package queuetest

import (
	"context"
	"testing"

	"millwright.dev/millwright/core/service/job"
)

// RunShared runs the tests for queues that several processes share and that outlive the processes. open returns a
// function that connects to one empty queue at each call.
func RunShared(t *testing.T, open func(t *testing.T) (connect func() job.Queue)) {
	for _, c := range []struct {
		name string
		test func(*testing.T, context.Context, func() job.Queue)
	}{
		{"ReachesOthers", testReachesOthers},
		{"WaitsForWorkers", testWaitsForWorkers},
		{"AgainWithoutAck", testAgainWithoutAck},
		{"NotAgainAfterAck", testNotAgainAfterAck},
		{"SharesOut", testSharesOut},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), timeout)
			defer cancel()
			c.test(t, ctx, open(t))
		})
	}
}

func testReachesOthers(t *testing.T, ctx context.Context, connect func() job.Queue) {
	here, there := connect(), connect()
	publish(t, ctx, here, wake(1))
	if w := receive(t, ctx, there); w != wake(1) {
		t.Errorf("Receive = %v, want %v", w, wake(1))
	}
}

// testWaitsForWorkers publishes before anybody ever received.
func testWaitsForWorkers(t *testing.T, ctx context.Context, connect func() job.Queue) {
	here := connect()
	for i := range 10 {
		publish(t, ctx, here, wake(i))
	}
	there := connect()
	seen := map[string]bool{}
	for len(seen) < 10 {
		seen[receive(t, ctx, there).JobID] = true
	}
}

// testAgainWithoutAck has workers that die before they looked at the job's row.
func testAgainWithoutAck(t *testing.T, ctx context.Context, connect func() job.Queue) {
	here, there := connect(), connect()
	const many = 5
	for i := range many {
		publish(t, ctx, here, wake(i))
	}
	for range many {
		if _, err := here.Receive(ctx); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	for len(seen) < many {
		seen[receive(t, ctx, there).JobID] = true
	}
}

func testNotAgainAfterAck(t *testing.T, ctx context.Context, connect func() job.Queue) {
	here, there := connect(), connect()
	publish(t, ctx, here, wake(1))
	publish(t, ctx, here, wake(2))
	lost, err := here.Receive(ctx)
	if err != nil {
		t.Fatal(err)
	}
	acked := receive(t, ctx, here)
	again := receive(t, ctx, there) // by now the acknowledged one would have come again, too
	if again != lost.WakeUp || again == acked {
		t.Errorf("delivered again: %v; want %v, not the acknowledged %v", again, lost.WakeUp, acked)
	}
}

// testSharesOut has each wake-up delivered to one worker, as long as nobody dies.
func testSharesOut(t *testing.T, ctx context.Context, connect func() job.Queue) {
	queues := []job.Queue{connect(), connect(), connect()}
	const many = 60
	for i := range many {
		publish(t, ctx, queues[i%len(queues)], wake(i))
	}
	seen := map[string]int{}
	for i := range many {
		seen[receive(t, ctx, queues[i%len(queues)]).JobID]++
	}
	if len(seen) != many {
		t.Errorf("%d deliveries of %d wake-ups: %v", many, len(seen), seen)
	}
}
