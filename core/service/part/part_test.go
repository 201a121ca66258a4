package part_test

import (
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
)

func TestCreatePart(t *testing.T) {
	w := newWorld(t)
	created, err := w.Parts.Create(t.Context(), w.Acme, part.CreateInput{
		FileName: "Bracket Ø5.STEP", AutoCreateProgram: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	p := created.Part
	want := part.Part{
		ID: p.ID, TeamID: w.Acme.TeamID, FileName: "Bracket Ø5.STEP", Status: part.Pending,
		Warnings: []fault.Warning{}, ProgramIDs: []string{}, AutoCreateProgram: true,
		CutConfigIDs: []string{machining.BuiltInCutConfigID},
		Source: object.Ref{
			Bucket: part.DefaultSourceBucket,
			Key:    "teams/" + w.Acme.TeamID + "/parts/" + p.ID + "/source.step",
		},
		CreatedAt: apptest.Start, UpdatedAt: apptest.Start,
	}
	if uuid.Validate(p.ID) != nil || !reflect.DeepEqual(p, want) {
		t.Errorf("part = %+v\nwant   %+v", p, want)
	}
	if u := created.Upload; u.Method != "PUT" || !u.ExpiresAt.Equal(apptest.Start.Add(15*time.Minute)) {
		t.Errorf("upload = %+v, want a PUT address for 15 minutes", u)
	}
	if got, err := w.Parts.Get(t.Context(), w.Acme, p.ID); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("GetPart = %+v, %v; want %+v", got, err, want)
	}
}

func TestCreatePartRefuses(t *testing.T) {
	w := newWorld(t)
	type in = part.CreateInput
	for _, c := range []struct {
		name string
		in   in
		want apierr.Code
	}{
		{"no name", in{}, apierr.InvalidRequest},
		{"long name", in{FileName: strings.Repeat("a", 251) + ".step"}, apierr.InvalidRequest},
		{"folder", in{FileName: "../a.step"}, apierr.InvalidRequest},
		{"Windows folder", in{FileName: `C:\a.step`}, apierr.InvalidRequest},
		{"line feed", in{FileName: "a\nb.step"}, apierr.InvalidRequest},
		{"not UTF-8", in{FileName: "a\xff.step"}, apierr.InvalidRequest},
		{"no extension", in{FileName: "step"}, apierr.UnsupportedFormat},
		{"other extension", in{FileName: "a.step.exe"}, apierr.UnsupportedFormat},
		{"mesh", in{FileName: "a.stl"}, apierr.UnsupportedFormat},
		{"unknown project", in{FileName: "a.step", ProjectID: uuid.NewString()}, apierr.NotFound},
		{"unknown cut config", in{FileName: "a.step", CutConfigIDs: []string{"x"}}, apierr.NotFound},
	} {
		_, err := w.Parts.Create(t.Context(), w.Acme, c.in)
		apptest.WantCode(t, c.name, err, c.want)
	}
	_, err := w.Parts.Create(t.Context(), w.Acme, part.CreateInput{FileName: "a.dwg"})
	for _, ext := range part.Extensions {
		if !strings.Contains(err.Error(), ext) {
			t.Errorf("the refusal %v does not list %s", err, ext)
		}
		for _, name := range []string{"A" + strings.ToUpper(ext), "a" + ext + ".gz"} {
			if _, err := w.Parts.Create(t.Context(), w.Acme, in{FileName: name}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for name, advice := range map[string]string{
		"a.dwg": "; export the part as STEP.", "a": "; export the part as STEP.",
		"a.zip":    "; unpack the archive and upload",
		"a.tar.gz": "; unpack the archive and upload", "a.gz": "; unpack the archive and upload",
	} {
		_, err := w.Parts.Create(t.Context(), w.Acme, in{FileName: name})
		if err == nil || !strings.Contains(err.Error(), advice) {
			t.Errorf("%s: %v, want the advice %q", name, err, advice)
		}
	}
}

func TestCompleteUpload(t *testing.T) {
	w := newWorld(t)
	created := w.NewPart(w.Acme)
	_, err := w.Parts.CompleteUpload(t.Context(), w.Acme, created.Part.ID)
	apptest.WantCode(t, "before the upload", err, apierr.PartNotUploaded)
	if got, _ := w.Parts.Get(t.Context(), w.Acme, created.Part.ID); !reflect.DeepEqual(got, created.Part) {
		t.Errorf("a refused complete changed the part to %+v", got)
	}
	w.Send(created.Upload, "ISO-10303-21;")
	p, err := w.Parts.CompleteUpload(t.Context(), w.Acme, created.Part.ID)
	if err != nil || p.Status != part.Processing || p.SizeBytes == nil || *p.SizeBytes != 13 {
		t.Fatalf("CompleteUpload = %+v, %v; want processing with 13 bytes", p, err)
	}
	j, err := w.Jobs.Get(t.Context(), w.Acme, p.JobID)
	if err != nil || j.Status != job.Queued || j.Product != job.PartProcessing ||
		j.PartID != p.ID {
		t.Errorf("job = %+v, %v; want a queued part_processing job", j, err)
	}
	if want := []job.WakeUp{{JobID: j.ID, Product: j.Product}}; !slices.Equal(w.Rung, want) {
		t.Errorf("rung for %v, want %v", w.Rung, want)
	}
	again, err := w.Parts.CompleteUpload(t.Context(), w.Acme, p.ID)
	if err != nil || !reflect.DeepEqual(again, p) || len(w.Rung) != 1 {
		t.Errorf("repeated complete = %+v, %v, rung for %v; want nothing new", again, err, w.Rung)
	}
	if list, err := w.Jobs.List(t.Context(), w.Acme, job.Filter{}); err != nil || list.Total != 1 {
		t.Errorf("jobs = %+v, %v; want one", list, err)
	}
}

func TestCompleteUploadOfTooLargeFile(t *testing.T) {
	w := newWorld(t)
	part := w.NewPart(w.Acme).Part
	body := strings.NewReader(strings.Repeat("x", apptest.MaxUpload+1)) // put there past the upload address
	upload := part.Source
	upload.Key = strings.Replace(upload.Key, "source.", "upload.", 1)
	if err := w.Objects.Put(t.Context(), upload, body); err != nil {
		t.Fatal(err)
	}
	_, err := w.Parts.CompleteUpload(t.Context(), w.Acme, part.ID)
	apptest.WantCode(t, "too large", err, apierr.PayloadTooLarge)
}

// TestSourceStaysWhatWasCompleted sends another file to the upload address after the upload was
// completed, by either operation that completes it.
func TestSourceStaysWhatWasCompleted(t *testing.T) {
	for name, complete := range map[string]func(*world, part.Part) error{
		"complete": func(w *world, p part.Part) error {
			_, err := w.Parts.CompleteUpload(t.Context(), w.Acme, p.ID)
			return err
		},
		"analyse": func(w *world, p part.Part) error {
			_, err := w.Parts.Analyze(t.Context(), w.Acme, part.AnalyzeInput{PartID: p.ID})
			return err
		},
	} {
		w := newWorld(t)
		created := w.NewPart(w.Acme)
		w.Send(created.Upload, "first")
		if err := complete(w, created.Part); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if status := w.Put(created.Upload, "second"); status != http.StatusConflict {
			t.Errorf("%s: a later upload is answered %d, want 409", name, status)
		}
		in := part.AnalyzeInput{PartID: created.Part.ID}
		if _, err := w.Parts.Analyze(t.Context(), w.Acme, in); err != nil {
			t.Errorf("%s: analyse again: %v", name, err)
		}
		body, _, err := w.Objects.Get(t.Context(), created.Part.Source)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := io.ReadAll(body)
		if err := errors.Join(err, body.Close()); err != nil || string(got) != "first" {
			t.Errorf("%s: the source is %q, %v; want what was completed", name, got, err)
		}
	}
}

// TestCompleteAfterACrash finds the file sealed but the part still pending.
func TestCompleteAfterACrash(t *testing.T) {
	w := newWorld(t)
	created := w.NewPart(w.Acme)
	w.Send(created.Upload, "whole")
	upload := created.Part.Source
	upload.Key = strings.Replace(upload.Key, "source.", "upload.", 1)
	if _, err := w.Objects.Seal(t.Context(), upload, created.Part.Source, apptest.MaxUpload); err != nil {
		t.Fatal(err)
	}
	p, err := w.Parts.CompleteUpload(t.Context(), w.Acme, created.Part.ID)
	if err != nil || p.Status != part.Processing || *p.SizeBytes != 5 {
		t.Errorf("CompleteUpload = %+v, %v; want processing with 5 bytes", p, err)
	}
}

func TestAnalyzePart(t *testing.T) {
	w := newWorld(t)
	pt := w.NewPart(w.Acme)
	_, err := w.Parts.Analyze(t.Context(), w.Acme, part.AnalyzeInput{PartID: pt.Part.ID})
	apptest.WantCode(t, "before the upload", err, apierr.PartNotUploaded)
	w.Send(pt.Upload, "ISO-10303-21;")
	_, err = w.Parts.Analyze(t.Context(), w.Acme, part.AnalyzeInput{PartID: uuid.NewString()})
	apptest.WantCode(t, "unknown part", err, apierr.NotFound)

	first, err := w.Parts.Analyze(t.Context(), w.Acme, part.AnalyzeInput{PartID: pt.Part.ID})
	if err != nil || first.Product != job.PartAnalysis || first.Status != job.Queued {
		t.Fatalf("AnalyzePart = %+v, %v", first, err)
	}
	p, err := w.Parts.Get(t.Context(), w.Acme, pt.Part.ID)
	if err != nil || p.Status != part.Processing || p.JobID != first.ID {
		t.Errorf("part = %+v, %v; analysing an uploaded part starts its processing", p, err)
	}
	in := part.AnalyzeInput{PartID: pt.Part.ID, FeatureDetails: true}
	second, err := w.Parts.Analyze(t.Context(), w.Acme, in)
	if err != nil || second.ID == first.ID || !second.Input.FeatureDetails || first.Input.FeatureDetails {
		t.Errorf("second AnalyzePart = %+v, %v; want a job of its own with details", second, err)
	}
	if p, err := w.Parts.CompleteUpload(t.Context(), w.Acme, pt.Part.ID); err != nil || p.JobID != second.ID {
		t.Errorf("complete after analyse = %+v, %v; want no further job", p, err)
	}
}

func TestOtherTeamSeesNothing(t *testing.T) {
	w := newWorld(t)
	p := w.Completed(w.Acme)
	ctx := t.Context()
	_, err := w.Parts.Get(ctx, w.Rival, p.ID)
	apptest.WantCode(t, "GetPart", err, apierr.NotFound)
	_, err = w.Parts.CompleteUpload(ctx, w.Rival, p.ID)
	apptest.WantCode(t, "CompleteUpload", err, apierr.NotFound)
	_, err = w.Parts.Analyze(ctx, w.Rival, part.AnalyzeInput{PartID: p.ID})
	apptest.WantCode(t, "AnalyzePart", err, apierr.NotFound)
	_, err = w.Parts.Result(ctx, w.Rival, p.ID, p.JobID)
	apptest.WantCode(t, "GetPartResult", err, apierr.NotFound)
	_, err = w.Parts.Thumbnail(ctx, w.Rival, p.ID, "")
	apptest.WantCode(t, "Thumbnail", err, apierr.NotFound)
	_, err = w.Jobs.Get(ctx, w.Rival, p.JobID)
	apptest.WantCode(t, "GetJob", err, apierr.NotFound)
	list, err := w.Jobs.List(t.Context(), w.Rival, job.Filter{PartID: p.ID})
	if err != nil || list.Total != 0 || len(list.Items) != 0 {
		t.Errorf("ListJobs = %+v, %v; want nothing", list, err)
	}
}

func TestListJobs(t *testing.T) {
	w := newWorld(t)
	part := w.Completed(w.Acme)
	list, err := w.Jobs.List(t.Context(), w.Acme, job.Filter{})
	if err != nil || list.Page != 1 || list.PageSize != 20 || list.Total != 1 ||
		list.Items[0].ID != part.JobID {
		t.Errorf("ListJobs = %+v, %v; want page 1 of 20 with the job", list, err)
	}
	for _, c := range []struct {
		name   string
		filter job.Filter
	}{
		{"page", job.Filter{Page: record.Page{Page: -1}}},
		{"endless page", job.Filter{Page: record.Page{Page: 1<<63 - 1}}},
		{"small page", job.Filter{Page: record.Page{PageSize: -1}}},
		{"large page", job.Filter{Page: record.Page{PageSize: 101}}}, {"part", job.Filter{PartID: "bracket"}},
		{"status", job.Filter{Status: "done"}}, {"product", job.Filter{Product: "meshing"}},
	} {
		_, err := w.Jobs.List(t.Context(), w.Acme, c.filter)
		apptest.WantCode(t, c.name, err, apierr.InvalidRequest)
	}
	if _, err := w.Jobs.List(t.Context(), w.Acme, job.Filter{Page: record.Page{Page: 5, PageSize: 100}}); err != nil {
		t.Errorf("page behind the end: %v", err)
	}
}
