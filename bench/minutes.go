package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"millwright.dev/millwright/bench/programs"
	"millwright.dev/millwright/cmd/millwright/plancmd"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/pipeline"
)

// measure adds the minutes and the figures beside them. The target uses a mesh that is made for it.
func measure(
	ctx context.Context, row *programs.Row, file string, part, m *plancmd.Result, sheets *pipeline.DatasheetSet,
) error {
	start := time.Now()
	model, err := readPart(ctx, file)
	if err != nil {
		return err
	}
	const chord = 0.05 // mm, far below a cell of the target's height maps
	r, err := tessellate.Mesh(ctx, model, tessellate.Options{ChordTolerance: chord, Runner: compute.OnCPU(0)})
	if err != nil {
		return err
	}
	err = row.Measure(ctx, part, m, sheets, r.Mesh)
	row.MeasureMs = float64(time.Since(start).Microseconds()) / 1000
	return err
}

// printMinutes prints the minutes of each program, and the figures of all.
func (t *programTable) printMinutes(figures []programs.Figure) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nconfig\tpart\trough\tfinish\tdrill\tface\tchange\tload\tset up\tcycle\ttarget\tratio\t"+
		"rough ratio\tcm³/min\tpreset\tshare\tlevels\tair\treduced\tentries\t> 110 %\t> 130 %\tslots\t≤ 2 mm\t"+
		"held\ttools\tUSD\tmade\tms")
	for _, r := range t.rows {
		if r.Target == nil {
			continue
		}
		s, g := &r.Split, &r.Roughing
		fmt.Fprintf(w, "%s\t%s\t", r.Config, r.Part)
		for _, minutes := range []float64{s.Rough, s.Finish, s.Drill, s.Face, s.Change, s.Load} {
			fmt.Fprintf(w, "%.2f\t", minutes)
		}
		fmt.Fprintf(w, "%.0f\t%.2f\t%.2f\t%.2f\t%.2f\t%.1f\t%.1f\t%.0f %%\t%.2f\t", s.Setup, s.Cycle(),
			r.Target.Minutes(), r.CycleRatio, r.RoughRatio, g.Rate, g.PresetRate, 100*g.RateShare, g.Levels)
		for _, share := range []float64{g.Air, g.Slow, g.Entry, g.Over, g.FarOver, g.Slots, g.Small} {
			fmt.Fprintf(w, "%.1f %%\t", 100*share)
		}
		fmt.Fprintf(w, "%s\t%d\t%.2f\t%.1f %%\t%.0f\n", strings.Join(r.Holding, " "), r.Tools, float64(r.Cents)/100,
			100*r.Removed, r.MeasureMs)
	}
	_ = w.Flush()
	fmt.Fprintln(w, "\nconfig\tfigure\tmedian\tworst 5 %\twanted\t")
	for _, f := range figures {
		wanted, missed := "", ""
		if f.MedianWanted != nil {
			wanted = fmt.Sprintf("%g", *f.MedianWanted)
		}
		if f.WorstWanted != nil {
			wanted += fmt.Sprintf("; %g", *f.WorstWanted)
		}
		if f.Missed {
			missed = "missed"
		}
		fmt.Fprintf(w, "%s\t%s\t%.3f\t%.3f\t%s\t%s\n", f.Config, f.Name, f.Median, f.Worst, wanted, missed)
	}
	_ = w.Flush()
}

// draw writes the picture to a file; no name: no picture.
func (t *programTable) draw(name string) error {
	if name == "" {
		return nil
	}
	var b strings.Builder
	if err := programs.Picture(&b, t.rows); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(b.String()), 0o644)
}

// gated returns an error when figures miss what is wanted.
func gated(figures []programs.Figure) error {
	n := 0
	for _, f := range figures {
		if f.Missed {
			n++
		}
	}
	if n > 0 {
		return fmt.Errorf("%d figures miss what is wanted", n)
	}
	return nil
}
