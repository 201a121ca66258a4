package worker_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/core/pipeline/pipelinetest"
	"millwright.dev/millwright/core/service/idempotency"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

// TestReaperForgetsOldRequests keeps an answer for its 24 hours and removes it in the next pass after them.
func TestReaperForgetsOldRequests(t *testing.T) {
	w := newWorld(t)
	const requests = 250 // more than one batch
	for i := range requests {
		claim, err := w.Requests.Claim(t.Context(), w.caller, idempotency.Request{
			Method: "POST", Path: "/parts", IdempotencyKey: fmt.Sprint(i),
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := claim.Drop(t.Context(), false); err != nil {
			t.Fatal(err)
		}
	}
	w.clock.Advance(24 * time.Hour)
	ports := w.ports(nil)
	reaped := make(chan struct{}, 1)
	ports.OnEvent = func(e worker.Event) {
		if e.Kind == worker.Reaped {
			select {
			case reaped <- struct{}{}:
			default:
			}
		}
	}
	defer w.startPool("reaper", ports)()
	<-reaped
	if left, err := w.store.PurgeRequests(t.Context(), w.clock.Now(), 10); err != nil || left != 0 {
		t.Errorf("%d old requests are left, %v", left, err)
	}
}

// TestOldPartsAreDeleted keeps parts for a day; their objects go before their records.
func TestOldPartsAreDeleted(t *testing.T) {
	w := newWorld(t)
	stop := w.startPool("a", w.ports(pipelinetest.Cube))
	old := w.uploaded("x")
	w.await(worker.Committed, old.JobID)
	stop()
	w.clock.Advance(25 * time.Hour)
	young := w.pending()
	pool, err := worker.New(w.ports(pipelinetest.Cube), worker.Config{RetainTime: 24 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- pool.Run(ctx) }()
	w.await(worker.Expired, "")
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if files := w.resultFiles(); len(files) != 0 {
		t.Errorf("result objects %v of a deleted part", files)
	}
	if _, err := w.objects.Head(t.Context(), old.Source); !errors.Is(err, object.ErrNotFound) {
		t.Errorf("the file of the deleted part: %v, want ErrNoObject", err)
	}
	if _, err := w.store.Part(t.Context(), old.TeamID, old.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("the deleted part: %v, want ErrNotFound", err)
	}
	if _, err := w.objects.Head(t.Context(), young.Source); err != nil || w.part(young.ID).ID != young.ID {
		t.Errorf("the young part: %v", err)
	}
}

// TestPartDeletedDuringJob checks that neither records nor objects remain, and that a late upload is found.
func TestPartDeletedDuringJob(t *testing.T) {
	w := newWorld(t)
	g := newGate()
	w.startPool("a", w.ports(g.kernel))
	p := w.uploaded("x")
	<-g.inside
	if err := w.Parts.Delete(t.Context(), w.caller, p.ID); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(5 * time.Second) // a heartbeat
	w.await(worker.Fenced, p.JobID)
	w.awaitAfter(worker.Expired, "")
	if _, err := w.store.Job(t.Context(), p.TeamID, p.JobID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("its job: %v, want ErrNotFound", err)
	}
	late := part.SourceObjects(p)[1]
	if err := w.objects.Put(t.Context(), late, strings.NewReader("late")); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(48 * time.Hour)
	w.await(worker.Expired, "")
	for _, ref := range part.SourceObjects(p) {
		if _, err := w.objects.Head(t.Context(), ref); !errors.Is(err, object.ErrNotFound) {
			t.Errorf("%s: %v, want ErrNotFound", ref.Key, err)
		}
	}
	if files := w.resultFiles(); len(files) != 0 {
		t.Errorf("result objects %v", files)
	}
}
