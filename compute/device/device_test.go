package device_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/device/devicetest"
)

func failing(name string, reason device.Reason) device.Opener {
	return device.Opener{Name: name, Open: func() (device.Driver, error) {
		return nil, device.Errorf(reason, "no luck")
	}}
}

func TestOpenTakesFirstUsableDevice(t *testing.T) {
	hard, soft := &devicetest.Fake{}, &devicetest.Fake{Software: true}
	for _, c := range []struct {
		name     string
		openers  []device.Opener
		software bool
		reason   device.Reason
		says     string
	}{
		{"hardware behind a refused one", []device.Opener{failing("a", device.Context), hard.Opener()}, false, "", ""},
		{"hardware behind software", []device.Opener{soft.Opener(), hard.Opener()}, false, "", ""},
		{"software, wanted", []device.Opener{soft.Opener()}, true, "", ""},
		{"software, not wanted", []device.Opener{failing("a", device.NoDevice), soft.Opener()}, false,
			device.Software, "fake"},
		{"nothing", nil, true, device.NoDevice, ""},
		{"the most telling", []device.Opener{
			failing("first", device.Context), soft.Opener(), failing("last", device.NoDevice),
		}, false, device.Context, "first"},
	} {
		d, err := device.Open(c.openers, device.Options{Source: source, Software: c.software})
		reason, _ := device.ReasonOf(err)
		if reason != c.reason || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want reason %q and %q", c.name, err, c.reason, c.says)
		}
		if d != nil {
			d.Close()
		}
		if _, _, open := soft.Left(); open {
			t.Errorf("%s: the software device stays open", c.name)
		}
	}
}

func TestBuffersArePooledAndReleased(t *testing.T) {
	f := &devicetest.Fake{}
	d := fakeDevice(t, f)
	before := runtime.NumGoroutine()
	for range 5 {
		if _, err := run(t.Context(), d, device.Job{Items: 640}, 10); err != nil {
			t.Fatal(err)
		}
	}
	if n := d.Stats().Buffers; n != 1 {
		t.Errorf("%d buffers after five equal calls, want 1", n)
	}
	d.Close()
	if b, p, open := f.Left(); b != 0 || p != 0 || open {
		t.Errorf("%d buffers and %d programs left, open %v", b, p, open)
	}
	after := devicetest.Goroutines(before - 1)
	if after >= before {
		t.Errorf("%d goroutines with the device open, %d after", before, after)
	}
}

func TestPoolRespectsItsLimit(t *testing.T) {
	f := &devicetest.Fake{}
	d, err := device.Open([]device.Opener{f.Opener()}, device.Options{Source: source, PoolBytes: 100 << 10})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	err = d.Do(t.Context(), func(s *device.Session) error {
		for i := range 50 {
			if _, err := device.Alloc[byte8](s, 100*(i+1)); err != nil {
				return err
			}
		}
		return nil
	})
	if n, _, _ := f.Left(); err != nil || n == 0 || n > 25 {
		t.Errorf("%d buffers lie in a pool of 100 KiB after 50 of 4 KiB and more, %v", n, err)
	}
}

type byte8 [8]uint8

