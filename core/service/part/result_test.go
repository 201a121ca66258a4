package part_test

import (
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"

	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/worker"
)

// commit ends the part's latest job with a report and the given objects.
func (w *world) commit(p part.Part, withObjects bool, exports ...pipeline.Name) part.AnalysisReport {
	w.t.Helper()
	job, fence := w.Lease(p)
	report := part.AnalysisReport{
		ID: uuid.NewString(), TeamID: p.TeamID, PartID: p.ID, JobID: job.ID, CreatedAt: apptest.Start,
		Analysis: pipeline.Analysis{KernelVersion: "test", Shape: pipeline.Shape{Format: "step"},
			Warnings: []fault.Warning{}},
	}
	put := func(n pipeline.Name) object.Ref {
		ref := worker.AttemptObject("results", p.TeamID, p.ID, fence, n)
		if err := w.Objects.Put(w.t.Context(), ref, strings.NewReader(ref.Key)); err != nil {
			w.t.Fatal(err)
		}
		return ref
	}
	if withObjects {
		exports = append(exports, pipeline.STL, pipeline.GLB, pipeline.Thumbnail)
	}
	report.Objects = map[pipeline.Name]object.Ref{}
	for _, n := range exports {
		report.Objects[n] = put(n)
	}
	if err := w.Store.Commit(w.t.Context(), fence, worker.Outcome{Report: &report}, apptest.Start); err != nil {
		w.t.Fatal(err)
	}
	return report
}

func TestPartResult(t *testing.T) {
	w := newWorld(t)
	p := w.Completed(w.Acme)
	_, err := w.Parts.Result(t.Context(), w.Acme, p.ID, "")
	apptest.WantCode(t, "while processing", err, apierr.NoResult)
	_, err = w.Parts.Result(t.Context(), w.Acme, p.ID, p.JobID)
	apptest.WantCode(t, "of the running job", err, apierr.NoResult)

	report := w.commit(p, true)
	got, err := w.Parts.Result(t.Context(), w.Acme, p.ID, "")
	if err != nil || !reflect.DeepEqual(got.Report, report) {
		t.Fatalf("GetPartResult = %+v, %v; want %+v", got, err, report)
	}
	for _, c := range []struct{ url, kind, name, content string }{
		{got.ThumbnailURL, part.TypePNG, "", report.Objects[pipeline.Thumbnail].Key},
		{got.MeshSTLURL, part.TypeSTL, "Bracket", report.Objects[pipeline.STL].Key},
		{got.MeshGLBURL, part.TypeGLB, "Bracket", report.Objects[pipeline.GLB].Key},
	} {
		res, err := http.Get(c.url)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		disposition := res.Header.Get("Content-Disposition")
		if err != nil || string(body) != c.content || res.Header.Get("Content-Type") != c.kind ||
			!strings.Contains(disposition, c.name) || (c.name == "") != (disposition == "") {
			t.Errorf("%s: %q, %v, headers %v", c.kind, body, err, res.Header)
		}
	}
}

func TestPartResultByJob(t *testing.T) {
	w := newWorld(t)
	p := w.Completed(w.Acme)
	first := w.commit(p, true)
	if _, err := w.Parts.Analyze(t.Context(), w.Acme, part.AnalyzeInput{PartID: p.ID}); err != nil {
		t.Fatal(err)
	}
	again, err := w.Parts.Get(t.Context(), w.Acme, p.ID)
	if err != nil || again.Status != part.Ready {
		t.Fatalf("part = %+v, %v; a second analysis leaves it ready", again, err)
	}
	second := w.commit(again, false)
	for _, c := range []struct{ name, jobID, want string }{
		{"latest", "", second.ID}, {"first", first.JobID, first.ID}, {"second", second.JobID, second.ID},
	} {
		got, err := w.Parts.Result(t.Context(), w.Acme, p.ID, c.jobID)
		if err != nil || got.Report.ID != c.want {
			t.Errorf("%s: report %s, %v; want %s", c.name, got.Report.ID, err, c.want)
		}
		if (got.MeshSTLURL == "") != (c.want == second.ID) {
			t.Errorf("%s: STL address %q", c.name, got.MeshSTLURL)
		}
	}
	_, err = w.Parts.Result(t.Context(), w.Acme, p.ID, uuid.NewString())
	apptest.WantCode(t, "unknown job", err, apierr.NotFound)
	other := w.Completed(w.Acme)
	_, err = w.Parts.Result(t.Context(), w.Acme, other.ID, first.JobID)
	apptest.WantCode(t, "job of another part", err, apierr.NotFound)
}

func TestThumbnail(t *testing.T) {
	w := newWorld(t)
	part := w.Completed(w.Acme)
	_, err := w.Parts.Thumbnail(t.Context(), w.Acme, part.ID, "")
	apptest.WantCode(t, "no result", err, apierr.NoResult)
	report := w.commit(part, true)
	image, err := w.Parts.Thumbnail(t.Context(), w.Acme, part.ID, report.JobID)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(image)
	_ = image.Close()
	if err != nil || string(body) != report.Objects[pipeline.Thumbnail].Key || image.Size != int64(len(body)) {
		t.Errorf("Thumbnail = %q (%d bytes), %v", body, image.Size, err)
	}
	if err := w.Objects.Delete(t.Context(), report.Objects[pipeline.Thumbnail]); err != nil {
		t.Fatal(err)
	}
	_, err = w.Parts.Thumbnail(t.Context(), w.Acme, part.ID, "")
	apptest.WantCode(t, "object gone", err, apierr.NoThumbnail)

	bare := w.Completed(w.Acme)
	w.commit(bare, false)
	_, err = w.Parts.Thumbnail(t.Context(), w.Acme, bare.ID, "")
	apptest.WantCode(t, "none made", err, apierr.NoThumbnail)
}

func TestFeatureID(t *testing.T) {
	report, other := uuid.NewString(), uuid.NewString()
	id := part.FeatureID(report, "00ff", 0)
	if uuid.Validate(id) != nil || id != part.FeatureID(report, "00ff", 0) {
		t.Errorf("FeatureID = %q, want the same UUID every time", id)
	}
	for name, different := range map[string]string{
		"report": part.FeatureID(other, "00ff", 0), "tag": part.FeatureID(report, "00fe", 0),
		"index": part.FeatureID(report, "00ff", 1),
	} {
		if different == id {
			t.Errorf("another %s gives the same id", name)
		}
	}
}

func TestObjectsOfAttemptsDiffer(t *testing.T) {
	seen := map[object.Ref]bool{}
	for _, f := range []job.FencingToken{
		{JobID: "a", Token: 1}, {JobID: "a", Token: 2}, {JobID: "b", Token: 1}, {JobID: "a", Token: 12},
	} {
		for _, n := range pipeline.Names() {
			ref := worker.AttemptObject("results", "team", "part", f, n)
			if seen[ref] {
				t.Errorf("%v is used twice", ref)
			}
			seen[ref] = true
		}
	}
}
