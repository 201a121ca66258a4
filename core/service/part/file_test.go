package part_test

import (
	"io"
	"net/http"
	"slices"
	"testing"

	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/apierr"
)

// TestFilesOfAPart reads the source and the mesh of a part, as its team, as another, and after its deletion.
func TestFilesOfAPart(t *testing.T) {
	w := newWorld(t)
	pending := w.NewPart(w.Acme).Part
	_, err := w.Parts.Source(t.Context(), w.Acme, pending.ID)
	apptest.WantCode(t, "source before the upload", err, apierr.PartNotUploaded)

	p := w.Completed(w.Acme)
	report := w.commit(p, false, pipeline.GLB)
	signed, err := w.Parts.Source(t.Context(), w.Acme, p.ID)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Get(signed.URL)
	if err != nil {
		t.Fatal(err)
	}
	sent, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil || string(sent) != "ISO-10303-21;" {
		t.Errorf("the source is %q, %v", sent, err)
	}
	mesh, err := w.Parts.Mesh(t.Context(), w.Acme, report.ID)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(mesh)
	_ = mesh.Close()
	if err != nil || string(content) != report.Objects[pipeline.GLB].Key || mesh.Size != int64(len(content)) {
		t.Errorf("the mesh is %q of %d bytes, %v", content, mesh.Size, err)
	}

	_, err = w.Parts.Source(t.Context(), w.Rival, p.ID)
	apptest.WantCode(t, "source of another team", err, apierr.NotFound)
	_, err = w.Parts.Mesh(t.Context(), w.Rival, report.ID)
	apptest.WantCode(t, "mesh of another team", err, apierr.NotFound)
	if err := w.Parts.Delete(t.Context(), w.Acme, p.ID); err != nil {
		t.Fatal(err)
	}
	_, err = w.Parts.Mesh(t.Context(), w.Acme, report.ID)
	apptest.WantCode(t, "mesh of a deleted part", err, apierr.NotFound)
}

// TestEvidenceOfAFeature reads the rule of a feature, as its team and as another.
func TestEvidenceOfAFeature(t *testing.T) {
	w := newWorld(t)
	p := w.Completed(w.Acme)
	f := w.found(p, 2).Analysis.Features[1]
	got, err := w.Parts.Evidence(t.Context(), w.Acme, f.FeatureID)
	if err != nil || got.Rule != f.Rule || !slices.Equal(got.Reasons, f.Reasons) || got.Rule == "" {
		t.Errorf("Evidence = %+v, %v; want %s, %q", got, err, f.Rule, f.Reasons)
	}
	_, err = w.Parts.Evidence(t.Context(), w.Rival, f.FeatureID)
	apptest.WantCode(t, "evidence for another team", err, apierr.FeatureNotFound)
}
