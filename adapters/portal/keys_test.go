package portal_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/service/session"
)

// key is a key as the pages see it.
type key struct {
	ID, Name, Prefix, Kind, CreatedBy, State string
	Grid                                     map[string]string
	Origins                                  []string
	CreatedAt                                time.Time
	ExpiresAt, LastUsedAt, RevokedAt, EndsAt *time.Time
	Replaces, ReplacedBy                     *string
}

type made struct {
	Key, Old key
	Text     string
}

func (b browser) newKey(name string) made {
	b.t.Helper()
	r := b.do("POST", "/portal/api/keys", map[string]any{
		"name": name, "grid": map[string]string{"core": "write", "dfm": "read", "quoting": "none"},
		"origins": []string{"https://Shop.example:443"}, "expiresInDays": 30,
	})
	var out made
	b.want(http.StatusCreated, "", r).decode(b.t, &out)
	return out
}

// keys returns the keys of the list, by id, and its order.
func (b browser) keys() (byID map[string]key, order []string) {
	b.t.Helper()
	var out struct{ Keys []key }
	r := b.want(http.StatusOK, "", b.do("GET", "/portal/api/keys", nil))
	r.decode(b.t, &out)
	byID = map[string]key{}
	for _, k := range out.Keys {
		byID[k.ID] = k
		order = append(order, k.ID)
	}
	return byID, order
}

func TestKeysSignIn(t *testing.T) {
	w := newWorld(t, "")
	guest := browser{world: w}
	link := w.link("acme", "ann")
	guest.want(http.StatusUnauthorized, "no_session", guest.do("GET", "/portal/api/session", nil))
	r := guest.want(http.StatusOK, "", guest.do("POST", "/portal/api/session", map[string]string{"token": link}))
	var s struct {
		User, Team                      struct{ ID, Name string }
		CreatedAt, ExpiresAt, IdleUntil time.Time
		PublicURL                       string
	}
	r.decode(t, &s)
	now := w.Clock.Now()
	if s.User.Name != "ann" || s.Team.ID != w.Acme.TeamID || s.Team.Name != "acme" || s.PublicURL != w.server.URL ||
		!s.ExpiresAt.Equal(now.Add(session.SessionLife)) || !s.IdleUntil.Equal(now.Add(session.IdleLife)) {
		t.Errorf("session %s", r.body)
	}
	in := browser{w, r.Cookies()[0].Name + "=" + r.Cookies()[0].Value}
	in.want(http.StatusOK, "", in.do("GET", "/portal/api/session", nil))
	guest.want(http.StatusGone, "link_used", guest.do("POST", "/portal/api/session", map[string]string{"token": link}))
	guest.want(http.StatusNotFound, "not_found", guest.do("POST", "/portal/api/session",
		map[string]string{"token": strings.Repeat("A", 43)}))
	late := w.link("acme", "ann")
	w.Clock.Advance(session.LinkLife)
	guest.want(http.StatusGone, "link_used", guest.do("POST", "/portal/api/session", map[string]string{"token": late}))
}

