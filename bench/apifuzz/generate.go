package apifuzz

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"millwright.dev/millwright/adapters/httpapi/contract"
)

// next makes the next request: half are right, the others almost right or hostile.
func (f *fuzzer) next() attempt {
	a := f.valid()
	switch n := f.rand.IntN(10); {
	case n < 5:
	case n < 8:
		a.kind = "near"
		f.spoil(&a)
	default:
		a.kind = "hostile"
		for range 1 + f.rand.IntN(3) {
			f.attack(&a)
		}
	}
	return a
}

func pick[T any](f *fuzzer, of []T) T { return of[f.rand.IntN(len(of))] }

// valid makes a request that the description offers.
func (f *fuzzer) valid() attempt {
	op := pick(f, f.Contract.Operations())
	if op.Method == http.MethodDelete && f.rand.IntN(3) != 0 { // which would leave little to ask for
		op = pick(f, f.Contract.Operations())
	}
	a := attempt{team: f.rand.IntN(len(f.Teams)), method: op.Method, op: op, headers: http.Header{}, kind: "valid"}
	a.headers.Set("Authorization", "Bearer "+pick(f, f.Teams[a.team].Keys))
	asked := subject{fuzzer: f, team: a.team, ids: map[string]string{}, spared: op.Method == http.MethodDelete}
	a.path = asked.path(op)
	if f.rand.IntN(4) == 0 {
		a.headers.Set("Accept-Encoding", "gzip")
	}
	query := url.Values{}
	for _, p := range op.Takes {
		switch {
		case p.In == "query" && p.Name == "wait": // mostly not: it takes the time that it says
			if f.rand.IntN(20) == 0 {
				query.Set(p.Name, strconv.Itoa(f.rand.IntN(2)))
			}
		case p.In == "query" && f.rand.IntN(2) == 0:
			query.Set(p.Name, asked.right(p))
		}
		if p.In == "header" && f.rand.IntN(3) == 0 {
			a.headers.Set(p.Name, "key "+strconv.Itoa(f.rand.IntN(200)))
		}
	}
	if len(query) > 0 {
		a.path += "?" + query.Encode()
	}
	if len(op.Bodies) > 0 {
		media := pick(f, slices.Sorted(maps.Keys(op.Bodies)))
		a.headers.Set("Content-Type", media)
		a.body = asked.example(op.Bodies[media])
	}
	return a
}

var parameter = regexp.MustCompile(`\{[^}]*\}`)

// subject is the set of related ids in a request.
type subject struct {
	*fuzzer
	team   int
	ids    map[string]string // chosen, by kind
	spared bool              // it will be deleted, so it must not be a kept record
}

// path fills the parameters of a path, the last first: the program determines the part, and most parts have no program.
func (s *subject) path(op *contract.Operation) string {
	if strings.HasPrefix(op.Path, "/problems/") { // which have no ids
		return parameter.ReplaceAllString(op.Path, pick(s.fuzzer, []string{"not-found", "rate-limited", "upload-closed", "none"}))
	}
	path := op.Path
	for _, at := range slices.Backward(parameter.FindAllStringIndex(path, -1)) {
		path = path[:at[0]] + s.id(kindOf(path[:at[0]])) + path[at[1]:]
	}
	return path
}

// id is an id of a kind of record: mostly of the team, and one that belongs to those that were chosen before, else of
// another team, or of nothing.
func (s *subject) id(kind string) string {
	chosen := s.choose(kind)
	s.ids[kind] = chosen
	return chosen
}

func (s *subject) choose(kind string) string {
	f, team := s.fuzzer, s.team
	switch n := f.rand.IntN(20); {
	case n == 0:
		return f.randomID()
	case n < 4:
		team = f.rand.IntN(len(f.Teams))
	}
	f.watch.mu.Lock()
	defer f.watch.mu.Unlock()
	if team == s.team {
		for _, of := range slices.Sorted(maps.Keys(s.ids)) {
			if id, ok := f.watch.with[s.ids[of]][kind]; ok {
				return id
			}
		}
	}
	pool := f.watch.ids[team][kind]
	if len(pool) == 0 {
		return f.randomID()
	}
	if id := pick(f, pool); !s.spared || !f.watch.kept[id] {
		return id
	}
	return f.randomID()
}

func (f *fuzzer) randomID() string {
	return fmt.Sprintf("%08x-%04x-7%03x-8%03x-%012x", f.rand.Uint32(), f.rand.IntN(1<<16), f.rand.IntN(1<<12),
		f.rand.IntN(1<<12), f.rand.Int64N(1<<48))
}

// right is a value that the schema of a parameter allows.
func (s *subject) right(p contract.Parameter) string {
	f, schema := s.fuzzer, p.Schema
	if items, ok := schema["items"].(map[string]any); ok {
		schema = items
	}
	if values, ok := schema["enum"].([]any); ok {
		return fmt.Sprint(pick(f, values))
	}
	for _, name := range []string{"examples", "default"} { // what is there more often than not
		if values, ok := schema[name]; ok && f.rand.IntN(4) != 0 {
			if list, ok := values.([]any); ok {
				values = pick(f, list)
			}
			return fmt.Sprint(values)
		}
	}
	switch schema["type"] {
	case "integer":
		low, high := bound(schema, "minimum", 0), bound(schema, "maximum", 1000)
		return strconv.Itoa(low + f.rand.IntN(high-low+1))
	case "boolean":
		return strconv.FormatBool(f.rand.IntN(2) == 0)
	}
	if schema["format"] == "uuid" {
		return s.id(fields[p.Name])
	}
	return pick(f, []string{"part_processing", "program", "linuxcnc", "heidenhain", "x"})
}

