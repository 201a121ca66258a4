package part_test

import (
	"errors"
	"strings"
	"testing"

	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
)

func TestListParts(t *testing.T) {
	w := newWorld(t)
	p := w.Completed(w.Acme)
	for name, f := range map[string]part.Filter{
		"all": {}, "by name": {Name: strings.ToUpper(p.FileName)}, "by state": {Status: part.Processing},
	} {
		got, err := w.Parts.List(t.Context(), w.Acme, f)
		if err != nil || got.Total != 1 || got.Items[0].ID != p.ID || got.PageSize != 20 {
			t.Errorf("%s: %+v, %v; want part %s", name, got, err, p.ID)
		}
	}
	for name, f := range map[string]part.Filter{
		"state": {Status: "lost"}, "project": {ProjectID: "7"}, "page": {Page: record.Page{PageSize: 101}},
	} {
		_, err := w.Parts.List(t.Context(), w.Acme, f)
		apptest.WantCode(t, name, err, apierr.InvalidRequest)
	}
}

func TestUpdatePart(t *testing.T) {
	w := newWorld(t)
	p := w.Completed(w.Acme)
	name, none, lost := "other.igs", "", "00000000-0000-7000-8000-000000000000"
	w.Clock.Advance(1e9)
	got, err := w.Parts.Update(t.Context(), w.Acme, part.UpdateInput{PartID: p.ID, FileName: &name, ProjectID: &none})
	if err != nil || got.FileName != name || !got.UpdatedAt.Equal(w.Clock.Now()) || got.Status != part.Processing {
		t.Errorf("Update = %+v, %v", got, err)
	}
	bad, folder := "x.dwg", "a/b.stp"
	for _, c := range []struct {
		name string
		in   part.UpdateInput
		want apierr.Code
	}{
		{"no format", part.UpdateInput{PartID: p.ID, FileName: &bad}, apierr.UnsupportedFormat},
		{"folder", part.UpdateInput{PartID: p.ID, FileName: &folder}, apierr.InvalidRequest},
		{"no project", part.UpdateInput{PartID: p.ID, ProjectID: &lost}, apierr.NotFound},
		{"no part", part.UpdateInput{PartID: lost, FileName: &name}, apierr.NotFound},
	} {
		_, err := w.Parts.Update(t.Context(), w.Acme, c.in)
		apptest.WantCode(t, c.name, err, c.want)
	}
}

// TestDeletePart deletes a part whose job waits.
func TestDeletePart(t *testing.T) {
	w := newWorld(t)
	p := w.Completed(w.Acme)
	if err := w.Parts.Delete(t.Context(), w.Acme, p.ID); err != nil {
		t.Fatal(err)
	}
	_, err := w.Jobs.Get(t.Context(), w.Acme, p.JobID)
	apptest.WantCode(t, "its job", err, apierr.NotFound)
	for _, ref := range part.SourceObjects(p) {
		if _, err := w.Objects.Head(t.Context(), ref); !errors.Is(err, object.ErrNotFound) {
			t.Errorf("%s: %v, want ErrNotFound", ref.Key, err)
		}
	}
	err = w.Parts.Delete(t.Context(), w.Acme, p.ID)
	apptest.WantCode(t, "twice", err, apierr.NotFound)
	_, err = w.Parts.NewUpload(t.Context(), w.Acme, p.ID)
	apptest.WantCode(t, "upload", err, apierr.NotFound)
}

func TestNewUpload(t *testing.T) {
	w := newWorld(t)
	made, err := w.Parts.Create(t.Context(), w.Acme, part.CreateInput{FileName: "a.stp"})
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(1e12)
	again, err := w.Parts.NewUpload(t.Context(), w.Acme, made.Part.ID)
	if err != nil || !again.ExpiresAt.After(made.Upload.ExpiresAt) {
		t.Errorf("NewUpload = %+v, %v; want a later one", again, err)
	}
	_, err = w.Parts.NewUpload(t.Context(), w.Acme, w.Completed(w.Acme).ID)
	apptest.WantCode(t, "of a complete part", err, apierr.UploadClosed)
}

// TestRetry queues a cancelled job again.
func TestRetry(t *testing.T) {
	w := newWorld(t)
	p := w.Completed(w.Acme)
	_, err := w.Parts.Retry(t.Context(), w.Acme, p.JobID)
	apptest.WantCode(t, "a job that waits", err, apierr.JobFinished)
	if j, err := w.Jobs.CancelOwn(t.Context(), w.Acme, p.JobID); err != nil || j.FailureCode != fault.Cancelled {
		t.Errorf("CancelOwn = %+v, %v", j, err)
	}
	if j, err := w.Parts.Retry(t.Context(), w.Acme, p.JobID); err != nil || j.Status != job.Queued {
		t.Errorf("Retry = %+v, %v; want queued", j, err)
	}
	for name, do := range map[string]func() error{
		"cancel": func() error { _, err := w.Jobs.CancelOwn(t.Context(), w.Rival, p.JobID); return err },
		"retry":  func() error { _, err := w.Parts.Retry(t.Context(), w.Rival, p.JobID); return err },
	} {
		apptest.WantCode(t, name+" by another team", do(), apierr.NotFound)
	}
}
