package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/feature/recognize"
)

// proofChord is the chord tolerance of the mesh for verification. It is finer than the accuracy of any machine, so a
// finding is an error of the program and not of the mesh.
const proofChord = 0.004 // mm

// The versions of the artifacts of a program whose encoding is defined here.
const (
	proofMeshVersion = 3
	madePlanVersion  = 1
	pathsVersion     = 29
	proofVersion     = 2
)

var errNoCutting = errors.New("the parameters do not state how the part is cut")

// NewPlanParams returns the parameters of plans for a cut config. Its tools are the given ones, then those of the
// built-in libraries that the config names. It fails if the config or a tool is not valid, or a library is unknown.
func NewPlanParams(config machining.CutConfig, tools []machining.Tool) (*PlanParams, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	for i := range tools {
		if err := tools[i].Validate(); err != nil {
			return nil, fmt.Errorf("tools[%d]: %w", i, err)
		}
	}
	libraries := map[string][]machining.Tool{}
	for _, l := range machining.BuiltInToolLibraries() {
		libraries[l.ID] = l.Tools
	}
	tools = slices.Clone(tools)
	for _, id := range config.ToolLibraryIDs {
		of, known := libraries[id]
		if !known {
			return nil, fmt.Errorf("the tool library %s is not built in; list its tools beside the cut config", id)
		}
		tools = append(tools, of...)
	}
	return &PlanParams{Config: config, Tools: tools}, nil
}

// planParams returns the parameters of plans.
func planParams(r Params) any { return r.Cutting }

// makePlan plans the part and predicts the remaining material.
func makePlan(ctx context.Context, r *run) (any, error) {
	if r.params.Cutting == nil {
		return nil, errNoCutting
	}
	p, err := r.planWithout(ctx, nil)
	if err != nil {
		return nil, err
	}
	p.Account, err = verify.Predict(ctx, p, value[Tessellation](r, Mesh).Mesh, r.Mill, r.facts(p.RawVolume()))
	if err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	return p, nil
}

// planWithout plans the part without the given failed attempts.
func (r *run) planWithout(ctx context.Context, avoid []planning.Attempt) (*planning.Plan, error) {
	c := r.params.Cutting
	found := value[*recognize.Recognition](r, Features)
	sheets, err := r.sheets()
	if err != nil {
		return nil, err
	}
	tagged := func(tags []string) (list []int) {
		for i := range found.Features {
			if slices.Contains(tags, found.Features[i].Tag) {
				list = append(list, i)
			}
		}
		return list
	}
	p, err := planning.Make(ctx, planning.Input{
		Run: found, Sheets: sheets, Config: c.Config, Tools: c.Tools, Only: tagged(c.FeatureTags), Avoid: avoid,
		Mill: r.Mill, Excluded: tagged(c.ExcludedTags), Terms: c.Terms,
	})
	if err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	return p, nil
}

// makePaths turns the plan into motion.
func makePaths(ctx context.Context, r *run) (any, error) {
	if r.params.Cutting == nil {
		return nil, errNoCutting
	}
	return r.draft(ctx, value[*planning.Plan](r, Plan), r.step)
}

// draft turns a plan into motion.
func (r *run) draft(ctx context.Context, plan *planning.Plan, step func(done, total int)) (out drafted, err error) {
	g := value[*recognize.Recognition](r, Features).Graph
	machine := &r.params.Cutting.Config.Machine
	axes := machine.AxisLimits()
	set, err := toolpath.Make(ctx, toolpath.Input{
		Plan: plan, Graph: g, Samples: outline.Sample(g), Mill: r.Mill,
		Part: value[Tessellation](r, proofMesh).Mesh, Chord: value[Tessellation](r, Mesh).ChordTolerance,
		Travel: machine.Travel, RapidX: axes.X.RapidFeed, RapidY: axes.Y.RapidFeed, MaxFeed: machine.MaxFeed,
		Progress: step,
	})
	if err != nil {
		return out, fmt.Errorf("make toolpaths: %w", err)
	}
	out.Plan, out.Set, out.Idle = toolpath.Prune(plan, set)
	return out, nil
}

