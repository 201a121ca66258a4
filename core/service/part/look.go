package part

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/usertext"
)

// Filter narrows and pages a list of parts. Zero values mean page 1, 20 per page, no filter.
type Filter struct {
	record.Page
	Status    Status
	ProjectID string
	Name      string // substring of the file name, case-insensitive
}

// Query is a valid Filter within one team.
type Query struct {
	TeamID string
	Filter
}

var statuses = []Status{Pending, Processing, Ready, Failed}

// List returns a page of the team's parts, newest first. Error code: invalid_request.
func (s *Service) List(ctx context.Context, c account.Caller, f Filter) (record.List[Part], error) {
	return record.Paginate(f.Page, nil, func(p record.Page) ([]Part, int, error) {
		f.Page = p
		if err := f.validate(); err != nil {
			return nil, 0, err
		}
		return s.store.ListParts(ctx, Query{TeamID: c.TeamID, Filter: f})
	})
}

// validate checks all but the page.
func (f Filter) validate() error {
	switch {
	case f.Status != "" && !slices.Contains(statuses, f.Status):
		return apierr.Errorf(apierr.InvalidRequest, "status is one of %v.", statuses)
	case f.ProjectID != "" && uuid.Validate(f.ProjectID) != nil:
		return apierr.Errorf(apierr.InvalidRequest, "projectId is not a UUID.")
	}
	return nil
}

// FoldCase is a file name as names are compared: without regard to case.
func FoldCase(name string) string { return strings.ToLower(name) }

// Await is Get that waits for a change of the part's state, at most for the duration most. It does not wait for a part
// that is ready or failed.
func (s *Service) Await(ctx context.Context, c account.Caller, partID string, most time.Duration) (Part, error) {
	look := func(ctx context.Context) (Part, error) { return s.Get(ctx, c, partID) }
	return record.WaitForChange(ctx, s.clock, most, look, func(p Part) (string, bool) {
		return string(p.Status), p.Status == Ready || p.Status == Failed
	})
}

// Get returns one part of the team. Error code: not_found.
func (s *Service) Get(ctx context.Context, c account.Caller, partID string) (Part, error) {
	p, err := s.store.Part(ctx, c.TeamID, partID)
	return p, gone(err, partID)
}

// UpdateInput changes a part; nil leaves a field as it is.
type UpdateInput struct {
	PartID    string
	FileName  *string
	ProjectID *string // "" takes it out of its project
}

// Update changes the client's data of a part. Error codes: invalid_request, unsupported_format, not_found (part or
// project).
func (s *Service) Update(ctx context.Context, c account.Caller, in UpdateInput) (Part, error) {
	if in.FileName != nil {
		if _, err := checkFileName(*in.FileName); err != nil {
			return Part{}, err
		}
	}
	if _, err := s.Get(ctx, c, in.PartID); err != nil {
		return Part{}, err
	}
	if in.ProjectID != nil && *in.ProjectID != "" {
		if _, err := s.catalog.GetProject(ctx, c, *in.ProjectID); err != nil {
			return Part{}, err
		}
	}
	p, err := s.store.UpdatePart(ctx, c.TeamID, in.PartID, func(p *Part) error {
		if in.FileName != nil {
			p.FileName = *in.FileName
		}
		if in.ProjectID != nil {
			p.ProjectID = *in.ProjectID
		}
		p.UpdatedAt = s.now()
		return nil
	})
	return p, gone(err, in.PartID)
}

// NewUpload makes another upload address for a part that waits for its file. Error codes: not_found, upload_closed.
func (s *Service) NewUpload(ctx context.Context, c account.Caller, partID string) (object.SignedURL, error) {
	// The part has changed: it is not deleted for its age while the address lives.
	p, err := s.store.UpdatePart(ctx, c.TeamID, partID, func(p *Part) error {
		if p.Status != Pending {
			return apierr.Errorf(apierr.UploadClosed,
				"The upload of part %s is complete; its file stays as it is.", p.ID)
		}
		p.UpdatedAt = s.now()
		return nil
	})
	if err != nil {
		return object.SignedURL{}, gone(err, partID)
	}
	return s.signUpload(ctx, p)
}

// gone is the error for a missing part, with its id.
func gone(err error, partID string) error {
	if errors.Is(err, record.ErrNotFound) {
		return noPart(partID)
	}
	return err
}

func noPart(id string) error {
	return apierr.Errorf(apierr.NotFound, "There is no part %s.", usertext.Quote(id))
}
