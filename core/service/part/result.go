package part

import (
	"context"
	"errors"
	"hash/fnv"
	"io"
	"strconv"
	"time"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/record"
)

// AnalysisReport is the immutable outcome of one analysis run.
type AnalysisReport struct {
	ID     string `json:"id"`
	TeamID string `json:"teamId"`
	PartID string `json:"partId"`
	JobID  string `json:"jobId"`

	// Analysis has feature ids. Datasheets are kept with the features.
	Analysis pipeline.Analysis `json:"analysis"`
	// DirectionZBounds is the bounds along each candidate direction, in their order; nil when no details were
	// requested.
	DirectionZBounds []pipeline.DirectionZBounds `json:"directionZBounds"`

	// Objects is the files of the run, by stage: the standard files that succeeded, and the requested exports.
	Objects map[pipeline.Name]object.Ref `json:"objects"`

	DownloadMs    int64     `json:"downloadMs"`    // worker time downloading the source
	RecognitionMs int64     `json:"recognitionMs"` // kernel time: reading, meshing, recognition, exports
	EnrichmentMs  int64     `json:"enrichmentMs"`  // kernel time on feature details; 0 when no details were requested
	TotalMs       int64     `json:"totalMs"`       // worker time until only this record was left to store
	CreatedAt     time.Time `json:"createdAt"`
}

// Result is a report with addresses that can be followed for 10 minutes at least.
type Result struct {
	Report       AnalysisReport
	Name         string // see ResultName; "" = unnamed: the addresses may expire before the name changes
	ThumbnailURL string // "" without a thumbnail
	MeshSTLURL   string
	MeshGLBURL   string
}

// Image is the bytes of a thumbnail; the caller closes it.
type Image struct {
	io.ReadCloser
	ReportID string // of the run that it shows
	Size     int64
	Modified time.Time
}

// FeatureID is the id of a feature within a report: the same for the same report, tag and position.
func FeatureID(reportID, featureTag string, index int) string {
	space, err := uuid.Parse(reportID)
	if err != nil {
		space = uuid.NameSpaceOID
	}
	return uuid.NewSHA1(space, []byte(featureTag+"/"+strconv.Itoa(index))).String()
}

// Media types of analysis files.
const (
	TypeSTL = "model/stl"
	TypeGLB = "model/gltf-binary"
	TypePNG = "image/png"
)

// Result returns the latest result of a part, or the result of the job jobID ("" = latest). Error codes: not_found
// (part or job), no_result.
func (s *Service) Result(ctx context.Context, c account.Caller, partID, jobID string) (Result, error) {
	part, report, err := s.report(ctx, c, partID, jobID)
	if err != nil {
		return Result{}, err
	}
	out := Result{Report: report, Name: s.ResultName(ResultVersion{report.ID, part.FileName})}
	full := s.now().Add(s.config.AddressLife).Truncate(time.Second)
	base := stem(part.FileName)
	for _, a := range []struct {
		url  *string
		of   pipeline.Name
		kind string
		name string
	}{
		{&out.ThumbnailURL, pipeline.Thumbnail, TypePNG, ""},
		{&out.MeshSTLURL, pipeline.STL, TypeSTL, base + ".stl"},
		{&out.MeshGLBURL, pipeline.GLB, TypeGLB, base + ".glb"},
	} {
		ref, made := report.Objects[a.of]
		if !made {
			continue
		}
		terms := object.GetConditions{Life: s.config.AddressLife, ContentType: a.kind, FileName: a.name}
		signed, err := s.objects.SignGet(ctx, ref, terms)
		if err != nil {
			return Result{}, err
		}
		*a.url = signed.URL
		if signed.ExpiresAt.Before(full) { // by keys of the object store that end sooner
			out.Name = ""
		}
	}
	return out, nil
}

// stem is a file's name without its extension.
func stem(fileName string) string {
	name, _ := pipeline.SplitName(fileName)
	return name
}

// ResultVersion identifies the inputs of a result: the report, which never changes, and the part's file name, which
// may.
type ResultVersion struct{ ReportID, FileName string }

// RunOf returns the version of the result that Result would return, for the cost of reading the part. Error codes are
// as for Result.
func (s *Service) RunOf(ctx context.Context, c account.Caller, partID, jobID string) (ResultVersion, error) {
	part, reportID, err := s.runOf(ctx, c, partID, jobID)
	return ResultVersion{reportID, part.FileName}, err
}

// ResultName returns the current name of a result. Results with one name are identical, and their addresses remain
// valid for at least two thirds of their life. The name consists of the report id, a hash of the file name (which the
// addresses contain) and the period in which the addresses are issued.
func (s *Service) ResultName(of ResultVersion) string {
	const given = 3 // the part of their life
	file := fnv.New64a()
	_, _ = file.Write([]byte(of.FileName)) // never fails
	return of.ReportID + "-" + strconv.FormatUint(file.Sum64(), 36) + "-" +
		strconv.FormatInt(s.now().Truncate(s.config.AddressLife/given).Unix(), 36)
}

// Report returns the report of an analysis without addresses. The choice of the run and the error codes are as for
// Result.
func (s *Service) Report(ctx context.Context, c account.Caller, partID, jobID string) (AnalysisReport, error) {
	_, report, err := s.report(ctx, c, partID, jobID)
	return report, err
}

// Thumbnail opens the PNG of the part's latest run, or of the run that jobID names. Error codes:
// not_found, no_result, no_thumbnail.
func (s *Service) Thumbnail(ctx context.Context, c account.Caller, partID, jobID string) (Image, error) {
	_, report, err := s.report(ctx, c, partID, jobID)
	if err != nil {
		return Image{}, err
	}
	none := apierr.Errorf(apierr.NoThumbnail, "The analysis of part %s made no thumbnail.", partID)
	ref, made := report.Objects[pipeline.Thumbnail]
	if !made {
		return Image{}, none
	}
	body, info, err := s.objects.Get(ctx, ref)
	if errors.Is(err, object.ErrNotFound) {
		return Image{}, none
	}
	if err != nil {
		return Image{}, err
	}
	return Image{ReadCloser: body, ReportID: report.ID, Size: info.Size, Modified: info.Modified}, nil
}

func (s *Service) report(ctx context.Context, c account.Caller, partID, jobID string) (Part, AnalysisReport, error) {
	part, _, err := s.runOf(ctx, c, partID, jobID)
	if err != nil {
		return Part{}, AnalysisReport{}, err
	}
	report, err := s.store.Report(ctx, c.TeamID, partID, jobID)
	if errors.Is(err, record.ErrNotFound) {
		err = noResult(part)
	}
	return part, report, err
}

// runOf names the report of the part's latest run, or of the run that jobID names. Error codes: not_found
// (part or job), no_result.
func (s *Service) runOf(ctx context.Context, c account.Caller, partID, jobID string) (Part, string, error) {
	part, err := s.Get(ctx, c, partID)
	if err != nil {
		return Part{}, "", err
	}
	reportID := part.ReportID
	if jobID != "" {
		job, err := s.jobs.Get(ctx, c, jobID)
		if err != nil {
			return Part{}, "", err
		}
		if job.PartID != partID {
			return Part{}, "", apierr.Errorf(apierr.NotFound, "Job %s is not of part %s.", jobID, partID)
		}
		reportID = job.ReportID
	}
	if reportID == "" {
		return Part{}, "", noResult(part)
	}
	return part, reportID, nil
}

func noResult(part Part) error {
	return apierr.Errorf(apierr.NoResult, "There is no result yet; the part is %s.", part.Status)
}
