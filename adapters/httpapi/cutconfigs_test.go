package httpapi_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/account"
)

var fullAccess = account.FullAccess

type cutConfigRecord struct {
	machining.CutConfig
	CreatedAt, UpdatedAt *string
}

type cutConfigList struct {
	Items                 []cutConfigRecord
	Page, PageSize, Total int
}

func TestCutConfigFlow(t *testing.T) {
	h := newHarness(t, cube)
	var list cutConfigList
	h.do("GET", "/v1/cut-configs", nil).decode(t, &list)
	if list.Total != 2 || len(list.Items) != 2 || list.Items[0].ID != machining.BuiltInCutConfigID ||
		!list.Items[0].IsDefault || list.Items[0].CreatedAt != nil || list.PageSize != 20 {
		t.Fatalf("list of a new team: %+v", list)
	}
	var made cutConfigRecord
	r := h.do("POST", "/v1/cut-configs", map[string]any{"name": "Steel", "isDefault": true,
		"material": map[string]any{"name": "42CrMo4", "isoGroup": "P", "specificCuttingForce": 1700}})
	r.decode(t, &made)
	if r.StatusCode != http.StatusCreated || made.Material.ISOGroup != machining.GroupP || !made.IsDefault ||
		made.Machine != machining.BuiltInCutConfig().Machine || made.CreatedAt == nil ||
		r.Header.Get("Location") != h.server.URL+"/v1/cut-configs/"+made.ID {
		t.Fatalf("create: %s %s at %q", r.Status, r.body, r.Header.Get("Location"))
	}
	var got cutConfigRecord
	if made.Material.Density != 7.85 || made.EngagementDeg != nil || made.ScallopHeight != 0.01 {
		t.Errorf("defaults: %s", r.body)
	}
	for _, row := range []struct {
		sent string
		want *float64
	}{{`{"engagementDeg":60}`, new(60.0)}, {`{"tapInferredThreads":true}`, new(60.0)}, {`{"engagementDeg":null}`, nil}} {
		var got cutConfigRecord
		h.do("PUT", "/v1/cut-configs/"+made.ID, []byte(row.sent)).decode(t, &got)
		if (got.EngagementDeg == nil) != (row.want == nil) || row.want != nil && *got.EngagementDeg != *row.want {
			t.Errorf("engagement after %s: %v", row.sent, got.EngagementDeg)
		}
	}
	r = h.do("PUT", "/v1/cut-configs/"+made.ID, map[string]any{"hourlyRateCents": 12345, "toolLibraryIds": []string{}})
	r.decode(t, &got)
	if r.StatusCode != 200 || got.HourlyRateCents != 12345 || got.Name != "Steel" || got.ToolLibraryIDs == nil ||
		len(got.ToolLibraryIDs) != 0 {
		t.Errorf("update: %s %s", r.Status, r.body)
	}
	h.do("GET", "/v1/cut-configs/"+machining.BuiltInCutConfigID, nil).decode(t, &got)
	if got.IsDefault || got.ID != machining.BuiltInCutConfigID {
		t.Errorf("built-in: %+v, want it readable and the default no more", got)
	}
	h.do("GET", "/v1/cut-configs?page=2&pageSize=1", nil).decode(t, &list)
	if list.Total != 3 || len(list.Items) != 1 || list.Items[0].ID != machining.BuiltInCutConfigID || list.Page != 2 {
		t.Errorf("second page: %+v", list)
	}
	if r := h.do("DELETE", "/v1/cut-configs/"+made.ID, nil); r.StatusCode != http.StatusNoContent || len(r.body) > 0 {
		t.Errorf("delete: %s %s", r.Status, r.body)
	}
	wantProblem(t, "read after deletion", h.do("GET", "/v1/cut-configs/"+made.ID, nil), 404, "not_found")
}

