package apifuzz

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"millwright.dev/millwright/adapters/httpapi/contract"
	"millwright.dev/millwright/bench/teststack"
	"millwright.dev/millwright/core/service/account"
)

// Live is the configuration of a run on a separate server.
type Live struct {
	Stack    string // embedded or production
	Requests int
	Seed     uint64
	File     []byte // a CAD file that can be read
}

// LiveReport is the report of a run with how the server stood at its end.
type LiveReport struct {
	*Report
	MemoryBefore, Memory int64 // resident, bytes
}

// maxMemory (bytes) is the maximum memory of a server at the end.
const maxMemory = 1 << 30

// OnServer builds the program, starts it on a stack in a folder, and runs.
func OnServer(ctx context.Context, folder string, l Live) (*LiveReport, error) {
	stack, err := teststack.Open(ctx, l.Stack, folder)
	if err != nil {
		return nil, err
	}
	defer func() { _ = stack.Close() }() // private to this run
	program, err := teststack.Build(ctx, folder)
	if err != nil {
		return nil, err
	}
	server, err := stack.Serve(ctx, program, "--create-interval", "20ms")
	if err != nil {
		return nil, err
	}
	defer server.Stop()
	teams, err := teamsOn(ctx, stack)
	if err != nil {
		return nil, err
	}
	described, err := describedAt(ctx, server.Base)
	if err != nil {
		return nil, err
	}
	out := &LiveReport{}
	if out.MemoryBefore, err = server.Memory(); err != nil {
		return nil, err
	}
	const workers = 4
	out.Report, err = Run(ctx, Options{
		Base: server.Base, Contract: described, Teams: teams, File: l.File,
		Requests: l.Requests, Seed: l.Seed, Workers: workers,
	})
	if err != nil {
		return nil, err
	}
	if !server.Running() {
		out.Findings = append(out.Findings, "the server died:\n"+server.Output())
		return out, nil
	}
	if out.Memory, err = server.Memory(); err != nil {
		return nil, err
	}
	if out.Memory > maxMemory {
		out.Findings = append(out.Findings, fmt.Sprintf("the server holds %d MB at the end", out.Memory>>20))
	}
	return out, nil
}

// teamsOn makes three teams with keys of different grids.
func teamsOn(ctx context.Context, stack *teststack.Stack) ([]Team, error) {
	r, w := account.LevelRead, account.LevelWrite
	grids := map[string][]*account.AccessGrid{
		"zebrafinch": {nil, nil, {Core: r, DFM: r}},
		"okapi":      {nil, nil, {Core: w, DFM: r}},
		"axolotl":    {{Core: w, DFM: w}, {Core: w}, {Core: r}},
	}
	var teams []Team
	for _, name := range []string{"zebrafinch", "okapi", "axolotl"} {
		team := Team{Name: name}
		for _, grid := range grids[name] {
			key, err := stack.NewKey(ctx, teststack.KeyRequest{Team: name, Access: grid})
			if err != nil {
				return nil, err
			}
			team.Keys = append(team.Keys, key)
		}
		teams = append(teams, team)
	}
	return teams, nil
}

func describedAt(ctx context.Context, base string) (*contract.Contract, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/v1/openapi.json", nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	description, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	return contract.Load(description)
}
