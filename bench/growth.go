package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"millwright.dev/millwright/bench/partarray"
)

// authorCmd writes a large STEP file from a small one.
type authorCmd struct {
	Pattern   int     `help:"Number of copies; default: as many as make --megabytes."`
	Megabytes float64 `default:"100" help:"Size of the file, in units of 10^6 bytes, to the nearest copy."`
	Out       string  `required:"" help:"File to write."`
	Part      string  `arg:"" type:"existingfile" help:"STEP file to copy."`
}

// Run writes the file.
func (c *authorCmd) Run() error {
	_, err := author(c.Part, c.Out, int64(c.Megabytes*megabyte), c.Pattern)
	return err
}

// megabyte is what sizes of files are counted in.
const megabyte = 1_000_000

// author writes n copies of a part, as many as make size bytes when n is 0, and returns the file's size.
func author(part, out string, size int64, n int) (written int64, err error) {
	text, err := os.ReadFile(part)
	if err != nil {
		return 0, err
	}
	p, err := partarray.New(text)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", part, err)
	}
	if n == 0 {
		n = p.Copies(size)
	}
	f, err := os.Create(out)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<20)
	if err := p.Write(w, n); err != nil {
		return 0, err
	}
	if err := w.Flush(); err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// growthCmd measures how time and memory grow with the size of a file.
type growthCmd struct {
	Megabytes []float64     `default:"1,10,100" help:"Sizes of the files, in units of 10^6 bytes."`
	Threads   int           `default:"0" help:"1 runs on one thread, 0 on all cores."`
	Repeat    int           `default:"1" help:"Runs on each file; the one with the least processor time counts."`
	Limit     time.Duration `default:"5m" help:"Time for one run."`
	Part      string        `arg:"" type:"existingfile" help:"STEP file that the large files repeat."`
}

// Run prints a row per size.
func (c *growthCmd) Run() error {
	dir, err := os.MkdirTemp("", "growth")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, "MB\tsolids\tfaces\ttriangles\t"+
		"read ms/MB\tmesh ms/MB\tread+mesh ms/MB\tcpu ms/MB\tpeak MB\tpeak MB/MB\t")
	for _, size := range c.Megabytes {
		file := filepath.Join(dir, "pattern.step")
		bytes, err := author(c.Part, file, int64(size*megabyte), 0)
		if err != nil {
			return err
		}
		m, err := c.best(self, file)
		if err != nil {
			return err
		}
		mb, peak := float64(bytes)/megabyte, float64(m.PeakBytes)/megabyte
		_, _ = fmt.Fprintf(w, "%.1f\t%d\t%d\t%d\t%.2f\t%.2f\t%.2f\t%.2f\t%.0f\t%.1f\t\n",
			mb, m.Solids, m.Faces, m.Triangles,
			m.ReadMs/mb, m.MeshMs/mb, (m.ReadMs+m.MeshMs)/mb, m.CPUMs/mb, peak, peak/mb)
	}
	return w.Flush()
}

// best is the fastest of the runs on a file.
func (c *growthCmd) best(self, file string) (measured, error) {
	var best measured
	for i := range max(c.Repeat, 1) {
		ctx, cancel := context.WithTimeout(context.Background(), c.Limit)
		var m measured
		_, err := call(ctx, c.Threads, &m, self, "measure", "--no-deviation", file)
		cancel()
		if err != nil {
			return measured{}, err
		}
		if m.Code != "" {
			return measured{}, fmt.Errorf("%s: %s", m.Code, m.Reason)
		}
		if i == 0 || m.CPUMs < best.CPUMs {
			best = m
		}
	}
	return best, nil
}
