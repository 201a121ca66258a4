package httpapi_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestEveryAnswerIsGuarded(t *testing.T) {
	h := newHarness(t, cube)
	for _, c := range []struct{ name, method, path, cache string }{
		{"list", "GET", "/v1/jobs", "no-store"},
		{"creation", "POST", "/parts", "no-store"},
		{"validation", "POST", "/v1/keys/validate", "no-store"},
		{"unknown path", "GET", "/nothing", "no-store"},
		{"wrong method", "DELETE", "/parts", "no-store"},
		{"preflight", "OPTIONS", "/parts", "no-store"},
		{"description", "GET", "/v1/openapi.json", "public, max-age=300"},
	} {
		r := h.do(c.method, c.path, nil)
		if r.Header.Get("X-Content-Type-Options") != "nosniff" || r.Header.Get("Cache-Control") != c.cache ||
			!varies(r, "Origin") {
			t.Errorf("%s: headers %v, want nosniff, %s, Vary: Origin", c.name, r.Header, c.cache)
		}
	}
}

func TestOddRequests(t *testing.T) {
	h := newHarness(t, cube)
	const id = "00000000-0000-7000-8000-000000000000"
	jsonOf := func(s string) http.Header { return http.Header{"Content-Type": {s}} }
	many := `{"` + strings.Repeat(`x":1,"y`, 5000) + `":1}`
	for _, c := range []struct {
		name, method, path string
		body               any
		header             http.Header
		status             int
		code, says         string
	}{
		{"page twice", "GET", "/v1/jobs?page=1&page=2", nil, nil, 400, "invalid_request", "page is given more than once."},
		{"switch twice", "PATCH", "/v1/parts/" + id + "?featureDetails=true&featureDetails=false", nil, nil,
			400, "invalid_request", "featureDetails is given more than once."},
		{"list parameter twice", "GET", "/v1/parts/" + id + "/features?featureIds=a&featureIds=b", nil, nil,
			404, "not_found", ""},
		{"broken escape", "GET", "/v1/jobs?page=%zz", nil, nil, 400, "invalid_request", "query"},
		{"semicolons", "GET", "/v1/jobs?page=1;pageSize=2", nil, nil, 400, "invalid_request", "query"},
		{"XML", "POST", "/parts", []byte("<a/>"), jsonOf("text/xml"), 415, "unsupported_media_type", "application/json"},
		{"form", "POST", "/parts", []byte("fileName=a.stp"), jsonOf("application/x-www-form-urlencoded"),
			415, "unsupported_media_type", "application/json"},
		{"nonsense type", "POST", "/parts", []byte("{}"), jsonOf("\"\x80"), 415, "unsupported_media_type", ""},
		{"not JSON", "POST", "/parts", []byte("{'fileName'"), nil, 400, "invalid_request", "The body is not valid JSON."},
		{"two values", "POST", "/parts", []byte(`{"fileName":"a.stp"}{}`), nil, 400, "invalid_request", "not valid JSON"},
		{"a list", "POST", "/parts", []byte(`[]`), nil, 400, "invalid_request", "must be a JSON object"},
		{"null", "POST", "/parts", []byte(`null`), nil, 400, "invalid_request", ""},
		{"deep", "POST", "/parts", bytes.Repeat([]byte("["), 1<<19), nil, 400, "invalid_request", ""},
		{"very many unknown fields", "POST", "/parts", []byte(many), nil, 400, "invalid_request", "is not a field"},
		{"long name of a field", "POST", "/parts", []byte(`{"` + strings.Repeat("x", 1<<19) + `":1}`), nil,
			400, "invalid_request", "…"},
		{"large", "POST", "/parts", bytes.Repeat([]byte(" "), 1<<20+1), nil, 413, "payload_too_large", "larger"},
		{"large where no body is read", "POST", "/parts/" + id + "/complete", bytes.Repeat([]byte(" "), 1<<20+1), nil,
			413, "payload_too_large", "larger"},
		{"two keys", "GET", "/v1/jobs", nil, http.Header{"Authorization": {"Bearer a", "Bearer b"}},
			401, "missing_api_key", ""},
		{"escaped slash", "GET", "/v1%2fjobs", nil, nil, 404, "not_found", ""},
		{"escaped letter", "GET", "/v1/%6aobs", nil, nil, 404, "not_found", ""},
		{"escaped UUID", "GET", "/v1/jobs/%30" + id[1:], nil, nil, 400, "invalid_request", "jobId in the path is not a UUID."},
		{"dots", "GET", "/v1/parts/../jobs", nil, nil, 404, "not_found", ""},
		{"slash at the end", "GET", "/v1/jobs/", nil, nil, 404, "not_found", ""},
		{"capitals", "GET", "/V1/jobs", nil, nil, 404, "not_found", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := h.send(h.key, c.method, c.path, c.body, c.header)
			wantProblem(t, c.name, r, c.status, c.code)
			if !strings.Contains(string(r.body), c.says) || len(r.body) > 2000 {
				t.Errorf("%d bytes: %.300s, want %q", len(r.body), r.body, c.says)
			}
			var p struct{ Instance string }
			r.decode(t, &p)
			text := strings.ReplaceAll(string(r.body), p.Instance, "") // random letters
			for _, jargon := range []string{"unmarshal", "validation failed", "schema", "huma", "struct", "EOF", "offset"} {
				if strings.Contains(text, jargon) {
					t.Errorf("speaks of %q: %s", jargon, r.body)
				}
			}
		})
	}
	if r := h.send(h.key, "POST", "/parts", []byte(`{"fileName":"a.stp"}`), jsonOf("application/json; charset=utf-8")); r.
		StatusCode != http.StatusCreated {
		t.Errorf("JSON with its character set: %s %s", r.Status, r.body)
	}
}

