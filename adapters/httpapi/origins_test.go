package httpapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"
)

// TestOriginAnswersAreCachedBriefly counts the queries to the store.
func TestOriginAnswersAreCachedBriefly(t *testing.T) {
	now := time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)
	asked, allowed, failure := 0, true, error(nil)
	o := &origins{
		ask: func(context.Context, string) (bool, error) {
			asked++
			return allowed, failure
		},
		logger: slog.New(slog.NewTextHandler(io.Discard, nil)), now: func() time.Time { return now },
		known: map[string]knownOrigin{},
	}
	check := func(what string, want bool, wantAsked int) {
		t.Helper()
		if got := o.allowed(t.Context(), "https://a.example"); got != want || asked != wantAsked {
			t.Errorf("%s: %v after %d looks, want %v after %d", what, got, asked, want, wantAsked)
		}
	}
	check("first", true, 1)
	allowed = false
	now = now.Add(originLife - 1)
	check("remembered", true, 1)
	now = now.Add(1)
	check("forgotten", false, 2)
	allowed = true
	check("a no is remembered too", false, 2)
	now = now.Add(originLife)
	failure = errors.New("no store")
	check("the store is gone", false, 3)
	failure = nil
	check("a failure is not remembered", true, 4)
	for i := range 3 * knownOrigins {
		o.allowed(t.Context(), fmt.Sprint("https://", i, ".example"))
	}
	if n := len(o.known); n > knownOrigins {
		t.Errorf("%d origins are remembered, want at most %d", n, knownOrigins)
	}
}