func TestKeysAreMadeOnce(t *testing.T) {
	w := newWorld(t, "")
	b := w.signedIn("acme", "ann")
	now := w.Clock.Now()
	got := b.newKey("line 2")
	k := got.Key
	if k.Name != "line 2" || !strings.HasPrefix(got.Text, k.Prefix) || k.Kind != "key" || k.CreatedBy != "ann" ||
		k.State != "active" || k.Grid["dfm"] != "read" || k.Grid["quoting"] != "none" ||
		len(k.Origins) != 1 || k.Origins[0] != "https://shop.example" || !k.ExpiresAt.Equal(now.Add(30*24*time.Hour)) {
		t.Errorf("made %+v", got)
	}
	list := b.do("GET", "/portal/api/keys", nil)
	if strings.Contains(string(list.body), got.Text) || strings.Contains(string(list.body), got.Text[len(k.Prefix):]) {
		t.Errorf("the list has the text of a key: %s", list.body)
	}
	keys, order := b.keys()
	if len(order) != 3 || order[0] != k.ID || keys[order[1]].Kind != "portal" || keys[k.ID].LastUsedAt != nil {
		t.Errorf("list %s; want the new key, the portal's and the first", list.body)
	}
	w.Clock.Advance(time.Minute)
	if status := w.keyText(got.Text); status != http.StatusOK {
		t.Errorf("a request with the new key: %d", status)
	}
	if keys, _ := b.keys(); keys[k.ID].LastUsedAt == nil || !keys[k.ID].LastUsedAt.Equal(w.Clock.Now()) {
		t.Errorf("last use %v, want %v", keys[k.ID].LastUsedAt, w.Clock.Now())
	}
	for name, body := range map[string]any{
		"no name":       map[string]any{"name": " ", "grid": map[string]string{}},
		"no grid":       map[string]any{"name": "a"},
		"unknown area":  map[string]any{"name": "a", "grid": map[string]string{"x": "read"}},
		"unknown level": map[string]any{"name": "a", "grid": map[string]string{"dfm": "all"}},
		"bad origin":    map[string]any{"name": "a", "grid": map[string]string{}, "origins": []string{"*"}},
		"expired":       map[string]any{"name": "a", "grid": map[string]string{}, "expiresInDays": 0},
		"far":           map[string]any{"name": "a", "grid": map[string]string{}, "expiresInDays": 1 << 40},
		"other field":   map[string]any{"name": "a", "grid": map[string]string{}, "team": "rival"},
		"list":          []string{}, "two values": "{}{}", "no JSON": "{",
	} {
		r := b.do("POST", "/portal/api/keys", body)
		if r.StatusCode != http.StatusBadRequest || r.code() != "invalid_request" {
			t.Errorf("%s: %s %s", name, r.Status, r.body)
		}
	}
	b.want(http.StatusRequestEntityTooLarge, "payload_too_large",
		b.do("POST", "/portal/api/keys", map[string]string{"name": strings.Repeat("a", 70_000)}))
}

func TestKeysRoll(t *testing.T) {
	w := newWorld(t, "")
	b := w.signedIn("acme", "bob")
	old := b.newKey("line 2")
	var rolled made
	b.want(http.StatusCreated, "", b.do("POST", "/portal/api/keys/"+old.Key.ID+"/roll",
		map[string]int{"graceHours": 1})).decode(t, &rolled)
	end := w.Clock.Now().Add(time.Hour)
	if rolled.Old.State != "ending" || !rolled.Old.EndsAt.Equal(end) || rolled.Old.RevokedAt != nil ||
		*rolled.Old.ReplacedBy != rolled.Key.ID || *rolled.Key.Replaces != old.Key.ID || rolled.Key.State != "active" ||
		rolled.Text == old.Text || rolled.Key.Grid["dfm"] != "read" || rolled.Key.Grid["quoting"] != "none" {
		t.Errorf("rolled %+v\nof %+v", rolled, old)
	}
	for _, c := range []struct {
		wait time.Duration
		old  int
	}{{0, http.StatusOK}, {time.Hour - time.Microsecond, http.StatusOK}, {time.Microsecond, http.StatusUnauthorized}} {
		w.Clock.Advance(c.wait)
		if a, b := w.keyText(old.Text), w.keyText(rolled.Text); a != c.old || b != http.StatusOK {
			t.Errorf("after %v the old key gets %d and the new one %d; want %d and 200", c.wait, a, b, c.old)
		}
	}
	if keys, _ := b.keys(); keys[old.Key.ID].State != "revoked" || keys[old.Key.ID].EndsAt != nil ||
		!keys[old.Key.ID].RevokedAt.Equal(end) {
		t.Errorf("old key after its end: %+v", keys[old.Key.ID])
	}
	roll := "/portal/api/keys/" + old.Key.ID + "/roll"
	b.want(http.StatusBadRequest, "invalid_request", b.do("POST", roll, map[string]int{"graceHours": 0}))
	again := "/portal/api/keys/" + rolled.Key.ID + "/roll"
	b.want(http.StatusBadRequest, "invalid_request", b.do("POST", again, map[string]int{"graceHours": 2}))
	b.want(http.StatusBadRequest, "invalid_request", b.do("POST", again, map[string]int{}))
	b.want(http.StatusCreated, "", b.do("POST", again, map[string]int{"graceHours": 0}))
	if status := w.keyText(rolled.Text); status != http.StatusUnauthorized {
		t.Errorf("a key rolled without grace: %d", status)
	}
}

