package browsertest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/portal"
	"millwright.dev/millwright/adapters/portal/browsertest"
	"millwright.dev/millwright/adapters/problem"
)

// policy is the policy of the pages without stores of objects.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types millwright"

// object is a JSON object.
type object = map[string]any

// fake has the interface of the portal with keys in memory, and faults on demand. It checks little: it is a double for
// tests of pages.
type fake struct {
	server *httptest.Server

	mu       sync.Mutex
	links    map[string]bool // token -> used
	sessions map[string]bool
	keys     []object
	usage    []object
	made     int

	fault func(r *http.Request) *problem.Problem // nil = none
	hold  func(r *http.Request) <-chan struct{}  // the request waits for the channel; nil = it does not
}

func newFake(t *testing.T) *fake {
	f := &fake{links: map[string]bool{}, sessions: map[string]bool{}}
	mux := http.NewServeMux()
	for pattern, handle := range map[string]handler{
		"GET /portal/api/session": f.session, "DELETE /portal/api/session": f.leave,
		"GET /portal/api/keys": f.list, "POST /portal/api/keys": f.create, "PATCH /portal/api/keys/{id}": f.change,
		"POST /portal/api/keys/{id}/revoke": f.revoke, "POST /portal/api/keys/{id}/roll": f.roll,
		"GET /portal/api/usage": f.used, "GET /portal/api/grid": f.grid,
		"GET /portal/api/v1/parts": f.parts,
	} {
		mux.HandleFunc(pattern, f.guarded(handle))
	}
	mux.HandleFunc("POST /portal/api/session", f.enter)
	mux.HandleFunc("GET /portal/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = w.Write(portal.Index())
	})
	mux.HandleFunc("GET /portal/assets/"+portal.Hash()+"/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		http.ServeFileFS(w, r, portal.Assets(), path.Base(r.URL.Path))
	})
	f.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(f.server.Close)
	return f
}

func (f *fake) suite() browsertest.Server {
	return browsertest.Server{
		Origin: f.server.URL, Link: f.link, EndSessions: f.endSessions,
	}
}

func (f *fake) link() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.made++
	token := fmt.Sprintf("token-%d", f.made)
	f.links[token] = false
	return f.server.URL + "/portal/welcome#token=" + token
}

func (f *fake) endSessions() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.sessions)
}

func (f *fake) set(fault func(*http.Request) *problem.Problem, hold func(*http.Request) <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fault, f.hold = fault, hold
}

func refuse(w http.ResponseWriter, status int, code, detail string) {
	problem.New(status, code, detail).In("0199-fake-request").Write(w)
}

// disturbed delays or fails a request as the test wants.
func (f *fake) disturbed(w http.ResponseWriter, r *http.Request) bool {
	f.mu.Lock()
	fault, hold := f.fault, f.hold
	f.mu.Unlock()
	if hold != nil {
		select {
		case <-hold(r):
		case <-r.Context().Done():
		}
	}
	if fault != nil {
		if p := fault(r); p != nil {
			p.In("0199-fake-request").Write(w)
			return true
		}
	}
	return false
}

// handler answers a request with a status and JSON, or with a status and the sentence of a problem.
type handler func(r *http.Request, in object) (int, any)

func (f *fake) guarded(handle handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if f.disturbed(w, r) {
			return
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		if c, err := r.Cookie("millwright"); err != nil || !f.sessions[c.Value] {
			refuse(w, 401, "no_session", "Sign in with a new link.")
			return
		}
		var in object
		if r.Method == "POST" || r.Method == "PATCH" {
			if json.NewDecoder(r.Body).Decode(&in) != nil || r.Header.Get("Content-Type") != "application/json" {
				refuse(w, 400, "invalid_request", "The body is not JSON.")
				return
			}
		}
		f.answer(w, handle, r, in)
	}
}

