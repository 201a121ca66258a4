package worker_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/worker"
)

func TestWholeFlow(t *testing.T) {
	w := newWorld(t)
	stop := w.startPool("a", w.ports(pipelinetest.Cube))
	pt := w.uploaded("file one")
	w.await(worker.Committed, pt.JobID)
	w.hasResult(pt, "file one")
	p := w.part(pt.ID)
	if p.Format != "step" || p.FailureCode != "" || p.JobID != pt.JobID || p.ReportID == "" {
		t.Errorf("part = %+v", p)
	}
	j := w.job(pt)
	if j.Attempt != 1 || j.Worker != "" || !slices.Equal(j.Warnings, []fault.Warning{
		{Code: "format_mismatch", Message: "#7 PLANE: the name says IGES", Entity: "#7"},
	}) {
		t.Errorf("job = %+v", j)
	}
	result, err := w.Parts.Result(t.Context(), w.caller, pt.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	r := result.Report
	if r.Analysis.Holes == nil || r.Analysis.Features[1].RegionIdxs == nil {
		t.Errorf("a list of the report is nil: %+v", r.Analysis)
	}
	for i, f := range r.Analysis.Features {
		if want := part.FeatureID(r.ID, f.FeatureTag, i); f.FeatureID != want {
			t.Errorf("feature %d has id %s, want %s", i, f.FeatureID, want)
		}
	}
	stop()
	if n := len(w.resultFiles()); n != perRun {
		t.Errorf("%d result objects, want %d", n, perRun)
	}
}

func TestSecondAnalysisKeepsTheFirst(t *testing.T) {
	w := newWorld(t)
	w.startPool("a", w.ports(pipelinetest.Cube))
	p := w.uploaded("x")
	w.await(worker.Committed, p.JobID)
	first := w.part(p.ID)
	job, err := w.Parts.Analyze(t.Context(), w.caller, part.AnalyzeInput{PartID: p.ID})
	if err != nil {
		t.Fatal(err)
	}
	w.await(worker.Committed, job.ID)
	second := w.part(p.ID)
	if second.ReportID == first.ReportID || second.JobID != job.ID {
		t.Errorf("part after the second analysis = %+v", second)
	}
	w.hasResult(p, "x") // the first job's result, by its job id
	w.hasResult(second, "x")
	if n := len(w.resultFiles()); n != perRun {
		t.Errorf("%d result objects, want the %d of the first run, which the second one has too", n, perRun)
	}
}

func TestDuplicateWakeUpsMakeOneResult(t *testing.T) {
	w := newWorld(t)
	var runs atomic.Int32
	kernel := func(ctx context.Context, req wanted, progress report) (*pipelinetest.Output, error) {
		runs.Add(1)
		return pipelinetest.Cube(ctx, req, progress)
	}
	const parts, times = 6, 5
	twice := newDuplicating(w.queue, times)
	for _, name := range []string{"a", "b"} {
		ports := w.ports(kernel)
		ports.Queue = twice
		w.startPool(name, ports)
	}
	var all []part.Part
	for i := range parts {
		all = append(all, w.uploaded(fmt.Sprint("file ", i)))
	}
	for i, p := range all {
		w.await(worker.Committed, p.JobID)
		w.hasResult(p, fmt.Sprint("file ", i))
	}
	twice.drained(t, parts*times)
	if n := runs.Load(); n != parts {
		t.Errorf("the kernel ran %d times for %d jobs", n, parts)
	}
	if n := w.events.count(worker.Committed); n != parts {
		t.Errorf("%d commits, want %d", n, parts)
	}
	if n := len(w.resultFiles()); n != perRun*parts {
		t.Errorf("%d result objects, want %d", n, perRun*parts)
	}
}

func TestFileFailureEndsTheJobAtOnce(t *testing.T) {
	w := newWorld(t)
	why := fault.Error{Code: fault.NoSolid, Reason: "The file holds no solid."}
	w.startPool("a", w.ports(func(_ context.Context, req wanted, _ report) (*pipelinetest.Output, error) {
		return nil, errors.Join(errors.New("reading"), &why)
	}))
	pt := w.uploaded("x")
	w.await(worker.Failed, pt.JobID)
	j, p := w.job(pt), w.part(pt.ID)
	if j.Status != job.Failed || j.FailureCode != why.Code || j.FailureReason != why.Reason ||
		j.Attempt != 1 {
		t.Errorf("job = %+v, want failed at the first attempt", j)
	}
	if p.Status != part.Failed || p.FailureCode != why.Code || p.FailureReason != why.Reason {
		t.Errorf("part = %+v, want failed with %v", p, why)
	}
	_, err := w.Parts.Result(t.Context(), w.caller, pt.ID, "")
	var refused *apierr.Error
	if !errors.As(err, &refused) || refused.Code != apierr.NoResult {
		t.Errorf("GetPartResult = %v, want no_result", err)
	}
}

// TestAnalyzeReturnsKnownFailure analyzes failed files again. The same stages fail for the same content, so the
// failed job is returned.
func TestAnalyzeReturnsKnownFailure(t *testing.T) {
	w := newWorld(t)
	w.startPool("a", w.ports(func(_ context.Context, req wanted, _ report) (*pipelinetest.Output, error) {
		switch string(req.Given[pipeline.Source]) {
		case "empty":
			return nil, &fault.Error{Code: fault.NoSolid, Reason: "No solid.", Judge: req.Params.Judge(pipeline.Model)}
		case "read by an older reader":
			return nil, &fault.Error{Code: fault.NoSolid, Reason: "No solid.", Judge: "model 0"}
		}
		return nil, &fault.Error{Code: fault.TimedOut, Reason: "Slow."}
	}))
	for _, c := range []struct {
		content string
		known   bool
	}{{"empty", true}, {"read by an older reader", false}, {"slow", false}} {
		p := w.uploaded(c.content)
		w.await(worker.Failed, p.JobID)
		before := w.metered()
		again, err := w.Parts.Analyze(t.Context(), w.caller, part.AnalyzeInput{
			PartID: p.ID, FeatureDetails: true, ChordTolerance: 0.5, Exports: []pipeline.Name{pipeline.ThreeMF},
		})
		if err != nil || (again.ID == p.JobID) != c.known {
			t.Errorf("%s: analysed again by %+v, %v; want by the job that failed: %t", c.content, again, err, c.known)
		}
		if got := w.metered() - before; (got == 0) != c.known {
			t.Errorf("%s: %d uses metered", c.content, got)
		}
		if c.known && (again.Status != job.Failed || again.FailureReason != "No solid.") {
			t.Errorf("%s: the job is %+v", c.content, again)
		}
		if retried, err := w.Parts.Retry(t.Context(), w.caller, p.JobID); err != nil ||
			(retried.Status == job.Failed) != c.known {
			t.Errorf("%s: retried: %+v, %v; want it to stay failed: %t", c.content, retried, err, c.known)
		}
		if !c.known {
			w.await(worker.Failed, again.ID)
			w.await(worker.Failed, p.JobID)
		}
	}
}

// metered counts the metered uses of the team.
func (w *world) metered() (n int) {
	w.t.Helper()
	used, err := w.Accounts.Usage(w.t.Context(), "acme", start)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, total := range used.Totals {
		n += total.Count
	}
	return n
}

func TestKernelErrorIsTriedThreeTimes(t *testing.T) {
	w := newWorld(t)
	w.startPool("a", w.ports(func(_ context.Context, req wanted, progress report) (*pipelinetest.Output, error) {
		progress(10, "recognising features")
		return nil, errors.New("segmentation fault\n\ngoroutine 1 [running]:")
	}))
	pt := w.uploaded("x")
	for attempt := 1; attempt < 3; attempt++ {
		w.awaitAfter(worker.Retried, pt.JobID)
		if p := w.part(pt.ID); p.Status != part.Processing {
			t.Errorf("part after attempt %d is %s, want processing", attempt, p.Status)
		}
	}
	w.awaitAfter(worker.Failed, pt.JobID)
	j := w.job(pt)
	if j.Status != job.Failed || j.FailureCode != fault.KernelError || j.Attempt != 3 {
		t.Errorf("job = %+v, want failed with kernel_error after 3 attempts", j)
	}
	want := "The file could not be processed because of a fault in Millwright (step: recognising features); " +
		"it is recorded with job " + pt.JobID + "; report that job, or export the part again and upload it."
	if p := w.part(pt.ID); p.Status != part.Failed || p.FailureCode != fault.KernelError || p.FailureReason != want {
		t.Errorf("part = %+v; want kernel_error, %q", p, want)
	}
}

func TestKernelErrorThenSuccess(t *testing.T) {
	w := newWorld(t)
	var runs atomic.Int32
	w.startPool("a", w.ports(func(ctx context.Context, req wanted, progress report) (*pipelinetest.Output, error) {
		a, err := pipelinetest.Cube(ctx, req, progress)
		if runs.Add(1) == 1 {
			return nil, errors.New("out of luck")
		}
		return a, err
	}))
	part := w.uploaded("x")
	w.awaitAfter(worker.Committed, part.JobID)
	w.hasResult(part, "x")
	if j := w.job(part); j.Attempt != 2 {
		t.Errorf("job = %+v, want 2 attempts", j)
	}
}

func TestProgressIsWritten(t *testing.T) {
	w := newWorld(t)
	at := make(chan int)
	var seen []int
	w.startPool("a", w.ports(func(ctx context.Context, req wanted, progress report) (*pipelinetest.Output, error) {
		for percent := range at {
			progress(percent, "working")
			at <- 0
		}
		return pipelinetest.Cube(ctx, req, func(int, string) {})
	}))
	part := w.uploaded("x")
	w.await(worker.Leased, part.JobID)
	for _, percent := range []int{0, 50, 20, 150, -5} {
		at <- percent
		<-at
		w.clock.Advance(time.Second)
		until := time.After(patience)
		for before := len(seen); len(seen) == before; {
			if j := w.job(part); j.UpdatedAt.Equal(w.clock.Now()) {
				seen = append(seen, *j.Progress)
			}
			select {
			case <-until:
				t.Fatalf("no progress was written after %d percent", percent)
			case <-time.After(time.Millisecond):
			}
		}
	}
	close(at)
	w.await(worker.Committed, part.JobID)
	if want := []int{5, 50, 50, 95, 95}; !slices.Equal(seen, want) {
		t.Errorf("progress of the job = %v, want %v", seen, want)
	}
}
