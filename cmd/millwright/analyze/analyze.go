// Package analyze is the command that analyses files without a server, and the words that it has for results.
package analyze

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"millwright.dev/millwright/cmd/millwright/output"
	"millwright.dev/millwright/cmd/millwright/progress"
	"millwright.dev/millwright/cmd/millwright/stagechild"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
)

// Cmd runs the pipeline on files without a server. Every file is read in a separate child process, so a hang or
// excessive memory use affects only its own file.
type Cmd struct {
	Files     []string          `arg:"" name:"file" help:"CAD files." type:"path"`
	Output    string            `short:"o" enum:"table,json" default:"table" help:"table or json (a line a file)."`
	Out       string            `type:"path" help:"Write NAME.stl, NAME.glb, NAME.png and NAME.json to this folder."`
	Features  bool              `help:"List the features with their facts; --out gets NAME.3mf, NAME.features.glb and .png that show them."`
	Explain   string            `placeholder:"FEATURE" help:"Say why a feature (its number, or how its tag begins) is one, and its facts."`
	Tolerance float64           `help:"Chord tolerance, mm (default: 0.1, at most 1/2000 of the diagonal; coarser, with a warning, for too many triangles)."`
	Angle     float64           `default:"20" help:"Angle tolerance, degrees."`
	Jobs      int               `default:"1" help:"Files analysed at the same time."`
	Limits    stagechild.Limits `embed:""`
	Compute   stagechild.Device `embed:""`
}

// Validate reports all errors in the flags at once (kong calls it).
func (c *Cmd) Validate() error {
	var errs []error
	if c.Tolerance < 0 {
		errs = append(errs, fmt.Errorf("--tolerance must not be negative, got %g", c.Tolerance))
	}
	if c.Angle <= 0 || c.Angle > 90 {
		errs = append(errs, fmt.Errorf("--angle must be above 0 and at most 90 degrees, got %g", c.Angle))
	}
	if c.Jobs < 1 {
		errs = append(errs, fmt.Errorf("--jobs must be at least 1, got %d", c.Jobs))
	}
	if c.Explain != "" && c.Output == "json" {
		errs = append(errs, errors.New("--explain answers in words; use --features with -o json"))
	}
	return errors.Join(append(errs, c.Limits.Check(), c.checkNames())...)
}

// checkNames finds files whose outputs would overwrite each other.
func (c *Cmd) checkNames() error {
	if c.Out == "" {
		return nil
	}
	seen := map[string]string{}
	for _, file := range c.Files {
		name := output.Stem(file)
		if first, taken := seen[name]; taken {
			return fmt.Errorf("%s and %s would both write %s.* to %s", first, file, name, c.Out)
		}
		seen[name] = file
	}
	return nil
}

// analyzed is one line of the JSON output: the result, or the reason for its absence.
type analyzed struct {
	File string `json:"file"`
	*Result
	Error *fault.Error `json:"error,omitempty"`
}

// Result is the output of the stages for a file.
type Result struct {
	pipeline.Analysis
	*pipeline.DatasheetSet // nil: not asked for
	// Findings for design, with datasheets.
	Findings []Finding `json:"findings,omitempty"`

	ReadMs        int64               `json:"readMs"`
	MeshMs        int64               `json:"meshMs"`
	RecognitionMs int64               `json:"recognitionMs"` // directions and features
	EnrichmentMs  int64               `json:"enrichmentMs"`  // datasheets
	PeakRSSBytes  int64               `json:"peakRssBytes"`
	Compute       pipeline.ComputeUse `json:"compute"`

	Files map[pipeline.Name]string `json:"files,omitempty"` // written to --out
}

// ErrSomeFailed makes the exit status 1 after every file was done.
var ErrSomeFailed = errors.New("some files failed")

// Run analyses the files, at most Jobs at a time, and prints them in the order given.
func (c *Cmd) Run(ctx context.Context) error {
	if c.Out != "" {
		if err := os.MkdirAll(c.Out, 0o755); err != nil {
			return fmt.Errorf("make the output folder: %w", err)
		}
	}
	sandbox, err := stagechild.Sandbox("", c.Limits, c.Compute)
	if err != nil {
		return err
	}
	open := func() (workspace, error) { return sandbox.OpenFolder() }
	bars := progress.New(os.Stderr, len(c.Files))
	results := make([]chan analyzed, len(c.Files))
	slots := make(chan struct{}, c.Jobs)
	var running sync.WaitGroup
	for i := range results {
		results[i] = make(chan analyzed, 1)
	}
	running.Go(func() { // in the order given, so that what is done first is printed first
		for i, file := range c.Files {
			slots <- struct{}{}
			running.Go(func() {
				defer func() { <-slots }()
				bar := bars.Add(filepath.Base(file))
				results[i] <- c.one(ctx, open, file, bar.Set)
				bar.Done()
			})
		}
	})
	failed, err := c.print(os.Stdout, results)
	running.Wait()
	bars.Wait()
	if err != nil {
		return err
	}
	if failed {
		return ErrSomeFailed
	}
	return nil
}

// workspace is one whose artifacts are files.
type workspace interface {
	pipeline.Workspace
	Link(n pipeline.Name, file string) error
	Path(n pipeline.Name) string
}

type opener func() (workspace, error)

