package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
	"millwright.dev/millwright/core/service/account"
)

// mm is a length that may be null.
func mm(v float64) *float64 { return &v }

// allFacts has facts of every kind, once with all that can be absent and once without.
func allFacts() []feature.Facts {
	bevels := []feature.BevelFacts{
		{AngleDeg: 45, Slant: 1.4, Countersink: &feature.SinkFacts{Diameter: 9, AngleDeg: 90, Depth: 2}},
		{AngleDeg: 30, LowerAdjacentZMin: -3, IsOpenPocketBottom: true},
	}
	none := []feature.BevelFacts{}
	cd := feature.CdData{MaxFullDiameter: mm(8), MaxPartialDiameter: mm(12), LimitingZ: mm(-1)}
	return []feature.Facts{
		&feature.HoleFacts{
			Kind: feature.Hole, Diameter: 6, Bottom: "conical", TipAngleDeg: mm(118), SweepDeg: 360,
			Segments:    []feature.SegmentFacts{{Shape: "cylinder", ZMax: 5}, {Shape: "cone", ZMin: -2}},
			Counterbore: &feature.BoreFacts{Diameter: 11, Depth: 6}, CrossesVoid: true,
			Countersink: &feature.SinkFacts{Diameter: 12, AngleDeg: 90, Depth: 1},
			Thread:      &feature.ThreadFacts{Designation: "M8x1.25", Pitch: 1.25, Source: feature.ThreadInferred, Confidence: feature.ThreadLikely},
		},
		&feature.HoleFacts{Kind: feature.Hole, Bottom: "through", Segments: []feature.SegmentFacts{}},
		&feature.PocketFacts{Kind: feature.Pocket, Shape: feature.ShapeSlot, MinCornerRadius: mm(0), Bevels: bevels},
		&feature.PocketFacts{Kind: feature.Pocket, Shape: feature.ShapeGeneral, Bevels: none},
		&feature.BossFacts{Kind: feature.Boss, Shape: feature.ShapeCylindrical, CD: cd, Diameter: mm(5), Bevels: none},
		&feature.BossFacts{Kind: feature.Boss, Shape: feature.ShapeRectangular, Bevels: bevels},
		&feature.WallFacts{Kind: feature.Wall, MinConcaveRadius: mm(2), Thickness: mm(0.8), CD: cd},
		&feature.WallFacts{Kind: feature.Wall},
		&feature.FaceFacts{Kind: feature.Face, MinConcaveRadius: mm(2), OpenFraction: 0.5},
		&feature.FaceFacts{Kind: feature.Face},
		&feature.SurfaceFacts{
			Kind: feature.Three, SurfaceKinds: []string{"Torus"}, MinConcaveRadius: mm(1), MaxBallDiameter: mm(2),
		},
		&feature.SurfaceFacts{Kind: feature.Three, SurfaceKinds: []string{}},
		&feature.ChamferFacts{Kind: feature.Chamfer, Bevel: bevels[0], IsClosed: true},
		&feature.ChamferFacts{Kind: feature.Chamfer, Bevel: bevels[1]},
		&feature.ProfileFacts{
			Kind: feature.Profile, MinConcaveRadius: mm(1), MinConvexRadius: mm(2), Bevels: bevels,
		},
		&feature.ProfileFacts{Kind: feature.Profile, Bevels: none},
		&feature.DovetailFacts{Kind: feature.Dovetail, AngleDeg: 60, OpenEnds: 2},
		&feature.TslotFacts{Kind: feature.Tslot, OpenEnds: 1},
	}
}

// rich is a kernel that finds a feature with each of allFacts, and measures the requested ones.
func rich(
	ctx context.Context, req *pipelinetest.Request, progress func(int, string),
) (*pipelinetest.Output, error) {
	out, err := cube(ctx, req, progress)
	if err != nil {
		return nil, err
	}
	out.Analysis.Features = nil
	out.Sheets.DirectionZBounds = []pipeline.DirectionZBounds{{Direction: geom.Vec3{Z: 1}, ZMin: -1, ZMax: 2}}
	for i, facts := range allFacts() {
		tag := fmt.Sprintf("%04x", i)
		kind := feature.Type(reflect.ValueOf(facts).Elem().FieldByName("Kind").String())
		out.Analysis.Features = append(out.Analysis.Features, pipeline.PartFeature{
			FeatureTag: tag, FeatureType: string(kind), RegionIdxs: []int{0}, Rule: "guess", Reasons: []string{"luck"},
		})
		if tags := req.Params.FeatureTags; len(tags) == 0 || slices.Contains(tags, tag) {
			out.Sheets.Sheets = append(out.Sheets.Sheets, pipeline.FeatureSheet{FeatureTag: tag, Datasheet: &feature.Datasheet{
				FeatureType: kind, ZMin: -float64(i), Facts: facts,
				ToleranceBand: feature.ToleranceBand{Source: feature.ToleranceGeneral},
			}})
		}
	}
	if req.Wants(pipeline.Datasheets) {
		out.Run.Made = []pipeline.Built{{Name: pipeline.Datasheets, Took: 7 * time.Millisecond}}
	}
	return out, nil
}

