package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/record"
)

// deleted deletes a part with all its records.
func (f *fixture) deleted(partID string) {
	f.t.Helper()
	f.discard(f.getPart(partID))
	f.must(f.store.DeletePart(f.ctx, partID, f.after(time.Hour)))
}

// testSharedCuttings checks that the plans of a team share one copy of their parameters, which is deleted with the last
// of their parts. Different bytes under one digest identify the copy; no use case produces such bytes.
func testSharedCuttings(t *testing.T, f *fixture) {
	wants := func(why string, o program.JobOrder, want string) {
		t.Helper()
		if got, err := f.store.Cutting(f.ctx, o.Plan.TeamID, o.Plan.ID); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", why, got, err, want)
		}
	}
	of := func(p part.Part, text string) program.JobOrder {
		o := f.ordered(p, job.Plan)
		o.Cutting = []byte(text)
		return f.place(o)
	}
	a, b := f.readyPart(), f.readyPart()
	first := of(a, `"1"`)
	second := of(a, `"2"`)
	other := of(b, `"3"`)
	wants("the first plan", first, `"1"`)
	wants("another plan of the part", second, `"1"`)
	wants("a plan of another part", other, `"1"`)
	f.deleted(a.ID)
	wants("once the part is gone that had it first", other, `"1"`)
	if _, err := f.store.Cutting(f.ctx, f.team.ID, first.Plan.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("that of a part that is gone: %v", err)
	}
	f.deleted(b.ID)
	wants("once all are gone that had it", of(f.readyPart(), `"4"`), `"4"`)
}

// testCuttingHeldAtOnce: a plan that is made while the last one that shares its cut config is deleted keeps it.
func testCuttingHeldAtOnce(t *testing.T, f *fixture) {
	for i := range 20 {
		old, next := f.ordered(f.readyPart(), job.Plan), f.ordered(f.readyPart(), job.Plan)
		old.Plan.Snapshot = fmt.Sprintf("race %d", i)
		next.Plan.Snapshot = old.Plan.Snapshot
		f.place(old)
		f.discard(f.getPart(old.Plan.PartID))
		now := f.after(time.Hour)
		f.atOnce(2, func(k int) error {
			if k == 0 {
				return f.store.DeletePart(f.ctx, old.Plan.PartID, now)
			}
			_, err := f.store.Place(f.ctx, next, program.CreateOptions{})
			return err
		})
		if got, err := f.store.Cutting(f.ctx, f.team.ID, next.Plan.ID); err != nil || string(got) != string(next.Cutting) {
			t.Fatalf("round %d: %s, %v", i, got, err)
		}
		if _, err := f.store.Cutting(f.ctx, f.team.ID, old.Plan.ID); !errors.Is(err, record.ErrNotFound) {
			t.Fatalf("round %d: the deleted plan: %v", i, err)
		}
		f.lease(next.Job.ID) // so that the next iteration does not see it
	}
}
