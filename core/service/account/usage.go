package account

import (
	"context"
	"time"

	"millwright.dev/millwright/core/service/record"
)

// UsageTotal is the number of uses of one metered operation by one key.
type UsageTotal struct {
	Operation string // the product of the metered jobs
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

// Usage sums the usage of a team, given by name, from a time on. Error code: not_found.
func (s *Service) Usage(ctx context.Context, team string, since time.Time) (UsageReport, error) {
	t, err := s.Team(ctx, team)
	if err != nil {
		return UsageReport{}, err
	}
	since = record.TruncateTime(since)
	totals, err := s.store.Usage(ctx, t.ID, since)
	if err != nil {
		return UsageReport{}, err
	}
	keys, err := s.store.ListKeys(ctx, t.ID)
	return UsageReport{Team: t, Since: since, Totals: totals, Keys: keys}, err
}
