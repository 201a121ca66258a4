package account

import (
	"context"
	"time"

	"millwright.dev/millwright/core/service/apierr"
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
	keys, err := s.keys.ListKeys(ctx, t.ID)
	return UsageReport{Team: t, Since: since, Totals: totals, Keys: keys}, err
}

// DayUsage is the number of uses of one metered operation by one key on one day.
type DayUsage struct {
	Day       time.Time // its begin, UTC
	Operation string
	KeyID     string
	Count     int
}

// Day is the unit of DayUsage.
const Day = 24 * time.Hour

// maxUsageDays bounds one answer of UsageByDay.
const maxUsageDays = 400

// UsageByDay returns the metered use of a team, by id, from the first to the last day, both included. Error code:
// invalid_request.
func (s *Service) UsageByDay(ctx context.Context, teamID string, first, last time.Time) ([]DayUsage, error) {
	first, last = first.UTC().Truncate(Day), last.UTC().Truncate(Day)
	switch days := int(last.Sub(first)/Day) + 1; {
	case days < 1:
		return nil, apierr.Errorf(apierr.InvalidRequest, "The last day of the usage is before the first day.")
	case days > maxUsageDays:
		return nil, apierr.Errorf(apierr.InvalidRequest,
			"The usage of at most %d days can be read at once.", maxUsageDays)
	}
	return s.store.UsageByDay(ctx, teamID, first, last.Add(Day))
}
