package part

import (
	"context"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/idempotency"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/usertext"
)

// Feature is a feature of a report with the datasheet it has so far.
type Feature struct {
	ID        string
	PartID    string
	ReportID  string
	JobID     string // of the run that found it
	Tag       string
	Type      string
	Datasheet *feature.Datasheet // nil: not measured
}

// FeatureDetail is a datasheet to be stored.
type FeatureDetail struct {
	FeatureID string
	Datasheet feature.Datasheet
}

// MeasureInput is the request for datasheets of features of one analysis run.
type MeasureInput struct {
	PartID     string
	FeatureIDs []string // at least one; duplicates count once
}

// Measure queues a job that measures the given features and adds their datasheets to their run. Error codes: not_found
// (part), feature_not_found, which names the features that the part does not have, and invalid_request for no features,
// and for features of two parts or two runs.
func (s *Service) Measure(ctx context.Context, c account.Caller, in MeasureInput) (job.Job, error) {
	find := func(id string) (job.Job, error) { return s.jobs.Get(ctx, c, id) }
	return idempotency.WithFixedID(c, find, func(id string) (job.Job, error) {
		part, err := s.Get(ctx, c, in.PartID)
		if err != nil {
			return job.Job{}, err
		}
		ids := distinct(in.FeatureIDs)
		if len(ids) == 0 {
			return job.Job{}, apierr.Errorf(apierr.InvalidRequest, "featureIds is empty; name at least one feature.")
		}
		if _, err := s.OfOneRun(ctx, c, part.ID, ids); err != nil {
			return job.Job{}, err
		}
		if err := s.jobs.Admit(ctx, c.TeamID); err != nil {
			return job.Job{}, err
		}
		job := s.newJob(id, part, job.FeatureDetails)
		job.Input.FeatureIDs = ids
		terms := EnqueueOptions{MeterTo: c.KeyID}
		if part.SizeBytes != nil { // always, for a part with features
			terms.SourceSize = *part.SizeBytes
		}
		_, err = s.enqueue(ctx, job, part, terms)
		return job, err
	})
}

// OfOneRun returns features of the part. Error codes: feature_not_found, which names the features that the part does
// not have, and invalid_request for features of two parts or two runs.
func (s *Service) OfOneRun(ctx context.Context, c account.Caller, partID string, ids []string) ([]Feature, error) {
	ids = distinct(ids)
	found, err := s.store.FeaturesByID(ctx, c.TeamID, ids)
	if err == nil {
		err = ofOneRun(partID, ids, found)
	}
	return found, err
}

// ofOneRun refuses features that do not exist, belong to another part, or belong to several parts or runs.
func ofOneRun(partID string, asked []string, found []Feature) error {
	if len(found) < len(asked) {
		return featureNotFound(missing(asked, found))
	}
	differs := func(key func(Feature) string) bool {
		return slices.ContainsFunc(found, func(f Feature) bool { return key(f) != key(found[0]) })
	}
	switch {
	case differs(func(f Feature) string { return f.PartID }):
		return apierr.Errorf(apierr.InvalidRequest,
			"The features belong to different parts; ask for those of one part.")
	case found[0].PartID != partID:
		return featureNotFound(asked)
	case differs(func(f Feature) string { return f.ReportID }):
		return apierr.Errorf(apierr.InvalidRequest,
			"The features belong to different analysis runs of the part; ask for those of one run.")
	}
	return nil
}

// featureNotFound names the features that the part does not have.
func featureNotFound(ids []string) error {
	return apierr.Errorf(apierr.FeatureNotFound, "The part has no feature %s.", usertext.QuoteList(ids))
}

// FeaturesInput is the request for features with their datasheets.
type FeaturesInput struct {
	PartID     string
	JobID      string   // the run; "" = the latest
	FeatureIDs []string // nil = all of the run
}

// Features is a list of features with their datasheets, if measured, and the requested ids that were not found.
type Features struct {
	Features []Feature // in the requested order, or in run order
	NotFound []string  // never nil
}

// Features returns features of the part's latest run, or of the run that JobID names. Without JobID, features of other
// runs of the part are found by their ids too. Error codes: not_found (part or job), no_result.
func (s *Service) Features(ctx context.Context, c account.Caller, in FeaturesInput) (Features, error) {
	_, reportID, err := s.runOf(ctx, c, in.PartID, in.JobID)
	if err != nil {
		return Features{}, err
	}
	if in.FeatureIDs == nil {
		all, err := s.store.Features(ctx, c.TeamID, reportID)
		return Features{Features: all, NotFound: []string{}}, err
	}
	ids := distinct(in.FeatureIDs)
	found, err := s.store.FeaturesByID(ctx, c.TeamID, ids)
	if err != nil {
		return Features{}, err
	}
	found = slices.DeleteFunc(found, func(f Feature) bool {
		return f.PartID != in.PartID || in.JobID != "" && f.ReportID != reportID
	})
	return Features{Features: found, NotFound: missing(ids, found)}, nil
}

// missing returns the ids that no feature has, never nil.
func missing(ids []string, found []Feature) []string {
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
