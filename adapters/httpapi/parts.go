package httpapi

import (
	"context"
	"io"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
)

// PartPath is the path of a part. (huma sees exported types only.)
type PartPath struct {
	ID string `path:"id" format:"uuid" doc:"The part."`
}

// RunOf selects one analysis run of a part. (huma sees exported types only.)
type RunOf struct {
	ID    string `path:"id" format:"uuid" doc:"The part."`
	JobID string `query:"jobId" format:"uuid" doc:"The job of the run; the latest by default."`
}

type createPart struct {
	Body CreatePartRequest
}

type pollPart struct {
	PartPath
	Waiting
}

type queued struct {
	Accepted
	Body QueuedJob
}

func (a *api) queued(jobID, partID string) *queued {
	return &queued{a.accepted("/v1/jobs/" + jobID), QueuedJob{JobID: jobID, PartID: partID, Status: string(job.Queued)}}
}

func (a *api) registerParts() {
	created := operation(http.MethodPost, "/parts", "create-part-v0",
		"Create a part and an upload address", core,
		apierr.UnsupportedFormat, apierr.NotFound, apierr.RateLimited, apierr.QuotaExceeded)
	created.Description = "Makes a pending part. PUT the bytes of the file to the upload address with the " +
		"headers that come with it, within 15 minutes, then complete the upload."
	created.DefaultStatus = http.StatusCreated
	register(a, created, a.createPartV0)
	created.Path, created.OperationID = "/v1/parts", "create-part"
	register(a, created, a.createPartV1)

	complete := operation(http.MethodPost, "/parts/{id}/complete", "complete-upload-v0",
		"Confirm the upload and start processing", core,
		apierr.NotFound, apierr.PartNotUploaded, apierr.RateLimited, apierr.QuotaExceeded)
	complete.Description = "Starts the analysis of the uploaded file, which can no longer be replaced. Repeating " +
		"it changes nothing."
	complete.DefaultStatus = http.StatusAccepted
	register(a, complete, a.completeV0)
	complete.Path, complete.OperationID = "/v1/parts/{id}/complete", "complete-upload"
	register(a, complete, a.completeV1)

	read := operation(http.MethodGet, "/parts/{id}", "read-part",
		"Read a part", core, apierr.NotFound)
	read.Description = "Answers 202 until the part is ready or failed, then 200: poll it, best with wait."
	text := &huma.Param{Schema: &huma.Schema{Type: huma.TypeString}}
	read.Responses = map[string]*huma.Response{"202": {
		Description: "The part is not ready yet.",
		Headers:     map[string]*huma.Param{"Retry-After": text, "Link": text},
		Content: map[string]*huma.MediaType{"application/json": {
			Schema: &huma.Schema{Ref: "#/components/schemas/PartRead"},
		}},
	}}
	lookAtPart := shared(a, a.readPart)
	register(a, read, func(ctx context.Context, in *pollPart) (*polledPart, error) {
		if in.Wait == 0 {
			return lookAtPart(ctx, &in.PartPath)
		}
		p, err := awaited(a, ctx, in.Waiting, in.ID, a.use.Parts.Await)
		if err != nil {
			return nil, a.fail(err)
		}
		return a.polled(p)
	})
	result := explained(operation(http.MethodGet, "/v1/parts/{id}", "read-part-result",
		"Read the result of an analysis run", core, apierr.NotFound, apierr.NoResult),
		"Regions, features, directions and mesh of the latest run, or of the run that jobId names. A result does "+
			"not change; its addresses live 10 to 15 minutes from the read. If-None-Match with the ETag of an earlier "+
			"answer gets 304 as long as the same would be answered, addresses included.")
	result = orNotModified(result)
	look := shared(a, a.readResult)
	register(a, result, func(ctx context.Context, in *pollResult) (*partResult, error) {
		if in.Wait > 0 {
			if _, err := awaited(a, ctx, in.Waiting, in.ID, a.use.Parts.Await); err != nil {
				return nil, a.fail(err)
			}
			return look(ctx, &in.ReadResult)
		}
		if known := a.keptResult(ctx, &in.ReadResult); known != nil {
			return known, nil
		}
		return look(ctx, &in.ReadResult)
	})
	register(a, a.thumbnailOperation(), a.thumbnail)
	a.registerExport()
	a.registerPartRecords()

	analyze := metered(explained(operation(http.MethodPatch, "/parts/{id}", "analyze-part",
		"Queue another analysis run", dfm, apierr.NotFound, apierr.PartNotUploaded,
		apierr.RateLimited, apierr.QuotaExceeded),
		"Analyses the uploaded file again, on request with a datasheet of every feature and with files that it "+
			"does not make otherwise. Poll the job. A file that an earlier job failed for, and that this version of "+
			"the service would refuse again, is not analysed again: the answer names that job, and is not metered."))
	analyze.DefaultStatus = http.StatusAccepted
	both(a, analyze, a.analyzePart)
}