// features is an answer with datasheets.
type features struct {
	Datasheets []struct {
		FeatureID, FeatureTag, FeatureType string
		Datasheet                          map[string]any
	}
	NotFound []string
}

func (h *harness) features(path string) features {
	h.t.Helper()
	r := h.do("GET", path, nil)
	if r.StatusCode != http.StatusOK {
		h.t.Fatalf("GET %s: %s %s", path, r.Status, r.body)
	}
	var out features
	r.decode(h.t, &out)
	if out.Datasheets == nil || out.NotFound == nil {
		h.t.Errorf("GET %s: a list is null: %s", path, r.body)
	}
	return out
}

func (f features) ids() (ids []string) {
	for _, e := range f.Datasheets {
		ids = append(ids, e.FeatureID)
	}
	return ids
}

// patch queues a job and waits for its end.
func (h *harness) patch(path string, body any) string {
	h.t.Helper()
	r := h.do("PATCH", path, body)
	var queued struct{ JobID, PartID, Status string }
	r.decode(h.t, &queued)
	if r.StatusCode != http.StatusAccepted || queued.Status != "queued" || queued.JobID == "" ||
		!strings.Contains(path, queued.PartID) {
		h.t.Fatalf("PATCH %s: %s %s, want 202 and a queued job", path, r.Status, r.body)
	}
	h.waitJob()
	return queued.JobID
}

func TestDatasheetsAreAsDescribed(t *testing.T) {
	h := newHarness(t, rich)
	var description struct {
		Components struct{ Schemas schemas }
	}
	h.doAs("", "GET", "/v1/openapi.json", nil).decode(t, &description)
	known := description.Components.Schemas
	answer := map[string]any{"$ref": "#/components/schemas/PartFeatures"}
	id := h.upload([]byte("a part"))
	h.patch("/parts/"+id, nil)
	var plain any
	h.do("GET", "/v1/parts/"+id+"/features", nil).decode(t, &plain)
	if why := known.check(plain, answer, "answer"); why != "" {
		t.Errorf("without datasheets: %s", why)
	}
	h.patch("/v1/parts/"+id+"?featureDetails=true", nil)
	path := "/v1/parts/" + id + "/features"
	if got := h.features(path); len(got.Datasheets) != len(allFacts()) {
		t.Fatalf("%d features, want %d", len(got.Datasheets), len(allFacts()))
	}
	var measured map[string]any
	r := h.do("GET", path, nil)
	r.decode(t, &measured)
	if why := known.check(measured, answer, "answer"); why != "" {
		t.Errorf("%s: %s", why, r.body)
	}
	for i, entry := range measured["datasheets"].([]any) {
		sheet := entry.(map[string]any)["datasheet"].(map[string]any)
		for name, spoil := range spoils {
			copied := clone(t, sheet)
			spoil(copied)
			if known.check(copied, map[string]any{"$ref": "#/components/schemas/FeatureDatasheet"}, "sheet") == "" {
				t.Errorf("a datasheet with %s passes: %v", name, sheet)
			}
		}
		want, err := json.Marshal(allFacts()[i])
		got, err2 := json.Marshal(sheet["facts"])
		if err != nil || err2 != nil || !sameJSON(t, got, want) {
			t.Errorf("facts %d: %s, want %s", i, got, want)
		}
	}
}

