package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"millwright.dev/millwright/core/pipeline"
)

// TestMain makes the test binary act as millwright. Called with a command instead of test flags it is the program, so
// that tests can start it, and it can start its own children.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-test.") {
		main()
		os.Exit(0)
	}
	_ = os.Setenv("GORACE", "halt_on_error=1") // of the programs that tests start: a race ends them, and the test fails
	os.Exit(m.Run())
}

// whole marks tests of the program's results. Short mode, which the race detector uses, skips them and keeps the tests
// with much concurrency in a process.
func whole(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("left to the run without -short")
	}
}

// patience is the time limit of every wait in these tests; none should come near it.
const patience = 5 * time.Minute

// process is a running millwright.
type process struct {
	t    *testing.T
	cmd  *exec.Cmd
	base string // address of a service
	log  *lockedBuffer
}

var servingLine = regexp.MustCompile(`address=(https?://\S+)`)

// start runs a command of the program and kills it when the test ends.
func start(t *testing.T, args ...string) *process {
	t.Helper()
	log := &lockedBuffer{grown: make(chan struct{}, 1)}
	p := &process{t: t, cmd: exec.Command(os.Args[0], args...), log: log}
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	return p
}

// serve starts a service on a free port, without a pace unless args set one, and waits until it listens.
func serve(t *testing.T, data string, args ...string) *process {
	t.Helper()
	usual := []string{"serve", "--listen", "127.0.0.1:0", "--data", data, "--create-interval", "0"}
	return serving(t, append(usual, args...)...)
}

// serving is start of a service, which listens when it returns.
func serving(t *testing.T, args ...string) *process {
	t.Helper()
	p := start(t, args...)
	p.base = p.says(servingLine)
	return p
}

// says waits until the process has printed a line and returns the first group of the pattern.
func (p *process) says(line *regexp.Regexp) string {
	p.t.Helper()
	deadline := time.After(patience)
	for {
		if m := line.FindStringSubmatch(p.log.String()); m != nil {
			return m[1]
		}
		select {
		case <-p.log.grown:
		case <-deadline:
			p.t.Fatalf("the process does not print %s:\n%s", line, p.log)
		}
	}
}

// kill ends the process as kill -9 does.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	_ = p.cmd.Wait()         // an error only reports that it was killed
	if strings.Contains(p.log.String(), "DATA RACE") {
		p.t.Errorf("the process has a race:\n%s", p.log)
	}
}

// newKey makes an API key on the data folder through the command line.
func newKey(t *testing.T, data string) string {
	t.Helper()
	out, err := exec.Command(os.Args[0],
		"key", "create", "--data", data, "--team", "t", "--name", "n", "-o", "json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var key struct{ Key, ID, Prefix string }
	if err := json.Unmarshal(out, &key); err != nil || !strings.HasPrefix(key.Key, key.Prefix) || key.ID == "" {
		t.Fatalf("key create printed %s (%v)", out, err)
	}
	return key.Key
}

func TestKeyCreatePrintsTheKeyAloneOnStdout(t *testing.T) {
	out, err := exec.Command(os.Args[0], "key", "create", "--data", t.TempDir(), "--team", "t", "--name", "n").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^mw_live_[0-9A-Za-z]+\n$`).Match(out) {
		t.Errorf("stdout is %q, want the key and nothing else", out)
	}
}

func TestVersionNamesTheKernel(t *testing.T) {
	out, err := exec.Command(os.Args[0], "version", "-o", "json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var v versionRecord
	if err := json.Unmarshal(out, &v); err != nil || v.Kernel != pipeline.KernelVersion || v.Go == "" || v.Version == "" {
		t.Errorf("version printed %s (%v)", out, err)
	}
}

func (p *process) client(key string) *exampleClient {
	return &exampleClient{base: p.base, key: key, http: http.DefaultClient}
}

// get decodes a JSON answer.
func get[T any](t *testing.T, c *exampleClient, path string) T {
	t.Helper()
	var out T
	if _, err := c.call(t.Context(), http.MethodGet, path, nil, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// partState is the tested part of a part record.
type partState struct {
	Data struct {
		ID            string
		Status        string
		FailureCode   string
		FailureReason string
		JobID         string
	}
}

// submit uploads and completes a part without a program, and does not wait for it.
func submit(t *testing.T, c *exampleClient, name string, data []byte) string {
	t.Helper()
	return submitAs(t, c, map[string]any{"fileName": name, "autoCreateProgram": false}, data)
}

// submitAs is submit of a part that the body of the creation describes.
func submitAs(t *testing.T, c *exampleClient, body map[string]any, data []byte) string {
	t.Helper()
	var created struct {
		Data   struct{ ID string }
		Upload struct {
			URL     string
			Headers map[string]string
		}
	}
	_, err := c.call(t.Context(), http.MethodPost, "/parts", body, &created)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.upload(t.Context(), created.Upload.URL, created.Upload.Headers, data); err != nil {
		t.Fatal(err)
	}
	_, err = c.call(t.Context(), http.MethodPost, "/parts/"+created.Data.ID+"/complete", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return created.Data.ID
}

// await polls the part until its status is one of the wanted.
func await(t *testing.T, c *exampleClient, id string, wanted ...string) partState {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		part := get[partState](t, c, "/parts/"+id)
		for _, w := range wanted {
			if part.Data.Status == w {
				return part
			}
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			t.Fatalf("part is %s, want %v", part.Data.Status, wanted)
		}
	}
}

func TestExampleShowsTheResultAndKeepsTheKeyInAFile(t *testing.T) {
	data := t.TempDir()
	keyFile := filepath.Join(data, exampleKeyFile)
	if err := os.WriteFile(keyFile, []byte("of a run before\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := start(t, "serve", "--listen", "127.0.0.1:0", "--data", data, "--log-level", "warn", "--example")
	p.says(regexp.MustCompile(`(Serving at .* press Ctrl-C)`))
	key, err := os.ReadFile(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(keyFile); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key file is %v (%v), want mode 0600", info.Mode(), err)
	}
	text := p.log.String()
	if strings.Contains(text, strings.TrimSpace(string(key))) || strings.Contains(text, "level=INFO") {
		t.Errorf("the output has the key or lines of requests:\n%s", text)
	}
	for _, want := range []string{"29 features", "Hole      diameter ", "0 gouges, 0 collisions", "KEY=$(cat '" + keyFile + "')"} {
		if !strings.Contains(text, want) {
			t.Errorf("the output lacks %q:\n%s", want, text)
		}
	}
	addresses := regexp.MustCompile(`https?://[^'\s/]+/[^'\s;]+`).FindAllString(text, -1)
	link := slices.IndexFunc(addresses, func(a string) bool { return strings.Contains(a, "/portal/welcome#token=") })
	if len(addresses) != 7 || link < 0 {
		t.Fatalf("the output has %d addresses with a path, want 7 with a link to the portal:\n%s", len(addresses), text)
	}
	addresses = slices.Delete(addresses, link, link+1)
	for _, address := range addresses[:6] { // the last is "Serving at"
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(address, "/objects/") {
			req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(key)))
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if err := finish(resp, nil); err != nil {
			t.Error(err)
		}
	}
}

