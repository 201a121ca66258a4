// Package compute is the engine behind everything that costs time: it chooses a backend for each
// call and gives the same results on every one.
//
// The primitives live in the packages of the backends; cpu is always there. What drives them for one
// stage of the pipeline lives in a package of its own, like tessellate.
package compute

import (
	"context"

	"millwright/compute/cpu"
	"millwright/core/geom"
	"millwright/core/mesh"
)

// Options configure an engine; the zero value uses all processors.
type Options struct {
	Threads int // goroutines per call, 0 = GOMAXPROCS
}

// Engine runs the compute primitives on the best backend of the machine. It is safe for concurrent
// use.
type Engine struct{ cpu *cpu.Engine }

// New probes the machine and returns its engine.
func New(opts Options) *Engine { return &Engine{cpu: cpu.New(opts.Threads)} }

// Backend names what runs the calls: "cpu".
func (e *Engine) Backend() string { return "cpu" }

// Visible returns for direction d and triangle t the visible fraction in [0, 1] at [d][t].
func (e *Engine) Visible(ctx context.Context, m *mesh.Mesh, directions []geom.Vec3) ([][]float32, error) {
	return e.cpu.Visible(ctx, m, directions)
}
