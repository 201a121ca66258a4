package sql

import (
	"context"
	"errors"
	"fmt"
	"time"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
)

// takeSlot takes the slot of a team's rate limit that is open at a time. The error is a *part.RateLimitedError if no
// slot is open. A concurrent call waits for the row and uses its new value.
func takeSlot(ctx context.Context, q Querier, teamID string, p part.RateLimit, at time.Time) error {
	if p.Interval == 0 {
		return nil
	}
	// Most refusals need no lock: a slot only moves on.
	if err := opens(ctx, q, teamID, p.Budget, at); err != nil {
		return err
	}
	taken, err := q.Exec(ctx, `INSERT INTO budgets AS b (team_id, budget, next_at) VALUES ($1, $2, $3)
		ON CONFLICT (team_id, budget) DO UPDATE SET next_at = excluded.next_at WHERE b.next_at <= $4`,
		teamID, p.Budget, Micros(at.Add(p.Interval)), Micros(at))
	if err != nil {
		return fmt.Errorf("take a slot: %w", err)
	}
	if taken > 0 {
		return nil
	}
	return opens(ctx, q, teamID, p.Budget, at)
}

// opens is *RateLimitedError when the next slot opens after a time.
func opens(ctx context.Context, q Querier, teamID string, b part.RateLimitName, at time.Time) error {
	next, err := One(ctx, q, Value[int64],
		`SELECT next_at FROM budgets WHERE team_id = $1 AND budget = $2`, teamID, b)
	if err != nil && !errors.Is(err, record.ErrNotFound) {
		return fmt.Errorf("look up the next slot: %w", err)
	}
	if next > Micros(at) {
		return &part.RateLimitedError{Opens: Time(next)}
	}
	return nil
}

// insertUsage meters a job to a key.
func insertUsage(ctx context.Context, q Querier, j job.Job, keyID string) error {
	return change(ctx, q,
		`INSERT INTO usage (job_id, team_id, key_id, operation, used_at) VALUES ($1, $2, $3, $4, $5)`,
		j.ID, j.TeamID, keyID, j.Product, Micros(j.CreatedAt))
}

// Usage implements account.Store.
func (s *Store) Usage(ctx context.Context, teamID string, since time.Time) ([]account.UsageTotal, error) {
	return ReadRows(ctx, s.DB, func(r Row) (u account.UsageTotal, err error) {
		return u, r.Scan(&u.Operation, &u.KeyID, &u.Count)
	}, `SELECT operation, key_id, count(*) FROM usage
		WHERE team_id = $1 AND used_at >= $2 GROUP BY operation, key_id ORDER BY operation, key_id`,
		teamID, Micros(since))
}

// UsageByDay implements account.Store.
func (s *Store) UsageByDay(ctx context.Context, teamID string, since, until time.Time) ([]account.DayUsage, error) {
	const day = `used_at / 86400000000` // microseconds of a day
	return ReadRows(ctx, s.DB, func(r Row) (u account.DayUsage, err error) {
		var days int64
		err = r.Scan(&days, &u.Operation, &u.KeyID, &u.Count)
		u.Day = time.UnixMicro(days * account.Day.Microseconds()).UTC()
		return u, err
	}, `SELECT `+day+`, operation, key_id, count(*) FROM usage WHERE team_id = $1 AND used_at >= $2 AND used_at < $3
		GROUP BY `+day+`, operation, key_id ORDER BY `+day+`, operation, key_id`, teamID, Micros(since), Micros(until))
}