func TestExamplePartGoesThroughTheService(t *testing.T) {
	data := t.TempDir()
	p := serve(t, data)
	c := p.client(newKey(t, data))
	result, err := c.push(t.Context(), exampleName, examplePart)
	if err != nil {
		t.Fatal(err)
	}
	features, err := c.details(t.Context(), result.PartID)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Regions) == 0 || len(features) == 0 || len(result.CandidateDirections) == 0 {
		t.Errorf("result has %d regions, %d features, %d directions", len(result.Regions), len(features),
			len(result.CandidateDirections))
	}
	for name, want := range map[string]string{result.ThumbnailURL: "\x89PNG", result.MeshGlbURL: "glTF"} {
		resp, err := http.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		head, err := bufio.NewReader(resp.Body).Peek(len(want))
		_ = resp.Body.Close()
		if err != nil || string(head) != want {
			t.Errorf("%s starts with %q (%v), want %q", name, head, err, want)
		}
	}
	summary := result.summary(features)
	for _, want := range []string{exampleName, "Hole      diameter "} {
		if !strings.Contains(summary, want) {
			t.Errorf("the summary lacks %q:\n%s", want, summary)
		}
	}
}

func TestBadFilesEndFailedWithASentence(t *testing.T) {
	whole(t)
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data)
	c := p.client(newKey(t, data))
	testdata := filepath.Join("..", "..", "adapters", "cad", "step", "testdata")
	wireframe, err := os.ReadFile(filepath.Join(testdata, "wireframe.step"))
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []struct {
		name, code, reason string
		data               []byte
	}{
		{"text", "unreadable_file", "", []byte("Dear workshop, please find the part attached.\n")},
		{"empty", "unreadable_file", "empty", nil},
		{"truncated", "unreadable_file", "cut off", examplePart[:len(examplePart)*2/3]},
		{"spaces", "unreadable_file", "", bytes.Repeat([]byte{' '}, 8<<20)},
		{"wireframe", "no_solid", "", wireframe},
	} {
		t.Run(bad.name, func(t *testing.T) {
			part := await(t, c, submit(t, c, bad.name+".step", bad.data), "failed", "ready")
			if part.Data.Status != "failed" || part.Data.FailureCode != bad.code {
				t.Errorf("got %+v, want failed with %s", part.Data, bad.code)
			}
			if r := part.Data.FailureReason; !strings.HasSuffix(r, ".") || !strings.Contains(r, bad.reason) {
				t.Errorf("reason %q is no sentence with %q", r, bad.reason)
			}
		})
	}
	if _, err := c.push(t.Context(), exampleName, examplePart); err != nil {
		t.Errorf("after the bad files a good one fails: %v", err)
	}
}

// lockedBuffer collects a process's log and signals its growth.
type lockedBuffer struct {
	mu    sync.Mutex
	b     bytes.Buffer
	grown chan struct{}
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.grown <- struct{}{}:
	default:
	}
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
