package httpapi

import (
	"context"
	"io"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"millwright/core/service"
)

type partPath struct {
	ID string `path:"id" format:"uuid" doc:"The part."`
}

// runOf selects one analysis run of a part.
type runOf struct {
	ID    string `path:"id" format:"uuid" doc:"The part."`
	JobID string `query:"jobId" format:"uuid" doc:"The job whose run is wanted; the latest by default."`
}

type createPart struct {
	Body CreatePartRequest
}

type queued struct {
	Body QueuedJob
}

func (a *api) registerParts() {
	created := operation(http.MethodPost, "/parts", "create-part-v0",
		"Create a part and an upload address", core,
		service.CodeUnsupportedFormat, service.CodeNotFound, service.CodeRateLimited)
	created.Description = "Makes a pending part. PUT the bytes of the file to the upload address with the " +
		"headers that come with it, within 15 minutes, then complete the upload."
	created.DefaultStatus = http.StatusCreated
	register(a, created, a.createPartV0)
	created.Path, created.OperationID = "/v1/parts", "create-part"
	register(a, created, a.createPartV1)

	complete := operation(http.MethodPost, "/parts/{id}/complete", "complete-upload-v0",
		"Confirm the upload and start processing", core,
		service.CodeNotFound, service.CodePartNotUploaded, service.CodeRateLimited)
	complete.Description = "Starts the analysis of the uploaded file, which can no longer be replaced. Repeating " +
		"it changes nothing."
	complete.DefaultStatus = http.StatusAccepted
	register(a, complete, a.completeV0)
	complete.Path, complete.OperationID = "/v1/parts/{id}/complete", "complete-upload"
	register(a, complete, a.completeV1)

	read := operation(http.MethodGet, "/parts/{id}", "read-part",
		"Read a part", core, service.CodeNotFound)
	read.Description = "Answers 202 until the part is ready or failed, then 200: poll it."
	read.Responses = map[string]*huma.Response{"202": {
		Description: "The part is not ready yet.",
		Content: map[string]*huma.MediaType{"application/json": {
			Schema: &huma.Schema{Ref: "#/components/schemas/PartRead"},
		}},
	}}
	register(a, recalled(read), a.readPart)
	register(a, recalled(explained(operation(http.MethodGet, "/v1/parts/{id}", "read-part-result",
		"Read the result of an analysis run", core, service.CodeNotFound, service.CodeNoResult),
		"Regions, features, directions and mesh of the latest run, or of the run that jobId names. A result does "+
			"not change; its addresses live 15 minutes from the read.")), a.readResult)
	register(a, a.thumbnailOperation(), a.thumbnail)
	a.registerExport()

	analyze := metered(explained(operation(http.MethodPatch, "/parts/{id}", "analyze-part",
		"Queue another analysis run", dfm, service.CodeNotFound, service.CodePartNotUploaded,
		service.CodeRateLimited),
		"Analyses the uploaded file again, on request with a datasheet of every feature and with files that it "+
			"does not make otherwise. Poll the job."))
	analyze.DefaultStatus = http.StatusAccepted
	both(a, analyze, a.analyzePart)
}

func (a *api) create(ctx context.Context, in *createPart) (service.CreatedPart, error) {
	auto := in.Body.AutoCreateProgram
	return a.service.CreatePart(ctx, caller(ctx), service.CreatePartInput{
		FileName:          in.Body.FileName,
		ProjectID:         in.Body.ProjectID,
		CutConfigIDs:      in.Body.CutConfigIDs,
		AutoCreateProgram: auto == nil || *auto,
	})
}

type createdV0 struct {
	PaceHeaders
	Location string `header:"Location"`
	Body     PartCreated
}

func (a *api) createPartV0(ctx context.Context, in *createPart) (*createdV0, error) {
	made, err := a.create(ctx, in)
	if err != nil {
		return nil, a.fail(err)
	}
	headers := map[string]string{}
	for name, value := range made.Upload.Headers {
		headers[name] = value
	}
	return &createdV0{
		PaceHeaders: paceOf(made.Slot),
		Location:    a.config.BaseURL + "/parts/" + made.Part.ID,
		Body: PartCreated{Data: wirePart(made.Part), Upload: Upload{
			URL: made.Upload.URL, Method: made.Upload.Method, Headers: headers, ExpiresAt: made.Upload.ExpiresAt,
		}},
	}, nil
}

type createdV1 struct {
	PaceHeaders
	Location string `header:"Location"`
	Body     CreatePartResponse
}

