package redis

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"millwright.dev/millwright/core/service/job"
)

var errClosed = errors.New("queue: closed")

// received is the message to a waiting receiver.
type received struct {
	id   string // of the entry
	wake job.WakeUp
	err  error
}

// Receive implements job.Queue. Receivers of one process share one reader and its connection; it reads only while a
// receiver waits.
func (q *Queue) Receive(ctx context.Context) (job.Delivery, error) {
	if err := ctx.Err(); err != nil {
		return job.Delivery{}, err
	}
	mine := make(chan received, 1)
	if !q.join(mine) {
		return job.Delivery{}, errClosed
	}
	select {
	case r := <-mine:
		return q.delivery(r)
	case <-ctx.Done():
	}
	if q.leave(mine) {
		return job.Delivery{}, ctx.Err()
	}
	if r := <-mine; r.err == nil { // handed over in this very moment
		q.handOn(r)
	}
	return job.Delivery{}, ctx.Err()
}

// join adds a receiver and starts the reader if necessary; it returns false once the queue is closed.
func (q *Queue) join(mine chan received) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ctx.Err() != nil {
		return false
	}
	q.receivers = append(q.receivers, mine)
	if !q.fetching {
		q.fetching = true
		q.all.Go(q.fetch)
	}
	return true
}

// leave removes a receiver from the waiting ones; it returns false if the receiver was already served.
func (q *Queue) leave(mine chan received) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.receivers, mine)
	if i < 0 {
		return false
	}
	q.receivers = slices.Delete(q.receivers, i, i+1)
	return true
}

func (q *Queue) delivery(r received) (job.Delivery, error) {
	if r.err != nil {
		return job.Delivery{}, r.err
	}
	return job.Delivery{WakeUp: r.wake, Ack: func(ctx context.Context) error { return q.ack(ctx, r.id) }}, nil
}

// ack takes an entry out of the group and of the stream.
func (q *Queue) ack(ctx context.Context, id string) error {
	_, err := q.client.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.XAck(ctx, q.stream, group, id)
		p.XDel(ctx, q.stream, id)
		return nil
	})
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	return nil
}

// fetch reads for the receivers until no receiver waits. At most one runs at a time.
func (q *Queue) fetch() {
	for {
		n := q.wanted()
		if n == 0 {
			return
		}
		batch, err := q.read(n)
		switch {
		case err == nil:
			q.outage.ended()
		case q.ctx.Err() != nil:
			q.refuse(errClosed)
			continue
		case permanent(err):
			q.refuse(fmt.Errorf("queue: %w", err))
			continue
		default:
			q.pause(q.outage.began(err))
		}
		for _, r := range batch {
			q.handOn(r)
		}
	}
}

// wanted counts the receivers; with 0 it also records that fetching ends.
func (q *Queue) wanted() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.receivers) == 0 {
		q.fetching = false
	}
	return int64(len(q.receivers))
}

// refuse ends all that wait with an error.
func (q *Queue) refuse(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, r := range q.receivers {
		r <- received{err: err}
	}
	q.receivers = nil
}

// handOn gives a wake-up to the receiver that has waited longest, or back to Redis for other processes.
func (q *Queue) handOn(r received) {
	q.mu.Lock()
	if len(q.receivers) > 0 {
		first := q.receivers[0]
		q.receivers = q.receivers[1:]
		first <- r
		q.mu.Unlock()
		return
	}
	q.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(q.ctx), firstTry)
	defer cancel()
	if q.Publish(ctx, r.wake) == nil { // else it stays pending, and is delivered again after ClaimAfter
		_ = q.ack(ctx, r.id) // else it is delivered twice
	}
}

// read waits for at most n wake-ups. From time to time it first searches for wake-ups delivered long ago.
func (q *Queue) read(n int64) ([]received, error) {
	if time.Since(q.claimed) > q.options.ClaimAfter/4 {
		silent, err := q.claim(n)
		if err != nil || len(silent) > 0 {
			return silent, err
		}
		q.claimed = time.Now()
	}
	streams, err := q.client.XReadGroup(q.ctx, &redis.XReadGroupArgs{
		Group: group, Consumer: consumer, Streams: []string{q.stream, ">"}, Count: n, Block: q.options.Block,
	}).Result()
	switch {
	case errors.Is(err, redis.Nil): // no message
		return nil, nil
	case redis.HasErrorPrefix(err, "NOGROUP"):
		return nil, q.makeGroup(q.ctx) // the database was flushed
	case err != nil:
		return nil, err
	}
	var entries []redis.XMessage
	for _, s := range streams {
		entries = append(entries, s.Messages...)
	}
	return q.decode(entries)
}

// claim takes over wake-ups that were delivered and not acknowledged for long.
func (q *Queue) claim(n int64) ([]received, error) {
	entries, _, err := q.client.XAutoClaim(q.ctx, &redis.XAutoClaimArgs{
		Stream: q.stream, Group: group, Consumer: consumer, MinIdle: q.options.ClaimAfter, Start: "0", Count: n,
	}).Result()
	if redis.HasErrorPrefix(err, "NOGROUP") {
		return nil, q.makeGroup(q.ctx)
	}
	if err != nil || len(entries) == 0 {
		return nil, err
	}
	return q.decode(entries)
}

// decode reads entries and removes their jobs from the names of waiting jobs. If that fails, the entries are not
// delivered now: they stay pending, and a later claim finds them.
func (q *Queue) decode(entries []redis.XMessage) ([]received, error) {
	var out []received
	var jobs []string
	for _, e := range entries {
		text, _ := e.Values[field].(string)
		r := received{id: e.ID}
		if err := json.Unmarshal([]byte(text), &r.wake); err != nil || r.wake.JobID == "" {
			q.options.Log.Warn("queue: an invalid entry was removed", "entry", e.ID)
			if err := q.ack(q.ctx, e.ID); err != nil {
				return nil, err
			}
			continue
		}
		out = append(out, r)
		jobs = append(jobs, r.wake.JobID)
	}
	if len(jobs) == 0 {
		return nil, nil
	}
	if err := q.client.HDel(q.ctx, q.waiting, jobs...).Err(); err != nil {
		return nil, err
	}
	return out, nil
}

// pause waits for d, up to a quarter more or less, or for the end of the queue.
func (q *Queue) pause(d time.Duration) {
	d += time.Duration((rand.Float64() - 0.5) / 2 * float64(d))
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-q.ctx.Done():
	}
}
