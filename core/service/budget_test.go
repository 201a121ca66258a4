package service_test

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

	"millwright/core/service"
)

var interval = service.DefaultCreateInterval

// create asks for a part and returns the refusal of its budget, or nil.
func create(s *service.Service, c service.Caller) (*service.Error, error) {
	_, err := s.CreatePart(context.Background(), c, service.CreatePartInput{FileName: "a.stp"})
	var refusal *service.Error
	if errors.As(err, &refusal) && refusal.Code == service.CodeRateLimited {
		return refusal, nil
	}
	return nil, err
}

func TestRefusalSaysWhenToComeAgain(t *testing.T) {
	w := newWorld(t)
	s := w.other(service.Config{CreateInterval: interval})
	made, err := s.CreatePart(t.Context(), w.acme, service.CreatePartInput{FileName: "a.stp"})
	if err != nil || made.Slot == nil || made.Slot.Wait != interval || made.Slot.Budget != service.BudgetParts {
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
		w.clock.Advance(c.after)
		_, err := s.CreatePart(t.Context(), w.acme, service.CreatePartInput{FileName: "a.stp"})
		wantCode(t, c.name, err, service.CodeRateLimited)
		var refusal *service.Error
		if !errors.As(err, &refusal) || refusal.Pace.Budget != service.BudgetParts || refusal.RetryAfter != c.wait ||
			refusal.RetrySeconds() != c.seconds {
			t.Errorf("%s: %+v, want a wait of %v, %d s", c.name, refusal, c.wait, c.seconds)
		}
	}
	if _, err := s.CreatePart(t.Context(), w.rival, service.CreatePartInput{FileName: "a.stp"}); err != nil {
		t.Errorf("another team: %v", err)
	}
	w.clock.Advance(time.Microsecond)
	// What is wrong takes no slot.
	_, err = s.CreatePart(t.Context(), w.acme, service.CreatePartInput{FileName: "a.txt"})
	wantCode(t, "unsupported", err, service.CodeUnsupportedFormat)
	if _, err := s.CreatePart(t.Context(), w.acme, service.CreatePartInput{FileName: "a.stp"}); err != nil {
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
		s := service.Slot{Wait: c.d, Pace: service.Pace{Interval: c.d}}
		if s.WaitSeconds() != c.want || s.IntervalSeconds() != c.want {
			t.Errorf("%v: %d and %d s, want %d", c.d, s.WaitSeconds(), s.IntervalSeconds(), c.want)
		}
	}
}

func TestBadIntervals(t *testing.T) {
	w := newWorld(t)
	for _, d := range []time.Duration{-1, time.Nanosecond, time.Second + 1} {
		_, err := service.New(service.Ports{Store: w.store, Objects: w.objects},
			service.Config{CreateInterval: d})
		if err == nil || !strings.Contains(err.Error(), "CreateInterval") {
			t.Errorf("%v: %v, want it refused", d, err)
		}
	}
}

// TestPaceHoldsOverReplicas compares three processes on one database with the rule itself: a request is
// accepted exactly when an interval has passed since the last accepted one.
func TestPaceHoldsOverReplicas(t *testing.T) {
	w := newWorld(t)
	processes := w.replicas(3, service.Config{CreateInterval: interval})
	rapid.Check(t, func(rt *rapid.T) {
		c := teamOf(t, processes[0])
		var opens time.Time
		for range rapid.IntRange(1, 20).Draw(rt, "requests") {
			w.clock.Advance(time.Duration(rapid.Int64Range(0, int64(3*time.Second/time.Microsecond)).Draw(rt, "pause")) *
				time.Microsecond)
			now := service.Stamp(w.clock.Now())
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

func teamOf(t *testing.T, s *service.Service) service.Caller {
	t.Helper()
	key, err := s.CreateKey(context.Background(), service.CreateKeyInput{Team: uuid.NewString(), Name: "n"})
	if err != nil {
		t.Fatal(err)
	}
	return service.Caller{TeamID: key.Key.TeamID, KeyID: key.Key.ID, Access: service.FullAccess}
}

// TestThousandCreationsAtOnce fires them from eight clients at three processes while time goes on.
func TestThousandCreationsAtOnce(t *testing.T) {
	const clients, requests = 8, 1000
	w := newWorld(t)
	processes := w.replicas(3, service.Config{CreateInterval: interval})
	c := teamOf(t, processes[0])
	begun := w.clock.Now()
	var accepted, sent atomic.Int64
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			for sent.Add(1) <= requests {
				w.clock.Advance(20 * time.Millisecond)
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
	// One slot at the beginning and one per interval; a client may look at the clock late and miss one.
	most := 1 + int64(w.clock.Now().Sub(begun)/interval)
	if n := accepted.Load(); n > most || n < most*3/4 {
		t.Errorf("%d creations in %v, want at most %d and not many fewer", n, w.clock.Now().Sub(begun), most)
	}
}
