package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestDetailsContainNoLibraryText checks the sentence for each kind of mistake: it contains no text of a library.
func TestDetailsContainNoLibraryText(t *testing.T) {
	h := newHarness(t, cube)
	const id = "00000000-0000-7000-8000-000000000000"
	long := strings.Repeat("ö", 500)
	for _, c := range []struct {
		name, method, path, body string
		want                     string
	}{
		{"no body", "POST", "/parts", "", "This request needs a JSON body."},
		{"cut-off JSON", "POST", "/parts", `{"fileName":`, "The body is not valid JSON."},
		{"not JSON", "POST", "/parts", `fileName=a.stp`, "The body is not valid JSON."},
		{"list", "POST", "/parts", `[]`, "The body must be a JSON object."},
		{"nothing", "POST", "/parts", `null`, "The body must be a JSON object."},
		{"missing field", "POST", "/parts", `{}`, "fileName is missing."},
		{"unknown field", "POST", "/parts", `{"fileName":"a.stp","size":7}`,
			"size is not a field of this request; known: autoCreateProgram, cutConfigIds, fileName, projectId."},
		{"endless unknown field", "POST", "/parts", `{"fileName":"a.stp","` + long + `":7}`,
			strings.Repeat("ö", 37) + "… is not a field of this request; known: autoCreateProgram, cutConfigIds, fileName, projectId."},
		{"number for text", "POST", "/parts", `{"fileName":7}`, "fileName must be a text."},
		{"empty text", "POST", "/parts", `{"fileName":""}`, "fileName must have at least 1 characters."},
		{"long text", "POST", "/parts", `{"fileName":"` + long + `"}`,
			"fileName must have at most 255 characters."},
		{"text for boolean", "POST", "/parts", `{"fileName":"a.stp","autoCreateProgram":"no"}`,
			"autoCreateProgram must be true or false."},
		{"text for list", "POST", "/parts", `{"fileName":"a.stp","cutConfigIds":"x"}`,
			"cutConfigIds must be a list."},
		{"number in list", "POST", "/parts", `{"fileName":"a.stp","cutConfigIds":[1]}`,
			"cutConfigIds[0] must be a text."},
		{"not a UUID", "POST", "/parts", `{"fileName":"a.stp","projectId":"7"}`, "projectId is not a UUID."},
		{"two mistakes", "POST", "/parts", `{"autoCreateProgram":1}`,
			"autoCreateProgram must be true or false. fileName is missing."},
		{"path", "GET", "/parts/7", "", "id in the path is not a UUID."},
		{"query UUID", "GET", "/v1/parts/" + id + "?jobId=7", "", "jobId is not a UUID."},
		{"query number", "GET", "/v1/jobs?page=first", "", "page must be a whole number."},
		{"too small", "GET", "/v1/jobs?page=0", "", "page must be at least 1."},
		{"too large", "GET", "/v1/jobs?pageSize=101", "", "pageSize must be at most 100."},
		{"not one of", "GET", "/v1/jobs?status=done", "",
			"status must be one of queued, running, succeeded, failed."},
		{"query boolean", "PATCH", "/parts/" + id + "?featureDetails=maybe", "",
			"featureDetails must be true or false."},
		{"large body", "POST", "/parts", `{"fileName":"` + strings.Repeat("a", 2<<20) + `"}`,
			"The body is larger than this request may be."},
	} {
		t.Run(c.name, func(t *testing.T) {
			var body any
			if c.body != "" {
				body = []byte(c.body)
			}
			r := h.do(c.method, c.path, body)
			var p struct{ Detail string }
			r.decode(t, &p)
			if p.Detail != c.want || r.StatusCode/100 != 4 {
				t.Errorf("%s %s\ngot  %q\nwant %q", r.Status, r.Header.Get("Content-Type"), p.Detail, c.want)
			}
		})
	}
}

func TestForeignContentType(t *testing.T) {
	h := newHarness(t, cube)
	req, err := http.NewRequest("POST", h.server.URL+"/parts", strings.NewReader("<fileName/>"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+h.key)
	req.Header.Set("Content-Type", "application/xml")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var text [1000]byte
	n, _ := resp.Body.Read(text[:])
	if want := "The body must be JSON"; resp.StatusCode != 415 || !strings.Contains(string(text[:n]), want) {
		t.Errorf("%s %s, want 415 and %q", resp.Status, text[:n], want)
	}
}

// TestUncleanPaths are answered with problem details, not with a redirect to a cleaned path.
func TestUncleanPaths(t *testing.T) {
	h := newHarness(t, cube)
	for _, path := range []string{"//health", "/v1//jobs", "/./health", "/v1/../health", "/health/"} {
		r := h.do("GET", path, nil)
		if r.StatusCode != http.StatusNotFound || !strings.Contains(string(r.body), `"not_found"`) {
			t.Errorf("%s: %s %s", path, r.Status, fmt.Sprintf("%.80s", r.body))
		}
	}
}
