package compute

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/device/devicetest"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

var _ feature.Visibility = (*Engine)(nil)

func TestEngineMatchesBackend(t *testing.T) {
	m := &mesh.Mesh{
		Points:    []geom.Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}},
		Triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
	}
	dirs := []geom.Vec3{{Z: 1}, {X: -1, Y: -1}}
	e, err := New(Options{Threads: 2, Device: CPU})
	if err != nil {
		t.Fatal(err)
	}
	if e.Backend() != "cpu" {
		t.Errorf("backend %q, want cpu", e.Backend())
	}
	got, err := e.Visible(context.Background(), m, dirs)
	if err != nil {
		t.Fatal(err)
	}
	want, err := OnCPU(1).Visible(context.Background(), m, dirs)
	if err != nil {
		t.Fatal(err)
	}
	for d := range dirs {
		if !slices.Equal(got[d], want[d]) {
			t.Errorf("direction %v: %v, want %v", dirs[d], got[d], want[d])
		}
	}
	if want := []float32{0, 1, 1, 1}; !slices.Equal(got[0], want) {
		t.Errorf("tetrahedron from above: %v, want %v", got[0], want)
	}
}

// engine creates an engine on a device without hardware, with the given faults, and returns it with its log.
func engine(t *testing.T, d Device, faults *devicetest.Faults) (*Engine, *bytes.Buffer, error) {
	t.Helper()
	var text bytes.Buffer
	fake := devicetest.Fake{Storage: 64 << 20, Memory: 256 << 20, Kernels: map[string]devicetest.Kernel{
		"ceiling.comp": func(int, int, []*devicetest.Buffer, map[string]any) {}, // measures the overhead
	}}
	e, err := New(Options{
		Threads: 1, Device: d, Logger: slog.New(slog.NewTextHandler(&text, nil)),
		GPU: device.GPUOptions{Openers: func() []device.Opener { return faults.Over([]device.Opener{fake.Opener()}) }},
	})
	if err == nil {
		t.Cleanup(e.Close)
	}
	return e, &text, err
}

const onGPU, onCPU = "gpu", "cpu"

// attempt is a call of heavy: a number of items, and the device's result.
type attempt struct {
	items int
	fail  error
}

// heavy is a primitive for which any device pays, and that reports its backend.
var heavy = &primitive.Primitive[attempt, string]{
	Name: "heavy", Check: func(*attempt) error { return nil },
	Items: func(a *attempt) int { return a.items }, Cost: primitive.Cost{Seconds: 1e-6, Bytes: 1},
	CPU: func(context.Context, primitive.CPU, *attempt) (string, error) { return onCPU, nil },
	GPU: func(_ context.Context, _ *device.GPU, a *attempt) (string, error) { return onGPU, a.fail },
}

// do calls heavy; the device answers with an error if one is given.
func do(e *Engine, items int, fail error) (string, error) {
	return heavy.Run(context.Background(), e, attempt{items, fail})
}

