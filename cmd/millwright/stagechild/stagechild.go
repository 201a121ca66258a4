// Package stagechild wires the way of a part, from file to result, to its adapters, and runs it in child processes: a
// file that hangs or eats memory costs only itself.
package stagechild

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/draw"
	"io"
	"os"
	"path/filepath"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/adapters/cad/converter"
	"millwright.dev/millwright/adapters/childproc"
	"millwright.dev/millwright/adapters/export"
	"millwright.dev/millwright/adapters/export/featurecolor"
	"millwright.dev/millwright/adapters/export/glb"
	"millwright.dev/millwright/adapters/export/stl"
	"millwright.dev/millwright/adapters/export/threemf"
	"millwright.dev/millwright/adapters/export/thumbnail"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
)

// Cmd is the child process that reads one untrusted file.
type Cmd struct {
	Compute   Device `embed:""`
	Converter string // what it is and does, as JSON; it is the parent that runs it
}

// Run speaks the child's side of the protocol.
func (c *Cmd) Run(ctx context.Context) error {
	engine, err := c.Compute.engine()
	if err != nil {
		return err
	}
	defer engine.Close()
	var of converter.Description
	if c.Converter != "" {
		if err := json.Unmarshal([]byte(c.Converter), &of); err != nil {
			return fmt.Errorf("--converter: %w", err)
		}
	}
	return childproc.Serve(ctx, func(
		ctx context.Context, recipe pipeline.Params, want []pipeline.Name, files pipeline.Files,
		tell func(pipeline.Progress), convert childproc.Convert,
	) (pipeline.Run, error) {
		made, err := tree(engine, cad.Reader{Converter: remote{of, convert}}).Make(ctx, recipe, want, files, tell)
		return pipeline.Run{Made: made, Compute: useOf(engine)}, err
	})
}

// remote is the converter as the child sees it.
type remote struct {
	converter.Description
	convert childproc.Convert
}

// Convert implements cad.Converter.
func (r remote) Convert(ctx context.Context, src io.ReaderAt, size int64, format, suffix string) ([]byte, error) {
	return r.convert(ctx, src, size, format, suffix)
}

// useOf says what was computed where.
func useOf(engine *compute.Engine) pipeline.ComputeUse {
	stats := engine.Stats()
	use := pipeline.ComputeUse{Device: string(compute.CPU), OnCPU: stats.OnCPU, OnGPU: stats.OnGPU}
	for _, n := range stats.FallBacks {
		use.Fallbacks += n
	}
	if len(use.OnGPU) > 0 {
		use.Device = string(compute.GPU)
	}
	return use
}

// Sandbox runs Cmd of this same binary for every run, with its workspaces in dir ("" = that for temporary files).
func Sandbox(dir string, limits Limits, device Device) (*childproc.Sandbox, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the own binary: %w", err)
	}
	if device.Device == compute.GPU { // say now that there is none; files do not fail when it goes later
		engine, err := device.engine()
		if err != nil {
			return nil, err
		}
		engine.Close()
		device.Device = compute.Auto
	}
	o := childproc.Options{
		Argv:        []string{self, "kernel", "--device=" + string(device.Device)},
		Env:         runtimeEnv(),
		Dir:         dir,
		Timeout:     limits.Timeout,
		MemoryBytes: limits.Memory << 20,
	}
	o.Read, o.Write = device.files()
	conv, err := limits.converter()
	if err != nil {
		return nil, err
	}
	if conv != nil {
		text, err := json.Marshal(conv.Description)
		if err != nil {
			return nil, err
		}
		o.Argv, o.Converter = append(o.Argv, "--converter="+string(text)), conv
	}
	return childproc.New(o)
}

// files are what the driver of a graphics device reads and writes.
func (d Device) files() (read, write []string) {
	if d.Device == compute.CPU {
		return nil, nil
	}
	read = []string{
		"/usr/share/drirc.d", "/usr/share/egl", "/usr/share/glvnd", "/usr/share/nvidia", "/usr/share/vulkan",
		"/etc/egl", "/etc/glvnd", "/etc/nvidia", "/etc/vulkan",
		"/proc/cpuinfo", "/proc/devices", "/proc/driver/nvidia", "/proc/meminfo", "/proc/modules", "/proc/stat",
		"/sys/bus/pci", "/sys/class/drm", "/sys/dev/char", "/sys/devices", "/sys/module",
	}
	devices, _ := filepath.Glob("/dev/nvidia*") // the pattern is a good one
	return read, append(devices, "/dev/dri")
}

