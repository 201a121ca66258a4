package httpapi_test

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"millwright/adapters/httpapi"
	"millwright/adapters/sql/eachstore"
	"millwright/core/service"
)

func TestRecallOnPostgreSQL(t *testing.T) {
	eachstore.OnPostgreSQL(t, "^TestRecall(ChangesNoAnswer|IsNeverBehind)$")
}

func TestRecallChangesNoAnswer(t *testing.T) {
	r := newReaders(t)
	names := slices.Sorted(maps.Keys(steps))
	var asked int64
	rapid.Check(t, func(t *rapid.T) {
		r.start(t)
		defer r.end()
		pick := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "pick") }
		path, key, origin := "/v1/jobs", r.keys[0].Text, ""
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			step := rapid.SampledFrom(names).Draw(t, "step")
			steps[step](r, r.stores[pick(len(r.stores))], pick)
			r.compare(path, key, origin) // as before the step
			path, key = rapid.SampledFrom(r.questions()).Draw(t, "question"), r.keys[pick(len(r.keys))].Text
			origin = []string{"", "https://a.example", "https://b.example"}[pick(3)]
			for range 2 {
				r.compare(path, key, origin)
			}
			asked += 3
		}
	})
	if looked := r.lookUps.Load(); looked > asked*3/4 || looked == 0 {
		t.Errorf("%d of %d answers were worked out anew", looked, asked)
	}
}

// Whoever was told of a change, by whatever process, reads it: the memory is not behind for a moment.
func TestRecallIsNeverBehind(t *testing.T) {
	r := newReaders(t)
	r.start(t)
	here, there := r.stores[0], r.stores[1]
	steps["new part"](r, here, func(int) int { return 0 })
	steps["lease"](r, here, nil)
	job, key := r.jobs[0], r.keys[0]
	var told atomic.Int64
	var ending, revoked atomic.Bool
	var all sync.WaitGroup
	for i := range 4 {
		path := []string{"/v1/jobs", "/v1/jobs/" + job.ID}[i%2]
		all.Go(func() {
			for !t.Failed() {
				was, percent := revoked.Load(), told.Load()
				w := r.get(r.recalling, path, key.Text, "")
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
		for f := range r.fences {
			store := []service.Store{here, there}[percent%2]
			r.must(store.Heartbeat(t.Context(), f, r.clock.Now().Add(time.Hour), &percent, r.clock.Now()))
		}
		told.Store(int64(percent))
	}
	ending.Store(true) // from now on both answers are right, until the revocation is told
	_, err := there.RevokeKey(t.Context(), key.Key.ID, r.clock.Now())
	r.must(err)
	revoked.Store(true)
	if w := r.get(r.recalling, "/v1/jobs", key.Text, ""); w.Code != http.StatusUnauthorized {
		t.Errorf("after the revocation: %d %s", w.Code, w.Body)
	}
	all.Wait()
}

// What the time ends is not answered from memory: a key that expires, and signed addresses after their second.
func TestRecallEndsWithTime(t *testing.T) {
	r := newReaders(t)
	r.start(t)
	none := func(int) int { return 0 }
	for _, step := range []string{"new part", "lease", "commit", "new key"} { // the key lives 400 ms
		steps[step](r, r.stores[0], none)
	}
	lasting, short := r.keys[0].Text, r.keys[len(r.keys)-1].Text
	result, jobs := "/v1/parts/"+r.parts[0], "/v1/jobs"
	for _, c := range []struct {
		name      string
		after     time.Duration // since the row before
		path, key string
		status    int
		lookUps   int64
	}{
		{"a result", 0, result, lasting, http.StatusOK, 1},
		{"again", 0, result, lasting, http.StatusOK, 0},
		{"a list with a key that expires soon", 0, jobs, short, http.StatusOK, 1},
		{"again", 0, jobs, short, http.StatusOK, 0},
		{"before the key expires", 399 * time.Millisecond, jobs, short, http.StatusOK, 0},
		{"when it does", time.Millisecond, jobs, short, http.StatusUnauthorized, 1},
		{"a list", 0, jobs, lasting, http.StatusOK, 1},
		{"a result at the end of the second", 599 * time.Millisecond, result, lasting, http.StatusOK, 0},
		{"in the next second", time.Millisecond, result, lasting, http.StatusOK, 1},
		{"a list much later", time.Hour, jobs, lasting, http.StatusOK, 0},
	} {
		r.clock.Advance(c.after)
		before := r.lookUps.Load()
		if w := r.get(r.recalling, c.path, c.key, ""); w.Code != c.status || r.lookUps.Load()-before != c.lookUps {
			t.Errorf("%s: %d %s, the key was looked up %d times; want %d and %d",
				c.name, w.Code, w.Body, r.lookUps.Load()-before, c.status, c.lookUps)
		}
		r.compare(c.path, c.key, "")
	}
}

// progressOf is the progress that an answer shows of the job, or of the only one in the list.
func progressOf(t *testing.T, w *httptest.ResponseRecorder) int64 {
	var job struct {
		Progress *int64
		Items    []struct{ Progress *int64 }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &job); err != nil {
		t.Errorf("%v: %s", err, w.Body)
	}
	if len(job.Items) == 1 {
		job.Progress = job.Items[0].Progress
	}
	if job.Progress == nil {
		return 0
	}
	return *job.Progress
}

// An answer from memory is told to observers like any other, and has a request id of its own.
func TestRecallIsObserved(t *testing.T) {
	r := newReaders(t)
	r.start(t)
	seen := &exchanges{}
	h := httpapi.Observe(r.recalling, seen)
	first, second := r.get(h, "/v1/jobs", r.keys[0].Text, ""), r.get(h, "/v1/jobs", r.keys[0].Text, "")
	if n := r.lookUps.Load(); n != 1 {
		t.Errorf("the key was looked up %d times for two requests", n)
	}
	if a, b := first.Header().Get("X-Request-ID"), second.Header().Get("X-Request-ID"); a == b || b == "" {
		t.Errorf("request ids %q and %q", a, b)
	}
	if len(seen.all) != 2 {
		t.Fatalf("%d requests were observed", len(seen.all))
	}
	a, b := seen.all[0], seen.all[1]
	a.RequestID, b.RequestID, a.Took, b.Took = "", "", 0, 0
	if a != b || b.TeamID != r.team[0].id || b.Route != "/v1/jobs" || b.Bytes == 0 {
		t.Errorf("observed %+v and, from memory, %+v", a, b)
	}
}

type exchanges struct{ all []httpapi.Exchange }

func (*exchanges) Begin(r *http.Request) context.Context { return r.Context() }

func (e *exchanges) End(_ context.Context, x httpapi.Exchange) { e.all = append(e.all, x) }
