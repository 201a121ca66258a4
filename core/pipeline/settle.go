package pipeline

import (
	"context"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/geom"
)

// Revision of a program that leaves more material than its plan expects, or does not pass verification.
//
// The plan is made again without each operation that has no moves, leaves unexpected material, or has a finding.
// Another tool or another direction then replaces the operation. Where two tools failed from one direction, that
// direction is excluded. The new program is used if it leaves less, or if only it passes. The account of the plan
// contains the material that remains in the end.

// settleVersion rises when the same replay gives a different program.
const settleVersion = 5

// mostRevisions is the maximum number of revisions of a plan.
const mostRevisions = 2

// drafted is the motion of a plan, without operations that have no moves.
type drafted struct {
	Plan *planning.Plan
	Set  *toolpath.Set
	Idle []toolpath.Idle
}

// settled is a program after its last revision.
type settled struct {
	drafted
	replayed
}

// holds reports whether the program passed verification.
func (s *settled) holds() bool { return s.Proof.Passes() }

// missed returns the volume (mm³) that counts as left.
func (s *settled) missed() (sum float64) {
	for _, e := range s.Plan.Account.Left {
		if e.Counts() {
			sum += e.Volume
		}
	}
	return sum
}

// settleProgram accounts for the remaining material, and revises the program while a revision leaves less.
func settleProgram(ctx context.Context, r *run) (any, error) {
	s := &settled{value[drafted](r, Drafting), value[replayed](r, replay)}
	r.account(s)
	var avoid []planning.Attempt
	last := s
	for range mostRevisions {
		failed := last.failed()
		if len(failed) == 0 {
			break
		}
		avoid = append(avoid, widened(failed, avoid)...)
		next, err := r.revise(ctx, avoid)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			break // keep the current program and its account
		}
		if next.holds() && (!s.holds() || next.missed() < s.missed()-completeness.LeastVolume) {
			s = next
		}
		last = next
	}
	return s, nil
}

// widened returns the failed attempts. An attempt applies to all tools if one from the same direction failed before.
func widened(failed, before []planning.Attempt) []planning.Attempt {
	for i := range failed {
		f := &failed[i]
		if slices.ContainsFunc(before, func(a planning.Attempt) bool {
			return a.Direction.Dot(f.Direction) > 1-geom.Resolution &&
				slices.ContainsFunc(a.Regions, func(r int) bool { return slices.Contains(f.Regions, r) })
		}) {
			f.Tool = nil
		}
	}
	return failed
}

// revise makes the program without the given attempts.
func (r *run) revise(ctx context.Context, avoid []planning.Attempt) (*settled, error) {
	plan, err := r.planWithout(ctx, avoid)
	if err != nil {
		return nil, err
	}
	s := &settled{}
	if s.drafted, err = r.draft(ctx, plan, nil); err != nil {
		return nil, err
	}
	if s.replayed, err = r.prove(ctx, &s.drafted, nil); err != nil {
		return nil, err
	}
	r.account(s)
	return s, nil
}

// account puts the account of the remaining material into the plan.
func (r *run) account(s *settled) {
	f := r.facts(s.Proof.StockVolume)
	f.Idle = s.Idle
	s.Plan = verify.Settle(s.Plan, s.Set, s.Proof, f)
}

// facts returns the properties of the part for an account; stock is the volume of the stock (mm³).
func (r *run) facts(stock float64) verify.Facts {
	found, exact := value[*recognize.Recognition](r, Features), value[MassProperties](r, Properties)
	f := verify.Facts{
		Removable: stock - exact.Volume, Area: exact.Area, FeatureOf: slices.Repeat([]int{-1}, len(exact.FaceAreas)),
		Bench: func(area float64) *completeness.Price { return planning.Bench(&r.params.Cutting.Config, area) },
	}
	for i := len(found.Features) - 1; i >= 0; i-- {
		for _, region := range found.Features[i].Regions {
			f.FeatureOf[region] = i
		}
	}
	if tags := r.params.Cutting.FeatureTags; len(tags) > 0 {
		f.Requested = func(i int) bool { return slices.Contains(tags, found.Features[i].Tag) }
	}
	return f
}

// failed returns the attempts of the plan that did not succeed: those with findings, else those that left material.
func (s *settled) failed() (out []planning.Attempt) {
	if !s.holds() {
		return s.found()
	}
	for _, n := range s.Idle {
		if n.Leaves() {
			out = append(out, n.Attempt)
		}
	}
	for _, e := range s.Plan.Account.Left {
		if e.Reason != completeness.PathLeft || !e.Counts() {
			continue
		}
		for i := range s.Plan.Setups {
			setup := &s.Plan.Setups[i]
			for k := range setup.Operations {
				o := &setup.Operations[k]
				a := planning.Attempt{Direction: setup.Frame.Z, Tool: &s.Plan.Tools[o.Tool].Tool}
				for _, region := range e.Regions {
					if slices.Contains(o.Regions, region) {
						a.Regions = append(a.Regions, region)
					}
				}
				if len(a.Regions) > 0 {
					out = append(out, a)
				}
			}
		}
	}
	return out
}

// found returns the operations that finish faces and have a finding.
func (s *settled) found() (out []planning.Attempt) {
	for i := range s.Plan.Setups {
		setup := &s.Plan.Setups[i]
		for k := range setup.Operations {
			o := &setup.Operations[k]
			if len(o.Regions) > 0 && slices.ContainsFunc(s.Proof.Findings, func(f verify.Finding) bool {
				return f.Operation == o.ID
			}) {
				tool := &s.Plan.Tools[o.Tool].Tool
				out = append(out, planning.Attempt{Direction: setup.Frame.Z, Tool: tool, Regions: o.Regions})
			}
		}
	}
	return out
}
