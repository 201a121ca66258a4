package program

import (
	"context"
	"fmt"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
)

// ordered is the order of a request, for some features of one run; without features for all of the latest run.
func (s *Service) ordered(
	ctx context.Context, c account.Caller, p job.Product, pt part.Part, in *CreateInput, featureIDs []string,
) (JobOrder, error) {
	cutting, err := s.cutting(ctx, c, pt, in.CutConfigID)
	if err != nil {
		return JobOrder{}, err
	}
	var excluded []string
	if ids := slices.Concat(featureIDs, in.Excluded); len(ids) > 0 {
		features, err := s.Parts.OfOneRun(ctx, c, pt.ID, ids)
		if err != nil {
			return JobOrder{}, err
		}
		pt.ReportID = features[0].ReportID
		for _, f := range features {
			if slices.Contains(featureIDs, f.ID) {
				cutting.FeatureTags = append(cutting.FeatureTags, f.Tag)
			}
			if slices.Contains(in.Excluded, f.ID) {
				excluded = append(excluded, f.Tag)
			}
		}
		slices.Sort(cutting.FeatureTags)
	}
	if err := s.checkRegions(ctx, c, pt.ID, in.DoneRegions); err != nil {
		return JobOrder{}, err
	}
	if cutting, err = cutting.With(&in.PlanRequest, excluded); err != nil {
		return JobOrder{}, catalog.Refused(err)
	}
	return s.order(ctx, p, pt, cutting)
}

// checkRegions refuses regions that the part does not have. Error code: invalid_request.
func (s *Service) checkRegions(ctx context.Context, c account.Caller, partID string, regions []int) error {
	if len(regions) == 0 {
		return nil
	}
	report, err := s.Parts.Report(ctx, c, partID, "")
	if err != nil {
		return err
	}
	invalid := &machining.ValidationError{}
	for i, r := range regions {
		if n := len(report.Analysis.Regions); r >= n {
			invalid.Faults = append(invalid.Faults, machining.Fault{Pointer: fmt.Sprintf("/doneRegions/%d", i),
				Message: fmt.Sprintf("doneRegions[%d] is %d, and the last region of the part is %d.", i, r, n-1)})
		}
	}
	if len(invalid.Faults) > 0 {
		return catalog.Refused(invalid)
	}
	return nil
}
