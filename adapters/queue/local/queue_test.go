package local

import (
	"testing"

	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/internal/queuetest"
)

func TestQueue(t *testing.T) {
	queuetest.Run(t, func(*testing.T) job.Queue { return New() })
}

func TestWaitingJobIsKeptOnce(t *testing.T) {
	q := New()
	w := job.WakeUp{JobID: "a", Product: job.PartProcessing}
	for range 3 {
		if err := q.Publish(t.Context(), w); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(q.waiting); n != 1 {
		t.Errorf("%d wake-ups wait after publishing one job three times, want 1", n)
	}
}
