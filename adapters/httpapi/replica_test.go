package httpapi_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright.dev/millwright/adapters/httpapi"
	objects "millwright.dev/millwright/adapters/objects/local"
	"millwright.dev/millwright/adapters/sql/storematrix"
	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record/recordtest"
	"millwright.dev/millwright/core/service/worker"
)

// replicas is two APIs on the same records, as in two processes.
type replicas struct {
	t      *testing.T
	clock  *recordtest.Clock
	stores []storematrix.Store
	use    []*app.UseCases
	api    []http.Handler
	key    account.CreatedKey
	job    job.Job // running
	fence  job.FencingToken
}

func newReplicas(t *testing.T) *replicas {
	t.Helper()
	r := &replicas{
		t: t, clock: recordtest.NewClock(time.Date(2026, 11, 3, 9, 30, 0, 0, time.UTC)),
		stores: storematrix.OpenSeveral(t, 2),
	}
	objs, err := objects.Open(objects.Options{Dir: t.TempDir(), BaseURL: "http://127.0.0.1/objects", Clock: r.clock})
	r.must(err)
	t.Cleanup(func() { _ = objs.Close() })
	for _, store := range r.stores {
		ports := app.On(store, objs)
		ports.Clock = r.clock
		use, err := app.New(ports, app.Config{})
		r.must(err)
		r.use = append(r.use, use)
		r.api = append(r.api, httpapi.New(httpapi.UseCases(*use), httpapi.Config{
			BaseURL: "http://127.0.0.1", Logger: slog.New(slog.DiscardHandler),
		}))
	}
	r.key, err = r.use[0].Accounts.CreateKey(t.Context(), account.CreateKeyInput{Team: "acme", Name: "test"})
	r.must(err)
	now := r.clock.Now()
	p := part.Part{
		ID: uuid.NewString(), TeamID: r.key.Key.TeamID, FileName: "a.step", Status: part.Pending,
		CreatedAt: now, UpdatedAt: now,
	}
	r.must(r.stores[0].CreatePart(t.Context(), p, part.CreateTerms{}))
	_, err = r.stores[0].Enqueue(t.Context(), job.Job{
		ID: uuid.NewString(), TeamID: p.TeamID, PartID: p.ID, Product: job.PartProcessing,
		Warnings: []fault.Warning{}, DueAt: now, CreatedAt: now, UpdatedAt: now,
	}, part.EnqueueOptions{SourceSize: 1})
	r.must(err)
	r.job, _, err = r.stores[1].LeaseNext(t.Context(), job.WorkFilter{}, job.Lease{
		Worker: "w", Now: now, Until: now.Add(time.Hour),
	})
	r.must(err)
	r.fence = job.FencingToken{JobID: r.job.ID, Token: r.job.Token}
	return r
}

func (r *replicas) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// get sends a request with the key to one of the replicas.
func (r *replicas) get(of int, path, ifNoneMatch string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(http.MethodGet, path, nil)
	req.Header.Set("Authorization", "Bearer "+r.key.Text)
	if ifNoneMatch != "" {
		req.Header.Set("If-None-Match", ifNoneMatch)
	}
	w := httptest.NewRecorder()
	r.api[of].ServeHTTP(w, req)
	return w
}

// commit ends the job with a report of one region.
func (r *replicas) commit() {
	r.t.Helper()
	report := part.AnalysisReport{
		ID: uuid.NewString(), TeamID: r.job.TeamID, PartID: r.job.PartID, JobID: r.job.ID, CreatedAt: r.clock.Now(),
		Objects: map[pipeline.Name]object.Ref{pipeline.STL: object.Ref{Bucket: "millwright-results", Key: "parts/" + r.job.ID + "/mesh.stl"}},
		Analysis: pipeline.Analysis{
			Shape:   pipeline.Shape{Format: "step"},
			Regions: []pipeline.Region{{ShapeKind: "Plane", Area: 100, TriangleEnd: 2}}, Warnings: []fault.Warning{},
			Recognition: pipeline.Recognition{PartSummary: pipeline.PartSummary{CandidateDirections: []geom.Vec3{{Z: 1}}}},
		},
	}
	r.must(r.stores[1].Commit(context.Background(), r.fence, worker.Outcome{Report: &report}, r.clock.Now()))
}

func TestReplicasOnPostgreSQL(t *testing.T) {
	storematrix.OnPostgreSQL(t, "^Test(ReadsAreNeverStale|RevokedKeyIsRefusedAtOnce)$")
}