func TestCutConfigRefusals(t *testing.T) {
	h := newHarness(t, cube)
	const unknown = "00000000-0000-7000-8000-000000000000"
	const list = "/v1/cut-configs"
	const builtIn = list + "/" + machining.BuiltInCutConfigID
	var mine cutConfigRecord
	h.do("POST", list, map[string]any{"name": "Steel"}).decode(t, &mine)
	rival := h.newKey("rival", fullAccess)
	reader := h.newKey("acme", account.AccessGrid{Core: account.LevelRead})
	for _, c := range []struct {
		name, key, method, path, body string
		status                        int
		code                          string
	}{
		{"no name", h.key, "POST", list, `{}`, 400, "invalid_request"},
		{"broken machine", h.key, "POST", list, `{"name":"x","machine":{"axisCount":9}}`, 400, "invalid_request"},
		{"gap in a whole machine", h.key, "PUT", list + "/" + mine.ID, `{"machine":{"name":"m"}}`, 400, "invalid_request"},
		{"negative rate", h.key, "POST", list, `{"name":"x","hourlyRateCents":-1}`, 400, "invalid_request"},
		{"bad group", h.key, "POST", list, `{"name":"x","material":{"name":"y","isoGroup":"Z",` +
			`"specificCuttingForce":1}}`, 400, "invalid_request"},
		{"unknown library", h.key, "POST", list, `{"name":"x","toolLibraryIds":["` + unknown + `"]}`, 400, "invalid_request"},
		{"page", h.key, "GET", list + "?pageSize=101", "", 400, "invalid_request"},
		{"unknown", h.key, "GET", list + "/" + unknown, "", 404, "not_found"},
		{"another team's", rival, "GET", list + "/" + mine.ID, "", 404, "not_found"},
		{"update of another team's", rival, "PUT", list + "/" + mine.ID, `{"name":"x"}`, 404, "not_found"},
		{"patch of another team's", rival, "PATCH", list + "/" + mine.ID, `{"name":"x"}`, 404, "not_found"},
		{"patch of an unknown", h.key, "PATCH", list + "/" + unknown, `{"name":"x"}`, 404, "not_found"},
		{"patch of the built-in", h.key, "PATCH", builtIn, `{"name":"x"}`, 405, "method_not_allowed"},
		{"patch with a reading key", reader, "PATCH", list + "/" + mine.ID, `{"name":"x"}`, 403, "read_only_key"},
		{"empty patch body", h.key, "PATCH", list + "/" + mine.ID, "", 400, "invalid_request"},
		{"patch that is a list", h.key, "PATCH", list + "/" + mine.ID, `[]`, 400, "invalid_request"},
		{"patch that is no JSON", h.key, "PATCH", list + "/" + mine.ID, `{"name"`, 400, "invalid_request"},
		{"deletion of another team's", rival, "DELETE", list + "/" + mine.ID, "", 404, "not_found"},
		{"update of the built-in", h.key, "PUT", builtIn, `{"name":"x"}`, 405, "method_not_allowed"},
		{"deletion of the built-in", h.key, "DELETE", builtIn, "", 405, "method_not_allowed"},
		{"read-only key", reader, "POST", list, `{"name":"x"}`, 403, "read_only_key"},
	} {
		var body any
		if c.body != "" {
			body = []byte(c.body)
		}
		r := h.doAs(c.key, c.method, c.path, body)
		wantProblem(t, c.name, r, c.status, c.code)
		if c.status == 405 && r.Header.Get("Allow") != "GET" {
			t.Errorf("%s: Allow %q, want GET", c.name, r.Header.Get("Allow"))
		}
	}
}

// TestCutConfigPatch merges: deep members change alone, null sets back, in both media types.
func TestCutConfigPatch(t *testing.T) {
	h := newHarness(t, cube)
	var mine, got cutConfigRecord
	h.do("POST", "/v1/cut-configs", []byte(`{"name":"Steel","machine":{"travel":{"z":700},"loadSeconds":5},"engagementDeg":60}`)).
		decode(t, &mine)
	want := machining.BuiltInCutConfig()
	want.ID, want.Name, want.EngagementDeg = mine.ID, "Steel", new(60.0)
	want.Machine.Travel.Z, want.Machine.LoadSeconds = 700, 5
	if !reflect.DeepEqual(mine.CutConfig, want) {
		t.Fatalf("made of a part: %+v\nwant %+v", mine.CutConfig, want)
	}
	path := "/v1/cut-configs/" + mine.ID
	tag := h.do("GET", path, nil).Header.Get("ETag")
	for _, c := range []struct{ kind, body string }{
		{"application/json", `{"machine":{"travel":{"x":900}},"engagementDeg":null}`},
		{"application/merge-patch+json", `{"machine":{"loadSeconds":null},"stock":{"kind":"cylinder"}}`},
	} {
		header := http.Header{"Content-Type": {c.kind}, "Idempotency-Key": {c.kind}}
		r := h.send(h.key, "PATCH", path, []byte(c.body), header)
		r.decode(t, &got)
		if r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s %s", c.kind, r.Status, r.body)
		}
		wantSame(t, "repetition", h.send(h.key, "PATCH", path, []byte(c.body), header), r)
	}
	want.Machine.Travel.X, want.Machine.LoadSeconds, want.EngagementDeg, want.Stock.Kind = 900, 60, nil, machining.StockCylinder
	if !reflect.DeepEqual(got.CutConfig, want) || *got.CreatedAt != *mine.CreatedAt {
		t.Errorf("after two patches: %+v\nwant %+v", got.CutConfig, want)
	}
	r := h.send(h.key, "GET", path, nil, http.Header{"If-None-Match": {tag}})
	if r.StatusCode != http.StatusOK || r.Header.Get("ETag") == tag {
		t.Errorf("the ETag of before is answered %s with %q", r.Status, r.Header.Get("ETag"))
	}
	xml := h.send(h.key, "PATCH", path, []byte(`<a/>`), http.Header{"Content-Type": {"application/xml"}})
	wantProblem(t, "XML", xml, 415, "unsupported_media_type")
}

