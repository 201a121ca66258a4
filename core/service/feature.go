package service

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// MeasureFeaturesInput asks for datasheets of features of one analysis run.
type MeasureFeaturesInput struct {
	PartID     string
	FeatureIDs []string // at least one; one that is named twice counts once
}

// MeasureFeatures queues a job that measures the given features and adds their datasheets to the run that
// found them. Error codes: not_found (part), feature_not_found, which names the features that the part
// does not have, and invalid_request for no features, and for features of two parts or two runs.
func (s *Service) MeasureFeatures(ctx context.Context, c Caller, in MeasureFeaturesInput) (Job, error) {
	find := func(id string) (Job, error) { return s.GetJob(ctx, c, id) }
	return once(s, c, find, func(id string) (Job, error) {
		part, err := s.GetPart(ctx, c, in.PartID)
		if err != nil {
			return Job{}, err
		}
		ids := distinct(in.FeatureIDs)
		if len(ids) == 0 {
			return Job{}, Errorf(CodeInvalidRequest, "featureIds is empty; name at least one feature.")
		}
		found, err := s.store.FeaturesByID(ctx, c.TeamID, ids)
		if err != nil {
			return Job{}, err
		}
		if err := ofOneRun(part.ID, ids, found); err != nil {
			return Job{}, err
		}
		if err := s.admit(ctx, c.TeamID); err != nil {
			return Job{}, err
		}
		job := s.newJob(id, part, ProductFeatureDetails)
		job.Input.FeatureIDs = ids
		terms := EnqueueTerms{MeterTo: c.KeyID}
		if part.SizeBytes != nil { // always, for a part with features
			terms.SourceSize = *part.SizeBytes
		}
		_, err = s.enqueue(ctx, job, part, terms)
		return job, err
	})
}

// ofOneRun refuses features that do not exist, are of another part, or are of several parts or runs.
func ofOneRun(partID string, asked []string, found []FeatureRecord) error {
	if len(found) < len(asked) {
		return featureNotFound(missing(asked, found))
	}
	differs := func(key func(FeatureRecord) string) bool {
		return slices.ContainsFunc(found, func(f FeatureRecord) bool { return key(f) != key(found[0]) })
	}
	switch {
	case differs(func(f FeatureRecord) string { return f.PartID }):
		return Errorf(CodeInvalidRequest, "The features belong to different parts; ask for those of one part.")
	case found[0].PartID != partID:
		return featureNotFound(asked)
	case differs(func(f FeatureRecord) string { return f.ReportID }):
		return Errorf(CodeInvalidRequest,
			"The features belong to different analysis runs of the part; ask for those of one run.")
	}
	return nil
}

// featureNotFound names the features that the part does not have.
func featureNotFound(ids []string) error {
	return Errorf(CodeFeatureNotFound, "The part has no feature %s.", quotedList(ids))
}

// quotedList names what a client named; a very long list is cut.
func quotedList(ids []string) string {
	const most = 100
	var shown []string
	for _, id := range ids[:min(len(ids), most)] {
		shown = append(shown, quoted(id))
	}
	text := strings.Join(shown, ", ")
	if more := len(ids) - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// GetFeaturesInput asks for features with their datasheets.
type GetFeaturesInput struct {
	PartID     string
	JobID      string   // the run; "" = the latest
	FeatureIDs []string // nil = all of the run
}

// PartFeatures are features with the datasheets they have, and what was asked for in vain.
type PartFeatures struct {
	Features []FeatureRecord // in the order asked for, else in that of the run
	NotFound []string        // never nil
}

// GetFeatures returns features of the part's latest run, or of the run that JobID names. Features of the
// part's other runs are found too when they are asked for by id without a job. Error codes: not_found
// (part or job), no_result.
func (s *Service) GetFeatures(ctx context.Context, c Caller, in GetFeaturesInput) (PartFeatures, error) {
	_, reportID, err := s.runOf(ctx, c, in.PartID, in.JobID)
	if err != nil {
		return PartFeatures{}, err
	}
	if in.FeatureIDs == nil {
		all, err := s.store.Features(ctx, c.TeamID, reportID)
		return PartFeatures{Features: all, NotFound: []string{}}, err
	}
	ids := distinct(in.FeatureIDs)
	found, err := s.store.FeaturesByID(ctx, c.TeamID, ids)
	if err != nil {
		return PartFeatures{}, err
	}
	found = slices.DeleteFunc(found, func(f FeatureRecord) bool {
		return f.PartID != in.PartID || in.JobID != "" && f.ReportID != reportID
	})
	return PartFeatures{Features: found, NotFound: missing(ids, found)}, nil
}

// missing returns the ids that no feature has, never nil.
func missing(ids []string, found []FeatureRecord) []string {
	known := make(map[string]bool, len(found))
	for _, f := range found {
		known[f.ID] = true
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return known[id] })
}

// distinct returns the ids without repetitions, in the order of their first mention.
func distinct(ids []string) []string {
	seen := make(map[string]bool, len(ids))
	out := make([]string, 0, len(ids))
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}
