package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"millwright.dev/millwright/bench/holding"
	"millwright.dev/millwright/cmd/millwright/plancmd"
	"millwright.dev/millwright/cmd/millwright/stagechild"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
)

// holdingCmd makes programs of parts and audits how their setups are held.
type holdingCmd struct {
	Parts  []string      `arg:"" type:"existing" help:"CAD files, or folders of them."`
	Config string        `default:"builtin" help:"Cut config: builtin, large, or a file."`
	Only   string        `help:"Parts whose names hold this."`
	Limit  time.Duration `default:"2m" help:"Time for the program of one part; parts that need more are listed."`
	Cells  int           `default:"500" help:"Along the longest side of the stock, at most."`
	Gate   bool          `help:"Fail when a figure misses what is wanted."`
	JSON   bool          `help:"One JSON object a part, then one with the summary."`
}

// heldPart is the audit of a part.
type heldPart struct {
	Part    string          `json:"part"`
	Failure string          `json:"failure,omitempty"` // code: there is no program
	Reason  string          `json:"reason,omitempty"`
	Setups  []holding.Setup `json:"setups"`
	MakeMs  float64         `json:"makeMs"`
	AuditMs float64         `json:"auditMs"`
}

// Run prints the failures of each setup and the counts of all.
func (c *holdingCmd) Run(ctx context.Context) error {
	files, err := (&programsCmd{Files: c.Parts, Only: c.Only}).files()
	if err != nil {
		return err
	}
	cutting, err := plancmd.Cutting(c.Config)
	if err != nil {
		return err
	}
	limits := stagechild.Limits{Timeout: c.Limit, Memory: 8192}
	sandbox, err := stagechild.Sandbox("", limits, stagechild.Device{Device: compute.Auto})
	if err != nil {
		return err
	}
	open := func() (plancmd.Workspace, error) { return sandbox.OpenFolder() }
	var rows []heldPart
	for _, file := range files {
		row, err := c.part(ctx, open, file, cutting)
		if err != nil {
			return err
		}
		rows = append(rows, *row)
		if c.JSON {
			if err := json.NewEncoder(os.Stdout).Encode(row); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(os.Stderr, "%s: %d setups, %.0f + %.0f s %s\n", row.Part, len(row.Setups), row.MakeMs/1000,
			row.AuditMs/1000, row.Failure)
	}
	s := holding.Sum(setupsOf(rows))
	if c.JSON {
		if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"summary": &s}); err != nil {
			return err
		}
	} else {
		printHolding(rows, &s)
	}
	if missed := s.Missed(); c.Gate && len(missed) > 0 {
		return errors.New(strings.Join(missed, "; "))
	}
	return nil
}

// part makes the program of a part and audits it.
func (c *holdingCmd) part(
	ctx context.Context, open func() (plancmd.Workspace, error), file string, cutting *pipeline.PlanParams,
) (*heldPart, error) {
	row := &heldPart{Part: filepath.Base(file), Setups: []holding.Setup{}}
	start := time.Now()
	m, err := made(ctx, open, file, cutting, []pipeline.Name{pipeline.MadePlan, pipeline.Paths}, nil)
	row.MakeMs = milliseconds(start)
	var failed *fault.Error
	switch {
	case errors.As(err, &failed):
		row.Failure, row.Reason = string(failed.Code), failed.Reason
	case err != nil && ctx.Err() == nil: // one part must not end the audit of all
		row.Failure, row.Reason = "error", err.Error()
	case err != nil:
		return nil, err
	default:
		start = time.Now()
		row.Setups, err = holding.Audit(ctx, holding.Input{
			Plan: m.Plan, Set: m.Set, Config: &cutting.Config, Mill: compute.OnCPU(0), Cells: c.Cells,
		})
		row.AuditMs = milliseconds(start)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return row, nil
}

func setupsOf(rows []heldPart) (all [][]holding.Setup) {
	for i := range rows {
		if rows[i].Failure == "" {
			all = append(all, rows[i].Setups)
		}
	}
	return all
}

// printHolding prints the setups that fail, the parts without a program, and the counts.
func printHolding(rows []heldPart, s *holding.Summary) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "part\tsetup\tkind\topening\twidth\tdepth\tlength\tstand-out\tkN\tfails")
	for i := range rows {
		for k := range rows[i].Setups {
			u := &rows[i].Setups[k]
			var fails []string
			for _, f := range u.Failures() {
				fails = append(fails, strings.TrimSpace(fmt.Sprintf("%s %.3g %s", f.Check, f.Value, f.Operation)))
			}
			if len(fails) > 0 {
				fmt.Fprintf(w, "%s\t%d\t%s\t", rows[i].Part, u.Number, u.Kind)
				for _, v := range []float64{u.Opening, u.Width, u.Depth, u.Length, u.StandOut, u.Force / 1000} {
					fmt.Fprintf(w, "%.1f\t", v)
				}
				fmt.Fprintln(w, strings.Join(fails, "; "))
			}
		}
	}
	_ = w.Flush()
	for i := range rows {
		if rows[i].Failure != "" {
			fmt.Printf("%s: no program: %s: %s\n", rows[i].Part, rows[i].Failure, rows[i].Reason)
		}
	}
	fmt.Fprintln(w, "\nkind\tsetups\tpass")
	for _, k := range holding.Kinds {
		if n := s.Kinds[k]; n.Setups > 0 {
			fmt.Fprintf(w, "%s\t%d\t%d\n", k, n.Setups, n.Pass)
		}
	}
	fmt.Fprintln(w, "\ncheck\tsetups that fail")
	for _, c := range holding.Checks {
		fmt.Fprintf(w, "%s\t%d\n", c, s.Fails[c])
	}
	fmt.Fprintf(w, "\nfigure\tvalue\twanted\n")
	fmt.Fprintf(w, "parts with a program\t%d of %d\t\n", s.Parts, len(rows))
	fmt.Fprintf(w, "setups judged\t%d\t\n", s.Judged)
	fmt.Fprintf(w, "setups that pass\t%.1f %%\tat least %.0f %%\n", 100*s.Share, 100*holding.WantedShare)
	fmt.Fprintf(w, "over the opening\t%d\t0\n", s.Fails[holding.Opens])
	fmt.Fprintf(w, "undesigned\t%d\t0\n", s.Fails[holding.Undesigned])
	fmt.Fprintf(w, "setups of a part, median\t%g\t\n", s.MedianSetups)
	_ = w.Flush()
	if missed := s.Missed(); len(missed) > 0 {
		fmt.Println("missed:", strings.Join(missed, "; "))
	}
}
