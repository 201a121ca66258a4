package worker_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/worker"
)

// programsOf returns the programs of a part in the order of their creation.
func (w *world) programsOf(p part.Part) (programs []program.ProgramDetail) {
	w.t.Helper()
	for _, id := range p.ProgramIDs {
		made, err := w.Programs.Get(w.t.Context(), w.caller, p.ID, id)
		if err != nil {
			w.t.Fatal(err)
		}
		programs = append(programs, made)
	}
	return programs
}

// TestProgramsFollowTheirPart checks that a ready part has its programs before any of their results exist.
func TestProgramsFollowTheirPart(t *testing.T) {
	w := newWorld(t)
	configs := []string{machining.LargeCutConfigID, machining.BuiltInCutConfigID}
	only := worker.Config{Name: "analyst",
		Work: job.WorkFilter{Products: []job.Product{job.PartProcessing, job.PartAnalysis}}}
	analyst := w.startPoolWith(w.ports(pipelinetest.Cube), only)
	pt := w.programmed("x", configs...)
	w.await(worker.Committed, pt.JobID)
	p := w.part(pt.ID)
	made := w.programsOf(p)
	if p.Status != part.Ready || len(made) != 2 || p.CurrentProgramID != made[0].ID {
		t.Fatalf("part = %+v, want it ready with two programs, the first its current", p)
	}
	for i, m := range made {
		if m.Status != program.Processing || m.Plan.CutConfigID != configs[i] || m.Plan.ReportID != p.ReportID {
			t.Errorf("program %d: %+v of %+v", i+1, m.Program, m.Plan)
		}
	}
	again, err := w.Parts.Analyze(t.Context(), w.caller, part.AnalyzeInput{PartID: pt.ID})
	if err != nil {
		t.Fatal(err)
	}
	w.await(worker.Committed, again.ID)
	analyst()
	if after := w.part(pt.ID); !slices.Equal(after.ProgramIDs, p.ProgramIDs) ||
		after.CurrentProgramID != p.CurrentProgramID {
		t.Errorf("after another analysis: programs %v, want %v", after.ProgramIDs, p.ProgramIDs)
	}
	w.startPool("machinist", w.ports(pipelinetest.Machinist(pipelinetest.Cube)))
	for _, m := range made {
		w.awaitAfter(worker.Committed, m.JobID)
	}
	for i, m := range w.programsOf(p) {
		if m.Status != program.Ready || m.Plan.ReportID != p.ReportID || m.Set == nil {
			t.Errorf("program %d: %+v", i+1, m.Program)
		}
	}
}

// TestProgramsOfAFailedPart checks that the programs are made when another analysis makes the part ready, not before.
func TestProgramsOfAFailedPart(t *testing.T) {
	w := newWorld(t)
	var well atomic.Bool
	w.startPool("a", w.ports(pipelinetest.Machinist(func(ctx context.Context, req wanted,
		progress report) (*pipelinetest.Output, error) {
		if !well.Load() {
			return nil, &fault.Error{Code: fault.TimedOut, Reason: "Slow."}
		}
		return pipelinetest.Cube(ctx, req, progress)
	})))
	pt := w.programmed("x")
	w.await(worker.Failed, pt.JobID)
	if p := w.part(pt.ID); p.Status != part.Failed || len(p.ProgramIDs) != 0 || p.CurrentProgramID != "" {
		t.Errorf("part = %+v, want it failed without a program", p)
	}
	well.Store(true)
	again, err := w.Parts.Analyze(t.Context(), w.caller, part.AnalyzeInput{PartID: pt.ID})
	if err != nil {
		t.Fatal(err)
	}
	w.await(worker.Committed, again.ID)
	made := w.programsOf(w.part(pt.ID))
	if len(made) != 1 {
		t.Fatalf("%d programs, want one", len(made))
	}
	w.await(worker.Committed, made[0].JobID)
}

// TestProgramAfterItsToolpaths makes a setup sheet from stored toolpaths. The verification and the sheet both need the
// toolpaths; they are fetched once.
func TestProgramAfterItsToolpaths(t *testing.T) {
	w := newWorld(t)
	w.startPool("a", w.ports(pipelinetest.Machinist(pipelinetest.Cube)))
	pt := w.uploaded("x")
	w.await(worker.Committed, pt.JobID)
	in := program.CreateInput{PartID: pt.ID}
	paths, err := w.Programs.CreateToolpaths(t.Context(), w.caller, in)
	if err != nil {
		t.Fatal(err)
	}
	w.await(worker.Committed, paths.ID)
	made, err := w.Programs.Create(t.Context(), w.caller, in)
	if err != nil {
		t.Fatal(err)
	}
	w.await(worker.Committed, made.JobID)
}

// TestProgramThatCannotBeMade fails by itself, for good or after three attempts, and leaves its part as it was.
func TestProgramThatCannotBeMade(t *testing.T) {
	for _, c := range []struct {
		name string
		why  error
		code fault.Code
	}{
		{"the plan", &fault.Error{Code: fault.NoTools, Reason: "No tool cuts steel."}, fault.NoTools},
		{"the kernel", errors.New("out of luck"), fault.KernelError},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.startPool("a",
				w.ports(func(ctx context.Context, req wanted, progress report) (*pipelinetest.Output, error) {
					if req.Wants(pipeline.Plan) {
						return nil, c.why
					}
					return pipelinetest.Cube(ctx, req, progress)
				}))
			pt := w.programmed("x")
			w.await(worker.Committed, pt.JobID)
			made := w.programsOf(w.part(pt.ID))[0]
			w.awaitAfter(worker.Failed, made.JobID)
			p := w.part(pt.ID)
			if got := w.programsOf(p)[0]; got.Status != program.Failed || got.Failure.Code != c.code ||
				got.Failure.Reason == "" ||
				got.Plan.Status != program.Failed {
				t.Errorf("program = %+v of %+v", got.Program, got.Plan)
			}
			if p.Status != part.Ready || p.FailureCode != "" || p.CurrentProgramID != made.ID {
				t.Errorf("part = %+v, want it ready", p)
			}
			w.hasResult(pt, "x")
		})
	}
}
