package worker

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
)

// run takes jobs one after the other until ctx ends or the pool is drained. Without a job it requests a wake-up. It
// then waits for the wake-up, for a signal of another runner that expects more work, or for the next poll.
func (p *Pool) run(ctx context.Context, name string) {
	ticks, stop := p.Clock.Ticker(p.config.PollTime - rand.N(p.config.PollTime/4+1)) // spread over time
	defer stop()
	trouble := outageLog{loop: "lease"}
	asked := false // for a wake-up that has not come yet
	for ctx.Err() == nil && !p.isDraining() {
		worked, err := p.next(ctx, name)
		trouble.note(err, p.now(), p.OnEvent)
		if err != nil {
			p.pause(ctx, p.config.RetryTime)
		}
		if err != nil || worked {
			continue
		}
		if !asked {
			p.idle <- struct{}{} // never blocks: the channel has capacity for every runner, and each requests once
			asked = true
		}
		select {
		case <-ctx.Done():
		case <-p.draining:
		case <-p.woken:
			asked = false
		case <-p.again:
		case <-ticks:
		}
	}
}

func (p *Pool) isDraining() bool {
	select {
	case <-p.draining:
		return true
	default:
		return false
	}
}

// receive passes the queue's wake-ups to the runners. It takes one only for an idle runner. Wake-ups that arrive while
// all are busy are for other processes.
func (p *Pool) receive(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.idle:
		}
		for !p.receiveOne(ctx) {
			if ctx.Err() != nil {
				return
			}
			p.pause(ctx, p.config.RetryTime)
		}
		p.woken <- struct{}{} // never waits: a runner has asked
	}
}

// receiveOne waits for a wake-up; it returns false after an error.
func (p *Pool) receiveOne(ctx context.Context) bool {
	d, err := p.Queue.Receive(ctx)
	if err == nil {
		if err := d.Ack(ctx); err != nil && ctx.Err() == nil {
			p.emit(OutageStarted, job.Job{}, fmt.Errorf("acknowledge: %w", err))
		}
		return true
	}
	if ctx.Err() == nil {
		p.emit(OutageStarted, job.Job{}, fmt.Errorf("receive: %w", err))
	}
	return false
}

// next leases one job and runs it to its end; worked is false if no job fits this runner. It takes the slot for a large
// job before it queries the store, and keeps the slot only for a large job.
func (p *Pool) next(ctx context.Context, name string) (worked bool, err error) {
	filter, leave := p.config.Work, func() {}
	if p.large.take() {
		leave = p.releaseSlots
	} else {
		some := false
		if filter, some = filter.Without(job.Large); !some {
			return false, nil
		}
	}
	j, part, err := p.lease(ctx, name, filter)
	if err != nil || j.Class != job.Large {
		leave()
	} else {
		defer leave()
	}
	switch {
	case errors.Is(err, job.ErrNotAvailable):
		return false, nil
	case err != nil:
		return false, err
	}
	p.lookAgain() // after one job there may be more than there were wake-ups
	p.attempt(ctx, j, part)
	return true, nil
}

func (p *Pool) releaseSlots() {
	if p.large.leave() {
		p.lookAgain()
	}
}

// lookAgain makes one idle runner of the pool, or the next runner that becomes idle, query the store.
func (p *Pool) lookAgain() {
	select {
	case p.again <- struct{}{}:
	default: // a runner is already notified, and notifies the next if it finds work
	}
}

func (p *Pool) lease(
	ctx context.Context, name string, filter job.WorkFilter,
) (job.Job, part.Part, error) {
	ctx, cancel := steady(ctx) // a lease that was taken but not returned would cost the job an attempt
	defer cancel()
	now := p.now()
	return p.Attempts.LeaseNext(ctx, filter, job.Lease{Worker: name, Now: now, Until: now.Add(p.config.Lease)})
}