// outputs are the suffixes of the files that --out receives, after the name of the part.
var outputs = map[pipeline.Name]string{
	pipeline.STL: ".stl", pipeline.GLB: ".glb", pipeline.Thumbnail: ".png",
	pipeline.ThreeMF: ".3mf", pipeline.FeatureGLB: ".features.glb", pipeline.FeaturePicture: ".features.png",
}

// wanted returns the artifacts that the flags request.
func (c *Cmd) wanted() []pipeline.Name {
	want := []pipeline.Name{pipeline.Summary}
	if c.Features || c.Explain != "" {
		want = append(want, pipeline.Datasheets)
	}
	if c.Out == "" {
		return want
	}
	want = append(want, pipeline.STL, pipeline.GLB, pipeline.Thumbnail)
	if c.Features {
		want = append(want, pipeline.ThreeMF, pipeline.FeatureGLB, pipeline.FeaturePicture)
	}
	return want
}

// one analyses a single file.
func (c *Cmd) one(
	ctx context.Context, open opener, file string, tell func(pipeline.Progress),
) analyzed {
	if _, err := os.Stat(file); err != nil {
		return analyzed{File: file, Error: &fault.Error{
			Code: fault.UnreadableFile, Reason: fmt.Sprintf("The file cannot be opened: %v.", err),
		}}
	}
	result, err := c.runStages(ctx, open, file, tell)
	if err != nil {
		return analyzed{File: file, Error: AsFailure(ctx, err)}
	}
	return analyzed{File: file, Result: result}
}

// runStages builds the requested artifacts of a file and moves them to their folder.
func (c *Cmd) runStages(
	ctx context.Context, open opener, file string, tell func(pipeline.Progress),
) (_ *Result, err error) {
	space, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, space.Close()) }()
	if err := space.Link(pipeline.Source, file); err != nil {
		return nil, err
	}
	params := pipeline.Params{
		FileName: filepath.Base(file), ChordTolerance: c.Tolerance, AngleTolerance: c.Angle,
	}
	var came pipeline.Progress
	run, err := space.Make(ctx, params, c.wanted(), func(p pipeline.Progress) {
		came = p
		tell(p)
	})
	if err := asTold(ctx, file, came, err); err != nil {
		return nil, err
	}
	out := &Result{
		ReadMs:        run.Took(pipeline.Model).Milliseconds(),
		MeshMs:        run.Took(pipeline.Mesh, pipeline.DisplayMesh).Milliseconds(),
		RecognitionMs: run.Took(pipeline.Features).Milliseconds(),
		EnrichmentMs:  run.Took(pipeline.Datasheets).Milliseconds(),
		PeakRSSBytes:  run.PeakRSSBytes, Compute: run.Compute,
	}
	if err := output.ReadJSON(space.Path(pipeline.Summary), &out.Analysis); err != nil {
		return nil, err
	}
	if c.Features || c.Explain != "" {
		out.DatasheetSet = &pipeline.DatasheetSet{}
		if err := output.ReadJSON(space.Path(pipeline.Datasheets), out.DatasheetSet); err != nil {
			return nil, err
		}
		out.Findings = findings(out)
	}
	return out, c.deliver(space, file, out)
}

// deliver moves all outputs of a file into the folder, or none.
func (c *Cmd) deliver(space workspace, file string, result *Result) error {
	if c.Out == "" {
		return nil
	}
	return output.Into(c.Out, func(beside string) error {
		result.Files = map[pipeline.Name]string{}
		for n, suffix := range outputs {
			name := output.Stem(file) + suffix
			err := output.Copy(filepath.Join(beside, name), space.Path(n))
			if errors.Is(err, os.ErrNotExist) {
				continue // not asked for
			}
			if err != nil {
				return err
			}
			result.Files[n] = filepath.Join(c.Out, name)
		}
		return output.WriteJSON(filepath.Join(beside, output.Stem(file)+".json"), analyzed{File: file, Result: result})
	})
}

// AsFailure gives every error the shape of a failure.
func AsFailure(ctx context.Context, err error) *fault.Error {
	var f *fault.Error
	switch {
	case errors.As(err, &f):
		return f
	case ctx.Err() != nil:
		return &fault.Error{Code: fault.Cancelled, Reason: "The analysis was interrupted."}
	default:
		slog.Error("the analysis failed", "error", err)
		return &fault.Error{Code: fault.KernelError, Reason: "The analysis failed for a reason that is in the log."}
	}
}

// asTold returns the error of a sandbox as reported to the user. Errors that the file did not cause, such as a crash
// with its traces, go to the log. came is the last stage reached.
func asTold(ctx context.Context, file string, came pipeline.Progress, err error) error {
	var f *fault.Error
	if err == nil || errors.As(err, &f) || ctx.Err() != nil {
		return err
	}
	slog.Error("the kernel failed", "file", file, "error", err)
	return came.Fault("the log says more")
}

// print writes the results in file order as they come and reports whether any failed.
func (c *Cmd) print(w io.Writer, results []chan analyzed) (failed bool, err error) {
	out := c.printer(w)
	for _, r := range results {
		a := <-r
		failed = failed || a.Error != nil
		err = errors.Join(err, out(a))
	}
	return failed, err
}

// printer returns a function that prints one result as the flags request.
func (c *Cmd) printer(w io.Writer) func(analyzed) error {
	switch {
	case c.Output == "json":
		enc := json.NewEncoder(w)
		return func(a analyzed) error { return enc.Encode(a) }
	case c.Explain != "":
		return func(a analyzed) error { return explain(w, a, c.Explain) }
	}
	return newTable(w, c.Features)
}
