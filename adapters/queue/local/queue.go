// Package local wakes the workers of its own process. It keeps wake-ups in memory, in order, each job
// at most once at a time; all are lost when the process ends, and the reaper finds the jobs again in
// the store.
package local

import (
	"context"
	"sync"

	"millwright.dev/millwright/core/service/job"
)

var _ job.Queue = (*Queue)(nil)

// Queue is job.Queue in memory. It has no limit, since it contains at most the queued jobs of the store.
type Queue struct {
	mu      sync.Mutex
	waiting []job.WakeUp
	known   map[string]struct{} // job ids in waiting
	more    chan struct{}       // a token while waiting is not empty
}

// New returns an empty queue.
func New() *Queue {
	return &Queue{known: map[string]struct{}{}, more: make(chan struct{}, 1)}
}

// Publish implements job.Queue. A job that waits already is not added again.
func (q *Queue) Publish(ctx context.Context, w job.WakeUp) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, waits := q.known[w.JobID]; waits {
		return nil
	}
	q.known[w.JobID] = struct{}{}
	q.waiting = append(q.waiting, w)
	q.signal()
	return nil
}

// Receive implements job.Queue.
func (q *Queue) Receive(ctx context.Context) (job.Delivery, error) {
	for {
		if err := ctx.Err(); err != nil {
			return job.Delivery{}, err
		}
		if w, ok := q.pop(); ok {
			return job.Delivery{WakeUp: w, Ack: func(context.Context) error { return nil }}, nil
		}
		select {
		case <-ctx.Done():
		case <-q.more:
		}
	}
}

func (q *Queue) pop() (job.WakeUp, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return job.WakeUp{}, false
	}
	w := q.waiting[0]
	q.waiting = q.waiting[1:]
	delete(q.known, w.JobID)
	if len(q.waiting) > 0 {
		q.signal()
	}
	return w, true
}

// signal wakes one more receiver; the caller has locked mu.
func (q *Queue) signal() {
	select {
	case q.more <- struct{}{}:
	default:
	}
}
