package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"millwright.dev/millwright"
	"millwright.dev/millwright/adapters/childproc"
	"millwright.dev/millwright/bench/programs"
	"millwright.dev/millwright/cmd/millwright/plancmd"
	"millwright.dev/millwright/cmd/millwright/stagechild"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
)

// programsCmd makes programs of known parts and holds them to what programs must be.
type programsCmd struct {
	Dir     string        `arg:"" optional:"" type:"existingdir" help:"Corpus folder."`
	Files   []string      `type:"path" help:"These files or folders instead of the known parts."`
	Config  []string      `default:"builtin,large" help:"Cut configs, each for every part."`
	Parts   string        `default:"var/parts" help:"Where make parts has written parts; the first 20 are taken."`
	Only    string        `help:"Parts whose names hold this."`
	Limit   time.Duration `default:"10m" help:"Time for one part."`
	Alone   bool          `help:"Create each program once more, its stages one by one in this process, and report the wall and processor time of each per meter."`
	Gate    bool          `help:"Fail when a figure misses what is wanted."`
	Picture string        `type:"path" help:"Draw the minutes of all parts to this SVG file."`
	JSON    bool          `help:"One JSON object a part, then one with the summary."`
}

// corpusParts are the parts of the corpus that are tried.
var corpusParts = []string{
	"step/nist_ap203/*.stp", "step/analysis_situs/ANC101.stp", "pairs/sldprt_step_ps2/PS2 Heatsink*.STEP",
	"plans/*.step",
}

const (
	bundled   = "cmd/millwright/example/bracket.step"
	generated = 20
)

// Run prints a row for each part and config, and fails when one is not as it must be.
func (c *programsCmd) Run(ctx context.Context) error {
	files, err := c.files()
	if err != nil {
		return err
	}
	sandbox, err := stagechild.Sandbox("", stagechild.Limits{Timeout: c.Limit, Memory: 8192}, stagechild.Device{Device: compute.Auto})
	if err != nil {
		return err
	}
	open := func() (plancmd.Workspace, error) { return sandbox.OpenFolder() }
	out := programTable{json: c.JSON, gate: c.Gate}
	if c.Alone {
		childproc.CollectSparingly() // as the process does that makes programs
	}
	for _, config := range c.Config {
		cutting, err := plancmd.Cutting(config)
		if err != nil {
			return err
		}
		for _, file := range files {
			row, err := programOf(ctx, open, file, cutting)
			if err != nil {
				return err
			}
			row.Config = config
			if c.Alone && row.Failure == "" {
				if row.Alone, err = costsOf(ctx, millwright.Pipeline(millwright.Options{}), file, cutting); err != nil {
					return err
				}
			}
			if err := out.add(row); err != nil {
				return err
			}
		}
	}
	return errors.Join(out.draw(c.Picture), out.close())
}

// files are the parts, and it is an error when there are none of one kind.
func (c *programsCmd) files() (files []string, err error) {
	find := c.known
	if len(c.Files) > 0 {
		find = c.given
	}
	if files, err = find(); err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, func(f string) bool { return !strings.Contains(filepath.Base(f), c.Only) })
	if len(files) == 0 {
		return nil, fmt.Errorf("no part has %q in its name", c.Only)
	}
	return files, nil
}

// given are the files of --files.
func (c *programsCmd) given() (files []string, err error) {
	for _, name := range c.Files {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		found := []string{name}
		if info.IsDir() {
			if found, err = cadFiles(name); err != nil {
				return nil, err
			}
		}
		files = append(files, found...)
	}
	return files, nil
}

// known are the parts of the corpus, the bundled part, and those of make parts.
func (c *programsCmd) known() (files []string, err error) {
	if c.Dir == "" {
		return nil, errors.New("give the corpus folder, or parts with --files")
	}
	var all []string
	for _, p := range corpusParts {
		all = append(all, filepath.Join(c.Dir, p))
	}
	all = append(all, bundled)
	for _, p := range append(all, filepath.Join(c.Parts, "*.step")) {
		found, err := filepath.Glob(p)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("no part is %s (make parts writes those of %s)", p, c.Parts)
		}
		if filepath.Dir(p) == filepath.Clean(c.Parts) {
			found = found[:min(len(found), generated)]
		}
		files = append(files, found...)
	}
	return files, nil
}

// made runs stages on a file, and reads the datasheets if they are asked for.
func made(
	ctx context.Context, open func() (plancmd.Workspace, error), file string, cutting *pipeline.PlanParams,
	want []pipeline.Name, sheets *pipeline.DatasheetSet,
) (_ *plancmd.Result, err error) {
	space, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, space.Close()) }()
	m, err := plancmd.Make(ctx, space, file, cutting, want, func(pipeline.Progress) {})
	if err == nil && sheets != nil {
		var data []byte
		if data, err = os.ReadFile(space.Path(pipeline.Datasheets)); err == nil {
			err = json.Unmarshal(data, sheets)
		}
	}
	return m, err
}

