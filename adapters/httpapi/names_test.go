package httpapi_test

import (
	"net/http"
	"runtime"
	"strings"
	"testing"
)

// TestNamesInBodiesAreExact sends names twice, in another case and unknown ones, at every depth.
func TestNamesInBodiesAreExact(t *testing.T) {
	h := newHarness(t, cube)
	var library toolLibraryRecord
	h.sendFile("", "", toolTable).decode(t, &library)
	const id = "00000000-0000-7000-8000-000000000000"
	for _, c := range []struct{ name, method, path, body, says string }{
		{"another case", "POST", "/parts", `{"filename":"a.stp"}`,
			"filename is not a field of this request; is fileName meant?"},
		{"both cases", "POST", "/projects", `{"name":"a","NAME":"b"}`, "NAME is not a field of this request; is name meant?"},
		{"twice", "POST", "/projects", `{"name":"a","name":"b"}`, "name is given more than once."},
		{"twice by an escape", "POST", "/projects", `{"name":"a","n\u0061me":"b"}`, "name is given more than once."},
		{"all at once", "POST", "/projects", `{"name":"a","NAME":"b","name":"c"}`,
			"NAME is not a field of this request; is name meant? name is given more than once."},
		{"misspelt", "POST", "/projects", `{"name":"a","cutConfgId":null}`,
			"cutConfgId is not a field of this request; is cutConfigId meant?"},
		{"like none", "POST", "/projects", `{"name":"a","colour":1}`,
			"colour is not a field of this request; known: cutConfigId, name."},
		{"in an object", "POST", "/v1/cut-configs", `{"name":"a","stock":{"Kind":"box"}}`,
			"stock.Kind is not a field of a cut config; is kind meant?"},
		{"twice in an object", "PUT", "/v1/cut-configs/" + id, `{"machine":{"travel":{"x":1,"x":2}}}`,
			"machine.travel.x is given more than once."},
		{"in an object that may be null", "POST", "/v1/cut-configs", `{"machine":{"axes":{"x":{"maxfeed":1}}}}`,
			"machine.axes.x.maxfeed is not a field of a cut config; is maxFeed meant?"},
		{"in a list", "PUT", "/v1/tool-libraries/" + library.ID, `{"name":"a","tools":[{"name":"b","holder":{"cones":[{"Height":1}]}}]}`,
			"tools[0].holder.cones[0].Height is not a field of a tool library; is height meant?"},
		{"twice below an unknown one", "POST", "/projects", `{"name":"a","more":[{"x":1,"x":2}]}`,
			"more[0].x is given more than once."},
		{"where a body may be left out", "PATCH", "/parts/" + id, `{"x":1}`, "x is not a field of this request"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := h.do(c.method, c.path, []byte(c.body))
			wantProblem(t, c.name, r, http.StatusBadRequest, "invalid_request")
			var p struct{ Detail string }
			if r.decode(t, &p); !strings.Contains(p.Detail, c.says) {
				t.Errorf("%s, want %q", r.body, c.says)
			}
		})
	}
	if r := h.do("POST", "/projects", []byte(`{"name":"a","cutConfigId":null}`)); r.StatusCode != http.StatusCreated {
		t.Errorf("a good one: %s", r.body)
	}
}

// TestManyLongNamesAreBounded sends the maximum number, length and depth of names that fit into a body.
func TestManyLongNamesAreBounded(t *testing.T) {
	h := newHarness(t, cube)
	long := strings.Repeat("n", 90)
	for name, body := range map[string]string{
		"long": `{"` + strings.Repeat("n", 1<<20-10) + `":1}`,
		"many": `{"name":1` + strings.Repeat(`,"x":1`, 170_000) + `}`,
		"deep": strings.Repeat(`{"`+long+`":`, 9_000) + `{"x":1,"x":2,"x":3}` + strings.Repeat("}", 9_000),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		wantProblem(t, name, h.do("POST", "/projects", []byte(body)), http.StatusBadRequest, "invalid_request")
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 128<<20 {
			t.Errorf("%s takes %d MB", name, took>>20)
		}
	}
}

// TestCompressedBodiesAreRefused sends one as it would have to be unpacked.
func TestCompressedBodiesAreRefused(t *testing.T) {
	h := newHarness(t, cube)
	r := h.send(h.key, "POST", "/parts", []byte("\x1f\x8b"), http.Header{
		"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"},
	})
	wantProblem(t, "gzip", r, http.StatusUnsupportedMediaType, "unsupported_media_type")
}
