package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"millwright.dev/millwright/core/service/account"
)

// keyShown is a key as the command line prints it.
type keyShown struct {
	Key, ID, Status string
	Access          account.AccessGrid
	AllowedOrigins  []string
	ExpiresAt       *time.Time
}

// keyCommand runs a key command that prints one key as JSON.
func keyCommand(t *testing.T, data, command string, args ...string) keyShown {
	t.Helper()
	stdout, stderr, status := millwright(t,
		append([]string{"key", command, "--data", data, "-o", "json"}, args...)...)
	var key keyShown
	if err := json.Unmarshal([]byte(stdout), &key); err != nil || status != 0 || stderr != "" {
		t.Fatalf("key %s %v: status %d, %s%s (%v)", command, args, status, stdout, stderr, err)
	}
	return key
}

func TestKeyGrants(t *testing.T) {
	whole(t)
	data := t.TempDir()
	narrow := keyCommand(t, data, "create", "--team", "t", "--name", "n", "--expires", "1h",
		"--access", "dfm=read,core=write", "--origin", "https://Shop.example:443", "--origin", "http://localhost:3000")
	want := account.AccessGrid{Core: account.LevelWrite, DFM: account.LevelRead}
	if narrow.Access != want || narrow.ExpiresAt == nil ||
		!slices.Equal(narrow.AllowedOrigins, []string{"https://shop.example", "http://localhost:3000"}) {
		t.Errorf("created %+v, want %v and two origins", narrow, want)
	}
	full := keyCommand(t, data, "create", "--team", "t", "--name", "n")
	if full.Access != account.FullAccess || full.AllowedOrigins == nil || len(full.AllowedOrigins) != 0 {
		t.Errorf("created %+v, want full access and no origin", full)
	}
	got := keyCommand(t, data, "grant", full.ID, "--access", "quoting=write")
	if want := (account.AccessGrid{Core: account.LevelRead, Quoting: account.LevelWrite}); got.Access != want {
		t.Errorf("granted %+v, want %v", got, want)
	}
	got = keyCommand(t, data, "grant", full.ID, "--origin", "https://a.example")
	if !slices.Equal(got.AllowedOrigins, []string{"https://a.example"}) || got.Access.Quoting != account.LevelWrite {
		t.Errorf("granted %+v, want the origin and the same access", got)
	}
	if got = keyCommand(t, data, "grant", full.ID, "--no-origins"); len(got.AllowedOrigins) != 0 || got.Key != "" {
		t.Errorf("granted %+v, want no origin and no text", got)
	}
	stdout, _, _ := millwright(t, "key", "list", "--data", data, "--team", "t")
	if !strings.Contains(stdout, "https://shop.example http://localhost:3000") {
		t.Errorf("list lacks the origins:\n%s", stdout)
	}
}

func TestKeyRollAndEdit(t *testing.T) {
	whole(t)
	data := t.TempDir()
	old := keyCommand(t, data, "create", "--team", "t", "--name", "n", "--access", "dfm=read", "--expires", "1h")
	made := keyCommand(t, data, "roll", old.ID, "--grace", "1h")
	if made.Key == "" || made.Key == old.Key || made.Access != old.Access || made.ExpiresAt == nil {
		t.Errorf("rolled %+v\nof %+v", made, old)
	}
	edited := keyCommand(t, data, "edit", made.ID, "--name", "line 2", "--no-expiry", "--origin", "https://a.example")
	if edited.ExpiresAt != nil || len(edited.AllowedOrigins) != 1 || edited.Key != "" {
		t.Errorf("edited %+v, want no expiry, one origin and no text", edited)
	}
	stdout, _, _ := millwright(t, "key", "list", "--data", data, "--team", "t")
	for _, want := range []string{"line 2", "LAST USE", "never"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("list lacks %q:\n%s", want, stdout)
		}
	}
}

