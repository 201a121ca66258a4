package worker_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/worker"
)

// recorder is a kernel that records its requests.
type recorder struct {
	mu    sync.Mutex
	asked []wanted
	spoil pipeline.Name // found unusable when it is given
}

func (r *recorder) kernel(ctx context.Context, req wanted, progress report) (*pipelinetest.Output, error) {
	r.mu.Lock()
	r.asked = append(r.asked, req)
	spoil := r.spoil
	r.mu.Unlock()
	if _, given := req.Given[spoil]; given && !req.Wants(spoil) {
		return nil, &pipeline.CorruptArtifactError{Name: spoil, Err: errors.New("a bit has turned")}
	}
	return pipelinetest.Cube(ctx, req, progress)
}

// last returns the only request since the previous call.
func (r *recorder) last(t *testing.T) wanted {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.asked) != 1 {
		t.Fatalf("the kernel ran %d times, want once", len(r.asked))
	}
	req := r.asked[0]
	r.asked = nil
	return req
}

func (w *world) reanalyzed(in part.AnalyzeInput) job.Job {
	w.t.Helper()
	job, err := w.Parts.Analyze(w.t.Context(), w.caller, in)
	if err != nil {
		w.t.Fatal(err)
	}
	w.await(worker.Committed, job.ID)
	return job
}

// downloads counts how often the CAD file was fetched.
func (w *world) downloads() (n int) {
	w.events.mu.Lock()
	defer w.events.mu.Unlock()
	for _, e := range w.events.all {
		if e.Kind == worker.Staged && e.Stage == worker.StageDownload {
			n++
		}
	}
	return n
}

// TestFileIsFetchedOnce has a part analyzed, then with another tolerance, then measured: only the first job opens
// the CAD file.
func TestFileIsFetchedOnce(t *testing.T) {
	w, r := newWorld(t), &recorder{}
	w.startPool("a", w.ports(r.kernel))
	p := w.uploaded("x")
	w.await(worker.Committed, p.JobID)
	if _, ok := r.last(t).Given[pipeline.Source]; !ok {
		t.Error("the first analysis has no file")
	}
	w.reanalyzed(part.AnalyzeInput{PartID: p.ID, ChordTolerance: 0.01})
	finer := r.last(t)
	if finer.Params.ChordTolerance != 0.01 ||
		!slices.Equal(finer.Want, []pipeline.Name{pipeline.Summary, pipeline.STL, pipeline.GLB}) {
		t.Errorf("with another tolerance (%g) the kernel is asked for %v; want what shows the mesh",
			finer.Params.ChordTolerance, finer.Want)
	}
	features := w.features(p.ID, "")
	w.await(worker.Committed, w.measure(p, features[0].ID).ID)
	details := r.last(t)
	given := slices.Sorted(maps.Keys(details.Given))
	if !slices.Equal(given,
		[]pipeline.Name{pipeline.Features, pipeline.Mesh, pipeline.Model, pipeline.PartSummaryStage}) {
		t.Errorf("measured with %v; want the mesh that the features were found on", given)
	}
	if n := w.downloads(); n != 1 {
		t.Errorf("the file was fetched %d times, want once", n)
	}
}

// TestSameFileReusesArtifacts uploads a file twice: the second part has the artifacts of the first, and keeps them when
// the first is deleted.
func TestSameFileReusesArtifacts(t *testing.T) {
	w, r := newWorld(t), &recorder{}
	stop := w.startPool("a", w.ports(r.kernel))
	first := w.uploaded("x")
	w.await(worker.Committed, first.JobID)
	r.last(t)
	w.clock.Advance(25 * time.Hour)
	second := w.uploaded("x")
	w.await(worker.Committed, second.JobID)
	if len(r.asked) != 0 {
		t.Errorf("the kernel was asked for %v of a file that is known", r.asked[0].Want)
	}
	w.hasResult(second, "x")
	stop()
	w.startPoolWith(w.ports(r.kernel), worker.Config{RetainTime: 24 * time.Hour})
	w.await(worker.Expired, "")
	w.hasResult(second, "x")
	if n := len(w.resultFiles()); n != perRun {
		t.Errorf("%d result objects, want the %d that the second part names", n, perRun)
	}
	w.await(worker.Committed, w.measure(second, w.features(second.ID, "")[0].ID).ID)
}

// TestLostArtifactsAreMadeAnew removes an artifact's object or damages its bytes. The artifact is made again from the
// other artifacts and used from then on.
func TestLostArtifactsAreMadeAnew(t *testing.T) {
	for _, c := range []struct {
		name string
		lose func(*world, *recorder)
	}{
		{"the object is gone", func(w *world, _ *recorder) {
			r := paramsOf("x")
			found, err := w.store.Artifacts(w.t.Context(), w.caller.TeamID, []string{r.Key(pipeline.Features)})
			if err == nil {
				err = w.objects.Delete(w.t.Context(), found[0].Object)
			}
			if err != nil {
				w.t.Fatal(err)
			}
		}},
		{"its bytes are damaged", func(_ *world, r *recorder) { r.spoil = pipeline.Features }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, r := newWorld(t), &recorder{}
			part, ids := w.analyzed()
			w.startPool("a", w.ports(r.kernel))
			c.lose(w, r)
			w.await(worker.Committed, w.measure(part, ids[0]).ID)
			anew := r.asked[len(r.asked)-1]
			if want := []pipeline.Name{pipeline.Features, pipeline.Datasheets}; !slices.Equal(anew.Want, want) {
				t.Errorf("made anew: %v, want %v", anew.Want, want)
			}
			r.spoil, r.asked = "", nil
			w.await(worker.Committed, w.measure(part, ids[1]).ID)
			if again := r.last(t).Want; !slices.Equal(again, []pipeline.Name{pipeline.Datasheets}) {
				t.Errorf("the next job makes %v, want the features found again", again)
			}
			if n := w.downloads(); n != 1 {
				t.Errorf("the file was fetched %d times, want once", n)
			}
		})
	}
}
