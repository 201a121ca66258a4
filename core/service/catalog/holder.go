package catalog

import (
	"context"
	"errors"
	"time"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/idempotency"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/usertext"
)

// Holder is a tool holder of a team.
type Holder struct {
	machining.Holder
	ID        string
	TeamID    string
	CreatedAt time.Time
}

// CreateHolder makes a holder from its JSON form. Error code: invalid_request; its faults are all errors of the form.
func (s *Service) CreateHolder(ctx context.Context, c account.Caller, document []byte) (Holder, error) {
	in, err := machining.ReadHolder(document)
	if err != nil {
		return Holder{}, Refused(err)
	}
	find := func(id string) (Holder, error) { return s.GetHolder(ctx, c, id) }
	return idempotency.WithFixedID(c, find, func(id string) (Holder, error) {
		h := Holder{Holder: in, ID: id, TeamID: c.TeamID, CreatedAt: s.now()}
		return h, s.holders.CreateHolder(ctx, h)
	})
}

// ListHolders returns a page of the team's holders, newest first. Error code: invalid_request.
func (s *Service) ListHolders(ctx context.Context, c account.Caller, p record.Page) (record.List[Holder], error) {
	return record.Paginate(p, nil, func(p record.Page) ([]Holder, int, error) {
		return s.holders.ListHolders(ctx, c.TeamID, p)
	})
}

// GetHolder returns a holder of the team. Error code: not_found.
func (s *Service) GetHolder(ctx context.Context, c account.Caller, id string) (Holder, error) {
	h, err := s.holders.Holder(ctx, c.TeamID, id)
	return h, noHolder(err, id)
}

// DeleteHolder removes a holder. Tools keep their copies of the holder. Error codes: not_found, and those of the check.
func (s *Service) DeleteHolder(ctx context.Context, c account.Caller, id string, check Check[Holder]) error {
	if check != nil { // a holder never changes, so the check holds until it is deleted
		now, err := s.GetHolder(ctx, c, id)
		if err == nil {
			err = check(now)
		}
		if err != nil {
			return err
		}
	}
	return noHolder(s.holders.DeleteHolder(ctx, c.TeamID, id), id)
}

func noHolder(err error, id string) error {
	if errors.Is(err, record.ErrNotFound) {
		return apierr.Errorf(apierr.NotFound, "There is no holder %s.", usertext.Quote(id))
	}
	return err
}
