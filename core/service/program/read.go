package program

import (
	"context"
	"errors"
	"fmt"
	"time"

	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/usertext"
)

// Get returns a program of a part. Error code: not_found.
func (s *Service) Get(ctx context.Context, c account.Caller, partID, programID string) (ProgramDetail, error) {
	p, err := s.Store.Program(ctx, c.TeamID, partID, programID)
	if errors.Is(err, record.ErrNotFound) {
		err = apierr.Errorf(apierr.NotFound, "The part has no program %s.", usertext.Quote(programID))
	}
	return p, err
}

// Awaiting returns a function that waits for a program of the given part. It returns the same as Get, once the program
// has ended or the duration most is over.
func (s *Service) Awaiting(programID string) func(
	ctx context.Context, c account.Caller, partID string, most time.Duration,
) (ProgramDetail, error) {
	return func(ctx context.Context, c account.Caller, partID string, most time.Duration) (ProgramDetail, error) {
		look := func(ctx context.Context) (ProgramDetail, error) { return s.Get(ctx, c, partID, programID) }
		return record.WaitForChange(ctx, s.Clock, most, look, func(p ProgramDetail) (string, bool) {
			return string(p.Status), p.Status != Processing
		})
	}
}

// AwaitPlan is Plan that waits until the plan has ended, at most for the duration most.
func (s *Service) AwaitPlan(ctx context.Context, c account.Caller, planID string, most time.Duration) (Plan, error) {
	look := func(ctx context.Context) (Plan, error) { return s.Plan(ctx, c, planID) }
	return record.WaitForChange(ctx, s.Clock, most, look, func(p Plan) (string, bool) {
		return string(p.Status), p.Status != Processing
	})
}

// List returns a page of a part's programs, newest first. Error codes: not_found (part), invalid_request.
func (s *Service) List(ctx context.Context, c account.Caller, partID string,
	p record.Page,
) (record.List[ProgramDetail], error) {
	if _, err := s.Parts.Get(ctx, c, partID); err != nil {
		return record.List[ProgramDetail]{}, err
	}
	return record.Paginate(p, nil, func(p record.Page) ([]ProgramDetail, int, error) {
		return s.Store.ListPrograms(ctx, c.TeamID, partID, p)
	})
}

// Plan returns a plan. Error code: not_found.
func (s *Service) Plan(ctx context.Context, c account.Caller, planID string) (Plan, error) {
	p, err := s.Store.Plan(ctx, c.TeamID, planID)
	if errors.Is(err, record.ErrNotFound) {
		err = apierr.Errorf(apierr.NotFound, "There is no plan %s.", usertext.Quote(planID))
	}
	return p, err
}

// Plans returns a page of a part's plans, newest first. Error codes: not_found (part), invalid_request.
func (s *Service) Plans(ctx context.Context, c account.Caller, partID string,
	p record.Page,
) (record.List[Plan], error) {
	if _, err := s.Parts.Get(ctx, c, partID); err != nil {
		return record.List[Plan]{}, err
	}
	return record.Paginate(p, nil, func(p record.Page) ([]Plan, int, error) {
		return s.Store.ListPlans(ctx, c.TeamID, partID, p)
	})
}

// Toolpaths are the toolpaths of a plan with addresses, "" where there is nothing.
type Toolpaths struct {
	Set        ToolpathSet
	Plan       Plan
	MovesURL   string // of the moves as JSON
	PathsURL   string // of a GLB with a node for each setup, like the files below
	StockURL   string
	ResidueURL string
}

// Toolpaths returns the plan's latest toolpaths, or those that jobID calculated. Error codes: not_found, no_toolpaths.
func (s *Service) Toolpaths(ctx context.Context, c account.Caller, planID, jobID string) (Toolpaths, error) {
	plan, set, err := s.set(ctx, c, planID, jobID)
	if err != nil {
		return Toolpaths{}, err
	}
	name, err := s.stem(ctx, c, plan.PartID)
	if err != nil {
		return Toolpaths{}, err
	}
	out := Toolpaths{Set: set, Plan: plan}
	err = s.sign(ctx, &set,
		download{&out.MovesURL, pipeline.PathsJSON, typeJSON, name + ".moves.json"},
		download{&out.PathsURL, pipeline.PathsGLB, part.TypeGLB, name + ".paths.glb"},
		download{&out.StockURL, pipeline.StockGLB, part.TypeGLB, name + ".stock.glb"},
		download{&out.ResidueURL, pipeline.ResidueGLB, part.TypeGLB, name + ".residue.glb"})
	return out, err
}

