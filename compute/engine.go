// Package compute is the engine for all expensive computations. For each call of a primitive it chooses between the
// processor and a graphics device. Both give the same results, within the bounds that the primitives state.
//
// Production calls Visibility (directions of features), EvalSurface for points (package tessellate tests triangles with
// them), and for programs Dexelize, Sweep and, for single points, DropCutter. EvalSurface with normals and curvatures,
// HeightMap, OffsetHeight, DropCutter over grids, Distance and Engage are for clearing and finishing of freeform
// surfaces. Until production has those operations, only the benchmarks, the viewer and the suites call them.
//
// A primitive is a folder below this one; package primitive states its required contents. Functions that sample or
// aggregate with primitives, like Visible, are in this package once for all backends. Code that drives primitives for
// one pipeline stage has its own package, like tessellate.
package compute

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"sync"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/device/opengl"
	"millwright.dev/millwright/compute/primitive"
)

// Device selects the hardware on which an engine may run.
type Device string

// The devices.
const (
	Auto Device = "auto" // the graphics device where there is one and the call is large enough, else the processor
	GPU  Device = "gpu"  // the graphics device for every supported call; New fails without a device
	CPU  Device = "cpu"  // the processor; no graphics library is touched
)

// Options configures an engine; the zero value uses all processors and the device Auto.
type Options struct {
	Threads int               // goroutines per call on the processor, 0 = GOMAXPROCS
	Device  Device            // "" = Auto
	GPU     device.GPUOptions // options for finding a graphics device
	Logger  *slog.Logger      // nil = slog.Default()
}

var _ primitive.Runner = (*Engine)(nil)

// Engine runs the compute primitives on the best backend of the machine. It is safe for concurrent use. Auto searches
// for a graphics device once the calls of a primitive have taken long enough on the processor.
//
// A call that the graphics device cannot do is repeated on the processor; the caller only notices the time. A shader
// that the driver rejects is not tried again; a lost device is searched for again later.
type Engine struct {
	cpu    primitive.CPU
	device Device
	log    *slog.Logger
	find   func() (*device.GPU, error)
	gauge  func() float64 // calibrate, except in tests

	mu       sync.Mutex
	looked   bool            // for a graphics device
	spent    map[string]int  // items that were not worth looking for one, by primitive
	slowdown float64         // of this machine's cores, 0 = not measured yet
	gpu      *device.GPU     // nil: no search yet, or no device
	overhead device.Overhead // of its calls
	logged   map[fallback]bool
	stats    Stats
}

// Stats count calls since the engine was made.
type Stats struct {
	OnCPU, OnGPU map[string]int // calls done there, by primitive
	FallBacks    map[device.Reason]int
}

// fallback is a kind of failure that is logged once.
type fallback struct {
	primitive string
	reason    device.Reason
}

// New returns an engine. It fails only if Device is GPU and no device is found, or if Device is unknown.
func New(opts Options) (*Engine, error) {
	e := &Engine{
		cpu: primitive.OnCPU(opts.Threads), device: opts.Device, log: opts.Logger,
		logged: map[fallback]bool{}, spent: map[string]int{},
		stats: Stats{OnCPU: map[string]int{}, OnGPU: map[string]int{}, FallBacks: map[device.Reason]int{}},
	}
	if e.log == nil {
		e.log = slog.Default()
	}
	if opts.GPU.Logger == nil {
		opts.GPU.Logger = e.log
	}
	e.gauge = calibrate
	e.find = func() (*device.GPU, error) { return opengl.Open(opts.GPU) }
	switch e.device {
	case "", Auto:
		e.device = Auto
	case CPU:
	case GPU:
		if err := e.look(); err != nil {
			return nil, fmt.Errorf("no graphics device to compute on: %w", err)
		}
	default:
		return nil, fmt.Errorf("compute device %q: want %s, %s or %s", e.device, Auto, GPU, CPU)
	}
	return e, nil
}

// OnCPU returns an engine that runs everything on the processor, with up to threads goroutines per call; 0 =
// GOMAXPROCS. It needs no Close.
func OnCPU(threads int) *Engine {
	e, err := New(Options{Threads: threads, Device: CPU})
	if err != nil {
		panic(err) // it has nothing to find
	}
	return e
}

// Close releases the graphics device; calls still run, on the processor.
func (e *Engine) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.gpu != nil {
		e.gpu.Close()
		e.gpu = nil
	}
	e.looked = true
}