func TestKeysRevoke(t *testing.T) {
	w := newWorld(t, "")
	b := w.signedIn("acme", "ann")
	k := b.newKey("line 2")
	revoke := "/portal/api/keys/" + k.Key.ID + "/revoke"
	b.want(http.StatusUnprocessableEntity, "name_mismatch", b.do("POST", revoke, map[string]string{"name": "line 3"}))
	if status := w.keyText(k.Text); status != http.StatusOK {
		t.Errorf("key after a refused revocation: %d", status)
	}
	var got key
	b.want(http.StatusOK, "", b.do("POST", revoke, map[string]string{"name": "line 2"})).decode(t, &got)
	if got.State != "revoked" || got.RevokedAt == nil || w.keyText(k.Text) != http.StatusUnauthorized {
		t.Errorf("revoked %+v, and the key gets %d", got, w.keyText(k.Text))
	}

	rolled := b.newKey("line 4")
	path := "/portal/api/keys/" + rolled.Key.ID
	b.want(http.StatusCreated, "", b.do("POST", path+"/roll", map[string]int{"graceHours": 24}))
	b.want(http.StatusOK, "", b.do("POST", path+"/revoke", map[string]string{"name": "line 4"}))
	if status := w.keyText(rolled.Text); status != http.StatusUnauthorized {
		t.Errorf("a rolled key whose grace was ended: %d", status)
	}

	// Without its portal key the session ends.
	keys, _ := b.keys()
	for id, k := range keys {
		if k.Kind == "portal" {
			b.want(http.StatusOK, "", b.do("POST", "/portal/api/keys/"+id+"/revoke", map[string]string{"name": k.Name}))
		}
	}
	b.want(http.StatusUnauthorized, "no_session", b.do("GET", "/portal/api/keys", nil))
}

func TestKeysEdit(t *testing.T) {
	w := newWorld(t, "")
	b := w.signedIn("acme", "ann")
	k := b.newKey("line 2")
	path := "/portal/api/keys/" + k.Key.ID
	for _, c := range []struct {
		name, body string
		want       func(key) bool
	}{
		{"name", `{"name":"line 3"}`, func(k key) bool {
			return k.Name == "line 3" && k.ExpiresAt != nil && len(k.Origins) == 1
		}},
		{"origins", `{"origins":[]}`, func(k key) bool { return len(k.Origins) == 0 && k.ExpiresAt != nil }},
		{"no expiry", `{"expiresAt":null}`, func(k key) bool { return k.ExpiresAt == nil && k.Name == "line 3" }},
		{"expiry", `{"expiresAt":"2027-01-01T00:00:00Z"}`, func(k key) bool { return k.ExpiresAt != nil }},
	} {
		var got key
		b.want(http.StatusOK, "", b.do("PATCH", path, c.body)).decode(t, &got)
		if keys, _ := b.keys(); !c.want(got) || !c.want(keys[got.ID]) {
			t.Errorf("%s: %+v, and in the list %+v", c.name, got, keys[got.ID])
		}
	}
	for _, body := range []string{
		`{}`, `{"name":""}`, `{"expiresAt":"2020-01-01T00:00:00Z"}`, `{"grid":{}}`, `{"expiresAt":1}`,
	} {
		b.want(http.StatusBadRequest, "invalid_request", b.do("PATCH", path, body))
	}
}

