package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/httpapi"
	objects "millwright.dev/millwright/adapters/objects/local"
	queue "millwright.dev/millwright/adapters/queue/local"
	"millwright.dev/millwright/adapters/sql/sqlite"
	"millwright.dev/millwright/adapters/toollib"
	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/worker"
)

// harness is the API over real HTTP on the embedded adapters, with a kernel that the test scripts.
type harness struct {
	t      *testing.T
	server *httptest.Server
	use    *app.UseCases
	store  *sqlite.Store
	ended  chan worker.Event // jobs that ended
	key    string            // of team "acme", full access

	stopping context.Context // ends with stop
	stop     context.CancelFunc
}

// pngHeader simulates a thumbnail.
var pngHeader = []byte("\x89PNG\r\n\x1a\nthumbnail")

// cube is a kernel that finds one planar region and one hole in any file.
func cube(_ context.Context, _ *pipelinetest.Request, progress func(int, string)) (*pipelinetest.Output, error) {
	progress(50, "working")
	return &pipelinetest.Output{
		Analysis: pipeline.Analysis{
			KernelVersion: "test",
			Shape:         pipeline.Shape{Format: "step"},
			MeshFacts:     pipeline.MeshFacts{MeshPointCount: 4, MeshTriangleCount: 2},
			Regions:       []pipeline.Region{{Idx: 0, ShapeKind: "Plane", Area: 100, TriangleEnd: 2}},
			Recognition: pipeline.Recognition{
				PartSummary: pipeline.PartSummary{
					CandidateDirections: []geom.Vec3{{Z: 1}},
					Setups:              []pipeline.Setup{{Index: 1, Direction: geom.Vec3{Z: 1}, FeatureTags: []string{"00ff"}}},
					FeatureGroups:       []pipeline.FeatureGroup{{FeatureTags: []string{"00ff", "00ff"}, Label: "2 × ⌀6", Pattern: "linear"}},
					Unmachined:          []pipeline.Unmachined{{RegionIdxs: []int{0}, FeatureTag: "00ff", Area: 12, Reason: "undercut"}},
				},
				Holes: []pipeline.HoleSummary{{FeatureTag: "00ff", Diameter: 5, Depth: 100}},
				Features: []pipeline.PartFeature{
					{FeatureTag: "00ff", FeatureType: "Hole", RegionIdxs: []int{0}, MachiningDirection: geom.Vec3{Z: 1}},
				},
			},
		},
		Files: map[pipeline.Name]string{
			pipeline.STL: string(pngHeader), pipeline.GLB: string(pngHeader), pipeline.Thumbnail: string(pngHeader),
		},
	}, nil
}

func newHarness(t *testing.T, kernel pipelinetest.Kernel) *harness {
	t.Helper()
	return newHarnessWith(t, kernel, app.Config{}, nil)
}

// newHarnessWith has settings, and a store that wrap may put between the use cases and the database.
func newHarnessWith(
	t *testing.T, kernel pipelinetest.Kernel, config app.Config, wrap func(app.Store) app.Store,
) *harness {
	t.Helper()
	return newHarnessOn(t, kernel, config, wrap)
}

func newHarnessOn(
	t *testing.T, sandbox pipeline.Sandbox, config app.Config, wrap func(app.Store) app.Store,
) *harness {
	t.Helper()
	h := &harness{t: t, ended: make(chan worker.Event, 16)}
	h.stopping, h.stop = context.WithCancel(context.Background())
	t.Cleanup(h.stop)
	var handler http.Handler
	h.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(h.server.Close)
	dir := t.TempDir()
	var err error
	if h.store, err = sqlite.Open(t.Context(), filepath.Join(dir, "db")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.store.Close() })
	objs, err := objects.Open(objects.Options{
		Dir: filepath.Join(dir, "objects"), BaseURL: h.server.URL + "/objects",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = objs.Close() })
	seen := app.Store(h.store)
	if wrap != nil {
		seen = wrap(seen)
	}
	ports := app.On(seen, objs)
	var pool *worker.Pool
	ports.Tools, ports.Ring = toollib.Reader{}, func(ctx context.Context, w job.WakeUp) { pool.Notify(ctx, w) }
	h.use, err = app.New(ports, config)
	if err != nil {
		t.Fatal(err)
	}
	work := app.Workers(h.store, h.use)
	work.Queue, work.Objects, work.Sandbox, work.OnEvent = queue.New(), objs, sandbox, h.event
	pool, err = worker.New(work, worker.Config{RetryTime: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	api := httpapi.New(httpapi.UseCases(*h.use), httpapi.Config{
		BaseURL: h.server.URL, Logger: log, Stopping: h.stopping,
	})
	signed := httpapi.CrossOriginObjects(h.use.Accounts, log, objs.Handler())
	handler = httpapi.Observe(httpapi.Compressed(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/objects/") {
			signed.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	})))
	h.run(pool)
	h.key = h.newKey("acme", account.FullAccess)
	return h
}

