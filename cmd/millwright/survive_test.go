package main

import (
	"bytes"
	"os"
	"testing"
	"time"

	"millwright.dev/millwright/bench/partarray"
)

// jobs is a page of the job list.
type jobs struct {
	Items []struct{ JobUUID, Status string }
	Total int
}

// slowPart is a part whose analysis takes long enough to be killed in the middle: copies of the bundled one.
func slowPart(t *testing.T) []byte {
	t.Helper()
	copies := 8
	if testing.Short() {
		copies = 2 // under the race detector that is slow enough
	}
	part, err := partarray.New(examplePart)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := part.Write(&text, copies); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

// awaitRunning waits until the part's job is in the hands of a worker.
func awaitRunning(t *testing.T, c *exampleClient, part string) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		switch list := get[jobs](t, c, "/v1/jobs?partId="+part); list.Items[0].Status {
		case "running":
			return
		case "queued":
		default:
			t.Fatalf("the job is %s before it could be killed", list.Items[0].Status)
		}
	}
	t.Fatal("no worker takes the job")
}

// oneResult checks that the part became ready by exactly one successful job with one result.
func oneResult(t *testing.T, c *exampleClient, part string) {
	t.Helper()
	state := await(t, c, part, "ready", "failed")
	if state.Data.Status != "ready" {
		t.Fatalf("part ended %+v", state.Data)
	}
	list := get[jobs](t, c, "/v1/jobs?partId="+part)
	if list.Total != 1 || list.Items[0].Status != "succeeded" {
		t.Errorf("jobs %+v, want one that succeeded", list)
	}
	type result struct{ ReportID, JobID string }
	latest := get[result](t, c, "/v1/parts/"+part)
	named := get[result](t, c, "/v1/parts/"+part+"?jobId="+state.Data.JobID)
	if latest != named || latest.JobID != state.Data.JobID {
		t.Errorf("results %+v and %+v of job %s", latest, named, state.Data.JobID)
	}
}

func TestJobSurvivesTheDeathOfItsWorker(t *testing.T) {
	whole(t)
	onEachStore(t, jobSurvivesTheDeathOfItsWorker)
}

func jobSurvivesTheDeathOfItsWorker(t *testing.T) {
	part, data := slowPart(t), t.TempDir()
	p := serve(t, data, "--workers", "0")
	c := p.client(newKey(t, data))
	doomed := start(t, "worker", "--data", data, "--lease", "2s")
	id := submit(t, c, "box.stp", part)
	awaitRunning(t, c, id)
	doomed.kill()
	start(t, "worker", "--data", data, "--lease", "2s")
	oneResult(t, c, id)
}

func TestJobSurvivesTheDeathOfTheService(t *testing.T) {
	whole(t)
	onEachStore(t, jobSurvivesTheDeathOfTheService)
}

func jobSurvivesTheDeathOfTheService(t *testing.T) {
	part, data := slowPart(t), t.TempDir()
	p := serve(t, data, "--lease", "2s")
	key := newKey(t, data)
	id := submit(t, p.client(key), "box.stp", part)
	awaitRunning(t, p.client(key), id)
	p.kill()
	oneResult(t, serve(t, data, "--lease", "2s").client(key), id)
}

func TestServiceStopsInGoodOrder(t *testing.T) { onEachStore(t, serviceStopsInGoodOrder) }

func serviceStopsInGoodOrder(t *testing.T) {
	part, data := slowPart(t), t.TempDir()
	p := serve(t, data)
	key := newKey(t, data)
	id := submit(t, p.client(key), "box.stp", part)
	awaitRunning(t, p.client(key), id)
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("interrupted service: %v\n%s", err, p.log)
	}
	oneResult(t, serve(t, data).client(key), id) // the job was given back: no lease has to run out
}