// Device chooses what the compute primitives run on.
type Device struct {
	Device compute.Device `default:"auto" enum:"auto,gpu,cpu" help:"What computations run on: large ones on the graphics device if there is one (auto), the same but it must be there (gpu), the processor (cpu)."`
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

// Pipeline wires the stages to their adapters.
func Tree(engine *compute.Engine) *pipeline.Pipeline { return tree(engine, cad.Reader{}) }

func tree(engine *compute.Engine, of cad.Reader) *pipeline.Pipeline {
	return &pipeline.Pipeline{
		Reader: reader{of}, Tessellator: tessellator{engine}, Visibility: engine, Mill: engine, JobWriters: jobWriters,
		Writers: map[pipeline.Name]pipeline.Writer{
			pipeline.STL:            func(w io.Writer, v *pipeline.View) error { return stl.Write(w, v.Mesh) },
			pipeline.GLB:            writeGLB,
			pipeline.ThreeMF:        writeThreeMF,
			pipeline.Thumbnail:      writeThumbnail,
			pipeline.FeatureGLB:     writeFeatureGLB,
			pipeline.FeaturePicture: writeFeaturePicture,
		},
	}
}

func writeGLB(w io.Writer, v *pipeline.View) error {
	edges := export.Edges(v.Model, v.EdgeLines)
	return glb.Write(w, v.Mesh, glb.Options{Name: v.Title, Colors: colors(v.Model), Edges: edges})
}

// writeThreeMF writes the part with a material for each kind of feature.
func writeThreeMF(w io.Writer, v *pipeline.View) error {
	materials, ofRegion := featurecolor.Materials(v.Found.Features, len(v.Mesh.Regions))
	return threemf.Write(w, v.Mesh, threemf.Options{Name: v.Title, Materials: materials, OfRegion: ofRegion})
}

func writeThumbnail(w io.Writer, v *pipeline.View) error {
	edges := export.SharpEdges(v.Model, v.EdgeLines)
	picture, err := thumbnail.Render(v.Mesh, edges, thumbnail.Options{Colors: colors(v.Model)})
	if err != nil {
		return err
	}
	return thumbnail.WritePNG(w, picture)
}

// writeFeatureGLB writes the part with a node for each feature, colored by kind.
func writeFeatureGLB(w io.Writer, v *pipeline.View) error {
	return glb.Write(w, v.Mesh, glb.Options{
		Name: v.Title, Edges: export.Edges(v.Model, v.EdgeLines),
		Groups: featurecolor.Groups(v.Found), Extras: featurecolor.Legend(),
	})
}

// writeFeaturePicture draws the part with its faces colored by kind of feature, side by side from the front,
// right and above, and from the back, left and below.
func writeFeaturePicture(w io.Writer, v *pipeline.View) error {
	const size = 1024 // pixels: it is to be looked at
	owners := featurecolor.Owners(v.Found.Features, len(v.Mesh.Regions))
	colors := featurecolor.Colors(v.Found.Features, owners)
	borders := export.BorderEdges(v.Model, v.EdgeLines, func(f brep.FaceID) int { return owners[f] })
	both := image.NewNRGBA(image.Rect(0, 0, 2*size, size))
	for i, from := range []geom.Vec3{{X: 0.62, Y: -1, Z: 0.72}, {X: -0.62, Y: 1, Z: -0.72}} {
		view, err := thumbnail.Render(v.Mesh, borders, thumbnail.Options{
			Size: size, Direction: from, Colors: colors,
		})
		if err != nil {
			return err
		}
		draw.Draw(both, view.Bounds().Add(image.Pt(i*size, 0)), view, image.Point{}, draw.Src)
	}
	return thumbnail.WritePNG(w, both)
}

func colors(m *brep.Model) []*brep.Color {
	out := make([]*brep.Color, len(m.Faces))
	for i := range m.Faces {
		out[i] = m.Faces[i].Color
	}
	return out
}

type reader struct{ of cad.Reader }

// Read implements pipeline.Reader.
func (r reader) Read(
	ctx context.Context, src io.ReaderAt, size int64, fileName string, found func(format string),
) (*brep.Model, error) {
	of := r.of
	of.Found = func(f cad.Format) { found(string(f)) }
	m, _, err := of.Read(ctx, src, size, fileName)
	return m, err
}

type tessellator struct{ engine *compute.Engine }

// Tessellate implements pipeline.Tessellator.
func (t tessellator) Tessellate(
	ctx context.Context, m *brep.Model, chord, angle float64, progress func(done, total int),
) (pipeline.Tessellation, error) {
	r, err := tessellate.Mesh(ctx, m, tessellate.Options{
		ChordTolerance: chord, AngleTolerance: angle, Progress: progress, Runner: t.engine,
	})
	if err != nil {
		return pipeline.Tessellation{}, err
	}
	return pipeline.Tessellation{
		Mesh: r.Mesh, EdgeLines: r.EdgeLines, Watertight: r.Report.Watertight, Warnings: r.Warnings,
		ChordTolerance: r.ChordTolerance, AngleTolerance: r.AngleTolerance,
	}, nil
}
