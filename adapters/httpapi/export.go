package httpapi

import (
	"context"
	"net/http"

	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/part"
)

type readExport struct {
	ID     string        `path:"id" format:"uuid" doc:"The part."`
	JobID  string        `query:"jobId" format:"uuid" doc:"The job of the run; the latest by default."`
	Format pipeline.Name `query:"format" required:"true" enum:"3mf" doc:"Requested file."`
}

func (a *api) registerExport() {
	op := explained(operation(http.MethodGet, "/v1/parts/{id}/export", "read-export",
		"Get the address of an exported file", core, apierr.NotFound, apierr.NoResult),
		"Files that an analysis makes only if its exports name them. It is from the latest run, or from the run "+
			"that jobId names.")
	op.Extensions["x-experimental"] = true
	register(a, op, a.export)
}

func (a *api) export(ctx context.Context, in *readExport) (*struct{ Body PartExport }, error) {
	file, err := a.use.Parts.Export(ctx, caller(ctx), part.ExportInput{
		PartID: in.ID, JobID: in.JobID, Format: in.Format,
	})
	if err != nil {
		return nil, a.fail(err)
	}
	return &struct{ Body PartExport }{PartExport{URL: file.URL, ExpiresAt: file.ExpiresAt}}, nil
}
