// Package queuetest is the suite for every job.Queue. A queue may repeat and reorder wake-ups, so the suite checks only
// the guarantees that the service uses. A published wake-up reaches some worker while the queue lives, waiting ends
// with its context, and the publisher never blocks.
package queuetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"millwright.dev/millwright/core/service/job"
)

// timeout is the time limit of the suite for an expected event.
const timeout = time.Minute

// Run runs the suite. open returns an empty queue.
func Run(t *testing.T, open func(t *testing.T) job.Queue) {
	for _, c := range []struct {
		name string
		test func(*testing.T, context.Context, job.Queue)
	}{
		{"Delivers", testDelivers},
		{"PublishDoesNotWait", testPublishDoesNotWait},
		{"ReceiveWaits", testReceiveWaits},
		{"ReceiveEndsWithContext", testReceiveEndsWithContext},
		{"EveryWakeReachesAWorker", testEveryWakeReachesAWorker},
		{"AgainAfterDelivery", testAgainAfterDelivery},
		{"ManyReceivers", testManyReceivers},
		{"LeavingReceiversTakeNothing", testLeavingReceiversTakeNothing},
		{"EndedContext", testEndedContext},
		{"AckTwice", testAckTwice},
		{"OneJobPublishedByMany", testOneJobPublishedByMany},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), timeout)
			defer cancel()
			c.test(t, ctx, open(t))
		})
	}
}

func wake(n int) job.WakeUp {
	return job.WakeUp{JobID: fmt.Sprintf("job-%d", n), Product: job.PartProcessing}
}

func publish(t *testing.T, ctx context.Context, q job.Queue, w job.WakeUp) {
	t.Helper()
	if err := q.Publish(ctx, w); err != nil {
		t.Fatalf("Publish(%v) = %v", w, err)
	}
}

func receive(t *testing.T, ctx context.Context, q job.Queue) job.WakeUp {
	t.Helper()
	d, err := q.Receive(ctx)
	if err != nil {
		t.Fatalf("Receive = %v", err)
	}
	if err := d.Ack(ctx); err != nil {
		t.Fatalf("Ack = %v", err)
	}
	return d.WakeUp
}

func testDelivers(t *testing.T, ctx context.Context, q job.Queue) {
	want := job.WakeUp{JobID: "01890a5d-ac96-774b-bcce-b302099a8057", Product: job.PartAnalysis}
	publish(t, ctx, q, want)
	if got := receive(t, ctx, q); got != want {
		t.Errorf("Receive = %v, want %v", got, want)
	}
}

func testPublishDoesNotWait(t *testing.T, ctx context.Context, q job.Queue) {
	const many = 2000
	for i := range many {
		publish(t, ctx, q, wake(i))
	}
	seen := map[string]bool{}
	for len(seen) < many {
		seen[receive(t, ctx, q).JobID] = true
	}
}

func testReceiveWaits(t *testing.T, ctx context.Context, q job.Queue) {
	got := make(chan job.WakeUp, 1)
	go func() {
		d, err := q.Receive(ctx)
		if err == nil {
			err = d.Ack(ctx)
		}
		if err != nil {
			t.Errorf("Receive = %v", err)
		}
		got <- d.WakeUp
	}()
	publish(t, ctx, q, wake(1))
	if w := <-got; w != wake(1) {
		t.Errorf("the waiting worker got %v, want %v", w, wake(1))
	}
}

func testReceiveEndsWithContext(t *testing.T, ctx context.Context, q job.Queue) {
	short, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		_, err := q.Receive(short)
		ended <- err
	}()
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Receive = %v, want context.Canceled", err)
		}
	case <-ctx.Done():
		t.Error("Receive continues after its context ended")
	}
	publish(t, ctx, q, wake(1)) // a receiver that left takes nothing with it
	if w := receive(t, ctx, q); w != wake(1) {
		t.Errorf("Receive = %v, want %v", w, wake(1))
	}
}

