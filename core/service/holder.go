package service

import (
	"context"
	"errors"
	"time"

	"millwright/core/machining"
)

// Holder is a tool holder of a team.
type Holder struct {
	machining.Holder
	ID        string
	TeamID    string
	CreatedAt time.Time
}

// CreateHolder makes a holder. Error code: invalid_request.
func (s *Service) CreateHolder(ctx context.Context, c Caller, in machining.Holder) (Holder, error) {
	if err := refusal(in.Validate()); err != nil {
		return Holder{}, err
	}
	find := func(id string) (Holder, error) { return s.GetHolder(ctx, c, id) }
	return once(s, c, find, func(id string) (Holder, error) {
		h := Holder{Holder: in, ID: id, TeamID: c.TeamID, CreatedAt: s.now()}
		return h, s.store.CreateHolder(ctx, h)
	})
}

// ListHolders returns a page of the team's holders, newest first. Error code: invalid_request.
func (s *Service) ListHolders(ctx context.Context, c Caller, p Page) (List[Holder], error) {
	return listOf(p, nil, func(p Page) ([]Holder, int, error) { return s.store.ListHolders(ctx, c.TeamID, p) })
}

// GetHolder returns a holder of the team. Error code: not_found.
func (s *Service) GetHolder(ctx context.Context, c Caller, id string) (Holder, error) {
	h, err := s.store.Holder(ctx, c.TeamID, id)
	return h, noHolder(err, id)
}

// DeleteHolder removes a holder. Tools keep the holders that they were made with. Error code: not_found.
func (s *Service) DeleteHolder(ctx context.Context, c Caller, id string) error {
	return noHolder(s.store.DeleteHolder(ctx, c.TeamID, id), id)
}

func noHolder(err error, id string) error {
	if errors.Is(err, ErrNotFound) {
		return Errorf(CodeNotFound, "There is no holder %s.", quoted(id))
	}
	return err
}
