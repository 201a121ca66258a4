// Package plancmd is the commands that plan and program parts without a server.
package plancmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"millwright.dev/millwright"
	"millwright.dev/millwright/adapters/post"
	"millwright.dev/millwright/cmd/millwright/analyze"
	"millwright.dev/millwright/cmd/millwright/output"
	"millwright.dev/millwright/cmd/millwright/progress"
	"millwright.dev/millwright/cmd/millwright/stagechild"
	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/program"
)

// Request is what both commands are told.
type Request struct {
	File    string            `arg:"" name:"file" help:"CAD file." type:"path"`
	Config  string            `default:"builtin" placeholder:"NAME|FILE" help:"Cut config: builtin, large, or a file as the interface gives it, with tools of its own under \"tools\"."`
	Terms   string            `name:"request" placeholder:"FILE" type:"existingfile" help:"Fields of a plan request as JSON: material, stock, machine, quantity, setups, doneRegions, excludedFeatures (tags of features), fallbackTools."`
	Explain bool              `help:"Give the price of each setup, and what the next best choices would cost more."`
	Output  string            `short:"o" enum:"table,json" default:"table" help:"table or json."`
	Limits  stagechild.Limits `embed:""`
	Compute stagechild.Device `embed:""`
}

// Validate reports what is wrong with the flags (kong calls it).
func (a *Request) Validate() error { return a.Limits.Check() }

// PlanCmd plans how a part is made.
type PlanCmd struct {
	Request `embed:""`
}

// Cmd makes a proven program.
type Cmd struct {
	Request `embed:""`
	Post    string `help:"Dialect of the g-code: ${posts} (default: that of the cut config)."`
	Out     string `type:"path" help:"Write g-code, setup sheet, tool table, proof, pictures and program.json to this folder."`
}

// Result is the result for one file.
type Result struct {
	File     string             `json:"file"`
	Plan     *planning.Plan     `json:"plan,omitempty"`
	Times    *estimate.Times    `json:"times,omitempty"`
	Proof    *verify.Report     `json:"proof,omitempty"`
	Estimate *estimate.Estimate `json:"estimate,omitempty"`
	Files    []string           `json:"files,omitempty"` // written to --out
	Error    *fault.Error       `json:"error,omitempty"`

	Cutting *pipeline.PlanParams `json:"-"`
	Set     *toolpath.Set        `json:"-"`
	Part    *pipeline.Analysis   `json:"-"` // of a plan without motion
	Run     pipeline.Run         `json:"-"`
}

// Run plans the part and prints the plan.
func (c *PlanCmd) Run(ctx context.Context) error {
	return c.run(ctx, []pipeline.Name{pipeline.Summary, pipeline.Datasheets, pipeline.Plan}, nil)
}

// shown are the artifacts that --out gets as they are, with their names.
var shown = map[pipeline.Name]string{
	pipeline.SetupSheet: "setup-sheet.html", pipeline.PathsGLB: "paths.glb", pipeline.PathsJSON: "paths.json",
	pipeline.StockGLB: "stock.glb", pipeline.ResidueGLB: "residue.glb",
}

// Proven are the artifacts of a program that is only to be known.
var Proven = []pipeline.Name{pipeline.MadePlan, pipeline.Paths, pipeline.Proof, pipeline.ProgramTime}

// Run makes the program, prints it, and writes it when its proof holds.
func (c *Cmd) Run(ctx context.Context) error {
	cutting, err := Cutting(c.Config)
	if err != nil {
		return err
	}
	d, err := post.Find(cmp.Or(c.Post, cutting.Config.Post))
	if err != nil {
		return err
	}
	want := Proven
	if c.Out != "" {
		want = slices.Concat(Proven, slices.Sorted(maps.Keys(shown)))
	}
	return c.run(ctx, want, func(space Workspace, m *Result) error {
		if c.Out == "" {
			return nil
		}
		return deliver(c.Out, space, m, d)
	})
}

