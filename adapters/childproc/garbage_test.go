package childproc

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"
)

// TestChildStartsWithLittleCollection checks that a child starts with the least frequent garbage collection, unless the
// environment sets another value.
func TestChildStartsWithLittleCollection(t *testing.T) {
	const usual = 100
	for _, row := range []struct {
		name, gogc string
		want       int
	}{
		{"as told", "200", usual}, // the runtime read it at its start
		{"by itself", "", mostGarbagePercent},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Setenv("GOGC", row.gogc) // which also restores it
			if row.gogc == "" {
				if err := os.Unsetenv("GOGC"); err != nil {
					t.Fatal(err)
				}
			}
			before := debug.SetGCPercent(usual)
			defer debug.SetGCPercent(before)
			CollectSparingly()
			if got := debug.SetGCPercent(usual); got != row.want {
				t.Errorf("garbage up to %d %%, want %d", got, row.want)
			}
		})
	}
}

func TestGarbagePercentFollowsLiveHeap(t *testing.T) {
	for _, row := range []struct {
		live uint64
		want int
	}{
		{0, mostGarbagePercent}, {1 << 20, mostGarbagePercent}, {4 << 20, 400}, {8 << 20, 200},
		{32 << 20, garbagePercent}, {1 << 34, garbagePercent},
	} {
		if got := garbageFor(row.live); got != row.want {
			t.Errorf("garbageFor(%d) = %d, want %d", row.live, got, row.want)
		}
	}
}

// TestAfterEachCollection checks that the callback runs repeatedly. A collection during the previous call adds no call.
func TestAfterEachCollection(t *testing.T) {
	var calls atomic.Int32
	afterEachCollection(func() { calls.Add(1) })
	for until := time.Now().Add(time.Minute); calls.Load() < 3; runtime.GC() {
		if time.Now().After(until) {
			t.Fatalf("%d calls in a minute of collections, want 3", calls.Load())
		}
	}
}
