package service_test

import (
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"

	"millwright/core/service"
	"millwright/core/stage"
)

// commit ends the part's latest job with a report and the given objects.
func (w *world) commit(part service.Part, withObjects bool, exports ...stage.Name) service.Report {
	w.t.Helper()
	job, fence := w.lease(part)
	report := service.Report{
		ID: uuid.NewString(), TeamID: part.TeamID, PartID: part.ID, JobID: job.ID, CreatedAt: start,
		Analysis: stage.Analysis{KernelVersion: "test", Shape: stage.Shape{Format: "step"}, Warnings: []string{}},
	}
	put := func(n stage.Name) service.ObjectRef {
		ref := service.AttemptObject("results", part.TeamID, part.ID, fence, n)
		if err := w.objects.Put(w.t.Context(), ref, strings.NewReader(ref.Key)); err != nil {
			w.t.Fatal(err)
		}
		return ref
	}
	for _, n := range exports {
		report.Exports = map[stage.Name]service.ObjectRef{n: put(n)}
	}
	if withObjects {
		for n, ref := range map[stage.Name]*service.ObjectRef{
			stage.STL: &report.STL, stage.GLB: &report.GLB, stage.Thumbnail: &report.Thumbnail,
		} {
			*ref = put(n)
		}
	}
	if err := w.store.Commit(w.t.Context(), fence, service.Outcome{Report: &report}, start); err != nil {
		w.t.Fatal(err)
	}
	return report
}

func TestPartResult(t *testing.T) {
	w := newWorld(t)
	part := w.completed(w.acme)
	_, err := w.GetPartResult(t.Context(), w.acme, part.ID, "")
	wantCode(t, "while processing", err, service.CodeNoResult)
	_, err = w.GetPartResult(t.Context(), w.acme, part.ID, part.JobID)
	wantCode(t, "of the running job", err, service.CodeNoResult)

	report := w.commit(part, true)
	got, err := w.GetPartResult(t.Context(), w.acme, part.ID, "")
	if err != nil || !reflect.DeepEqual(got.Report, report) {
		t.Fatalf("GetPartResult = %+v, %v; want %+v", got, err, report)
	}
	for _, c := range []struct{ url, kind, name, content string }{
		{got.ThumbnailURL, service.TypePNG, "", report.Thumbnail.Key},
		{got.MeshSTLURL, service.TypeSTL, "Bracket", report.STL.Key},
		{got.MeshGLBURL, service.TypeGLB, "Bracket", report.GLB.Key},
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
	part := w.completed(w.acme)
	first := w.commit(part, true)
	if _, err := w.AnalyzePart(t.Context(), w.acme, service.AnalyzePartInput{PartID: part.ID}); err != nil {
		t.Fatal(err)
	}
	again, err := w.GetPart(t.Context(), w.acme, part.ID)
	if err != nil || again.Status != service.PartReady {
		t.Fatalf("part = %+v, %v; a second analysis leaves it ready", again, err)
	}
	second := w.commit(again, false)
	for _, c := range []struct{ name, jobID, want string }{
		{"latest", "", second.ID}, {"first", first.JobID, first.ID}, {"second", second.JobID, second.ID},
	} {
		got, err := w.GetPartResult(t.Context(), w.acme, part.ID, c.jobID)
		if err != nil || got.Report.ID != c.want {
			t.Errorf("%s: report %s, %v; want %s", c.name, got.Report.ID, err, c.want)
		}
		if (got.MeshSTLURL == "") != (c.want == second.ID) {
			t.Errorf("%s: STL address %q", c.name, got.MeshSTLURL)
		}
	}
	_, err = w.GetPartResult(t.Context(), w.acme, part.ID, uuid.NewString())
	wantCode(t, "unknown job", err, service.CodeNotFound)
	other := w.completed(w.acme)
	_, err = w.GetPartResult(t.Context(), w.acme, other.ID, first.JobID)
	wantCode(t, "job of another part", err, service.CodeNotFound)
}

func TestThumbnail(t *testing.T) {
	w := newWorld(t)
	part := w.completed(w.acme)
	_, err := w.Thumbnail(t.Context(), w.acme, part.ID, "")
	wantCode(t, "no result", err, service.CodeNoResult)
	report := w.commit(part, true)
	image, err := w.Thumbnail(t.Context(), w.acme, part.ID, report.JobID)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(image)
	_ = image.Close()
	if err != nil || string(body) != report.Thumbnail.Key || image.Size != int64(len(body)) {
		t.Errorf("Thumbnail = %q (%d bytes), %v", body, image.Size, err)
	}
	if err := w.objects.Delete(t.Context(), report.Thumbnail); err != nil {
		t.Fatal(err)
	}
	_, err = w.Thumbnail(t.Context(), w.acme, part.ID, "")
	wantCode(t, "object gone", err, service.CodeNoThumbnail)

	bare := w.completed(w.acme)
	w.commit(bare, false)
	_, err = w.Thumbnail(t.Context(), w.acme, bare.ID, "")
	wantCode(t, "none made", err, service.CodeNoThumbnail)
}

func TestFeatureID(t *testing.T) {
	report, other := uuid.NewString(), uuid.NewString()
	id := service.FeatureID(report, "00ff", 0)
	if uuid.Validate(id) != nil || id != service.FeatureID(report, "00ff", 0) {
		t.Errorf("FeatureID = %q, want the same UUID every time", id)
	}
	for name, different := range map[string]string{
		"report": service.FeatureID(other, "00ff", 0), "tag": service.FeatureID(report, "00fe", 0),
		"index": service.FeatureID(report, "00ff", 1),
	} {
		if different == id {
			t.Errorf("another %s gives the same id", name)
		}
	}
}

func TestObjectsOfAttemptsDiffer(t *testing.T) {
	seen := map[service.ObjectRef]bool{}
	for _, f := range []service.Fence{
		{JobID: "a", Token: 1}, {JobID: "a", Token: 2}, {JobID: "b", Token: 1}, {JobID: "a", Token: 12},
	} {
		for _, n := range stage.Names() {
			ref := service.AttemptObject("results", "team", "part", f, n)
			if seen[ref] {
				t.Errorf("%v is used twice", ref)
			}
			seen[ref] = true
		}
	}
}
