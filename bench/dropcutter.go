package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"millwright.dev/millwright/compute/dropcutter"
	"millwright.dev/millwright/compute/heightmap"
	"millwright.dev/millwright/compute/offsetheight"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// dropCutterCmd compares tool-tip heights with those of another drop-cutter: same mesh, tool and grid, seen from
// above. The other program is called as
//
//	PROGRAM MESH.stl KIND DIAMETER PARAMETER LENGTH X Y STEP WIDTH HEIGHT OUT
//
// with KIND flat, ball, bull (PARAMETER = corner radius) or cone (PARAMETER = included angle in degrees), lengths
// in mm, and the grid's first center, step and cells. It prints one line of JSON with "seconds", the time for all
// heights without reading the file, and writes them to OUT row by row as little-endian float64, -Inf where the
// tool touches nothing.
type dropCutterCmd struct {
	Peer    string   `required:"" help:"Path of the other program."`
	Tool    []string `default:"flat:10,ball:10,bull:10:2,cone:10:90" help:"KIND:DIAMETER[:PARAMETER], comma-separated."`
	Grid    int      `default:"1000" help:"Cells along each side of the grid, which covers the mesh."`
	Threads int      `default:"0" help:"Threads of both, 0 for all processors."`
	Repeat  int      `default:"3" help:"Runs of ours; the fastest counts. The other program runs once."`
	Mesh    string   `arg:"" type:"existingfile" help:"Binary STL file."`
}

// cutterLength (mm) is longer than any wall of a part.
const cutterLength = 1000.0

// cutter is a tool of the comparison.
type cutter struct {
	kind                string
	diameter, parameter float64 // mm; corner radius in mm or included angle in degrees
}

func parseCutter(text string) (cutter, error) {
	parts := strings.Split(text, ":")
	c := cutter{kind: parts[0]}
	var err error
	number := func(i int) (v float64) {
		if err == nil && i < len(parts) {
			v, err = strconv.ParseFloat(parts[i], 64)
		}
		return v
	}
	c.diameter, c.parameter = number(1), number(2)
	if err != nil || len(parts) > 3 {
		return c, fmt.Errorf("tool %q is not KIND:DIAMETER[:PARAMETER]", text)
	}
	profile, err := c.profile(0)
	if err == nil {
		err = profile.Check()
	}
	if err != nil {
		return c, fmt.Errorf("tool %q: %w", text, err)
	}
	return c, nil
}

// profile returns the tool with its outline moved outward by grow mm; for a negative one, a tool that much thinner
// that fits into it.
func (c cutter) profile(grow float64) (toolprofile.Profile, error) {
	d := c.diameter + 2*grow
	switch c.kind {
	case "flat":
		return toolprofile.EndMill(d, 0, cutterLength), nil
	case "ball":
		return toolprofile.EndMill(d, min(c.diameter, d)/2, cutterLength), nil
	case "bull":
		return toolprofile.EndMill(d, c.parameter, cutterLength), nil
	case "cone":
		if grow < 0 {
			return toolprofile.Drill(d, geom.Radians(c.parameter), cutterLength), nil
		}
		p := toolprofile.Drill(c.diameter, geom.Radians(c.parameter), cutterLength)
		for i := range p {
			p[i].From.X += grow
			p[i].To.X += grow
		}
		return p, nil
	}
	return nil, fmt.Errorf("unknown kind")
}

// Run prints two rows per tool: the drop-cutter, and a height map with its offset.
func (c *dropCutterCmd) Run() error {
	if c.Threads <= 0 {
		c.Threads = runtime.GOMAXPROCS(0)
	}
	c.Grid, c.Repeat = max(c.Grid, 2), max(c.Repeat, 1)
	m, err := readSTL(c.Mesh)
	if err != nil {
		return err
	}
	grid := gridOver(m, c.Grid)
	fmt.Printf("%s: %d triangles, %d × %d cells of %.4g mm, %d threads\n",
		filepath.Base(c.Mesh), len(m.Triangles), grid.Width, grid.Height, grid.Step, c.Threads)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, "tool\tmethod\tpeer k/s\tours k/s\tratio\tvs\tmost below mm\tmost above mm\t"+
		"median mm\toutside the bound\tbound\t")
	for _, text := range c.Tool {
		tool, err := parseCutter(text)
		if err != nil {
			return err
		}
		if err := c.compare(w, text, m, grid, tool); err != nil {
			return err
		}
	}
	return w.Flush()
}

// gridOver returns a square grid that covers the mesh in the plane of x and y.
func gridOver(m *mesh.Mesh, n int) grid.Grid {
	box := geom.BoxOf(m.Points...)
	size, center := box.Size(), box.Center()
	step := max(size.X, size.Y) / float64(n-1)
	half := step * float64(n-1) / 2
	return grid.Grid{X: center.X - half, Y: center.Y - half, Step: step, Width: n, Height: n}
}