// programOf makes a program of a part, after the fast estimate.
func programOf(
	ctx context.Context, open func() (plancmd.Workspace, error), file string, cutting *pipeline.PlanParams,
) (*programs.Row, error) {
	row := &programs.Row{Part: filepath.Base(file)}
	var sheets pipeline.DatasheetSet
	part, err := made(ctx, open, file, cutting, []pipeline.Name{pipeline.Summary, pipeline.Datasheets}, &sheets)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	m, err := made(ctx, open, file, cutting, plancmd.Proven, nil)
	var failed *fault.Error
	switch {
	case errors.As(err, &failed):
		row.Failure, row.Reason = string(failed.Code), failed.Reason
	case err != nil && ctx.Err() == nil: // one part must not end the measurement of all
		row.Failure, row.Reason = "error", err.Error()
	case err != nil:
		return nil, err
	default:
		row.Take(part, m)
		if err := measure(ctx, row, file, part, m, &sheets); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	c := &cutting.Config
	size := part.Part.Bounds.Max.Sub(part.Part.Bounds.Min)
	a := c.Stock.Allowance
	row.Judge(machining.Extent{X: size.X + 2*a.X, Y: size.Y + 2*a.Y, Z: size.Z + 2*a.Z}, &c.Machine)
	return row, nil
}

// programTable prints rows, and counts the failures.
type programTable struct {
	json bool
	gate bool // figures must be as wanted
	rows []*programs.Row
}

func (t *programTable) add(r *programs.Row) error {
	t.rows = append(t.rows, r)
	if t.json {
		return json.NewEncoder(os.Stdout).Encode(r)
	}
	fmt.Fprintf(os.Stderr, "%s %s %s %s\n", r.Config, r.Part, r.Failure, r.Reason)
	return nil
}

// programSummary is the last line of --json.
type programSummary struct {
	Parts    int                `json:"parts"`
	Made     int                `json:"made"` // with a proof that holds
	Failures map[string]int     `json:"failures"`
	Meters   float64            `json:"metres"`
	PerMs    float64            `json:"msPerMetre"`
	Ms       map[string]float64 `json:"ms"`      // by stage
	Removed  float64            `json:"removed"` // mean share of the parts that were made
	Alone    *programs.Costs    `json:"alone,omitempty"`
	Figures  []programs.Figure  `json:"figures"` // of the minutes
	Broken   []string           `json:"broken"`
}

func (t *programTable) summary() *programSummary {
	s := &programSummary{Parts: len(t.rows), Failures: map[string]int{}, Ms: map[string]float64{}, Broken: []string{}}
	for _, r := range t.rows {
		for _, b := range r.Broken {
			s.Broken = append(s.Broken, fmt.Sprintf("%s, %s: %s", r.Part, r.Config, b))
		}
		if r.Failure != "" {
			s.Failures[r.Failure]++
		}
		s.Meters += r.Meters
		for name, ms := range map[string]float64{"read": r.ReadMs, "plan": r.PlanMs, "paths": r.PathsMs, "proof": r.ProofMs} {
			s.Ms[name] += ms
		}
		if r.Alone != nil {
			if s.Alone == nil {
				s.Alone = &programs.Costs{}
			}
			s.Alone.Add(r.Alone)
		}
		if r.Failure == "" {
			s.Made++
			s.Removed += r.Removed
		}
	}
	if s.Meters > 0 {
		s.PerMs = (s.Ms["plan"] + s.Ms["paths"] + s.Ms["proof"]) / s.Meters
	}
	s.Removed /= float64(max(s.Made, 1))
	s.Figures = programs.Figures(t.rows)
	return s
}

// close prints the table and the summary, and fails if there are failures.
func (t *programTable) close() error {
	s := t.summary()
	if t.json {
		if err := json.NewEncoder(os.Stdout).Encode(s); err != nil {
			return err
		}
	} else {
		t.print(s)
	}
	var err error
	if t.gate {
		err = gated(s.Figures)
	}
	if len(s.Broken) > 0 {
		return errors.Join(err, fmt.Errorf("%d lines of acceptance do not hold", len(s.Broken)))
	}
	return err
}

func (t *programTable) print(s *programSummary) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "config\tpart\tsetups\toperations\ttools\tmade\tnamed\tm\tmin\tremoved\tread ms\tplan\tpaths\tproof\tms/m\tfast\tfailure")
	for _, r := range t.rows {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d/%d\t%d\t%.1f\t%.1f\t%.1f %%\t%.0f\t%.0f\t%.0f\t%.0f\t%.1f\t%.2f\t%s\n",
			r.Config, r.Part, r.Setups, r.Operations, r.Tools, r.Planned, r.Features, r.Named, r.Meters, r.Minutes, 100*r.Removed,
			r.ReadMs, r.PlanMs, r.PathsMs, r.ProofMs, r.PerMs, r.FastTime, r.Failure)
	}
	_ = w.Flush()
	fmt.Printf("\n%d of %d made, failures %v; %.1f m, %.1f ms/m; read %.0f, plan %.0f, paths %.0f, proof %.0f ms; removed %.1f %%\n",
		s.Made, s.Parts, s.Failures, s.Meters, s.PerMs, s.Ms["read"], s.Ms["plan"], s.Ms["paths"], s.Ms["proof"], 100*s.Removed)
	t.printMinutes(s.Figures)
	for _, b := range s.Broken {
		fmt.Println("broken:", b)
	}
	s.printCosts()
}

// printCosts prints the time of each stage alone, also per meter of feed.
func (s *programSummary) printCosts() {
	if s.Alone == nil || s.Meters == 0 {
		return
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\nalone\tclock, ms\tprocessors\tidle\tms/m: clock\tprocessors\tclock, if nobody else were there\t")
	all := s.Alone.All()
	for _, row := range []struct {
		name string
		c    programs.Cost
	}{{"plan", s.Alone.Plan}, {"paths", s.Alone.Paths}, {"proof", s.Alone.Proof}, {"all", all}} {
		quiet := row.c.Quiet(runtime.GOMAXPROCS(0))
		fmt.Fprintf(w, "%s\t%.0f\t%.0f\t%.0f\t%.1f\t%.1f\t%.1f\t\n", row.name, row.c.Wall, row.c.Processors, row.c.Idle,
			row.c.Wall/s.Meters, row.c.Processors/s.Meters, quiet/s.Meters)
	}
	_ = w.Flush()
}
