package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/bench/partarray"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// recognitionCmd measures the time of each stage from a mesh to datasheets, and how it grows with faces.
type recognitionCmd struct {
	Faces  []int    `help:"Repeat each part until it has about so many faces each, for example 1000,10000,100000."`
	Repeat int      `default:"3" help:"Runs on each part; the one with the least processor time counts."`
	Sheets bool     `default:"true" negatable:"" help:"Measure datasheets too."`
	Wall   bool     `help:"Clock time instead of processor time: for an idle machine."`
	Parts  []string `arg:"" type:"existingfile" help:"CAD files; STEP files with --faces."`
}

// stages are the times of one run, ms.
type stages struct {
	Graph      float64
	Visibility float64
	Rules      float64 // directions and rules without what they wait for
	Datasheets float64
}

func (s *stages) sum() float64 { return s.Graph + s.Visibility + s.Rules + s.Datasheets }

// Run prints a row per part and size, and the exponent of growth.
func (c *recognitionCmd) Run() error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	unit := "processor"
	if c.Wall {
		unit = "clock"
	}
	_, _ = fmt.Fprintf(w, "%s ms:\tfaces\ttriangles\tdirections\tfeatures\tgraph\tvisibility\trules\tdatasheets\tall\tµs/face\t\n",
		unit)
	for _, part := range c.Parts {
		if len(c.Faces) == 0 {
			if _, _, err := c.row(w, part); err != nil {
				return err
			}
			continue
		}
		if err := c.growth(w, part); err != nil {
			return err
		}
	}
	return w.Flush()
}

// growth measures copies of a part.
func (c *recognitionCmd) growth(w *tabwriter.Writer, part string) error {
	text, err := os.ReadFile(part)
	if err != nil {
		return err
	}
	if _, err = partarray.New(text); err != nil {
		return fmt.Errorf("%s: %w", part, err)
	}
	one, err := read(part)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "recognition")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	var sizes, times []float64
	for _, n := range c.Faces {
		file := filepath.Join(dir, fmt.Sprintf("%d_%s", n, filepath.Base(part)))
		copies := max(1, int(math.Round(float64(n)/float64(len(one.Faces)))))
		if _, err := author(part, file, 0, copies); err != nil {
			return err
		}
		faces, ms, err := c.row(w, file)
		if err != nil {
			return err
		}
		sizes, times = append(sizes, float64(faces)), append(times, ms)
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	if len(sizes) > 1 {
		_, _ = fmt.Fprintf(w, "time grows with faces to the power of %.2f\t\n", exponent(sizes, times))
	}
	return nil
}

// exponent fits y = a·xᵇ by least squares of the logarithms and returns b.
func exponent(x, y []float64) float64 {
	n, sx, sy, sxx, sxy := float64(len(x)), 0.0, 0.0, 0.0, 0.0
	for i := range x {
		lx, ly := math.Log(x[i]), math.Log(y[i])
		sx, sy, sxx, sxy = sx+lx, sy+ly, sxx+lx*lx, sxy+lx*ly
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

func read(path string) (*brep.Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	m, _, err := cad.Read(context.Background(), f, info.Size(), path)
	return m, err
}

// row measures one file and prints its row.
func (c *recognitionCmd) row(w *tabwriter.Writer, path string) (faces int, ms float64, err error) {
	m, err := read(path)
	if err != nil {
		return 0, 0, fmt.Errorf("read %s: %w", path, err)
	}
	meshed, err := tessellate.Mesh(context.Background(), m, tessellate.Options{})
	if err != nil {
		return 0, 0, fmt.Errorf("mesh %s: %w", path, err)
	}
	var best stages
	var run *recognize.Recognition
	for i := range max(c.Repeat, 1) {
		s, r, err := c.once(m, meshed.Mesh)
		if err != nil {
			return 0, 0, fmt.Errorf("%s: %w", path, err)
		}
		if run = r; i == 0 || s.sum() < best.sum() {
			best = s
		}
	}
	_, _ = fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t\n", filepath.Base(path), len(m.Faces),
		len(meshed.Mesh.Triangles), len(run.Directions), len(run.Features), best.Graph, best.Visibility, best.Rules,
		best.Datasheets, best.sum(), 1000*best.sum()/float64(len(m.Faces)))
	return len(m.Faces), best.sum(), nil
}

// once runs all stages. The graph, which recognition builds itself, is timed by building it once more.
func (c *recognitionCmd) once(m *brep.Model, msh *mesh.Mesh) (s stages, run *recognize.Recognition, err error) {
	ctx := context.Background()
	clock := func() float64 {
		if c.Wall {
			return float64(time.Now().UnixMicro()) / 1000
		}
		return processorMs()
	}
	start := clock()
	if _, err := graph.New(ctx, m, msh); err != nil {
		return s, nil, err
	}
	s.Graph = clock() - start
	vis := &timedVisibility{engine: compute.OnCPU(0), clock: clock}
	start = clock()
	if run, err = recognize.Recognize(ctx, m, msh, vis); err != nil {
		return s, nil, err
	}
	s.Visibility = vis.ms
	s.Rules = max(0, clock()-start-s.Visibility-s.Graph)
	if !c.Sheets {
		return s, run, nil
	}
	start = clock()
	_, err = datasheet.Measure(ctx, run, datasheet.Options{})
	s.Datasheets = clock() - start
	return s, run, err
}

// timedVisibility adds up the time that visibility takes.
type timedVisibility struct {
	engine *compute.Engine
	clock  func() float64
	ms     float64
}

// Visible is that of the engine.
func (v *timedVisibility) Visible(ctx context.Context, m *mesh.Mesh, dirs []geom.Vec3) ([][]float32, error) {
	start := v.clock()
	defer func() { v.ms += v.clock() - start }()
	return v.engine.Visible(ctx, m, dirs)
}
