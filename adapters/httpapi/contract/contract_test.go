package contract_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/httpapi"
	"millwright.dev/millwright/adapters/httpapi/contract"
)

const (
	base = "https://millwright.example.com"
	id   = "0198c1c0-7d3a-7e21-9f55-5f3c2ad4b001"
)

func load(t *testing.T) *contract.Contract {
	t.Helper()
	description, err := httpapi.Description(base)
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Load(description)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// exchange makes an exchange by hand; headers are "Name: value".
func exchange(method, path, sent string, status int, body string, headers ...string) contract.Exchange {
	r := httptest.NewRequest(method, base+path, strings.NewReader(sent))
	r.RequestURI = ""
	if sent != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		w.Header.Add(name, value)
	}
	return contract.Exchange{Request: r, RequestBody: []byte(sent), Response: w, Body: []byte(body)}
}

const (
	asJSON    = "Content-Type: application/json"
	asProblem = "Content-Type: application/problem+json"

	job = `{"partUuid":"` + id + `","jobUuid":"` + id + `","productType":"part_processing","status":"queued",` +
		`"progress":null,"createdAt":"2026-11-21T09:30:00Z","error":null,"reportId":null,"warnings":[]}`
	notFound = `{"type":"` + base + `/problems/not-found","title":"Not found","status":404,"detail":"No.",` +
		`"code":"not_found"}`
	validation = `{"valid":true,"status":"active"}`
)