// TestLastUseSurvivesTheStop uses a key less than a minute before the service stops.
func TestLastUseSurvivesTheStop(t *testing.T) {
	whole(t)
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data, "--role", "api")
	before := time.Now().Add(-time.Second)
	key := newKey(t, data)
	get[any](t, p.client(key), "/v1/parts")
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Fatalf("the service ended with %v\n%s", err, p.log)
	}
	stdout, _, _ := millwright(t, "key", "list", "--data", data, "--team", "t", "-o", "json")
	var keys []struct{ LastUsedAt *time.Time }
	if err := json.Unmarshal([]byte(stdout), &keys); err != nil || len(keys) != 1 || keys[0].LastUsedAt == nil ||
		keys[0].LastUsedAt.Before(before) {
		t.Errorf("keys %s, %v; want a last use after %v", stdout, err, before)
	}
}

func TestBadKeyCommands(t *testing.T) {
	whole(t)
	data := t.TempDir()
	for _, c := range []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"unknown area", []string{"create", "--team", "t", "--name", "n", "--access", "billing=read"}, exitUsage, "billing"},
		{"area twice", []string{"create", "--team", "t", "--name", "n", "--access", "core=read,core=write"},
			exitUsage, "each once"},
		{"unknown level", []string{"create", "--team", "t", "--name", "n", "--access", "core=admin"}, exitUsage, "admin"},
		{"no origin", []string{"create", "--team", "t", "--name", "n", "--origin", "shop.example"}, exitFailed,
			`"shop.example" is not an origin`},
		{"wildcard", []string{"create", "--team", "t", "--name", "n", "--origin", "*"}, exitFailed, "not an origin"},
		{"grant of nothing", []string{"grant", "id"}, exitUsage, "say what to change"},
		{"both some and none", []string{"grant", "id", "--origin", "https://a.example", "--no-origins"},
			exitUsage, "exclude"},
		{"unknown key", []string{"grant", "id", "--no-origins"}, exitFailed, `There is no key "id"`},
		{"edit of nothing", []string{"edit", "id"}, exitUsage, "say what to change"},
		{"both some and no expiry", []string{"edit", "id", "--expires", "1h", "--no-expiry"}, exitUsage, "exclude"},
		{"odd grace", []string{"roll", "id", "--grace", "2h"}, exitFailed, "0, 1 or 24 hours"},
		{"roll of an unknown key", []string{"roll", "id"}, exitFailed, `There is no key "id"`},
	} {
		args := append([]string{"key", c.args[0], "--data", data}, c.args[1:]...)
		if _, stderr, status := millwright(t, args...); status != c.status || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: status %d, %s; want %d and %q", c.name, status, stderr, c.status, c.want)
		}
	}
}

// TestUsageCommand meters two analyses, one of them sent twice, and a reading of features.
func TestUsageCommand(t *testing.T) {
	whole(t)
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data)
	c := p.client(newKey(t, data))
	id := submit(t, c, exampleName, examplePart)
	await(t, c, id, "ready")
	for _, key := range []string{"one", "two", "two"} {
		req, err := http.NewRequest(http.MethodPatch, p.base+"/v1/parts/"+id, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+c.key)
		req.Header.Set("Idempotency-Key", key)
		resp, err := http.DefaultClient.Do(req)
		if err != nil || resp.StatusCode != http.StatusAccepted {
			t.Fatal(err, resp.Status)
		}
		_ = resp.Body.Close()
	}
	type counts struct {
		Count      int
		Operations []struct {
			Operation string
			Count     int
			Keys      []struct{ Name string }
		}
	}
	for _, since := range []struct {
		flag string
		want int
	}{
		{"1h", 2}, {time.Now().UTC().Add(-24 * time.Hour).Format(time.DateOnly), 2},
		{time.Now().UTC().Add(time.Hour).Format(time.RFC3339), 0},
	} {
		stdout, stderr, status := millwright(t, "usage", "--data", data, "--team", "t", "--since", since.flag, "-o", "json")
		var got counts
		if err := json.Unmarshal([]byte(stdout), &got); err != nil || status != 0 || got.Count != since.want {
			t.Fatalf("since %s: status %d, %s%s; want %d", since.flag, status, stdout, stderr, since.want)
		}
		if since.want > 0 && (len(got.Operations) != 1 || got.Operations[0].Operation != "part_analysis" ||
			len(got.Operations[0].Keys) != 1 || got.Operations[0].Keys[0].Name != "n") {
			t.Errorf("since %s: %s, want the analyses of the one key", since.flag, stdout)
		}
	}
	stdout, _, _ := millwright(t, "usage", "--data", data, "--team", "t", "--since", "1h")
	if !strings.Contains(stdout, "part_analysis") || !strings.Contains(stdout, "total since") {
		t.Errorf("usage in words:\n%s", stdout)
	}
	stdout, _, _ = millwright(t, "usage", "--data", data, "--team", "t", "--since", "1h", "--by", "day")
	if !strings.Contains(stdout, time.Now().UTC().Format(time.DateOnly)+"  part_analysis") {
		t.Errorf("usage by day:\n%s", stdout)
	}
	wantQuotas(t, data)
	for flag, want := range map[string]string{"yesterday": "neither a day", "-5h": "neither a day"} {
		_, stderr, status := millwright(t, "usage", "--data", data, "--team", "t", "--since="+flag)
		if status != exitUsage || !strings.Contains(stderr, want) {
			t.Errorf("--since %s: status %d, %s", flag, status, stderr)
		}
	}
}

