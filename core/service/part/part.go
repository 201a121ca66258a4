package part

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/idempotency"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/usertext"
)

// Status is the state of a part: pending → processing → ready | failed.
type Status string

// The states of a part.
const (
	Pending    Status = "pending"
	Processing Status = "processing"
	Ready      Status = "ready"
	Failed     Status = "failed"
)

// Part is one CAD file of a team with the state of its processing. Text fields are "" for null.
type Part struct {
	ID            string
	TeamID        string
	FileName      string
	Format        string // format detected from the content; "" until a job detects it, or if unknown
	SizeBytes     *int64 // nil until the upload was completed
	Status        Status
	FailureCode   fault.Code
	FailureReason string
	Warnings      []fault.Warning // of the latest result; never nil

	ProjectID         string
	CurrentProgramID  string
	ProgramIDs        []string // never nil
	CutConfigIDs      []string // one program for each once the part is processed; never nil
	AutoCreateProgram bool

	JobID    string     // the latest job on this part
	ReportID string     // its latest report
	Source   object.Ref // the file, immutable once the upload is completed
	// SourceDigest is the file's SHA-256 in hex; "" until a job has computed it.
	SourceDigest string

	CreatedAt time.Time
	UpdatedAt time.Time
}

// CreateInput is the request for a new part.
type CreateInput struct {
	FileName          string
	ProjectID         string   // "" = unset
	CutConfigIDs      []string // one program for each, duplicates ignored; empty: the default of project or caller
	AutoCreateProgram bool
}

// Created is a pending part and the upload address for its file.
type Created struct {
	Part   Part
	Upload object.SignedURL
	Slot   *RateLimitState // state of the team's rate limit; nil: unlimited
}

// Extensions are the accepted file name extensions, lower case, each with ".gz" behind it too.
var Extensions = []string{
	".stp", ".step", ".p21", ".stpz", ".igs", ".iges", ".x_t", ".x_b", ".xmt_txt", ".xmt_bin",
	".sldprt", ".prt", ".catpart", ".model",
}

// packed is the extension of a file that gzip has packed.
const packed = ".gz"

// archives are the extensions of files that others are in.
var archives = []string{".zip", ".7z", ".rar", ".tar", ".tgz", packed}

const maxFileName = 255 // bytes

// Create makes a pending part and an upload address. Error codes: invalid_request,
// unsupported_format, not_found (project or cut config), rate_limited, quota_exceeded.
func (s *Service) Create(ctx context.Context, c account.Caller, in CreateInput) (Created, error) {
	ext, err := checkFileName(in.FileName)
	if err != nil {
		return Created{}, err
	}
	find := func(id string) (Created, error) {
		part, err := s.Get(ctx, c, id)
		if err != nil {
			return Created{}, err
		}
		upload, err := s.signUpload(ctx, part)
		return Created{Part: part, Upload: upload}, err
	}
	return idempotency.WithFixedID(c, find, func(id string) (Created, error) {
		configs, err := s.cutConfigs(ctx, c, in)
		if err != nil {
			return Created{}, err
		}
		now, pace := s.now(), s.pace(BudgetParts)
		part := Part{
			ID: id, TeamID: c.TeamID, FileName: in.FileName, Status: Pending,
			ProjectID: in.ProjectID, ProgramIDs: []string{}, CutConfigIDs: configs,
			AutoCreateProgram: in.AutoCreateProgram, Warnings: []fault.Warning{},
			Source: object.Ref{
				Bucket: s.config.SourceBucket,
				Key:    path.Join("teams", c.TeamID, "parts", id, "source"+ext),
			},
			CreatedAt: now, UpdatedAt: now,
		}
		upload, err := s.signUpload(ctx, part)
		if err != nil {
			return Created{}, err
		}
		var early *RateLimitedError
		if err := s.store.CreatePart(ctx, part, CreateTerms{pace, s.config.Quota}); errors.As(err, &early) {
			return Created{}, pace.Refused(early, s.now())
		} else if err != nil {
			return Created{}, err
		}
		return Created{Part: part, Upload: upload, Slot: pace.Taken()}, nil
	})
}

// cutConfigs returns the cut configs for the programs of a new part, with the current defaults. Error code: not_found
// (project or cut config).
func (s *Service) cutConfigs(ctx context.Context, c account.Caller, in CreateInput) ([]string, error) {
	named := distinct(in.CutConfigIDs)
	if len(named) == 0 && in.AutoCreateProgram {
		id, err := s.catalog.DefaultCutConfig(ctx, c, in.ProjectID)
		return []string{id}, err
	}
	if in.ProjectID != "" {
		if _, err := s.catalog.GetProject(ctx, c, in.ProjectID); err != nil {
			return nil, err
		}
	}
	return named, s.catalog.CheckCutConfigs(ctx, c, named)
}

func (s *Service) signUpload(ctx context.Context, part Part) (object.SignedURL, error) {
	return s.objects.SignPut(ctx, uploadOf(part), object.PutConditions{
		Life: s.config.AddressLife, MaxBytes: s.config.MaxUpload, Sealed: part.Source,
	})
}

// checkFileName returns the lower-case extension of an acceptable name.
func checkFileName(name string) (string, error) {
	switch {
	case name == "":
		return "", apierr.Errorf(apierr.InvalidRequest, "fileName is missing.")
	case len(name) > maxFileName:
		return "", apierr.Errorf(apierr.InvalidRequest, "fileName is longer than %d bytes.", maxFileName)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return "", apierr.Errorf(apierr.InvalidRequest, "fileName holds characters that are not text.")
	case strings.ContainsAny(name, `/\`):
		return "", apierr.Errorf(apierr.InvalidRequest, "fileName is a name without folders.")
	}
	_, ext := pipeline.SplitName(strings.ToLower(name))
	if !slices.Contains(Extensions, strings.TrimSuffix(ext, packed)) {
		advice := "export the part as STEP"
		if slices.Contains(archives, path.Ext(ext)) {
			advice = "unpack the archive and upload the CAD file in it"
		}
		return "", apierr.Errorf(apierr.UnsupportedFormat,
			"%s is not an accepted CAD file name; accepted are %s, and these with %s behind; %s.",
			usertext.Quote(name), strings.Join(Extensions, " "), packed, advice)
	}
	return ext, nil
}