func (c *dropCutterCmd) compare(w *tabwriter.Writer, name string, m *mesh.Mesh, g grid.Grid, tool cutter) error {
	peer, seconds, err := c.runPeer(g, tool)
	if err != nil {
		return err
	}
	e := primitive.OnCPU(c.Threads)
	exact, took, err := c.drop(e, m, g, tool, 0)
	if err != nil {
		return err
	}
	profile, err := tool.profile(0)
	if err != nil {
		return err
	}
	in := dropcutter.Input{Mesh: m, Frame: geom.World, Grid: g, Tool: profile}
	lateral, vertical := in.Bound()
	thin, _, err := c.drop(e, m, g, tool, -lateral)
	if err != nil {
		return err
	}
	thick, _, err := c.drop(e, m, g, tool, lateral)
	if err != nil {
		return err
	}
	points := float64(g.Len()) / 1000
	row := func(method string, took float64, against string, d tipDeviation, bound string) {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%.1f\t%.1f\t%.0f\t%s\t%.3g\t%.3g\t%.3g\t%d\t%s\t\n", name, method,
			points/seconds, points/took, seconds/took, against, d.below, d.above, d.median, d.outside, bound)
	}
	row("exact", took, "peer", tipDeviationOf(exact, peer, thin, thick, 2*vertical),
		fmt.Sprintf("δ %.2g ε %.2g mm", lateral, vertical))
	sampled, took, err := c.sample(e, m, g, profile)
	if err != nil {
		return err
	}
	grown, _, err := c.drop(e, m, g, tool, math.Sqrt2*g.Step+lateral)
	if err != nil {
		return err
	}
	row("sampled", took, "exact", tipDeviationOf(sampled, exact, nil, grown, 4*vertical),
		fmt.Sprintf("tool + %.3g mm", math.Sqrt2*g.Step))
	return nil
}

// runPeer returns the other program's heights and its seconds.
func (c *dropCutterCmd) runPeer(g grid.Grid, tool cutter) ([]float64, float64, error) {
	dir, err := os.MkdirTemp("", "dropcutter")
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.Setenv("OMP_NUM_THREADS", strconv.Itoa(c.Threads)); err != nil {
		return nil, 0, err
	}
	var said struct {
		Seconds float64 `json:"seconds"`
	}
	out := filepath.Join(dir, "heights")
	args := []string{c.Mesh, tool.kind}
	for _, v := range []float64{tool.diameter, tool.parameter, cutterLength, g.X, g.Y, g.Step} {
		args = append(args, strconv.FormatFloat(v, 'g', -1, 64))
	}
	args = append(args, strconv.Itoa(g.Width), strconv.Itoa(g.Height), out)
	if _, err := call(context.Background(), c.Threads, &said, c.Peer, args...); err != nil {
		return nil, 0, err
	}
	raw, err := os.ReadFile(out)
	if err != nil {
		return nil, 0, err
	}
	const size = 8 // bytes of a float64
	if len(raw) != size*g.Len() || said.Seconds <= 0 {
		return nil, 0, fmt.Errorf("%s wrote %d bytes for %d cells in %g s", c.Peer, len(raw), g.Len(), said.Seconds)
	}
	z := make([]float64, g.Len())
	for i := range z {
		z[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[size*i:]))
	}
	return z, said.Seconds, nil
}

// drop runs the drop-cutter with the tool grown by grow mm and returns the heights and the fastest seconds.
func (c *dropCutterCmd) drop(e primitive.CPU, m *mesh.Mesh, g grid.Grid, tool cutter, grow float64) (
	z []float64, seconds float64, err error) {
	profile, err := tool.profile(grow)
	if err != nil {
		return nil, 0, err
	}
	in := dropcutter.Input{Mesh: m, Frame: geom.World, Grid: g, Tool: profile}
	return c.fastest(func() ([]float32, error) {
		out, err := dropcutter.Primitive.Run(context.Background(), e, in)
		return out.Z, err
	})
}

// sample runs the height map that never misses anything, and its offset, with a margin of the tool's radius.
func (c *dropCutterCmd) sample(e primitive.CPU, m *mesh.Mesh, g grid.Grid, tool toolprofile.Profile) (
	[]float64, float64, error) {
	margin := int(math.Ceil(tool.MaxRadius()/g.Step)) + 1
	wide := g
	wide.X, wide.Y = g.X-g.Step*float64(margin), g.Y-g.Step*float64(margin)
	wide.Width, wide.Height = g.Width+2*margin, g.Height+2*margin
	return c.fastest(func() ([]float32, error) {
		in := heightmap.Input{Mesh: m, Frame: geom.World, Grid: wide, Sampling: heightmap.Cover}
		surface, err := heightmap.Primitive.Run(context.Background(), e, in)
		if err != nil {
			return nil, err
		}
		offset := offsetheight.Input{Grid: wide, Z: surface.Z, Sampling: heightmap.Cover, Tool: tool}
		tips, err := offsetheight.Primitive.Run(context.Background(), e, offset)
		if err != nil {
			return nil, err
		}
		z := make([]float32, 0, g.Len())
		for j := range g.Height {
			z = append(z, tips.Z[(j+margin)*wide.Width+margin:][:g.Width]...)
		}
		return z, nil
	})
}

func (c *dropCutterCmd) fastest(work func() ([]float32, error)) (z []float64, seconds float64, err error) {
	seconds = math.Inf(1)
	var last []float32
	for range c.Repeat {
		start := time.Now()
		if last, err = work(); err != nil {
			return nil, 0, err
		}
		seconds = min(seconds, time.Since(start).Seconds())
	}
	for _, v := range last {
		z = append(z, float64(v))
	}
	return z, seconds, nil
}