// run makes what is wanted of the file, has it delivered and prints it. The exit status says whether all went well.
func (a *Request) run(ctx context.Context, want []pipeline.Name, deliver func(Workspace, *Result) error) error {
	cutting, err := a.cutting()
	if err != nil {
		return err
	}
	sandbox, err := stagechild.Sandbox("", a.Limits, a.Compute)
	if err != nil {
		return err
	}
	space, err := sandbox.OpenFolder()
	if err != nil {
		return err
	}
	bars := progress.New(os.Stderr, 1)
	bar := bars.Add(filepath.Base(a.File))
	m, err := Make(ctx, space, a.File, cutting, want, bar.Set)
	if err == nil && deliver != nil {
		err = deliver(space, m)
	}
	bar.Done()
	bars.Wait()
	if err != nil {
		m = &Result{File: a.File, Error: analyze.AsFailure(ctx, err)}
	}
	return errors.Join(space.Close(), a.print(os.Stdout, m))
}

// print prints the result. It returns analyze.ErrSomeFailed for a program that must not be run.
func (a *Request) print(w io.Writer, m *Result) error {
	if m.Error == nil && m.Proof != nil && !m.Proof.Passes() {
		m.Error = fault.Errorf(fault.VerificationFailed, "The proof found %d moves or places that must not be.", len(m.Proof.Findings))
	}
	var err error
	if a.Output == "json" {
		err = json.NewEncoder(w).Encode(m)
	} else {
		_, err = io.WriteString(w, Table(m, a.Explain))
	}
	if err == nil && m.Error != nil {
		return analyze.ErrSomeFailed
	}
	return err
}

// Workspace is one whose artifacts are files.
type Workspace interface {
	pipeline.Workspace
	Link(n pipeline.Name, file string) error
	Path(n pipeline.Name) string
}

// Make builds the requested artifacts of a file and reads the values that the command shows.
func Make(
	ctx context.Context, space Workspace, file string, cutting *pipeline.PlanParams, want []pipeline.Name, tell func(pipeline.Progress),
) (*Result, error) {
	if _, err := os.Stat(file); err != nil {
		return nil, fault.Errorf(fault.UnreadableFile, "The file cannot be opened: %v.", err)
	}
	if err := space.Link(pipeline.Source, file); err != nil {
		return nil, err
	}
	run, err := space.Make(ctx, pipeline.Params{FileName: filepath.Base(file), Cutting: cutting}, want, tell)
	if err != nil {
		return nil, err
	}
	m := &Result{File: file, Cutting: cutting, Run: run}
	for _, n := range want {
		var err error
		switch n {
		case pipeline.Summary:
			err = output.ReadJSON(space.Path(n), &m.Part)
		case pipeline.Plan, pipeline.MadePlan:
			err = output.ReadJSON(space.Path(n), &m.Plan)
		case pipeline.ProgramTime:
			err = output.ReadJSON(space.Path(n), &m.Times)
		case pipeline.Proof:
			err = output.ReadJSON(space.Path(n), &m.Proof)
		case pipeline.Paths:
			m.Set, err = readSet(space.Path(n))
		}
		if err != nil {
			return nil, err
		}
	}
	return m, m.price(space)
}

func readSet(path string) (*toolpath.Set, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return toolpath.Decode(data)
}

// program returns the program that was made.
func (m *Result) program() *millwright.Program {
	return &millwright.Program{
		Title: output.Stem(m.File), Config: m.Cutting.Config, Plan: m.Plan, Toolpaths: m.Set, Report: m.Proof, Times: m.Times,
	}
}

// price adds the estimate: from the motion when there is some, else from the features.
func (m *Result) price(space Workspace) error {
	if m.Times != nil && m.Plan != nil && m.Proof != nil {
		e := m.program().Estimate(1)
		m.Estimate = &e
		return nil
	}
	if m.Part == nil {
		return nil
	}
	var sheets pipeline.DatasheetSet
	if err := output.ReadJSON(space.Path(pipeline.Datasheets), &sheets); err != nil {
		return err
	}
	byTag := map[string]*feature.Datasheet{}
	for _, s := range sheets.Sheets {
		byTag[s.FeatureTag] = s.Datasheet
	}
	e, err := estimate.Fast(program.Facts(m.Part, byTag, m.Plan), m.Cutting.Tools, &m.Cutting.Config, 1)
	if errors.Is(err, estimate.ErrNoTools) {
		return nil // the plan says so too
	}
	m.Estimate = &e
	return err
}
