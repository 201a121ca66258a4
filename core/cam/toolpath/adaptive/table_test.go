package adaptive_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"syscall"
	"testing"
	"time"

	"millwright.dev/millwright/core/cam/toolpath/adaptive"
)

func TestTable(t *testing.T) {
	only := os.Getenv("ONLY")
	D, A := 10.0, 60.0
	fmt.Sscan(os.Getenv("D"), &D)
	fmt.Sscan(os.Getenv("A"), &A)
	for _, name := range shapes {
		if only != "" && only != name {
			continue
		}
		l := areas{t}.shape(name, D, A*math.Pi/180)
		row(t, name, l)
	}
}

func cpu() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano())
}

func TestRandomTable(t *testing.T) {
	n := 50
	fmt.Sscan(os.Getenv("N"), &n)
	D, A := 10.0, 60.0
	fmt.Sscan(os.Getenv("D"), &D)
	fmt.Sscan(os.Getenv("A"), &A)
	for seed := range n {
		p := areas{t}.random(uint64(seed))
		row(t, fmt.Sprint(seed), areas{t}.pocket(p.Scaled(D/10), D, A*math.Pi/180))
	}
}

func row(t testing.TB, name string, l adaptive.Level) figures {
	best := time.Hour
	var r *adaptive.Result
	for range 3 {
		start := cpu()
		var err error
		if r, err = adaptive.Clear(context.Background(), l); err != nil {
			t.Fatal(err)
		}
		best = min(best, cpu()-start)
	}
	f := measure(t, &l, r.Moves)
	deg := 180 / math.Pi
	fmt.Printf("%-10s worst %5.1f p99.9 %5.1f p99 %5.1f mean %4.1f over %5.3f%% left %6.1f/%6.0f = %.2f%% (%.1f) cut %5.0f idle %4.0f link %5.0f arc %4.1f out %.4f enters %d helix %d air %.1f moves %d time %.1f cpu %5.2f = %.2f ms/m ref %d\n",
		name, f.worst*deg, f.p999*deg, f.p99*deg, f.mean*deg, 100*f.over, f.left, f.reachable, 100*f.left/f.reachable, r.Left, f.cut, f.idle, f.link, f.linkWorst*deg, f.outside, f.enters, f.helices, f.entryWorst*deg, len(r.Moves), f.seconds,
		best.Seconds()*1e3, best.Seconds()*1e6/(f.cut+f.idle+f.link), len(r.Refused))
	return f
}
