package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"millwright.dev/millwright/adapters/export/setupsheet"
	"millwright.dev/millwright/cmd/millwright/analyze"
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/service/part"
)

// exampleName is the file name of the bundled part.
const exampleName = "bracket.step"

// examplePart is a milled bearing bracket; example/make_bracket.cpp writes it.
//
//go:embed example/bracket.step
var examplePart []byte

// exampleClient pushes a part through the public REST flow, as any client would.
type exampleClient struct {
	base string // http://host:port
	key  string
	http *http.Client
}

// examplePoll is the client's polling interval for the part.
const examplePoll = 100 * time.Millisecond

// exampleResult is the part of a part result that the summary and its tests use.
type exampleResult struct {
	PartID              string `json:"partId"`
	JobID               string `json:"jobId"`
	Regions             []any  `json:"regions"`
	CandidateDirections []any  `json:"candidateDirections"`
	ThumbnailURL        string `json:"thumbnailUrl"`
	MeshStlURL          string `json:"meshStlUrl"`
	MeshGlbURL          string `json:"meshGlbUrl"`
	TotalMs             int64  `json:"totalMs"`
}

// exampleFeature is a feature as the API gives it.
type exampleFeature struct {
	FeatureTag  string             `json:"featureTag"`
	FeatureType string             `json:"featureType"`
	Datasheet   *feature.Datasheet `json:"datasheet"`
}

// details has every feature of a part measured and returns them.
func (c *exampleClient) details(ctx context.Context, partID string) ([]exampleFeature, error) {
	part := "/v1/parts/" + partID
	var queued struct {
		JobID string `json:"jobId"`
	}
	if _, err := c.call(ctx, http.MethodPatch, part+"?featureDetails=true", nil, &queued); err != nil {
		return nil, err
	}
	if err := c.waitJob(ctx, queued.JobID); err != nil {
		return nil, err
	}
	var found struct {
		Datasheets []exampleFeature `json:"datasheets"`
	}
	_, err := c.call(ctx, http.MethodGet, part+"/features?jobId="+queued.JobID, nil, &found)
	return found.Datasheets, err
}

// exampleProgram is the part of a program that the summary shows.
type exampleProgram struct {
	ID               string             `json:"id"`
	Status           string             `json:"status"`
	FailureReason    string             `json:"failureReason"`
	Setups           []any              `json:"setups"`
	Tools            []any              `json:"tools"`
	MachiningSeconds float64            `json:"machiningSeconds"`
	SetupSheetURL    string             `json:"setupSheetUrl"`
	Completeness     completeness.Level `json:"completeness"`
	Made             completeness.Made  `json:"made"`
	Left             []struct {
		Detail string `json:"detail"`
	} `json:"left"`
	Verification struct {
		MaxGouge          float64 `json:"maxGouge"`
		RapidCollisions   int     `json:"rapidCollisions"`
		HolderCollisions  int     `json:"holderCollisions"`
		FixtureCollisions int     `json:"fixtureCollisions"`
		Findings          []struct {
			Kind string `json:"kind"`
		} `json:"findings"`
	} `json:"verification"`

	costCents int64
}

// program requests a program of a part with the default cut config, and its cost.
func (c *exampleClient) program(ctx context.Context, partID string) (*exampleProgram, error) {
	var made struct {
		Data exampleProgram `json:"data"`
	}
	programs := "/parts/" + partID + "/programs"
	if _, err := c.call(ctx, http.MethodPost, programs, nil, &made); err != nil {
		return nil, err
	}
	program := programs + "/" + made.Data.ID
	err := poll(ctx, func() (bool, error) {
		made.Data = exampleProgram{}
		_, err := c.call(ctx, http.MethodGet, program+"?wait=10", nil, &made)
		return made.Data.Status != "processing", err
	})
	if err != nil {
		return nil, err
	}
	if made.Data.Status == "failed" {
		return nil, fmt.Errorf("the program failed: %s", made.Data.FailureReason)
	}
	var estimate struct {
		CostCents int64 `json:"costCents"`
	}
	_, err = c.call(ctx, http.MethodGet, "/v1"+program+"/estimate", nil, &estimate)
	made.Data.costCents = estimate.CostCents
	return &made.Data, err
}

// summary describes in words the machining of the part.
func (p *exampleProgram) summary() string {
	var b strings.Builder
	v := &p.Verification
	gouges := 0
	for _, f := range v.Findings {
		if f.Kind == string(verify.Gouge) {
			gouges++
		}
	}
	fmt.Fprintf(&b, "\nIts program: %d setups, %d tools, %s a part, %s for one\n", len(p.Setups), len(p.Tools),
		setupsheet.Duration(p.MachiningSeconds), setupsheet.Dollars(p.costCents))
	fmt.Fprintf(&b, "  %d gouges, %d collisions\n", gouges, v.RapidCollisions+v.HolderCollisions+v.FixtureCollisions)
	fmt.Fprintf(&b, "  %s: %s %% of the volume is made\n", p.Completeness.Title(), completeness.Percent(p.Made.VolumeShare))
	count := map[string]int{}
	for _, left := range p.Left {
		count[left.Detail]++
	}
	for _, left := range p.Left {
		if n := count[left.Detail]; n > 0 { // 0: a sentence that is printed already
			fmt.Fprintf(&b, "  left %d ×: %s\n", n, left.Detail)
			count[left.Detail] = 0
		}
	}
	return b.String()
}

