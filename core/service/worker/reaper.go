package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
)

// batch is the number of rows in one transaction of the reaper.
const batch = 100

// reap makes its first pass at once, then one every ReapTime.
func (p *Pool) reap(ctx context.Context) {
	ticks, stop := p.Clock.Ticker(p.config.ReapTime)
	defer stop()
	trouble := outageLog{loop: "reaper"}
	for {
		if err := p.reapOnce(ctx); ctx.Err() == nil {
			trouble.note(err, p.now(), p.OnEvent)
		}
		p.OnEvent(Event{Kind: Reaped})
		select {
		case <-ctx.Done():
			return
		case <-ticks:
		}
	}
}

func (p *Pool) reapOnce(ctx context.Context) error {
	return errors.Join(p.takeBack(ctx), p.cleanLost(ctx), p.forgetRequests(ctx), p.expireParts(ctx))
}

// takeBack ends the leases of workers that have gone silent.
func (p *Pool) takeBack(ctx context.Context) error {
	why := fault.Error{
		Code: fault.TimedOut,
		Reason: fmt.Sprintf("The file could not be processed; what worked on it ended without an answer, %d times.",
			p.config.MaxAttempts),
	}
	for {
		jobs, err := p.Attempts.TakeBack(ctx, p.now(), p.config.MaxAttempts, why, batch)
		for _, j := range jobs {
			p.emit(Reclaimed, j, nil)
			if j.Status == job.Queued {
				p.ringFor(ctx, j)
			}
		}
		if err != nil || len(jobs) < batch {
			return err
		}
	}
}

// cleanLost deletes the objects of attempts that ended without a result. It waits CleanTime, so that a
// worker that was only stalled has had time to notice and clean up itself.
func (p *Pool) cleanLost(ctx context.Context) error {
	for {
		lost, err := p.Attempts.LostAttempts(ctx, p.now().Add(-p.config.CleanTime), batch)
		if err != nil {
			return err
		}
		for _, l := range lost {
			if err := p.clean(ctx, l.TeamID, l.PartID, l.FencingToken); err != nil {
				return err
			}
			p.emit(Cleaned, job.Job{ID: l.JobID, TeamID: l.TeamID, PartID: l.PartID, Token: l.Token}, nil)
		}
		if len(lost) < batch {
			return nil
		}
	}
}

// forgetRequests removes the answers that were kept for their time.
func (p *Pool) forgetRequests(ctx context.Context) error {
	for {
		n, err := p.Retention.PurgeRequests(ctx, p.now(), batch)
		if err != nil || n < batch {
			return err
		}
	}
}

// expireParts deletes parts past their retention time, and the rest of parts that clients deleted. A pass deletes one
// batch.
func (p *Pool) expireParts(ctx context.Context) error {
	now := p.now()
	var before time.Time // nothing is as old
	if p.config.RetainTime > 0 {
		before = now.Add(-p.config.RetainTime)
	}
	parts, err := p.Retention.Expire(ctx, before, now, batch)
	if err != nil {
		return err
	}
	for _, old := range parts {
		if err := part.Purge(ctx, p.Objects, p.Retention, old, now); err != nil {
			return err
		}
		p.OnEvent(Event{Kind: Expired, Count: 1})
	}
	return nil
}
