package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"text/tabwriter"
	"time"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"

	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep/codec"
	"millwright.dev/millwright/core/kernel/geom/pack"
	"millwright.dev/millwright/core/kernel/mesh"
)

// storedCmd measures the time that a job saves when it starts from stored results.
type storedCmd struct {
	Parts []string `arg:"" type:"existingfile" help:"CAD files."`
}

// Run prints for each part the times to build and to restore its model, its mesh and its features, and the times of two
// datasheets from the file and from the stored results.
func (c *storedCmd) Run() error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, "clock ms:\tstage\tmade\trestored\tratio\tstored MB\t")
	for _, part := range c.Parts {
		if err := storedRow(w, part); err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
	}
	return w.Flush()
}

// storedRow goes the way of one part twice.
func storedRow(w *tabwriter.Writer, path string) error {
	ctx := context.Background()
	lap := time.Now()
	clock := func() float64 {
		took := float64(time.Since(lap).Microseconds()) / 1000
		lap = time.Now()
		return took
	}
	var made, restored [4]float64
	m, err := read(path)
	if made[0] = clock(); err != nil {
		return err
	}
	meshed, err := tessellate.Mesh(ctx, m, tessellate.Options{})
	if made[1] = clock(); err != nil {
		return err
	}
	run, err := recognize.Recognize(ctx, m, meshed.Mesh, compute.OnCPU(0))
	if made[2] = clock(); err != nil {
		return err
	}
	if made[3], err = twoSheets(ctx, run); err != nil {
		return err
	}
	c := pack.NewWriter("mesh", 1)
	mesh.Serialize(c, meshed.Mesh)
	data := [3][]byte{codec.Encode(m), c.Bytes(), run.Encode()}
	runtime.GC() // a job restores in a separate process, without the objects built before
	clock()
	if m, err = codec.Decode(data[0]); err != nil {
		return err
	}
	restored[0] = clock()
	msh, err := restoredMesh(data[1])
	if restored[1] = clock(); err != nil {
		return err
	}
	run, err = recognize.Restore(m, msh, data[2])
	if restored[2] = clock(); err != nil {
		return err
	}
	if restored[3], err = twoSheets(ctx, run); err != nil {
		return err
	}
	all, again, size := 0.0, 0.0, 0
	row := func(name string, made, restored float64, size int) {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%.1f\t%.1f\t%.1f\t%.2f\t\n", filepath.Base(path), name, made, restored, made/restored,
			float64(size)/megabyte)
	}
	for i, name := range []string{"model", "mesh", "features", "two datasheets"} {
		n := 0
		if i < len(data) {
			n = len(data[i])
		}
		row(name, made[i], restored[i], n)
		all, again, size = all+made[i], again+restored[i], size+n
	}
	row("all of it", all, again, size)
	return nil
}

func restoredMesh(data []byte) (*mesh.Mesh, error) {
	c, err := pack.NewReader(data, "mesh", 1)
	if err != nil {
		return nil, err
	}
	m := &mesh.Mesh{}
	mesh.Serialize(c, m)
	return m, c.Close()
}

// twoSheets measures two features of a run and returns the clock time, ms.
func twoSheets(ctx context.Context, run *recognize.Recognition) (float64, error) {
	only := make([]bool, len(run.Features))
	if len(only) > 0 {
		only[len(only)/3], only[len(only)-1] = true, true
	}
	start := time.Now()
	_, err := datasheet.Measure(ctx, run, datasheet.Options{Only: only})
	return float64(time.Since(start).Microseconds()) / 1000, err
}
