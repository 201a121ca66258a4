package httpapi_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/toollib/archive"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/catalog"
)

type toolLibraryRecord struct {
	ID, Name, Format string
	ToolCount        int
	CreatedAt        *string
	Tools            []machining.Tool
	Report           catalog.ToolReport
}

// sendFile uploads a file of tools.
func (h *harness) sendFile(query, media, content string) reply {
	h.t.Helper()
	header := http.Header{}
	if media != "" {
		header.Set("Content-Type", media)
	}
	return h.send(h.key, "POST", "/v1/tool-libraries"+query, []byte(content), header)
}

const toolTable = "T1 P1 D.25 ;1/4 end mill 2FL\nT2 P2\n"

func TestToolLibraryFlow(t *testing.T) {
	h := newHarness(t, cube)
	var made toolLibraryRecord
	r := h.sendFile("?unit=in&name=Workshop", "text/plain; charset=utf-8", toolTable)
	r.decode(t, &made)
	if r.StatusCode != http.StatusCreated || made.Name != "Workshop" || made.Format != "linuxcnc" ||
		made.ToolCount != 1 || len(made.Tools) != 1 || made.Tools[0].Diameter != 6.35 ||
		made.Report.Entries != 2 || len(made.Report.Skipped) != 1 || len(made.Report.Guessed) != 1 ||
		r.Header.Get("Location") != h.server.URL+"/v1/tool-libraries/"+made.ID {
		t.Fatalf("create: %s %s at %q", r.Status, r.body, r.Header.Get("Location"))
	}
	again := h.do("GET", "/v1/tool-libraries/"+made.ID, nil)
	if again.StatusCode != 200 || !bytes.Equal(again.body, r.body) {
		t.Errorf("read: %s %s, want what was made", again.Status, again.body)
	}
	var copied toolLibraryRecord
	r = h.sendFile("", "application/json", string(again.body)) // an answer can be sent back
	r.decode(t, &copied)
	if r.StatusCode != http.StatusCreated || copied.Format != "millwright" || copied.Name != "Workshop" ||
		copied.ID == made.ID || len(copied.Report.Skipped)+len(copied.Report.Guessed) != 0 ||
		len(copied.Tools[0].Guessed) == 0 {
		t.Errorf("copy: %s %s", r.Status, r.body)
	}
	var list struct {
		Items                 []toolLibraryRecord
		Page, PageSize, Total int
	}
	h.do("GET", "/v1/tool-libraries?pageSize=2", nil).decode(t, &list)
	if list.Total != 4 || len(list.Items) != 2 || list.Items[0].ID != copied.ID || list.Items[1].ID != made.ID {
		t.Errorf("list: %+v", list)
	}
	h.do("GET", "/v1/tool-libraries?pageSize=2&page=2", nil).decode(t, &list)
	if len(list.Items) != 2 || list.Items[0].ID != machining.BuiltInToolLibraryID || list.Items[0].CreatedAt != nil {
		t.Errorf("second page: %+v", list)
	}
	if r := h.do("DELETE", "/v1/tool-libraries/"+made.ID, nil); r.StatusCode != http.StatusNoContent {
		t.Errorf("delete: %s %s", r.Status, r.body)
	}
	wantProblem(t, "after deletion", h.do("GET", "/v1/tool-libraries/"+made.ID, nil), 404, "not_found")
}

// TestToolLibraryIsConfirmed checks that sending a library back unchanged confirms its guessed values.
func TestToolLibraryIsConfirmed(t *testing.T) {
	h := newHarness(t, cube)
	r := h.sendFile("?unit=in", "text/plain", toolTable)
	var made, got toolLibraryRecord
	r.decode(t, &made)
	if len(made.Tools[0].Guessed) == 0 {
		t.Fatalf("nothing is guessed: %s", r.body)
	}
	path := "/v1/tool-libraries/" + made.ID
	var body map[string]any
	r.decode(t, &body)
	first := h.do("GET", path, nil).Header.Get("ETag")
	again := h.do("PUT", path, body)
	again.decode(t, &got)
	want := made
	want.Tools = slices.Clone(made.Tools)
	want.Tools[0].Guessed = nil
	if again.StatusCode != http.StatusOK || !reflect.DeepEqual(got, want) {
		t.Fatalf("confirmed: %s %s", again.Status, again.body)
	}
	now := h.do("GET", path, nil)
	if !bytes.Equal(now.body, again.body) || now.Header.Get("ETag") == first ||
		strings.Contains(string(now.body), `"guessed":["`) {
		t.Errorf("read: %s %s, ETag %s after %s", now.Status, now.body, now.Header.Get("ETag"), first)
	}
	tool := body["tools"].([]any)[0].(map[string]any)
	tool["kind"], tool["tipAngleDeg"], tool["tipDiameter"], tool["toolMaterial"] = "chamferMill", 90, 2, "hss"
	body["name"], body["tools"] = "Changed", []any{tool, tool}
	h.do("PUT", path, body).decode(t, &got)
	if got.Name != "Changed" || got.ToolCount != 2 || got.Tools[1].TipRadius() != 1 ||
		got.Tools[1].Material != machining.HSS || got.Tools[0].ID == got.Tools[1].ID {
		t.Errorf("changed: %+v", got)
	}
	header := http.Header{"Idempotency-Key": {"k"}, "Content-Type": {"application/json"}}
	once := h.send(h.key, "PUT", path, now.body, header)
	wantSame(t, "repetition", h.send(h.key, "PUT", path, now.body, header), once)
}