func bound(schema map[string]any, name string, otherwise int) int {
	if v, ok := schema[name].(float64); ok {
		return int(v)
	}
	return otherwise
}

// example is an example of a body with names and ids of the team; ids belong to what the request is about.
func (s *subject) example(data []byte) []byte {
	var v any
	if json.Unmarshal(data, &v) != nil {
		return data
	}
	v = s.own(v, "")
	out, err := json.Marshal(v)
	if err != nil {
		return data
	}
	return out
}

// own puts names and ids of a team into a value.
func (s *subject) own(v any, field string) any {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			v[name] = s.own(v[name], name)
		}
		for _, name := range []string{"cutConfigId", "cutConfigIds", "projectId"} { // as most clients do
			if _, there := v[name]; there && s.rand.IntN(2) == 0 {
				delete(v, name)
			}
		}
	case []any:
		for i := range v {
			v[i] = s.own(v[i], field)
		}
	case string:
		name := s.Teams[s.team].Name
		switch {
		case uuid.MatchString(v):
			return s.id(fields[field])
		case field == "fileName":
			return name + pick(s.fuzzer, []string{".step", ".STP", ".igs", ".x_t", ".SLDPRT", ".dwg"})
		case field == "name":
			return name
		}
	}
	return v
}

// spoil makes one thing of a request wrong.
func (f *fuzzer) spoil(a *attempt) {
	switch n := f.rand.IntN(5); {
	case n < 2 && len(a.body) > 0:
		a.body = f.mutate(a.body)
	case n == 2 && len(a.body) > 0:
		a.headers.Set("Content-Type", pick(f, []string{
			"text/plain", "application/json; charset=utf-16", "application/xml", "multipart/form-data", "json", "",
			"application/cbor", "application/problem+json", "application/json;;", "*/*",
		}))
	case n == 3:
		a.path = parameter.ReplaceAllStringFunc(a.op.Path, func(string) string { return pick(f, noIDs) })
	default:
		f.spoilQuery(a)
	}
}

// noIDs are texts in the place of an id.
var noIDs = []string{
	"7", "%00", "null", "undefined", "00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
	"{0198c1c0-7d3a-7e21-9f55-5f3c2ad4b001}", "urn:uuid:0198c1c0-7d3a-7e21-9f55-5f3c2ad4b001",
	"0198c1c07d3a7e219f555f3c2ad4b001", "0198c1c0-7d3a-7e21-9f55-5f3c2ad4b00", "..", "%2e%2e", "%2F", "a%20b",
	"%F0%9F%92%A9", "%ff%fe", "'%20OR%201=1--", "%3Cscript%3E", "0198c1c0-7d3a-7e21-9f55-5f3c2ad4b001%00",
}

// spoilQuery adds parameters that are out of bounds, repeated, or none of the operation.
func (f *fuzzer) spoilQuery(a *attempt) {
	var names []string
	for _, p := range a.op.Takes {
		if p.In == "query" {
			names = append(names, p.Name)
		}
	}
	names = append(names, "unknown", "")
	separator := "?"
	if strings.Contains(a.path, "?") {
		separator = "&"
	}
	for range 1 + f.rand.IntN(3) {
		a.path += separator + pick(f, names) + "=" + url.QueryEscape(f.text())
		separator = "&"
	}
	if f.rand.IntN(8) == 0 {
		a.path += pick(f, []string{"&", "&&=", "&%zz", "&a;b", "&%00=%00", "&page"})
	}
}

// number is a number at some edge.
func (f *fuzzer) number() string {
	return pick(f, []string{
		"0", "-1", "1", "101", "2147483648", "-2147483649", "9223372036854775807", "9223372036854775808", "1e400", "-0",
		"1.5", "1e-400", "0x10", "NaN", "Infinity", "00", "+1", " 1", "1_000", fmt.Sprint(math.MaxFloat64),
		"99999999999999999999999999999999999999", strconv.Itoa(f.rand.IntN(1000)),
	})
}

// text is a text that something may stumble over.
func (f *fuzzer) text() string {
	if f.rand.IntN(3) == 0 {
		return f.number()
	}
	return pick(f, []string{
		"", " ", "\x00", "\n", "\r\nX-Injected: 1", "'; DROP TABLE parts; --", "%s%n%x", "../../etc/passwd", "\u202e",
		"\ufeff", "𝒳", "é", "e\u0301", "\u2028", "null", "true", "[]", "{}", "a,b,,c", ",", strings.Repeat("a", 300),
		strings.Repeat("🜚", 5000), strings.Repeat("9", 400), "\xff\xfe", "\xed\xa0\x80", "<script>alert(1)</script>",
		"${jndi:ldap://127.0.0.1/a}", "a\tb", "\\", "\"", "file.step\x00.exe", "CON.step", ".step", "a.step/", "step",
		f.randomID(), "2026-02-30T25:61:61Z", "part_processing", "queued",
	})
}