// TestKeysOfAnotherTeam tries every path with a key of another team and with no key.
func TestKeysOfAnotherTeam(t *testing.T) {
	w := newWorld(t, "")
	b, rival := w.signedIn("acme", "ann"), w.signedIn("rival", "eve")
	theirs := rival.newKey("line 2")
	part := w.NewPart(w.Rival).Part.ID
	for _, id := range []string{theirs.Key.ID, uuid.NewString(), "x", "%2e%2e"} {
		for path, body := range map[string]string{
			"": `{"name":"x"}`, "/revoke": `{"name":"line 2"}`, "/roll": `{"graceHours":0}`,
		} {
			method := "POST"
			if path == "" {
				method = "PATCH"
			}
			b.want(http.StatusNotFound, "not_found", b.do(method, "/portal/api/keys/"+id+path, body))
		}
	}
	for _, c := range [][2]string{
		{"GET", "/parts/" + part}, {"DELETE", "/parts/" + part}, {"POST", "/parts/" + part + "/complete"},
		{"GET", "/parts/" + part + "/features"}, {"GET", "/parts/" + part + "/programs"},
	} {
		if r := b.do(c[0], "/portal/api/v1"+c[1], nil); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s %s of another team: %s %s", c[0], c[1], r.Status, r.body)
		}
	}
	rival.want(http.StatusOK, "", rival.do("GET", "/portal/api/v1/parts/"+part+"/programs", nil))
	if keys, _ := b.keys(); len(keys) != 2 {
		t.Errorf("%d keys of a team with one and the portal's", len(keys))
	}
	if keys, _ := rival.keys(); keys[theirs.Key.ID].State != "active" || w.keyText(theirs.Text) != http.StatusOK {
		t.Errorf("the key of the other team: %+v", keys[theirs.Key.ID])
	}
}

func TestKeysUsageAndGrid(t *testing.T) {
	w := newWorld(t, "")
	b := w.signedIn("acme", "ann")
	part := w.Completed(w.Acme)
	b.want(http.StatusAccepted, "", b.do("PATCH", "/portal/api/v1/parts/"+part.ID, "{}"))
	var usage struct {
		Days []struct {
			Day, Operation, KeyID string
			Calls                 int
		}
	}
	b.want(http.StatusOK, "", b.do("GET", "/portal/api/usage", nil)).decode(t, &usage)
	keys, _ := b.keys()
	if len(usage.Days) != 1 || usage.Days[0].Day != "2026-11-03" || usage.Days[0].Operation != "part_analysis" ||
		usage.Days[0].Calls != 1 || keys[usage.Days[0].KeyID].Kind != "portal" {
		t.Errorf("usage %+v, want one analysis by the portal's key", usage.Days)
	}
	for query, want := range map[string]int{
		"?since=2026-11-03&until=2026-11-03": 1, "?since=2026-11-04&until=2026-11-30": 0, "?until=2026-11-02": 0,
	} {
		b.want(http.StatusOK, "", b.do("GET", "/portal/api/usage"+query, nil)).decode(t, &usage)
		if len(usage.Days) != want {
			t.Errorf("%s: %+v, want %d", query, usage.Days, want)
		}
	}
	for _, query := range []string{"?since=x", "?since=2026-11-04&until=2026-11-03", "?since=2000-01-01"} {
		b.want(http.StatusBadRequest, "invalid_request", b.do("GET", "/portal/api/usage"+query, nil))
	}
	var grid struct {
		Functions []struct {
			ID, Label string
			Levels    []string
			Locked    *string
		}
	}
	b.want(http.StatusOK, "", b.do("GET", "/portal/api/grid", nil)).decode(t, &grid)
	if f := grid.Functions; len(f) != 3 || f[0].ID != "core" || *f[0].Locked != "read" || f[1].Locked != nil ||
		strings.Join(f[2].Levels, " ") != "none read write" || f[1].Label == "" {
		t.Errorf("grid %+v", grid)
	}
}
