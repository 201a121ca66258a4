package part_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
)

func TestExport(t *testing.T) {
	w := newWorld(t)
	p := w.Completed(w.Acme)
	ask := func(jobID string, format pipeline.Name) (object.SignedURL, error) {
		return w.Parts.Export(t.Context(), w.Acme, part.ExportInput{PartID: p.ID, JobID: jobID, Format: format})
	}
	_, err := ask("", pipeline.ThreeMF)
	apptest.WantCode(t, "while processing", err, apierr.NoResult)
	plain := w.commit(p, true)
	_, err = ask("", pipeline.ThreeMF)
	apptest.WantCode(t, "of a run that was not asked for it", err, apierr.NoResult)
	_, err = ask("", pipeline.STL)
	apptest.WantCode(t, "of what every run makes", err, apierr.InvalidRequest)

	job, err := w.Parts.Analyze(t.Context(), w.Acme, part.AnalyzeInput{
		PartID: p.ID, Exports: []pipeline.Name{pipeline.ThreeMF, pipeline.ThreeMF},
	})
	if err != nil || !slices.Equal(job.Input.Exports, []pipeline.Name{pipeline.ThreeMF}) {
		t.Fatalf("job %+v, %v; want one that makes the export once", job, err)
	}
	if p, err = w.Parts.Get(t.Context(), w.Acme, p.ID); err != nil {
		t.Fatal(err)
	}
	report := w.commit(p, true, pipeline.ThreeMF)
	file, err := ask(report.JobID, pipeline.ThreeMF)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.Get(file.URL)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err != nil || string(body) != report.Objects[pipeline.ThreeMF].Key ||
		res.Header.Get("Content-Type") != "model/3mf" ||
		!strings.Contains(res.Header.Get("Content-Disposition"), ".3mf") || file.ExpiresAt.IsZero() {
		t.Errorf("the file is %q, %v, with headers %v", body, err, res.Header)
	}
	if len(report.Objects) != 4 {
		t.Errorf("the report names %v, want its export too", report.Objects)
	}
	_, err = ask(plain.JobID, pipeline.ThreeMF)
	apptest.WantCode(t, "of the run before", err, apierr.NoResult)
}

func TestOnlyExportsMayBeAskedFor(t *testing.T) {
	w := newWorld(t)
	p := w.Completed(w.Acme)
	for _, n := range []pipeline.Name{pipeline.Model, "dwg", ""} {
		in := part.AnalyzeInput{PartID: p.ID, Exports: []pipeline.Name{n}}
		_, err := w.Parts.Analyze(t.Context(), w.Acme, in)
		apptest.WantCode(t, string(n), err, apierr.InvalidRequest)
	}
}
