package worker_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"millwright/core/service"
	"millwright/core/service/servicetest"
	"millwright/core/service/worker"
)

// awayQueue takes no wake-ups while it is away, and counts what it is asked.
type awayQueue struct {
	service.Queue
	away  atomic.Bool
	asked atomic.Int32
}

func (q *awayQueue) Publish(ctx context.Context, w service.Wake) error {
	defer q.asked.Add(1)
	if q.away.Load() {
		return errors.New("connection refused")
	}
	return q.Queue.Publish(ctx, w)
}

// TestOutageIsToldAtGrowingIntervals lets the queue be away for an hour, in which the relay tries every second.
func TestOutageIsToldAtGrowingIntervals(t *testing.T) {
	w := newWorld(t)
	q := &awayQueue{Queue: w.queue}
	q.away.Store(true)
	var told []worker.Event // by the goroutine of the relay; read after it has ended
	ports := w.ports(servicetest.Cube)
	recovered := make(chan struct{})
	ports.Queue, ports.OnEvent = q, func(e worker.Event) {
		if told = append(told, e); e.Kind == worker.Recovered {
			close(recovered)
		}
	}
	w.uploaded("x")
	relay := worker.NewRelay(ports, time.Second)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		relay.Run(ctx)
		close(ended)
	}()
	const outage = 10 * time.Minute
	for tries := range int32(outage / time.Second) {
		for until := time.Now().Add(patience); q.asked.Load() == tries; {
			if time.Now().After(until) {
				t.Fatal("the relay does not try again")
			}
			time.Sleep(50 * time.Microsecond)
		}
		w.clock.Advance(time.Second)
	}
	q.away.Store(false)
	w.clock.Advance(time.Second)
	<-recovered
	cancel()
	<-ended
	var kinds []worker.EventKind
	for _, e := range told {
		kinds = append(kinds, e.Kind)
		if e.Kind == worker.Trouble && !strings.Contains(e.Err.Error(), "relay: connection refused") {
			t.Errorf("trouble %v, want the relay's", e.Err)
		}
	}
	// At 0, 5, 15, 35, 75, 155 and 315 s; the next would be at 635 s.
	want := append(slices.Repeat([]worker.EventKind{worker.Trouble}, 7), worker.Relayed, worker.Recovered)
	if !slices.Equal(kinds, want) {
		t.Fatalf("told %v, want %v", kinds, want)
	}
	if last := told[len(told)-1]; last.Took < outage-2*time.Second || last.Took > outage+2*time.Second {
		t.Errorf("recovered after %v, want %v", last.Took, outage)
	}
}
