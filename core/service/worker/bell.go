package worker

import (
	"context"
	"sync"
	"time"

	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/record"
)

// Bell tells free workers through the queue of jobs that were stored. A ring that fails is only told: every free runner
// looks for itself each PollTime.
type Bell struct {
	queue job.Queue
	clock record.Clock
	tell  func(Event)

	mu      sync.Mutex
	trouble hindrance
}

// ringTime is how long a ring may keep whoever queued the job.
const ringTime = time.Second

// NewBell uses the Queue, Clock and OnEvent of the ports.
func NewBell(p Ports) *Bell {
	b := &Bell{queue: p.Queue, clock: p.Clock, tell: p.OnEvent, trouble: hindrance{loop: "ring"}}
	if b.clock == nil {
		b.clock = record.SystemClock{}
	}
	if b.tell == nil {
		b.tell = func(Event) {}
	}
	return b
}

// Ring publishes a wake-up, also when the context has just ended: the job is stored.
func (b *Bell) Ring(ctx context.Context, w job.Wake) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ringTime)
	defer cancel()
	err := b.queue.Publish(ctx, w)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trouble.note(err, b.clock.Now(), b.tell)
}
