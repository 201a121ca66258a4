package worker_test

import (
	"context"
	"testing"
	"time"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/worker"
)

// TestDrainLetsTheJobEnd drains a pool with one job running and one waiting.
func TestDrainLetsTheJobEnd(t *testing.T) {
	w := newWorld(t)
	g := newGate()
	pool, err := worker.New(w.ports(g.kernel), worker.Config{Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	running := w.uploaded("x")
	ended := make(chan error, 1)
	go func() { ended <- pool.Run(t.Context()) }()
	<-g.inside
	waiting := w.uploaded("y")
	pool.Drain()
	pool.Drain()   // a second time changes nothing
	for range 30 { // longer than the lease; heartbeats continue
		w.clock.Advance(time.Second)
		w.awaitHeartbeat(running)
	}
	if j := w.job(running); j.Status != job.Running || j.Attempt != 1 {
		t.Errorf("the running job became %+v while the pool drains", j)
	}
	g.release()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	w.hasResult(running, "x")
	if j := w.job(waiting); j.Status != job.Queued || j.Token != 0 {
		t.Errorf("the waiting job = %+v, want it untouched", j)
	}
}

// awaitHeartbeat waits until the job's lease is good for half its length, however slow the store.
func (w *world) awaitHeartbeat(part part.Part) {
	w.t.Helper()
	const enough = 10 * time.Second // of the default lease
	for until := time.Now().Add(patience); w.job(part).LeaseUntil.Sub(w.clock.Now()) < enough; {
		if time.Now().After(until) {
			w.t.Fatalf("no heartbeat came: %+v", w.job(part))
		}
		w.events.awaitFor("", "", time.Millisecond)
	}
}

// TestCancelledJobStops cancels a job while its kernel runs.
func TestCancelledJobStops(t *testing.T) {
	w := newWorld(t)
	g := newGate()
	w.startPool("a", w.ports(g.kernel))
	pt := w.uploaded("x")
	<-g.inside
	if _, err := w.Jobs.Cancel(t.Context(), pt.JobID); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(5 * time.Second) // a heartbeat
	w.await(worker.Fenced, pt.JobID)
	if j, p := w.job(pt), w.part(pt.ID); j.FailureCode != fault.Cancelled || p.Status != part.Failed {
		t.Errorf("job = %+v, part = %+v", j, p)
	}
}

// TestLargeJobsLeaveSlotForSmallJob checks that a pool with one slot for large jobs runs a small job at the same time.
func TestLargeJobsLeaveSlotForSmallJob(t *testing.T) {
	w := newWorld(t)
	g := newGate()
	large := worker.Config{
		Name: "a", Runners: 3, LargeRunners: 1,
		Work: job.WorkFilter{Products: []job.Product{job.PartProcessing}},
	}
	pool, err := worker.New(w.ports(g.kernel), large)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		part := w.pending()
		w.enqueue(part, 50_000_000)
	}
	small := w.pending()
	w.enqueue(small, 10)
	w.clock.Advance(time.Hour)
	stopped := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() { stopped <- pool.Run(ctx) }()
	<-g.inside
	<-g.inside
	leases, err := w.store.Leases(t.Context(), 10)
	if err != nil || len(leases) != 2 || leases[0].Class == leases[1].Class {
		t.Errorf("leases %+v, %v; want one large and the small one", leases, err)
	}
	stop()
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
}
