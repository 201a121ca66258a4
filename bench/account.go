package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"

	"millwright.dev/millwright/bench/leftover"
	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/mesh"
)

// accountCmd replays programs, measures what they leave, and holds their accounts to it.
type accountCmd struct {
	Parts      []string      `arg:"" type:"existingfile" help:"CAD files."`
	Config     []string      `default:"builtin" help:"Cut configs, each for every part."`
	Programs   string        `type:"path" help:"Folder with CONFIG/PART as millwright program --out wrote it."`
	Millwright string        `type:"existingfile" help:"Command that makes the programs first."`
	Jobs       int           `default:"1" help:"Programs at a time."`
	Limit      time.Duration `default:"10m" help:"Time for one program."`
	JSON       bool          `help:"One JSON object a program, as each ends."`
}

// Validate demands that there are programs.
func (c *accountCmd) Validate() error {
	if c.Programs == "" && c.Millwright == "" {
		return errors.New("give --programs with a folder of programs, or --millwright with a command that makes them")
	}
	if c.Jobs < 1 {
		return errors.New("--jobs must be at least 1")
	}
	return nil
}

// accountRow is the result of the replay for one program.
type accountRow struct {
	Part    string            `json:"part"`
	Config  string            `json:"config"`
	Failure string            `json:"failure,omitempty"` // there is no program, or it cannot be replayed
	Seconds float64           `json:"seconds"`           // of the replay
	Idle    []string          `json:"idle"`              // operations without cutting moves
	Result  *leftover.Result  `json:"result,omitempty"`
	Verdict *leftover.Verdict `json:"verdict,omitempty"` // none without an account
}

func (r *accountRow) ok() bool {
	return r.Failure == "" && len(r.Idle) == 0 && r.Verdict != nil && len(r.Verdict.Broken) == 0
}

// Run prints a row for each program, and fails when one has no account or does not agree with it.
func (c *accountCmd) Run(ctx context.Context) (err error) {
	if c.Programs == "" {
		if c.Programs, err = os.MkdirTemp("", "account"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(c.Programs)) }()
	}
	rows := make([]accountRow, len(c.Config)*len(c.Parts))
	var group errgroup.Group
	var printing sync.Mutex
	group.SetLimit(c.Jobs)
	for i := range rows {
		group.Go(func() error {
			rows[i] = c.row(ctx, c.Parts[i%len(c.Parts)], c.Config[i/len(c.Parts)])
			if !c.JSON || ctx.Err() != nil {
				return ctx.Err()
			}
			printing.Lock()
			defer printing.Unlock()
			return rows[i].print(os.Stdout)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if !c.JSON {
		if err := printAccounts(os.Stdout, rows); err != nil {
			return err
		}
	}
	return disagreement(rows)
}

func baseName(file string) string { return strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)) }

// row makes and replays one program.
func (c *accountCmd) row(ctx context.Context, part, config string) accountRow {
	ctx, cancel := context.WithTimeout(ctx, c.Limit)
	defer cancel()
	row := accountRow{Part: baseName(part), Config: baseName(config), Idle: []string{}}
	folder := filepath.Join(c.Programs, row.Config, row.Part)
	if c.Millwright != "" {
		cmd := exec.CommandContext(ctx, c.Millwright, "program", "--config", config, "--out", folder, part)
		if out, err := cmd.CombinedOutput(); err != nil {
			row.Failure = fmt.Sprintf("no program: %s: %s", err, lastLine(string(out)))
			return row
		}
	}
	start := time.Now()
	if err := row.judge(ctx, folder, part); err != nil {
		row.Failure = err.Error()
	}
	row.Seconds = time.Since(start).Seconds()
	return row
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// judge replays the program in a folder.
func (r *accountRow) judge(ctx context.Context, folder, part string) error {
	program, err := replay.Load(ctx, folder)
	if err != nil {
		return err
	}
	if r.Idle, err = leftover.Idle(folder, program); err != nil {
		return err
	}
	_, mesh, err := readFine(ctx, part)
	if err != nil {
		return err
	}
	if r.Result, err = leftover.Measure(ctx, program, mesh); err != nil {
		return err
	}
	account, err := leftover.ReadAccount(folder)
	if account != nil {
		r.Verdict = account.Check(r.Result)
	}
	return err
}

// readFine reads a part with a mesh that is exact well below a film.
func readFine(ctx context.Context, part string) (*brep.Model, *mesh.Mesh, error) {
	model, err := readPart(ctx, part)
	if err != nil {
		return nil, nil, err
	}
	const chord = 0.003 // mm
	r, err := tessellate.Mesh(ctx, model, tessellate.Options{ChordTolerance: chord, Runner: compute.OnCPU(0)})
	if err != nil {
		return nil, nil, err
	}
	return model, r.Mesh, nil
}

// said is the verdict for people.
func (r *accountRow) said() string {
	switch {
	case r.Failure != "":
		return r.Failure
	case r.ok():
		return "ok"
	}
	var all []string
	if len(r.Idle) > 0 {
		all = append(all, "operations without cutting moves: "+strings.Join(r.Idle, ", "))
	}
	if r.Verdict == nil {
		return strings.Join(append(all, "no account"), "; ")
	}
	return strings.Join(append(all, r.Verdict.Broken...), "; ")
}

// print writes the row as JSON.
func (r *accountRow) print(w io.Writer) error { return json.NewEncoder(w).Encode(r) }

// printAccounts prints the rows as a table.
func printAccounts(w io.Writer, rows []accountRow) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "part\tconfig\tleft mm³\tmade\tpieces\tlarge\tnamed\tlargest mm³\tits height\t"+
		"change\tstep\tseconds\tworst\tverdict")
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", r.Part, r.Config, r.figures(), r.said())
	}
	return table.Flush()
}

// disagreement is an error when a row is not ok.
func disagreement(rows []accountRow) error {
	bad := 0
	for i := range rows {
		if !rows[i].ok() {
			bad++
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d programs do not agree with the replay, or have no account", bad, len(rows))
	}
	return nil
}

// figures are the columns between config and verdict.
func (r *accountRow) figures() string {
	if r.Result == nil {
		return strings.Repeat("-\t", 10) + "-"
	}
	over, large, change, step := 0, 0, 0.0, 0.0
	var largest leftover.Piece
	for _, p := range r.Result.Pieces {
		if p.Over() {
			over++
			change, step = max(change, p.Change), cmp.Or(step, p.Step)
		}
		if p.Large() {
			large++
		}
	}
	if len(r.Result.Pieces) > 0 {
		largest = r.Result.Pieces[0]
	}
	named, worst := "-", "-"
	if v := r.Verdict; v != nil {
		named, worst = fmt.Sprint(v.Named), fmt.Sprintf("%.2f", v.Worst)
	}
	return fmt.Sprintf("%.1f\t%.4f\t%d\t%d\t%s\t%.1f\t%.3f\t%.2f%%\t%.3f\t%.1f\t%s",
		r.Result.Left, r.Result.MadeShare(), over, large, named, largest.Volume, largest.Height, 100*change, step,
		r.Seconds, worst)
}