func (a *api) createPartV1(ctx context.Context, in *createPart) (*createdV1, error) {
	made, err := a.create(ctx, in)
	if err != nil {
		return nil, a.fail(err)
	}
	return &createdV1{
		PaceHeaders: paceOf(made.Slot),
		Location:    a.config.BaseURL + "/v1/parts/" + made.Part.ID,
		Body: CreatePartResponse{
			PartID:       made.Part.ID,
			UploadURL:    made.Upload.URL,
			SourceBucket: made.Part.Source.Bucket,
			SourceS3Key:  made.Part.Source.Key,
		},
	}, nil
}

// partRecord is a v0 answer whose status depends on the part.
type partRecord struct {
	Status int
	Body   PartRead
}

func (a *api) completeV0(ctx context.Context, in *partPath) (*partRecord, error) {
	part, err := a.service.CompleteUpload(ctx, caller(ctx), in.ID)
	if err != nil {
		return nil, a.fail(err)
	}
	return &partRecord{Status: http.StatusAccepted, Body: PartRead{Data: wirePart(part)}}, nil
}

func (a *api) completeV1(ctx context.Context, in *partPath) (*queued, error) {
	part, err := a.service.CompleteUpload(ctx, caller(ctx), in.ID)
	if err != nil {
		return nil, a.fail(err)
	}
	return &queued{Body: QueuedJob{JobID: part.JobID, PartID: part.ID, Status: string(service.JobQueued)}}, nil
}

func (a *api) readPart(ctx context.Context, in *partPath) (*partRecord, error) {
	part, err := a.service.GetPart(ctx, caller(ctx), in.ID)
	if err != nil {
		return nil, a.fail(err)
	}
	status := http.StatusAccepted
	if part.Status == service.PartReady || part.Status == service.PartFailed {
		status = http.StatusOK
	}
	return &partRecord{Status: status, Body: PartRead{Data: wirePart(part)}}, nil
}

func (a *api) readResult(ctx context.Context, in *runOf) (*struct{ Body PartResult }, error) {
	holdsThisSecond(ctx)
	result, err := a.service.GetPartResult(ctx, caller(ctx), in.ID, in.JobID)
	if err != nil {
		return nil, a.fail(err)
	}
	return &struct{ Body PartResult }{wireResult(result)}, nil
}

func (a *api) thumbnailOperation() huma.Operation {
	op := operation(http.MethodGet, "/v1/parts/{id}/thumbnail", "read-thumbnail",
		"Read the thumbnail as PNG bytes", core,
		service.CodeNotFound, service.CodeNoResult, service.CodeNoThumbnail)
	op.Description = "The picture of the latest run, or of the run that jobId names, for clients that can send " +
		"their key; thumbnailUrl of the part result is for those that cannot."
	op.Responses = map[string]*huma.Response{"200": {
		Description: "PNG image",
		Content: map[string]*huma.MediaType{
			service.TypePNG: {Schema: &huma.Schema{
				Type: huma.TypeString, Format: "binary", Description: "PNG, 512×512 pixels.",
			}},
		},
	}}
	return op
}

func (a *api) thumbnail(ctx context.Context, in *runOf) (*huma.StreamResponse, error) {
	image, err := a.service.Thumbnail(ctx, caller(ctx), in.ID, in.JobID)
	if err != nil {
		return nil, a.fail(err)
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		defer func() { _ = image.Close() }()
		hc.SetHeader("Content-Type", service.TypePNG)
		hc.SetHeader("Content-Length", strconv.FormatInt(image.Size, 10))
		hc.SetStatus(http.StatusOK)
		if _, err := io.Copy(hc.BodyWriter(), image); err != nil {
			a.config.Logger.Warn("thumbnail was cut off", "error", err)
		}
	}}, nil
}

type analyzePart struct {
	ID             string           `path:"id" format:"uuid" doc:"The part."`
	FeatureDetails bool             `query:"featureDetails" doc:"Also measure a datasheet of every feature."`
	Body           *AnalysisOptions `required:"false"`
}

func (in *analyzePart) options() AnalysisOptions {
	if in.Body == nil {
		return AnalysisOptions{}
	}
	return *in.Body
}

func (a *api) analyzePart(ctx context.Context, in *analyzePart) (*queued, error) {
	job, err := a.service.AnalyzePart(ctx, caller(ctx), service.AnalyzePartInput{
		PartID: in.ID, FeatureDetails: in.FeatureDetails,
		ChordTolerance: in.options().ChordTolerance, AngleTolerance: in.options().AngleTolerance,
		Exports: in.options().Exports,
	})
	if err != nil {
		return nil, a.fail(err)
	}
	return &queued{Body: QueuedJob{JobID: job.ID, PartID: job.PartID, Status: string(service.JobQueued)}}, nil
}