// TestCutConfigFindings checks that all defects are reported at once, with the allowed values, and that no record
// changes.
func TestCutConfigFindings(t *testing.T) {
	h := newHarness(t, cube)
	var mine cutConfigRecord
	h.do("POST", "/v1/cut-configs", []byte(`{"name":"Steel"}`)).decode(t, &mine)
	path := "/v1/cut-configs/" + mine.ID
	before := h.do("GET", path, nil).body
	const unknown = "0f0e1d2c-0000-7000-9abc-def012345678"
	const wrong = `{"name":"x","post":"linuxnc","material":{"name":"y","isoGroup":"Z","specificCuttingForce":1},"stokc":1,` +
		`"stock":{"kind":"bar","allowance":{"x":1,"y":1,"z":1}},"workholding":{"kind":"vice","jawHeight":5},` +
		`"tolerances":{"class":"g","profile":1},"toolLibraryIds":["7\u0000","` + unknown + `"]}`
	for _, c := range []struct{ method, path string }{{"POST", "/v1/cut-configs"}, {"PUT", path}, {"PATCH", path}} {
		r := h.do(c.method, c.path, []byte(wrong))
		wantProblem(t, c.method, r, 400, "invalid_request")
		var problem struct{ Detail string }
		r.decode(t, &problem)
		for _, want := range []string{
			"stokc is not a field of a cut config; is stock meant?",
			`material.isoGroup must be one of P, M, K, N, S, H, not "Z".`,
			`stock.kind must be one of box, cylinder, nearNet, not "bar".`,
			`workholding.kind must be one of vise, fixture, none, not "vice"; is vise meant?`,
			`post must be one of fanuc, grbl, haas, heidenhain, linuxcnc, siemens, not "linuxnc"; is linuxcnc meant?`,
			`tolerances.class must be one of f, m, c, v, not "g".`,
			`toolLibraryIds names no tool library of the team by "7\x00"`, `no tool library of the team by "` + unknown + `"`,
		} {
			if !strings.Contains(problem.Detail, want) {
				t.Errorf("%s: %q does not say %q", c.method, problem.Detail, want)
			}
		}
	}
	if now := h.do("GET", path, nil).body; string(now) != string(before) {
		t.Errorf("it was %s and is %s", before, now)
	}
	var list cutConfigList
	if h.do("GET", "/v1/cut-configs", nil).decode(t, &list); list.Total != 3 {
		t.Errorf("%d cut configs, want 3", list.Total)
	}
}

// TestFaultsOfDocumentsAreAtTheirFields checks that a refused document names its faults also for programs.
func TestFaultsOfDocumentsAreAtTheirFields(t *testing.T) {
	h := newHarness(t, cube)
	var library toolLibraryRecord
	h.sendFile("", "", toolTable).decode(t, &library)
	for _, c := range []struct{ method, path, body, pointer, message string }{
		{"POST", "/v1/cut-configs", `{"name":"x","machine":{"maxSpindleRpm":-1}}`,
			"/machine/maxSpindleRpm", "machine.maxSpindleRpm must be more than 0 and at most 500000 rpm, not -1."},
		{"POST", "/v1/cut-configs", `{"name":"x","toolLibraryIds":["` + machining.BuiltInToolLibraryID + `","7"]}`,
			"/toolLibraryIds/1", `toolLibraryIds names no tool library of the team by "7"; ` +
				"the list of tool libraries has those that there are."},
		{"POST", "/v1/holders", `{"name":"x","gaugeLength":9,"cones":[{"diameterBottom":1,"diameterTop":"2","height":9}]}`,
			"/cones/0/diameterTop", "cones[0].diameterTop must be a number."},
		{"PUT", "/v1/tool-libraries/" + library.ID, `{"tools":[{"kind":"reamer","diameter":5,"fluteLength":9,` +
			`"overallLength":9,"shankDiameter":5,"bodyLength":9,"fluteCount":0}]}`,
			"/tools/0/fluteCount", "tools[0].fluteCount must lie between 1 and 100, not 0."},
		{"POST", "/projects", `{"name":7}`, "/name", "name must be a text."},
	} {
		r := h.do(c.method, c.path, []byte(c.body))
		wantProblem(t, c.path, r, 400, "invalid_request")
		var p struct {
			Errors []struct{ Pointer, Message string }
		}
		r.decode(t, &p)
		if len(p.Errors) != 1 || p.Errors[0].Pointer != c.pointer || p.Errors[0].Message != c.message {
			t.Errorf("%s %s: %s, want one fault at %s: %q", c.method, c.path, r.body, c.pointer, c.message)
		}
	}
}

