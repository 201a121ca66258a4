package portal_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"millwright.dev/millwright/adapters/sql/storematrix"
	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/worker"
)

func TestPartOnPostgreSQL(t *testing.T) { storematrix.OnPostgreSQL(t, "^TestPartReads") }

// mesh is the content of the GLB in these tests.
var mesh = strings.Repeat("glTF of a part. ", 500)

// analyzed is a part of a caller with one feature and a mesh, and the id of its report.
func (w *world) analyzed(c account.Caller) (part.Part, part.AnalysisReport) {
	w.t.Helper()
	p := w.Completed(c)
	job, token := w.Lease(p)
	report := part.AnalysisReport{
		ID: uuid.NewString(), TeamID: p.TeamID, PartID: p.ID, JobID: job.ID, CreatedAt: apptest.Start,
		Analysis: pipeline.Analysis{KernelVersion: "test", Warnings: []fault.Warning{}},
	}
	report.Analysis.Features = []pipeline.PartFeature{{
		FeatureID: part.FeatureID(report.ID, "ab", 0), FeatureTag: "ab", FeatureType: "Hole",
		Rule: "hole", Reasons: []string{"A cylinder is concave.", "Its ends are open."},
	}}
	ref := worker.AttemptObject("results", p.TeamID, p.ID, token, pipeline.GLB)
	report.Objects = map[pipeline.Name]object.Ref{pipeline.GLB: ref}
	if err := w.Objects.Put(w.t.Context(), ref, strings.NewReader(mesh)); err != nil {
		w.t.Fatal(err)
	}
	if err := w.Store.Commit(w.t.Context(), token, worker.Outcome{Report: &report}, apptest.Start); err != nil {
		w.t.Fatal(err)
	}
	return p, report
}

// TestPartReads reads the portal's own addresses of a part: as its team, as another team, and without a session.
func TestPartReads(t *testing.T) {
	w := newWorld(t, "")
	p, report := w.analyzed(w.Acme)
	ann, rival := w.signedIn("acme", "ann"), w.signedIn("rival", "rob")

	var why struct {
		Rule    string
		Reasons []string
	}
	feature := report.Analysis.Features[0]
	whyAt := "/portal/api/features/" + feature.FeatureID + "/why"
	ann.want(http.StatusOK, "", ann.do("GET", whyAt, nil)).decode(t, &why)
	if why.Rule != feature.Rule || !slices.Equal(why.Reasons, feature.Reasons) {
		t.Errorf("why is %+v, want %s, %q", why, feature.Rule, feature.Reasons)
	}

	meshAt := "/portal/api/reports/" + report.ID + "/mesh.glb"
	for _, packed := range []bool{true, false} {
		encoding := "identity"
		if packed {
			encoding = "gzip"
		}
		r := ann.do("GET", meshAt, nil, "Accept-Encoding", encoding)
		body := r.body
		if packed {
			unpacked, err := gzip.NewReader(bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			if body, err = io.ReadAll(unpacked); err != nil {
				t.Fatal(err)
			}
		}
		h := r.Header
		if r.StatusCode != http.StatusOK || string(body) != mesh || h.Get("Content-Type") != part.TypeGLB {
			t.Errorf("%s: %s, %d bytes as %s", encoding, r.Status, len(body), h.Get("Content-Type"))
		}
		if kept := h.Get("Cache-Control"); kept != "private, max-age=31536000, immutable" {
			t.Errorf("%s: the mesh is kept as %q", encoding, kept)
		}
		if packed != (h.Get("Content-Encoding") == "gzip") || !slices.Contains(h.Values("Vary"), "Accept-Encoding") {
			t.Errorf("%s: the header is %v", encoding, h)
		}
	}
	head := ann.do("HEAD", meshAt, nil)
	if head.StatusCode != http.StatusOK || head.Header.Get("X-Uncompressed-Length") != "8000" {
		t.Errorf("HEAD of the mesh: %s, %v", head.Status, head.Header)
	}

	sourceAt := "/portal/api/parts/" + p.ID + "/source"
	r := ann.want(http.StatusSeeOther, "", ann.do("GET", sourceAt, nil))
	sent, err := http.Get(r.Header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	content, _ := io.ReadAll(sent.Body)
	_ = sent.Body.Close()
	if string(content) != "ISO-10303-21;" || !strings.Contains(sent.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("the source is %q, %v", content, sent.Header)
	}

	for _, at := range []string{meshAt, sourceAt} {
		rival.want(http.StatusNotFound, "not_found", rival.do("GET", at, nil))
	}
	rival.want(http.StatusNotFound, "feature_not_found", rival.do("GET", whyAt, nil))
	for _, at := range []string{meshAt, sourceAt, whyAt, "/portal/api/limits", "/portal/api/example"} {
		r := browser{world: w}.do("GET", at, nil)
		if r.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s without a session: %s", at, r.Status)
		}
	}
	ann.want(http.StatusNotFound, "not_found", ann.do("GET", "/portal/api/reports/none/mesh.glb", nil))
}

// TestPartReadsLimits reads the conditions of an upload.
func TestPartReadsLimits(t *testing.T) {
	w := newWorld(t, "")
	ann := w.signedIn("acme", "ann")
	var limits struct {
		Extensions []string
		MaxUpload  int64
		Example    string
	}
	ann.want(http.StatusOK, "", ann.do("GET", "/portal/api/limits", nil)).decode(t, &limits)
	if !slices.Equal(limits.Extensions, part.Extensions) || limits.MaxUpload != apptest.MaxUpload ||
		limits.Example != "" {
		t.Errorf("the limits are %+v", limits)
	}
	ann.want(http.StatusNotFound, "not_found", ann.do("GET", "/portal/api/example", nil))
}