func TestPooledMemoryIsFreedBeforeFailure(t *testing.T) {
	f := &devicetest.Fake{Memory: 1 << 20}
	d := fakeDevice(t, f)
	fill := func(n, size int) error {
		return d.Do(t.Context(), func(s *device.Session) error {
			for range n {
				if _, err := device.Alloc[uint32](s, size/4); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := fill(3, 256<<10); err != nil { // lie in the pool afterward
		t.Fatal(err)
	}
	if err := fill(1, 1<<20); err != nil {
		t.Errorf("with a full pool: %v", err)
	}
	err := fill(5, 256<<10)
	if reason, _ := device.ReasonOf(err); reason != device.Memory {
		t.Errorf("reason %q of %v", reason, err)
	}
	if err := fill(1, 4); err != nil {
		t.Errorf("the device is of no use after: %v", err)
	}
}

func TestBuffersRespectLimits(t *testing.T) {
	d := fakeDevice(t, &devicetest.Fake{Storage: 1000})
	check := func(name string, want device.Reason, work func(s *device.Session) error) {
		t.Helper()
		if reason, _ := device.ReasonOf(d.Do(t.Context(), work)); reason != want {
			t.Errorf("%s: reason %q, want %q", name, reason, want)
		}
	}
	alloc := func(n int) func(s *device.Session) error {
		return func(s *device.Session) error { _, err := device.Alloc[uint32](s, n); return err }
	}
	check("all of it", "", alloc(250))
	check("too much", device.Limit, alloc(251))
	check("negative", device.Limit, alloc(-1))
	check("overflowing", device.Limit, alloc(1<<62))
	check("pointers", device.Limit, func(s *device.Session) error { _, err := device.Alloc[*int](s, 1); return err })
	check("read past the end", device.Limit, func(s *device.Session) error {
		b, err := device.Alloc[uint32](s, 10)
		if err != nil {
			return err
		}
		return device.Read(s, b, 6, make([]uint32, 5))
	})
	var runs [][2]int
	check("chunks", "", func(s *device.Session) error {
		return s.Chunks(600, 4, func(lo, hi int) error { runs = append(runs, [2]int{lo, hi}); return nil })
	})
	if want := [][2]int{{0, 250}, {250, 500}, {500, 600}}; !slices.Equal(runs, want) {
		t.Errorf("chunks %v, want %v", runs, want)
	}
}

func TestWritesAndReadsInTheMiddle(t *testing.T) {
	d := fakeDevice(t, &devicetest.Fake{})
	got := make([]uint32, 5)
	err := d.Do(t.Context(), func(s *device.Session) error {
		b, err := device.Upload(s, []uint32{1, 2, 3, 4, 5})
		if err != nil {
			return err
		}
		if err := device.Write(s, b, 1, []uint32{20, 30}); err != nil {
			return err
		}
		if err := device.Read(s, b, 1, got[1:3]); err != nil {
			return err
		}
		if b.Bytes() != 20 {
			t.Errorf("%d bytes", b.Bytes())
		}
		s.Free(b)
		other, err := device.Alloc[uint32](s, 5)
		if err != nil {
			return err
		}
		if err := s.Zero(other); err != nil {
			return err
		}
		return device.Read(s, other, 3, got[3:])
	})
	if err != nil || !slices.Equal(got, []uint32{0, 20, 30, 0, 0}) {
		t.Errorf("read %v, %v", got, err)
	}
	if s := d.Stats(); s.BytesUp != 28 || s.BytesDown != 16 || s.Buffers != 1 {
		t.Errorf("stats %+v", s)
	}
}

func TestHangingDeviceCountsAsLost(t *testing.T) {
	hang := false
	f := &devicetest.Fake{Cost: func(int, int) time.Duration {
		if hang {
			return time.Hour
		}
		return 0
	}}
	d := fakeDevice(t, f)
	hang = true
	for range 2 {
		_, err := run(t.Context(), d, device.Job{Items: 1}, 1)
		if reason, _ := device.ReasonOf(err); reason != device.Lost {
			t.Errorf("reason %q of %v", reason, err)
		}
	}
	if s := d.Stats(); s.Lost != 1 || len(f.Log) != 1 {
		t.Errorf("lost %d times after %d dispatches", s.Lost, len(f.Log))
	}
}

// TestAbandonedDispatchIsAwaited has a function return while its dispatch runs, without reading the result.
func TestAbandonedDispatchIsAwaited(t *testing.T) {
	f := &devicetest.Fake{Cost: func(int, int) time.Duration { return time.Hour }}
	d := fakeDevice(t, f)
	err := d.Do(t.Context(), func(s *device.Session) error {
		b, err := device.Alloc[uint32](s, 1)
		if err != nil {
			return err
		}
		return s.Run(device.Job{Shader: device.Shader{Name: "count"}, Buffers: []device.Buffer{b}, Items: 1})
	})
	if reason, _ := device.ReasonOf(err); reason != device.Lost {
		t.Errorf("a dispatch that never ends: %v", err)
	}
}

func TestWaitingCallEndsWithItsContext(t *testing.T) {
	d := fakeDevice(t, &devicetest.Fake{})
	entered, leave := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = d.Do(t.Context(), func(*device.Session) error {
			close(entered)
			<-leave
			return nil
		})
	})
	<-entered
	ctx, cancel := context.WithCancel(t.Context())
	given := make(chan error)
	go func() { given <- d.Do(ctx, func(*device.Session) error { t.Error("it ran"); return nil }) }()
	cancel()
	if err := <-given; !errors.Is(err, context.Canceled) {
		t.Errorf("a call that waits for its turn answers %v", err)
	}
	close(leave)
	wg.Wait()
}

func TestPanicsReachTheCaller(t *testing.T) {
	d := fakeDevice(t, &devicetest.Fake{})
	func() {
		defer func() {
			if p := recover(); p != "broken" {
				t.Errorf("recovered %v", p)
			}
		}()
		_ = d.Do(t.Context(), func(s *device.Session) error {
			if _, err := device.Alloc[uint32](s, 1); err != nil {
				return err
			}
			panic("broken")
		})
	}()
	if _, err := run(t.Context(), d, device.Job{Items: 1}, 1); err != nil {
		t.Errorf("the device is of no use after: %v", err)
	}
}

func TestPoisonRevealsUnwrittenOutput(t *testing.T) {
	f := &devicetest.Fake{Kernels: map[string]devicetest.Kernel{"count": count}}
	d, err := device.Open([]device.Opener{f.Opener()}, device.Options{Source: source, Poison: true})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	got := make([]float32, 3)
	for range 2 { // fresh and from the pool
		err := d.Do(t.Context(), func(s *device.Session) error {
			b, err := device.Alloc[float32](s, 3)
			if err != nil {
				return err
			}
			return errors.Join(device.Download(s, b, got), device.Write(s, b, 0, []float32{1, 2, 3}))
		})
		if err != nil || got[0] == got[0] || got[2] == got[2] {
			t.Errorf("unwritten memory holds %v, %v", got, err)
		}
	}
}
