package service

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A caller is never told a version that the store named before the caller asked.
func TestVersionIsAskedAfterTheCaller(t *testing.T) {
	var changes atomic.Int64
	var asked atomic.Int64
	store := func(context.Context) (string, error) {
		asked.Add(1)
		v := changes.Load()
		time.Sleep(100 * time.Microsecond) // others come meanwhile
		return strconv.FormatInt(v, 10), nil
	}
	var rounds versionRounds
	var all sync.WaitGroup
	const callers, each = 16, 50
	for range callers {
		all.Go(func() {
			for range each {
				known := changes.Add(1)
				text, err := rounds.ask(t.Context(), store)
				if got, _ := strconv.ParseInt(text, 10, 64); err != nil || got < known {
					t.Errorf("version %s, %v after change %d", text, err, known)
				}
			}
		})
	}
	all.Wait()
	if n := asked.Load(); n > callers*each {
		t.Errorf("%d callers asked the store %d times", callers*each, n)
	}
}

func TestVersionRoundsShareTheirQuestion(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	var asked atomic.Int64
	store := func(context.Context) (string, error) {
		if asked.Add(1) == 1 {
			close(entered)
			<-leave
			return "first", nil
		}
		return "second", nil
	}
	var rounds versionRounds
	var all sync.WaitGroup
	all.Go(func() {
		if v, err := rounds.ask(t.Context(), store); v != "first" || err != nil {
			t.Errorf("the first caller is told %q, %v", v, err)
		}
	})
	<-entered
	gone, cancel := context.WithCancel(t.Context())
	const waiting = 8
	var joined atomic.Int64
	for range waiting {
		all.Go(func() {
			joined.Add(1)
			if v, err := rounds.ask(t.Context(), store); v != "second" || err != nil {
				t.Errorf("a caller who came during the first question is told %q, %v", v, err)
			}
		})
	}
	for joined.Load() < waiting || !rounds.waited() {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if _, err := rounds.ask(gone, store); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who has gone is told %v", err)
	}
	close(leave)
	all.Wait()
	if n := asked.Load(); n > 1+waiting {
		t.Errorf("the store was asked %d times", n)
	}
}

func (v *versionRounds) waited() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.next != nil
}

func TestVersionErrors(t *testing.T) {
	broken := errors.New("broken")
	var rounds versionRounds
	if _, err := rounds.ask(t.Context(), func(context.Context) (string, error) { return "", broken }); err != broken {
		t.Errorf("the store's error comes back as %v", err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = rounds.ask(t.Context(), func(context.Context) (string, error) { panic("broken") })
	}()
	if v, err := rounds.ask(t.Context(), func(context.Context) (string, error) { return "1", nil }); v != "1" {
		t.Errorf("after a panic: %q, %v", v, err)
	}
}

func TestEndOfKey(t *testing.T) {
	at := func(s int64) *time.Time { t := time.Unix(s, 0); return &t }
	for _, c := range []struct {
		name             string
		expires, revoked *time.Time
		want             time.Time
	}{
		{"never", nil, nil, time.Time{}},
		{"expiry", at(5), nil, *at(5)},
		{"revocation later on", nil, at(7), *at(7)},
		{"the earlier of both", at(5), at(3), *at(3)},
	} {
		if got := (Key{ExpiresAt: c.expires, RevokedAt: c.revoked}).end(); !got.Equal(c.want) {
			t.Errorf("%s: the key ends at %v, want %v", c.name, got, c.want)
		}
	}
}
