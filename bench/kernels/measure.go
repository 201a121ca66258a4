package kernels

import (
	"context"
	"fmt"
	"slices"
	"time"

	"millwright/compute/cpu"
	"millwright/core/mesh"
)

// Backend is one device with the primitives it has, as methods.
type Backend struct {
	Name    string  `json:"name"`
	Ceiling Ceiling `json:"ceiling"`
	Engine  any     `json:"-"` // *cpu.Engine, *gpu.Engine
}

// Options say what is measured; the zero value measures everything that exists.
type Options struct {
	Primitives []string      // names; nil = all
	Sizes      []int         // instead of the usual ones
	Mesh       *mesh.Mesh    // instead of a made one, for the primitives that take a mesh
	Runs       int           // the fastest counts; 0 = 3
	Enough     time.Duration // after a run that takes longer no other is made; 0 = none
}

// Processor returns the processor as a backend, with its ceilings measured.
func Processor(threads int) Backend {
	e := cpu.New(threads)
	return Backend{Name: "cpu", Ceiling: processor(e.Threads()), Engine: e}
}

// Row is one measurement.
type Row struct {
	Primitive      string  `json:"primitive"`
	Device         string  `json:"device"`
	Size           int     `json:"size"` // items: cells, samples, dexel updates, points
	Seconds        float64 `json:"seconds"`
	ItemsPerSecond float64 `json:"itemsPerSecond"`
	BytesPerSecond float64 `json:"bytesPerSecond"` // the least that has to be moved: inputs and outputs, once
	ShareOfCeiling float64 `json:"shareOfCeiling"`
	FirstSeconds   float64 `json:"firstSeconds"` // of the first call, which compiles shaders and sends meshes
}

// job is one primitive on one input.
type job struct {
	items int
	bytes float64 // of inputs and outputs
	flops float64 // arithmetic operations that the method cannot do without
	// run does it once; has is false where the backend has no such primitive.
	run func(ctx context.Context, engine any) (has bool, err error)
}

// on runs a job on engines that have what B asks for.
func on[B any](do func(context.Context, B) error) func(context.Context, any) (bool, error) {
	return func(ctx context.Context, engine any) (bool, error) {
		b, has := engine.(B)
		if !has {
			return false, nil
		}
		return true, do(ctx, b)
	}
}

// primitive makes jobs of about the given size.
type primitive struct {
	name  string
	sizes []int
	make  func(size int, m *mesh.Mesh) (job, error)
}

// Names lists the primitives.
func Names() []string {
	names := make([]string, len(primitives))
	for i := range primitives {
		names[i] = primitives[i].name
	}
	return names
}

// Measure runs every primitive in every size on every backend and hands each row to emit. It stops with the
// context.
func Measure(ctx context.Context, backends []Backend, o Options, emit func(Row) error) error {
	for _, p := range primitives {
		if len(o.Primitives) > 0 && !slices.Contains(o.Primitives, p.name) {
			continue
		}
		sizes := p.sizes
		if len(o.Sizes) > 0 {
			sizes = o.Sizes
		}
		for _, size := range sizes {
			j, err := p.make(size, o.Mesh)
			if err != nil {
				return fmt.Errorf("%s, size %d: %w", p.name, size, err)
			}
			for _, b := range backends {
				first, seconds, has, err := j.time(ctx, b.Engine, o)
				if err != nil {
					return fmt.Errorf("%s, size %d, on %s: %w", p.name, size, b.Name, err)
				}
				if !has {
					continue
				}
				if err := emit(Row{
					Primitive: p.name, Device: b.Name, Size: j.items, Seconds: seconds,
					ItemsPerSecond: float64(j.items) / seconds, BytesPerSecond: j.bytes / seconds,
					ShareOfCeiling: b.Ceiling.share(j.bytes, j.flops, seconds), FirstSeconds: first,
				}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// time returns the seconds of the first run, and of the quickest of those after it.
func (j *job) time(ctx context.Context, engine any, o Options) (first, seconds float64, has bool, err error) {
	runs := o.Runs
	if runs <= 0 {
		runs = 3
	}
	for i := range runs + 1 {
		start := time.Now()
		has, err = j.run(ctx, engine)
		if err != nil || !has {
			return 0, 0, has, err
		}
		took := time.Since(start)
		if i == 0 {
			first = took.Seconds()
		}
		if i <= 1 || took.Seconds() < seconds {
			seconds = took.Seconds()
		}
		if o.Enough > 0 && took > o.Enough {
			break // the first run of a slow device has to do
		}
	}
	return first, seconds, true, nil
}