func (f *fake) answer(w http.ResponseWriter, handle handler, r *http.Request, in object) {
	status, out := handle(r, in)
	if text, failed := out.(string); failed {
		refuse(w, status, "invalid_request", text)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if out != nil {
		_ = json.NewEncoder(w).Encode(out)
	}
}

func (f *fake) enter(w http.ResponseWriter, r *http.Request) {
	if f.disturbed(w, r) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var in struct{ Token string }
	_ = json.NewDecoder(r.Body).Decode(&in)
	used, known := f.links[in.Token]
	switch {
	case !known:
		refuse(w, 404, "not_found", "There is no such link.")
	case used:
		refuse(w, 410, "link_used", "The link was used.")
	default:
		f.links[in.Token] = true
		f.sessions[in.Token] = true
		http.SetCookie(w, &http.Cookie{
			Name: "millwright", Value: in.Token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
		})
		f.answer(w, f.session, r, nil)
	}
}

func (f *fake) session(*http.Request, object) (int, any) {
	now := time.Now().UTC()
	return 200, object{
		"user": object{"id": "u1", "name": "owner"}, "team": object{"id": "t1", "name": "acme"},
		"createdAt": now.Add(-3 * time.Minute), "expiresAt": now.Add(7 * 24 * time.Hour),
		"idleUntil": now.Add(12 * time.Hour), "publicUrl": f.server.URL,
	}
}

func (f *fake) leave(*http.Request, object) (int, any) {
	clear(f.sessions)
	return 204, nil
}

func (f *fake) list(*http.Request, object) (int, any) {
	out := slices.Clone(f.keys)
	slices.Reverse(out)
	return 200, object{"keys": append([]object{}, out...)}
}

// key makes a key with the fields that differ from those of a new key.
func (f *fake) key(name string, fields object) object {
	f.made++
	k := object{
		"id": fmt.Sprintf("k%d", f.made), "name": name, "prefix": fmt.Sprintf("mw_%06x", f.made*7919), "kind": "key",
		"grid":    object{"core": "write", "dfm": "write", "quoting": "write"},
		"origins": []any{}, "createdBy": "owner", "createdAt": time.Now().UTC(), "expiresAt": nil, "lastUsedAt": nil,
		"revokedAt": nil, "replaces": nil, "replacedBy": nil, "endsAt": nil, "state": "active",
	}
	maps.Copy(k, fields)
	f.keys = append(f.keys, k)
	return k
}

func textOf(key object) string { return fmt.Sprint(key["prefix"], strings.Repeat("x7Qa", 9)) }

func (f *fake) create(_ *http.Request, in object) (int, any) {
	fields := object{"grid": in["grid"], "origins": in["origins"]}
	if days, ok := in["expiresInDays"].(float64); ok {
		fields["expiresAt"] = time.Now().UTC().Add(time.Duration(days) * 24 * time.Hour)
	}
	k := f.key(fmt.Sprint(in["name"]), fields)
	return 201, object{"key": k, "text": textOf(k)}
}

func (f *fake) find(r *http.Request) object {
	i := slices.IndexFunc(f.keys, func(k object) bool { return k["id"] == r.PathValue("id") })
	if i < 0 {
		return object{}
	}
	return f.keys[i]
}

func (f *fake) change(r *http.Request, in object) (int, any) {
	k := f.find(r)
	maps.Copy(k, in)
	return 200, k
}

func (f *fake) revoke(r *http.Request, in object) (int, any) {
	k := f.find(r)
	if in["name"] != k["name"] {
		return 422, "The name is not the name of the key."
	}
	k["state"], k["revokedAt"] = "revoked", time.Now().UTC()
	return 200, k
}

func (f *fake) roll(r *http.Request, in object) (int, any) {
	old := f.find(r)
	k := f.key(fmt.Sprint(old["name"]), object{
		"grid": old["grid"], "origins": old["origins"], "expiresAt": old["expiresAt"], "replaces": old["id"],
	})
	hours, _ := in["graceHours"].(float64)
	old["replacedBy"], old["state"] = k["id"], "ending"
	old["endsAt"] = time.Now().UTC().Add(time.Duration(hours) * time.Hour)
	if hours == 0 {
		old["state"], old["revokedAt"] = "revoked", time.Now().UTC()
	}
	return 201, object{"key": k, "text": textOf(k), "old": old}
}

func (f *fake) used(*http.Request, object) (int, any) {
	return 200, object{"days": append([]object{}, f.usage...)}
}

func (f *fake) grid(*http.Request, object) (int, any) {
	levels := []string{"none", "read", "write"}
	return 200, object{"functions": []object{
		{"id": "core", "label": "Parts, results, jobs and settings", "levels": levels, "locked": "read"},
		{"id": "dfm", "label": "Feature datasheets, design findings and plans", "levels": levels},
		{"id": "quoting", "label": "Programs, toolpaths, times and prices", "levels": levels},
	}}
}

func (f *fake) parts(*http.Request, object) (int, any) {
	return 200, object{"items": []object{}, "page": 1, "pageSize": 50, "total": 0}
}
