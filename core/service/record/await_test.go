package record_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/record/recordtest"
)

// TestAwait has a record change its state at each poll.
func TestAwait(t *testing.T) {
	gone := errors.New("gone")
	for _, c := range []struct {
		name   string
		most   time.Duration
		states []string // "" is an error; the last one stays
		want   string
		looks  int
		took   time.Duration // at most
	}{
		{"no wait", 0, []string{"queued", "running"}, "queued", 1, 0},
		{"final already", time.Minute, []string{"done"}, "done", 1, 0},
		{"changes", time.Minute, []string{"queued", "queued", "running", "done"}, "running", 3, time.Second},
		{"ends", time.Minute, []string{"running", "done"}, "done", 2, time.Second},
		{"never changes", 30 * time.Second, []string{"queued"}, "queued", 39, 30 * time.Second},
		{"not there", time.Minute, []string{""}, "", 1, 0},
		{"goes meanwhile", time.Minute, []string{"queued", ""}, "", 2, time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			clock := &running{recordtest.NewClock(time.Unix(0, 0))}
			begin, looks := clock.Now(), 0
			got, err := record.WaitForChange(t.Context(), clock, c.most, func(context.Context) (string, error) {
				state := c.states[min(looks, len(c.states)-1)]
				if looks++; state == "" {
					return "", gone
				}
				return state, nil
			}, state)
			if got != c.want || (err != nil) != (c.want == "") || err != nil && !errors.Is(err, gone) {
				t.Errorf("Await = %q, %v; want %q", got, err, c.want)
			}
			if took := clock.Now().Sub(begin); looks != c.looks || took > c.took {
				t.Errorf("%d looks in %s, want %d in %s at most", looks, took, c.looks, c.took)
			}
		})
	}
}

func TestAwaitEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	clock := recordtest.NewClock(time.Unix(0, 0)) // does not advance
	got, err := record.WaitForChange(ctx, clock, time.Hour, func(context.Context) (string, error) {
		cancel()
		return "queued", nil
	}, state)
	if got != "queued" || err != nil {
		t.Errorf("Await = %q, %v; want what was seen last", got, err)
	}
}

func state(s string) (string, bool) { return s, s == "done" }

// running is a clock that advances by each requested pause at once.
type running struct{ *recordtest.Clock }

func (r *running) Ticker(d time.Duration) (<-chan time.Time, func()) {
	ticks, stop := r.Clock.Ticker(d)
	r.Advance(d)
	return ticks, stop
}

// TestWatch: a visit for the first state and each change, heartbeats between, the end after the final state.
func TestWatch(t *testing.T) {
	clock := &running{recordtest.NewClock(time.Unix(0, 0))}
	looks, visits := 0, ""
	begin := clock.Now()
	err := record.Watch(t.Context(), clock, 15*time.Second, func(context.Context) (string, error) {
		looks++
		switch s := clock.Now().Sub(begin); {
		case looks <= 2:
			return "queued", nil
		case s < 40*time.Second:
			return "running", nil
		}
		return "done", nil
	}, state, func(s string, changed bool) error {
		if !changed {
			s = "."
		}
		visits += s + " "
		return nil
	})
	if want := "queued running . . done "; err != nil || visits != want {
		t.Errorf("visits %q, %v; want %q", visits, err, want)
	}
	gone := errors.New("gone")
	visit := func(string, bool) error { return gone }
	look := func(context.Context) (string, error) { return "queued", nil }
	if err := record.Watch(t.Context(), clock, time.Second, look, state, visit); !errors.Is(err, gone) {
		t.Errorf("an error of visit: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := record.Watch(ctx, clock, time.Second, look, state, visit); err != nil {
		t.Errorf("after the end of its context: %v", err)
	}
}
