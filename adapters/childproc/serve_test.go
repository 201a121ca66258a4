package childproc

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestCollectOften checks that a child gathers less garbage than usual, unless it is told how much.
func TestCollectOften(t *testing.T) {
	const usual = 100
	for _, row := range []struct {
		name, gogc string
		want       int
	}{
		{"by itself", "", gcPercent},
		{"as told", "200", usual}, // the runtime has read it when it started
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
			collectOften()
			if got := debug.SetGCPercent(usual); got != row.want {
				t.Errorf("garbage up to %d %%, want %d", got, row.want)
			}
		})
	}
}
