package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"millwright.dev/millwright/bench/chaos"
	"millwright.dev/millwright/bench/teststack"
)

// chaosCmd runs jobs under faults and audits what came of them.
type chaosCmd struct {
	Stack   string        `default:"production" enum:"embedded,production" help:"embedded or production."`
	Jobs    int           `default:"10000" help:"Jobs in all."`
	Workers int           `default:"4" help:"Worker processes (production) or runners (embedded)."`
	Seed    uint64        `default:"1" help:"Of the order of faults."`
	Every   time.Duration `default:"3s" help:"Time between faults."`
	Rounds  int           `default:"2" help:"How often each fault strikes at least."`
	Limit   time.Duration `default:"90m" help:"After which jobs that have not ended count as stuck."`
	Keep    bool          `help:"Keep the folder with logs and records."`
	JSON    bool          `name:"json" help:"Print the result as JSON."`
}

// Run builds the program from the tree in the working folder and runs it.
func (c *chaosCmd) Run() error {
	dir, err := os.MkdirTemp("", "chaos")
	if err != nil {
		return err
	}
	if c.Keep {
		fmt.Fprintln(os.Stderr, "chaos: everything is in", dir)
	} else {
		defer func() { _ = os.RemoveAll(dir) }()
	}
	ctx := context.Background()
	program, err := teststack.Build(ctx, dir)
	if err != nil {
		return err
	}
	result, err := chaos.Run(ctx, chaos.Config{
		Program: program, File: smallPart, Dir: dir, Stack: c.Stack, Jobs: c.Jobs, Workers: c.Workers,
		Seed: c.Seed, Every: c.Every, Rounds: c.Rounds, Limit: c.Limit, Log: os.Stderr,
	})
	if err != nil {
		return err
	}
	if c.JSON {
		err = json.NewEncoder(os.Stdout).Encode(result)
	} else {
		err = result.Print(os.Stdout)
	}
	if err == nil && !result.Audit.Clean() {
		err = errors.New("not every job ended exactly once")
	}
	return err
}

// smallPart is a file that the kernel is quick with, and which is programmed in a quarter of a second: what is tried is
// the service around it.
const smallPart = "adapters/cad/step/testdata/through_hole.step"
