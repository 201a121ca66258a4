package worker

import (
	"fmt"
	"time"
)

// A outageLog is trouble that a loop meets again and again, as an outage of the queue or the store is. It is told when it
// begins, then after pauses that double, and once when it is over: an outage of an hour is ten lines in a log.
type outageLog struct {
	loop  string // that meets it
	began time.Time
	next  time.Time // when it is told again
	pause time.Duration
}

const (
	firstSilence   = 5 * time.Second
	longestSilence = 10 * time.Minute
)

// note takes the outcome of one more try.
func (h *outageLog) note(err error, now time.Time, emit func(Event)) {
	met := h.pause > 0
	switch {
	case err == nil && met:
		emit(Event{Kind: OutageEnded, Loop: h.loop, Took: now.Sub(h.began)})
		*h = outageLog{loop: h.loop}
	case err != nil && (!met || !now.Before(h.next)):
		if !met {
			h.began = now
		}
		h.pause = min(max(2*h.pause, firstSilence), longestSilence)
		h.next = now.Add(h.pause)
		emit(Event{Kind: OutageStarted, Loop: h.loop, Err: fmt.Errorf("%s: %w", h.loop, err)})
	}
}
