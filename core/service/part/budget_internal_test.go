package part

import (
	"testing"
	"time"
)

// TestRateLimitErrorAfterSlotOpened covers a slow store: the slot opens before the error is built. The error still
// states when to retry.
func TestRateLimitErrorAfterSlotOpened(t *testing.T) {
	pace := RateLimit{Budget: BudgetParts, Interval: 2 * time.Second}
	opens := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	for _, late := range []time.Duration{0, time.Microsecond, time.Minute} {
		e := pace.Refused(&RateLimitedError{Opens: opens}, opens.Add(late))
		if e.Refusal.RetryAfter <= 0 || e.Refusal.RetrySeconds() != 1 || e.RateLimit != pace {
			t.Errorf("%v late: %+v, want a wait of 1 s", late, e)
		}
	}
}