// push creates a part without a program, uploads data, confirms, waits and returns the result.
func (c *exampleClient) push(ctx context.Context, name string, data []byte) (*exampleResult, error) {
	var created struct {
		Data struct {
			ID string `json:"id"`
		} `json:"data"`
		Upload struct {
			URL     string            `json:"url"`
			Headers map[string]string `json:"headers"`
		} `json:"upload"`
	}
	body := map[string]any{"fileName": name, "autoCreateProgram": false}
	if _, err := c.call(ctx, http.MethodPost, "/parts", body, &created); err != nil {
		return nil, err
	}
	if err := c.upload(ctx, created.Upload.URL, created.Upload.Headers, data); err != nil {
		return nil, err
	}
	part := "/parts/" + created.Data.ID
	if _, err := c.call(ctx, http.MethodPost, part+"/complete", nil, nil); err != nil {
		return nil, err
	}
	if err := c.wait(ctx, part); err != nil {
		return nil, err
	}
	var result exampleResult
	if _, err := c.call(ctx, http.MethodGet, "/v1"+part, nil, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// wait polls the part until it is ready, and returns the reason when it failed.
func (c *exampleClient) wait(ctx context.Context, part string) error {
	return poll(ctx, func() (bool, error) {
		var record struct {
			Data struct {
				Status        string  `json:"status"`
				FailureReason *string `json:"failureReason"`
			} `json:"data"`
		}
		if _, err := c.call(ctx, http.MethodGet, part, nil, &record); err != nil {
			return false, err
		}
		if record.Data.Status == "failed" {
			return false, fmt.Errorf("the part failed: %s", *record.Data.FailureReason)
		}
		return record.Data.Status == "ready", nil
	})
}

// waitJob polls a job until it has succeeded, and returns the reason when it failed.
func (c *exampleClient) waitJob(ctx context.Context, id string) error {
	return poll(ctx, func() (bool, error) {
		var job struct {
			Status string  `json:"status"`
			Error  *string `json:"error"`
		}
		if _, err := c.call(ctx, http.MethodGet, "/v1/jobs/"+id, nil, &job); err != nil {
			return false, err
		}
		if job.Status == "failed" {
			return false, fmt.Errorf("the job failed: %s", *job.Error)
		}
		return job.Status == "succeeded", nil
	})
}

// poll calls ask until it returns true or an error, or ctx ends.
func poll(ctx context.Context, ask func() (bool, error)) error {
	ticker := time.NewTicker(examplePoll)
	defer ticker.Stop()
	for {
		if done, err := ask(); done || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}

func (c *exampleClient) upload(
	ctx context.Context, url string, headers map[string]string, data []byte,
) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, url, bytes.NewReader(data))
	if err != nil {
		return err
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	return finish(resp, nil)
}

// call sends a JSON request and decodes a 2xx answer into out.
func (c *exampleClient) call(ctx context.Context, method, path string, in, out any) (int, error) {
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return 0, err
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, finish(resp, out)
}

// finish reads and closes an answer; anything but 2xx is an error that quotes the body.
func finish(resp *http.Response, out any) error {
	const maxQuote = 1 << 20
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode/100 != 2 {
		quote, _ := io.ReadAll(io.LimitReader(resp.Body, maxQuote))
		return fmt.Errorf("%s %s: %s: %s", resp.Request.Method, resp.Request.URL.Path, resp.Status, quote)
	}
	if out == nil {
		return nil
	}
	return json.NewDecoder(resp.Body).Decode(out)
}

// summary describes in words the results of the service.
func (r *exampleResult) summary(features []exampleFeature) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is read in %d ms: %d faces, %d features\n", exampleName, r.TotalMs, len(r.Regions), len(features))
	for i, f := range features {
		fmt.Fprintf(&b, "  %2d  %-8s  %s\n", i+1, f.FeatureType, analyze.KeyFacts(f.Datasheet))
	}
	return b.String()
}

// nextSteps describes the addresses of the result, and requests for it with the key in a file.
func nextSteps(base, keyFile string, result *exampleResult, program *exampleProgram) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nOpen in a browser, within %.0f minutes:\n", part.DefaultAddressLife.Minutes())
	fmt.Fprintf(&b, "  picture      %s\n  setup sheet  %s\n", result.ThumbnailURL, program.SetupSheetURL)
	fmt.Fprintf(&b, "\nOr ask the service:\n  KEY=$(cat '%s')\n", keyFile)
	for _, path := range []string{
		"", "/features", "/programs/" + program.ID + "/gcode?setup=1",
	} {
		fmt.Fprintf(&b, "  curl -H \"Authorization: Bearer $KEY\" '%s/v1/parts/%s%s'\n", base, result.PartID, path)
	}
	return b.String()
}
