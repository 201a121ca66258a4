package part

// Creations are rate limited. Each team has a limit for parts and one for programs, and each limit opens one slot per
// interval. An accepted request takes the open slot. The next slot opens one interval later, however long the slot was
// open, so idle time permits no burst. A refused request takes no slot.
//
// The Store decides in the transaction that writes the record, so the limit applies across all processes. A record that
// was not written takes no slot. Times are from the clock that the processes share (record.SharedClock).

import (
	"fmt"
	"time"

	"millwright.dev/millwright/core/service/apierr"
)

// RateLimitName names a rate limit; the limits of a team are independent of each other.
type RateLimitName string

// The budgets.
const (
	BudgetParts    RateLimitName = "parts"
	BudgetPrograms RateLimitName = "programs"
)

// RateLimit is a budget with the time between two of its slots. Interval 0: unlimited.
type RateLimit struct {
	Budget   RateLimitName
	Interval time.Duration
}

// RateLimitedError is a Store's answer to a request before the slot it needs.
type RateLimitedError struct {
	Opens time.Time // of the slot
}

func (e *RateLimitedError) Error() string {
	return "the next slot opens at " + e.Opens.Format(time.RFC3339Nano)
}

// RateLimitState is the state of a team's rate limit after a request; nil means unlimited.
type RateLimitState struct {
	RateLimit
	Wait time.Duration // until the next slot opens
}

// WaitSeconds returns the wait in whole seconds, rounded up, at least 1.
func (s RateLimitState) WaitSeconds() int { return apierr.Seconds(s.Wait) }

// IntervalSeconds returns the time between slots in whole seconds, rounded up, at least 1.
func (s RateLimitState) IntervalSeconds() int { return apierr.Seconds(s.Interval) }

// Taken returns the state of a rate limit whose slot has just been taken.
func (p RateLimit) Taken() *RateLimitState {
	if p.Interval == 0 {
		return nil
	}
	return &RateLimitState{RateLimit: p, Wait: p.Interval}
}

// RateLimitError is the refusal of a request by a rate limit.
type RateLimitError struct {
	Refusal   *apierr.Error
	RateLimit RateLimit
}

func (e *RateLimitError) Error() string { return e.Refusal.Error() }

// Unwrap returns the refusal.
func (e *RateLimitError) Unwrap() error { return e.Refusal }

// Refused converts a Store's refusal into the error of a use case.
func (p RateLimit) Refused(e *RateLimitedError, now time.Time) *RateLimitError {
	wait := e.Opens.Sub(now)
	return &RateLimitError{RateLimit: p, Refusal: apierr.Errorf(apierr.RateLimited,
		"A team may create one of its %s every %s; try again in %d s.", p.Budget, p.Interval, apierr.Seconds(wait),
	).After(wait)}
}

// pace is the budget as this service paces it.
func (s *Service) pace(b RateLimitName) RateLimit {
	return RateLimit{Budget: b, Interval: s.config.CreateInterval}
}

// checkInterval refuses intervals that a store cannot represent exactly.
func checkInterval(d time.Duration) error {
	if d < 0 || d != d.Truncate(time.Microsecond) {
		return fmt.Errorf("part: CreateInterval must be whole microseconds and not negative, got %s", d)
	}
	return nil
}
