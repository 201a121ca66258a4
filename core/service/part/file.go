package part

import (
	"context"
	"errors"
	"io"
	"slices"

	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/record"
)

// MaxUpload returns the size (bytes) of the largest accepted file.
func (s *Service) MaxUpload() int64 { return s.config.MaxUpload }

// Source returns an address of the file that the client sent for a part. Error codes: not_found, part_not_uploaded.
func (s *Service) Source(ctx context.Context, c account.Caller, partID string) (object.SignedURL, error) {
	p, err := s.Get(ctx, c, partID)
	if err != nil {
		return object.SignedURL{}, err
	}
	if p.JobID == "" { // the upload is not complete
		return object.SignedURL{}, apierr.Errorf(apierr.PartNotUploaded,
			"The file of part %s has not been uploaded.", partID)
	}
	return s.objects.SignGet(ctx, p.Source, object.GetConditions{
		Life: s.config.AddressLife, ContentType: "application/octet-stream", FileName: p.FileName,
	})
}

// Mesh is the bytes of a display mesh as GLB; the caller closes it.
type Mesh struct {
	io.ReadCloser
	Size int64 // bytes
}

// Mesh opens the display mesh of a report. Error code: not_found, also for a report without a mesh.
func (s *Service) Mesh(ctx context.Context, c account.Caller, reportID string) (Mesh, error) {
	report, err := s.reportByID(ctx, c, reportID)
	if err != nil {
		return Mesh{}, err
	}
	none := apierr.Errorf(apierr.NotFound, "Report %s has no mesh.", reportID)
	ref, made := report.Objects[pipeline.GLB]
	if !made {
		return Mesh{}, none
	}
	body, info, err := s.objects.Get(ctx, ref)
	if errors.Is(err, object.ErrNotFound) {
		return Mesh{}, none
	}
	if err != nil {
		return Mesh{}, err
	}
	return Mesh{body, info.Size}, nil
}

// Evidence is the rule that recognized a feature, with its observations, one sentence each. Both are empty in reports
// of early versions.
type Evidence struct {
	Rule    string
	Reasons []string
}

// Evidence returns the evidence of a feature. Error codes: feature_not_found, not_found.
func (s *Service) Evidence(ctx context.Context, c account.Caller, featureID string) (Evidence, error) {
	found, err := s.store.FeaturesByID(ctx, c.TeamID, []string{featureID})
	if err != nil {
		return Evidence{}, err
	}
	if len(found) == 0 {
		return Evidence{}, featureNotFound([]string{featureID})
	}
	report, err := s.reportByID(ctx, c, found[0].ReportID)
	if err != nil {
		return Evidence{}, err
	}
	features := report.Analysis.Features
	i := slices.IndexFunc(features, func(f pipeline.PartFeature) bool { return f.FeatureID == featureID })
	if i < 0 {
		return Evidence{}, featureNotFound([]string{featureID})
	}
	return Evidence{features[i].Rule, features[i].Reasons}, nil
}

// reportByID returns a report of a part that is not deleted.
func (s *Service) reportByID(ctx context.Context, c account.Caller, reportID string) (AnalysisReport, error) {
	report, err := s.store.ReportByID(ctx, c.TeamID, reportID)
	if errors.Is(err, record.ErrNotFound) {
		err = apierr.Errorf(apierr.NotFound, "There is no report %s.", reportID)
	}
	if err != nil {
		return AnalysisReport{}, err
	}
	_, err = s.Get(ctx, c, report.PartID)
	return report, err
}
