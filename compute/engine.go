// Package compute is the engine behind everything that costs time: it chooses a backend for each call and gives
// the same results, within the bounds that package kernel states, on every one.
//
// The primitives live in the packages of the backends: cpu, which is always there, and gpu. What drives them for
// one stage of the pipeline lives in a package of its own, like tessellate.
package compute

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"sync"

	"millwright/compute/cpu"
	"millwright/compute/device"
	"millwright/compute/gpu"
)

// Device says on what an engine may run.
type Device string

// The devices.
const (
	Auto Device = "auto" // the graphics device where there is one and the call is large enough, else the processor
	GPU  Device = "gpu"  // the graphics device for every call it can do; New fails where there is none
	CPU  Device = "cpu"  // the processor; no graphics library is touched
)

// Options configure an engine; the zero value uses all processors and what Auto says.
type Options struct {
	Threads int          // goroutines per call on the processor, 0 = GOMAXPROCS
	Device  Device       // "" = Auto
	GPU     gpu.Options  // how a graphics device is looked for
	Logger  *slog.Logger // nil = slog.Default()
}

// Engine runs the compute primitives on the best backend of the machine. It is safe for concurrent use. Auto
// looks for a graphics device at the first call that takes long enough on the processor.
//
// A call that the graphics device cannot do is done again on the processor; the caller sees no difference but
// the time. A shader that the driver refuses is not tried again; a lost device is looked for again later.
type Engine struct {
	cpu    *cpu.Engine
	device Device
	log    *slog.Logger
	find   func() (*gpu.Engine, error)
	probe  func() float64

	mu     sync.Mutex
	looked bool
	pace   float64           // of this machine's cores, 0 = not measured yet
	gpu    *gpu.Engine       // nil: not looked for, or there is none
	least  map[Primitive]int // items from which on a call goes to it
	said   map[fallback]bool
	stats  Stats
}

// Stats count calls since the engine was made.
type Stats struct {
	OnCPU, OnGPU map[Primitive]int // calls done there
	FallBacks    map[device.Reason]int
}

// fallback is a kind of failure that is logged once.
type fallback struct {
	primitive Primitive
	reason    device.Reason
}

// New returns an engine. It fails only where Device is GPU and there is no such device, or Device is unknown.
func New(opts Options) (*Engine, error) {
	e := &Engine{
		cpu: cpu.New(opts.Threads), device: opts.Device, log: opts.Logger,
		said:  map[fallback]bool{},
		stats: Stats{OnCPU: map[Primitive]int{}, OnGPU: map[Primitive]int{}, FallBacks: map[device.Reason]int{}},
	}
	if e.log == nil {
		e.log = slog.Default()
	}
	if opts.GPU.Logger == nil {
		opts.GPU.Logger = e.log
	}
	e.probe = probe
	e.find = func() (*gpu.Engine, error) { return gpu.Open(opts.GPU) }
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

// Backend names what large calls run on so far: "cpu", or the graphics device by its name.
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

// look finds a graphics device and measures the way to it; with e.mu held, or before e is shared.
func (e *Engine) look() error {
	e.looked = true
	found, err := e.find()
	if err != nil {
		return err
	}
	trip, err := found.MeasureTrip(context.Background())
	if err != nil {
		found.Close()
		return err
	}
	e.gpu, e.least = found, map[Primitive]int{}
	for p, c := range costs {
		if e.device != GPU {
			e.least[p] = least(c.at(e.measuredPace()), trip, e.cpu.Threads())
		}
	}
	e.log.Info("gpu found", "device", found.Name(), "latency", trip.Latency,
		"gigabytesPerSecond", trip.BytesPerSecond/1e9)
	return nil
}

// choose returns the graphics device for a call of so many items, or nil for the processor.
func (e *Engine) choose(p Primitive, items int) *gpu.Engine {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.device == Auto && !e.looked && e.isLong(p, items) {
		if err := e.look(); err != nil {
			e.log.Info("no gpu, calls run on the processor", "cause", err)
		}
	}
	if e.gpu == nil || items < e.least[p] || e.said[fallback{p, device.Compile}] {
		return nil
	}
	return e.gpu
}

// isLong reports whether a call takes long enough on the processor to look for a graphics device. Of calls that no
// machine takes that long for no probe is made. With e.mu held.
func (e *Engine) isLong(p Primitive, items int) bool {
	threads := e.cpu.Threads()
	return costs[p].at(mostPace).takes(items, threads) >= soonest &&
		costs[p].at(e.measuredPace()).takes(items, threads) >= soonest
}

// measuredPace returns the pace of this machine's cores; with e.mu held.
func (e *Engine) measuredPace() float64 {
	if e.pace == 0 {
		e.pace = e.probe()
	}
	return e.pace
}

// failed notes that the graphics device could not do a call; the first time of a kind is logged. Of a lost device
// package gpu tells.
func (e *Engine) failed(p Primitive, reason device.Reason, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stats.FallBacks[reason]++
	if f := (fallback{p, reason}); !e.said[f] {
		e.said[f] = true
		if reason != device.Lost {
			e.log.Warn("gpu cannot do a call, it runs on the processor", "primitive", p, "reason", reason, "cause", err)
		}
	}
}

func (e *Engine) count(calls map[Primitive]int, p Primitive) {
	e.mu.Lock()
	defer e.mu.Unlock()
	calls[p]++
}

// call runs a primitive on the graphics device if it is worth it and the device can, else on the processor.
func call[In, Out any](
	ctx context.Context, e *Engine, p Primitive, items int, in In,
	onGPU func(*gpu.Engine, context.Context, In) (Out, error),
	onCPU func(*cpu.Engine, context.Context, In) (Out, error),
) (Out, error) {
	if g := e.choose(p, items); g != nil {
		out, err := onGPU(g, ctx, in)
		reason, unable := device.ReasonOf(err)
		if !unable {
			e.count(e.stats.OnGPU, p)
			return out, err
		}
		e.failed(p, reason, err)
	}
	e.count(e.stats.OnCPU, p)
	return onCPU(e.cpu, ctx, in)
}
