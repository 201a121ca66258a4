package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	record "millwright/adapters/sql"
	"millwright/core/service"
)

// takeSlot takes the slot of a team's pace that is open at a time. *TooSoonError: none is. Whoever comes
// while another takes the slot waits for the row and is judged by what it says then.
func takeSlot(ctx context.Context, tx pgx.Tx, teamID string, p service.Pace, at time.Time) error {
	if p.Interval == 0 {
		return nil
	}
	// Most refusals need no lock: a slot only moves on.
	if err := opens(ctx, tx, teamID, p.Budget, at); err != nil {
		return err
	}
	done, err := tx.Exec(ctx, `INSERT INTO budgets AS b (team_id, budget, next_at) VALUES ($1, $2, $3)
		ON CONFLICT (team_id, budget) DO UPDATE SET next_at = excluded.next_at WHERE b.next_at <= $4`,
		teamID, p.Budget, micros(at.Add(p.Interval)), micros(at))
	if err != nil {
		return fmt.Errorf("take a slot: %w", err)
	}
	if done.RowsAffected() > 0 {
		return nil
	}
	return opens(ctx, tx, teamID, p.Budget, at)
}

// opens is *TooSoonError when the next slot opens after a time.
func opens(ctx context.Context, tx pgx.Tx, teamID string, b service.Budget, at time.Time) error {
	next, err := scanValue[int64](tx.QueryRow(ctx,
		`SELECT next_at FROM budgets WHERE team_id = $1 AND budget = $2`, teamID, b))
	if err != nil && !errors.Is(err, service.ErrNotFound) {
		return fmt.Errorf("look up the next slot: %w", err)
	}
	if next > micros(at) {
		return &service.TooSoonError{Opens: fromMicros(next)}
	}
	return nil
}

// insertUsage meters a job to a key.
func insertUsage(ctx context.Context, tx pgx.Tx, j service.Job, keyID string) error {
	_, err := tx.Exec(ctx,
		`INSERT INTO usage (job_id, team_id, key_id, operation, used_at) VALUES ($1, $2, $3, $4, $5)`,
		j.ID, j.TeamID, keyID, j.Product, micros(j.CreatedAt))
	return err
}

// Usage implements service.Meter.
func (s *Store) Usage(ctx context.Context, teamID string, since time.Time) ([]service.UsageTotal, error) {
	return readRows(ctx, s, func(r record.Row) (u service.UsageTotal, err error) {
		return u, r.Scan(&u.Operation, &u.KeyID, &u.Count)
	}, `SELECT operation, key_id, count(*) FROM usage
		WHERE team_id = $1 AND used_at >= $2 GROUP BY operation, key_id ORDER BY operation, key_id`,
		teamID, micros(since))
}
