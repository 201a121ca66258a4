package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

var adminLine = regexp.MustCompile(`admin=(127\.\S+)`)

// admin is the address of the admin listener of a service.
func (p *process) admin() string {
	p.t.Helper()
	m := adminLine.FindStringSubmatch(p.log.String())
	if m == nil {
		p.t.Fatalf("no admin address in the log:\n%s", p.log)
	}
	return "http://" + m[1]
}

// fetch gets an address and returns its status and body; 0 when nothing answers.
func fetch(t *testing.T, url string) (int, string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// eventually waits for a condition.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("it does not happen that %s", what)
}

func TestRunningJobEndsBeforeTheServiceDoes(t *testing.T) {
	t.Parallel()
	part, data := slowPart(t), t.TempDir()
	p := serve(t, data, "--admin", "127.0.0.1:0", "--notice", "2s", "--drain", "60s")
	key := newKey(t, data)
	if status, body := fetch(t, p.admin()+"/readyz"); status != http.StatusOK {
		t.Errorf("readyz = %d %s", status, body)
	}
	c := p.client(key)
	id := submit(t, c, "slow.stp", part)
	waiting := submitLater(t, c)
	awaitRunning(t, c, id)
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	eventually(t, "readyz says that the service stops", func() bool {
		status, body := fetch(t, p.admin()+"/readyz")
		return status == http.StatusServiceUnavailable && strings.Contains(body, "stopping")
	})
	if status, _ := fetch(t, p.admin()+"/healthz"); status != http.StatusOK {
		t.Errorf("healthz = %d while stopping, want 200", status)
	}
	if status, body := fetch(t, p.base+"/health"); status != http.StatusOK {
		t.Errorf("a request during the notice: %d %s", status, body)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("the service ended with %v\n%s", err, p.log)
	}
	next := serve(t, data, "--role", "api").client(key)
	state := get[partState](t, next, "/parts/"+id)
	if state.Data.Status != "ready" {
		t.Errorf("the running job was not finished: %+v\n%s", state.Data, p.log)
	}
	if state := get[partState](t, next, "/parts/"+waiting); state.Data.Status != "processing" {
		t.Errorf("the waiting job: %+v, want it untouched", state.Data)
	}
}

// submitLater queues a part behind the running job.
func submitLater(t *testing.T, c *exampleClient) string {
	t.Helper()
	return submit(t, c, exampleName, examplePart)
}

func TestSecondSignalEndsAtOnce(t *testing.T) {
	whole(t)
	t.Parallel()
	part, data := slowPart(t), t.TempDir()
	p := serve(t, data, "--drain", "300s")
	c := p.client(newKey(t, data))
	awaitRunning(t, c, submit(t, c, "slow.stp", part))
	for range 2 {
		if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the service begins to stop", func() bool { return strings.Contains(p.log.String(), "stopping") })
	}
	err := p.cmd.Wait()
	if state := p.cmd.ProcessState.Sys().(syscall.WaitStatus); !state.Signaled() {
		t.Errorf("the service ended with %v, want it killed by the second signal\n%s", err, p.log)
	}
}

func TestJobsOutOfTimeAreGivenBack(t *testing.T) {
	whole(t)
	t.Parallel()
	part, data := slowPart(t), t.TempDir()
	p := serve(t, data, "--drain", "0s")
	key := newKey(t, data)
	id := submit(t, p.client(key), "slow.stp", part)
	awaitRunning(t, p.client(key), id)
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil || !strings.Contains(p.log.String(), "event=given_back") {
		t.Errorf("the service ended with %v, want the job given back\n%s", err, p.log)
	}
	oneResult(t, serve(t, data).client(key), id)
}

func TestRolesAndOperators(t *testing.T) {
	whole(t)
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data, "--role", "api", "--log-format", "text")
	key := newKey(t, data)
	c := p.client(key)
	id := submit(t, c, exampleName, examplePart)
	job := get[partState](t, c, "/parts/"+id).Data.JobID
	job2 := get[partState](t, c, "/parts/"+submitLater(t, c)).Data.JobID
	out := command(t, "job", "cancel", job, "--data", data, "-o", "json")
	var record struct{ ID, Status, FailureCode string }
	if err := json.Unmarshal([]byte(out), &record); err != nil || record.Status != "failed" ||
		record.FailureCode != "cancelled" {
		t.Errorf("job cancel printed %s", out)
	}
	start(t, "serve", "--role", "worker", "--data", data, "--jobs", "part_processing", "--classes", "small,medium")
	eventually(t, "the worker ends the other job", func() bool {
		return get[struct{ Status string }](t, c, "/v1/jobs/"+job2).Status == "succeeded"
	})
	if got := get[struct{ Status, Error string }](t, c, "/v1/jobs/"+job); got.Status != "failed" ||
		!strings.Contains(got.Error, "cancelled") {
		t.Errorf("the cancelled job = %+v", got)
	}
	command(t, "job", "retry", job, "--data", data)
	await(t, c, id, "ready")
	if out := command(t, "job", "list", "--team", "t", "--data", data); strings.Count(out, "succeeded") != 2 {
		t.Errorf("job list printed\n%s", out)
	}
}

func TestLogsAndMetricsOfRequests(t *testing.T) {
	data := t.TempDir()
	p := start(t, "serve", "--listen", "127.0.0.1:0", "--data", data, "--admin", "127.0.0.1:0", "--log-format", "json")
	type line struct{ Msg, Address, Admin, Request, Method, Route, Team, Key string }
	logged := func(match func(line) bool) (found line) {
		t.Helper()
		eventually(t, "a line is logged", func() bool {
			for text := range strings.Lines(p.log.String()) {
				var l line
				if json.Unmarshal([]byte(text), &l) == nil && match(l) {
					found = l
					return true
				}
			}
			return false
		})
		return found
	}
	serving := logged(func(l line) bool { return l.Msg == "serving" })
	p.base = serving.Address
	key := newKey(t, data)
	c := p.client(key)
	result, err := c.push(t.Context(), exampleName, examplePart)
	if err != nil {
		t.Fatal(err)
	}
	got := logged(func(l line) bool { return l.Route == "/v1/parts/{id}" && l.Method == "GET" })
	if got.Msg != "request" || len(got.Request) < 8 || got.Team == "" || got.Key == "" {
		t.Errorf("access log: %+v", got)
	}
	text := p.log.String()
	for _, secret := range []string{key, key[16:], result.PartID + "/source", "signature=", "sig="} {
		if strings.Contains(text, secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
	status, metrics := fetch(t, "http://"+serving.Admin+"/metrics")
	if status != http.StatusOK {
		t.Fatalf("metrics: %d", status)
	}
	for _, want := range []string{
		`millwright_http_requests_total{method="GET",route="/v1/parts/{id}",status="200"}`,
		`millwright_attempts_total{outcome="committed",product="part_processing"} 1`,
		`millwright_stage_seconds_count{product="part_processing",stage="kernel"} 1`,
		`millwright_stage_seconds_count{product="part_processing",stage="upload"} 1`,
		`millwright_kernel_runs_total{device="cpu"} 1`, "millwright_backlog_read 1",
		`millwright_port_call_seconds_count{call="commit",port="store"} 1`, "go_goroutines", "process_cpu_seconds_total",
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
	if t.Failed() {
		for lines := bufio.NewScanner(strings.NewReader(metrics)); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "millwright") && !strings.Contains(lines.Text(), "bucket") {
				fmt.Println(lines.Text())
			}
		}
	}
}

// command runs a command of the program to its end and returns its output.
func command(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command(os.Args[0], args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}
