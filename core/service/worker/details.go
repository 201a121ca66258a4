package worker

import (
	"context"
	"fmt"

	"millwright/core/fault"
	"millwright/core/feature"
	"millwright/core/service"
)

// produceDetails runs the kernel on the source again, which finds the same features under the same tags,
// and measures those that the job names. It writes no files.
func (a *attempt) produceDetails(ctx context.Context) (outcome, error) {
	features, err := a.Store.FeaturesByID(ctx, a.job.TeamID, a.job.Input.FeatureIDs)
	if err != nil {
		return outcome{}, fmt.Errorf("look up the features: %w", err)
	}
	if len(features) == 0 {
		return outcome{}, fmt.Errorf("none of the %d features exists", len(a.job.Input.FeatureIDs))
	}
	dir, remove, err := a.scratch()
	if err != nil {
		return outcome{}, err
	}
	defer remove()
	options := a.config.Kernel
	options.Details = true
	for _, f := range features {
		options.FeatureTags = append(options.FeatureTags, f.Tag)
	}
	run, err := a.runKernel(ctx, dir, "", options)
	if err != nil {
		return outcome{}, err
	}
	made := outcome{report: service.Report{ID: features[0].ReportID}}
	byTag := sheetsByTag(run.analysis.Datasheets)
	for _, f := range features {
		sheet := byTag[f.Tag]
		if sheet == nil {
			return outcome{}, notMeasured(f, run.analysis)
		}
		made.details = append(made.details, service.FeatureDetail{FeatureID: f.ID, Datasheet: *sheet})
	}
	return made, nil
}

// notMeasured is why a feature has no datasheet: the tags of another kernel version may differ.
func notMeasured(f service.FeatureRecord, a *service.Analysis) *fault.Error {
	for i := range a.Features {
		if a.Features[i].FeatureTag == f.Tag {
			return fault.Errorf(fault.KernelError,
				"The %s %s could not be measured.", f.Type, f.Tag)
		}
	}
	return fault.Errorf(fault.KernelError,
		"The %s %s was found by another version of the kernel and not by the present one (%s); analyse the "+
			"part again.", f.Type, f.Tag, a.KernelVersion)
}

func sheetsByTag(sheets []service.FeatureSheet) map[string]*feature.Datasheet {
	byTag := make(map[string]*feature.Datasheet, len(sheets))
	for i := range sheets {
		byTag[sheets[i].FeatureTag] = &sheets[i].Datasheet
	}
	return byTag
}
