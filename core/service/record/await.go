package record

import (
	"context"
	"time"
)

// Pauses between polls of a record. They grow by half, so that a client learns of a change at most half the elapsed
// time later, or a second.
const (
	firstPause = 20 * time.Millisecond
	lastPause  = time.Second
)

// WaitForChange polls a record until its state differs from its first state, or is final, and returns the record as
// last seen. It ends without an error after the duration most, and when ctx ends. An error of look is returned, because
// the record may no longer exist.
func WaitForChange[T any](
	ctx context.Context, clock Clock, most time.Duration, look func(context.Context) (T, error),
	state func(T) (name string, final bool),
) (T, error) {
	end := clock.Now().Add(most)
	seen, err := look(ctx)
	if err != nil {
		return seen, err
	}
	first, final := state(seen)
	for pause := firstPause; !final; pause = min(pause+pause/2, lastPause) {
		left := end.Sub(clock.Now())
		if left <= 0 || !rest(ctx, clock, min(pause, left)) {
			break
		}
		again, err := look(ctx)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return again, err
		}
		seen = again
		var now string
		if now, final = state(seen); now != first {
			break
		}
	}
	return seen, nil
}

// rest waits, and reports whether ctx lasts.
func rest(ctx context.Context, clock Clock, d time.Duration) bool {
	ticks, stop := clock.Ticker(d)
	defer stop()
	select {
	case <-ctx.Done():
		return false
	case <-ticks:
		return true
	}
}
