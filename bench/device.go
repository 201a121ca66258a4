package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"millwright.dev/millwright/bench/primitives"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/device"
)

// deviceCmd does all that a visit to a machine with a graphics device is for, the most telling first, within a time:
// the acceptance figures of the compute engine, the conformance suites, and every primitive beside the processor.
type deviceCmd struct {
	Device string        `default:"gpu" enum:"gpu,software" help:"gpu: the graphics device, which must be there; software: a renderer on the processor, to try the command."`
	Out    string        `default:"." type:"existingdir" help:"Folder for device.json and device.md."`
	Budget time.Duration `default:"8m" help:"Measurements that have not begun by then are omitted."`
	Small  bool          `help:"Tiny inputs, and fewer cases of the suites: to try the command."`
}

// visit is what device.json holds.
type visit struct {
	Processor   string               `json:"processor"`
	Threads     int                  `json:"threads"`
	Device      device.Info          `json:"device"`
	Ceilings    []primitives.Backend `json:"ceilings"`
	Claims      []claim              `json:"claims"`
	Conformance []primitives.Verdict `json:"conformance"`
	Calls       map[string][2]int    `json:"callsOnDeviceAndProcessor"` // of the suites
	FallBacks   map[string]int       `json:"fallBacks"`                 // of the suites, by reason
	Rows        []primitives.Row     `json:"kernels"`
	LeftOut     []string             `json:"leftOut,omitempty"`
	Seconds     float64              `json:"seconds"`
}

// claim is an acceptance figure.
type claim struct {
	What  string  `json:"what"`
	Want  string  `json:"want"`
	Got   float64 `json:"got"`
	Holds bool    `json:"holds"`
}

// Run measures and writes both files, also when time ran out.
func (c *deviceCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, c.Budget)
	defer cancel()
	start := time.Now()
	list, gpu, release, err := (&kernelsCmd{Device: c.Device}).backends(ctx)
	if err != nil {
		return err
	}
	defer release()
	v := &visit{Processor: processorName(), Threads: runtime.GOMAXPROCS(0), Ceilings: list}
	v.Device = gpu.Info()
	for _, stage := range []struct {
		name string
		do   func(context.Context, *visit) error
	}{
		{"figures of acceptance", c.figures}, {"conformance", c.conform}, {"other primitives", c.others},
	} {
		fmt.Fprintf(os.Stderr, "%s: %s\n", time.Since(start).Round(time.Second), stage.name)
		switch err := stage.do(ctx, v); {
		case errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled):
			v.LeftOut = append(v.LeftOut, "rest of "+stage.name)
		case err != nil:
			v.LeftOut = append(v.LeftOut, fmt.Sprintf("rest of %s: %v", stage.name, err))
		}
	}
	v.Claims = claims(v.Rows, list[0].Name, list[1].Name)
	v.Seconds = time.Since(start).Seconds()
	return c.write(v)
}

// ofPart is the primitive that is measured at the size of the acceptance figure only; telling are the others of which
// such figures speak.
const ofPart = "visibility-part"

var telling = []string{"height-map", "offset-height", "sweep"}

func (c *deviceCmd) figures(ctx context.Context, v *visit) error {
	const rays = 100_000 * 1000 // a part of 10^5 triangles along 10^3 directions
	if err := c.measure(ctx, v, []int{rays}, ofPart); err != nil {
		return err
	}
	return c.measure(ctx, v, nil, telling...)
}

func (c *deviceCmd) others(ctx context.Context, v *visit) error {
	names := slices.DeleteFunc(primitives.Names(), func(n string) bool { return n == ofPart || slices.Contains(telling, n) })
	return c.measure(ctx, v, nil, names...)
}

func (c *deviceCmd) measure(ctx context.Context, v *visit, sizes []int, names ...string) error {
	const tiny, enough = 1 << 12, 20 * time.Second
	if c.Small {
		sizes = []int{tiny}
	}
	o := primitives.Options{Primitives: names, Sizes: sizes, Enough: enough}
	return primitives.Measure(ctx, v.Ceilings, o, func(r primitives.Row) error {
		v.Rows = append(v.Rows, r)
		fmt.Fprintf(os.Stderr, "  %s of %d on %s: %.3g s\n", r.Primitive, r.Size, r.Device, r.Seconds)
		return nil
	})
}

