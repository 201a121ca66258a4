package record

import (
	"context"
	"time"
)

// Pauses between looks at a record that somebody waits for: they grow by half, so that a client learns of a change
// within half the time that it took, or a second.
const (
	firstPause = 20 * time.Millisecond
	lastPause  = time.Second
)

// WaitForChange looks at a record until its state is not the one it had at first, or one that it does not leave by
// itself, and returns it as it was seen last. It gives up after most, and when ctx ends, without an error. An error of
// look is returned: the record may be gone by now.
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
