package apitest_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/httpapi/contract"
)

// unknown is the id of no record.
const unknown = "00000000-0000-7000-8000-000000000000"

var parameter = regexp.MustCompile(`\{[^}]*\}`)

// to makes a request of an operation with the given id in its path, the example body of the description, and
// the parameters that are required.
func to(op *contract.Operation, id string) call {
	in := call{method: op.Method, path: parameter.ReplaceAllString(op.Path, id)}
	for _, p := range op.Takes {
		if one, _ := p.Schema["enum"].([]any); p.In == "query" && p.Required {
			in = in.asking(fmt.Sprintf("%s=%v", p.Name, one[0]))
		}
	}
	if len(op.Bodies) > 0 {
		in.media = slices.Min(slices.Collect(maps.Keys(op.Bodies)))
		in.body = op.Bodies[in.media]
		if in.body == nil {
			in.body = []byte("{}")
		}
	}
	return in
}

// asking adds to the query.
func (in call) asking(query string) call {
	separator := "?"
	if strings.Contains(in.path, separator) {
		separator = "&"
	}
	in.path += separator + query
	return in
}

// as sends with one of the world's keys.
func (w *world) as(key string, in call) call {
	in.key = w.keys[key]
	return in
}

// generic runs the cases that follow from the description alone.
func (w *world) generic(t *testing.T) {
	for _, op := range w.with.Operations() {
		t.Run(op.ID, func(t *testing.T) {
			if op.Secured {
				w.keysAndAccess(t, op)
			}
			if malformed := w.as(full, to(op, unknown)).asking("%zz"); len(op.Answers[http.StatusBadRequest].Codes) > 0 {
				w.want(t, malformed, http.StatusBadRequest, "invalid_request")
			}
			w.strangers(t, op)
			w.badBodies(t, op)
			w.badParameters(t, op)
			w.idempotency(t, op)
		})
	}
	t.Run("methods", w.otherMethods)
	t.Run("paths", w.otherPaths)
}

// keysAndAccess sends requests with unknown and expired keys, and with keys without permission.
func (w *world) keysAndAccess(t *testing.T, op *contract.Operation) {
	in := to(op, unknown)
	w.want(t, in, http.StatusUnauthorized, "missing_api_key")
	for key, code := range map[string]string{revoked: "revoked_api_key", expired: "expired_api_key"} {
		w.want(t, w.as(key, in), http.StatusUnauthorized, code)
	}
	in.key = "mw_live_nonsense"
	w.want(t, in, http.StatusUnauthorized, "invalid_api_key")
	if op.Product != "core" {
		r := w.want(t, w.as(onlyRun, in), http.StatusForbidden, "product_mismatch")
		namesAccess(t, r, op.Product, "read and write in core")
	}
	if op.Method != http.MethodGet {
		r := w.want(t, w.as(reader, in), http.StatusForbidden, "read_only_key")
		namesAccess(t, r, op.Product, "read in core, dfm, quoting")
	}
}

// namesAccess checks that an error names the area and the permissions of the key.
func namesAccess(t *testing.T, r reply, area, instead string) {
	t.Helper()
	if p := decode[contract.Problem](t, r); !strings.Contains(p.Detail, area) || !strings.Contains(p.Detail, instead) {
		t.Errorf("the refusal %q names not the area %s and that the key may %s", p.Detail, area, instead)
	}
}

// strangers requests a record that does not exist; stories requests the records of another team.
func (w *world) strangers(t *testing.T, op *contract.Operation) {
	if !op.Secured || !strings.Contains(op.Path, "{") {
		return
	}
	w.want(t, w.as(full, to(op, unknown)), http.StatusNotFound, w.notFoundCode(op))
	w.want(t, w.as(full, to(op, "7")), http.StatusBadRequest, "invalid_request")
	w.want(t, w.as(full, to(op, "%00")), http.StatusBadRequest, "invalid_request")
}

// notFoundCode returns the error code of an operation for an unknown record.
func (w *world) notFoundCode(*contract.Operation) string { return "not_found" }

