// Package kernel wires the way of a part, from file to result, to its adapters, and runs it in child processes: a
// file that hangs or eats memory costs only itself.
package kernel

import (
	"context"
	"fmt"
	"image"
	"image/draw"
	"io"
	"log/slog"
	"os"

	"millwright/adapters/cad"
	"millwright/adapters/childproc"
	"millwright/adapters/export"
	"millwright/adapters/export/featured"
	"millwright/adapters/export/glb"
	"millwright/adapters/export/stl"
	"millwright/adapters/export/thumbnail"
	"millwright/compute"
	"millwright/compute/tessellate"
	"millwright/core/brep"
	"millwright/core/geom"
	"millwright/core/service"
	"millwright/core/service/analysis"
)

// Version is recorded in every result; it changes whenever the same file could give another one.
const Version = "0.3.0"

// Cmd is the child process that reads one untrusted file.
type Cmd struct {
	Compute Device `embed:""`
}

// Run speaks the child's side of the protocol. A graphics device that has gone since the program started is no
// reason to fail the file.
func (c *Cmd) Run(ctx context.Context) error {
	engine, err := c.Compute.engine()
	if err != nil {
		slog.Warn("no gpu, calls run on the processor", "cause", err)
		if engine, err = (Device{compute.CPU}).engine(); err != nil {
			return err
		}
	}
	defer engine.Close()
	return childproc.Serve(ctx, sayingWhere{newPipeline(engine), engine})
}

// sayingWhere is a kernel that adds to its result what it computed on.
type sayingWhere struct {
	service.Kernel
	engine *compute.Engine
}

// Analyze implements service.Kernel.
func (k sayingWhere) Analyze(
	ctx context.Context, req service.KernelRequest, progress func(percent int, stage string),
) (*service.Analysis, error) {
	a, err := k.Kernel.Analyze(ctx, req, progress)
	if a != nil {
		stats := k.engine.Stats()
		use := &service.ComputeUse{Device: string(compute.CPU)}
		for _, n := range stats.OnGPU {
			use.GPUCalls += n
		}
		for _, n := range stats.FallBacks {
			use.Fallbacks += n
		}
		if use.GPUCalls > 0 {
			use.Device = string(compute.GPU)
		}
		a.Compute = use
	}
	return a, err
}

// Child runs Cmd of this same binary for every file.
func Child(limits Limits, device Device) (service.Kernel, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the own binary: %w", err)
	}
	if device.Device == compute.GPU { // say now that there is none
		engine, err := device.engine()
		if err != nil {
			return nil, err
		}
		engine.Close()
	}
	return childproc.New(childproc.Options{
		Argv:        []string{self, "kernel", "--device=" + string(device.Device)},
		Env:         runtimeEnv(),
		Timeout:     limits.Timeout,
		MemoryBytes: limits.Memory << 20,
	})
}

// Device chooses what the compute primitives run on.
type Device struct {
	Device compute.Device `default:"auto" enum:"auto,gpu,cpu" help:"What large computations run on: the graphics device if there is one (auto), it or nothing (gpu), the processor (cpu)."`
}

func (d Device) engine() (*compute.Engine, error) {
	return compute.New(compute.Options{Device: d.Device})
}

// runtimeEnv is the part of the environment that tunes the Go runtime; a child gets nothing else.
func runtimeEnv() []string {
	var env []string
	for _, name := range []string{"GOMAXPROCS", "GOGC", "GODEBUG"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// newPipeline wires the way of a part to its adapters.
func newPipeline(engine *compute.Engine) *analysis.Pipeline {
	return &analysis.Pipeline{
		Reader:      reader{},
		Tessellator: tessellator{},
		Visibility:  engine,
		STL:         func(w io.Writer, p *analysis.Part) error { return stl.Write(w, p.Mesh) },
		GLB: func(w io.Writer, p *analysis.Part) error {
			edges := export.Edges(p.Model, p.EdgeLines)
			return glb.Write(w, p.Mesh, glb.Options{Name: p.Name, Colours: colours(p.Model), Edges: edges})
		},
		Thumbnail: func(w io.Writer, p *analysis.Part) error {
			edges := export.SharpEdges(p.Model, p.EdgeLines)
			picture, err := thumbnail.Render(p.Mesh, edges, thumbnail.Options{Colours: colours(p.Model)})
			if err != nil {
				return err
			}
			return thumbnail.WritePNG(w, picture)
		},
		FeatureGLB:     writeFeatureGLB,
		FeaturePicture: writeFeaturePicture,
		Version:        Version,
	}
}

// writeFeatureGLB writes the part with a node for each feature, coloured by kind.
func writeFeatureGLB(w io.Writer, p *analysis.Part) error {
	return glb.Write(w, p.Mesh, glb.Options{
		Name: p.Name, Edges: export.Edges(p.Model, p.EdgeLines),
		Groups: featured.Groups(&p.Found.Result), Extras: featured.Legend(),
	})
}

// writeFeaturePicture draws the part with its faces coloured by kind of feature, side by side from the front,
// right and above, and from the back, left and below.
func writeFeaturePicture(w io.Writer, p *analysis.Part) error {
	const size = 1024 // pixels: it is to be looked at
	owners := featured.Owners(p.Found.Features, len(p.Mesh.Regions))
	colours := featured.Colours(p.Found.Features, owners)
	borders := export.BorderEdges(p.Model, p.EdgeLines, func(f brep.FaceID) int { return owners[f] })
	both := image.NewNRGBA(image.Rect(0, 0, 2*size, size))
	for i, from := range []geom.Vec3{{X: 0.62, Y: -1, Z: 0.72}, {X: -0.62, Y: 1, Z: -0.72}} {
		view, err := thumbnail.Render(p.Mesh, borders, thumbnail.Options{
			Size: size, Direction: from, Colours: colours,
		})
		if err != nil {
			return err
		}
		draw.Draw(both, view.Bounds().Add(image.Pt(i*size, 0)), view, image.Point{}, draw.Src)
	}
	return thumbnail.WritePNG(w, both)
}

func colours(m *brep.Model) []*brep.Colour {
	out := make([]*brep.Colour, len(m.Faces))
	for i := range m.Faces {
		out[i] = m.Faces[i].Colour
	}
	return out
}

type reader struct{}

// Read implements analysis.Reader.
func (reader) Read(
	ctx context.Context, src io.ReaderAt, size int64, fileName string,
) (*brep.Model, string, error) {
	m, format, err := cad.Read(ctx, src, size, fileName)
	return m, string(format), err
}

type tessellator struct{}

// Tessellate implements analysis.Tessellator.
func (tessellator) Tessellate(
	ctx context.Context, m *brep.Model, chord, angle float64, progress func(done, total int),
) (analysis.Tessellation, error) {
	r, err := tessellate.Mesh(ctx, m, tessellate.Options{
		ChordTolerance: chord, AngleTolerance: angle, Progress: progress,
	})
	if err != nil {
		return analysis.Tessellation{}, err
	}
	return analysis.Tessellation{
		Mesh: r.Mesh, EdgeLines: r.EdgeLines, Watertight: r.Report.Watertight, Warnings: r.Warnings,
	}, nil
}
