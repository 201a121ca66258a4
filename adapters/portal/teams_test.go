package portal_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/httpapi/contract"
	"millwright.dev/millwright/adapters/sql/storematrix"
	"millwright.dev/millwright/core/service/account"
)

// marker is in every name of the other team.
const marker = "zz-of-the-rival-zz"

var uuids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// fields finds the ids in JSON with their fields.
var fields = regexp.MustCompile(`"(\w+)":"(` + uuids.String() + `)"`)

// intruder sends requests with the session of one team, and looks for what belongs to another one.
type intruder struct {
	*world
	in         browser
	handler    http.Handler
	random     *rand.Rand
	operations []*contract.Operation
	own        owned // by the team of the session
	theirs     owned // by the other team
	found      []string
	statuses   map[int]int
}

// owned is the ids of a team: of all kinds, those in the responses about a kind, and those in fields.
type owned struct {
	all  []string
	kind map[string][]string
}

// seeded gives a team every kind of record. wait makes a job that waits.
func (w *world) seeded(c account.Caller, b browser, name string) (wait func()) {
	w.t.Helper()
	ready := w.readyPart(c)
	analyzed, report := w.analyzed(c)
	w.program(c, ready, "", true)
	w.NewPart(c)
	for _, p := range []string{ready.ID, analyzed.ID} {
		b.want(http.StatusOK, "", b.do("PATCH", "/portal/api/v1/parts/"+p+"/record",
			map[string]string{"fileName": name + ".step"}))
	}
	for path, body := range map[string]any{
		"projects":    map[string]string{"name": name},
		"cut-configs": map[string]string{"name": name},
		"holders": map[string]any{"name": name, "gaugeLength": 100, "cones": []map[string]float64{
			{"diameterBottom": 28, "diameterTop": 28, "height": 70},
		}},
		"tool-libraries": "T1 D6 ;" + name + "\n",
	} {
		header := []string{"Idempotency-Key", "the-same-key"}
		if path == "tool-libraries" {
			header = []string{"Content-Type", "application/octet-stream"}
		}
		b.want(http.StatusCreated, "", b.do("POST", "/portal/api/v1/"+path, body, header...))
	}
	b.newKey(name)
	return func() {
		b.t.Helper()
		b.want(http.StatusAccepted, "", b.do("PATCH", "/portal/api/v1/parts/"+analyzed.ID+"/features",
			map[string]any{"featureIds": []string{report.Analysis.Features[0].FeatureID}}))
	}
}

// state reads all that the team of a session has: the texts by address.
func (b browser) state() map[string]string {
	b.t.Helper()
	out := map[string]string{}
	read := func(path string) []string {
		r := b.do("GET", "/portal/api"+path, nil)
		if out[path] != "" || r.StatusCode != http.StatusOK {
			return nil
		}
		out[path] = string(r.body)
		return uuids.FindAllString(out[path], -1)
	}
	read("/keys")
	read("/session")
	lists := []string{"parts", "jobs", "projects", "cut-configs", "tool-libraries", "holders"}
	for _, list := range lists {
		for _, id := range read("/v1/" + list + "?pageSize=100") {
			read("/v1/" + list + "/" + id)
			if list != "parts" {
				continue
			}
			for _, rest := range []string{"record", "features", "findings", "plans"} {
				read("/v1/parts/" + id + "/" + rest)
			}
			read("/v1/parts/" + id + "/programs")
			for _, program := range read("/parts/" + id + "/programs") {
				read("/parts/" + id + "/programs/" + program + "/document")
			}
		}
	}
	return out
}

