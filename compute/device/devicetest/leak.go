package devicetest

import (
	"runtime"
	"time"
)

// Goroutines returns the number of goroutines once it is at most wanted, or after a timeout that only a leak reaches. A
// goroutine ends a few steps after it closes its resources, and one that owns a thread waits for that thread.
func Goroutines(wanted int) int {
	const patience = 20 * time.Second
	for end := time.Now().Add(patience); runtime.NumGoroutine() > wanted && time.Now().Before(end); {
		runtime.Gosched()
	}
	return runtime.NumGoroutine()
}