// TestLargeBodyIsRefusedBeforeSending sends Expect: 100-continue before the body, as curl does.
func TestLargeBodyIsRefusedBeforeSending(t *testing.T) {
	h := newHarness(t, cube)
	body := bytes.NewReader(make([]byte, 2<<20))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.server.URL+"/parts", body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{
		"Authorization": {"Bearer " + h.key}, "Content-Type": {"application/json"}, "Expect": {"100-continue"},
	}
	transport := &http.Transport{ExpectContinueTimeout: time.Minute}
	defer transport.CloseIdleConnections()
	r, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	if sent := body.Size() - int64(body.Len()); r.StatusCode != http.StatusRequestEntityTooLarge || sent > 0 {
		t.Errorf("%s after %d bytes, want 413 after none", r.Status, sent)
	}
}

// TestHeadIsGetWithoutABody compares HEAD with GET for existing and missing resources.
func TestHeadIsGetWithoutABody(t *testing.T) {
	h := newHarness(t, cube)
	for _, path := range []string{"/v1/jobs", "/v1/jobs/00000000-0000-7000-8000-000000000000", "/health", "/v1/nothing"} {
		get, head := h.do("GET", path, nil), h.do("HEAD", path, nil)
		if head.StatusCode != get.StatusCode || len(head.body) > 0 ||
			head.Header.Get("Content-Type") != get.Header.Get("Content-Type") {
			t.Errorf("HEAD %s: %s with %d bytes, GET %s", path, head.Status, len(head.body), get.Status)
		}
	}
}

// TestBrokenBodies sends bodies that no client library sends.
func TestBrokenBodies(t *testing.T) {
	h := newHarness(t, cube)
	address, err := url.Parse(h.server.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, rest string }{
		{"chunk without a length", "Transfer-Encoding: chunked\r\n\r\nzz\r\n"},
		{"chunk that is cut off", "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"f"},
		{"shorter than announced", "Content-Length: 50\r\n\r\n{}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn, err := net.Dial("tcp", address.Host)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			_, err = fmt.Fprintf(conn, "POST /parts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"+
				"Content-Type: application/json\r\n%s", h.key, c.rest)
			if err != nil {
				t.Fatal(err)
			}
			if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Fatal(err)
			}
			wantProblem(t, c.name, reply{resp, body}, 400, "invalid_request")
		})
	}
}