func encodePaths(_ *run, w io.Writer, v any) error {
	data, err := v.(*toolpath.Set).Encode()
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

func decodePaths(_ context.Context, _ *run, data []byte) (any, error) { return toolpath.Decode(data) }

// replayed is a verification report with the remaining stock. It is not stored; files are written from it.
type replayed struct {
	Proof *verify.Report
	Left  *verify.RemainingStock
}

// Stages without stored artifacts. The mesh for verification is large; the artifacts of the settled program contain the
// rest.
const (
	proofMesh Name = "proof-mesh"
	Drafting  Name = "draft-paths" // the first motion of a plan
	replay    Name = "replay"
	program   Name = "program"
)

func tessellateToProve(ctx context.Context, r *run) (any, error) {
	return r.tessellate(ctx, proofChord, 0)
}

// replayMotion verifies the toolpaths on the mesh for verification.
func replayMotion(ctx context.Context, r *run) (any, error) {
	if r.params.Cutting == nil {
		return nil, errNoCutting
	}
	d := value[drafted](r, Drafting)
	return r.prove(ctx, &d, r.step)
}

// prove simulates a program.
func (r *run) prove(ctx context.Context, d *drafted, step func(done, total int)) (replayed, error) {
	part := value[Tessellation](r, proofMesh)
	switch { // verification against another body would prove nothing
	case !part.Watertight:
		return replayed{}, fault.Errorf(fault.OpenShell,
			"The mesh of the part is not closed, so no program can be proved on it.")
	case part.ChordTolerance > proofChord:
		return replayed{}, fault.Errorf(fault.TooComplex,
			"A program is proved on a mesh within %g mm of the part; this part takes too many triangles for that, "+
				"and was meshed within %.4f mm.", proofChord, part.ChordTolerance)
	}
	machine := &r.params.Cutting.Config.Machine
	axes := machine.AxisLimits()
	proof, left, err := verify.Replay(ctx, verify.Input{
		Plan: d.Plan, Set: d.Set, Part: part.Mesh, Travel: machine.Travel, RapidX: axes.X.RapidFeed,
		RapidY: axes.Y.RapidFeed, Mill: r.Mill, Progress: step, Record: true,
	})
	if err != nil {
		return replayed{}, fmt.Errorf("prove the program: %w", err)
	}
	return replayed{proof, left}, nil
}

func madePlan(_ context.Context, r *run) (any, error) { return value[*settled](r, program).Plan, nil }
func madeSet(_ context.Context, r *run) (any, error)  { return value[*settled](r, program).Set, nil }
func proved(_ context.Context, r *run) (any, error)   { return value[*settled](r, program).Proof, nil }

func timed(_ context.Context, r *run) (any, error) {
	c := r.params.Cutting
	if c == nil {
		return nil, errNoCutting
	}
	t, err := estimate.MachiningTimes(value[*planning.Plan](r, MadePlan), value[*toolpath.Set](r, Paths),
		&c.Config.Machine)
	if err != nil {
		return nil, fmt.Errorf("time the program: %w", err)
	}
	return &t, nil
}

// ProgramView is the input of the writers of program files. It contains only the inputs of the file's stage.
type ProgramView struct {
	*PlanParams
	Title string // of the part
	Part  Tessellation
	Plan  *planning.Plan
	Set   *toolpath.Set
	Proof *verify.Report
	Left  *verify.RemainingStock
	Times *estimate.Times
}

// JobWriter writes one kind of file of a program.
type JobWriter func(w io.Writer, j *ProgramView) error

// jobWriter is a stage that writes a file of a program; no other stage uses the file.
func jobWriter(name Name, version int, from ...Name) stage {
	s := stage{name: name, version: version, from: from, params: named, weight: 5, title: "writing files"}
	s.make = func(_ context.Context, r *run) (any, error) {
		j := &ProgramView{PlanParams: r.params.Cutting, Title: r.params.Title()}
		for _, n := range from {
			switch n {
			case Mesh:
				j.Part = value[Tessellation](r, n)
			case MadePlan:
				j.Plan = value[*planning.Plan](r, n)
			case Paths:
				j.Set = value[*toolpath.Set](r, n)
			case program:
				v := value[*settled](r, n)
				j.Proof, j.Left = v.Proof, v.Left
			case ProgramTime:
				j.Times = value[*estimate.Times](r, n)
			}
		}
		return j, nil
	}
	s.encode = func(r *run, w io.Writer, v any) error {
		write, ok := r.JobWriters[name]
		if !ok {
			return errors.New("there is no writer for it")
		}
		return write(w, v.(*ProgramView))
	}
	return s
}

// named returns the parameters of program files: the title and the plan parameters.
func named(r Params) any {
	return struct {
		Title   string
		Cutting *PlanParams
	}{r.Title(), r.Cutting}
}
