package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"millwright.dev/millwright/bench/teststack"
)

// followupCmd measures jobs on a previously analyzed part, from the request to the end of the job: datasheets of two
// features, and another analysis with another tolerance. Two programs alternate, so that both run under the same
// machine load. Each has a separate store.
type followupCmd struct {
	File     string `arg:"" type:"existingfile" help:"STEP file."`
	Baseline string `type:"existingfile" help:"Another build of the program, measured in the same run."`
	Repeat   int    `default:"5" help:"Jobs of each kind; the fastest counts."`
	Timeout  string `default:"600s" help:"Time limit of one file."`
}

// Run prints a row for each kind of job.
func (c *followupCmd) Run() error {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "millwright-followup-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }() // temporary
	program, err := teststack.Build(ctx, folder)
	if err != nil {
		return err
	}
	programs := []string{program}
	if c.Baseline != "" {
		programs = append(programs, c.Baseline)
	}
	var clients []*follower
	for i, p := range programs {
		f, err := c.start(ctx, p, filepath.Join(folder, fmt.Sprint(i)))
		if err != nil {
			return err
		}
		defer f.server.Stop()
		clients = append(clients, f)
	}
	fmt.Printf("%-34s %12s %12s %8s\n", "JOB", "NOW ms", "BASELINE ms", "RATIO")
	for _, kind := range []struct {
		name string
		run  func(*follower, context.Context, int) (time.Duration, error)
	}{
		{"first analysis", (*follower).first},
		{"datasheets of two features", (*follower).datasheets},
		{"analysis with another tolerance", (*follower).again},
	} {
		best := make([]time.Duration, len(clients))
		for round := range c.Repeat {
			for i, f := range clients {
				took, err := kind.run(f, ctx, round)
				if err != nil {
					return fmt.Errorf("%s: %w", kind.name, err)
				}
				if best[i] == 0 || took < best[i] {
					best[i] = took
				}
			}
		}
		printPair(kind.name, best)
	}
	return nil
}

func printPair(name string, best []time.Duration) {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	fmt.Printf("%-34s %12.1f", name, ms(best[0]))
	if len(best) > 1 {
		fmt.Printf(" %12.1f %7.1fx", ms(best[1]), float64(best[1])/float64(best[0]))
	}
	fmt.Println()
}

// follower is a client of one program.
type follower struct {
	isOld  bool // it takes no tolerances
	server *teststack.Server
	key    string
	file   []byte
	part   string
	ids    []string // of two features
}

func (c *followupCmd) start(ctx context.Context, program, dir string) (*follower, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	f := &follower{isOld: program == c.Baseline}
	var err error
	if f.file, err = os.ReadFile(c.File); err != nil {
		return nil, err
	}
	out, err := exec.CommandContext(ctx, program, "key", "create", "--data", dir, "--team", "t", "--name", "n",
		"-o", "json").Output()
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	var made struct{ Key string }
	if err := json.Unmarshal(out, &made); err != nil {
		return nil, err
	}
	f.key = made.Key
	stack := &teststack.Stack{Name: teststack.Single, Flags: []string{"--data", dir}, Folder: dir}
	f.server, err = stack.Serve(ctx, program, "--create-interval", "0s", "--timeout", c.Timeout, "--memory", "12000")
	return f, err
}

// call sends a request with a body of JSON, or of a file to an absolute address, and decodes the answer.
func (f *follower) call(ctx context.Context, method, at string, body []byte, out any) error {
	address := f.server.Base + at
	if at == "" || at[0] != '/' {
		address = at
	}
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if address != at {
		req.Header.Set("Authorization", "Bearer "+f.key)
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return err
	}
	if resp.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("%s %s: %s %.300s", method, address, resp.Status, data)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(data, out)
}

// job sends a request that queues a job and waits for its end.
func (f *follower) job(ctx context.Context, method, at string, body []byte) (time.Duration, error) {
	begin := time.Now()
	var queued struct{ JobID string }
	if err := f.call(ctx, method, at, body, &queued); err != nil {
		return 0, err
	}
	for {
		var j struct{ Status, Error string }
		if err := f.call(ctx, http.MethodGet, "/v1/jobs/"+queued.JobID, nil, &j); err != nil {
			return 0, err
		}
		switch j.Status {
		case "succeeded":
			return time.Since(begin), nil
		case "failed":
			return 0, fmt.Errorf("the job failed: %s", j.Error)
		}
		// A hundredth of the measured time, but rare enough to leave the processors to the job.
		time.Sleep(max(2*time.Millisecond, time.Since(begin)/100))
	}
}

// first uploads the file as a part that is not known, and has it analyzed.
func (f *follower) first(ctx context.Context, round int) (time.Duration, error) {
	var made struct{ PartID, UploadURL string }
	name, _ := json.Marshal(map[string]any{"fileName": "part.step", "autoCreateProgram": false}) // of plain values
	if err := f.call(ctx, http.MethodPost, "/v1/parts", name, &made); err != nil {
		return 0, err
	}
	if err := f.call(ctx, http.MethodPut, made.UploadURL, fmt.Appendf(f.file[:len(f.file):len(f.file)], "\n/* %d */", round), nil); err != nil {
		return 0, err
	}
	f.part = "/v1/parts/" + made.PartID
	took, err := f.job(ctx, http.MethodPost, f.part+"/complete", nil)
	if err != nil {
		return 0, err
	}
	var result struct{ Features []struct{ FeatureID string } }
	if err := f.call(ctx, http.MethodGet, f.part, nil, &result); err != nil {
		return 0, err
	}
	f.ids = nil
	for _, feature := range result.Features {
		f.ids = append(f.ids, feature.FeatureID)
	}
	return took, nil
}

// datasheets measures two features that were not measured together before.
func (f *follower) datasheets(ctx context.Context, round int) (time.Duration, error) {
	n := len(f.ids)
	if n < 3 {
		return 0, fmt.Errorf("the part has %d features", n)
	}
	pair := []string{f.ids[round%n], f.ids[(round+1+round/n%(n-1))%n]}
	slices.Sort(pair)
	body, err := json.Marshal(map[string][]string{"featureIds": pair})
	if err != nil {
		return 0, err
	}
	return f.job(ctx, http.MethodPatch, f.part+"/features", body)
}

// again analyses the part with a tolerance that it was not analyzed with before.
func (f *follower) again(ctx context.Context, round int) (time.Duration, error) {
	var body []byte
	if !f.isOld {
		body = fmt.Appendf(nil, `{"angleTolerance": %g}`, 20-float64(round+1)/100)
	}
	return f.job(ctx, http.MethodPatch, f.part, body)
}
