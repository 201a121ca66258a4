package devicetest

import (
	"runtime"
	"time"
)

// Goroutines returns how many there are once no more than wanted are left, or after a time that only a leak
// takes: a goroutine ends some steps after whatever it closes, and one that owns a thread waits for it.
func Goroutines(wanted int) int {
	const patience = 20 * time.Second
	for end := time.Now().Add(patience); runtime.NumGoroutine() > wanted && time.Now().Before(end); {
		runtime.Gosched()
	}
	return runtime.NumGoroutine()
}
