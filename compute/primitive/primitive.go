// Package primitive defines compute primitives. A primitive is a function over plain values with a contract, a CPU
// backend, a GPU backend, and the cost by which package compute chooses between them.
//
// A primitive has one folder, compute/<name>, with
//
//   - NAME.go: its input and output, its error bound, Input.Check, and the value of type Primitive;
//   - cpu.go: the CPU backend, the reference for the others;
//   - gpu.go: the GPU backend, whose shaders are in package shaders;
//   - NAMEtest: the suite that every backend must pass, and benchmark inputs, a primitivetest.Case.
//
// A new primitive is such a folder, its shader, and its Case in the list of primitivetest/registry; compute/engage is
// the smallest example. No other code depends on the set of primitives. Callers write NAME.Primitive.Run(ctx, engine,
// in).
//
// All lengths are in mm. A backend returns values within the error bound stated at its Input, and the same values for
// any number of threads. It returns ctx.Err() soon after a context ends, and does not change its inputs. Inputs that
// are not finite are rejected with an error; no input causes a panic.
package primitive

import (
	"context"
	"errors"
	"fmt"

	"millwright.dev/millwright/compute/device"
)

// Primitive is a compute primitive from In to Out.
type Primitive[In, Out any] struct {
	Name string // as in metrics and in `go run ./bench kernels`

	// Check returns an error for an input that the primitive does not take. It runs once for each call; the twins
	// rely on it.
	Check func(*In) error

	// Items returns the amount of work of an input, in the unit of Cost: samples, rays, cells.
	Items func(*In) int
	Cost  Cost

	CPU func(context.Context, CPU, *In) (Out, error)

	// GPU answers with a *device.Error where the device cannot do a call, which is then to be done on the processor;
	// nil where the primitive has no twin there.
	GPU func(context.Context, *device.GPU, *In) (Out, error)
}

// Cost is the cost of an item, which decides between the processor and a graphics device.
type Cost struct {
	Seconds float64 // of one thread of the reference processor; see package compute
	Bytes   float64 // that go to the device and back
	Host    float64 // processor seconds for a call on the device, beyond those for a call on the processor
}

// Runner is the backend of a primitive's call: the processor (CPU), a graphics device (OnGPU), or the engine of package
// compute that chooses between them.
type Runner interface {
	// Do runs a call by one of its twins, whose error it returns.
	Do(context.Context, Job) error

	// Batch returns the preferred number of items of this cost for a call, for callers that can gather them. It is 1
	// where the number makes no difference, as on a processor.
	Batch(Cost) int
}

// Job is a call of some primitive.
type Job interface {
	Name() string
	Items() int
	Cost() Cost
	HasGPU() bool
	OnCPU(context.Context, CPU) error
	OnGPU(context.Context, *device.GPU) error
}

// Run calls the primitive. The error comes from Check, the context or the runner; the output is empty then.
func (p *Primitive[In, Out]) Run(ctx context.Context, on Runner, in In) (Out, error) {
	c := Call[In, Out]{Primitive: p, In: in}
	err := p.Check(&c.In)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = on.Do(ctx, &c)
	}
	if err != nil {
		var none Out
		return none, err
	}
	return c.Out, nil
}

// Call is a Job of a known primitive; a twin fills in Out.
type Call[In, Out any] struct {
	Primitive *Primitive[In, Out]
	In        In
	Out       Out
}

// Name implements Job.
func (c *Call[In, Out]) Name() string { return c.Primitive.Name }

// Items implements Job.
func (c *Call[In, Out]) Items() int { return c.Primitive.Items(&c.In) }

// Cost implements Job.
func (c *Call[In, Out]) Cost() Cost { return c.Primitive.Cost }

// HasGPU implements Job.
func (c *Call[In, Out]) HasGPU() bool { return c.Primitive.GPU != nil }

// OnCPU implements Job.
func (c *Call[In, Out]) OnCPU(ctx context.Context, on CPU) (err error) {
	c.Out, err = c.Primitive.CPU(ctx, on, &c.In)
	return err
}

// OnGPU implements Job.
func (c *Call[In, Out]) OnGPU(ctx context.Context, on *device.GPU) (err error) {
	c.Out, err = c.Primitive.GPU(ctx, on, &c.In)
	return err
}

// ErrNoTwin is the error of a graphics device for a primitive without a GPU backend.
var ErrNoTwin = errors.New("no twin on a graphics device")

// OnGPU returns a runner that runs every call on a graphics device and returns the error of a failed call.
func OnGPU(g *device.GPU) Runner { return onGPU{g} }

type onGPU struct{ *device.GPU }

// DeviceBatch is the preferred minimum number of items in a call for a graphics device, for callers that can gather
// them. The overhead of the device is small beside so many items, and they take some megabytes.
const DeviceBatch = 1 << 16

// Batch implements Runner.
func (onGPU) Batch(Cost) int { return DeviceBatch }

// Do implements Runner.
func (g onGPU) Do(ctx context.Context, j Job) error {
	if !j.HasGPU() {
		return fmt.Errorf("%s: %w", j.Name(), ErrNoTwin)
	}
	return j.OnGPU(ctx, g.GPU)
}
