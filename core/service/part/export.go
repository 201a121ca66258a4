package part

import (
	"context"

	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/usertext"
)

// exports is the media types of the files that a run makes only on request. The stage name is also the format name for
// clients and the extension of its files.
var exports = map[pipeline.Name]string{
	pipeline.ThreeMF: "model/3mf",
}

// checkExports refuses names that are not in exports.
func checkExports(names []pipeline.Name) error {
	for _, n := range names {
		if exports[n] == "" {
			return apierr.Errorf(apierr.InvalidRequest, "There is no export %s.", usertext.Quote(string(n)))
		}
	}
	return nil
}

// ExportInput is the request for a file of one analysis run.
type ExportInput struct {
	PartID string
	JobID  string // the run; "" = the latest
	Format pipeline.Name
}

// Export returns an address of a file that the run was requested to make. Error codes: invalid_request (format),
// not_found (part or job), no_result, also if the run was not requested to make the file.
func (s *Service) Export(ctx context.Context, c account.Caller, in ExportInput) (object.SignedURL, error) {
	if err := checkExports([]pipeline.Name{in.Format}); err != nil {
		return object.SignedURL{}, err
	}
	part, report, err := s.report(ctx, c, in.PartID, in.JobID)
	if err != nil {
		return object.SignedURL{}, err
	}
	ref, ok := report.Objects[in.Format]
	if !ok {
		return object.SignedURL{}, apierr.Errorf(apierr.NoResult,
			"The run made no %s; analyze the part again with it in exports.", in.Format)
	}
	return s.objects.SignGet(ctx, ref, object.GetConditions{
		Life: s.config.AddressLife, ContentType: exports[in.Format],
		FileName: stem(part.FileName) + "." + string(in.Format),
	})
}
