package record_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/record/recordtest"
)

// keeper is a Timekeeper on a local clock; each call takes the next of the delays.
type keeper struct {
	local  *recordtest.Clock
	ahead  time.Duration // of the local clock
	delays []time.Duration
	err    error
}

func (k *keeper) Time(context.Context) (time.Time, error) {
	var d time.Duration
	if len(k.delays) > 0 {
		d, k.delays = k.delays[0], k.delays[1:]
	}
	k.local.Advance(d / 2)
	told := k.local.Now().Add(k.ahead)
	k.local.Advance(d - d/2)
	return told, k.err
}

var noon = time.Date(2026, 11, 3, 12, 0, 0, 0, time.UTC)

func newShared(t *testing.T, k *keeper) *record.SharedClock {
	t.Helper()
	c, err := record.NewSharedClock(t.Context(), k, k.local)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSharedClock(t *testing.T) {
	for _, c := range []struct {
		name   string
		keeper keeper
		want   record.Skew
		large  bool
	}{
		{"right", keeper{}, record.Skew{}, false},
		{"ahead", keeper{ahead: -25 * time.Second}, record.Skew{Ahead: 25 * time.Second}, true},
		{"behind", keeper{ahead: time.Minute}, record.Skew{Ahead: -time.Minute}, true},
		{"a second", keeper{ahead: time.Second}, record.Skew{Ahead: -time.Second}, false},
		{"the shortest trip counts", keeper{
			ahead: -2 * time.Second, delays: []time.Duration{3 * time.Second, time.Second, 4 * time.Second},
		}, record.Skew{Ahead: 2 * time.Second, Within: time.Second / 2}, true},
		{"uncertain", keeper{
			ahead: -2 * time.Second, delays: []time.Duration{2 * time.Second, 2 * time.Second, 2 * time.Second},
		}, record.Skew{Ahead: 2 * time.Second, Within: time.Second}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.keeper.local = recordtest.NewClock(noon)
			clock := newShared(t, &c.keeper)
			if got := clock.Skew(); got != c.want || got.Large() != c.large {
				t.Errorf("Skew = %+v, large %v; want %+v, %v", got, got.Large(), c.want, c.large)
			}
			c.keeper.local.Advance(time.Hour)
			if got, want := clock.Now(), c.keeper.local.Now().Add(c.keeper.ahead); !got.Equal(want) {
				t.Errorf("after an hour Now = %v, want %v", got, want)
			}
		})
	}
}

// TestSharedClockIsMeasuredAgain: a new time of the keeper is followed, unless a far longer trip makes it doubtful.
func TestSharedClockIsMeasuredAgain(t *testing.T) {
	k := &keeper{local: recordtest.NewClock(noon)}
	clock := newShared(t, k)
	measure := func() record.Skew {
		t.Helper()
		skew, err := clock.Measure(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return skew
	}
	k.ahead = time.Hour
	if got := measure().Ahead; got != -time.Hour {
		t.Errorf("after the keeper was set, the skew is %v", got)
	}
	slow := []time.Duration{10 * time.Second, 10 * time.Second, 10 * time.Second}
	k.ahead, k.delays = 2*time.Hour, slow
	if got := measure().Ahead; got != -time.Hour {
		t.Errorf("a look of 10 s counts at once, with a skew of %v", got)
	}
	k.local.Advance(10 * time.Minute)
	k.delays = slow
	if got := measure(); got != (record.Skew{Ahead: -2 * time.Hour, Within: 5 * time.Second}) {
		t.Errorf("a look of 10 s does not count after 10 min: %+v", got)
	}
	k.err = errors.New("away")
	if _, err := clock.Measure(t.Context()); !errors.Is(err, k.err) {
		t.Errorf("Measure = %v, want %v", err, k.err)
	}
	if got, want := clock.Now(), k.local.Now().Add(2*time.Hour); !got.Equal(want) {
		t.Errorf("in an outage Now = %v, want %v", got, want)
	}
}
