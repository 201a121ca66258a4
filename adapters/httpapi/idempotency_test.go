package httpapi_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/part"
)

// once sends a request with an Idempotency-Key.
func (h *harness) once(key, method, path string, body any) reply {
	h.t.Helper()
	return h.send(h.key, method, path, body, http.Header{"Idempotency-Key": {key}})
}

func wantProblem(t *testing.T, what string, r reply, status int, code string) {
	t.Helper()
	var p struct{ Code, Detail string }
	r.decode(t, &p)
	ends := strings.HasSuffix(p.Detail, ".") || strings.HasSuffix(p.Detail, " meant?")
	if r.StatusCode != status || p.Code != code || !ends {
		t.Errorf("%s: %s %s, want %d %s and a sentence", what, r.Status, r.body, status, code)
	}
}

func wantSame(t *testing.T, what string, got, want reply) {
	t.Helper()
	if got.StatusCode != want.StatusCode || !bytes.Equal(got.body, want.body) ||
		got.Header.Get("Content-Type") != want.Header.Get("Content-Type") {
		t.Errorf("%s: %s %s, want %s %s", what, got.Status, got.body, want.Status, want.body)
	}
	if l := got.Header.Get("Location"); l != "" {
		t.Errorf("%s has Location %s", what, l)
	}
}

func TestRepeatedCreation(t *testing.T) {
	h := newHarnessWith(t, cube, app.Config{Parts: part.Config{CreateInterval: time.Hour}}, nil)
	name := map[string]any{"fileName": "a.stp"}
	first := h.once("k", "POST", "/parts", name)
	if first.StatusCode != http.StatusCreated || first.Header.Get("Location") == "" {
		t.Fatalf("first: %s %s, want 201 with Location", first.Status, first.body)
	}
	again := h.once("k", "POST", "/parts", name)
	wantSame(t, "repetition", again, first)
	if again.Header.Get("RateLimit") != "" {
		t.Error("a repetition took a slot")
	}
	wantProblem(t, "another body", h.once("k", "POST", "/parts", map[string]any{"fileName": "b.stp"}),
		409, "idempotency_key_reused")
	wantProblem(t, "invalid before reused", h.once("k", "POST", "/parts", map[string]any{}), 400, "invalid_request")
	wantProblem(t, "the other face is another path", h.once("k", "POST", "/v1/parts", name), 429, "rate_limited")
	wantProblem(t, "without a key", h.do("POST", "/parts", name), 429, "rate_limited")
	wantProblem(t, "empty", h.once("", "POST", "/parts", name), 400, "invalid_request")
	wantProblem(t, "too long", h.once(strings.Repeat("k", 256), "POST", "/parts", name), 400, "invalid_request")
	bad := http.Header{"Idempotency-Key": {"k"}}
	wantProblem(t, "no API key", h.send("", "POST", "/parts", name, bad), 401, "missing_api_key")
	reader := h.newKey("acme", account.AccessGrid{Core: account.LevelRead})
	wantProblem(t, "no right", h.send(reader, "POST", "/parts", name, bad), 403, "read_only_key")
	wantSame(t, "after all that", h.once("k", "POST", "/parts", name), first)
}

// TestStoredResponses sends the same request again after each kind of answer.
func TestStoredResponses(t *testing.T) {
	h := newHarness(t, cube)
	const unknown = "00000000-0000-7000-8000-000000000000"
	var made struct{ Data struct{ ID string } }
	h.do("POST", "/parts", map[string]any{"fileName": "a.stp"}).decode(t, &made)
	complete := "/parts/" + made.Data.ID + "/complete"

	gone := h.once("k", "POST", "/parts/"+unknown+"/complete", nil)
	wantProblem(t, "unknown part", gone, 404, "not_found")
	wantSame(t, "404 again", h.once("k", "POST", "/parts/"+unknown+"/complete", nil), gone)

	early := h.once("early", "POST", complete, nil)
	wantProblem(t, "no upload", early, 409, "part_not_uploaded")
	id := h.upload([]byte("a cube"))
	done := h.once("done", "POST", "/parts/"+id+"/complete", nil)
	if done.StatusCode != http.StatusAccepted {
		t.Fatalf("complete: %s %s", done.Status, done.body)
	}
	h.waitJob()
	wantSame(t, "the first answer, though the part is ready by now",
		h.once("done", "POST", "/parts/"+id+"/complete", nil), done)
	wantProblem(t, "another body where none is read",
		h.once("done", "POST", "/parts/"+id+"/complete", map[string]any{"a": 1}), 409, "idempotency_key_reused")

	wantProblem(t, "refused", h.once("fix", "POST", "/parts", map[string]any{"fileName": "a.txt"}),
		400, "unsupported_format")
	if r := h.once("fix", "POST", "/parts", map[string]any{"fileName": "a.stp"}); r.StatusCode != 201 {
		t.Errorf("corrected, with the same key: %s %s, want 201", r.Status, r.body)
	}
	wantProblem(t, "too large a body", h.once("large", "POST", "/parts/"+id+"/complete",
		bytes.Repeat([]byte(" "), 1<<20+1)), 413, "payload_too_large")
}

