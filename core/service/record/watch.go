package record

import (
	"context"
	"time"
)

// Watch polls a record and calls visit with it: first as it is, then when its state differs from the last one, and
// otherwise each time that pulse is over, with changed false. It ends without an error after a final state and when ctx
// ends, and with the errors of look and visit.
func Watch[T any](
	ctx context.Context, clock Clock, pulse time.Duration, look func(context.Context) (T, error),
	state func(T) (name string, final bool), visit func(seen T, changed bool) error,
) error {
	last, told := "", clock.Now()
	for pause := firstPause; ; pause = min(pause+pause/2, lastPause) {
		seen, err := look(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		now, final := state(seen)
		changed := now != last
		if changed {
			last, pause = now, firstPause
		}
		if changed || clock.Now().Sub(told) >= pulse {
			if err := visit(seen, changed); err != nil {
				return err
			}
			told = clock.Now()
		}
		if final || !rest(ctx, clock, pause) {
			return nil
		}
	}
}