// wantQuotas checks the quotas in the usage of a team with a part.
func wantQuotas(t *testing.T, data string) {
	t.Helper()
	args := []string{
		"usage", "--data", data, "--team", "t", "--since", "1h", "--quota-bytes", "1000", "--quota-projects", "20",
	}
	stdout, stderr, _ := millwright(t, append(args, "-o", "json")...)
	var got struct{ Quotas []quotaUsage }
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || len(got.Quotas) != 3 {
		t.Fatalf("%s%s, %v; want three quotas", stdout, stderr, err)
	}
	bytes, projects, queued := got.Quotas[0], got.Quotas[1], got.Quotas[2]
	if bytes.Quota != "bytes" || bytes.Use == 0 || bytes.Limit == nil || *bytes.Limit != 1000 ||
		projects.Quota != "projects" || projects.Limit == nil || *projects.Limit != 20 ||
		queued.Quota != "queued" || queued.Limit != nil {
		t.Errorf("%s: want 1000 bytes of which some are used, 20 projects, and no bound of queued jobs", stdout)
	}
	stdout, _, _ = millwright(t, args...)
	if !regexp.MustCompile(`bytes +\d+ +1000\n`).MatchString(stdout) || !strings.Contains(stdout, "none") {
		t.Errorf("quotas in words:\n%s", stdout)
	}
	if _, stderr, status := millwright(t, append(args, "--quota-queued=-1")...); status != exitUsage {
		t.Errorf("a negative quota: status %d, %s", status, stderr)
	}
}

// TestKeysShowUpNowhere sends requests to every operation with keys in their place and out of place, and
// looks for the keys in all answers and in all that the service logs.
func TestKeysShowUpNowhere(t *testing.T) {
	whole(t)
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data)
	active := newKey(t, data)
	expired := keyCommand(t, data, "create", "--team", "t", "--name", "n", "--expires", "1ms").Key
	narrow := keyCommand(t, data, "create", "--team", "t", "--name", "n", "--access", "core=read").Key
	revoked := keyCommand(t, data, "create", "--team", "t", "--name", "n")
	keyCommand(t, data, "revoke", revoked.ID)
	typo := active[:len(active)-1] + map[bool]string{true: "b", false: "a"}[strings.HasSuffix(active, "a")]
	keys := []string{active, expired, narrow, revoked.Key, typo}
	for _, op := range served(t, p) {
		for _, key := range keys {
			for _, r := range op.requests(p.base, key, active) {
				resp, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				if err != nil {
					t.Fatal(err)
				}
				answer := string(body) + fmt.Sprint(resp.Header)
				if resp.StatusCode >= 500 {
					t.Errorf("%s %s: %s %s", r.Method, op.path, resp.Status, body)
				}
				if i := slices.IndexFunc(keys, func(k string) bool { return strings.Contains(answer, k) }); i >= 0 {
					t.Errorf("%s %s answers with key %d: %s", r.Method, op.path, i, answer)
				}
			}
		}
	}
	p.kill()
	for i, key := range keys {
		if strings.Contains(p.log.String(), key) {
			t.Errorf("key %d is in the log:\n%s", i, p.log)
		}
	}
}

// servedOperation is one of the interface description.
type servedOperation struct{ method, path string }

