package worker

import (
	"context"
	"sync"
	"time"

	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/record"
)

// Notifier notifies free workers of stored jobs through the queue. A failed notification is only reported, since every
// free runner polls each PollTime.
type Notifier struct {
	queue job.Queue
	clock record.Clock
	emit  func(Event)

	mu      sync.Mutex
	trouble outageLog
}

// ringTime is the maximum delay that a notification adds to the request that queued the job.
const ringTime = time.Second

// NewNotifier uses the Queue, Clock and OnEvent of the ports.
func NewNotifier(p Ports) *Notifier {
	b := &Notifier{queue: p.Queue, clock: p.Clock, emit: p.OnEvent, trouble: outageLog{loop: "ring"}}
	if b.clock == nil {
		b.clock = record.SystemClock{}
	}
	if b.emit == nil {
		b.emit = func(Event) {}
	}
	return b
}

// Notify publishes a wake-up, also when the context has just ended: the job is stored.
func (b *Notifier) Notify(ctx context.Context, w job.WakeUp) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ringTime)
	defer cancel()
	err := b.queue.Publish(ctx, w)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trouble.note(err, b.clock.Now(), b.emit)
}
