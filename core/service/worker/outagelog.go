package worker

import (
	"fmt"
	"time"
)

// outageLog reports a recurring error, such as an outage of the queue or the store: at its start, then at doubling
// intervals, and at its end. An outage of an hour takes about ten log lines.
type outageLog struct {
	loop  string // name of the loop that reports
	began time.Time
	next  time.Time // time of the next report
	pause time.Duration
}

const (
	firstSilence   = 5 * time.Second
	longestSilence = 10 * time.Minute
)

// note records the outcome of one more attempt.
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
