package worker

import (
	"context"
	"fmt"

	"millwright/core/service"
)

// batch is how many rows the relay and the reaper handle in one transaction.
const batch = 100

// relay publishes the outbox whenever it is nudged, and every RelayTime for what other processes wrote.
func (p *Pool) relay(ctx context.Context) {
	ticks, stop := p.Clock.Ticker(p.config.RelayTime)
	defer stop()
	for {
		if err := p.publishDue(ctx); err != nil && ctx.Err() == nil {
			p.tell(Trouble, service.Job{}, fmt.Errorf("relay: %w", err))
		}
		select {
		case <-ctx.Done():
			return
		case <-p.nudged:
		case <-ticks:
		}
	}
}

// publishDue publishes first and deletes afterwards: a crash in between repeats wake-ups and loses none.
func (p *Pool) publishDue(ctx context.Context) error {
	for {
		rows, err := p.Store.PendingWakes(ctx, p.now(), batch)
		if err != nil || len(rows) == 0 {
			return err
		}
		ids := make([]int64, 0, len(rows))
		for _, r := range rows {
			if err := p.Queue.Publish(ctx, r.Wake); err != nil {
				return err
			}
			ids = append(ids, r.ID)
		}
		if err := p.Store.DeleteWakes(ctx, ids); err != nil {
			return err
		}
		p.OnEvent(Event{Kind: Relayed, Count: len(rows)})
	}
}