func (h *harness) run(pool *worker.Pool) {
	ctx, stop := context.WithCancel(context.Background())
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		_ = pool.Run(ctx)
	}()
	h.t.Cleanup(func() {
		stop()
		<-stopped
	})
}

func (h *harness) event(e worker.Event) {
	if e.Kind == worker.Committed || e.Kind == worker.Failed {
		h.ended <- e
	}
}

func (h *harness) newKey(team string, access account.AccessGrid) string {
	h.t.Helper()
	created, err := h.use.Accounts.CreateKey(context.Background(), account.CreateKeyInput{
		Team: team, Name: "test", Access: &access,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return created.Text
}

// waitJob waits until one job has ended.
func (h *harness) waitJob() {
	h.t.Helper()
	const patience = 2 * time.Minute
	select {
	case <-h.ended:
	case <-time.After(patience):
		h.t.Fatal("no job ended")
	}
}

// reply is an answer with its body.
type reply struct {
	*http.Response
	body []byte
}

func (r reply) decode(t *testing.T, out any) {
	t.Helper()
	if err := json.Unmarshal(r.body, out); err != nil {
		t.Fatalf("decode %s: %v", r.body, err)
	}
}

// do sends a request with the harness's key to a path or an absolute address.
func (h *harness) do(method, path string, body any) reply { return h.doAs(h.key, method, path, body) }

func (h *harness) doAs(key, method, path string, body any) reply {
	h.t.Helper()
	return h.send(key, method, path, body, nil)
}

// direct is a client that shows where it is sent to and does not go there.
var direct = &http.Client{
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// send sends a request with more headers.
func (h *harness) send(key, method, path string, body any, header http.Header) reply {
	h.t.Helper()
	var content io.Reader
	switch b := body.(type) {
	case nil:
	case []byte:
		content = bytes.NewReader(b)
	default:
		data, err := json.Marshal(b)
		if err != nil {
			h.t.Fatal(err)
		}
		content = bytes.NewReader(data)
	}
	if path[0] == '/' {
		path = h.server.URL + path
	}
	req, err := http.NewRequest(method, path, content)
	if err != nil {
		h.t.Fatal(err)
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, values := range header {
		req.Header[name] = values
	}
	resp, err := direct.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return reply{resp, data}
}

// upload creates a part without a program, sends data and returns the part's id.
func (h *harness) upload(data []byte) string {
	h.t.Helper()
	return h.uploadAs(map[string]any{"fileName": "cube.step", "autoCreateProgram": false}, data)
}

// uploadAs is upload of a part that the body of the creation describes.
func (h *harness) uploadAs(body map[string]any, data []byte) string {
	h.t.Helper()
	var created struct {
		Data   struct{ ID string }
		Upload struct {
			URL     string
			Method  string
			Headers map[string]string
		}
	}
	r := h.do(http.MethodPost, "/parts", body)
	if r.StatusCode != http.StatusCreated {
		h.t.Fatalf("create: %s %s", r.Status, r.body)
	}
	r.decode(h.t, &created)
	req, err := http.NewRequest(created.Upload.Method, created.Upload.URL, bytes.NewReader(data))
	if err != nil {
		h.t.Fatal(err)
	}
	for k, v := range created.Upload.Headers {
		req.Header.Set(k, v)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		h.t.Fatalf("upload: %s", resp.Status)
	}
	return created.Data.ID
}
