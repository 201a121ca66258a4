package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"millwright.dev/millwright/compute"
)

func TestAddressThatCannotBeListenedOn(t *testing.T) {
	whole(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	for _, c := range []struct{ name, address, want string }{
		{"in use", taken.Addr().String(), "another program listens on " + taken.Addr().String() + " already"},
		{"no port", "localhost", "--listen localhost: "},
		{"elsewhere", "192.0.2.1:80", "this machine has no such address"},
	} {
		_, stderr, status := millwright(t, "serve", "--listen", c.address, "--data", t.TempDir())
		if status != exitFailed || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: status %d, %q; want one line with %q", c.name, status, stderr, c.want)
		}
	}
}

// TestWorkerThatCannotWork ends, also where requests could be served: idle, it would look as if it waited for work.
func TestWorkerThatCannotWork(t *testing.T) {
	data := t.TempDir()
	if err := os.WriteFile(filepath.Join(data, "work"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"worker"}, {"serve", "--listen", "127.0.0.1:0"}} {
		_, stderr, status := millwright(t, append(args, "--data", data)...)
		if status != exitFailed || !strings.Contains(stderr, "work: not a directory") {
			t.Errorf("%s: status %d, %q; want the folder in an error", args[0], status, stderr)
		}
	}
}

func TestTwentyPartsAtOnce(t *testing.T) { onEachStore(t, twentyPartsAtOnce) }

func twentyPartsAtOnce(t *testing.T) {
	parts := 20
	if testing.Short() {
		parts = 4
	}
	data := t.TempDir()
	p := serve(t, data, "--workers", "2")
	c := p.client(newKey(t, data))
	ids := make([]string, parts)
	var sending sync.WaitGroup
	for i := range parts {
		sending.Go(func() { ids[i] = submit(t, c, exampleName, examplePart) })
	}
	sending.Wait()
	for i, id := range ids {
		if part := await(t, c, id, "ready", "failed"); part.Data.Status != "ready" {
			t.Errorf("part %d: %+v", i, part)
		}
	}
}

func TestLateUploadIsRefused(t *testing.T) {
	whole(t)
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data)
	c := p.client(newKey(t, data))
	var created struct {
		Data   struct{ ID string }
		Upload struct{ URL string }
	}
	name := map[string]any{"fileName": exampleName, "autoCreateProgram": false}
	if _, err := c.call(t.Context(), http.MethodPost, "/parts", name, &created); err != nil {
		t.Fatal(err)
	}
	if err := c.upload(t.Context(), created.Upload.URL, nil, examplePart); err != nil {
		t.Fatal(err)
	}
	path := "/parts/" + created.Data.ID
	if _, err := c.call(t.Context(), http.MethodPost, path+"/complete", nil, nil); err != nil {
		t.Fatal(err)
	}
	err := c.upload(t.Context(), created.Upload.URL, nil, []byte("something else"))
	if err == nil || !strings.Contains(err.Error(), "409") {
		t.Errorf("late upload: %v, want 409", err)
	}
	await(t, c, created.Data.ID, "ready")
	if _, err := c.call(t.Context(), http.MethodPatch, path, nil, nil); err != nil {
		t.Fatal(err)
	}
	// The run queued now reads the completed file, not the late one.
	job := await(t, c, created.Data.ID, "ready", "failed").Data
	if job.Status != "ready" || job.FailureCode != "" {
		t.Errorf("after analysing again: %+v", job)
	}
}