// failingStore fails the first writes after they happened, as when the connection is lost at the commit.
type failingStore struct {
	app.Store
	failures atomic.Int64
}

func (s *failingStore) CreatePart(ctx context.Context, p part.Part, terms part.CreateTerms) error {
	err := s.Store.CreatePart(ctx, p, terms)
	if s.failures.Add(-1) >= 0 {
		return errors.Join(errors.New("connection lost"), err)
	}
	return err
}

// TestFailureResponseIsNotStored repeats a creation that was written but answered 500: it makes no second part
// and takes no second slot.
func TestFailureResponseIsNotStored(t *testing.T) {
	failing := &failingStore{}
	paced := app.Config{Parts: part.Config{CreateInterval: time.Hour}}
	h := newHarnessWith(t, cube, paced, func(s app.Store) app.Store {
		failing.Store = s
		return failing
	})
	failing.failures.Store(1)
	name := map[string]any{"fileName": "a.stp"}
	wantProblem(t, "the store fails", h.once("k", "POST", "/parts", name), 500, "internal_error")
	again := h.once("k", "POST", "/parts", name)
	if again.StatusCode != http.StatusCreated {
		t.Fatalf("again: %s %s, want 201", again.Status, again.body)
	}
	wantSame(t, "third time", h.once("k", "POST", "/parts", name), again)
}

// stallingStore blocks creations until proceed is closed.
type stallingStore struct {
	app.Store
	begun, proceed chan struct{}
}

func (s *stallingStore) CreatePart(ctx context.Context, p part.Part, terms part.CreateTerms) error {
	s.begun <- struct{}{}
	<-s.proceed
	return s.Store.CreatePart(ctx, p, terms)
}

func TestRepeatedRequestDuringFirst(t *testing.T) {
	stalling := &stallingStore{begun: make(chan struct{}, 1), proceed: make(chan struct{})}
	h := newHarnessWith(t, cube, app.Config{}, func(s app.Store) app.Store {
		stalling.Store = s
		return stalling
	})
	name := map[string]any{"fileName": "a.stp"}
	var first reply
	var sending sync.WaitGroup
	sending.Go(func() { first = h.once("k", "POST", "/v1/parts", name) })
	<-stalling.begun
	wantProblem(t, "meanwhile", h.once("k", "POST", "/v1/parts", name), 409, "idempotency_in_progress")
	wantProblem(t, "another body meanwhile", h.once("k", "POST", "/v1/parts", map[string]any{"fileName": "b.stp"}),
		409, "idempotency_key_reused")
	close(stalling.proceed)
	sending.Wait()
	if first.StatusCode != http.StatusCreated {
		t.Fatalf("first: %s %s", first.Status, first.body)
	}
	wantSame(t, "afterwards", h.once("k", "POST", "/v1/parts", name), first)
}

// TestEveryWriteTakesAnIdempotencyKey reads the description: writes with an area name the header and 409.
func TestEveryWriteTakesAnIdempotencyKey(t *testing.T) {
	h := newHarness(t, cube)
	var d struct {
		Paths map[string]map[string]struct {
			Product    string `json:"x-product"`
			Parameters []struct{ Name, In string }
			Responses  map[string]any
		}
	}
	h.doAs("", "GET", "/v1/openapi.json", nil).decode(t, &d)
	for path, methods := range d.Paths {
		for method, op := range methods {
			want := method != "get" && op.Product != "public"
			named := false
			for _, p := range op.Parameters {
				named = named || p.Name == "Idempotency-Key" && p.In == "header"
			}
			if _, has := op.Responses["409"]; named != want || want && !has {
				t.Errorf("%s %s: names the header: %v, 409: %v; want both %v", method, path, named, has, want)
			}
		}
	}
}