// A client that was notified of a change, by any process, reads the change. A key revoked in one replica is refused by
// the other, also while requests share look-ups.
func TestReadsAreNeverStale(t *testing.T) {
	r := newReplicas(t)
	var told atomic.Int64
	var ending, revoked atomic.Bool
	var all sync.WaitGroup
	for i := range 6 {
		path := []string{"/v1/jobs", "/jobs?pageSize=5", "/v1/jobs/" + r.job.ID}[i%3]
		all.Go(func() {
			for !t.Failed() {
				was, percent := revoked.Load(), told.Load()
				w := r.get(i%2, path, "")
				if w.Code == http.StatusUnauthorized && ending.Load() {
					return
				}
				if w.Code != http.StatusOK || was {
					t.Errorf("GET %s answers %d, revoked: %v", path, w.Code, was)
					return
				}
				if got := progressOf(t, w); got < percent {
					t.Errorf("GET %s shows %d percent after %d", path, got, percent)
				}
			}
		})
	}
	for percent := range 101 {
		err := r.stores[percent%2].Heartbeat(t.Context(), r.fence, r.clock.Now().Add(time.Hour), &percent, r.clock.Now())
		r.must(err)
		told.Store(int64(percent))
	}
	ending.Store(true) // from here on both responses are valid, until the revocation is confirmed
	_, err := r.use[1].Accounts.RevokeKey(t.Context(), r.key.Key.ID)
	r.must(err)
	revoked.Store(true)
	all.Wait()
}

// A replica's cached responses do not outlive the key.
func TestRevokedKeyIsRefusedAtOnce(t *testing.T) {
	r := newReplicas(t)
	r.commit()
	paths := []string{"/v1/parts/" + r.job.PartID, "/parts/" + r.job.PartID, "/v1/jobs", "/v1/jobs/" + r.job.ID}
	tags := map[string]string{}
	for range 2 {
		for of := range r.api {
			for _, path := range paths {
				w := r.get(of, path, "")
				if w.Code != http.StatusOK {
					t.Errorf("GET %s of replica %d: %d %s", path, of, w.Code, w.Body)
				}
				tags[path] = w.Header().Get("ETag")
			}
		}
	}
	_, err := r.use[0].Accounts.RevokeKey(t.Context(), r.key.Key.ID)
	r.must(err)
	for _, path := range paths {
		for of := range r.api {
			if w := r.get(of, path, tags[path]); w.Code != http.StatusUnauthorized {
				t.Errorf("GET %s of replica %d after the revocation: %d %s", path, of, w.Code, w.Body)
			}
		}
	}
}

// progressOf is the progress that an answer shows of the job, or of the only one in the list.
func progressOf(t *testing.T, w *httptest.ResponseRecorder) int64 {
	var job struct {
		Progress *int64
		Items    []struct{ Progress *int64 }
	}
	reply{body: w.Body.Bytes()}.decode(t, &job)
	if len(job.Items) == 1 {
		job.Progress = job.Items[0].Progress
	}
	if job.Progress == nil {
		return 0
	}
	return *job.Progress
}

// A result has one name on all replicas, and the same bytes under it; its addresses live long enough yet.
func TestResultHasATag(t *testing.T) {
	r := newReplicas(t)
	path := "/v1/parts/" + r.job.PartID
	if w := r.get(0, path, "*"); w.Code != http.StatusNotFound || w.Header().Get("ETag") != "" {
		t.Errorf("before there is a result: %d %v", w.Code, w.Header())
	}
	r.commit()
	first := r.get(0, path, "")
	tag := first.Header().Get("ETag")
	if !strings.HasPrefix(tag, `W/"`) || first.Header().Get("Cache-Control") != "private, no-cache" {
		t.Errorf("headers %v", first.Header())
	}
	for _, c := range []struct {
		name, path, asked string
		after             time.Duration // since the row before
		status            int
	}{
		{"the tag", path, tag, 0, http.StatusNotModified},
		{"the same run by its job", path + "?jobId=" + r.job.ID, tag, 0, http.StatusNotModified},
		{"strong", path, strings.TrimPrefix(tag, "W/"), 0, http.StatusNotModified},
		{"one of several", path, `"a", ` + tag, 0, http.StatusNotModified},
		{"any", path, "*", 0, http.StatusNotModified},
		{"another", path, `"a"`, 0, http.StatusOK},
		{"none", path, "", 0, http.StatusOK},
		{"another part", "/v1/parts/" + uuid.NewString(), tag, 0, http.StatusNotFound},
		{"as long as the addresses are given out", path, tag, 5*time.Minute - time.Second, http.StatusNotModified},
		{"later", path, tag, time.Second, http.StatusOK},
	} {
		r.clock.Advance(c.after)
		for of := range r.api {
			w := r.get(of, c.path, c.asked)
			if w.Code != c.status || (w.Body.Len() == 0) != (c.status == http.StatusNotModified) {
				t.Errorf("%s, replica %d: %d %s, want %d", c.name, of, w.Code, w.Body, c.status)
			}
			same := w.Header().Get("ETag") == tag && (w.Body.Len() == 0 || w.Body.String() == first.Body.String())
			if w.Code != http.StatusNotFound && same != (c.name != "later") {
				t.Errorf("%s, replica %d: tag %s, %s\nfirst %s, %s", c.name, of, w.Header().Get("ETag"), w.Body, tag, first.Body)
			}
		}
	}
}