// spoils make a datasheet that the description must not allow.
var spoils = map[string]func(map[string]any){
	"a further field":         func(s map[string]any) { s["extra"] = 1.0 },
	"a further fact":          func(s map[string]any) { s["facts"].(map[string]any)["extra"] = 1.0 },
	"no facts":                func(s map[string]any) { delete(s, "facts") },
	"facts of no kind":        func(s map[string]any) { delete(s["facts"].(map[string]any), "kind") },
	"an unknown feature type": func(s map[string]any) { s["featureType"] = "Groove" },
	"another kind": func(s map[string]any) {
		facts := s["facts"].(map[string]any)
		if facts["kind"] = "Wall"; s["featureType"] == "Wall" {
			facts["kind"] = "Face"
		}
	},
	"a number as text": func(s map[string]any) { s["zMin"] = "0" },
	"a null bottom":    func(s map[string]any) { s["zMin"] = nil },
	"tolerances of another source": func(s map[string]any) {
		s["toleranceBand"].(map[string]any)["source"] = "me"
	},
}

func clone(t *testing.T, v map[string]any) (out map[string]any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var va, vb any
	if json.Unmarshal(a, &va) != nil || json.Unmarshal(b, &vb) != nil {
		t.Fatalf("no JSON: %s, %s", a, b)
	}
	return reflect.DeepEqual(va, vb)
}

func TestFeatureFlow(t *testing.T) {
	h := newHarness(t, rich)
	id := h.upload([]byte("a part"))
	first := h.patch("/parts/"+id, nil)
	plain := h.features("/v1/parts/" + id + "/features")
	ids := plain.ids()
	var measure []string
	for i, e := range plain.Datasheets {
		if e.Datasheet != nil || e.FeatureType == "" || e.FeatureTag == "" {
			t.Errorf("feature %d before it was measured: %+v", i, e)
		}
	}
	measure = []string{ids[3], ids[1]}
	details := h.patch("/parts/"+id+"/features", map[string]any{"featureIds": measure})
	var job struct{ Status, ProductType, ReportID string }
	h.do("GET", "/v1/jobs/"+details, nil).decode(t, &job)
	if job.Status != "succeeded" || job.ProductType != "feature_details" || job.ReportID == "" {
		t.Errorf("job: %+v", job)
	}
	for i, e := range h.features("/parts/" + id + "/features").Datasheets {
		if want := slices.Contains(measure, e.FeatureID); (e.Datasheet != nil) != want || e.FeatureID != ids[i] {
			t.Errorf("feature %d: %+v, want a datasheet %v", i, e, want)
		}
	}
	second := h.patch("/v1/parts/"+id+"?featureDetails=true", map[string]any{})
	later := h.features("/v1/parts/" + id + "/features").ids()
	unknown := "00000000-0000-7000-8000-000000000000"
	for _, c := range []struct {
		name, query string
		want        []string
		notFound    []string
	}{
		{"latest run", "", later, nil}, {"first run", "?jobId=" + first, ids, nil},
		{"run with details", "?jobId=" + details, ids, nil}, {"second run", "?jobId=" + second, later, nil},
		{"commas", "?featureIds=" + ids[2] + "," + ids[0], []string{ids[2], ids[0]}, nil},
		{"repeated", "?featureIds=" + ids[2] + "&featureIds=" + later[0], []string{ids[2], later[0]}, nil},
		{"both, and one twice", "?featureIds=" + ids[0] + "," + ids[1] + "&featureIds=" + ids[0], ids[:2], nil},
		{"unknown ones", "?featureIds=" + unknown + ",x%20y," + ids[0], ids[:1], []string{unknown, "x y"}},
		{"of another run", "?featureIds=" + ids[0] + "&jobId=" + second, nil, ids[:1]},
		{"named by nothing", "?featureIds=", later, nil},
	} {
		got := h.features("/v1/parts/" + id + "/features" + c.query)
		if !slices.Equal(got.ids(), c.want) || !slices.Equal(got.NotFound, c.notFound) {
			t.Errorf("%s: features %v, not found %v; want %v and %v",
				c.name, got.ids(), got.NotFound, c.want, c.notFound)
		}
	}
	h.wantBounds(id, first, `null`, 0)
	h.wantBounds(id, second, `[{"direction":{"x":0,"y":0,"z":1},"zMin":-1,"zMax":2}]`, 7)
}