// TestTwoEditors checks that If-Match keeps the second of two editors from undoing the first one's change.
func TestTwoEditors(t *testing.T) {
	h := newHarness(t, cube)
	var library toolLibraryRecord
	h.sendFile("", "", toolTable).decode(t, &library)
	var mine cutConfigRecord
	h.do("POST", "/v1/cut-configs", []byte(`{"name":"Steel","toolLibraryIds":["`+library.ID+`"]}`)).decode(t, &mine)
	var holder struct{ ID string }
	h.do("POST", "/v1/holders", []byte(`{"name":"x","gaugeLength":9,"cones":[{"diameterBottom":1,"diameterTop":9,"height":9}]}`)).
		decode(t, &holder)
	tools := h.do("GET", "/v1/tool-libraries/"+library.ID, nil).body
	for _, c := range []struct{ path, method, first, second string }{
		{"/v1/cut-configs/" + mine.ID, "PUT", `{"name":"a"}`, `{"name":"b"}`},
		{"/v1/cut-configs/" + mine.ID, "PATCH", `{"hourlyRateCents":1}`, `{"hourlyRateCents":2}`},
		{"/v1/tool-libraries/" + library.ID, "PUT", strings.Replace(string(tools), `"fluteCount":2`, `"fluteCount":3`, 1),
			string(tools)},
	} {
		first := h.do("GET", c.path, nil)
		tag := first.Header.Get("ETag")
		expect := http.Header{"If-Match": {tag}}
		r := h.send(h.key, c.method, c.path, []byte(c.first), expect)
		now := h.do("GET", c.path, nil)
		after := r.Header.Get("ETag")
		if r.StatusCode != http.StatusOK || after != now.Header.Get("ETag") || after == tag {
			t.Errorf("%s %s: %s, ETag %q after %q", c.method, c.path, r.Status, after, tag)
		}
		second := h.send(h.key, c.method, c.path, []byte(c.second), expect)
		wantProblem(t, "second editor", second, 412, "precondition_failed")
		wantProblem(t, "deletion", h.send(h.key, "DELETE", c.path, nil, expect), 412, "precondition_failed")
		if again := h.do("GET", c.path, nil); string(again.body) != string(now.body) {
			t.Errorf("%s %s: the refused change left %s", c.method, c.path, again.body)
		}
		for _, match := range []string{"", "*", `"other", `} {
			header := http.Header{}
			if strings.HasPrefix(match, `"`) {
				match += now.Header.Get("ETag")
			}
			if match != "" {
				header.Set("If-Match", match)
			}
			r := h.send(h.key, c.method, c.path, []byte(c.second), header)
			if r.StatusCode != http.StatusOK {
				t.Errorf("%s %s for %q: %s %s", c.method, c.path, match, r.Status, r.body)
			}
			now = r
		}
	}
	stale := http.Header{"If-Match": {`"x"`}}
	wantProblem(t, "holder", h.send(h.key, "DELETE", "/v1/holders/"+holder.ID, nil, stale), 412, "precondition_failed")
	var users cutConfigList
	h.do("GET", "/v1/cut-configs?toolLibraryId="+library.ID, nil).decode(t, &users)
	if users.Total != 1 || users.Items[0].ID != mine.ID {
		t.Errorf("users of the library: %+v", users)
	}
	h.do("GET", "/v1/cut-configs?toolLibraryId="+machining.BuiltInToolLibraryID, nil).decode(t, &users)
	if users.Total != 2 || users.Items[0].ID != machining.BuiltInCutConfigID {
		t.Errorf("users of the built-in library: %+v", users)
	}
}

// TestCutConfigSchemaFits checks responses against the description.
func TestCutConfigSchemaFits(t *testing.T) {
	h := newHarness(t, cube)
	var doc struct{ Components struct{ Schemas schemas } }
	h.doAs("", "GET", "/v1/openapi.json", nil).decode(t, &doc)
	var value any
	if err := json.Unmarshal(h.do("GET", "/v1/cut-configs", nil).body, &value); err != nil {
		t.Fatal(err)
	}
	if why := doc.Components.Schemas.check(value, doc.Components.Schemas.at("CutConfigList"), "list"); why != "" {
		t.Error(why)
	}
}
