package millwright

import (
	"cmp"
	"context"
	"errors"

	"millwright.dev/millwright/adapters/export/gcode"
	"millwright.dev/millwright/adapters/post"
	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
)

// PlanOptions say how a part is machined. The zero value mills aluminum 6061 in a vise on a common 3-axis mill with the
// built-in metric tools.
type PlanOptions struct {
	// Config is the machine, the material, the stock and the workholding; nil is machining.BuiltInCutConfig.
	Config *machining.CutConfig
	// Tools are considered before the tools of the built-in libraries that Config names.
	Tools []machining.Tool
	// FeatureTags are the tags of the features to machine; none machines the whole part.
	FeatureTags []string
}

// params returns the pipeline's form of the options.
func (o PlanOptions) params() (r pipeline.Params, err error) {
	config := machining.BuiltInCutConfig()
	if o.Config != nil {
		config = *o.Config
	}
	if r.Cutting, err = pipeline.NewPlanParams(config, o.Tools); err != nil {
		return r, err
	}
	r.Cutting.FeatureTags = o.FeatureTags
	return r, nil
}

// Plan decides the stock, the setups, the operations with their tools and cutting data, and predicts what cannot be
// made and why. There are no moves yet, and nothing is verified.
func (p *Part) Plan(ctx context.Context, o PlanOptions) (*planning.Plan, error) {
	r, err := o.params()
	if err != nil {
		return nil, err
	}
	built, err := p.session.Build(ctx, r, pipeline.Plan)
	if err != nil {
		return nil, err
	}
	return built[pipeline.Plan].(*planning.Plan), nil
}

// Program is a plan with the moves that carry it out, and the report of their simulation.
type Program struct {
	Title  string // of the part, as the g-code states it
	Config machining.CutConfig
	// Plan is the plan of these moves. It can differ from the result of Part.Plan: an operation that leaves too much
	// material is planned again. Its Account lists the material that is left.
	Plan      *planning.Plan
	Toolpaths *toolpath.Set
	Report    *verify.Report // whether the program may be run, and if not, which moves are at fault
	Times     *estimate.Times
}

// Program plans the part, makes the moves, and simulates them on a fine mesh of the part. A program with gouges or
// collisions is returned with them in its Report, and has no g-code.
func (p *Part) Program(ctx context.Context, o PlanOptions) (*Program, error) {
	r, err := o.params()
	if err != nil {
		return nil, err
	}
	built, err := p.session.Build(ctx, r, pipeline.MadePlan, pipeline.Paths, pipeline.Proof, pipeline.ProgramTime)
	if err != nil {
		return nil, err
	}
	return &Program{
		Title: p.title, Config: r.Cutting.Config, Plan: built[pipeline.MadePlan].(*planning.Plan),
		Toolpaths: built[pipeline.Paths].(*toolpath.Set), Report: built[pipeline.Proof].(*verify.Report),
		Times: built[pipeline.ProgramTime].(*estimate.Times),
	}, nil
}

// Estimate returns the time and the cost of one part in a batch of quantity parts.
func (p *Program) Estimate(quantity int) estimate.Estimate {
	return estimate.Refined(p.Times, p.Plan, &p.Config, quantity)
}

// GCode returns the files of the program in a dialect of package adapters/post, "" for the one of its Config: the
// g-code of each setup, the tool table, and program.json, which other software replays. A program that must not be run
// gives a *fault.Error, and so does one that the control cannot run.
func (p *Program) GCode(dialect string) ([]gcode.File, error) {
	d, err := post.Find(cmp.Or(dialect, p.Config.Post))
	if err != nil {
		return nil, err
	}
	if !p.Report.Passes() {
		return nil, verify.Fault(p.Plan, p.Report)
	}
	files, err := gcode.Files(d, p.Title, p.Plan, p.Toolpaths, &p.Config, p.Report.Digest)
	if errors.Is(err, post.ErrCannot) {
		return nil, fault.Errorf(fault.DoesNotFitMachine, "The program cannot be written for %s: %v.", d.Title, err)
	}
	return files, err
}