// TestInvalidResponsesAreRejected changes one thing in each of several valid responses.
func TestInvalidResponsesAreRejected(t *testing.T) {
	c := load(t)
	jobs, parts := "/v1/jobs/"+id, "/v1/parts/"+id
	for _, tc := range []struct {
		name  string
		e     contract.Exchange
		fault string // "" = right
	}{
		{"right", exchange("GET", jobs, "", 200, job, asJSON), ""},
		{"right problem", exchange("GET", jobs, "", 404, notFound, asProblem), ""},
		{"undescribed status", exchange("GET", jobs, "", 201, job, asJSON), "status 201 is not described"},
		{"undescribed error", exchange("GET", jobs, "", 418, notFound, asProblem), "status 418"},
		{"wrong type of a field", exchange("GET", jobs, "", 200,
			strings.Replace(job, `"progress":null`, `"progress":"half"`, 1), asJSON), "progress"},
		{"beyond a bound", exchange("GET", jobs, "", 200,
			strings.Replace(job, `"progress":null`, `"progress":101`, 1), asJSON), "progress"},
		{"value of no enum", exchange("GET", jobs, "", 200,
			strings.Replace(job, `"queued"`, `"waiting"`, 1), asJSON), "status"},
		{"missing field", exchange("GET", jobs, "", 200,
			strings.Replace(job, `"error":null,`, "", 1), asJSON), "error"},
		{"null where none may be", exchange("GET", jobs, "", 200,
			strings.Replace(job, `"queued"`, `null`, 1), asJSON), "status"},
		{"no UUID", exchange("GET", jobs, "", 200,
			strings.Replace(job, id, "17", 1), asJSON), "uuid"},
		{"no time", exchange("GET", jobs, "", 200,
			strings.Replace(job, "2026-11-21T09:30:00Z", "yesterday", 1), asJSON), "date-time"},
		{"extra field", exchange("GET", jobs, "", 200,
			strings.Replace(job, `{`, `{"teamId":"7",`, 1), asJSON), "teamId"},
		{"no JSON", exchange("GET", jobs, "", 200, job[1:], asJSON), "decode"},
		{"no body", exchange("GET", jobs, "", 200, "", asJSON), "body"},
		{"other content type", exchange("GET", jobs, "", 200, job, "Content-Type: text/html"), "text/html"},
		{"charset", exchange("GET", jobs, "", 200, job, asJSON+"; charset=utf-8"), "charset"},
		{"no content type", exchange("GET", jobs, "", 200, job), "content type"},
		{"undescribed header", exchange("GET", jobs, "", 200, job, asJSON, "X-Powered-By: x"), "X-Powered-By"},
		{"header of another answer", exchange("GET", jobs, "", 200, job, asJSON, "Retry-After: 2"), "Retry-After"},
		{"header of a wrong type", exchange("GET", jobs, "", 503, strings.NewReplacer("404", "503",
			"not_found", "unavailable", "not-found", "unavailable").Replace(notFound), asProblem,
			"Retry-After: soon"), "Retry-After"},
		{"code of another operation", exchange("GET", jobs, "", 404,
			strings.NewReplacer("not_found", "no_result", "not-found", "no-result").Replace(notFound), asProblem),
			"code no_result"},
		{"problem says another status", exchange("GET", jobs, "", 404,
			strings.Replace(notFound, "404", "400", 1), asProblem), "the problem says 400"},
		{"type of another code", exchange("GET", jobs, "", 404,
			strings.Replace(notFound, "not-found", "gone", 1), asProblem), "problems/gone"},
		{"problem as plain JSON", exchange("GET", jobs, "", 404, notFound, asJSON), "application/json"},
		{"problem without a detail", exchange("GET", jobs, "", 404,
			strings.Replace(notFound, `"detail":"No.",`, "", 1), asProblem), "no detail"},
		{"problem of another request", exchange("GET", jobs, "", 404, notFound, asProblem, "X-Request-Id: 7"),
			"instance"},
		{"problem of this request", exchange("GET", jobs, "", 404,
			strings.Replace(notFound, "{", `{"instance":"urn:request:7",`, 1), asProblem, "X-Request-Id: 7"), ""},
		{"unknown path answered", exchange("GET", "/v2/jobs", "", 200, job, asJSON), "not described"},
		{"unknown path", exchange("GET", "/v2/jobs", "", 404, notFound, asProblem), ""},
		{"method not offered", exchange("PUT", parts, "", 405, strings.NewReplacer("404", "405",
			"not_found", "method_not_allowed", "not-found", "method-not-allowed").Replace(notFound), asProblem,
			"Allow: GET, PATCH, DELETE"), ""},
		{"incomplete Allow", exchange("PUT", parts, "", 405, strings.NewReplacer("404", "405",
			"not_found", "method_not_allowed", "not-found", "method-not-allowed").Replace(notFound), asProblem,
			"Allow: GET"), "Allow"},
		{"key validation", exchange("POST", "/v1/keys/validate", "", 200, validation, asJSON), ""},
		{"extra field of a small object", exchange("POST", "/v1/keys/validate", "", 200,
			strings.Replace(validation, "{", `{"team":"a",`, 1), asJSON), "team"},
	} {
		got := c.Answer(tc.e)
		if tc.fault == "" && len(got) > 0 {
			t.Errorf("%s: refused: %v", tc.name, got)
		}
		if tc.fault != "" && !strings.Contains(strings.ToLower(strings.Join(got, "\n")), strings.ToLower(tc.fault)) {
			t.Errorf("%s: got %q, want a complaint about %s", tc.name, got, tc.fault)
		}
	}
}

