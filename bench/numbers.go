package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"millwright.dev/millwright/bench/datasheets"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/parallel"
)

// numbersCmd measures the figures of datasheets a second time, by brute force.
type numbersCmd struct {
	Half    string   `enum:"a,b,b1,b2,all" default:"all" help:"Which half of the files, by their names: ${enum}."`
	Figure  string   `help:"Only this figure, for example maxClearingDiameter."`
	Details bool     `help:"List every figure that disagrees, with both values."`
	Paths   []string `arg:"" type:"path" help:"CAD files, or folders of them."`
}

// counted is the numbers of checks of one kind.
type counted struct{ features, unseen, agree, figures, right int }

// Run prints what agrees, per kind and figure.
func (c *numbersCmd) Run(ctx context.Context) error {
	files, err := c.files()
	if err != nil {
		return err
	}
	notes := make([]string, len(files))
	each := make([]map[string]*counted, len(files))
	err = parallel.For(ctx, len(files), 1, func(i int) {
		each[i], notes[i] = c.check(ctx, files[i])
	})
	if err != nil {
		return err
	}
	sum := map[string]*counted{}
	for i := range files {
		fmt.Print(notes[i])
		for k, v := range each[i] {
			s := sum[k]
			if s == nil {
				s = &counted{}
				sum[k] = s
			}
			s.features, s.unseen, s.agree = s.features+v.features, s.unseen+v.unseen, s.agree+v.agree
			s.figures, s.right = s.figures+v.figures, s.right+v.right
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(w, "%d files\tchecked\tagree\t%%\tnot seen\n", len(files))
	for _, k := range slices.Sorted(maps.Keys(sum)) {
		s := sum[k]
		n, right := s.features-s.unseen, s.agree
		if s.figures > 0 {
			n, right = s.figures, s.right
		}
		_, _ = fmt.Fprintf(w, "%s\t%d\t%d\t%.2f\t%d\n", k, n, right, 100*float64(right)/max(1, float64(n)), s.unseen)
	}
	return w.Flush()
}

// files returns the files of the half that was asked for.
func (c *numbersCmd) files() ([]string, error) {
	var out []string
	for _, p := range c.Paths {
		err := filepath.WalkDir(p, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			switch strings.ToLower(filepath.Ext(path)) {
			case ".step", ".stp", ".igs", ".iges":
			default:
				return nil
			}
			h := fnv.New32a()
			_, _ = h.Write([]byte(filepath.Base(path)))
			part := [4]string{"a", "b1", "a", "b2"}[h.Sum32()%4] // b2 is kept aside: only its totals are looked at
			if c.Half == "all" || strings.HasPrefix(part, c.Half) {
				out = append(out, path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// check measures one file; one that cannot be read says why.
func (c *numbersCmd) check(ctx context.Context, path string) (map[string]*counted, string) {
	fail := func(err error) (map[string]*counted, string) {
		return nil, fmt.Sprintf("%s: %v\n", filepath.Base(path), err)
	}
	m, err := read(path)
	if err != nil {
		return fail(err)
	}
	if len(m.Solids) > 1 { // the service takes parts
		return nil, fmt.Sprintf("%s: %d solids\n", filepath.Base(path), len(m.Solids))
	}
	coarse, err := tessellate.Mesh(ctx, m, tessellate.Options{})
	if err != nil {
		return fail(err)
	}
	run, err := recognize.Recognize(ctx, m, coarse.Mesh, compute.OnCPU(1))
	if err != nil {
		return fail(err)
	}
	sheets, err := datasheet.Measure(ctx, run, datasheet.Options{})
	if err != nil {
		return fail(err)
	}
	fine, err := tessellate.Mesh(ctx, m, tessellate.Options{
		ChordTolerance: datasheets.FineChord, AngleTolerance: datasheets.FineAngle,
	})
	if err != nil {
		return fail(err)
	}
	out := map[string]*counted{}
	at := func(k string) *counted {
		if out[k] == nil {
			out[k] = &counted{}
		}
		return out[k]
	}
	var notes strings.Builder
	for i := range run.Features {
		f := &run.Features[i]
		if !datasheets.Checks(f) {
			continue
		}
		rows := datasheets.Check(fine.Mesh, f, &sheets[i])
		all := at(string(f.Type))
		all.features++
		if len(rows) == 0 {
			all.unseen++
			continue
		}
		agrees := true
		for _, r := range rows {
			if c.Figure != "" && r.Figure != c.Figure {
				continue
			}
			one := at(string(f.Type) + " " + r.Figure)
			one.figures++
			if r.Agrees() {
				one.right++
				continue
			}
			agrees = false
			if c.Details {
				fmt.Fprintf(&notes, "%s #%d %s %s %s: %s, by force %s to %s\n", filepath.Base(path), i, f.Tag, f.Type, r.Figure,
					figure(r.Sheet), figure(r.Lo), figure(r.Hi))
			}
		}
		if agrees {
			all.agree++
		}
	}
	return out, notes.String()
}

func figure(x float64) string {
	if math.IsNaN(x) {
		return "none"
	}
	return fmt.Sprintf("%.4g", x)
}
