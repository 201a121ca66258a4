package httpapi_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright/adapters/httpapi"
	objects "millwright/adapters/objects/local"
	"millwright/adapters/sql/eachstore"
	"millwright/core/fault"
	"millwright/core/geom"
	"millwright/core/service"
	"millwright/core/service/servicetest"
	"millwright/core/stage"
)

// readers are two APIs on one store: one that answers from memory where it can, and one that never does. Writes go to
// the store of another process as well.
type readers struct {
	t          tester
	clock      *servicetest.Clock
	stores     []eachstore.Store
	service    *service.Service
	recalling  http.Handler
	forgetting http.Handler
	lookUps    atomic.Int64 // of keys, by the first: none for an answer from memory

	team   []team
	keys   []service.CreatedKey
	jobs   []service.Job
	parts  []string
	fences map[service.Fence]service.Job // that run
}

// tester is a test, or one run of a random one.
type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

type team struct{ id, name string }

// countedStore counts look-ups of keys; forgetfulStore cannot say its version.
type countedStore struct {
	service.Store
	n *atomic.Int64
}

func (s countedStore) KeyByHash(ctx context.Context, hash [32]byte) (service.Key, error) {
	s.n.Add(1)
	return s.Store.KeyByHash(ctx, hash)
}

type forgetfulStore struct{ service.Store }

func (forgetfulStore) Version(context.Context) (string, error) { return "", errors.New("not told") }

func newReaders(t *testing.T) *readers {
	t.Helper()
	r := &readers{
		t: t, clock: servicetest.NewClock(time.Date(2026, 11, 3, 9, 30, 0, 0, time.UTC)),
		stores: eachstore.OpenSeveral(t, 2),
	}
	objs, err := objects.Open(objects.Options{Dir: t.TempDir(), BaseURL: "http://127.0.0.1/objects", Clock: r.clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = objs.Close() })
	api := func(s service.Store) (*service.Service, http.Handler) {
		svc, err := service.New(service.Ports{Store: s, Objects: objs, Clock: r.clock}, service.Config{})
		if err != nil {
			t.Fatal(err)
		}
		return svc, httpapi.New(svc, httpapi.Config{BaseURL: "http://127.0.0.1", Logger: slog.New(slog.DiscardHandler)})
	}
	r.service, r.recalling = api(countedStore{r.stores[0], &r.lookUps})
	_, r.forgetting = api(forgetfulStore{r.stores[0]})
	return r
}

func (r *readers) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatalf("unexpected error: %v", err)
	}
}

// start makes teams that nothing else knows, with a key each that may do everything.
func (r *readers) start(t tester) {
	r.t, r.team, r.keys, r.jobs, r.parts = t, nil, nil, nil, nil
	r.fences = map[service.Fence]service.Job{}
	for range 2 {
		name := uuid.NewString()
		r.newKey(service.CreateKeyInput{Team: name, Name: "all", AllowedOrigins: []string{"https://a.example"}})
		r.team = append(r.team, team{r.keys[len(r.keys)-1].Key.TeamID, name})
	}
}

func (r *readers) newKey(in service.CreateKeyInput) {
	made, err := r.service.CreateKey(context.Background(), in)
	r.must(err)
	r.keys = append(r.keys, made)
}

