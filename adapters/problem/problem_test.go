package problem_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/problem"
)

func TestWrite(t *testing.T) {
	w := httptest.NewRecorder()
	problem.New(http.StatusConflict, "part_not_ready", "Part <a> & co.").At("https://x.example/mw").Write(w)
	if w.Code != http.StatusConflict || w.Header().Get("Content-Type") != "application/problem+json" {
		t.Errorf("status %d, type %q", w.Code, w.Header().Get("Content-Type"))
	}
	if !strings.Contains(w.Body.String(), "<a> & co.") {
		t.Errorf("the detail is escaped as if for HTML: %s", w.Body)
	}
	var got problem.Problem
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := problem.Problem{
		Type: "https://x.example/mw/problems/part-not-ready", Title: "Part not ready", Status: 409,
		Detail: "Part <a> & co.", Code: "part_not_ready",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestAtKeepsAnAbsoluteType(t *testing.T) {
	p := problem.New(404, "not_found", "There is nothing.").At("http://a").At("http://b")
	if p.Type != "http://a/problems/not-found" {
		t.Errorf("type %q, want the first base", p.Type)
	}
}

func TestInNamesTheRequest(t *testing.T) {
	for id, want := range map[string]string{"": "", "4bf92f35-77b3": "urn:request:4bf92f35-77b3"} {
		if got := problem.New(404, "not_found", "There is nothing.").In(id).Instance; got != want {
			t.Errorf("request %q: instance %q, want %q", id, got, want)
		}
	}
}
