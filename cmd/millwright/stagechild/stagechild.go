// Package stagechild runs the stages of package millwright in confined child processes: a file that hangs or eats
// memory costs only itself.
package stagechild

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"millwright.dev/millwright"
	"millwright.dev/millwright/adapters/cad/converter"
	"millwright.dev/millwright/adapters/childproc"
	"millwright.dev/millwright/compute"
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
		ctx context.Context, params pipeline.Params, want []pipeline.Name, files pipeline.Files,
		tell func(pipeline.Progress), convert childproc.Convert,
	) (pipeline.Run, error) {
		stages := millwright.Pipeline(millwright.Options{Engine: engine, Converter: remote{of, convert}})
		made, err := stages.Make(ctx, params, want, files, tell)
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

// useOf returns the device of each computation.
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

// files returns the paths that the driver of a graphics device reads and writes.
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
