package share

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A caller never gets the result of a look-up that began before its call.
func TestSharedLookupBeginsAfterCall(t *testing.T) {
	var changes, looks atomic.Int64
	var rounds Singleflight[string, int64]
	var all sync.WaitGroup
	const callers, each = 16, 50
	for range callers {
		all.Go(func() {
			for range each {
				known := changes.Add(1)
				got, err := rounds.Ask(t.Context(), "n", func(context.Context) (int64, error) {
					looks.Add(1)
					v := changes.Load()
					time.Sleep(100 * time.Microsecond) // other callers join in this time
					return v, nil
				})
				if err != nil || got < known {
					t.Errorf("%d, %v after change %d", got, err, known)
				}
			}
		})
	}
	all.Wait()
	if n := looks.Load(); n > callers*each/2 {
		t.Errorf("%d callers looked %d times", callers*each, n)
	}
	if len(rounds.under) != 0 {
		t.Errorf("%d keys are left", len(rounds.under))
	}
}

func TestWaitersShareNextLookup(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	var looks atomic.Int64
	look := func(context.Context) (string, error) {
		if looks.Add(1) == 1 {
			close(entered)
			<-leave
			return "first", nil
		}
		return "second", nil
	}
	var rounds Singleflight[int, string]
	var all sync.WaitGroup
	all.Go(func() {
		if v, err := rounds.Ask(t.Context(), 0, look); v != "first" || err != nil {
			t.Errorf("the first caller is told %q, %v", v, err)
		}
	})
	<-entered
	all.Go(func() {
		if v, err := rounds.Ask(t.Context(), 0, look); v != "second" || err != nil {
			t.Errorf("a caller who came during the first look is told %q, %v", v, err)
		}
	})
	for waits := false; !waits; time.Sleep(time.Millisecond) {
		rounds.mu.Lock()
		waits = rounds.under[0].next != nil
		rounds.mu.Unlock()
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := rounds.Ask(gone, 0, look); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who has gone is told %v", err)
	}
	other := func(context.Context) (string, error) { return "other", nil }
	if v, err := rounds.Ask(t.Context(), 1, other); v != "other" {
		t.Errorf("another key waits, or is told %q, %v", v, err)
	}
	close(leave)
	all.Wait()
}

func TestSingleflightReturnsErrors(t *testing.T) {
	broken := errors.New("broken")
	var rounds Singleflight[int, int]
	if _, err := rounds.Ask(t.Context(), 0, func(context.Context) (int, error) { return 0, broken }); err != broken {
		t.Errorf("the error of a look comes back as %v", err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = rounds.Ask(t.Context(), 0, func(context.Context) (int, error) { panic("broken") })
	}()
	if v, err := rounds.Ask(t.Context(), 0, func(context.Context) (int, error) { return 1, nil }); v != 1 {
		t.Errorf("after a panic: %d, %v", v, err)
	}
}

func TestCacheRespectsWeightLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := NewMemory[int, int](64)
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			key, weight := rapid.IntRange(0, 60).Draw(t, "key"), rapid.IntRange(1, 6).Draw(t, "weight")
			if v, ok := m.Get(key); ok && v != key*key {
				t.Fatalf("key %d has the value %d", key, v)
			}
			m.Put(key, key*key, weight)
			if _, ok := m.Get(key); !ok && weight <= 4 {
				t.Fatal("the value that was just put is not there")
			}
			young := 0
			for _, v := range m.young {
				young += v.weight
			}
			if young != m.weight || young > m.most {
				t.Fatalf("a weight of %d, counted as %d, of %d", young, m.weight, m.most)
			}
		}
	})
}

func TestCacheKeepsRequestedValues(t *testing.T) {
	m := NewMemory[string, bool](64)
	m.Put("wanted", true, 1)
	m.Put("unwanted", true, 1)
	for i := range 500 {
		m.Put(fmt.Sprint(i), false, 1)
		if v, ok := m.Get("wanted"); !ok || !v {
			t.Fatalf("a value that is asked for all the time is forgotten after %d others", i+1)
		}
	}
	if _, ok := m.Get("unwanted"); ok {
		t.Error("a value that nobody asked for is still there after 500 others")
	}
	m.Put("heavy", true, 5)
	if _, ok := m.Get("heavy"); ok {
		t.Error("a value is kept that would drive out many others")
	}
}
