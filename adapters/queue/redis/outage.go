package redis

import (
	"log/slog"
	"time"
)

// Pauses between tries during an outage: each is twice the one before.
const (
	firstPause   = 100 * time.Millisecond
	longestPause = 5 * time.Second
)

// outage knows since when Redis has been away. It belongs to the goroutine that reads.
type outage struct {
	log   *slog.Logger
	since time.Time // zero: it answers
	pause time.Duration
}

// began records a failed try and returns the pause before the next one; it logs only the first.
func (o *outage) began(err error) time.Duration {
	if o.since.IsZero() {
		o.since, o.pause = time.Now(), firstPause
		o.log.Warn("queue: redis does not answer; waiting for it", "error", err)
		return o.pause
	}
	o.pause = min(2*o.pause, longestPause)
	return o.pause
}

// ended notes that Redis answers.
func (o *outage) ended() {
	if o.since.IsZero() {
		return
	}
	o.log.Info("queue: redis answers again", "after", time.Since(o.since).Round(time.Millisecond))
	o.since = time.Time{}
}
