package service_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"millwright/adapters/objects/local"
	"millwright/adapters/sql/eachstore"
	"millwright/adapters/toollib"
	"millwright/core/service"
	"millwright/core/service/servicetest"
)

func TestOnPostgreSQL(t *testing.T) { eachstore.OnPostgreSQL(t, ".") }

// world is the use cases on the embedded adapters, with two teams.
type world struct {
	*service.Service
	t       *testing.T
	clock   *servicetest.Clock
	store   eachstore.Store
	objects *local.Objects
	rung    []service.Wake
	acme    service.Caller
	rival   service.Caller
}

var start = time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)

const maxUpload = 1000 // bytes

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, clock: servicetest.NewClock(start)}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.objects.Handler().ServeHTTP(rw, r)
	}))
	t.Cleanup(server.Close)
	w.store = eachstore.Open(t)
	var err error
	w.objects, err = local.Open(local.Options{Dir: t.TempDir(), BaseURL: server.URL, Clock: w.clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.objects.Close() })
	w.Service, err = service.New(service.Ports{
		Store: w.store, Objects: w.objects, Tools: toollib.Reader{}, Clock: w.clock,
		Ring: func(_ context.Context, k service.Wake) { w.rung = append(w.rung, k) },
	}, service.Config{MaxUpload: maxUpload})
	if err != nil {
		t.Fatal(err)
	}
	w.acme, w.rival = w.caller("acme"), w.caller("rival")
	return w
}

// caller makes a team with a key and returns who holds it.
func (w *world) caller(team string) service.Caller {
	w.t.Helper()
	key, err := w.CreateKey(w.t.Context(), service.CreateKeyInput{Team: team, Name: "test"})
	if err != nil {
		w.t.Fatal(err)
	}
	c, err := w.Authenticate(w.t.Context(), key.Text)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func (w *world) newPart(c service.Caller) service.CreatedPart {
	w.t.Helper()
	p, err := w.CreatePart(w.t.Context(), c, service.CreatePartInput{FileName: "Bracket Ø5.STEP"})
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// send uploads a file to its signed address.
func (w *world) send(to service.SignedURL, content string) {
	w.t.Helper()
	if status := w.put(to, content); status != http.StatusOK {
		w.t.Fatalf("upload: status %d", status)
	}
}

// put tries an upload and returns the status of the answer.
func (w *world) put(to service.SignedURL, content string) int {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), to.Method, to.URL, strings.NewReader(content))
	if err != nil {
		w.t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	_ = res.Body.Close()
	return res.StatusCode
}

func (w *world) uploaded(c service.Caller) service.Part {
	w.t.Helper()
	created := w.newPart(c)
	w.send(created.Upload, "ISO-10303-21;")
	return created.Part
}

func (w *world) completed(c service.Caller) service.Part {
	w.t.Helper()
	part, err := w.CompleteUpload(w.t.Context(), c, w.uploaded(c).ID)
	if err != nil {
		w.t.Fatal(err)
	}
	return part
}

// lease takes the part's latest job as a worker would.
func (w *world) lease(part service.Part) (service.Job, service.Fence) {
	w.t.Helper()
	job, _, err := w.store.LeaseNext(w.t.Context(), service.WorkFilter{}, service.Lease{
		Worker: "w", Now: w.clock.Now(), Until: w.clock.Now().Add(time.Minute),
	})
	if err != nil || job.ID != part.JobID {
		w.t.Fatalf("LeaseNext = %+v, %v; want job %s", job, err, part.JobID)
	}
	return job, service.Fence{JobID: job.ID, Token: job.Token}
}

// wantCode checks that an error is a refusal with a code and a sentence.
func wantCode(t *testing.T, what string, err error, want service.Code) {
	t.Helper()
	var refusal *service.Error
	if !errors.As(err, &refusal) || refusal.Code != want {
		t.Errorf("%s: %v, want code %s", what, err, want)
		return
	}
	if !strings.HasSuffix(refusal.Detail, ".") || len(refusal.Detail) < 10 {
		t.Errorf("%s: detail %q is not a sentence", what, refusal.Detail)
	}
}
