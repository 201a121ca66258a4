package part_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
)

var interval = part.DefaultCreateInterval

// create requests a part and returns the rate limit error, or nil.
func create(s *app.UseCases, c account.Caller) (*apierr.Error, error) {
	_, err := s.Parts.Create(context.Background(), c, part.CreateInput{FileName: "a.stp"})
	var refused *apierr.Error
	if errors.As(err, &refused) && refused.Code == apierr.RateLimited {
		return refused, nil
	}
	return nil, err
}

func TestRateLimitErrorHasRetryAfter(t *testing.T) {
	w := newWorld(t)
	s := w.Other(app.Config{Parts: part.Config{CreateInterval: interval}})
	made, err := s.Parts.Create(t.Context(), w.Acme, part.CreateInput{FileName: "a.stp"})
	if err != nil || made.Slot == nil || made.Slot.Wait != interval || made.Slot.Budget != part.BudgetParts {
		t.Fatalf("first: slot %+v, %v", made.Slot, err)
	}
	for _, c := range []struct {
		name    string
		after   time.Duration // since the row before
		wait    time.Duration
		seconds int
	}{
		{"at once", 0, 2 * time.Second, 2},
		{"a moment later", time.Microsecond, 2*time.Second - time.Microsecond, 2},
		{"halfway", time.Second, time.Second - time.Microsecond, 1},
		{"nearly", time.Second - 2*time.Microsecond, time.Microsecond, 1},
	} {
		w.Clock.Advance(c.after)
		_, err := s.Parts.Create(t.Context(), w.Acme, part.CreateInput{FileName: "a.stp"})
		apptest.WantCode(t, c.name, err, apierr.RateLimited)
		var paced *part.RateLimitError
		if !errors.As(err, &paced) || paced.RateLimit.Budget != part.BudgetParts ||
			paced.Refusal.RetryAfter != c.wait ||
			paced.Refusal.RetrySeconds() != c.seconds {
			t.Errorf("%s: %v, want a wait of %v, %d s", c.name, err, c.wait, c.seconds)
		}
	}
	if _, err := s.Parts.Create(t.Context(), w.Rival, part.CreateInput{FileName: "a.stp"}); err != nil {
		t.Errorf("another team: %v", err)
	}
	w.Clock.Advance(time.Microsecond)
	// An invalid request takes no slot.
	_, err = s.Parts.Create(t.Context(), w.Acme, part.CreateInput{FileName: "a.txt"})
	apptest.WantCode(t, "unsupported", err, apierr.UnsupportedFormat)
	if _, err := s.Parts.Create(t.Context(), w.Acme, part.CreateInput{FileName: "a.stp"}); err != nil {
		t.Errorf("after the wait: %v", err)
	}
}

func TestWholeSeconds(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want int
	}{
		{0, 1}, {-time.Hour, 1}, {1, 1}, {time.Second, 1}, {time.Second + 1, 2}, {2 * time.Second, 2},
		{90 * time.Minute, 5400},
	} {
		s := part.RateLimitState{Wait: c.d, RateLimit: part.RateLimit{Interval: c.d}}
		if s.WaitSeconds() != c.want || s.IntervalSeconds() != c.want {
			t.Errorf("%v: %d and %d s, want %d", c.d, s.WaitSeconds(), s.IntervalSeconds(), c.want)
		}
	}
}

func TestBadIntervals(t *testing.T) {
	w := newWorld(t)
	for _, d := range []time.Duration{-1, time.Nanosecond, time.Second + 1} {
		_, err := app.New(app.On(w.Store, w.Objects),
			app.Config{Parts: part.Config{CreateInterval: d}})
		if err == nil || !strings.Contains(err.Error(), "CreateInterval") {
			t.Errorf("%v: %v, want it refused", d, err)
		}
	}
}

// TestRateLimitAcrossReplicas compares three processes on one database with the rule: a request is accepted exactly if
// an interval has passed since the last accepted one.
func TestRateLimitAcrossReplicas(t *testing.T) {
	w := newWorld(t)
	processes := w.Replicas(3, app.Config{Parts: part.Config{CreateInterval: interval}})
	rapid.Check(t, func(rt *rapid.T) {
		c := teamOf(t, processes[0])
		var opens time.Time
		for range rapid.IntRange(1, 20).Draw(rt, "requests") {
			w.Clock.Advance(time.Duration(rapid.Int64Range(0,
				int64(3*time.Second/time.Microsecond)).Draw(rt, "pause")) *
				time.Microsecond)
			now := record.TruncateTime(w.Clock.Now())
			refusal, err := create(rapid.SampledFrom(processes).Draw(rt, "process"), c)
			if err != nil {
				rt.Fatal(err)
			}
			switch early := now.Before(opens); {
			case early != (refusal != nil):
				rt.Fatalf("at %v, slot opening at %v: refused = %v", now, opens, refusal != nil)
			case early && refusal.RetryAfter != opens.Sub(now):
				rt.Fatalf("told to wait %v, want %v", refusal.RetryAfter, opens.Sub(now))
			case !early:
				opens = now.Add(interval)
			}
		}
	})
}

func teamOf(t *testing.T, s *app.UseCases) account.Caller {
	t.Helper()
	key, err := s.Accounts.CreateKey(context.Background(), account.CreateKeyInput{Team: uuid.NewString(), Name: "n"})
	if err != nil {
		t.Fatal(err)
	}
	return account.Caller{TeamID: key.Key.TeamID, KeyID: key.Key.ID, Access: account.FullAccess}
}

// TestThousandCreationsAtOnce sends 1,000 requests from eight clients to three processes while time passes.
func TestThousandCreationsAtOnce(t *testing.T) {
	const clients, requests = 8, 1000
	w := newWorld(t)
	processes := w.Replicas(3, app.Config{Parts: part.Config{CreateInterval: interval}})
	c := teamOf(t, processes[0])
	begun := w.Clock.Now()
	var accepted, sent atomic.Int64
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			for sent.Add(1) <= requests {
				w.Clock.Advance(20 * time.Millisecond)
				refusal, err := create(processes[i%len(processes)], c)
				if err != nil {
					t.Error(err)
					return
				}
				if refusal == nil {
					accepted.Add(1)
				}
			}
		})
	}
	all.Wait()
	// One slot at the start and one per interval; a client may check the time late and miss a slot.
	most := 1 + int64(w.Clock.Now().Sub(begun)/interval)
	if n := accepted.Load(); n > most || n < most*3/4 {
		t.Errorf("%d creations in %v, want at most %d and not many fewer", n, w.Clock.Now().Sub(begun), most)
	}
}
