package apifuzz

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// mutate changes one thing of a JSON body.
func (f *fuzzer) mutate(body []byte) []byte {
	var v any
	if json.Unmarshal(body, &v) != nil {
		return []byte(f.text())
	}
	out, err := json.Marshal(f.change(v))
	if err != nil {
		return body
	}
	for mark, raw := range rawValues {
		out = bytes.ReplaceAll(out, []byte(`"`+mark+`"`), []byte(raw))
	}
	return out
}

// rawValues stand in a body for what encoding/json does not write.
var rawValues = map[string]string{
	"raw-huge": "1e999", "raw-long": strings.Repeat("1", 500), "raw-deep": strings.Repeat("[", 2000) + strings.Repeat("]", 2000),
	"raw-twice": `1,"fileName":"b.step"`, "raw-surrogate": `"\ud800"`, "raw-control": "\"\x01\"", "raw-minus": "-",
	"raw-bytes": "\"\xff\"", "raw-comment": "/* */ 1",
}

// change changes a value at a random depth.
func (f *fuzzer) change(v any) any {
	switch v := v.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		if len(names) == 0 || f.rand.IntN(6) == 0 {
			v[f.text()] = f.wrong()
			return v
		}
		name := pick(f, names)
		switch f.rand.IntN(5) {
		case 0:
			delete(v, name)
		case 1:
			v[strings.ToUpper(name)] = v[name]
		default:
			v[name] = f.change(v[name])
		}
		return v
	case []any:
		switch f.rand.IntN(4) {
		case 0:
			return []any{}
		case 1:
			return append(v, v...)
		case 2:
			return slices.Repeat([]any{f.wrong()}, 1000)
		}
		if len(v) > 0 {
			v[0] = f.change(v[0])
		}
		return v
	}
	return f.wrong()
}

// wrong is a value that fits nowhere.
func (f *fuzzer) wrong() any {
	switch f.rand.IntN(7) {
	case 0:
		return nil
	case 1:
		return f.rand.IntN(2) == 0
	case 2:
		return pick(f, []float64{0, -1, 0.1, 1e308, -1e308, 1e-308, 3, 9007199254740993})
	case 3:
		return []any{f.text()}
	case 4:
		return map[string]any{f.text(): f.text()}
	case 5:
		return pick(f, slices.Sorted(maps.Keys(rawValues)))
	}
	return f.text()
}

// attack makes something of a request hostile.
func (f *fuzzer) attack(a *attempt) {
	switch f.rand.IntN(8) {
	case 0:
		a.method = pick(f, []string{
			"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "get", "BREW",
		})
	case 1:
		a.body = pick(f, [][]byte{
			[]byte(`{"a":`), []byte("[[[["), {}, []byte("null"), []byte("{}{}"), []byte("\x00"), []byte("\ufeff{}"),
			[]byte(strings.Repeat(`{"a":`, 5000)), []byte(`"` + strings.Repeat("a", 2<<20) + `"`), []byte(f.text()),
			[]byte("{\"fileName\":\"a.step\",\"fileName\":\"b.exe\"}"), bytes.Repeat([]byte("9"), 100000),
		})
		if len(a.body) > 0 && f.rand.IntN(2) == 0 {
			a.body = a.body[:f.rand.IntN(len(a.body))]
		}
	case 2:
		a.team = -1
		a.headers.Set("Authorization", pick(f, []string{
			"", "Bearer", "Bearer ", "Basic YTpi", "bearer x", "Bearer mw_live_" + strings.Repeat("A", 49),
			"Bearer " + strings.Repeat("x", 5000), "Bearer \t", "mw_live_", "Bearer a, Bearer b",
		}))
	case 3:
		name := pick(f, []string{
			"Accept", "Accept-Encoding", "Origin", "Idempotency-Key", "Content-Encoding", "If-None-Match", "Range",
			"X-Forwarded-Host", "X-HTTP-Method-Override", "Cookie", "Content-Language", "X-Request-Id",
			"Access-Control-Request-Method", "Access-Control-Request-Headers", "Traceparent", "Forwarded",
		})
		value := pick(f, []string{
			"*/*", "text/html", "null", "https://evil.example.com", "gzip", "identity;q=0, *;q=0", "bytes=0-", "DELETE",
			"application/cbor", strings.Repeat("k", 256), "a", "\"\"", "00-0-0-0", "é", strings.Repeat(",", 1000),
		})
		a.headers.Add(name, value)
	case 4:
		a.path = pick(f, []string{
			"/", "//", "/v1", "/v1/", "/v2/parts", "/v1/parts/..", "/%2e%2e/%2e%2e/etc/passwd", "/v1//jobs", "/v1/jobs/",
			"/v1/jobs;a=b", "/v1/jobs%00", "/V1/JOBS", "/metrics", "/debug/pprof/heap", "/objects/", "/objects/../x",
			"/objects/millwright-sources/a?expires=9999999999&signature=00", "/.env", "/v1/parts/*", "/*",
			"/v1/" + strings.Repeat("a", 4000), "/v1/openapi.json?x=" + strings.Repeat("b", 4000), "/\u202e", "/v1/keys",
		})
	case 5:
		f.spoilQuery(a)
	case 6:
		a.headers.Set("Content-Type", f.text())
	default:
		a.body = f.mutate(a.body)
	}
}