func TestToolLibraryUpdateRefusals(t *testing.T) {
	h := newHarness(t, cube)
	var mine toolLibraryRecord
	r := h.sendFile("", "", toolTable)
	r.decode(t, &mine)
	path := "/v1/tool-libraries/" + mine.ID
	good := string(r.body)
	with := func(old, now string) string { return strings.Replace(good, old, now, 1) }
	rival, reader := h.newKey("rival", fullAccess), h.newKey("acme", account.AccessGrid{Core: account.LevelRead})
	for _, c := range []struct {
		name, key, path, body string
		status                int
		code                  string
	}{
		{"another team's", rival, path, good, 404, "not_found"},
		{"unknown", h.key, "/v1/tool-libraries/00000000-0000-7000-8000-000000000000", good, 404, "not_found"},
		{"built-in", h.key, "/v1/tool-libraries/" + machining.BuiltInToolLibraryID, good, 405, "method_not_allowed"},
		{"read-only key", reader, path, good, 403, "read_only_key"},
		{"no tools", h.key, path, `{"name":"x","tools":[]}`, 400, "invalid_request"},
		{"no name", h.key, path, with(`"name":"Tools from linuxcnc"`, `"name":""`), 400, "invalid_request"},
		{"unsound", h.key, path, with(`"fluteCount":2`, `"fluteCount":0`), 400, "invalid_request"},
		{"unknown field", h.key, path, with(`"pitch"`, `"pich"`), 400, "invalid_request"},
		{"material", h.key, path, with(`"pitch"`, `"toolMaterial":"butter","pitch"`), 400, "invalid_request"},
	} {
		wantProblem(t, c.name, h.doAs(c.key, "PUT", c.path, []byte(c.body)), c.status, c.code)
	}
	if now := h.do("GET", path, nil); string(now.body) != good {
		t.Errorf("after the refusals: %s", now.body)
	}
}

func TestToolLibraryCreationIsIdempotent(t *testing.T) {
	h := newHarness(t, cube)
	header := http.Header{"Idempotency-Key": {"k"}, "Content-Type": {"text/plain"}}
	first := h.send(h.key, "POST", "/v1/tool-libraries", []byte(toolTable), header)
	again := h.send(h.key, "POST", "/v1/tool-libraries", []byte(toolTable), header)
	if first.StatusCode != http.StatusCreated {
		t.Fatalf("first: %s %s", first.Status, first.body)
	}
	wantSame(t, "repetition", again, first)
}

