package primitives

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/primitivetest/registry"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Backend is one device.
type Backend struct {
	Name    string           `json:"name"`
	Ceiling Ceiling          `json:"ceiling"`
	On      primitive.Runner `json:"-"`
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
	on := primitive.OnCPU(threads)
	return Backend{Name: "cpu", Ceiling: processor(on.Threads()), On: on}
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

// Names lists the primitives.
func Names() []string {
	names := make([]string, len(registry.Primitives))
	for i, c := range registry.Primitives {
		names[i] = c.Name()
	}
	return names
}

// Measure runs every primitive in every size on every backend and hands each row to emit. It stops with the
// context.
func Measure(ctx context.Context, backends []Backend, o Options, emit func(Row) error) error {
	for _, c := range registry.Primitives {
		if len(o.Primitives) > 0 && !slices.Contains(o.Primitives, c.Name()) {
			continue
		}
		sizes := c.Usual()
		if len(o.Sizes) > 0 {
			sizes = o.Sizes
		}
		for _, size := range sizes {
			j, err := c.Job(size, o.Mesh)
			if err != nil {
				return fmt.Errorf("%s, size %d: %w", c.Name(), size, err)
			}
			for _, b := range backends {
				first, seconds, has, err := timed(ctx, &j, b.On, o)
				if err != nil {
					return fmt.Errorf("%s, size %d, on %s: %w", c.Name(), size, b.Name, err)
				}
				if !has {
					continue
				}
				if err := emit(Row{
					Primitive: c.Name(), Device: b.Name, Size: j.Items, Seconds: seconds,
					ItemsPerSecond: float64(j.Items) / seconds, BytesPerSecond: j.Bytes / seconds,
					ShareOfCeiling: b.Ceiling.share(j.Bytes, j.Flops, seconds), FirstSeconds: first,
				}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// timed returns the seconds of the first run, and of the quickest of those after it; has is false where the device has
// no such primitive.
func timed(ctx context.Context, j *primitivetest.Job, on primitive.Runner, o Options) (
	first, seconds float64, has bool, err error,
) {
	runs := o.Runs
	if runs <= 0 {
		runs = 3
	}
	for i := range runs + 1 {
		start := time.Now()
		err = j.Run(ctx, on)
		if errors.Is(err, primitive.ErrNoTwin) {
			return 0, 0, false, nil
		}
		if err != nil {
			return 0, 0, true, err
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