func served(t *testing.T, p *process) []servedOperation {
	t.Helper()
	doc := get[struct{ Paths map[string]map[string]any }](t, p.client(""), "/v1/openapi.json")
	var out []servedOperation
	for path, methods := range doc.Paths {
		for method := range methods {
			out = append(out, servedOperation{strings.ToUpper(method), path})
		}
	}
	if len(out) < 10 {
		t.Fatalf("%d operations are served", len(out))
	}
	return out
}

// requests returns requests with a key in the right place, and in all wrong places along with a key that has access.
func (op servedOperation) requests(base, key, active string) []*http.Request {
	const unknown = "00000000-0000-7000-8000-000000000000"
	fill := func(id string) string {
		segments := strings.Split(op.path, "/")
		for i, s := range segments {
			if strings.HasPrefix(s, "{") {
				segments[i] = id
			}
		}
		return base + strings.Join(segments, "/")
	}
	build := func(url, auth, body string, header http.Header) *http.Request {
		r, err := http.NewRequest(op.method, url, strings.NewReader(body))
		if err != nil {
			panic(err) // the addresses are our own
		}
		r.Header = header.Clone()
		r.Header.Set("Authorization", auth)
		r.Header.Set("Content-Type", "application/json")
		return r
	}
	bearer := "Bearer " + active
	out := []*http.Request{
		build(fill(unknown), "Bearer "+key, `{"fileName":"a.step"}`, http.Header{}),
		build(fill(unknown), "Basic "+key, `{}`, http.Header{}),
		build(fill(unknown), key, `{}`, http.Header{}),
		build(fill(key), bearer, `{}`, http.Header{}),
		build(fill(unknown)+"/"+key, bearer, `{}`, http.Header{}),
		build(fill(unknown)+"?key="+key+"&jobId="+key+"&page="+key+"&featureIds="+key+"&status="+key, bearer, `{}`,
			http.Header{"Idempotency-Key": {key}, "Cookie": {"key=" + key}, "Origin": {"https://" + key}}),
	}
	for _, body := range []string{
		`{"fileName":"` + key + `.txt"}`, `{"` + key + `":1}`, `{"fileName":"a.step","projectId":"` + key + `"}`,
		`{"fileName":"a.step","cutConfigIds":["` + key + `"]}`, `{"featureIds":["` + key + `"]}`, key,
	} {
		out = append(out, build(fill(unknown), bearer, body, http.Header{}))
	}
	odd := build(fill(unknown), bearer, `{}`, http.Header{"Content-Type": {key}})
	odd.Header.Set("Content-Type", key)
	other := build(fill(unknown), bearer, `{}`, http.Header{})
	other.Method = key
	return append(out, odd, other)
}

func TestAccessFlag(t *testing.T) {
	for text, want := range map[string]accessFlag{
		"core=write":                         {Core: account.LevelWrite},
		" dfm=read , quoting=none ":          {DFM: account.LevelRead},
		"core=none,dfm=write,quoting=read":   {DFM: account.LevelWrite, Quoting: account.LevelRead},
		"core=write,dfm=write,quoting=write": accessFlag(account.FullAccess),
		"quoting=read,dfm=none,core=read":    {Core: account.LevelRead, Quoting: account.LevelRead},
	} {
		var got accessFlag
		if err := got.UnmarshalText([]byte(text)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "core", "core=", "=read", "core=read,", "core=READ"} {
		var got accessFlag
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}

// TestLookingCreatesNothing runs every maintenance command with a missing folder and checks that it is not created.
func TestLookingCreatesNothing(t *testing.T) {
	whole(t)
	empty := t.TempDir()
	for _, args := range [][]string{
		{"key", "list", "--team", "t"}, {"key", "revoke", "id"}, {"key", "grant", "id", "--no-origins"},
		{"usage", "--team", "t", "--since", "1h"}, {"job", "list", "--team", "t"},
		{"job", "cancel", "id"}, {"job", "retry", "id"},
	} {
		for _, data := range []string{filepath.Join(empty, "wrong"), empty} {
			_, stderr, status := millwright(t, append(args, "--data", data)...)
			if status != exitFailed || !strings.Contains(stderr, "there are no records in "+data) {
				t.Errorf("%v: status %d, %s", args, status, stderr)
			}
		}
	}
	if left, err := os.ReadDir(empty); err != nil || len(left) > 0 {
		t.Errorf("made %v, %v", left, err)
	}
}
