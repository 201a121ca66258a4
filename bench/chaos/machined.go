package chaos

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/record"
)

// auditPlan checks what a job about a plan made: the plan, and where it was asked for a whole set of toolpaths.
func (s *stack) auditPlan(ctx context.Context, a *Audit, j job.Job) error {
	broken := func(what string) error {
		a.Broken++
		a.example(what, string(j.Product)+" "+j.ID)
		return nil
	}
	plan, err := s.Store.Plan(ctx, s.team, j.Input.PlanID)
	switch {
	case errors.Is(err, record.ErrNotFound):
		return broken("job without its plan")
	case err != nil:
		return err
	case plan.Status != program.Ready || plan.Made == nil || j.ReportID != plan.ReportID:
		return broken("plan that is not whole")
	}
	if j.Product == job.Plan {
		a.Succeeded++
		return nil
	}
	set, err := s.Store.Set(ctx, s.team, plan.ID, j.ID)
	switch {
	case errors.Is(err, record.ErrNotFound):
		return broken("job without its toolpaths")
	case err != nil:
		return err
	case len(set.Result.Paths) != len(plan.Made.Setups) || set.Result.Proof.Digest == "":
		return broken("toolpaths that are not whole")
	}
	shown := []pipeline.Name{pipeline.Paths, pipeline.PathsJSON, pipeline.PathsGLB, pipeline.StockGLB, pipeline.ResidueGLB,
		pipeline.TimedMoves, pipeline.InProcessStock}
	if j.Product == job.Program {
		shown = append(shown, pipeline.SetupSheet, pipeline.ToolTable, pipeline.ProgramJSON, pipeline.Bundle)
		if planning.HasPieces(plan.Made.Setups) {
			shown = append(shown, pipeline.Devices)
		}
	}
	if s.hasObjects(a, j, set.Result.Objects, shown...) {
		a.Succeeded++
	}
	return nil
}

// auditPrograms checks that every part has the programs and plans that were asked for, and no others, and that each has
// ended as its job did.
func (s *stack) auditPrograms(ctx context.Context, a *Audit, sent *submission, jobs map[string]job.Job) error {
	parts := map[string]bool{}
	for _, id := range sent.jobs {
		parts[id] = true
	}
	for _, id := range slices.Sorted(maps.Keys(parts)) {
		p, err := s.Store.Part(ctx, s.team, id)
		if err != nil {
			return fmt.Errorf("part %s: %w", id, err)
		}
		if p.Status != part.Ready { // which its job says
			continue
		}
		programs, total, err := s.Store.ListPrograms(ctx, s.team, id, record.Page{Page: 1, PageSize: 100})
		if err != nil {
			return err
		}
		_, plans, err := s.Store.ListPlans(ctx, s.team, id, record.Page{Page: 1, PageSize: 100})
		if err != nil {
			return err
		}
		var found []string
		for i := range programs {
			found = append(found, programs[i].ID)
			if err := s.auditProgram(ctx, a, &programs[i], jobs[programs[i].JobID]); err != nil {
				return err
			}
		}
		for _, want := range sent.programs[id] {
			if !slices.Contains(found, want) {
				a.Lost++
				a.example("lost program", want)
			}
		}
		slices.Sort(found)
		others := plans - total // than those of programs
		if total > len(sent.programs[id]) || others > len(sent.plans[id]) ||
			!slices.Equal(found, slices.Sorted(slices.Values(p.ProgramIDs))) || !slices.Contains(found, p.CurrentProgramID) {
			a.Duplicate++
			a.example("programs that nobody asked for", fmt.Sprintf("%d, and %d plans, of part %s", total, plans, id))
		}
		if others < len(sent.plans[id]) {
			a.Lost++
			a.example("lost plan", "of part "+id)
		}
	}
	return nil
}

// auditProgram checks that a program has ended as its job, and reads its g-code.
func (s *stack) auditProgram(ctx context.Context, a *Audit, p *program.ProgramDetail, j job.Job) error {
	switch {
	case p.Status == program.Processing:
		a.Stuck++
		a.example("stuck program", p.ID)
		return nil
	case p.Status == program.Failed && p.Failure.Code != "" && p.Failure.Reason != "" &&
		(j.Status == job.Succeeded && p.Set != nil || j.Status == job.Failed && j.FailureCode == p.Failure.Code):
		a.Programs[string(p.Failure.Code)]++
		return nil
	case p.Status == program.Failed, j.Status != job.Succeeded, p.Set == nil, len(p.Result.Digests) == 0:
		a.Broken++
		a.example("program that ended otherwise than its job", p.ID)
		return nil
	}
	for i, want := range p.Result.Digests {
		text, err := s.gcode(ctx, p, i+1)
		if err != nil {
			return err
		}
		if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != want {
			a.Broken++
			a.example("g-code that was not proved", p.ID)
			return nil
		}
		a.Gcode++
	}
	a.Programs[string(program.Ready)]++
	return nil
}

// gcode reads the g-code of a setup as any client does.
func (s *stack) gcode(ctx context.Context, p *program.ProgramDetail, setup int) ([]byte, error) {
	u := &upload{stack: s, submission: &submission{}, part: p.PartID}
	var text []byte
	err := u.call(ctx, http.MethodGet, u.address(fmt.Sprintf("/programs/%s/gcode?setup=%d", p.ID, setup)), "", "", &text)
	return text, err
}
