package device_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/device/devicetest"
)

// bench is a device without hardware, whose faults and clock are the test's.
type bench struct {
	*device.GPU
	faults  devicetest.Faults
	fake    devicetest.Fake
	log     bytes.Buffer
	now     time.Time
	opened  int
	looking func() // called when the device is looked for
}

func newBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	b.fake.Cost = func(_, n int) time.Duration { return time.Duration(n) * 5 * time.Millisecond } // many dispatches
	b.fake.Kernels = map[string]devicetest.Kernel{
		"ceiling.comp": func(int, int, []*devicetest.Buffer, map[string]any) {},
	}
	e, err := device.OpenGPU(device.GPUOptions{
		Source: source,
		Openers: func() []device.Opener {
			b.opened++
			if b.looking != nil {
				b.looking()
			}
			return b.faults.Over([]device.Opener{b.fake.Opener()})
		},
		Now:    func() time.Time { return b.now },
		Logger: slog.New(slog.NewTextHandler(&b.log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	b.GPU = e
	return b
}

// call runs one small job.
func (b *bench) call(ctx context.Context) error {
	return b.Do(ctx, func(s *device.Session) error {
		m, err := device.Alloc[[4]float32](s, 64)
		if err != nil {
			return err
		}
		if err := s.Run(device.Job{
			Shader: device.Shader{Name: "ceiling.comp"}, Buffers: []device.Buffer{m, m}, Items: 2000,
		}); err != nil {
			return err
		}
		return device.Download(s, m, make([][4]float32, 64))
	})
}

func (b *bench) wantReason(t testing.TB, when string, want device.Reason) {
	t.Helper()
	err := b.call(t.Context())
	if reason, _ := device.ReasonOf(err); reason != want {
		t.Errorf("%s: reason %q of %v, want %q", when, reason, err, want)
	}
}

func TestLostDeviceIsReopened(t *testing.T) {
	b := newBench(t)
	b.wantReason(t, "sound", "")
	b.faults.Dispatch(2, device.Lost)
	b.wantReason(t, "lost in the middle", device.Lost)
	if _, _, open := b.fake.Left(); open {
		t.Error("the lost device stays open")
	}
	b.faults.Dispatch(0, "")
	b.wantReason(t, "before the pause is over", device.Lost)
	if b.opened != 1 {
		t.Errorf("looked for %d times before the pause is over", b.opened)
	}
	b.now = b.now.Add(device.RetryFirst)
	b.wantReason(t, "after the pause", "")
	for _, want := range []string{"gpu lost, its calls run on the processor", "gpu is back"} {
		if n := strings.Count(b.log.String(), want); n != 1 {
			t.Errorf("the log says %q %d times:\n%s", want, n, b.log.String())
		}
	}
	if s := b.Stats(); s.Lost != 1 || s.Calls < 3 || s.Slices == 0 {
		t.Errorf("stats over both devices: %+v", s)
	}
}

func TestReopenIntervalGrowsWhileDeviceIsAbsent(t *testing.T) {
	b := newBench(t)
	b.faults.Dispatch(0, device.Lost)
	b.wantReason(t, "lost", device.Lost)
	b.faults.Dispatch(0, "")
	for _, reason := range []device.Reason{device.NoDevice, device.Context} {
		b.faults.Open(reason)
		for range 3600 / 2 {
			b.now = b.now.Add(time.Second)
			b.wantReason(t, "away", device.Lost)
		}
	}
	// 5 s, then twice as long each time up to 5 min: 6 times to 315 s, then every 5 min of the hour.
	if b.opened < 12 || b.opened > 20 {
		t.Errorf("looked for %d times in an hour", b.opened)
	}
	if n := strings.Count(b.log.String(), "\n"); n != 1 {
		t.Errorf("%d lines in the log:\n%s", n, b.log.String())
	}
	b.faults.Open("")
	b.now = b.now.Add(device.RetryMost)
	b.wantReason(t, "back", "")
}

func TestFaultOtherThanLossKeepsDeviceOpen(t *testing.T) {
	b := newBench(t)
	b.faults.Compile(true)
	b.wantReason(t, "shader refused", device.Compile)
	b.faults.Compile(false)
	b.wantReason(t, "shader taken", "")
	b.faults.Dispatch(0, device.Memory)
	b.wantReason(t, "no memory", device.Memory)
	b.faults.Dispatch(0, "")
	b.wantReason(t, "memory again", "")
	b.faults.Read(device.Lost)
	b.wantReason(t, "lost at the download", device.Lost)
	if b.opened != 1 || b.log.Len() == 0 {
		t.Errorf("opened %d times; log %q", b.opened, b.log.String())
	}
}

func TestConcurrentCallersReportOneLoss(t *testing.T) {
	b := newBench(t)
	b.faults.Dispatch(5, device.Lost)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if reason, ok := device.ReasonOf(b.call(context.Background())); ok && reason != device.Lost {
				t.Errorf("reason %q", reason)
			}
		})
	}
	wg.Wait()
	if n := strings.Count(b.log.String(), "gpu lost"); n != 1 {
		t.Errorf("%d lines about one loss:\n%s", n, b.log.String())
	}
}

// TestOtherCallsDoNotWaitForReopening makes other calls while one call tries to reopen a lost device.
func TestOtherCallsDoNotWaitForReopening(t *testing.T) {
	b := newBench(t)
	b.faults.Dispatch(0, device.Lost)
	b.wantReason(t, "lost", device.Lost)
	b.faults.Dispatch(0, "")
	b.now = b.now.Add(device.RetryFirst)
	looking, found := make(chan struct{}), make(chan struct{})
	b.looking = func() {
		close(looking)
		<-found
	}
	done := make(chan error)
	go func() { done <- b.call(context.Background()) }()
	<-looking
	b.wantReason(t, "while another call looks for the device", device.Lost)
	_ = b.Stats()
	close(found)
	if err := <-done; err != nil {
		t.Errorf("the call that found the device: %v", err)
	}
	b.wantReason(t, "found", "")
}

func TestCloseDuringReopening(t *testing.T) {
	b := newBench(t)
	b.faults.Dispatch(0, device.Lost)
	b.wantReason(t, "lost", device.Lost)
	b.faults.Dispatch(0, "")
	b.now = b.now.Add(device.RetryFirst)
	b.looking = b.Close
	b.wantReason(t, "closed while it looks", device.Closed)
	if _, _, open := b.fake.Left(); open {
		t.Error("the device that was found stays open")
	}
}

func TestClosedDeviceReportsClosed(t *testing.T) {
	b := newBench(t)
	b.Close()
	b.Close()
	b.wantReason(t, "closed", device.Closed)
	if _, _, open := b.fake.Left(); open {
		t.Error("the device stays open")
	}
	if b.Name() != "fake" || b.IsSoftware() || b.Limits().Groups == 0 {
		t.Errorf("what the device was is forgotten: %q, %+v", b.Name(), b.Limits())
	}
}

func TestOpenFailures(t *testing.T) {
	var faults devicetest.Faults
	var fake devicetest.Fake
	for _, reason := range []device.Reason{device.NoDevice, device.Context} {
		faults.Open(reason)
		_, err := device.OpenGPU(device.GPUOptions{Source: source, Openers: func() []device.Opener {
			return faults.Over([]device.Opener{fake.Opener()})
		}})
		if got, _ := device.ReasonOf(err); got != reason {
			t.Errorf("reason %q of %v, want %q", got, err, reason)
		}
	}
}
