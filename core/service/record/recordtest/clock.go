// Package recordtest provides a clock that tests advance explicitly.
package recordtest

import (
	"sync"
	"time"

	"millwright.dev/millwright/core/service/record"
)

var _ record.Clock = (*Clock)(nil)

// Clock is a clock that changes only through Advance.
type Clock struct {
	mu      sync.Mutex
	now     time.Time
	tickers map[*ticker]struct{}
}

type ticker struct {
	every time.Duration
	next  time.Time
	ticks chan time.Time
}

// NewClock returns a clock that shows the given time.
func NewClock(now time.Time) *Clock {
	return &Clock{now: now, tickers: map[*ticker]struct{}{}}
}

// Now implements record.Clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Ticker implements record.Clock.
func (c *Clock) Ticker(d time.Duration) (<-chan time.Time, func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &ticker{every: d, next: c.now.Add(d), ticks: make(chan time.Time, 1)}
	c.tickers[t] = struct{}{}
	return t.ticks, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.tickers, t)
	}
}

// Advance moves the clock; every ticker whose time has come ticks once.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	for t := range c.tickers {
		if t.next.After(c.now) {
			continue
		}
		for !t.next.After(c.now) {
			t.next = t.next.Add(t.every)
		}
		select {
		case t.ticks <- c.now:
		default:
		}
	}
}
