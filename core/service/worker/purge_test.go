package worker_test

import (
	"testing"
	"time"

	"millwright/core/service"
	"millwright/core/service/worker"
)

// TestReaperForgetsOldRequests keeps an answer for its 24 hours and removes it in the next pass after them.
func TestReaperForgetsOldRequests(t *testing.T) {
	w := newWorld(t)
	claim, err := w.ClaimRequest(t.Context(), w.caller, service.Request{
		Method: "POST", Path: "/parts", IdempotencyKey: "k",
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := claim.Keep(t.Context(), service.Answer{Status: 201, Body: []byte{}}); err != nil {
		t.Fatal(err)
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
