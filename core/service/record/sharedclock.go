package record

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Timekeeper is the source of the time that several processes share.
type Timekeeper interface {
	// Time returns the present time.
	Time(ctx context.Context) (time.Time, error)
}

// Skew is the difference between the clock of a process and a Timekeeper's clock.
type Skew struct {
	Ahead  time.Duration // of the Timekeeper; negative: behind
	Within time.Duration // maximum error of Ahead: half the round-trip time
}

// Tolerable is the maximum skew that needs no attention of an operator.
const Tolerable = time.Second

// Large reports whether the skew is more than tolerable for certain.
func (s Skew) Large() bool { return max(s.Ahead, -s.Ahead)-s.Within > Tolerable }

// SharedClock is a clock with the time of a Timekeeper: the last measured time plus the time since then on the local
// clock. The local clock's absolute time does not matter, and the system clock may be set at any time. SharedClock is
// safe for concurrent use.
type SharedClock struct {
	keeper Timekeeper
	local  Clock

	mu     sync.Mutex
	at     time.Time // of the last measurement, by the local clock
	shared time.Time // the same by the Timekeeper
	skew   Skew
}

var _ Clock = (*SharedClock)(nil)

// NewSharedClock measures the skew of a local clock.
func NewSharedClock(ctx context.Context, keeper Timekeeper, local Clock) (*SharedClock, error) {
	c := &SharedClock{keeper: keeper, local: local}
	_, err := c.Measure(ctx)
	return c, err
}

// Now returns the present time by the Timekeeper.
func (c *SharedClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shared.Add(c.local.Now().Sub(c.at))
}

// Ticker ticks by the local clock.
func (c *SharedClock) Ticker(d time.Duration) (<-chan time.Time, func()) { return c.local.Ticker(d) }

// Skew returns the last skew that was measured.
func (c *SharedClock) Skew() Skew {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.skew
}

const (
	looks = 3 // polls per measurement; the one with the shortest round trip is used
	// drift is the assumed error of a measurement per unit of time since. Real clocks are better. The bound lets a
	// later, slower measurement replace an old one, as after an outage.
	drift = 0.01
)

// Measure reads the Timekeeper's clock again.
func (c *SharedClock) Measure(ctx context.Context) (Skew, error) {
	var at, shared time.Time
	var best Skew
	for i := range looks {
		begin := c.local.Now()
		told, err := c.keeper.Time(ctx)
		if err != nil {
			return Skew{}, fmt.Errorf("look at the shared clock: %w", err)
		}
		end := c.local.Now()
		if within := end.Sub(begin) / 2; i == 0 || within < best.Within {
			at, shared = end, told.Add(within)
			best = Skew{Ahead: wall(end).Sub(wall(shared)), Within: within}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	age := time.Duration(drift * float64(at.Sub(c.at)))
	if c.at.IsZero() || best.Within <= c.skew.Within+age {
		c.at, c.shared, c.skew = at, shared, best
	}
	return c.skew, nil
}

// wall is a time without its monotonic reading, which does not change when the clock is set.
func wall(t time.Time) time.Time { return t.Round(0) }
