package service_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright/core/service"
)

func TestCreatePart(t *testing.T) {
	w := newWorld(t)
	created, err := w.CreatePart(t.Context(), w.acme, service.CreatePartInput{
		FileName: "Bracket Ø5.STEP", AutoCreateProgram: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	p := created.Part
	want := service.Part{
		ID: p.ID, TeamID: w.acme.TeamID, FileName: "Bracket Ø5.STEP", Status: service.PartPending,
		ProgramIDs: []string{}, CutConfigIDs: []string{}, AutoCreateProgram: true,
		Source: service.ObjectRef{
			Bucket: service.DefaultSourceBucket,
			Key:    "teams/" + w.acme.TeamID + "/parts/" + p.ID + "/source.step",
		},
		CreatedAt: start, UpdatedAt: start,
	}
	if uuid.Validate(p.ID) != nil || !reflect.DeepEqual(p, want) {
		t.Errorf("part = %+v\nwant   %+v", p, want)
	}
	if u := created.Upload; u.Method != "PUT" || !u.ExpiresAt.Equal(start.Add(15*time.Minute)) {
		t.Errorf("upload = %+v, want a PUT address for 15 minutes", u)
	}
	if got, err := w.GetPart(t.Context(), w.acme, p.ID); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("GetPart = %+v, %v; want %+v", got, err, want)
	}
}

func TestCreatePartRefuses(t *testing.T) {
	w := newWorld(t)
	type in = service.CreatePartInput
	for _, c := range []struct {
		name string
		in   in
		want service.Code
	}{
		{"no name", in{}, service.CodeInvalidRequest},
		{"long name", in{FileName: strings.Repeat("a", 251) + ".step"}, service.CodeInvalidRequest},
		{"folder", in{FileName: "../a.step"}, service.CodeInvalidRequest},
		{"Windows folder", in{FileName: `C:\a.step`}, service.CodeInvalidRequest},
		{"line feed", in{FileName: "a\nb.step"}, service.CodeInvalidRequest},
		{"not UTF-8", in{FileName: "a\xff.step"}, service.CodeInvalidRequest},
		{"no extension", in{FileName: "step"}, service.CodeUnsupportedFormat},
		{"other extension", in{FileName: "a.step.exe"}, service.CodeUnsupportedFormat},
		{"mesh", in{FileName: "a.stl"}, service.CodeUnsupportedFormat},
		{"unknown project", in{FileName: "a.step", ProjectID: uuid.NewString()}, service.CodeNotFound},
		{"unknown cut config", in{FileName: "a.step", CutConfigIDs: []string{"x"}}, service.CodeNotFound},
	} {
		_, err := w.CreatePart(t.Context(), w.acme, c.in)
		wantCode(t, c.name, err, c.want)
	}
	_, err := w.CreatePart(t.Context(), w.acme, service.CreatePartInput{FileName: "a.dwg"})
	for _, ext := range service.Extensions {
		if !strings.Contains(err.Error(), ext) {
			t.Errorf("the refusal %v does not list %s", err, ext)
		}
		if _, err := w.CreatePart(t.Context(), w.acme, in{FileName: "A" + strings.ToUpper(ext)}); err != nil {
			t.Errorf("%s: %v", ext, err)
		}
	}
}

func TestCompleteUpload(t *testing.T) {
	w := newWorld(t)
	created := w.newPart(w.acme)
	_, err := w.CompleteUpload(t.Context(), w.acme, created.Part.ID)
	wantCode(t, "before the upload", err, service.CodePartNotUploaded)
	if got, _ := w.GetPart(t.Context(), w.acme, created.Part.ID); !reflect.DeepEqual(got, created.Part) {
		t.Errorf("a refused complete changed the part to %+v", got)
	}
	w.send(created.Upload, "ISO-10303-21;")
	part, err := w.CompleteUpload(t.Context(), w.acme, created.Part.ID)
	if err != nil || part.Status != service.PartProcessing || part.SizeBytes == nil || *part.SizeBytes != 13 {
		t.Fatalf("CompleteUpload = %+v, %v; want processing with 13 bytes", part, err)
	}
	job, err := w.GetJob(t.Context(), w.acme, part.JobID)
	if err != nil || job.Status != service.JobQueued || job.Product != service.ProductPartProcessing ||
		job.PartID != part.ID {
		t.Errorf("job = %+v, %v; want a queued part_processing job", job, err)
	}
	if want := []service.Wake{{JobID: job.ID, Product: job.Product}}; !slices.Equal(w.rung, want) {
		t.Errorf("rung for %v, want %v", w.rung, want)
	}
	again, err := w.CompleteUpload(t.Context(), w.acme, part.ID)
	if err != nil || !reflect.DeepEqual(again, part) || len(w.rung) != 1 {
		t.Errorf("repeated complete = %+v, %v, rung for %v; want nothing new", again, err, w.rung)
	}
	if list, err := w.ListJobs(t.Context(), w.acme, service.JobFilter{}); err != nil || list.Total != 1 {
		t.Errorf("jobs = %+v, %v; want one", list, err)
	}
}

func TestCompleteUploadOfTooLargeFile(t *testing.T) {
	w := newWorld(t)
	part := w.newPart(w.acme).Part
	body := strings.NewReader(strings.Repeat("x", maxUpload+1)) // put there past the upload address
	upload := part.Source
	upload.Key = strings.Replace(upload.Key, "source.", "upload.", 1)
	if err := w.objects.Put(t.Context(), upload, body); err != nil {
		t.Fatal(err)
	}
	_, err := w.CompleteUpload(t.Context(), w.acme, part.ID)
	wantCode(t, "too large", err, service.CodePayloadTooLarge)
}

// TestSourceStaysWhatWasCompleted sends another file to the upload address after the upload was
// completed, by either operation that completes it.
func TestSourceStaysWhatWasCompleted(t *testing.T) {
	for name, complete := range map[string]func(*world, service.Part) error{
		"complete": func(w *world, p service.Part) error {
			_, err := w.CompleteUpload(t.Context(), w.acme, p.ID)
			return err
		},
		"analyse": func(w *world, p service.Part) error {
			_, err := w.AnalyzePart(t.Context(), w.acme, service.AnalyzePartInput{PartID: p.ID})
			return err
		},
	} {
		w := newWorld(t)
		created := w.newPart(w.acme)
		w.send(created.Upload, "first")
		if err := complete(w, created.Part); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if status := w.put(created.Upload, "second"); status != http.StatusConflict {
			t.Errorf("%s: a later upload is answered %d, want 409", name, status)
		}
		in := service.AnalyzePartInput{PartID: created.Part.ID}
		if _, err := w.AnalyzePart(t.Context(), w.acme, in); err != nil {
			t.Errorf("%s: analyse again: %v", name, err)
		}
		body, _, err := w.objects.Get(t.Context(), created.Part.Source)
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
	created := w.newPart(w.acme)
	w.send(created.Upload, "whole")
	upload := created.Part.Source
	upload.Key = strings.Replace(upload.Key, "source.", "upload.", 1)
	if _, err := w.objects.Seal(t.Context(), upload, created.Part.Source, maxUpload); err != nil {
		t.Fatal(err)
	}
	part, err := w.CompleteUpload(t.Context(), w.acme, created.Part.ID)
	if err != nil || part.Status != service.PartProcessing || *part.SizeBytes != 5 {
		t.Errorf("CompleteUpload = %+v, %v; want processing with 5 bytes", part, err)
	}
}

func TestAnalyzePart(t *testing.T) {
	w := newWorld(t)
	part := w.newPart(w.acme)
	_, err := w.AnalyzePart(t.Context(), w.acme, service.AnalyzePartInput{PartID: part.Part.ID})
	wantCode(t, "before the upload", err, service.CodePartNotUploaded)
	w.send(part.Upload, "ISO-10303-21;")
	_, err = w.AnalyzePart(t.Context(), w.acme, service.AnalyzePartInput{PartID: uuid.NewString()})
	wantCode(t, "unknown part", err, service.CodeNotFound)

	first, err := w.AnalyzePart(t.Context(), w.acme, service.AnalyzePartInput{PartID: part.Part.ID})
	if err != nil || first.Product != service.ProductPartAnalysis || first.Status != service.JobQueued {
		t.Fatalf("AnalyzePart = %+v, %v", first, err)
	}
	p, err := w.GetPart(t.Context(), w.acme, part.Part.ID)
	if err != nil || p.Status != service.PartProcessing || p.JobID != first.ID {
		t.Errorf("part = %+v, %v; analysing an uploaded part starts its processing", p, err)
	}
	in := service.AnalyzePartInput{PartID: part.Part.ID, FeatureDetails: true}
	second, err := w.AnalyzePart(t.Context(), w.acme, in)
	if err != nil || second.ID == first.ID || !second.Input.FeatureDetails || first.Input.FeatureDetails {
		t.Errorf("second AnalyzePart = %+v, %v; want a job of its own with details", second, err)
	}
	if p, err := w.CompleteUpload(t.Context(), w.acme, part.Part.ID); err != nil || p.JobID != second.ID {
		t.Errorf("complete after analyse = %+v, %v; want no further job", p, err)
	}
}

func TestOtherTeamSeesNothing(t *testing.T) {
	w := newWorld(t)
	part := w.completed(w.acme)
	ctx := t.Context()
	_, err := w.GetPart(ctx, w.rival, part.ID)
	wantCode(t, "GetPart", err, service.CodeNotFound)
	_, err = w.CompleteUpload(ctx, w.rival, part.ID)
	wantCode(t, "CompleteUpload", err, service.CodeNotFound)
	_, err = w.AnalyzePart(ctx, w.rival, service.AnalyzePartInput{PartID: part.ID})
	wantCode(t, "AnalyzePart", err, service.CodeNotFound)
	_, err = w.GetPartResult(ctx, w.rival, part.ID, part.JobID)
	wantCode(t, "GetPartResult", err, service.CodeNotFound)
	_, err = w.Thumbnail(ctx, w.rival, part.ID, "")
	wantCode(t, "Thumbnail", err, service.CodeNotFound)
	_, err = w.GetJob(ctx, w.rival, part.JobID)
	wantCode(t, "GetJob", err, service.CodeNotFound)
	list, err := w.ListJobs(t.Context(), w.rival, service.JobFilter{PartID: part.ID})
	if err != nil || list.Total != 0 || len(list.Items) != 0 {
		t.Errorf("ListJobs = %+v, %v; want nothing", list, err)
	}
}

func TestListJobs(t *testing.T) {
	w := newWorld(t)
	part := w.completed(w.acme)
	list, err := w.ListJobs(t.Context(), w.acme, service.JobFilter{})
	if err != nil || list.Page != 1 || list.PageSize != 20 || list.Total != 1 ||
		list.Items[0].ID != part.JobID {
		t.Errorf("ListJobs = %+v, %v; want page 1 of 20 with the job", list, err)
	}
	for _, c := range []struct {
		name   string
		filter service.JobFilter
	}{
		{"page", service.JobFilter{Page: -1}}, {"endless page", service.JobFilter{Page: 1<<63 - 1}},
		{"small page", service.JobFilter{PageSize: -1}},
		{"large page", service.JobFilter{PageSize: 101}}, {"part", service.JobFilter{PartID: "bracket"}},
		{"status", service.JobFilter{Status: "done"}}, {"product", service.JobFilter{Product: "meshing"}},
	} {
		_, err := w.ListJobs(t.Context(), w.acme, c.filter)
		wantCode(t, c.name, err, service.CodeInvalidRequest)
	}
	if _, err := w.ListJobs(t.Context(), w.acme, service.JobFilter{Page: 5, PageSize: 100}); err != nil {
		t.Errorf("page behind the end: %v", err)
	}
}

// brokenStore is a store whose database is gone.
type brokenStore struct {
	service.Store
	ping func(context.Context) error
}

func (s brokenStore) Ping(ctx context.Context) error { return s.ping(ctx) }

func TestHealth(t *testing.T) {
	w := newWorld(t)
	if !w.Health(t.Context()).DBUp {
		t.Error("a working store counts as down")
	}
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	stuck := make(chan struct{})
	defer close(stuck)
	for _, c := range []struct {
		name string
		ping func(context.Context) error
	}{
		{"failing", func(context.Context) error { return errors.New("gone") }},
		{"stuck", func(context.Context) error { <-stuck; return nil }}, // not even the context wakes it
	} {
		ports := service.Ports{Store: brokenStore{w.store, c.ping}, Objects: w.objects}
		s, err := service.New(ports, service.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if s.Health(short).DBUp {
			t.Errorf("%s: the store counts as up", c.name)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name   string
		ports  service.Ports
		config service.Config
	}{
		{"no store", service.Ports{Objects: w.objects}, service.Config{}},
		{"no objects", service.Ports{Store: w.store}, service.Config{}},
		{"negative size", service.Ports{Store: w.store, Objects: w.objects}, service.Config{MaxUpload: -1}},
	} {
		if _, err := service.New(c.ports, c.config); err == nil {
			t.Errorf("%s: New succeeds", c.name)
		}
	}
}
