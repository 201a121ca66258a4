package worker

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
)

// shownOfPaths are the files of toolpaths that clients are shown; g-code is written of the motion.
var shownOfPaths = []pipeline.Name{pipeline.Paths, pipeline.PathsJSON, pipeline.PathsGLB, pipeline.StockGLB,
	pipeline.ResidueGLB, pipeline.TimedMoves, pipeline.InProcessStock}

// plan makes a plan and, if the job asks for them, its toolpaths and a program.
func (m *artifactBuilder) plan(ctx context.Context) error {
	plan, cutting, err := m.Programs.Cutting(ctx, m.job.TeamID, m.job.Input.PlanID)
	if err != nil {
		return fmt.Errorf("look up the plan: %w", err)
	}
	m.params.Cutting = cutting
	want, read := []pipeline.Name{pipeline.Plan, pipeline.Summary}, []pipeline.Name{pipeline.Plan, pipeline.Summary}
	made := pipeline.Plan
	shown := shownOfPaths
	if m.job.Product == job.Program {
		shown = append(shown[:len(shown):len(shown)], pipeline.SetupSheet, pipeline.ToolTable, pipeline.ProgramJSON,
			pipeline.Devices, pipeline.Bundle)
	}
	if m.job.Product != job.Plan {
		made = pipeline.MadePlan
		figures := []pipeline.Name{pipeline.MadePlan, pipeline.Proof, pipeline.ProgramTime}
		want, read = append(append(want, figures...), shown...), append(append(read, figures...), pipeline.Paths)
	}
	if err := m.get(ctx, want, read...); err != nil {
		return err
	}
	out := &program.Outcome{PlanID: plan.ID}
	m.outcome.Program, m.outcome.ReportID = out, plan.ReportID
	predicted := program.PlanSummary{}
	if err := m.readPlan(ctx, plan, pipeline.Plan, &predicted); err != nil {
		return err
	}
	if err := m.readPlan(ctx, plan, made, &out.Made); err != nil {
		return err
	}
	if same, err := isOneOf(plan.Made, &predicted, &out.Made); err != nil || !same {
		return cmp.Or(err, error(fault.Errorf(fault.KernelError,
			"Another version of the kernel made the plan, and the current one (%s) makes a different plan; "+
				"plan the part again.",
			pipeline.KernelVersion)))
	}
	if m.job.Product == job.Plan {
		return nil
	}
	return m.readSet(out, shown)
}

// isOneOf reports whether a ready plan equals one of the plans just made; a nil plan equals any. Toolpaths refer to
// operations by their index, so they do not fit another plan.
func isOneOf(ready *program.PlanSummary, made ...*program.PlanSummary) (bool, error) {
	if ready == nil {
		return true, nil
	}
	before, err := json.Marshal(ready)
	if err != nil {
		return false, err
	}
	for _, m := range made {
		now, err := json.Marshal(m)
		if err != nil || bytes.Equal(before, now) {
			return err == nil, err
		}
	}
	return false, nil
}

// readPlan reads the plan that was made, and looks up the ids of its features, which it names by index.
func (m *artifactBuilder) readPlan(ctx context.Context, plan program.Plan, name pipeline.Name,
	made *program.PlanSummary,
) error {
	if err := m.read(name, &made.Plan); err != nil {
		return err
	}
	var found pipeline.Analysis
	if err := m.read(pipeline.Summary, &found); err != nil {
		return err
	}
	reported, err := m.Records.Features(ctx, m.job.TeamID, plan.ReportID)
	if err != nil {
		return fmt.Errorf("look up the features: %w", err)
	}
	byTag := map[string][]part.Feature{}
	for _, f := range reported {
		byTag[f.Tag] = append(byTag[f.Tag], f)
	}
	made.FeatureIDs = make([]string, len(found.Features))
	for i, f := range found.Features {
		if same := byTag[f.FeatureTag]; len(same) > 0 {
			made.FeatureIDs[i], byTag[f.FeatureTag] = same[0].ID, same[1:]
		}
	}
	for _, i := range made.Named() {
		if i >= len(made.FeatureIDs) || made.FeatureIDs[i] == "" {
			return fault.Errorf(fault.KernelError, "The plan refers to features of another version of the kernel, "+
				"and the current one (%s) finds different features; analyze the part again and make a new plan.",
				pipeline.KernelVersion)
		}
	}
	return nil
}

// readSet reads the toolpaths that were made, and ends their program.
func (m *artifactBuilder) readSet(out *program.Outcome, shown []pipeline.Name) error {
	out.Set = &program.ToolpathSet{
		JobID: m.job.ID, PlanID: out.PlanID, TeamID: m.job.TeamID, PartID: m.job.PartID, CreatedAt: m.now(),
		Result: program.SetResult{Objects: map[pipeline.Name]object.Ref{}},
	}
	result := &out.Set.Result
	for _, n := range shown {
		result.Objects[n] = m.objectOf(n)
	}
	if err := m.read(pipeline.Proof, &result.Proof); err != nil {
		return err
	}
	if err := m.read(pipeline.ProgramTime, &result.Times); err != nil {
		return err
	}
	paths, err := m.readPaths()
	if err != nil {
		return err
	}
	result.Paths = paths.Paths
	if m.job.Product == job.Program {
		title, _ := pipeline.SplitName(m.part.FileName)
		v := m.Programs.Judge(title, &out.Made, paths, &result.Proof, m.params.Cutting.Config.Post)
		out.Verdict = &v
	}
	return nil
}

func (m *artifactBuilder) readPaths() (*toolpath.Set, error) {
	file, err := m.space.Get(pipeline.Paths)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	return toolpath.Decode(data)
}