// Media types of program files, in addition to those of parts.
const (
	typeJSON = "application/json"
	typeHTML = "text/html; charset=utf-8"
	typeText = "text/plain; charset=utf-8"
	typeZip  = "application/zip"
)

// Files is the download addresses of a program; "" for missing files.
type Files struct {
	SetupSheet  string // to be read in place
	ToolTable   string
	ProgramJSON string
	Devices     string // that are made for the part; "" without any
	Bundle      string // of all files
}

// Files returns the addresses of a program that is ready; other programs have no addresses.
func (s *Service) Files(ctx context.Context, p *ProgramDetail) (out Files, err error) {
	if p.Status != Ready || p.Set == nil {
		return Files{}, nil
	}
	all := []download{{&out.Devices, pipeline.Devices, typeZip, p.Result.Title + ".devices.zip"}}
	if !planning.HasPieces(p.Plan.Made.Setups) {
		all = nil // the object is empty
	}
	all = append(all,
		download{&out.SetupSheet, pipeline.SetupSheet, typeHTML, ""},
		download{&out.ToolTable, pipeline.ToolTable, typeText, p.Result.Title + ".tools.txt"},
		download{&out.ProgramJSON, pipeline.ProgramJSON, typeJSON, p.Result.Title + ".program.json"},
		download{&out.Bundle, pipeline.Bundle, typeZip, p.Result.Title + ".zip"})
	return out, s.sign(ctx, p.Set, all...)
}

// download is an address that is asked for.
type download struct {
	to   *string
	of   pipeline.Name
	kind string // media type
	name string // name for saving it; "": it is shown in place
}

// sign sets the download addresses of a set's objects; entries without an object stay unchanged.
func (s *Service) sign(ctx context.Context, set *ToolpathSet, all ...download) error {
	for _, d := range all {
		ref, there := set.Result.Objects[d.of]
		if !there {
			continue
		}
		signed, err := s.Objects.SignGet(ctx, ref, object.GetConditions{
			Life: s.config.AddressLife, ContentType: d.kind, FileName: d.name,
		})
		if err != nil {
			return err
		}
		*d.to = signed.URL
	}
	return nil
}

// stem is the name of the part's file without its extension.
func (s *Service) stem(ctx context.Context, c account.Caller, partID string) (string, error) {
	pt, err := s.Parts.Get(ctx, c, partID)
	name, _ := pipeline.SplitName(pt.FileName)
	return name, err
}

// set returns a plan with its toolpaths. Error codes: not_found, no_toolpaths.
func (s *Service) set(ctx context.Context, c account.Caller, planID, jobID string) (Plan, ToolpathSet, error) {
	plan, err := s.Plan(ctx, c, planID)
	if err != nil {
		return Plan{}, ToolpathSet{}, err
	}
	set, err := s.Store.Set(ctx, c.TeamID, planID, jobID)
	if errors.Is(err, record.ErrNotFound) {
		err = apierr.Errorf(apierr.NoToolpaths, "No toolpaths of the plan have been calculated yet.")
		if jobID != "" {
			err = apierr.Errorf(apierr.NoToolpaths, "Job %s has calculated no toolpaths of the plan.", jobID)
		}
	}
	return plan, set, err
}

// Time returns the machining times of the plan's latest toolpaths, or of the toolpaths that jobID calculated. Error
// codes: not_found, no_toolpaths.
func (s *Service) Time(ctx context.Context, c account.Caller, planID, jobID string) (estimate.Times, error) {
	_, set, err := s.set(ctx, c, planID, jobID)
	return set.Result.Times, err
}

// Price is an estimate of a program whose account names features.
type Price struct {
	estimate.Estimate
	FeatureIDs []string // by the index of the feature
}

