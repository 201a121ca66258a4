package part

import (
	"context"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/dfm"
	"millwright.dev/millwright/core/service/account"
)

// Finding is something to be changed in the design of a part.
type Finding struct {
	dfm.Finding
	FeatureIDs []string // never nil; the field Features contains indices in the report
}

// Findings returns the design findings of a part that make it expensive or impossible to machine, worst first. They
// cover the measured features of its latest run, or of the run given by jobID. Error codes: not_found (part or job),
// no_result.
func (s *Service) Findings(ctx context.Context, c account.Caller, partID, jobID string) ([]Finding, error) {
	_, report, err := s.report(ctx, c, partID, jobID)
	if err != nil {
		return nil, err
	}
	all, err := s.store.Features(ctx, c.TeamID, report.ID)
	if err != nil {
		return nil, err
	}
	sheets := make(map[string]*feature.Datasheet, len(all))
	for i := range all {
		sheets[all[i].Tag] = all[i].Datasheet
	}
	found := report.Analysis.Findings(sheets)
	out := make([]Finding, len(found))
	for i, f := range found {
		out[i] = Finding{f, make([]string, len(f.Features))}
		for k, at := range f.Features {
			out[i].FeatureIDs[k] = report.Analysis.Features[at].FeatureID
		}
	}
	return out, nil
}