// idsIn returns the ids in a state, without those that are excluded.
func idsIn(state map[string]string, excluded func(id string) bool) owned {
	out := owned{kind: map[string][]string{}}
	add := func(to []string, ids []string) []string {
		to = slices.DeleteFunc(append(to, ids...), excluded)
		slices.Sort(to)
		return slices.Compact(to)
	}
	for _, path := range slices.Sorted(maps.Keys(state)) {
		ids := uuids.FindAllString(state[path], -1)
		out.all = add(out.all, ids)
		for kind := range strings.SplitSeq(strings.TrimSuffix(path, "?pageSize=100"), "/") {
			out.kind[kind] = add(out.kind[kind], ids)
		}
		for _, field := range fields.FindAllStringSubmatch(state[path], -1) {
			out.kind[field[1]] = add(out.kind[field[1]], field[2:])
		}
	}
	return out
}

func newIntruder(t *testing.T) (i *intruder, rival browser) {
	t.Helper()
	w := newWorld(t, "")
	i = &intruder{world: w, in: w.signedIn("acme", "ann"), handler: w.server.Config.Handler,
		random: rand.New(rand.NewPCG(1, 2)), statuses: map[int]int{}}
	rival = w.signedIn("rival", marker)
	measure := w.seeded(w.Acme, i.in, "own")
	w.seeded(w.Rival, rival, marker)() // its job waits, as that of the session's team
	measure()
	keys, _ := i.in.keys()
	i.own = idsIn(i.in.state(), func(id string) bool { return keys[id].Kind == string(account.KeyPortal) })
	i.theirs = idsIn(rival.state(), func(id string) bool { return slices.Contains(i.own.all, id) }) // built in
	public, err := contract.Load(browser{world: w}.do("GET", "/v1/openapi.json", nil).body)
	w.must(err)
	i.operations = slices.Concat(w.description().Operations(), public.Operations())
	return i, rival
}

func pick[T any](i *intruder, from []T) T { return from[i.random.IntN(len(from))] }

// chance is true in one of n cases.
func (i *intruder) chance(n int) bool { return i.random.IntN(n) == 0 }

// id is an id of either team, often of a kind, or something like one.
func (i *intruder) id(kind string) string {
	own, theirs := i.own.all, i.theirs.all
	fieldOf := map[string]string{"reports": "reportId", "features": "featureId", "plans": "planId"}
	if field := fieldOf[kind]; field != "" {
		kind = field
	}
	if !i.chance(3) && len(i.own.kind[kind]) > 0 && len(i.theirs.kind[kind]) > 0 {
		own, theirs = i.own.kind[kind], i.theirs.kind[kind]
	}
	id := pick(i, theirs)
	switch i.random.IntN(12) {
	case 0, 1, 2, 3:
		return pick(i, own)
	case 4:
		return strings.ToUpper(id)
	case 5:
		return pick(i, []string{
			id + "x", id[:8], id + "%00", "%20" + id, id + "%2f..", "..", "%2e%2e", "*", "%25", "1", "''", "{id}",
			"%ff",
			strings.Repeat("a", 3000), strings.ReplaceAll(id, "-", ""), id + "," + pick(i, theirs), "own", "%C3%98",
		})
	}
	return id
}

// path is that of an operation with ids, sometimes damaged.
func (i *intruder) path(op *contract.Operation) string {
	parts := strings.Split(op.Path, "/")
	for at, name := range parts {
		if name == "{setup}" && !i.chance(4) {
			parts[at] = "1"
		} else if strings.HasPrefix(name, "{") {
			parts[at] = i.id(parts[at-1])
		}
	}
	path := strings.Join(parts, "/")
	if !strings.HasPrefix(path, "/portal/") {
		if !strings.HasPrefix(path, "/v1/") && !i.chance(20) { // only that face is below the portal
			path = "/v1" + path
		}
		path = "/portal/api" + path
	}
	if !i.chance(5) {
		return path
	}
	segments := strings.Split(path, "/")
	at := 3 + i.random.IntN(len(segments)-3) // below /portal/api
	switch i.random.IntN(7) {
	case 0:
		segments = slices.Insert(segments, at, pick(i, []string{"", ".", "%2e", "v1", "..", "%2e%2e", "portal"}))
	case 1:
		segments = append(segments, pick(i, []string{"", i.id(""), "record", "programs", "features", "source"}))
	case 2:
		segments[at] = strings.ToUpper(segments[at])
	case 3:
		segments = slices.Delete(segments, at, at+1)
	case 4:
		segments[at] = i.id("")
	case 5:
		segments = slices.Insert(segments, at, "x", "..")
	case 6:
		segments[at] += pick(i, []string{"%2F" + i.id(""), ";" + i.id(""), "%3Fx", "%0a"})
	}
	return strings.Join(segments, "/")
}