// Backend names the current hardware for large calls: "cpu", or the name of the graphics device.
func (e *Engine) Backend() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.gpu == nil {
		return "cpu"
	}
	return e.gpu.Name()
}

// Stats returns the counts so far.
func (e *Engine) Stats() Stats {
	e.mu.Lock()
	defer e.mu.Unlock()
	return Stats{
		OnCPU: maps.Clone(e.stats.OnCPU), OnGPU: maps.Clone(e.stats.OnGPU), FallBacks: maps.Clone(e.stats.FallBacks),
	}
}

// look finds a graphics device and measures its overhead; with e.mu held, or before e is shared.
func (e *Engine) look() error {
	e.looked = true
	found, err := e.find()
	if err != nil {
		return err
	}
	overhead, err := found.MeasureOverhead(context.Background())
	if err != nil {
		found.Close()
		return err
	}
	e.gpu, e.overhead = found, overhead
	e.log.Info("gpu found", "device", found.Name(), "latency", overhead.Latency,
		"gigabytesPerSecond", overhead.BytesPerSecond/1e9)
	return nil
}

// choose returns the graphics device for a call, or nil for the processor.
func (e *Engine) choose(j primitive.Job) *device.GPU {
	if !j.HasGPU() || e.device == CPU {
		return nil
	}
	items := j.Items()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.device == Auto && !e.looked {
		e.spent[j.Name()] += items
		if e.isLong(j.Cost(), e.spent[j.Name()]) {
			if err := e.look(); err != nil {
				e.log.Info("no gpu, calls run on the processor", "cause", err)
			}
		}
	}
	if e.gpu == nil || e.logged[fallback{j.Name(), device.Compile}] || e.device == Auto && !e.pays(j.Cost(), items) {
		return nil
	}
	return e.gpu
}

// pays reports whether a call is large enough for the graphics device; with e.mu held.
func (e *Engine) pays(c primitive.Cost, items int) bool {
	return items >= breakEven(slower(c, e.measuredSlowdown()), e.overhead, e.cpu.Threads())
}

// isLong reports whether the given number of items takes long enough on the processor to search for a graphics device.
// A call that is short on every machine needs no calibration. With e.mu held.
func (e *Engine) isLong(c primitive.Cost, items int) bool {
	threads := e.cpu.Threads()
	return estimate(slower(c, maxSlowdown), items, threads) >= probeFrom &&
		estimate(slower(c, e.measuredSlowdown()), items, threads) >= probeFrom
}

// measuredSlowdown returns the slowdown of this machine's cores; with e.mu held.
func (e *Engine) measuredSlowdown() float64 {
	if e.slowdown == 0 {
		e.slowdown = e.gauge()
	}
	return e.slowdown
}

// failed records a failed call on the graphics device and logs the first failure of each kind. Package device reports
// lost devices.
func (e *Engine) failed(name string, reason device.Reason, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stats.FallBacks[reason]++
	if f := (fallback{name, reason}); !e.logged[f] {
		e.logged[f] = true
		if reason != device.Lost {
			e.log.Warn("gpu cannot do a call, it runs on the processor", "primitive", name, "reason", reason,
				"cause", err)
		}
	}
}

func (e *Engine) count(calls map[string]int, name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	calls[name]++
}

// Batch implements primitive.Runner: it is worth gathering items only once there is a graphics device that they
// pay on.
func (e *Engine) Batch(c primitive.Cost) int {
	const most = 4 * primitive.DeviceBatch // maximum batch requested from a caller
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.gpu == nil:
		return 1
	case e.device == GPU || e.pays(c, primitive.DeviceBatch):
		return primitive.DeviceBatch
	case e.pays(c, most):
		return most
	}
	return 1
}

// Do implements primitive.Runner: it runs a call on the graphics device if it pays and the device can, else on the
// processor.
func (e *Engine) Do(ctx context.Context, j primitive.Job) error {
	if g := e.choose(j); g != nil {
		err := j.OnGPU(ctx, g)
		reason, unable := device.ReasonOf(err)
		if !unable {
			e.count(e.stats.OnGPU, j.Name())
			return err
		}
		e.failed(j.Name(), reason, err)
	}
	e.count(e.stats.OnCPU, j.Name())
	return j.OnCPU(ctx, e.cpu)
}
