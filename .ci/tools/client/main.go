// Command client walks the flow of the README through the client that oapi-codegen makes of the interface
// description: create, upload, complete, poll, result, datasheets, thumbnail, program, g-code. Usage: client BASE
// KEY FILE
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/oapi-codegen/runtime/types"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: client BASE KEY FILE")
		os.Exit(2)
	}
	if err := flow(ctx, os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "Go client:", err)
		os.Exit(1)
	}
}

func flow(ctx context.Context, base, key, file string) error {
	client, err := NewClientWithResponses(base, WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+key)
		return nil
	}))
	if err != nil {
		return err
	}
	made, err := client.CreatePartV0WithResponse(ctx, nil, CreatePartRequest{FileName: "flow.step"})
	if err != nil || made.JSON201 == nil {
		return fmt.Errorf("create: %v %s", err, made.Body)
	}
	id := made.JSON201.Data.Id
	if err := upload(ctx, made.JSON201.Upload, file); err != nil {
		return err
	}
	completed, err := client.CompleteUploadWithResponse(ctx, id, nil)
	if err != nil || completed.JSON202 == nil {
		return fmt.Errorf("complete: %v %s", err, completed.Body)
	}
	var program *types.UUID
	err = until(ctx, func() (bool, error) {
		part, err := client.ReadPartWithResponse(ctx, id, nil)
		if err != nil || part.JSON200 == nil {
			return false, err
		}
		if part.JSON200.Data.Status == PartStatusFailed {
			return false, errors.New(*part.JSON200.Data.FailureReason)
		}
		program = part.JSON200.Data.CurrentProgramId
		return true, nil
	})
	if err != nil {
		return err
	}
	if err := results(ctx, client, id); err != nil {
		return err
	}
	if program == nil {
		return errors.New("the part has no program")
	}
	return programmed(ctx, client, id, *program)
}

// programmed waits for the program that was made with a part, and reads its g-code.
func programmed(ctx context.Context, client *ClientWithResponses, id, program types.UUID) error {
	err := until(ctx, func() (bool, error) {
		now, err := client.ReadProgramWithResponse(ctx, id, program, nil)
		if err != nil || now.JSON200 == nil {
			return false, err
		}
		if now.JSON200.Status == ProgramRecordStatusFailed {
			return false, errors.New(*now.JSON200.FailureReason)
		}
		return now.JSON200.Status == ProgramRecordStatusReady, nil
	})
	if err != nil {
		return err
	}
	gcode, err := client.ReadGcodeWithResponse(ctx, id, program, nil)
	if err != nil || !bytes.Contains(gcode.Body, []byte("G1")) {
		return fmt.Errorf("g-code: %v %.80q", err, gcode.Body)
	}
	fmt.Printf("Go client: a program with g-code of %d bytes\n", len(gcode.Body))
	return nil
}

func upload(ctx context.Context, to Upload, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, string(to.Method), to.Url, bytes.NewReader(data))
	if err != nil {
		return err
	}
	for name, value := range to.Headers {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("upload: %s", resp.Status)
	}
	return nil
}

// results reads the result of a part and has its features measured.
func results(ctx context.Context, client *ClientWithResponses, id types.UUID) error {
	result, err := client.ReadPartResultWithResponse(ctx, id, nil)
	if err != nil || result.JSON200 == nil {
		return fmt.Errorf("result: %v %s", err, result.Body)
	}
	details := true
	queued, err := client.AnalyzePartWithResponse(ctx, id, &AnalyzePartParams{FeatureDetails: &details},
		AnalyzePartJSONRequestBody{})
	if err != nil || queued.JSON202 == nil {
		return fmt.Errorf("analyse: %v %s", err, queued.Body)
	}
	err = until(ctx, func() (bool, error) {
		job, err := client.ReadJobWithResponse(ctx, queued.JSON202.JobId, nil)
		if err != nil || job.JSON200 == nil {
			return false, err
		}
		if job.JSON200.Status == JobDetailStatusFailed {
			return false, errors.New(*job.JSON200.Error)
		}
		return job.JSON200.Status == JobDetailStatusSucceeded, nil
	})
	if err != nil {
		return err
	}
	features, err := client.ReadFeaturesWithResponse(ctx, id, &ReadFeaturesParams{JobId: &queued.JSON202.JobId})
	if err != nil || features.JSON200 == nil {
		return fmt.Errorf("features: %v %s", err, features.Body)
	}
	measured := 0
	for _, f := range features.JSON200.Datasheets {
		if f.Datasheet.ZMax >= f.Datasheet.ZMin {
			measured++
		}
	}
	picture, err := client.ReadThumbnailWithResponse(ctx, id, nil)
	if err != nil || !bytes.HasPrefix(picture.Body, []byte("\x89PNG")) {
		return fmt.Errorf("thumbnail: %v %.40q", err, picture.Body)
	}
	if len(result.JSON200.Features) == 0 || measured != len(result.JSON200.Features) {
		return fmt.Errorf("%d features, %d measured", len(result.JSON200.Features), measured)
	}
	fmt.Printf("Go client: %d features, all measured, and a picture\n", measured)
	return nil
}

// until asks again and again until the answer is yes.
func until(ctx context.Context, ask func() (bool, error)) error {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		if done, err := ask(); done || err != nil {
			return err
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
