package worker_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/worker"
)

// analyzed is a part with a result of two features without datasheets, and their ids.
func (w *world) analyzed() (part part.Part, ids []string) {
	w.t.Helper()
	return w.analyzedFrom("x")
}

func (w *world) analyzedFrom(content string) (part part.Part, ids []string) {
	w.t.Helper()
	stop := w.startPool("first", w.ports(pipelinetest.Cube))
	part = w.uploaded(content)
	w.await(worker.Committed, part.JobID)
	stop()
	for _, f := range w.features(part.ID, "") {
		if f.Datasheet != nil {
			w.t.Errorf("feature %s is measured though nobody asked", f.ID)
		}
		ids = append(ids, f.ID)
	}
	return part, ids
}

func (w *world) features(partID, jobID string) []part.Feature {
	w.t.Helper()
	got, err := w.Parts.Features(w.t.Context(), w.caller, part.FeaturesInput{PartID: partID, JobID: jobID})
	if err != nil {
		w.t.Fatal(err)
	}
	return got.Features
}

func (w *world) measure(p part.Part, ids ...string) job.Job {
	w.t.Helper()
	job, err := w.Parts.Measure(w.t.Context(), w.caller, part.MeasureInput{
		PartID: p.ID, FeatureIDs: ids,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return job
}

// hasSheets checks which features of the latest run have datasheets.
func (w *world) hasSheets(part part.Part, want ...string) {
	w.t.Helper()
	var got []string
	for _, f := range w.features(part.ID, "") {
		if f.Datasheet != nil {
			got = append(got, f.ID)
			if string(f.Datasheet.FeatureType) != f.Type {
				w.t.Errorf("the %s %s has the datasheet of a %s", f.Type, f.ID, f.Datasheet.FeatureType)
			}
		}
	}
	if !slices.Equal(got, want) {
		w.t.Errorf("features with datasheets: %v, want %v", got, want)
	}
}

func TestAnalysisWithDetails(t *testing.T) {
	w := newWorld(t)
	p, _ := w.analyzed()
	w.startPool("a", w.ports(pipelinetest.Cube))
	in := part.AnalyzeInput{PartID: p.ID, FeatureDetails: true}
	job, err := w.Parts.Analyze(t.Context(), w.caller, in)
	if err != nil {
		t.Fatal(err)
	}
	w.await(worker.Committed, job.ID)
	all := w.features(p.ID, job.ID)
	w.hasSheets(p, all[0].ID, all[1].ID)
	for _, c := range []struct {
		jobID string
		want  int
	}{{p.JobID, 0}, {job.ID, 1}} {
		r, err := w.Parts.Result(t.Context(), w.caller, p.ID, c.jobID)
		if b := r.Report.DirectionZBounds; err != nil || len(b) != c.want || (b == nil) != (c.want == 0) {
			t.Errorf("result of %s: bounds %v, %v; want %d", c.jobID, b, err, c.want)
		}
	}
}

// TestExportsAreMadeFromWhatIsStored requests an export of an analyzed part. The kernel makes nothing else.
func TestExportsAreMadeFromWhatIsStored(t *testing.T) {
	w := newWorld(t)
	p, _ := w.analyzed()
	var asked atomic.Pointer[pipelinetest.Request]
	w.startPool("a", w.ports(func(ctx context.Context, req wanted, progress report) (*pipelinetest.Output, error) {
		asked.Store(req)
		return pipelinetest.Cube(ctx, req, progress)
	}))
	job, err := w.Parts.Analyze(t.Context(), w.caller, part.AnalyzeInput{
		PartID: p.ID, Exports: []pipeline.Name{pipeline.ThreeMF},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.await(worker.Committed, job.ID)
	if req := asked.Load(); !slices.Equal(req.Want, []pipeline.Name{pipeline.ThreeMF}) {
		t.Errorf("the kernel was asked for %v, want the export alone", req.Want)
	}
	file, err := w.Parts.Export(t.Context(), w.caller, part.ExportInput{PartID: p.ID, Format: pipeline.ThreeMF})
	if err != nil || file.URL == "" {
		t.Errorf("the export of the latest run: %+v, %v", file, err)
	}
}

func TestFeatureDetailsMeasureOnlyTheirFeatures(t *testing.T) {
	w := newWorld(t)
	p, ids := w.analyzed()
	before := w.part(p.ID)
	var asked atomic.Pointer[pipelinetest.Request]
	w.startPool("a", w.ports(func(ctx context.Context, req wanted, progress report) (*pipelinetest.Output, error) {
		asked.Store(req)
		return pipelinetest.Cube(ctx, req, progress)
	}))
	one := w.measure(p, ids[1])
	w.await(worker.Committed, one.ID)
	w.hasSheets(p, ids[1])
	req := asked.Load()
	if !slices.Equal(req.Want, []pipeline.Name{pipeline.Datasheets}) ||
		!slices.Equal(req.Params.FeatureTags, []string{"00fe"}) {
		t.Errorf("the kernel was asked for %v of %v; want the datasheet of one feature", req.Want,
			req.Params.FeatureTags)
	}
	if given := slices.Sorted(maps.Keys(req.Given)); !slices.Equal(given,
		[]pipeline.Name{pipeline.Features, pipeline.Mesh, pipeline.Model, pipeline.PartSummaryStage}) {
		t.Errorf("the kernel was given %v; want what the run stored, and not the file", given)
	}
	second := w.measure(p, ids...)
	w.await(worker.Committed, second.ID)
	w.hasSheets(p, ids...)
	for _, id := range []string{one.ID, second.ID} {
		j, err := w.Jobs.Get(t.Context(), w.caller, id)
		if err != nil || j.ReportID != before.ReportID || j.Status != job.Succeeded {
			t.Errorf("job = %+v, %v; want it to name the report of the run, %s", j, err, before.ReportID)
		}
	}
	if after := w.part(p.ID); after.ReportID != before.ReportID || after.Status != part.Ready {
		t.Errorf("part = %+v; want the report it had, %s", after, before.ReportID)
	}
	w.hasResult(p, "x")
	if n := len(w.resultFiles()); n != perRun+2 {
		t.Errorf("%d result objects, want the %d of the analysis and those of two lots of datasheets", n, perRun)
	}
}

// TestFeatureDetailsSurviveAKilledWorker cuts worker a off before it commits, as kill -9 would.
func TestFeatureDetailsSurviveAKilledWorker(t *testing.T) {
	w := newWorld(t)
	part, ids := w.analyzed()
	line := &faultyStore{Store: w.store}
	killed := w.ports(func(ctx context.Context, req wanted, progress report) (*pipelinetest.Output, error) {
		line.cut.Store(true)
		return pipelinetest.Cube(ctx, req, progress)
	})
	through(&killed, line)
	stop := w.startPool("a", killed)
	job := w.measure(part, ids[0])
	w.await(worker.OutageStarted, job.ID)
	stop()
	w.hasSheets(part)
	w.startPool("b", w.ports(pipelinetest.Cube))
	w.awaitStalled(worker.Reclaimed, job.ID)
	w.await(worker.Committed, job.ID)
	w.hasSheets(part, ids[0])
	w.awaitAfter(worker.Cleaned, job.ID)
	w.hasResult(part, "x") // cleaning up after the killed worker left the result alone
}

// TestStalledDetailsAreRefused lets worker a finish with other figures after b has finished.
func TestStalledDetailsAreRefused(t *testing.T) {
	w := newWorld(t)
	part, ids := w.analyzed()
	g := newGate()
	t.Cleanup(g.release)
	stalled := w.ports(func(ctx context.Context, req wanted, progress report) (*pipelinetest.Output, error) {
		a, err := g.deaf(ctx, req, progress)
		for _, s := range a.Sheets.Sheets {
			s.Datasheet.ZMax = 1234
		}
		return a, err
	})
	line := &faultyStore{Store: w.store}
	line.noHeartbeat.Store(true)
	through(&stalled, line)
	w.startPool("a", stalled)
	job := w.measure(part, ids[0])
	<-g.inside
	w.startPool("b", w.ports(pipelinetest.Cube))
	w.awaitStalled(worker.Reclaimed, job.ID)
	w.await(worker.Committed, job.ID)
	g.release()
	w.await(worker.Fenced, job.ID)
	w.hasSheets(part, ids[0])
	if z := w.features(part.ID, "")[0].Datasheet.ZMax; z == 1234 {
		t.Error("the late worker's figures are stored")
	}
}

func TestFeaturesThatCannotBeMeasured(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*pipeline.DatasheetSet)
		want   string
	}{
		{"the kernel found it and has no facts", func(s *pipeline.DatasheetSet) { s.Sheets[1].Datasheet = nil },
			"The Hole 00fe could not be measured."},
		{"another kernel finds other features", func(s *pipeline.DatasheetSet) { s.Sheets = s.Sheets[:1] },
			"present one (" + pipeline.KernelVersion + ")"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			part, ids := w.analyzed()
			w.startPool("a", w.ports(
				func(ctx context.Context, req wanted, progress report) (*pipelinetest.Output, error) {
					a, err := pipelinetest.Cube(ctx, req, progress)
					if err == nil {
						c.change(&a.Sheets)
					}
					return a, err
				}))
			job := w.measure(part, ids[1], ids[0])
			w.await(worker.Failed, job.ID)
			j, err := w.Jobs.Get(t.Context(), w.caller, job.ID)
			if err != nil || j.FailureCode != fault.KernelError || !strings.Contains(j.FailureReason, c.want) ||
				j.Attempt != 1 {
				t.Errorf("job = %+v, %v; want it failed with %q", j, err, c.want)
			}
			w.hasSheets(part)
			w.hasResult(part, "x")
		})
	}
}
