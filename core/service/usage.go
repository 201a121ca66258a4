package service

import (
	"context"
	"errors"
	"time"
)

// Meter keeps one usage row per accepted metered request. Enqueue writes it in the job's transaction, so
// there is exactly one per metered job.
type Meter interface {
	// Usage adds up a team's rows from a time on, by operation and key, in that order.
	Usage(ctx context.Context, teamID string, since time.Time) ([]UsageTotal, error)
}

// UsageTotal is how often one key used one metered operation.
type UsageTotal struct {
	Operation ProductType // what the metered jobs make
	KeyID     string
	Count     int
}

// UsageReport is the metered use of a team.
type UsageReport struct {
	Team   Team
	Since  time.Time
	Totals []UsageTotal // by operation, then key
	Keys   []Key        // of the team, oldest first
}

// Usage adds up what a team, by its name, used from a time on. Error code: not_found.
func (s *Service) Usage(ctx context.Context, team string, since time.Time) (UsageReport, error) {
	t, err := s.store.TeamByName(ctx, team)
	if errors.Is(err, ErrNotFound) {
		return UsageReport{}, Errorf(CodeNotFound, "There is no team %s.", quoted(team))
	}
	if err != nil {
		return UsageReport{}, err
	}
	since = Stamp(since)
	totals, err := s.store.Usage(ctx, t.ID, since)
	if err != nil {
		return UsageReport{}, err
	}
	keys, err := s.store.ListKeys(ctx, t.ID)
	return UsageReport{Team: t, Since: since, Totals: totals, Keys: keys}, err
}
