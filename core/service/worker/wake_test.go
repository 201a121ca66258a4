package worker_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"millwright.dev/millwright/core/pipeline/pipelinetest"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/worker"
)

// duplicating delivers every wake-up several times, to any receiver.
type duplicating struct {
	job.Queue
	times  int
	copies chan job.WakeUp
	acks   chan struct{}
}

func newDuplicating(q job.Queue, times int) *duplicating {
	const most = 1000
	copies, acks := make(chan job.WakeUp, most), make(chan struct{}, most)
	return &duplicating{Queue: q, times: times, copies: copies, acks: acks}
}

func (q *duplicating) Publish(ctx context.Context, w job.WakeUp) error {
	for range q.times - 1 {
		q.copies <- w
	}
	return q.Queue.Publish(ctx, w)
}

func (q *duplicating) Receive(ctx context.Context) (job.Delivery, error) {
	ack := func(context.Context) error { q.acks <- struct{}{}; return nil }
	select {
	case w := <-q.copies:
		return job.Delivery{WakeUp: w, Ack: ack}, nil
	default:
	}
	d, err := q.Queue.Receive(ctx)
	d.Ack = ack
	return d, err
}

// drained waits until so many deliveries were dealt with.
func (q *duplicating) drained(t *testing.T, deliveries int) {
	t.Helper()
	until := time.After(patience)
	for n := range deliveries {
		select {
		case <-q.acks:
		case <-until:
			t.Fatalf("%d of %d deliveries were dealt with", n, deliveries)
		}
	}
}

// losing loses wake-ups.
type losing struct {
	job.Queue
	lose atomic.Int32
}

func (q *losing) Publish(ctx context.Context, w job.WakeUp) error {
	if q.lose.Add(-1) >= 0 {
		return nil
	}
	return q.Queue.Publish(ctx, w)
}

// pollTime is long enough to distinguish a poll from a wake-up.
const pollTime = 20 * time.Second

func TestLostWakeUpIsFoundByPolling(t *testing.T) {
	w := newWorld(t)
	q := &losing{Queue: w.queue}
	q.lose.Store(2)
	ports := w.ports(pipelinetest.Cube)
	ports.Queue = q
	w.startPoolWith(ports, worker.Config{Name: "a", PollTime: pollTime})
	part := w.uploaded("x")
	began := w.clock.Now()
	w.awaitAfter(worker.Committed, part.JobID)
	if late := w.clock.Now().Sub(began); late >= 2*pollTime { // the clock advances even on a busy machine
		t.Errorf("the job was found after %v, want it at the first poll, %v", late, pollTime)
	}
	w.hasResult(part, "x")
}

// TestRestartFindsQueuedJobs: the queue lived in the process that ended.
func TestRestartFindsQueuedJobs(t *testing.T) {
	w := newWorld(t)
	part := w.uploaded("x")
	w.clock.Advance(time.Second)
	w.startPool("a", w.ports(pipelinetest.Cube))
	w.await(worker.Committed, part.JobID)
	w.hasResult(part, "x")
}

// brokenQueue cannot be read for a while.
type brokenQueue struct {
	job.Queue
	failures atomic.Int32
}

func (q *brokenQueue) Receive(ctx context.Context) (job.Delivery, error) {
	if q.failures.Add(-1) >= 0 {
		return job.Delivery{}, errors.New("connection refused")
	}
	return q.Queue.Receive(ctx)
}

func TestBrokenQueueIsTriedAgain(t *testing.T) {
	w := newWorld(t)
	q := &brokenQueue{Queue: w.queue}
	q.failures.Store(3)
	ports := w.ports(pipelinetest.Cube)
	ports.Queue = q
	w.startPool("a", ports)
	part := w.uploaded("x")
	for range 3 {
		w.awaitAfter(worker.OutageStarted, "")
	}
	w.awaitAfter(worker.Committed, part.JobID)
}