func TestInvalidRequestsAreRejected(t *testing.T) {
	c := load(t)
	for _, tc := range []struct {
		name, method, path, body string
		ok                       bool
	}{
		{"right", "POST", "/v1/parts", `{"fileName":"a.step"}`, true},
		{"field of another type", "POST", "/v1/parts", `{"fileName":7}`, false},
		{"missing field", "POST", "/v1/parts", `{}`, false},
		{"extra field", "POST", "/v1/parts", `{"fileName":"a.step","x":1}`, false},
		{"missing body", "POST", "/v1/parts", ``, false},
		{"no JSON", "POST", "/v1/parts", `{`, false},
		{"empty list", "PATCH", "/v1/parts/" + id + "/features", `{"featureIds":[]}`, false},
		{"no UUID in the path", "GET", "/v1/parts/7", "", false},
		{"no UUID in a parameter", "GET", "/v1/parts/" + id + "?jobId=7", "", false},
		{"parameters", "GET", "/v1/jobs?page=2&pageSize=100&status=failed&partId=" + id, "", true},
		{"beyond a bound", "GET", "/v1/jobs?pageSize=101", "", false},
		{"no number", "GET", "/v1/jobs?page=one", "", false},
		{"value of no enum", "GET", "/v1/jobs?status=waiting", "", false},
		{"unknown path", "GET", "/v2/jobs", "", false},
		{"method not offered", "DELETE", "/v1/jobs", "", false},
		{"optional body left out", "PATCH", "/v1/parts/" + id, "", true},
	} {
		got := c.Request(exchange(tc.method, tc.path, tc.body, 200, ""))
		if (len(got) == 0) != tc.ok {
			t.Errorf("%s: complaints %q, want it right %v", tc.name, got, tc.ok)
		}
	}
}

// TestExamplesMatchSchema validates every example of the description.
func TestExamplesMatchSchema(t *testing.T) {
	c := load(t)
	description, err := httpapi.Description(base)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct{ Example json.RawMessage }
			}
			Responses map[string]struct {
				Content map[string]struct{ Example json.RawMessage }
			}
		}
		Components struct {
			Examples map[string]struct{ Value json.RawMessage }
		}
	}
	if err := json.Unmarshal(description, &doc); err != nil {
		t.Fatal(err)
	}
	looked := 0
	for _, op := range c.Operations() {
		path := op.Path
		for _, name := range []string{"{id}", "{jobId}", "{partId}", "{projectId}"} {
			path = strings.ReplaceAll(path, name, id)
		}
		said := doc.Paths[op.Path][strings.ToLower(op.Method)]
		for media, content := range said.RequestBody.Content {
			if content.Example == nil {
				continue
			}
			e := exchange(op.Method, path, string(content.Example), 200, "")
			e.Request.Header.Set("Content-Type", media)
			if wrong := c.Request(e); len(wrong) > 0 {
				t.Errorf("%s: example of the body: %v", op.ID, wrong)
			}
			looked++
		}
		for status, answer := range op.Answers {
			for _, media := range answer.Media {
				example := said.Responses[strconv.Itoa(status)].Content[media].Example
				if example == nil {
					continue
				}
				e := exchange(op.Method, path, "", status, string(example), "Content-Type: "+media)
				if wrong := c.Answer(e); len(wrong) > 0 {
					t.Errorf("%s %d: example: %v", op.ID, status, wrong)
				}
				looked++
			}
			for _, code := range answer.Codes {
				e := exchange(op.Method, path, "", status, string(doc.Components.Examples[code].Value), asProblem)
				if wrong := c.Answer(e); len(wrong) > 0 {
					t.Errorf("%s %d: example of %s: %v", op.ID, status, code, wrong)
				}
				looked++
			}
		}
	}
	if looked < len(c.Operations()) {
		t.Errorf("only %d examples were looked at", looked)
	}
}

func TestOperationsAreFound(t *testing.T) {
	c := load(t)
	op, _ := c.Find("GET", "/v1/parts/"+id+"/features")
	if op == nil || op.ID != "read-features" || !op.Secured || op.Product != "dfm" || op.Metered ||
		!slices.Contains(op.Answers[404].Codes, "no_result") ||
		op.Answers[401].Headers["Www-Authenticate"] != "string" {
		t.Errorf("found %+v", op)
	}
	if op, allowed := c.Find("DELETE", "/v1/jobs"); op != nil || !slices.Equal(allowed, []string{"GET"}) {
		t.Errorf("DELETE /v1/jobs: %v, allowed %v", op, allowed)
	}
	if op, allowed := c.Find("GET", "/v1/parts//features"); op != nil || allowed != nil {
		t.Errorf("an empty id is one: %v %v", op, allowed)
	}
}