func TestDeviceIsChosen(t *testing.T) {
	const huge, tiny = 1 << 30, 1
	for _, c := range []struct {
		name    string
		device  Device
		open    device.Reason // why opening fails
		items   int
		want    string
		newErr  string
		backend string
	}{
		{"auto, large", Auto, "", huge, onGPU, "", "fake"},
		{"auto, small", Auto, "", tiny, onCPU, "", "cpu"},
		{"nothing said, large", "", "", huge, onGPU, "", "fake"},
		{"auto, no library", Auto, device.NoDevice, huge, onCPU, "", "cpu"},
		{"auto, no context", Auto, device.Context, huge, onCPU, "", "cpu"},
		{"gpu, small", GPU, "", tiny, onGPU, "", "fake"},
		{"gpu, no library", GPU, device.NoDevice, tiny, "", "no graphics device", ""},
		{"cpu, large", CPU, "", huge, onCPU, "", "cpu"},
		{"unknown", "tpu", "", tiny, "", `"tpu"`, ""},
	} {
		var faults devicetest.Faults
		faults.Open(c.open)
		e, text, err := engine(t, c.device, &faults)
		if c.newErr != "" {
			if err == nil || !strings.Contains(err.Error(), c.newErr) {
				t.Errorf("%s: %v, want %q", c.name, err, c.newErr)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for range 3 {
			if got, err := do(e, c.items, nil); got != c.want || err != nil {
				t.Errorf("%s: runs on %q (%v), want %q", c.name, got, err, c.want)
			}
		}
		if got := e.Backend(); got != c.backend {
			t.Errorf("%s: backend %q, want %q", c.name, got, c.backend)
		}
		if lines := strings.Count(text.String(), "\n"); lines > 1 {
			t.Errorf("%s: %d lines are logged, want at most one:\n%s", c.name, lines, text)
		}
	}
}

// TestFailedCallsRunOnTheProcessor checks that the caller gets the result after every possible failure of a device.
func TestFailedCallsRunOnTheProcessor(t *testing.T) {
	for _, c := range []struct {
		reason device.Reason
		again  string // where the next call runs
		lines  int    // log lines after those of the start, for three failures
	}{
		{device.Compile, onCPU, 1}, // a shader stays refused
		{device.Memory, onGPU, 1},
		{device.Limit, onGPU, 1},
		{device.Lost, onGPU, 0}, // package gpu logs it and looks again
	} {
		e, text, err := engine(t, GPU, &devicetest.Faults{})
		if err != nil {
			t.Fatal(err)
		}
		text.Reset()
		for range 3 {
			got, err := do(e, 1, device.Errorf(c.reason, "what happened"))
			if got != onCPU || err != nil {
				t.Errorf("%s: %q, %v", c.reason, got, err)
			}
		}
		if lines := strings.Count(text.String(), "\n"); lines != c.lines {
			t.Errorf("%s: %d lines, want %d:\n%s", c.reason, lines, c.lines, text)
		}
		if got, err := do(e, 1, nil); got != c.again || err != nil {
			t.Errorf("after %s: runs on %q (%v), want %q", c.reason, got, err, c.again)
		}
		if s := e.Stats(); s.FallBacks[c.reason] == 0 || s.OnCPU["heavy"] < 3 {
			t.Errorf("%s: %+v", c.reason, s)
		}
	}
}

// TestErrorsOfTheCallerAreNotRetried checks that invalid input is not repeated on the processor.
func TestErrorsOfTheCallerAreNotRetried(t *testing.T) {
	e, _, err := engine(t, GPU, &devicetest.Faults{})
	if err != nil {
		t.Fatal(err)
	}
	for _, fail := range []error{context.Canceled, errors.New("the step is 0")} {
		if got, err := do(e, 1, fail); got != "" || !errors.Is(err, fail) {
			t.Errorf("%v: %q, %v", fail, got, err)
		}
	}
	if s := e.Stats(); s.OnGPU["heavy"] != 2 || s.OnCPU["heavy"] != 0 || len(s.FallBacks) != 0 {
		t.Errorf("%+v", s)
	}
}

// TestDeviceFailingAtStartIsNotUsed checks a device whose first shader does not compile, or that is lost during the
// measurement of its overhead.
func TestDeviceFailingAtStartIsNotUsed(t *testing.T) {
	for name, fail := range map[string]func(*devicetest.Faults){
		"compile": func(f *devicetest.Faults) { f.Compile(true) },
		"lost":    func(f *devicetest.Faults) { f.Dispatch(1, device.Lost) },
	} {
		var faults devicetest.Faults
		fail(&faults)
		e, text, err := engine(t, Auto, &faults)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := do(e, 1<<30, nil); got != onCPU || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if e.Backend() != "cpu" || !strings.Contains(text.String(), "cause") {
			t.Errorf("%s: backend %q, logged %s", name, e.Backend(), text)
		}
	}
}

func TestClosedEngineRunsOnTheProcessor(t *testing.T) {
	e, _, err := engine(t, Auto, &devicetest.Faults{})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := do(e, 1<<30, nil); got != onGPU {
		t.Fatalf("runs on %q", got)
	}
	e.Close()
	e.Close()
	if got, err := do(e, 1<<30, nil); got != onCPU || err != nil {
		t.Errorf("closed: %q, %v", got, err)
	}
}

func TestBreakEven(t *testing.T) {
	quick := device.Overhead{Latency: 100 * time.Microsecond, BytesPerSecond: 10e9}
	for _, c := range []struct {
		name     string
		cost     primitive.Cost
		overhead device.Overhead
		threads  int
		want     int
	}{
		{"heavy", primitive.Cost{Seconds: 1e-6, Bytes: 8}, quick, 1, 1 << 10},
		{"light", primitive.Cost{Seconds: 20e-9, Bytes: 8}, quick, 1, 1 << 13},
		{"light, many threads", primitive.Cost{Seconds: 20e-9, Bytes: 8}, quick, 8, 1 << 16},
		{"laid out slowly", primitive.Cost{Seconds: 20e-9, Bytes: 8, Host: 15e-9}, quick, 1, 1 << 15},
		{"laid out more slowly than done", primitive.Cost{Seconds: 20e-9, Bytes: 8, Host: 15e-9}, quick, 2,
			math.MaxInt},
		{"not worth the transfer", primitive.Cost{Seconds: 1e-9, Bytes: 16}, quick, 1, math.MaxInt},
		{"slow device", primitive.Cost{Seconds: 20e-9, Bytes: 8},
			device.Overhead{Latency: time.Hour, BytesPerSecond: 10e9}, 1, math.MaxInt},
	} {
		if got := breakEven(c.cost, c.overhead, c.threads); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// TestSlowCoresFavorDevice checks that slow cores make the device worthwhile for shorter calls. The calibration runs
// once, and only if the choice depends on it.
func TestSlowCoresFavorDevice(t *testing.T) {
	const second = 1_000_000 // items of heavy on one thread of the reference core
	for _, c := range []struct {
		name   string
		device Device
		slow   float64
		items  []int
		want   string // of the last call
		gauged int
	}{
		{"as the reference, short", Auto, 1, []int{second / 6}, onCPU, 1},
		{"as the reference, long", Auto, 1, []int{second / 4}, onGPU, 1},
		{"slow cores", Auto, 4, []int{second / 16}, onGPU, 1},
		{"fast cores", Auto, 0.25, []int{second / 2}, onCPU, 1},
		{"fast cores, long", Auto, 0.25, []int{second / 2, 2 * second}, onGPU, 1},
		{"as the reference, short, often", Auto, 1, []int{second / 12, second / 12, second / 12}, onGPU, 1},
		{"tiny", Auto, 8, []int{1, 100, second / 100}, onCPU, 0},
		{"only the processor", CPU, 8, []int{100 * second}, onCPU, 0},
		{"only the device", GPU, 8, []int{1}, onGPU, 0},
	} {
		e, _, err := engine(t, c.device, &devicetest.Faults{})
		if err != nil {
			t.Fatal(err)
		}
		gauged := 0
		e.gauge = func() float64 { gauged++; return c.slow }
		got := ""
		for _, n := range c.items {
			if got, err = do(e, n, nil); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		if got != c.want || gauged != c.gauged {
			t.Errorf("%s: on %s after %d calibrations, want %s after %d", c.name, got, gauged, c.want, c.gauged)
		}
	}
}

// TestBatch checks that calls are combined only for a device that is worthwhile for them.
func TestBatch(t *testing.T) {
	heavyCost, light := primitive.Cost{Seconds: 1e-6, Bytes: 1}, primitive.Cost{Seconds: 1e-12, Bytes: 1e6}
	for _, c := range []struct {
		name   string
		device Device
		look   bool
		cost   primitive.Cost
		want   int
	}{
		{"the processor", CPU, false, heavyCost, 1},
		{"a device nobody looked for", Auto, false, heavyCost, 1},
		{"a device that pays", Auto, true, heavyCost, primitive.DeviceBatch},
		{"a device that does not pay", Auto, true, light, 1},
		{"only the device", GPU, false, light, primitive.DeviceBatch},
	} {
		e, _, err := engine(t, c.device, &devicetest.Faults{})
		if err != nil {
			t.Fatal(err)
		}
		e.gauge = func() float64 { return 1 }
		if c.look {
			if got, _ := do(e, 1<<30, nil); got != onGPU {
				t.Fatalf("%s: runs on %q", c.name, got)
			}
		}
		if got := e.Batch(c.cost); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// TestSlownessScalesBreakEven: twice as slow cores are like half as many threads.
func TestSlownessScalesBreakEven(t *testing.T) {
	overhead := device.Overhead{Latency: 100 * time.Microsecond, BytesPerSecond: 10e9}
	c := primitive.Cost{Seconds: 20e-9, Bytes: 8}
	if got, want := breakEven(slower(c, 2), overhead, 8), breakEven(c, overhead, 4); got != want ||
		got >= breakEven(c, overhead, 8) {
		t.Errorf("%d, want %d", got, want)
	}
}

func TestCalibrate(t *testing.T) {
	if p := calibrate(); !(p >= 1.0/maxSlowdown && p <= maxSlowdown) {
		t.Errorf("slowdown %g", p)
	}
	for _, c := range []struct{ a, b, want float64 }{
		{2, 2, 2}, {1, 4, 2}, {100, 100, maxSlowdown}, {1e-9, 1e-9, 1.0 / maxSlowdown},
		{0, 1, 1}, {math.NaN(), 1, 1}, {math.Inf(1), 1, maxSlowdown},
	} {
		if got := believable(c.a, c.b); got != c.want {
			t.Errorf("believable(%g, %g) = %g, want %g", c.a, c.b, got, c.want)
		}
	}
}
