package httpapi

import (
	"context"
	"net/http"
	"strings"

	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/part"
)

type measureFeatures struct {
	ID   string `path:"id" format:"uuid" doc:"The part."`
	Body FeatureDetailRequest
}

type readFeatures struct {
	ID         string   `path:"id" format:"uuid" doc:"The part."`
	JobID      string   `query:"jobId" format:"uuid" doc:"The job of the run; the latest by default."`
	FeatureIDs []string `query:"featureIds,explode" maxLength:"65536" doc:"Requested features, repeated or separated by commas; all by default."`
}

func (a *api) registerFeatures() {
	measure := metered(explained(operation(http.MethodPatch, "/parts/{id}/features", "measure-features",
		"Queue a job that measures datasheets of some features", dfm,
		apierr.NotFound, apierr.FeatureNotFound, apierr.RateLimited, apierr.QuotaExceeded),
		"All features must belong to one analysis run of the part. Poll the job, then read them with GET."))
	measure.DefaultStatus = http.StatusAccepted
	both(a, measure, a.measureFeatures)
	both(a, explained(operation(http.MethodGet, "/parts/{id}/features", "read-features",
		"Read features with their datasheets", dfm, apierr.NotFound, apierr.NoResult),
		"All features of a run, or the named ones; a feature without a measurement has no datasheet yet."),
		a.readFeatures)
}

func (a *api) measureFeatures(ctx context.Context, in *measureFeatures) (*queued, error) {
	j, err := a.use.Parts.Measure(ctx, caller(ctx), part.MeasureInput{
		PartID: in.ID, FeatureIDs: in.Body.FeatureIDs,
	})
	if err != nil {
		return nil, a.fail(err)
	}
	return a.queued(j.ID, j.PartID), nil
}

func (a *api) readFeatures(ctx context.Context, in *readFeatures) (*struct{ Body PartFeatures }, error) {
	found, err := a.use.Parts.Features(ctx, caller(ctx), part.FeaturesInput{
		PartID: in.ID, JobID: in.JobID, FeatureIDs: splitList(in.FeatureIDs),
	})
	if err != nil {
		return nil, a.fail(err)
	}
	return &struct{ Body PartFeatures }{wireFeatures(found)}, nil
}

// splitList splits a parameter that is repeated or contains commas; nil if it names nothing.
func splitList(values []string) []string {
	var out []string
	for _, value := range values {
		for item := range strings.SplitSeq(value, ",") {
			if item = strings.ToLower(strings.TrimSpace(item)); item != "" {
				out = append(out, item)
			}
		}
	}
	return out
}

func wireFeatures(found part.Features) PartFeatures {
	out := PartFeatures{Datasheets: make([]PartFeatureEntry, len(found.Features)), NotFound: found.NotFound}
	for i, f := range found.Features {
		out.Datasheets[i] = PartFeatureEntry{
			FeatureID: f.ID, FeatureTag: f.Tag, FeatureType: f.Type, Datasheet: (*FeatureDatasheet)(f.Datasheet),
		}
	}
	return out
}
