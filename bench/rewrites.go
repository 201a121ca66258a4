package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"millwright.dev/millwright/bench/datasheets"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// rewritesCmd holds the features and datasheets of parts against those of the same parts written in other ways.
type rewritesCmd struct {
	Dir     string   `type:"path" help:"Where the files go that OCCT writes; without it to a folder that is removed again."`
	Only    string   `help:"Only this rewrite: axes exchanged, rotated obliquely, mirrored, STEP by OCCT and so on."`
	Details bool     `help:"List what differs."`
	Paths   []string `arg:"" type:"existingfile" help:"CAD files."`
}

// rewrite is one method to write a part again: by OCCT, into the named file, or as a model derived from the first.
type rewrite struct {
	name   string
	suffix string
	move   geom.Transform
}

// rewrites returns the seven of them.
func rewrites() []rewrite {
	mirrored := geom.Identity
	mirrored.Y = mirrored.Y.Neg()
	askew := geom.Rotation(geom.Vec3{X: 0.31, Y: -0.72, Z: 0.55}, 1.07)
	return []rewrite{
		{name: "axes exchanged", move: geom.Rotation(geom.Vec3{X: 1, Y: 1, Z: 1}, 2*math.Pi/3)},
		{name: "turned askew", move: askew},
		{name: "mirrored", move: mirrored},
		{name: "mirrored and turned", move: askew.Mul(mirrored)},
		{name: "STEP by OCCT", suffix: ".step", move: geom.Identity},
		{name: "STEP in inches", suffix: ".inch.step", move: geom.Identity},
		{name: "IGES by OCCT", suffix: ".igs", move: geom.Identity},
	}
}

// Run prints a row per part and rewrite.
func (c *rewritesCmd) Run(ctx context.Context) error {
	dir := c.Dir
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "rewrites"); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }()
	}
	if err := c.byOCCT(ctx, dir); err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "part\trewrite\tfeatures\tof one kind\tother side\tfigures\tequal")
	var sum datasheets.Difference
	var notes strings.Builder
	for _, path := range c.Paths {
		m, err := read(path)
		if err != nil {
			return err
		}
		first, err := sheetsOf(ctx, m)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, r := range rewrites() {
			if c.Only != "" && c.Only != r.name {
				continue
			}
			again, err := r.sheets(ctx, m, dir, path)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", path, r.name, err)
			}
			l := datasheets.Compare(first, again, r.move)
			name := filepath.Base(path)
			_, _ = fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\n", name, r.name, l.Features, l.Found, l.Aside, l.Figures, l.Equal)
			for _, n := range l.Notes {
				fmt.Fprintf(&notes, "%s, %s: %s\n", name, r.name, n)
			}
			sum.Features, sum.Found = sum.Features+l.Features, sum.Found+l.Found
			sum.Aside += l.Aside
			sum.Figures, sum.Equal = sum.Figures+l.Figures, sum.Equal+l.Equal
		}
	}
	_, _ = fmt.Fprintf(w, "all\t\t%d\t%d\t%d\t%d\t%d\n", sum.Features, sum.Found, sum.Aside, sum.Figures, sum.Equal)
	err := w.Flush()
	if c.Details {
		fmt.Print(notes.String())
	}
	return err
}

// byOCCT writes what is not there yet.
func (c *rewritesCmd) byOCCT(ctx context.Context, dir string) error {
	args := []string{dir}
	for _, path := range c.Paths {
		if _, err := os.Stat(filepath.Join(dir, stem(path)+".igs")); errors.Is(err, os.ErrNotExist) {
			args = append(args, path)
		}
	}
	if len(args) == 1 {
		return nil
	}
	cmd := exec.CommandContext(ctx, ".ci/rewrite", args...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return cmd.Run()
}

func stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// sheets returns the measured datasheets of a rewritten part.
func (r *rewrite) sheets(ctx context.Context, m *brep.Model, dir, path string) (datasheets.Sheets, error) {
	if r.suffix != "" {
		again, err := read(filepath.Join(dir, stem(path)+r.suffix))
		if err != nil {
			return datasheets.Sheets{}, err
		}
		return sheetsOf(ctx, again)
	}
	again := &brep.Model{Name: m.Name, Tolerance: m.Tolerance}
	again.Append(m, r.move)
	again.Link()
	return sheetsOf(ctx, again)
}

// sheetsOf measures all features of a model.
func sheetsOf(ctx context.Context, m *brep.Model) (datasheets.Sheets, error) {
	meshed, err := tessellate.Mesh(ctx, m, tessellate.Options{})
	if err != nil {
		return datasheets.Sheets{}, err
	}
	run, err := recognize.Recognize(ctx, m, meshed.Mesh, compute.OnCPU(0))
	if err != nil {
		return datasheets.Sheets{}, err
	}
	sheets, err := datasheet.Measure(ctx, run, datasheet.Options{})
	return datasheets.Sheets{Run: run, Sheets: sheets}, err
}
