package part

// Creations are paced: each team has a budget of parts and one of programs, and each budget opens one slot
// every interval. An accepted request takes the open slot; the next opens one interval after it, however
// long the slot stood open, so that idle time banks no burst. A refused request takes nothing.
//
// The Store decides, in the transaction that writes the record, so the pace holds over any number of
// processes, and a record that was not written costs no slot. Time is that of the clock which the processes
// share (record.SharedClock).

import (
	"fmt"
	"time"

	"millwright.dev/millwright/core/service/apierr"
)

// RateLimitName names what is paced; budgets of a team are independent of each other.
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

// RateLimitState is where a team's budget stands after a request; a nil one says that the budget is unlimited.
type RateLimitState struct {
	RateLimit
	Wait time.Duration // until the next slot opens
}

// WaitSeconds is the wait in whole seconds, rounded up, at least 1.
func (s RateLimitState) WaitSeconds() int { return apierr.Seconds(s.Wait) }

// IntervalSeconds is the time between slots in whole seconds, rounded up, at least 1.
func (s RateLimitState) IntervalSeconds() int { return apierr.Seconds(s.Interval) }

// Taken is the state of a budget whose slot has just been taken.
func (p RateLimit) Taken() *RateLimitState {
	if p.Interval == 0 {
		return nil
	}
	return &RateLimitState{RateLimit: p, Wait: p.Interval}
}

// RateLimitError is a refusal of a budget.
type RateLimitError struct {
	Refusal   *apierr.Error
	RateLimit RateLimit
}

func (e *RateLimitError) Error() string { return e.Refusal.Error() }

// Unwrap returns the refusal.
func (e *RateLimitError) Unwrap() error { return e.Refusal }

// Refused turns a Store's refusal into that of a use case.
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

// checkInterval refuses intervals that no store keeps exactly.
func checkInterval(d time.Duration) error {
	if d < 0 || d != d.Truncate(time.Microsecond) {
		return fmt.Errorf("part: CreateInterval must be whole microseconds and not negative, got %s", d)
	}
	return nil
}