// TestUncleanPathsGetProblems requests paths that http.ServeMux would redirect from the whole server.
func TestUncleanPathsGetProblems(t *testing.T) {
	whole(t)
	t.Parallel()
	p := serve(t, t.TempDir())
	for _, path := range []string{"//health", "/v1//jobs", "/objects//x", "/objects", "/objects/a/../b"} {
		resp, err := http.Get(p.base + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if want := `"type":"` + p.base + `/problems/not-found"`; err != nil || resp.StatusCode != 404 ||
			resp.Header.Get("Content-Type") != "application/problem+json" ||
			!strings.Contains(string(body), want) {
			t.Errorf("%s: %s %s %s, want %s", path, resp.Status, resp.Header.Get("Content-Type"), body, want)
		}
	}
}

// TestEndlessHeaders sends more headers than a request may have.
func TestEndlessHeaders(t *testing.T) {
	whole(t)
	t.Parallel()
	p := serve(t, t.TempDir())
	for size, want := range map[int]int{100 << 10: http.StatusOK, 200 << 10: http.StatusRequestHeaderFieldsTooLarge} {
		req, err := http.NewRequest(http.MethodGet, p.base+"/health", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Long", strings.Repeat("x", size))
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%d bytes: %s, want %d", size, resp.Status, want)
		}
	}
}

// TestSlowHeaders sends the beginning of a request and no more: the connection is closed in time.
func TestSlowHeaders(t *testing.T) {
	whole(t)
	t.Parallel()
	p := serve(t, t.TempDir())
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, "GET /health HTTP/1.1\r\nHost: x\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if answer, err := io.ReadAll(conn); err != nil || strings.Contains(string(answer), "200 OK") {
		t.Errorf("the half request was answered with %q, %v; want the connection closed", answer, err)
	}
}

// TestInterruptedAnalysis interrupts the program when the first of many files is done.
func TestInterruptedAnalysis(t *testing.T) {
	files := 40
	if testing.Short() {
		files = 8
	}
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "made", "here")
	args := []string{"analyze", "-o", "json", "--out", out}
	for i := range files {
		name := filepath.Join(dir, fmt.Sprintf("part%d.step", i))
		if err := os.WriteFile(name, examplePart, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	cmd := exec.Command(os.Args[0], args...)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(pipe)
	if _, err := lines.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	interrupted := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the status is looked at below
	if took := time.Since(interrupted); took > patience/10 {
		t.Errorf("the program took %v to end", took)
	}
	cancelled := strings.Count(string(rest), `"cancelled"`)
	if status := cmd.ProcessState.ExitCode(); status != exitFailed || cancelled < files/2 {
		t.Errorf("status %d, %d files cancelled, want most of %d:\n%.500s", status, cancelled, files, rest)
	}
	made, err := os.ReadDir(out)
	if want := 4 * (files - cancelled); err != nil || len(made) != want {
		t.Errorf("the output folder holds %d entries, %v; want 4 for each file that was done, %d",
			len(made), err, want)
	}
	if left := kernelsRunning(t); left > 0 {
		t.Errorf("%d child processes are left", left)
	}
}

// kernelsRunning counts the child processes of this program, also those with another parent by now.
func kernelsRunning(t *testing.T) int {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range lines {
		text, err := os.ReadFile(file)
		if err == nil && strings.HasPrefix(string(text), os.Args[0]+"\x00kernel\x00") { // an error: it has ended
			n++
		}
	}
	return n
}

func TestOutputFolderThatCannotBeMade(t *testing.T) {
	whole(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, status := millwright(t, "analyze", "--out", filepath.Join(file, "sub"), examplePath())
	if status != exitFailed || stdout != "" || !strings.Contains(stderr, "make the output folder") {
		t.Errorf("status %d, %q, %q; want a sentence about the folder", status, stdout, stderr)
	}
}

// TestDeviceOfAnalyze checks that the processor is always available, and that a missing graphics device is reported
// before any file is read.
func TestDeviceOfAnalyze(t *testing.T) {
	whole(t)
	for _, device := range []string{"auto", "cpu"} {
		if _, stderr, status := millwright(t, "analyze", "--device", device, examplePath()); status != 0 {
			t.Errorf("--device %s: status %d, %s", device, status, stderr)
		}
	}
	if engine, err := compute.New(compute.Options{Device: compute.GPU}); err == nil {
		engine.Close()
		t.Skip("this machine has a graphics device")
	}
	stdout, stderr, status := millwright(t, "analyze", "--device", "gpu", examplePath())
	if status != exitFailed || stdout != "" || !strings.Contains(stderr, "no graphics device") {
		t.Errorf("--device gpu: status %d, %q, %q", status, stdout, stderr)
	}
}
