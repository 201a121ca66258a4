package main

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"regexp"
	"testing"
	"time"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/record"
)

// wrongClock is the clock of a machine that is ahead.
type wrongClock struct {
	record.SystemClock
	ahead time.Duration
}

func (c wrongClock) Now() time.Time { return time.Now().Add(c.ahead) }

// TestDatabasesClockCounts opens backends with clocks that are a minute off: recorded times are right, and the skew is
// logged once.
func TestDatabasesClockCounts(t *testing.T) { onEachStore(t, openWithWrongClocks) }

func openWithWrongClocks(t *testing.T) {
	data := t.TempDir()
	for _, ahead := range []time.Duration{-time.Minute, time.Minute} {
		b, err := openBackend(t.Context(), dataFlags{
			Data: data, MaxUpload: 1, clock: wrongClock{ahead: ahead},
			Records: databaseFlags{Database: os.Getenv("MILLWRIGHT_DATABASE")},
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.close)
		key, err := b.use.Accounts.CreateKey(t.Context(), account.CreateKeyInput{Team: "acme", Name: "test"})
		if err != nil {
			t.Fatal(err)
		}
		if off := time.Since(key.Key.CreatedAt).Abs(); off > time.Minute/2 {
			t.Errorf("a key made by a clock that is %s ahead is %s off", ahead, off)
		}
		var text bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		watchClock(ctx, b.clock, slog.New(slog.NewTextHandler(&text, nil)))
		told := regexp.MustCompile(`level=WARN .* ahead=(\S+)`).FindStringSubmatch(text.String())
		if told == nil {
			t.Fatalf("a clock that is %s ahead is logged as %q", ahead, text.String())
		}
		if got, err := time.ParseDuration(told[1]); err != nil || (got-ahead).Abs() > time.Second {
			t.Errorf("a clock that is %s ahead is logged as ahead by %s (%v)", ahead, told[1], err)
		}
	}
}

func TestWorkersGoByTheDatabasesClock(t *testing.T) {
	flags := dataFlags{Data: t.TempDir(), MaxUpload: 1, clock: wrongClock{ahead: time.Minute}}
	watched, err := processFlags{LogFormat: "text", LogLevel: "error"}.newWatch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b, err := openWatched(t.Context(), flags, watched)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.close)
	var none job.Queue
	pool, closeKernel, err := b.pool(workerFlags{Workers: 1, LargeJobs: 1, Lease: time.Minute, Clean: time.Hour}, none)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = closeKernel() })
	if pool.Clock != record.Clock(b.clock) {
		t.Errorf("the workers go by %T", pool.Clock)
	}
}
