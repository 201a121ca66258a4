// Package apptest provides the use cases on the embedded adapters for tests.
package apptest

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/objects/local"
	"millwright.dev/millwright/adapters/sql/storematrix"
	"millwright.dev/millwright/adapters/toollib"
	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record/recordtest"
)

// World is the use cases on the embedded adapters, with two teams.
type World struct {
	*app.UseCases
	t       *testing.T
	Clock   *recordtest.Clock
	Store   storematrix.Store
	Objects *local.Objects
	Rung    []job.WakeUp
	Acme    account.Caller
	Rival   account.Caller
}

// Start is when a world begins.
var Start = time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)

// MaxUpload is the size of the largest file, bytes.
const MaxUpload = 1000

// New opens an empty world.
func New(t *testing.T) *World {
	t.Helper()
	w := &World{t: t, Clock: recordtest.NewClock(Start)}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.Objects.Handler().ServeHTTP(rw, r)
	}))
	t.Cleanup(server.Close)
	w.Store = storematrix.Open(t)
	var err error
	w.Objects, err = local.Open(local.Options{Dir: t.TempDir(), BaseURL: server.URL, Clock: w.Clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Objects.Close() })
	ports := app.On(w.Store, w.Objects)
	ports.Tools, ports.Clock = toollib.Reader{}, w.Clock
	ports.Ring = func(_ context.Context, k job.WakeUp) { w.Rung = append(w.Rung, k) }
	w.UseCases, err = app.New(ports, app.Config{Parts: part.Config{MaxUpload: MaxUpload}})
	if err != nil {
		t.Fatal(err)
	}
	w.Acme, w.Rival = w.Caller("acme"), w.Caller("rival")
	return w
}

// Other is the use cases as another process runs them on the same store, by the same clock.
func (w *World) Other(config app.Config) *app.UseCases {
	w.t.Helper()
	return w.on(w.Store, config)
}

// Replicas returns processes with separate stores on one database.
func (w *World) Replicas(n int, config app.Config) []*app.UseCases {
	w.t.Helper()
	var out []*app.UseCases
	for _, store := range storematrix.OpenSeveral(w.t, n) {
		out = append(out, w.on(store, config))
	}
	return out
}

func (w *World) on(store app.Store, config app.Config) *app.UseCases {
	w.t.Helper()
	ports := app.On(store, w.Objects)
	ports.Clock = w.Clock
	use, err := app.New(ports, config)
	if err != nil {
		w.t.Fatal(err)
	}
	return use
}

// Caller creates a team with a key and returns the key's caller.
func (w *World) Caller(team string) account.Caller {
	w.t.Helper()
	key, err := w.Accounts.CreateKey(w.t.Context(), account.CreateKeyInput{Team: team, Name: "test"})
	if err != nil {
		w.t.Fatal(err)
	}
	c, err := w.Accounts.Authenticate(w.t.Context(), key.Text)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

// NewPart creates a part of the caller.
func (w *World) NewPart(c account.Caller) part.Created {
	w.t.Helper()
	p, err := w.Parts.Create(w.t.Context(), c, part.CreateInput{FileName: "Bracket Ø5.STEP"})
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// Send uploads a file to its signed address.
func (w *World) Send(to object.SignedURL, content string) {
	w.t.Helper()
	if status := w.Put(to, content); status != http.StatusOK {
		w.t.Fatalf("upload: status %d", status)
	}
}

// Put tries an upload and returns the status of the answer.
func (w *World) Put(to object.SignedURL, content string) int {
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

// Uploaded is a part whose file is uploaded.
func (w *World) Uploaded(c account.Caller) part.Part {
	w.t.Helper()
	created := w.NewPart(c)
	w.Send(created.Upload, "ISO-10303-21;")
	return created.Part
}

// Completed is a part whose first job waits.
func (w *World) Completed(c account.Caller) part.Part {
	w.t.Helper()
	p, err := w.Parts.CompleteUpload(w.t.Context(), c, w.Uploaded(c).ID)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// Lease takes the part's latest job as a worker would.
func (w *World) Lease(p part.Part) (job.Job, job.FencingToken) {
	w.t.Helper()
	leased, _, err := w.Store.LeaseNext(w.t.Context(), job.WorkFilter{}, job.Lease{
		Worker: "w", Now: w.Clock.Now(), Until: w.Clock.Now().Add(time.Minute),
	})
	if err != nil || leased.ID != p.JobID {
		w.t.Fatalf("LeaseNext = %+v, %v; want job %s", leased, err, p.JobID)
	}
	return leased, job.FencingToken{JobID: leased.ID, Token: leased.Token}
}

// WantCode checks that an error is a refusal with a code and a sentence.
func WantCode(t *testing.T, what string, err error, want apierr.Code) {
	t.Helper()
	var refused *apierr.Error
	if !errors.As(err, &refused) || refused.Code != want {
		t.Errorf("%s: %v, want code %s", what, err, want)
		return
	}
	if !strings.HasSuffix(refused.Detail, ".") || len(refused.Detail) < 10 {
		t.Errorf("%s: detail %q is not a sentence", what, refused.Detail)
	}
}