func (a *api) create(ctx context.Context, in *createPart) (part.Created, error) {
	auto := in.Body.AutoCreateProgram
	return a.use.Parts.Create(ctx, caller(ctx), part.CreateInput{
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
	return &createdV0{
		PaceHeaders: paceOf(made.Slot),
		Location:    a.config.BaseURL + "/parts/" + made.Part.ID,
		Body:        PartCreated{Data: wirePart(made.Part), Upload: wireUpload(made.Upload)},
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
	Accepted
	Body PartRead
}

func (a *api) completeV0(ctx context.Context, in *PartPath) (*partRecord, error) {
	part, err := a.use.Parts.CompleteUpload(ctx, caller(ctx), in.ID)
	if err != nil {
		return nil, a.fail(err)
	}
	return &partRecord{http.StatusAccepted, a.accepted("/parts/" + part.ID), PartRead{Data: wirePart(part)}}, nil
}

func (a *api) completeV1(ctx context.Context, in *PartPath) (*queued, error) {
	part, err := a.use.Parts.CompleteUpload(ctx, caller(ctx), in.ID)
	if err != nil {
		return nil, a.fail(err)
	}
	return a.queued(part.JobID, part.ID), nil
}

// polledPart is partRecord for many.
type polledPart struct {
	Status int
	Accepted
	Body encoded[PartRead]
}

func (a *api) readPart(ctx context.Context, in *PartPath) (*polledPart, error) {
	p, err := a.use.Parts.Get(ctx, caller(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	return a.polled(p)
}

func (a *api) polled(p part.Part) (out *polledPart, err error) {
	if p.Status == part.Ready || p.Status == part.Failed {
		out = &polledPart{Status: http.StatusOK}
	} else {
		out = &polledPart{Status: http.StatusAccepted, Accepted: a.accepted("/parts/" + p.ID)}
	}
	out.Body, err = encode(PartRead{Data: wirePart(p)})
	return out, err
}

// ReadResult selects a result. (huma sees exported types only.)
type ReadResult struct {
	ID    string `path:"id" format:"uuid" doc:"The part."`
	JobID string `query:"jobId" format:"uuid" doc:"The job of the run; the latest by default."`
	Known
}

type pollResult struct {
	ReadResult
	Waiting
}

// partResult is named by the result and its addresses.
type partResult = named[encoded[PartResult]]

// Capacities of the caches: bytes of JSON of results, and the number of runs whose report is known.
const (
	resultsKept = 32 << 20
	runsKept    = 1 << 16
)

// keptResult returns a result from memory, nil when it is not there: a run is the same under one version of the team,
// and a result always under one name.
func (a *api) keptResult(ctx context.Context, in *ReadResult) *partResult {
	run, ok := a.runs.Get(asked(ctx, &RunOf{in.ID, in.JobID}))
	if !ok {
		return nil
	}
	name := a.use.Parts.ResultName(run)
	if etag := weakTag(name); sameTag(in.IfNoneMatch, etag) {
		return &partResult{Status: http.StatusNotModified, ETag: etag, CacheControl: revalidated}
	}
	known, _ := a.results.Get(name)
	return known
}

// readResult identifies the result, checks that the caller may read it, and reads it unless it is in memory.
func (a *api) readResult(ctx context.Context, in *ReadResult) (*partResult, error) {
	run, err := a.use.Parts.RunOf(ctx, caller(ctx), in.ID, in.JobID)
	if err != nil {
		return nil, err
	}
	a.runs.Put(asked(ctx, &RunOf{in.ID, in.JobID}), run, 1)
	if known := a.keptResult(ctx, in); known != nil {
		return known, nil
	}
	result, err := a.use.Parts.Result(ctx, caller(ctx), in.ID, in.JobID)
	if err != nil {
		return nil, err
	}
	out := &partResult{Status: http.StatusOK}
	if out.Body, err = encode(wireResult(result)); err == nil && result.Name != "" {
		out.ETag, out.CacheControl = weakTag(result.Name), revalidated
		a.results.Put(result.Name, out, len(out.Body.text))
	}
	return out, err
}

func (a *api) thumbnailOperation() huma.Operation {
	op := operation(http.MethodGet, "/v1/parts/{id}/thumbnail", "read-thumbnail",
		"Read the thumbnail as PNG bytes", core,
		apierr.NotFound, apierr.NoResult, apierr.NoThumbnail)
	op.Description = "The picture of the latest run, or of the run that jobId names, for clients that can send " +
		"their key; thumbnailUrl of the part result is for those that cannot."
	op.Responses = map[string]*huma.Response{"200": {
		Description: "PNG image",
		Content: map[string]*huma.MediaType{
			part.TypePNG: {Schema: &huma.Schema{
				Type: huma.TypeString, Format: "binary", Description: "PNG, 512×512 pixels.",
			}},
		},
		Headers: map[string]*huma.Param{"ETag": {Schema: &huma.Schema{Type: huma.TypeString}}},
	}}
	return orNotModified(op)
}

type readThumbnail struct {
	RunOf
	Known
}

func (a *api) thumbnail(ctx context.Context, in *readThumbnail) (*huma.StreamResponse, error) {
	image, err := a.use.Parts.Thumbnail(ctx, caller(ctx), in.ID, in.JobID)
	if err != nil {
		return nil, a.fail(err)
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		defer func() { _ = image.Close() }()
		tag := weakTag(image.ReportID)
		hc.SetHeader("ETag", tag)
		hc.SetHeader("Cache-Control", revalidated)
		if sameTag(in.IfNoneMatch, tag) {
			hc.SetStatus(http.StatusNotModified)
			return
		}
		hc.SetHeader("Content-Type", part.TypePNG)
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
	j, err := a.use.Parts.Analyze(ctx, caller(ctx), part.AnalyzeInput{
		PartID: in.ID, FeatureDetails: in.FeatureDetails,
		ChordTolerance: in.options().ChordTolerance, AngleTolerance: in.options().AngleTolerance,
		Exports: in.options().Exports,
	})
	if err != nil {
		return nil, a.fail(err)
	}
	return a.queued(j.ID, j.PartID), nil
}
