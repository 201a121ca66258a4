package record

import (
	"time"

	"github.com/google/uuid"
)

// Clock is the source of time; tests move it by hand.
type Clock interface {
	Now() time.Time
	// Ticker calls back on the channel every d until stop is called. A tick that nobody takes is dropped.
	Ticker(d time.Duration) (ticks <-chan time.Time, stop func())
}

// SystemClock is the wall clock.
type SystemClock struct{}

// Now returns the current time.
func (SystemClock) Now() time.Time { return time.Now() }

// Ticker ticks every d.
func (SystemClock) Ticker(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTicker(d)
	return t.C, t.Stop
}

// TruncateTime returns a time with the resolution of records: UTC in whole microseconds, which every store supports.
func TruncateTime(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// NewID returns a new UUID of version 7. Rows created one after the other are adjacent in an index.
func NewID() string {
	id, err := uuid.NewV7()
	if err != nil {
		return uuid.NewString() // panics if the machine has no source of randomness
	}
	return id.String()
}