func (i *intruder) query(op *contract.Operation) string {
	values := url.Values{}
	for _, p := range op.Takes {
		if p.In != "query" || !i.chance(3) {
			continue
		}
		values.Set(p.Name, pick(i, []string{i.id(""), i.id(""), "1", "0", "-1", "true", "ready", "x", ""}))
		switch p.Name {
		case "wait":
			values.Set(p.Name, pick(i, []string{"0", "x", "-1"}))
		case "name": // an id would come back as the team's own name
			values.Set(p.Name, "own")
		}
	}
	if i.chance(12) {
		values.Set(pick(i, []string{"teamId", "team", "keyId", "userId", "q", "id", "jobId", "cutConfigId"}), i.id(""))
	}
	return values.Encode()
}

// body is a body of the operation with ids in it; "" = none.
func (i *intruder) body(op *contract.Operation) string {
	if op.Method == http.MethodGet || op.Method == http.MethodDelete {
		return ""
	}
	if example := op.Bodies["application/json"]; len(example) > 2 && i.chance(2) {
		return uuids.ReplaceAllStringFunc(string(example), func(string) string { return pick(i, i.theirs.all) })
	}
	if _, action, _ := strings.Cut(op.Path, "/keys/{id}"); action == "/roll" && !i.chance(4) {
		return `{"graceHours":0}`
	}
	forms := []string{
		`{}`, `null`, `[]`, `{"featureIds":["ID"]}`, `{"cutConfigId":"ID"}`, `{"cutConfigId":"ID","featureIds":["ID"]}`,
		`{"fileName":"a.step","projectId":"ID"}`, `{"fileName":"a.step","cutConfigIds":["ID"]}`, `{"name":"own","cutConfigId":"ID"}`,
		`{"name":"own","toolLibraryIds":["ID"]}`, `{"toolLibraryIds":["ID"],"isDefault":true}`, `{"projectId":"ID"}`,
		`{"name":"own","id":"ID"}`, `{"teamId":"ID"}`, `{"graceHours":0}`, `{"token":"ID"}`,
		`{"name":"own","tools":[{"id":"ID","name":"own","kind":"drill","diameter":5}]}`, `{"expiresAt":null}`, `{"origins":[]}`,
		`{"name":"own","grid":{"core":"write"}}`,
	}
	id := pick(i, i.theirs.all)
	if i.chance(3) {
		id = pick(i, i.own.all)
	}
	return strings.ReplaceAll(pick(i, forms), "ID", id)
}