// conform runs the suites on an engine that sends everything to the device.
func (c *deviceCmd) conform(ctx context.Context, v *visit) error {
	e, err := compute.New(compute.Options{
		Device: compute.GPU, GPU: device.GPUOptions{Software: c.Device == "software", Poison: true},
	})
	if err != nil {
		return err
	}
	defer e.Close()
	err = primitives.Check(ctx, e, nil, c.Small, func(verdict primitives.Verdict) {
		v.Conformance = append(v.Conformance, verdict)
		fmt.Fprintf(os.Stderr, "  %s: passed %v, %.3g s\n", verdict.Primitive, verdict.Passed, verdict.Seconds)
	})
	stats := e.Stats()
	v.Calls, v.FallBacks = map[string][2]int{}, map[string]int{}
	for p, n := range stats.OnGPU {
		v.Calls[p] = [2]int{n, stats.OnCPU[p]}
	}
	for reason, n := range stats.FallBacks {
		v.FallBacks[string(reason)] = n
	}
	return err
}

// claims holds the rows against the acceptance figures, those of the largest size.
func claims(rows []primitives.Row, processor, gpu string) (list []claim) {
	largest := func(primitive, device string) (best primitives.Row, ok bool) {
		for _, r := range rows {
			if r.Primitive == primitive && r.Device == device && r.Size >= best.Size {
				best, ok = r, true
			}
		}
		return best, ok
	}
	if r, ok := largest(ofPart, gpu); ok {
		list = append(list,
			claim{fmt.Sprintf("visibility of %d samples, first call, s", r.Size), "< 1", r.FirstSeconds, r.FirstSeconds < 1},
			claim{fmt.Sprintf("visibility of %d samples, s", r.Size), "< 1", r.Seconds, r.Seconds < 1})
	}
	const atLeast, updates = 50, 1e8
	m, ok1 := largest("height-map", gpu)
	o, ok2 := largest("offset-height", gpu)
	mp, ok3 := largest("height-map", processor)
	op, ok4 := largest("offset-height", processor)
	if ok1 && ok2 && ok3 && ok4 {
		ratio := (mp.Seconds + op.Seconds) / (m.Seconds + o.Seconds)
		list = append(list, claim{fmt.Sprintf("height map and offset of %d cells, speed over the processor", m.Size), "≥ 50",
			ratio, ratio >= atLeast})
	}
	if r, ok := largest("sweep", gpu); ok {
		list = append(list, claim{"sweep, dexel updates/s", "≥ 1e8", r.ItemsPerSecond, r.ItemsPerSecond >= updates})
	}
	return list
}

func (c *deviceCmd) write(v *visit) error {
	err := writeFile(filepath.Join(c.Out, "device.json"), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(v)
	})
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(c.Out, "device.md"), func(w io.Writer) error { return v.markdown(w) })
}

// markdown writes the visit as a section of bench/history/compute.md.
func (v *visit) markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", v.Device.Renderer)
	fmt.Fprintf(&b, "%s, %d threads of %s. All in %.0f s.\n\n", v.Device.Version, v.Threads, v.Processor, v.Seconds)
	for _, d := range v.Ceilings {
		fmt.Fprintf(&b, "%s copies %.3g GB/s and computes %.3g GFLOP/s.\n", d.Name, d.Ceiling.BytesPerSecond/1e9,
			d.Ceiling.FlopsPerSecond/1e9)
	}
	b.WriteString("\n| figure | wanted | measured | holds |\n|---|---|--:|---|\n")
	for _, k := range v.Claims {
		fmt.Fprintf(&b, "| %s | %s | %.3g | %v |\n", k.What, k.Want, k.Got, k.Holds)
	}
	b.WriteString("\n| suite | passed | s | failures |\n|---|---|--:|---|\n")
	for _, k := range v.Conformance {
		fmt.Fprintf(&b, "| %s | %v | %.1f | %s |\n", k.Primitive, k.Passed, k.Seconds,
			strings.ReplaceAll(strings.Join(k.Failures, "; "), "|", "\\|"))
	}
	b.WriteString("\n")
	if err := primitives.Table(&b, v.Rows, v.Ceilings[0].Name); err != nil {
		return err
	}
	for _, s := range v.LeftOut {
		fmt.Fprintf(&b, "\nLeft out: %s.\n", s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// processorName returns the name of the processor, if the system provides it.
func processorName() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
