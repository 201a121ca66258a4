package local

import (
	"testing"

	"millwright/core/service"
	"millwright/core/service/queuetest"
)

func TestQueue(t *testing.T) {
	queuetest.Run(t, func(*testing.T) service.Queue { return New() })
}

func TestWaitingJobIsKeptOnce(t *testing.T) {
	q := New()
	w := service.Wake{JobID: "a", Product: service.ProductPartProcessing}
	for range 3 {
		if err := q.Publish(t.Context(), w); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(q.waiting); n != 1 {
		t.Errorf("%d wake-ups wait after publishing one job three times, want 1", n)
	}
}