// wantBounds checks the details in a run's result.
func (h *harness) wantBounds(id, job, want string, ms int) {
	h.t.Helper()
	var result struct {
		DirectionZBounds json.RawMessage
		EnrichmentMs     int
		Features         []map[string]any
	}
	r := h.do("GET", "/v1/parts/"+id+"?jobId="+job, nil)
	r.decode(h.t, &result)
	if string(result.DirectionZBounds) != want || result.EnrichmentMs != ms {
		h.t.Errorf("result of %s: bounds %s, enrichment %d ms; want %s and %d ms", job, result.DirectionZBounds,
			result.EnrichmentMs, want, ms)
	}
	isTold := func(f map[string]any) bool { return f["reasons"] != nil || f["rule"] != nil }
	if slices.ContainsFunc(result.Features, isTold) || strings.Contains(string(r.body), "guess") {
		h.t.Errorf("the result names the rules: %s", r.body)
	}
}

func TestFeatureRefusals(t *testing.T) {
	h := newHarness(t, rich)
	id, twin := h.upload([]byte("a part")), h.upload([]byte("another"))
	path := "/v1/parts/" + id + "/features"
	const unknown = "00000000-0000-7000-8000-000000000000"
	ask := func(ids ...string) any { return map[string]any{"featureIds": append([]string{}, ids...)} }
	h.wantProblem("no result yet", h.do("GET", path, nil), 404, "no_result")
	h.wantProblem("features of no result", h.do("PATCH", path, ask(unknown)), 404, "feature_not_found")
	h.patch("/parts/"+id, nil)
	h.patch("/parts/"+twin, nil)
	ids, others := h.features(path).ids(), h.features("/parts/"+twin+"/features").ids()
	other := h.newKey("rival", account.FullAccess)
	reader := h.newKey("acme", account.AccessGrid{DFM: account.LevelRead})
	stranger := h.newKey("acme", account.AccessGrid{Core: account.LevelWrite})
	for _, c := range []struct {
		name   string
		r      reply
		status int
		code   string
	}{
		{"read without the area", h.doAs(stranger, "GET", path, nil), 403, "product_mismatch"},
		{"measure without the area", h.doAs(stranger, "PATCH", path, ask(ids[0])), 403, "product_mismatch"},
		{"measure with a reading key", h.doAs(reader, "PATCH", path, ask(ids[0])), 403, "read_only_key"},
		{"no key", h.doAs("", "GET", path, nil), 401, "missing_api_key"},
		{"read another team's part", h.doAs(other, "GET", path, nil), 404, "not_found"},
		{"measure another team's part", h.doAs(other, "PATCH", path, ask(ids[0])), 404, "not_found"},
		{"unknown job", h.do("GET", path+"?jobId="+unknown, nil), 404, "not_found"},
		{"job is no UUID", h.do("GET", path+"?jobId=7", nil), 400, "invalid_request"},
		{"empty list", h.do("PATCH", path, ask()), 400, "invalid_request"},
		{"no list", h.do("PATCH", path, map[string]any{}), 400, "invalid_request"},
		{"no body", h.do("PATCH", path, nil), 400, "invalid_request"},
		{"not a UUID", h.do("PATCH", path, ask("7")), 400, "invalid_request"},
		{"further field", h.do("PATCH", path, map[string]any{"featureIds": ids[:1], "x": 1}), 400, "invalid_request"},
		{"of two parts", h.do("PATCH", path, ask(ids[0], others[0])), 400, "invalid_request"},
		{"unknown", h.do("PATCH", path, ask(ids[0], unknown)), 404, "feature_not_found"},
		{"of another part", h.do("PATCH", path, ask(others[0])), 404, "feature_not_found"},
	} {
		h.wantProblem(c.name, c.r, c.status, c.code)
		naming := c.name == "unknown" || c.name == "unknown job"
		if strings.Contains(string(c.r.body), unknown) != naming || strings.Contains(string(c.r.body), ids[0]) {
			t.Errorf("%s: %s; want it to name what is unknown and nothing else", c.name, c.r.body)
		}
	}
	if r := h.doAs(reader, "GET", path, nil); r.StatusCode != 200 {
		t.Errorf("reading with a reading key: %s %s", r.Status, r.body)
	}
}

func (h *harness) wantProblem(name string, r reply, status int, code string) {
	h.t.Helper()
	var p struct{ Code, Detail string }
	r.decode(h.t, &p)
	if r.StatusCode != status || p.Code != code || p.Detail == "" ||
		r.Header.Get("Content-Type") != "application/problem+json" {
		h.t.Errorf("%s: %s %s, want %d %s", name, r.Status, r.body, status, code)
	}
}