// get sends one request to an API.
func (r *readers) get(h http.Handler, path, key, origin string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(http.MethodGet, path, nil)
	req.Header.Set("Authorization", "Bearer "+key)
	if origin != "" {
		req.Header.Set("Origin", origin)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return w
}

// compare asks both APIs the same.
func (r *readers) compare(path, key, origin string) {
	r.t.Helper()
	got, want := r.get(r.recalling, path, key, origin), r.get(r.forgetting, path, key, origin)
	got.Header().Del("Content-Length") // of an answer from memory it is known
	same := got.Code == want.Code && got.Body.String() == want.Body.String()
	if !same || !reflect.DeepEqual(got.Header(), want.Header()) {
		r.t.Fatalf("GET %s from %q:\n%d %v %s\nwithout memory:\n%d %v %s", path, origin,
			got.Code, got.Header(), got.Body, want.Code, want.Header(), want.Body)
	}
}

// steps are the writes of clients, workers, the reaper and the operator.
var steps = map[string]func(r *readers, s service.Store, pick func(n int) int){
	"new part": func(r *readers, s service.Store, pick func(int) int) {
		p := service.Part{
			ID: uuid.NewString(), TeamID: r.team[pick(len(r.team))].id, FileName: "a.step", Status: service.PartPending,
			ProgramIDs: []string{}, CutConfigIDs: []string{}, CreatedAt: r.clock.Now(), UpdatedAt: r.clock.Now(),
		}
		r.must(s.CreatePart(context.Background(), p, service.Pace{}))
		r.parts = append(r.parts, p.ID)
		r.enqueue(s, p)
	},
	"lease": func(r *readers, s service.Store, pick func(int) int) {
		j, _, err := s.LeaseNext(context.Background(), service.WorkFilter{}, service.Lease{
			Worker: "w", Now: r.clock.Now(), Until: r.clock.Now().Add(time.Hour),
		})
		if !errors.Is(err, service.ErrNotAvailable) {
			r.must(err)
			r.fences[service.Fence{JobID: j.ID, Token: j.Token}] = j
		}
	},
	"progress": func(r *readers, s service.Store, pick func(int) int) {
		percent := pick(101)
		for f := range r.fences {
			r.must(s.Heartbeat(context.Background(), f, r.clock.Now().Add(time.Hour), &percent, r.clock.Now()))
		}
	},
	"commit": func(r *readers, s service.Store, pick func(int) int) {
		for f, j := range r.fences {
			report := r.report(j)
			r.must(s.Commit(context.Background(), f, service.Outcome{Report: &report}, r.clock.Now()))
			delete(r.fences, f)
		}
	},
	"fail": func(r *readers, s service.Store, pick func(int) int) {
		for f := range r.fences {
			why := fault.Error{Code: fault.NoSolid, Reason: "There is no solid."}
			r.must(s.Fail(context.Background(), f, why, r.clock.Now()))
			delete(r.fences, f)
		}
	},
	"delete": func(r *readers, s service.Store, pick func(int) int) {
		ended, err := s.Expire(context.Background(), r.clock.Now().Add(time.Second), r.clock.Now(), 10)
		r.must(err)
		for _, p := range ended {
			if pick(2) == 0 { // else it stays marked
				r.must(s.DeletePart(context.Background(), p.Part.ID))
			}
		}
	},
	"new key": func(r *readers, s service.Store, pick func(int) int) {
		end := r.clock.Now().Add(time.Duration(1+pick(3)) * 400 * time.Millisecond)
		r.newKey(service.CreateKeyInput{
			Team: r.team[pick(len(r.team))].name, Name: "more", ExpiresAt: &end,
			Access: &service.AccessGrid{Core: service.LevelRead, DFM: service.Level(pick(3))},
		})
	},
	"revoke": func(r *readers, s service.Store, pick func(int) int) {
		if pick(3) == 0 {
			_, err := s.RevokeKey(context.Background(), r.keys[pick(len(r.keys))].Key.ID, r.clock.Now())
			r.must(err)
		}
	},
	"grant": func(r *readers, s service.Store, pick func(int) int) {
		_, err := s.GrantKey(context.Background(), r.keys[pick(len(r.keys))].Key.ID, service.Grant{
			Access:         &service.AccessGrid{Core: service.LevelRead, DFM: service.Level(pick(3))},
			AllowedOrigins: []string{"https://a.example", "https://b.example"}[pick(2):],
		})
		r.must(err)
	},
	"time passes": func(r *readers, s service.Store, pick func(int) int) {
		r.clock.Advance(time.Duration(1+pick(10)) * 100 * time.Millisecond)
	},
	"nothing": func(*readers, service.Store, func(int) int) {},
}

func (r *readers) enqueue(s service.Store, p service.Part) {
	j := service.Job{
		ID: uuid.NewString(), TeamID: p.TeamID, PartID: p.ID, Product: service.ProductPartProcessing,
		Status: service.JobQueued, Warnings: []string{}, DueAt: r.clock.Now(), CreatedAt: r.clock.Now(),
		UpdatedAt: r.clock.Now(),
	}
	_, err := s.Enqueue(context.Background(), j, service.EnqueueTerms{SourceSize: 1})
	r.must(err)
	r.jobs = append(r.jobs, j)
}

func (r *readers) report(j service.Job) service.Report {
	stl := service.ObjectRef{Bucket: "millwright-results", Key: "parts/" + j.ID + "/mesh.stl"}
	return service.Report{
		ID: uuid.NewString(), TeamID: j.TeamID, PartID: j.PartID, JobID: j.ID, STL: stl, CreatedAt: r.clock.Now(),
		Analysis: stage.Analysis{
			Shape:   stage.Shape{Format: "step"},
			Regions: []stage.Region{{ShapeKind: "Plane", Area: 100, TriangleEnd: 2}}, Warnings: []string{},
			Recognition: stage.Recognition{
				CandidateDirections: []geom.Vec3{{Z: 1}},
				Features: []stage.PartFeature{{
					FeatureID: uuid.NewString(), FeatureTag: "ab12", RegionIdxs: []int{0}, FeatureType: "Face",
				}},
			},
		},
	}
}

// end leaves no job to the next run.
func (r *readers) end() {
	for _, j := range r.jobs {
		_, err := r.stores[0].Cancel(context.Background(), j.ID, fault.Error{Code: "x", Reason: "x"}, r.clock.Now())
		if !errors.Is(err, service.ErrEnded) && !errors.Is(err, service.ErrNotFound) {
			r.must(err)
		}
	}
}

// questions are what may be asked now.
func (r *readers) questions() []string {
	out := []string{
		"/jobs", "/v1/jobs", "/v1/jobs?status=running", "/v1/jobs?pageSize=1&page=2", "/v1/jobs?page=0",
		"/v1/parts/" + uuid.NewString(),
	}
	for _, id := range r.parts {
		out = append(out, "/parts/"+id, "/v1/parts/"+id, "/v1/parts/"+id+"/features")
	}
	for _, j := range r.jobs {
		out = append(out, "/v1/jobs/"+j.ID, "/v1/parts/"+j.PartID+"?jobId="+j.ID)
	}
	return out
}
