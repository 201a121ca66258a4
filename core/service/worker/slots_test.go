package worker_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/worker"
)

// slowStore delays the answer to the first query that may return a large job.
type slowStore struct {
	app.Store
	first   chan struct{} // a token until the first poll
	letGo   chan struct{}
	without chan struct{} // one token for each query without large jobs
}

func (s slowStore) LeaseNext(ctx context.Context, f job.WorkFilter, l job.Lease,
) (job.Job, part.Part, error) {
	j, part, err := s.Store.LeaseNext(ctx, f, l)
	if !f.Takes(job.PartProcessing, job.Large) {
		s.without <- struct{}{}
		return j, part, err
	}
	select {
	case <-s.first:
		<-s.letGo
	default:
	}
	return j, part, err
}

// TestUnusedSlotIsOfferedAgain lets a runner without a large job take the only slot for large jobs, while the wake-up
// for a large job goes to another runner. The clock does not advance, so no runner polls because of time.
func TestUnusedSlotIsOfferedAgain(t *testing.T) {
	w := newWorld(t)
	g := newGate()
	defer g.release()
	store := slowStore{w.store, make(chan struct{}, 1), make(chan struct{}), make(chan struct{}, 100)}
	store.first <- struct{}{}
	ports := w.ports(g.kernel)
	through(&ports, store)
	w.startPoolWith(ports, worker.Config{Name: "a", Runners: 2, LargeRunners: 1})
	receive(t, store.without, "a look beside the one that holds the room")
	w.enqueue(w.pending(), 50_000_000)
	w.ring(t.Context(), job.WakeUp{Product: job.PartProcessing})
	receive(t, store.without, "a look of the runner that was rung for")
	close(store.letGo)
	receive(t, g.inside, "the large job")
}

// TestOneWakeUpReachesAllRunners sends one wake-up for several jobs.
func TestOneWakeUpReachesAllRunners(t *testing.T) {
	w := newWorld(t)
	g := newGate()
	defer g.release()
	const jobs = 4
	store := &counting{Store: w.store, looks: make(chan struct{}, 100)}
	ports := w.ports(g.kernel)
	through(&ports, store)
	w.startPoolWith(ports, worker.Config{Name: "a", Runners: jobs})
	for range jobs { // each has found nothing
		receive(t, store.looks, "a first look of each runner")
	}
	for range jobs {
		w.enqueue(w.pending(), 10)
	}
	w.ring(t.Context(), job.WakeUp{Product: job.PartProcessing})
	for range jobs {
		receive(t, g.inside, "each of the jobs")
	}
}

// TestIdlePoolStopsPolling checks that polls without a job cause no further polls.
func TestIdlePoolStopsPolling(t *testing.T) {
	w := newWorld(t)
	const runners, rings = 4, 20
	store := &counting{Store: w.store, looks: make(chan struct{}, 10_000)}
	ports := w.ports(pipelinetest.Cube)
	through(&ports, store)
	stop := w.startPoolWith(ports, worker.Config{Name: "a", Runners: runners, LargeRunners: 1})
	for n := range rings {
		w.ring(t.Context(), job.WakeUp{JobID: strconv.Itoa(n), Product: job.PartProcessing})
	}
	for range rings {
		receive(t, store.looks, "a look for each ring")
	}
	part := w.uploaded("x")
	w.await(worker.Committed, part.JobID)
	stop()
	// Each runner polls when it starts and when its job ends, and each wake-up and job causes one poll. Two polls that
	// compete for the slot cause at most one more, and two of these another one: in total less than twice as many.
	if looks := rings + len(store.looks); looks > 2*(runners+rings+3) {
		t.Errorf("%d looks for %d rings and one job", looks, rings)
	}
}

// counting signals each completed poll for work.
type counting struct {
	app.Store
	looks chan struct{}
}

func (s *counting) LeaseNext(ctx context.Context, f job.WorkFilter, l job.Lease,
) (job.Job, part.Part, error) {
	defer func() { s.looks <- struct{}{} }()
	return s.Store.LeaseNext(ctx, f, l)
}

func receive(t *testing.T, from <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-from:
	case <-time.After(patience):
		t.Fatalf("%s did not come", what)
	}
}
