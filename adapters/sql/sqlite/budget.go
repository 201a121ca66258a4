package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	record "millwright/adapters/sql"
	"millwright/core/service"
)

// takeSlot takes the slot of a team's pace that is open at a time. *TooSoonError: none is.
func takeSlot(ctx context.Context, tx *sql.Tx, teamID string, p service.Pace, at time.Time) error {
	if p.Interval == 0 {
		return nil
	}
	done, err := tx.ExecContext(ctx, `INSERT INTO budgets AS b (team_id, budget, next_at) VALUES (?, ?, ?)
		ON CONFLICT (team_id, budget) DO UPDATE SET next_at = excluded.next_at WHERE b.next_at <= ?`,
		teamID, p.Budget, micros(at.Add(p.Interval)), micros(at))
	if err != nil {
		return fmt.Errorf("take a slot: %w", err)
	}
	if n, err := done.RowsAffected(); err != nil || n > 0 {
		return err
	}
	var next int64
	err = tx.QueryRowContext(ctx, `SELECT next_at FROM budgets WHERE team_id = ? AND budget = ?`,
		teamID, p.Budget).Scan(&next)
	return errors.Join(err, &service.TooSoonError{Opens: fromMicros(next)})
}

// insertUsage meters a job to a key.
func insertUsage(ctx context.Context, tx *sql.Tx, j service.Job, keyID string) error {
	_, err := tx.ExecContext(ctx,
		`INSERT INTO usage (job_id, team_id, key_id, operation, used_at) VALUES (?, ?, ?, ?, ?)`,
		j.ID, j.TeamID, keyID, j.Product, micros(j.CreatedAt))
	return err
}

// Usage implements service.Meter.
func (s *Store) Usage(ctx context.Context, teamID string, since time.Time) ([]service.UsageTotal, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT operation, key_id, count(*) FROM usage
		WHERE team_id = ? AND used_at >= ? GROUP BY operation, key_id ORDER BY operation, key_id`,
		teamID, micros(since))
	return collect(rows, err, func(r record.Row) (u service.UsageTotal, err error) {
		return u, r.Scan(&u.Operation, &u.KeyID, &u.Count)
	})
}
