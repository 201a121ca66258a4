package worker_test

import (
	"fmt"
	"testing"
	"time"

	"millwright/core/service"
	"millwright/core/service/worker"
)

// TestReaperForgetsOldRequests keeps an answer for its 24 hours and removes it in the next pass after them.
func TestReaperForgetsOldRequests(t *testing.T) {
	w := newWorld(t)
	const requests = 250 // more than are removed at once
	for i := range requests {
		claim, err := w.ClaimRequest(t.Context(), w.caller, service.Request{
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
