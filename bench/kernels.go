package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"millwright.dev/millwright/bench/primitives"
	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/device/opengl"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/kernel/mesh"
)

// kernelsCmd measures the compute primitives.
type kernelsCmd struct {
	Device    string   `default:"auto" enum:"auto,cpu,gpu,software" help:"cpu; gpu: also on the graphics device, which must be there; auto: on it if it is; software: on a renderer on the processor, which must be there."`
	Primitive []string `help:"Only these (default: all)."`
	Size      []int    `help:"Items of the inputs: cells, samples, points (default: a few of each primitive)."`
	Mesh      string   `type:"existingfile" help:"Binary STL file for the primitives that take a mesh."`
	Threads   int      `help:"Threads of the processor, 0 = all."`
	Runs      int      `default:"3" help:"Runs of each measurement; the fastest counts."`
	JSON      bool     `name:"json" help:"A JSON object a line instead of a table."`
	SVG       string   `name:"svg" help:"File for a plot of items per second over items."`
	Baseline  string   `type:"existingfile" help:"Lines of an earlier --json: fail where something has become slower."`
	Slower    float64  `default:"1.3" help:"With --baseline, times as long as before that are too much."`
}

// Run measures and reports.
func (c *kernelsCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var earlier []primitives.Row
	if c.Baseline != "" {
		f, err := os.Open(c.Baseline)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		if earlier, err = primitives.Load(f); err != nil {
			return fmt.Errorf("%s: %w", c.Baseline, err)
		}
	}
	backends, _, release, err := c.backends(ctx)
	if err != nil {
		return err
	}
	defer release()
	rows, err := c.measure(ctx, backends)
	if err != nil {
		return err
	}
	if err := c.report(rows, backends); err != nil {
		return err
	}
	if c.Baseline == "" {
		return nil
	}
	sentences, compared := primitives.Slower(rows, earlier, c.Slower)
	if len(sentences) > 0 {
		return errors.New(strings.Join(sentences, "\n"))
	}
	if compared == 0 {
		return fmt.Errorf("%s has none of these measurements", c.Baseline)
	}
	fmt.Fprintf(os.Stderr, "none of %d measurements takes over %g times as long as before\n", compared, c.Slower)
	return nil
}

func (c *kernelsCmd) measure(ctx context.Context, backends []primitives.Backend) (rows []primitives.Row, err error) {
	const enough = 20 * time.Second // of one run: a renderer on the processor may be very slow
	o := primitives.Options{Primitives: c.Primitive, Sizes: c.Size, Runs: c.Runs, Enough: enough}
	if c.Mesh != "" {
		var m *mesh.Mesh
		if m, err = readSTL(c.Mesh); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Mesh, err)
		}
		o.Mesh = m
	}
	err = primitives.Measure(ctx, backends, o, func(r primitives.Row) error {
		rows = append(rows, r)
		if c.JSON {
			return json.NewEncoder(os.Stdout).Encode(r)
		}
		return nil
	})
	return rows, err
}

// backends opens the devices that are asked for; gpu is nil where there is none.
func (c *kernelsCmd) backends(ctx context.Context) (
	list []primitives.Backend, gpu *device.GPU, release func(), err error,
) {
	list = append(list, primitives.Processor(c.Threads))
	release = func() {}
	if c.Device == "cpu" {
		return list, nil, release, nil
	}
	gpu, err = opengl.Open(device.GPUOptions{Software: c.Device == "software"})
	if err != nil {
		if c.Device == "auto" {
			fmt.Fprintln(os.Stderr, err)
			return list, nil, release, nil
		}
		return nil, nil, nil, err
	}
	ceilings, err := gpu.MeasureCeilings(ctx)
	if err != nil {
		gpu.Close()
		return nil, nil, nil, err
	}
	list = append(list, primitives.Backend{Name: gpu.Name(), On: primitive.OnGPU(gpu), Ceiling: primitives.Ceiling{
		BytesPerSecond: ceilings.BytesPerSecond, FlopsPerSecond: ceilings.FlopsPerSecond,
	}})
	return list, gpu, gpu.Close, nil
}

func (c *kernelsCmd) report(rows []primitives.Row, backends []primitives.Backend) error {
	if c.SVG != "" {
		if err := writeFile(c.SVG, func(w io.Writer) error { return primitives.Plot(w, rows) }); err != nil {
			return err
		}
	}
	if c.JSON {
		return nil
	}
	for _, b := range backends {
		fmt.Printf("%s: copies %.3g GB/s, computes %.3g GFLOP/s (float32 multiply-adds)\n", b.Name,
			b.Ceiling.BytesPerSecond/1e9, b.Ceiling.FlopsPerSecond/1e9)
	}
	fmt.Println()
	return primitives.Table(os.Stdout, rows, backends[0].Name)
}

// writeFile makes a file of what write writes.
func writeFile(path string, write func(io.Writer) error) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return write(f)
}
