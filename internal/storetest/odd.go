package storetest

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
)

// testOddText checks that unknown names and malformed reasons cause no errors of the store.
func testOddText(t *testing.T, f *fixture) {
	for _, odd := range []string{"\x00", "a\x00b", "\xff", "\xc3\x28", uuid.NewString() + "\x00"} {
		_, err := f.store.Part(f.ctx, f.team.ID, odd)
		_, jobErr := f.store.Job(f.ctx, f.team.ID, odd)
		_, teamErr := f.store.TeamByName(f.ctx, odd)
		_, enqueueErr := f.store.Enqueue(f.ctx, job.Job{
			ID: uuid.NewString(), TeamID: f.team.ID, PartID: odd, Product: job.PartAnalysis,
		}, part.EnqueueOptions{})
		if !errors.Is(err, record.ErrNotFound) || !errors.Is(jobErr, record.ErrNotFound) ||
			!errors.Is(teamErr, record.ErrNotFound) || !errors.Is(enqueueErr, record.ErrNotFound) {
			t.Errorf("%q: Part %v, Job %v, TeamByName %v, Enqueue %v; want none found",
				odd, err, jobErr, teamErr, enqueueErr)
		}
		if got, err := f.store.FeaturesByID(f.ctx, f.team.ID, []string{odd}); err != nil || len(got) != 0 {
			t.Errorf("%q: FeaturesByID = %v, %v; want none", odd, got, err)
		}
		if got, err := f.store.OriginAllowed(f.ctx, odd, f.now); err != nil || got {
			t.Errorf("%q: OriginAllowed = %v, %v; want false", odd, got, err)
		}
		_, j, fence := f.leased()
		why := fault.Error{Code: fault.UnreadableFile, Reason: "The entity " + odd + " is unknown."}
		if err := f.store.Fail(f.ctx, fence, why, f.tick()); err != nil {
			t.Errorf("%q: Fail = %v", odd, err)
		}
		if got := f.getJob(j.ID); got.Status != job.Failed || got.FailureReason == "" {
			t.Errorf("%q: job = %+v, want failed with a reason", odd, got)
		}
	}
}
