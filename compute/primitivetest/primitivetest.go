// Package primitivetest provides the shared code of all primitives' tests and benchmarks.
//
// A primitive's suite checks its runner against the contract of the primitive: it compares the results for random and
// degenerate inputs with slow and simple references, within the stated bounds. The tests of the primitive call it for
// each backend, and `go run ./bench device` for the engine on a machine under test.
package primitivetest

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Case describes a primitive for tests and benchmarks.
type Case[In, Out any] struct {
	Primitive *primitive.Primitive[In, Out]
	Variant   string // of a benchmark input, added to its name; the plain case provides the suite
	Suite     func(testing.TB, primitive.Runner)

	// Sizes are the items of the benchmark inputs; empty for a case that runs only in requested sizes.
	Sizes []int

	// Load makes an input of about so many items, of the mesh if one is given and the primitive takes one.
	Load func(items int, m *mesh.Mesh) (Load[In], error)
}

// Load is an input to measure a primitive on.
type Load[In any] struct {
	In    In
	Items int
	Bytes float64 // of inputs and outputs, read or written once
	Flops float64 // minimum number of operations of the method, 0 if unknown
}

// Entry is a Case of some primitive.
type Entry interface {
	// Name returns the name of the primitive, with the variant.
	Name() string
	// Check runs the suite; has is false for a case without.
	Check(t testing.TB, on primitive.Runner) (has bool)
	// Usual returns Sizes.
	Usual() []int
	// Job makes an input by Load.
	Job(items int, m *mesh.Mesh) (Job, error)
}

// Job is an input of some primitive, to be measured.
type Job struct {
	Items        int
	Bytes, Flops float64 // as in Load
	Run          func(context.Context, primitive.Runner) error
}

// Name implements Entry.
func (c *Case[In, Out]) Name() string {
	if c.Variant != "" {
		return c.Primitive.Name + "-" + c.Variant
	}
	return c.Primitive.Name
}

// Check implements Entry.
func (c *Case[In, Out]) Check(t testing.TB, on primitive.Runner) (has bool) {
	if c.Suite != nil {
		c.Suite(t, on)
	}
	return c.Suite != nil
}

// Usual implements Entry.
func (c *Case[In, Out]) Usual() []int { return c.Sizes }

// Job implements Entry.
func (c *Case[In, Out]) Job(items int, m *mesh.Mesh) (Job, error) {
	l, err := c.Load(items, m)
	return Job{Items: l.Items, Bytes: l.Bytes, Flops: l.Flops,
		Run: func(ctx context.Context, on primitive.Runner) error {
			_, err := c.Primitive.Run(ctx, on, l.In)
			return err
		}}, err
}

// Refuses calls a primitive with inputs that were sound until spoiled, which it must not take, and with a sound one
// after the context ended.
func Refuses[In, Out any](
	t testing.TB, on primitive.Runner, p *primitive.Primitive[In, Out], sound func() In, spoiled map[string]func(*In),
) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(spoiled)) {
		in := sound()
		spoiled[name](&in)
		if _, err := p.Run(context.Background(), on, in); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Run(ctx, on, sound()); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context ended: error %v", err)
	}
}
