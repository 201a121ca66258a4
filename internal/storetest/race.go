package storetest

import (
	"sync"
	"testing"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
)

// testPartsThatFailAtOnce: of two jobs on one part that fail at the same time, one must notice that it is the last.
func testPartsThatFailAtOnce(t *testing.T, f *fixture) {
	for range 10 {
		pt := f.pendingPart(f.team)
		var fences []job.FencingToken
		for range 4 {
			_, fence := f.lease(f.queued(pt).ID)
			fences = append(fences, fence)
		}
		now := f.tick()
		f.atOnce(len(fences), func(i int) error {
			return f.store.Fail(f.ctx, fences[i], fault.Error{Code: fault.NoSolid, Reason: "-"}, now)
		})
		if p := f.getPart(pt.ID); p.Status != part.Failed {
			t.Fatalf("part = %+v, want failed: all of its jobs have", p)
		}
	}
}

// testTakenBackAtOnce checks that concurrent reapers on parts with several jobs take every job once.
func testTakenBackAtOnce(t *testing.T, f *fixture) {
	parts := []part.Part{f.pendingPart(f.team), f.pendingPart(f.team), f.pendingPart(f.team)}
	want := map[string]int{}
	for i := range 24 {
		job, _ := f.lease(f.queued(parts[i%len(parts)]).ID)
		want[job.ID] = 1
	}
	now := f.after(leaseTime)
	var mu sync.Mutex
	f.atOnce(4, func(int) error {
		for {
			taken, err := f.store.TakeBack(f.ctx, now, 1, fault.Error{Code: fault.TimedOut, Reason: "-"}, 5)
			if err != nil || len(taken) == 0 {
				return err
			}
			mu.Lock()
			for _, j := range taken {
				want[j.ID]--
			}
			mu.Unlock()
		}
	})
	for id, n := range want {
		if n != 0 {
			t.Errorf("job %s was taken back %d times, want once", id, 1-n)
		}
	}
	for _, pt := range parts {
		if p := f.getPart(pt.ID); p.Status != part.Failed {
			t.Errorf("part = %+v, want failed", p)
		}
	}
}