// Estimate returns the cost per part in a batch. It uses the moves of the program once it is ready, and the features of
// the part before. Error codes: not_found, program_not_ready (its tools permit no estimate).
func (s *Service) Estimate(
	ctx context.Context, c account.Caller, partID, programID string, quantity int,
) (Price, error) {
	p, err := s.Get(ctx, c, partID, programID)
	if err != nil {
		return Price{}, err
	}
	cutting, err := s.cuttingOf(ctx, c.TeamID, p.PlanID)
	if err != nil {
		return Price{}, err
	}
	if p.Status == Ready {
		e := estimate.Refined(&p.Set.Result.Times, &p.Plan.Made.Plan, &cutting.Config, quantity)
		return Price{e, p.Plan.Made.FeatureIDs}, nil
	}
	var plan *planning.Plan
	if p.Plan.Made != nil {
		plan = &p.Plan.Made.Plan
	}
	facts, err := s.facts(ctx, c, partID, plan)
	if err != nil {
		return Price{}, err
	}
	out, err := estimate.Fast(facts, cutting.Tools, &cutting.Config, quantity)
	if errors.Is(err, estimate.ErrNoTools) {
		err = apierr.Errorf(apierr.ProgramNotReady,
			"The program is %s, and none of its tools roughs the material, so that nothing can be told.", p.Status)
	}
	return Price{Estimate: out}, err
}

// cuttingOf reads the snapshot of a plan.
func (s *Service) cuttingOf(ctx context.Context, teamID, planID string) (*pipeline.PlanParams, error) {
	text, err := s.Store.Cutting(ctx, teamID, planID)
	if err != nil {
		return nil, fmt.Errorf("what plan %s was made with: %w", planID, err)
	}
	return decode(text)
}

// Cutting returns a plan and its parameters, for the worker that makes it.
func (s *Service) Cutting(ctx context.Context, teamID, planID string) (Plan, *pipeline.PlanParams, error) {
	plan, err := s.Store.Plan(ctx, teamID, planID)
	if err != nil {
		return Plan{}, nil, fmt.Errorf("plan %s: %w", planID, err)
	}
	cutting, err := s.cuttingOf(ctx, teamID, planID)
	return plan, cutting, err
}

// facts returns the input of an estimate without toolpaths.
func (s *Service) facts(
	ctx context.Context, c account.Caller, partID string, plan *planning.Plan,
) (*estimate.Part, error) {
	report, err := s.Parts.Report(ctx, c, partID, "")
	if err != nil {
		return nil, err
	}
	found, err := s.Parts.Features(ctx, c, part.FeaturesInput{PartID: partID})
	if err != nil {
		return nil, err
	}
	sheets := map[string]*feature.Datasheet{}
	for i := range found.Features {
		sheets[found.Features[i].Tag] = found.Features[i].Datasheet
	}
	return Facts(&report.Analysis, sheets, plan), nil
}

// Facts returns the input of an estimate without toolpaths. sheets maps feature tags to datasheets; nil: not measured.
// For a planned part, only features in the plan count; plan nil: not planned.
func Facts(a *pipeline.Analysis, sheets map[string]*feature.Datasheet, plan *planning.Plan) *estimate.Part {
	out := &estimate.Part{
		Size: a.Bounds.Max.Sub(a.Bounds.Min), Volume: a.Volume, Area: a.Area, Setups: len(a.Setups), Plan: plan,
	}
	made := map[int]bool{}
	if plan != nil {
		for i := range plan.Setups {
			for _, o := range plan.Setups[i].Operations {
				for _, f := range o.Features {
					made[f] = true
				}
			}
		}
	}
	areas := map[int]float64{}
	for _, r := range a.Regions {
		areas[r.Idx] = r.Area
	}
	holes := map[string]*feature.HoleFacts{}
	for _, h := range a.Holes {
		holes[h.FeatureTag] = &feature.HoleFacts{
			Diameter: h.Diameter, Depth: h.Depth, Counterbore: h.Counterbore, Countersink: h.Countersink,
		}
	}
	for i, f := range a.Features {
		if plan != nil && !made[i] {
			continue
		}
		if sheet := sheets[f.FeatureTag]; sheet != nil {
			out.Sheets = append(out.Sheets, sheet)
			continue
		}
		u := estimate.Unmeasured{Hole: holes[f.FeatureTag]}
		for _, r := range f.RegionIdxs {
			u.Area += areas[r]
		}
		out.Unmeasured = append(out.Unmeasured, u)
	}
	return out
}
