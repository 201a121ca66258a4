package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"millwright.dev/millwright/bench/apifuzz"
)

// fuzzAPICmd sends valid, almost valid and hostile requests to a separate server.
type fuzzAPICmd struct {
	Requests int    `default:"100000" help:"Requests to send."`
	Seed     uint64 `default:"1" help:"Of the choices."`
	Stack    string `default:"embedded" enum:"embedded,production" help:"SQLite and files, or PostgreSQL, Redis and S3."`
	File     string `default:"adapters/cad/step/testdata/through_hole.step" type:"existingfile" help:"CAD file to upload."`
}

// Run prints what was answered and fails when something happened that must not.
func (c *fuzzAPICmd) Run() error {
	file, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "millwright-fuzzapi-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }() // temporary
	r, err := apifuzz.OnServer(context.Background(), folder, apifuzz.Live{
		Stack: c.Stack, Requests: c.Requests, Seed: c.Seed, File: file,
	})
	if err != nil {
		return err
	}
	fmt.Printf("%d requests on the %s stack in %.0f s (seed %d), %d of %d operations succeeded\n",
		r.Requests, c.Stack, r.Took.Seconds(), c.Seed, len(r.Succeeded), r.Offered)
	for _, status := range slices.Sorted(maps.Keys(r.Answers)) {
		fmt.Printf("  %d  %d\n", status, r.Answers[status])
	}
	for _, id := range slices.Sorted(maps.Keys(r.Succeeded)) {
		fmt.Printf("  %-24s  %d succeeded\n", id, r.Succeeded[id])
	}
	fmt.Printf("  took at most %v, 99 %% within %v, half within %v\n",
		r.Percentile(1), r.Percentile(0.99), r.Percentile(0.5))
	fmt.Printf("  memory of the server: %d MB at the start, %d MB at the end\n", r.MemoryBefore>>20, r.Memory>>20)
	for _, f := range r.Findings {
		fmt.Printf("\nFOUND: %s\n", f)
	}
	if len(r.Findings) > 0 {
		return errors.New("the server did what it must not")
	}
	return nil
}
