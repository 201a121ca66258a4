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

	"millwright/cmd/millwright/kernel"
	"millwright/core/fault"
	"millwright/core/service"
)

// Cmd runs the pipeline on files without a server. Every file is read in a child process of
// its own, so a file that hangs or eats memory costs only itself.
type Cmd struct {
	Files     []string      `arg:"" name:"file" help:"CAD files." type:"path"`
	Output    string        `short:"o" enum:"table,json" default:"table" help:"table or json (a line a file)."`
	Out       string        `type:"path" help:"Write NAME.stl, NAME.glb, NAME.png and NAME.json to this folder."`
	Features  bool          `help:"List the features with their facts; --out gets NAME.features.glb and .png that show them."`
	Explain   string        `placeholder:"FEATURE" help:"Say why a feature (its number, or how its tag begins) is one, and its facts."`
	Tolerance float64       `help:"Chord tolerance, mm (default: 0.1, at most 1/2000 of the diagonal)."`
	Angle     float64       `default:"20" help:"Angle tolerance, degrees."`
	Jobs      int           `default:"1" help:"Files analysed at the same time."`
	Limits    kernel.Limits `embed:""`
	Compute   kernel.Device `embed:""`
}

// Validate reports everything wrong with the flags at once (kong calls it).
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
		name := stem(file)
		if first, taken := seen[name]; taken {
			return fmt.Errorf("%s and %s would both write %s.* to %s", first, file, name, c.Out)
		}
		seen[name] = file
	}
	return nil
}

// analyzed is one line of the JSON output: the analysis, or why there is none.
type analyzed struct {
	File string `json:"file"`
	*service.Analysis
	Error *fault.Error `json:"error,omitempty"`
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
	kernel, err := kernel.Child(c.Limits, c.Compute)
	if err != nil {
		return err
	}
	bars := newProgressBars(os.Stderr, len(c.Files))
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
				bar := bars.add(filepath.Base(file))
				results[i] <- c.one(ctx, kernel, file, bar.set)
				bar.done()
			})
		}
	})
	failed, err := c.print(os.Stdout, results)
	running.Wait()
	bars.wait()
	if err != nil {
		return err
	}
	if failed {
		return ErrSomeFailed
	}
	return nil
}

// one analyses a single file.
func (c *Cmd) one(
	ctx context.Context, kernel service.Kernel, file string, progress func(percent int, stage string),
) analyzed {
	req := service.KernelRequest{
		Source:   file,
		FileName: filepath.Base(file),
		OutDir:   c.Out,
		Options: service.KernelOptions{
			ChordTolerance: c.Tolerance, AngleTolerance: c.Angle,
			Details: c.Features || c.Explain != "", Pictures: c.Features,
		},
	}
	if _, err := os.Stat(file); err != nil {
		return analyzed{File: file, Error: &fault.Error{
			Code: fault.UnreadableFile, Reason: fmt.Sprintf("The file cannot be opened: %v.", err),
		}}
	}
	result := analyzed{File: file}
	var err error
	if c.Out == "" {
		result.Analysis, err = run(ctx, kernel, req, progress)
	} else {
		err = c.intoFolder(ctx, kernel, req, progress, &result)
	}
	if err != nil {
		return analyzed{File: file, Error: asFailure(ctx, err)}
	}
	return result
}

// intoFolder analyses a file and puts all of its outputs into the folder, or none: they are made in a
// folder of their own and moved when they are whole.
func (c *Cmd) intoFolder(
	ctx context.Context, kernel service.Kernel, req service.KernelRequest,
	progress func(percent int, stage string), result *analyzed,
) (err error) {
	req.OutDir, err = os.MkdirTemp(c.Out, ".unfinished-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(req.OutDir)) }()
	a, err := run(ctx, kernel, req, progress)
	if err != nil {
		return err
	}
	made := []string{}
	for _, file := range []*string{
		&a.STLFile, &a.GLBFile, &a.ThumbnailFile, &a.FeatureGLBFile, &a.FeaturePictureFile,
	} {
		if *file != "" {
			made = append(made, *file)
			*file = filepath.Join(c.Out, filepath.Base(*file))
		}
	}
	result.Analysis = a
	record := filepath.Join(req.OutDir, stem(req.FileName)+".json")
	if err := writeJSON(record, result); err != nil {
		return err
	}
	for _, file := range append(made, record) {
		if err := os.Rename(file, filepath.Join(c.Out, filepath.Base(file))); err != nil {
			return err
		}
	}
	return nil
}

// run runs the kernel. What goes wrong in it through no fault of the file, a crash with all its traces for
// one, is for the log; whoever asked for the analysis is told in a sentence that there was something.
func run(
	ctx context.Context, kernel service.Kernel, req service.KernelRequest, progress func(percent int, stage string),
) (*service.Analysis, error) {
	a, err := kernel.Analyze(ctx, req, progress)
	var f *fault.Error
	if err == nil || errors.As(err, &f) || ctx.Err() != nil {
		return a, err
	}
	slog.Error("the kernel failed", "file", req.Source, "error", err)
	return nil, fault.Errorf(fault.KernelError,
		"%s could not be processed because of an internal error, which is in the log.", req.FileName)
}

// asFailure gives every error the shape of a failure.
func asFailure(ctx context.Context, err error) *fault.Error {
	var f *fault.Error
	switch {
	case errors.As(err, &f):
		return f
	case ctx.Err() != nil:
		return &fault.Error{Code: fault.Cancelled, Reason: "The analysis was interrupted."}
	default:
		return &fault.Error{Code: fault.KernelError, Reason: err.Error()}
	}
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

// printer prints one result as the flags ask for.
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

func writeJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

func stem(file string) string {
	base := filepath.Base(file)
	return base[:len(base)-len(filepath.Ext(base))]
}