// bomb returns a zip of a few kilobytes whose content exceeds the limit.
func bomb(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	f, err := w.Create("tools.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(make([]byte, archive.MaxUnpacked+1)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestToolLibraryRefusals(t *testing.T) {
	h := newHarness(t, cube)
	var mine toolLibraryRecord
	h.sendFile("", "", toolTable).decode(t, &mine)
	const path = "/v1/tool-libraries"
	large := strings.Repeat(" ", catalog.MaxToolFile)
	for _, c := range []struct {
		name, query, media, content string
		status                      int
		code                        string
	}{
		{"picture", "", "image/png", "x", 415, "unsupported_media_type"},
		{"no media type", "", "///", "x", 415, "unsupported_media_type"},
		{"unknown content", "", "application/octet-stream", "x", 400, "invalid_request"},
		{"unknown format", "?format=solidcam", "text/plain", toolTable, 400, "invalid_request"},
		{"wrong format", "?format=fusion", "text/plain", toolTable, 400, "invalid_request"},
		{"unknown unit", "?unit=ft", "text/plain", toolTable, 400, "invalid_request"},
		{"nothing usable", "", "text/plain", "T1\n", 400, "invalid_request"},
		{"too large", "", "text/plain", large + toolTable, 413, "payload_too_large"},
		{"bomb", "", "application/zip", bomb(t), 413, "payload_too_large"},
		{"broken zip", "", "application/zip", "PK\x03\x04nonsense", 400, "invalid_request"},
	} {
		wantProblem(t, c.name, h.sendFile(c.query, c.media, c.content), c.status, c.code)
	}
	fits := large[len(toolTable):] + toolTable
	if r := h.sendFile("", "text/plain", strings.ReplaceAll(fits, "    ", "\n\n\n\n")); r.StatusCode != 201 {
		t.Errorf("a file of exactly the limit: %s %s", r.Status, r.body)
	}
	rival := h.newKey("rival", fullAccess)
	wantProblem(t, "another team's", h.doAs(rival, "GET", path+"/"+mine.ID, nil), 404, "not_found")
	wantProblem(t, "deletion of it", h.doAs(rival, "DELETE", path+"/"+mine.ID, nil), 404, "not_found")
	r := h.do("DELETE", path+"/"+machining.BuiltInToolLibraryID, nil)
	wantProblem(t, "deletion of the built-in", r, 405, "method_not_allowed")
	if r.Header.Get("Allow") != "GET" {
		t.Errorf("Allow = %q, want GET", r.Header.Get("Allow"))
	}
	config := []byte(`{"name":"x","toolLibraryIds":["` + mine.ID + `"]}`)
	wantProblem(t, "use of another team's", h.doAs(rival, "POST", "/v1/cut-configs", config), 400, "invalid_request")
	if r := h.do("POST", "/v1/cut-configs", config); r.StatusCode != http.StatusCreated {
		t.Errorf("use of one's own: %s %s", r.Status, r.body)
	}
}

func TestHolderFlow(t *testing.T) {
	h := newHarness(t, cube)
	in := map[string]any{"name": "Chuck", "gaugeLength": 80, "cones": []any{
		map[string]any{"diameterBottom": 20, "diameterTop": 28, "height": 50},
	}}
	var made struct {
		ID, Name    string
		GaugeLength float64
		Cones       []machining.Cone
	}
	r := h.do("POST", "/v1/holders", in)
	r.decode(t, &made)
	if r.StatusCode != http.StatusCreated || made.Name != "Chuck" || made.GaugeLength != 80 || len(made.Cones) != 1 ||
		r.Header.Get("Location") != h.server.URL+"/v1/holders/"+made.ID {
		t.Fatalf("create: %s %s", r.Status, r.body)
	}
	if got := h.do("GET", "/v1/holders/"+made.ID, nil); got.StatusCode != 200 || !bytes.Equal(got.body, r.body) {
		t.Errorf("read: %s %s", got.Status, got.body)
	}
	var list struct {
		Items []struct{ ID string }
		Total int
	}
	h.do("GET", "/v1/holders", nil).decode(t, &list)
	if list.Total != 1 || list.Items[0].ID != made.ID {
		t.Errorf("list: %+v", list)
	}
	rival := h.newKey("rival", fullAccess)
	wantProblem(t, "another team's", h.doAs(rival, "GET", "/v1/holders/"+made.ID, nil), 404, "not_found")
	in["gaugeLength"] = 40
	wantProblem(t, "too high", h.do("POST", "/v1/holders", in), 400, "invalid_request")
	wantProblem(t, "empty", h.do("POST", "/v1/holders", map[string]any{}), 400, "invalid_request")
	wantProblem(t, "no updates", h.do("PUT", "/v1/holders/"+made.ID, in), 405, "method_not_allowed")
	if r := h.do("DELETE", "/v1/holders/"+made.ID, nil); r.StatusCode != http.StatusNoContent {
		t.Errorf("delete: %s %s", r.Status, r.body)
	}
	wantProblem(t, "second deletion", h.do("DELETE", "/v1/holders/"+made.ID, nil), 404, "not_found")
}

// TestToolSchemasFit checks responses against the description.
func TestToolSchemasFit(t *testing.T) {
	h := newHarness(t, cube)
	var doc struct{ Components struct{ Schemas schemas } }
	h.doAs("", "GET", "/v1/openapi.json", nil).decode(t, &doc)
	for path, schema := range map[string]string{
		"/v1/tool-libraries": "ToolLibraryList",
		"/v1/tool-libraries/" + machining.BuiltInToolLibraryID: "ToolLibraryRecord",
		"/v1/holders": "HolderList",
	} {
		var value any
		if err := json.Unmarshal(h.do("GET", path, nil).body, &value); err != nil {
			t.Fatal(err)
		}
		if why := doc.Components.Schemas.check(value, doc.Components.Schemas.at(schema), schema); why != "" {
			t.Error(why)
		}
	}
}