func testEveryWakeReachesAWorker(t *testing.T, ctx context.Context, q job.Queue) {
	const publishers, workers, each = 4, 4, 100
	done, stop := context.WithCancel(ctx)
	defer stop()
	var mu sync.Mutex
	seen := map[string]bool{}
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for {
				d, err := q.Receive(done)
				if err != nil {
					return
				}
				_ = d.Ack(ctx)
				mu.Lock()
				seen[d.WakeUp.JobID] = true
				if len(seen) == publishers*each {
					stop()
				}
				mu.Unlock()
			}
		})
	}
	for p := range publishers {
		all.Go(func() {
			for i := range each {
				if err := q.Publish(ctx, wake(p*each+i)); err != nil {
					t.Errorf("Publish = %v", err)
				}
			}
		})
	}
	all.Wait()
	if len(seen) != publishers*each {
		t.Errorf("%d of %d wake-ups reached a worker", len(seen), publishers*each)
	}
}

func testAgainAfterDelivery(t *testing.T, ctx context.Context, q job.Queue) {
	publish(t, ctx, q, wake(1))
	receive(t, ctx, q)
	publish(t, ctx, q, wake(1)) // the same job, queued again
	if w := receive(t, ctx, q); w != wake(1) {
		t.Errorf("Receive = %v, want %v", w, wake(1))
	}
}

// testManyReceivers has more receivers than any pool of connections, all waiting before the first wake-up.
func testManyReceivers(t *testing.T, ctx context.Context, q job.Queue) {
	const many = 64
	got := make(chan string, many)
	for range many {
		go func() {
			d, err := q.Receive(ctx)
			if err == nil {
				err = d.Ack(ctx)
			}
			if err != nil {
				t.Errorf("Receive = %v", err)
			}
			got <- d.WakeUp.JobID
		}()
	}
	for i := range many {
		publish(t, ctx, q, wake(i))
	}
	seen := map[string]bool{}
	for range many {
		seen[<-got] = true
	}
	if len(seen) != many {
		t.Errorf("%d receivers got %d different wake-ups", many, len(seen))
	}
}

// testLeavingReceiversTakeNothing cancels receivers while wake-ups arrive: each still reaches a worker.
func testLeavingReceiversTakeNothing(t *testing.T, ctx context.Context, q job.Queue) {
	const many = 100
	var all sync.WaitGroup
	seen := sync.Map{}
	for i := range many {
		short, cancel := context.WithCancel(ctx)
		all.Go(func() {
			d, err := q.Receive(short)
			if err == nil {
				seen.Store(d.WakeUp.JobID, true)
				_ = d.Ack(ctx)
			}
		})
		all.Go(func() {
			if err := q.Publish(ctx, wake(i)); err != nil {
				t.Errorf("Publish = %v", err)
			}
		})
		all.Go(cancel)
	}
	all.Wait()
	for missing := range many {
		for _, ok := seen.Load(wake(missing).JobID); !ok; _, ok = seen.Load(wake(missing).JobID) {
			seen.Store(receive(t, ctx, q).JobID, true) // fails when nothing comes any more
		}
	}
}

func testEndedContext(t *testing.T, ctx context.Context, q job.Queue) {
	publish(t, ctx, q, wake(1))
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := q.Receive(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("Receive with an ended context = %v, want context.Canceled", err)
	}
	if err := q.Publish(ended, wake(2)); err == nil {
		t.Error("Publish with an ended context succeeds")
	}
	if w := receive(t, ctx, q); w != wake(1) {
		t.Errorf("Receive = %v, want %v", w, wake(1))
	}
}

func testAckTwice(t *testing.T, ctx context.Context, q job.Queue) {
	publish(t, ctx, q, wake(1))
	d, err := q.Receive(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := d.Ack(ctx); err != nil {
			t.Errorf("Ack = %v", err)
		}
	}
}

func testOneJobPublishedByMany(t *testing.T, ctx context.Context, q job.Queue) {
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { publish(t, ctx, q, wake(1)) })
	}
	all.Wait()
	if w := receive(t, ctx, q); w != wake(1) {
		t.Errorf("Receive = %v, want %v", w, wake(1))
	}
}
