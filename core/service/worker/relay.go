package worker

import (
	"context"
	"time"

	"millwright/core/service"
)

// batch is how many rows the relay and the reaper handle in one transaction.
const batch = 100

// Relay publishes the outbox to the queue. Every pool has one; a process without workers may run one alone, so that
// its jobs need not wait until a pool looks.
type Relay struct {
	store  service.Store
	queue  service.Queue
	clock  service.Clock
	every  time.Duration
	nudged chan struct{}
	tell   func(Event)
}

// NewRelay uses the Store, Queue, Clock and OnEvent of the ports; it looks at the outbox when nudged, and every so
// often for what other processes wrote.
func NewRelay(p Ports, every time.Duration) *Relay {
	r := &Relay{
		store: p.Store, queue: p.Queue, clock: p.Clock, every: every, nudged: make(chan struct{}, 1), tell: p.OnEvent,
	}
	if r.clock == nil {
		r.clock = service.SystemClock{}
	}
	if r.tell == nil {
		r.tell = func(Event) {}
	}
	return r
}

// Nudge tells the relay that the outbox holds something new.
func (r *Relay) Nudge() {
	select {
	case r.nudged <- struct{}{}:
	default: // it is already awake
	}
}

// Run publishes until ctx ends.
func (r *Relay) Run(ctx context.Context) {
	ticks, stop := r.clock.Ticker(r.every)
	defer stop()
	trouble := hindrance{loop: "relay"}
	for {
		if err := r.publishDue(ctx); ctx.Err() == nil {
			trouble.note(err, r.clock.Now(), r.tell)
		}
		select {
		case <-ctx.Done():
			return
		case <-r.nudged:
		case <-ticks:
		}
	}
}

// publishDue publishes first and deletes afterwards: a crash in between repeats wake-ups and loses none.
func (r *Relay) publishDue(ctx context.Context) error {
	for {
		rows, err := r.store.PendingWakes(ctx, service.Stamp(r.clock.Now()), batch)
		if err != nil || len(rows) == 0 {
			return err
		}
		ids := make([]int64, 0, len(rows))
		for _, row := range rows {
			if err := r.queue.Publish(ctx, row.Wake); err != nil {
				return err
			}
			ids = append(ids, row.ID)
		}
		if err := r.store.DeleteWakes(ctx, ids); err != nil {
			return err
		}
		r.tell(Event{Kind: Relayed, Count: len(rows)})
	}
}
