package apitest_test

import (
	"net/http"
	"strings"
	"testing"

	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/idempotency"
)

// own makes a record of each kind that paths name, of team acme, and returns its id by the first segment of
// the path.
func (w *world) own(t *testing.T) map[string]string {
	t.Helper()
	key := w.keys[full]
	part, program := w.readyPart(t, "", key, map[string]any{"fileName": "secret-hole.step"})
	made := decode[struct{ JobID, PlanID string }](t, w.programmed(t, key, part, program))
	ids := map[string]string{"parts": part, "programs": program, "jobs": made.JobID, "plans": made.PlanID}
	for _, kind := range []string{"projects", "cut-configs"} {
		record := w.want(t, call{
			method: "POST", path: "/v1/" + kind, key: key, body: encode(t, map[string]any{"name": "secret-" + kind}),
		}, http.StatusCreated, "")
		ids[kind] = decode[struct{ ID string }](t, record).ID
	}
	for kind := range tooling {
		ids[kind] = w.newTooling(t, key, kind)
	}
	return ids
}

// anotherTeam requests every record of a team with the key of another team, and searches the responses for data that it
// must not see.
func (w *world) anotherTeam(t *testing.T) {
	ids := w.own(t)
	for _, op := range w.with.Operations() {
		if !op.Secured || !strings.Contains(op.Path, "{") {
			continue
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(op.Path, "/v1"), "/"), "/")
		id, known := ids[first]
		if !known {
			t.Errorf("%s: the suite owns no record of %s to ask for", op.ID, first)
			continue
		}
		in := to(op, id)
		in.path = strings.Replace(in.path, "/programs/"+id, "/programs/"+ids["programs"], 1)
		r := w.want(t, w.as(rival, in), http.StatusNotFound, "not_found")
		if strings.Contains(string(r.body), "secret-") {
			t.Errorf("%s tells another team's name: %s", op.ID, r.body)
		}
	}
	for _, op := range w.with.Operations() {
		if !op.Secured || op.Method != http.MethodGet || strings.Contains(op.Path, "{") {
			continue
		}
		r := w.want(t, w.as(rival, to(op, "")), http.StatusOK, "")
		for kind, id := range ids {
			if strings.Contains(string(r.body), id) {
				t.Errorf("%s lists another team's %s: %s", op.ID, kind, r.body)
			}
		}
	}
}

// claimed has a request carried out by somebody else at the same time: its repetition must wait, and another
// request with its Idempotency-Key is refused.
func (w *world) claimed(t *testing.T, in call) {
	t.Helper()
	use, err := app.New(app.On(w.stack.Store, w.stack.Objects), app.Config{})
	if err != nil {
		t.Fatal(err)
	}
	path, query, _ := strings.Cut(in.path, "?")
	for code, claimed := range map[string]string{
		"idempotency_in_progress": query, "idempotency_key_reused": query + "&other=1",
	} {
		key := code + " " + in.method + in.path
		_, err = use.Requests.Claim(t.Context(), account.Caller{KeyID: w.holder.ID}, idempotency.Request{
			Method: in.method, Path: path, IdempotencyKey: key, Query: claimed, Body: in.body,
		})
		if err != nil {
			t.Fatal(err)
		}
		in.headers = map[string]string{"Idempotency-Key": key}
		w.want(t, w.as(full, in), http.StatusConflict, code)
	}
}
