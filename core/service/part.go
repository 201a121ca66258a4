package service

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"millwright/core/fault"
)

// PartStatus is the state of a part: pending → processing → ready | failed.
type PartStatus string

// The states of a part.
const (
	PartPending    PartStatus = "pending"
	PartProcessing PartStatus = "processing"
	PartReady      PartStatus = "ready"
	PartFailed     PartStatus = "failed"
)

// Part is one CAD file of a team and where its processing stands. Text fields are "" for null.
type Part struct {
	ID            string
	TeamID        string
	FileName      string
	Format        string // what the content was read as; "" until it was read
	SizeBytes     *int64 // nil until the upload was completed
	Status        PartStatus
	FailureCode   fault.Code
	FailureReason string

	ProjectID         string
	CurrentProgramID  string
	ProgramIDs        []string // never nil
	CutConfigIDs      []string // one program each once the part is processed; never nil
	AutoCreateProgram bool

	JobID    string    // the latest job on this part
	ReportID string    // its latest report
	Source   ObjectRef // the file, unchangeable once the upload is completed
	// SourceDigest is the file's SHA-256 in hex; "" until a job has said it.
	SourceDigest string

	CreatedAt time.Time
	UpdatedAt time.Time
}

// CreatePartInput asks for a new part.
type CreatePartInput struct {
	FileName          string
	ProjectID         string   // "" = none
	CutConfigIDs      []string // one program each; one that is named twice counts once
	AutoCreateProgram bool
}

// CreatedPart is a pending part and the address its file goes to.
type CreatedPart struct {
	Part   Part
	Upload SignedURL
	Slot   *Slot // what is left of the team's budget; nil: it is unlimited
}

// Extensions are the accepted file name extensions, lower case.
var Extensions = []string{
	".stp", ".step", ".p21", ".stpz", ".igs", ".iges", ".x_t", ".x_b", ".xmt_txt", ".xmt_bin",
	".sldprt", ".prt", ".catpart", ".model",
}

const maxFileName = 255 // bytes

// CreatePart makes a pending part and an upload address. Error codes: invalid_request,
// unsupported_format, not_found (project or cut config), rate_limited.
func (s *Service) CreatePart(ctx context.Context, c Caller, in CreatePartInput) (CreatedPart, error) {
	ext, err := checkFileName(in.FileName)
	if err != nil {
		return CreatedPart{}, err
	}
	find := func(id string) (CreatedPart, error) {
		part, err := s.GetPart(ctx, c, id)
		if err != nil {
			return CreatedPart{}, err
		}
		upload, err := s.signUpload(ctx, part)
		return CreatedPart{Part: part, Upload: upload}, err
	}
	return once(s, c, find, func(id string) (CreatedPart, error) {
		if in.ProjectID != "" {
			if _, err := s.project(ctx, c, in.ProjectID); err != nil {
				return CreatedPart{}, err
			}
		}
		configs := distinct(in.CutConfigIDs)
		if err := s.checkCutConfigs(ctx, c, configs); err != nil {
			return CreatedPart{}, err
		}
		now, pace := s.now(), s.pace(BudgetParts)
		part := Part{
			ID: id, TeamID: c.TeamID, FileName: in.FileName, Status: PartPending,
			ProjectID: in.ProjectID, ProgramIDs: []string{}, CutConfigIDs: configs,
			AutoCreateProgram: in.AutoCreateProgram,
			Source: ObjectRef{
				Bucket: s.config.SourceBucket,
				Key:    path.Join("teams", c.TeamID, "parts", id, "source"+ext),
			},
			CreatedAt: now, UpdatedAt: now,
		}
		upload, err := s.signUpload(ctx, part)
		if err != nil {
			return CreatedPart{}, err
		}
		var early *TooSoonError
		if err := s.store.CreatePart(ctx, part, pace); errors.As(err, &early) {
			return CreatedPart{}, pace.refused(early, s.now())
		} else if err != nil {
			return CreatedPart{}, err
		}
		return CreatedPart{Part: part, Upload: upload, Slot: pace.taken()}, nil
	})
}

func (s *Service) signUpload(ctx context.Context, part Part) (SignedURL, error) {
	return s.objects.SignPut(ctx, uploadOf(part), PutTerms{
		Life: s.config.AddressLife, MaxBytes: s.config.MaxUpload, Sealed: part.Source,
	})
}

// checkFileName returns the lower-case extension of an acceptable name.
func checkFileName(name string) (string, error) {
	switch {
	case name == "":
		return "", Errorf(CodeInvalidRequest, "fileName is missing.")
	case len(name) > maxFileName:
		return "", Errorf(CodeInvalidRequest, "fileName is longer than %d bytes.", maxFileName)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return "", Errorf(CodeInvalidRequest, "fileName holds characters that are not text.")
	case strings.ContainsAny(name, `/\`):
		return "", Errorf(CodeInvalidRequest, "fileName is a name without folders.")
	}
	ext := strings.ToLower(path.Ext(name))
	if !slices.Contains(Extensions, ext) {
		return "", Errorf(CodeUnsupportedFormat, "%s is not an accepted CAD file name; accepted are %s.",
			quoted(name), strings.Join(Extensions, " "))
	}
	return ext, nil
}

// GetPart returns one part of the team. Error code: not_found.
func (s *Service) GetPart(ctx context.Context, c Caller, partID string) (Part, error) {
	p, err := s.store.Part(ctx, c.TeamID, partID)
	if errors.Is(err, ErrNotFound) {
		return Part{}, noPart(partID)
	}
	return p, err
}

func noPart(id string) error { return Errorf(CodeNotFound, "There is no part %s.", quoted(id)) }
