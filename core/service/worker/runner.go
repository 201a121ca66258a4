package worker

import (
	"context"
	"errors"
	"fmt"

	"millwright/core/service"
)

// run takes jobs one after the other until ctx ends.
func (p *Pool) run(ctx context.Context, name string) {
	for ctx.Err() == nil {
		d, err := p.Queue.Receive(ctx)
		if err != nil {
			if ctx.Err() == nil {
				p.tell(Trouble, service.Job{}, fmt.Errorf("receive: %w", err))
				p.pause(ctx, p.config.RetryTime)
			}
			continue
		}
		job, part, err := p.lease(ctx, name, d)
		switch {
		case errors.Is(err, service.ErrNotAvailable): // another worker was quicker
		case err != nil:
			p.tell(Trouble, service.Job{ID: d.Wake.JobID}, fmt.Errorf("lease: %w", err))
			p.pause(ctx, p.config.RetryTime)
		default:
			p.attempt(ctx, job, part)
		}
	}
}

func (p *Pool) lease(
	ctx context.Context, name string, d service.Delivery,
) (service.Job, service.Part, error) {
	ctx, cancel := steady(ctx) // half a lease, taken and not known to us, would cost the job an attempt
	defer cancel()
	now := p.now()
	job, part, err := p.Store.LeaseJob(ctx, d.Wake.JobID, service.Lease{
		Worker: name, Now: now, Until: now.Add(p.config.Lease),
	})
	if ack := d.Ack(ctx); ack != nil {
		p.tell(Trouble, service.Job{ID: d.Wake.JobID}, fmt.Errorf("acknowledge: %w", ack))
	}
	return job, part, err
}
