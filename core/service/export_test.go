package service_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"millwright/core/service"
	"millwright/core/stage"
)

func TestExport(t *testing.T) {
	w := newWorld(t)
	part := w.completed(w.acme)
	ask := func(jobID string, format stage.Name) (service.SignedURL, error) {
		return w.Export(t.Context(), w.acme, service.ExportInput{PartID: part.ID, JobID: jobID, Format: format})
	}
	_, err := ask("", stage.ThreeMF)
	wantCode(t, "while processing", err, service.CodeNoResult)
	plain := w.commit(part, true)
	_, err = ask("", stage.ThreeMF)
	wantCode(t, "of a run that was not asked for it", err, service.CodeNoResult)
	_, err = ask("", stage.STL)
	wantCode(t, "of what every run makes", err, service.CodeInvalidRequest)

	job, err := w.AnalyzePart(t.Context(), w.acme, service.AnalyzePartInput{
		PartID: part.ID, Exports: []stage.Name{stage.ThreeMF, stage.ThreeMF},
	})
	if err != nil || !slices.Equal(job.Input.Exports, []stage.Name{stage.ThreeMF}) {
		t.Fatalf("job %+v, %v; want one that makes the export once", job, err)
	}
	if part, err = w.GetPart(t.Context(), w.acme, part.ID); err != nil {
		t.Fatal(err)
	}
	report := w.commit(part, true, stage.ThreeMF)
	file, err := ask(report.JobID, stage.ThreeMF)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.Get(file.URL)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err != nil || string(body) != report.Exports[stage.ThreeMF].Key || res.Header.Get("Content-Type") != "model/3mf" ||
		!strings.Contains(res.Header.Get("Content-Disposition"), ".3mf") || file.ExpiresAt.IsZero() {
		t.Errorf("the file is %q, %v, with headers %v", body, err, res.Header)
	}
	if objects := report.Objects(); !slices.Contains(objects, report.Exports[stage.ThreeMF]) || len(objects) != 4 {
		t.Errorf("the report names %v, want its export too", objects)
	}
	_, err = ask(plain.JobID, stage.ThreeMF)
	wantCode(t, "of the run before", err, service.CodeNoResult)
}

func TestOnlyExportsMayBeAskedFor(t *testing.T) {
	w := newWorld(t)
	part := w.completed(w.acme)
	for _, n := range []stage.Name{stage.Model, "dwg", ""} {
		in := service.AnalyzePartInput{PartID: part.ID, Exports: []stage.Name{n}}
		_, err := w.AnalyzePart(t.Context(), w.acme, in)
		wantCode(t, string(n), err, service.CodeInvalidRequest)
	}
}