func (w *world) badBodies(t *testing.T, op *contract.Operation) {
	in := w.as(full, to(op, unknown))
	large := in
	const tooLarge = 64 << 20 // more than any request may have, uploads aside
	large.body = bytes.Repeat([]byte(" "), tooLarge)
	large.headers = map[string]string{"Expect": "100-continue"} // no body in transit when the connection is closed
	if op.Has("header", "Idempotency-Key") {
		large.headers["Idempotency-Key"] = "large"
	}
	if len(op.Answers[http.StatusRequestEntityTooLarge].Codes) > 0 {
		w.want(t, large, http.StatusRequestEntityTooLarge, "payload_too_large")
	}
	if len(op.Bodies) == 0 {
		return
	}
	other := in
	other.media = "application/x-unheard-of"
	w.want(t, other, http.StatusUnsupportedMediaType, "unsupported_media_type")
	if _, isJSON := op.Bodies["application/json"]; isJSON {
		bad := in
		bad.media = "application/json"
		for _, body := range []string{"{", "[]", `"text"`, "7", "nul", `{"a":1}{`, "\xff\xfe"} {
			bad.body = []byte(body)
			w.want(t, bad, http.StatusBadRequest, "invalid_request")
		}
	}
}

// badParameters sends every query parameter with a value that its schema refuses.
func (w *world) badParameters(t *testing.T, op *contract.Operation) {
	if !op.Secured {
		return
	}
	for _, p := range op.Takes {
		if p.In != "query" {
			continue
		}
		if bad := refused(p.Schema); bad != "" {
			in := w.as(full, to(op, unknown)).asking(p.Name + "=" + bad)
			w.want(t, in, http.StatusBadRequest, "invalid_request")
		}
	}
	if op.Has("header", "Idempotency-Key") {
		in := w.as(full, to(op, unknown))
		in.headers = map[string]string{"Idempotency-Key": strings.Repeat("k", 256)}
		w.want(t, in, http.StatusBadRequest, "invalid_request")
	}
}

// refused is a value that a schema of a parameter does not allow, "" when it allows every text.
func refused(schema map[string]any) string {
	if items, ok := schema["items"].(map[string]any); ok {
		schema = items
	}
	switch {
	case schema["type"] == "integer", schema["type"] == "boolean", schema["enum"] != nil, schema["format"] == "uuid":
		return "neither"
	case schema["maxLength"] != nil:
		return strings.Repeat("x", int(schema["maxLength"].(float64))+1)
	}
	return ""
}

// otherMethods tries every method that a path does not offer.
func (w *world) otherMethods(t *testing.T) {
	done := map[string]bool{}
	for _, op := range w.with.Operations() {
		if done[op.Path] {
			continue
		}
		done[op.Path] = true
		path := parameter.ReplaceAllString(op.Path, unknown)
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"} {
			if offered, _ := w.with.Find(method, path); offered == nil {
				w.want(t, w.as(full, call{method: method, path: path}), http.StatusMethodNotAllowed, "method_not_allowed")
			}
		}
		w.head(t, path)
	}
}

// head sends a HEAD request to a path with a GET operation; HEAD has no separate description.
func (w *world) head(t *testing.T, path string) {
	t.Helper()
	get := w.send(t, w.as(full, call{method: http.MethodGet, path: path, loose: true}))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodHead, w.base+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header = get.Request.Header
	resp, err := w.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close() // read to its end
	if err != nil || len(body) > 0 || resp.StatusCode != get.StatusCode {
		t.Errorf("HEAD %s: %s with %d bytes, %v; GET %s", path, resp.Status, len(body), err, get.Status)
	}
}

// otherPaths tries paths that do not exist.
func (w *world) otherPaths(t *testing.T) {
	for _, path := range []string{
		"/", "/v1", "/v1/", "/v2/parts", "/v1/parts/", "//v1/jobs", "/v1//jobs", "/v1/jobs/", "/v1/../v1/jobs",
		"/v1/parts/%2e%2e/jobs", "/V1/jobs", "/v1/parts/" + unknown + "/nothing", "/v1/openapi.yaml", "/favicon.ico",
		"/metrics", "/debug/pprof/", "/objects", "/objects/..%2f..%2fmillwright.db",
	} {
		w.want(t, w.as(full, call{method: "GET", path: path}), http.StatusNotFound, "not_found")
	}
}

// idempotency sends a request to an operation while another request with its key is in progress.
func (w *world) idempotency(t *testing.T, op *contract.Operation) {
	if !op.Has("header", "Idempotency-Key") {
		return
	}
	w.claimed(t, to(op, unknown))
}
