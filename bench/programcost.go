package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/metrics"
	"time"

	"millwright.dev/millwright/bench/programs"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/pipeline"
)

// costsOf creates the program of a part once more, its stages one by one in this process, and returns the cost of each.
func costsOf(ctx context.Context, tree *pipeline.Pipeline, file string, cutting *pipeline.PlanParams) (*programs.Costs, error) {
	model, err := readPart(ctx, file)
	if err != nil {
		return nil, err
	}
	mesh, err := tree.Tessellator.Tessellate(ctx, model, 0, 0, nil)
	if err != nil {
		return nil, err
	}
	found, err := recognize.Recognize(ctx, model, mesh.Mesh, tree.Visibility)
	if err != nil {
		return nil, err
	}
	out, machine := &programs.Costs{}, &cutting.Config.Machine
	axes := machine.AxisLimits()
	var plan *planning.Plan
	if out.Plan, err = costOf(func() error {
		sheets, err := datasheet.Measure(ctx, found, datasheet.Options{})
		if err != nil {
			return err
		}
		plan, err = planning.Make(ctx, planning.Input{
			Run: found, Sheets: sheets, Config: cutting.Config, Tools: cutting.Tools, Mill: tree.Mill,
		})
		return err
	}); err != nil {
		return nil, err
	}
	var set *toolpath.Set
	if out.Paths, err = costOf(func() (err error) {
		set, err = toolpath.Make(ctx, toolpath.Input{
			Plan: plan, Graph: found.Graph, Samples: outline.Sample(found.Graph), Mill: tree.Mill, Chord: mesh.ChordTolerance,
			Travel: machine.Travel, RapidX: axes.X.RapidFeed, RapidY: axes.Y.RapidFeed,
		})
		return err
	}); err != nil {
		return nil, err
	}
	out.Proof, err = costOf(func() error {
		const chord = 0.004 // mm, as programs are proved
		fine, err := tree.Tessellator.Tessellate(ctx, model, chord, 0, nil)
		if err != nil {
			return err
		}
		proof, _, err := verify.Replay(ctx, verify.Input{
			Plan: plan, Set: set, Part: fine.Mesh, Mill: tree.Mill, Travel: machine.Travel,
			RapidX: axes.X.RapidFeed, RapidY: axes.Y.RapidFeed,
		})
		if err == nil && !proof.Passes() {
			err = fmt.Errorf("the proof of %s has %d findings", file, len(proof.Findings))
		}
		return err
	})
	return out, err
}

// costOf measures a stage. The runtime updates the idle time of processors at each garbage collection.
func costOf(do func() error) (programs.Cost, error) {
	idle := []metrics.Sample{{Name: "/cpu/classes/idle:cpu-seconds"}}
	runtime.GC()
	metrics.Read(idle)
	before, worked, start := idle[0].Value.Float64(), processorMs(), time.Now()
	err := do()
	c := programs.Cost{Wall: milliseconds(start), Processors: processorMs() - worked}
	runtime.GC()
	metrics.Read(idle)
	c.Idle = 1000 * (idle[0].Value.Float64() - before)
	return c, err
}