// send sends one request and keeps what is wrong with its response.
func (i *intruder) send() {
	op := pick(i, i.operations)
	method, path, query, body := op.Method, i.path(op), i.query(op), i.body(op)
	if i.chance(15) {
		method = pick(i, []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"})
	}
	target := path
	if query != "" {
		target += "?" + query
	}
	if _, err := url.ParseRequestURI(target); err != nil {
		return
	}
	ctx, stop := context.WithTimeout(i.t.Context(), time.Minute)
	if strings.Contains(path, "events") { // a stream of a job that waits has no end
		ctx, stop = context.WithTimeout(i.t.Context(), 20*time.Millisecond)
	}
	defer stop()
	r := httptest.NewRequestWithContext(ctx, method, i.server.URL+target, strings.NewReader(body))
	r.RequestURI = target
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if i.chance(10) {
		r.Header.Set("Idempotency-Key", "the-same-key")
	}
	r.Header.Set("Cookie", i.in.cookie)
	answer := httptest.NewRecorder()
	i.handler.ServeHTTP(answer, r)
	if ctx.Err() != nil && (answer.Code >= http.StatusInternalServerError || answer.Body.Len() == 0) {
		answer.Code = 0 // cut short before it said anything
	}
	i.statuses[answer.Code]++
	if why := i.judge(method+" "+target+" "+body, path, answer); why != "" {
		i.found = append(i.found,
			fmt.Sprintf("%s %s %s: %d, %s: %.300s", method, target, body, answer.Code, why, answer.Body))
	}
	if answer.Code == http.StatusUnauthorized { // the request before ended the session
		i.in = i.signedIn("acme", "ann")
	}
}

// judge returns the defect of a response, "" for a good one.
func (i *intruder) judge(request, path string, answer *httptest.ResponseRecorder) string {
	if answer.Code >= http.StatusInternalServerError {
		return "it fails inside"
	}
	text, request := strings.ToLower(answer.Body.String()+fmt.Sprint(answer.Header())), strings.ToLower(request)
	if strings.Contains(text, marker) {
		return "it holds a name of the other team"
	}
	for _, id := range uuids.FindAllString(text, -1) {
		if slices.Contains(i.theirs.all, id) && !strings.Contains(request, id) {
			at := strings.Index(text, id)
			return fmt.Sprintf("it holds an id of the other team: …%s…", text[max(0, at-200):min(len(text), at+100)])
		}
	}
	for segment := range strings.SplitSeq(strings.ToLower(path), "/") {
		if slices.Contains(i.theirs.all, segment) && answer.Code/100 == 2 {
			return "it succeeds for the other team's " + segment
		}
	}
	return ""
}

// TestSecurityOfTeams sends requests over every path of the portal and of the API below it, with the session of one
// team and ids of another one. No response holds anything of the other team or fails inside, and the other team's
// records stay as they are.
func TestSecurityOfTeams(t *testing.T) {
	i, rival := newIntruder(t)
	n := 10_000
	if testing.Short() || storematrix.IsPostgreSQL() {
		n = 1500
	}
	before := rival.state()
	for range n {
		i.send()
	}
	for _, why := range i.found {
		t.Error(why)
	}
	after := rival.state()
	for _, path := range slices.Sorted(maps.Keys(before)) {
		if before[path] != after[path] {
			t.Errorf("%s of the other team was\n%s\nand is\n%s", path, before[path], after[path])
		}
	}
	if own := strings.Join(slices.Collect(maps.Values(i.in.state())), " "); strings.Contains(own, marker) {
		t.Errorf("the team of the session has something of the other one: %s", own)
	}
	if i.statuses[http.StatusOK] < n/50 || i.statuses[http.StatusNotFound] < n/10 {
		t.Errorf("the requests do not reach both successes and refusals: %v", i.statuses)
	}
	t.Logf("%d requests to %d operations with %d ids of the other team: %v", n, len(i.operations), len(i.theirs.all),
		i.statuses)
}

// TestSecurityOfTeamsFindsHoles opens holes and looks whether the requests fall into them.
func TestSecurityOfTeamsFindsHoles(t *testing.T) {
	i, rival := newIntruder(t)
	for name, isOpen := range map[string]func(path string) bool{
		"records of parts": func(path string) bool { return strings.HasSuffix(path, "/record") },
		"lists":            func(path string) bool { return path == "/portal/api/v1/holders" },
		"meshes":           func(path string) bool { return strings.HasSuffix(path, "/mesh.glb") },
		"keys":             func(path string) bool { return strings.HasSuffix(path, "/roll") },
	} {
		whole := i.server.Config.Handler
		i.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if isOpen(r.URL.Path) {
				r.Header.Set("Cookie", rival.cookie)
			}
			whole.ServeHTTP(w, r)
		})
		i.found = nil
		for n := 0; n < 5000 && len(i.found) == 0; n++ {
			i.send()
		}
		if len(i.found) == 0 {
			t.Errorf("%s of the other team are open, and no request finds it", name)
		}
	}
}
