package worker_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"millwright.dev/millwright/core/pipeline/pipelinetest"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/worker"
)

// awayQueue accepts no wake-ups while it is away.
type awayQueue struct {
	job.Queue
	away atomic.Bool
}

func (q *awayQueue) Publish(ctx context.Context, w job.WakeUp) error {
	if q.away.Load() {
		return errors.New("connection refused")
	}
	return q.Queue.Publish(ctx, w)
}

// TestOutageIsReportedAtGrowingIntervals makes the queue unavailable for ten minutes, with one queued job every second.
func TestOutageIsReportedAtGrowingIntervals(t *testing.T) {
	w := newWorld(t)
	q := &awayQueue{Queue: w.queue}
	q.away.Store(true)
	var told []worker.Event
	ports := w.ports(pipelinetest.Cube)
	ports.Queue, ports.OnEvent = q, func(e worker.Event) { told = append(told, e) }
	bell := worker.NewNotifier(ports)
	const outage = 10 * time.Minute
	for range outage / time.Second {
		bell.Notify(t.Context(), job.WakeUp{JobID: "j"})
		w.clock.Advance(time.Second)
	}
	q.away.Store(false)
	ended, cancel := context.WithCancel(t.Context())
	cancel() // the client has gone, the job is stored
	bell.Notify(ended, job.WakeUp{JobID: "last"})
	var kinds []worker.EventKind
	for _, e := range told {
		kinds = append(kinds, e.Kind)
		if e.Kind == worker.OutageStarted && !strings.Contains(e.Err.Error(), "ring: connection refused") {
			t.Errorf("trouble %v, want the bell's", e.Err)
		}
	}
	// At 0, 5, 15, 35, 75, 155 and 315 s; the next would be at 635 s.
	want := append(slices.Repeat([]worker.EventKind{worker.OutageStarted}, 7), worker.OutageEnded)
	if !slices.Equal(kinds, want) {
		t.Fatalf("told %v, want %v", kinds, want)
	}
	if last := told[len(told)-1]; last.Took != outage {
		t.Errorf("recovered after %v, want %v", last.Took, outage)
	}
	if d, err := w.queue.Receive(t.Context()); err != nil || d.WakeUp.JobID != "last" {
		t.Errorf("heard %+v, %v; want the last ring", d.WakeUp, err)
	}
}
