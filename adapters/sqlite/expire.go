package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"millwright/adapters/record"
	"millwright/core/service"
)

// Expire implements service.Operations.
func (s *Store) Expire(ctx context.Context, before, now time.Time, limit int) ([]service.ExpiredPart, error) {
	var out []service.ExpiredPart
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE parts SET expired_at = ? WHERE id IN (
			SELECT p.id FROM parts p WHERE p.expired_at = 0 AND p.updated_at < ? AND NOT EXISTS (
				SELECT 1 FROM jobs j WHERE j.part_id = p.id AND (j.status IN ('queued', 'running')
					OR EXISTS (SELECT 1 FROM open_attempts a WHERE a.job_id = j.id)))
			ORDER BY p.updated_at LIMIT ?)`, micros(now), micros(before), limit)
		if err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, `SELECT `+record.PartColumns+` FROM parts WHERE expired_at > 0
			ORDER BY expired_at, id LIMIT ?`, limit)
		parts, err := collect(rows, err, record.ScanPart)
		if err != nil {
			return err
		}
		for _, p := range parts {
			rows, err := tx.QueryContext(ctx, `SELECT body FROM reports WHERE part_id = ?`, p.ID)
			bodies, err := collect(rows, err, func(r record.Row) (b []byte, err error) { return b, r.Scan(&b) })
			if err != nil {
				return err
			}
			expired := service.ExpiredPart{Part: p}
			for _, body := range bodies {
				var r service.Report
				if err := json.Unmarshal(body, &r); err != nil {
					return fmt.Errorf("report of part %s: %w", p.ID, err)
				}
				expired.Results = append(expired.Results, r.Objects()...)
			}
			out = append(out, expired)
		}
		return nil
	})
	return out, err
}

// DeletePart implements service.Operations.
func (s *Store) DeletePart(ctx context.Context, partID string) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		var marked int
		err := tx.QueryRowContext(ctx,
			`SELECT count(*) FROM parts WHERE id = ? AND expired_at > 0`, partID).Scan(&marked)
		if err != nil || marked == 0 {
			return err
		}
		for _, statement := range []string{
			`DELETE FROM features WHERE part_id = ?`,
			`DELETE FROM reports WHERE part_id = ?`,
			`DELETE FROM outbox WHERE job_id IN (SELECT id FROM jobs WHERE part_id = ?)`,
			`DELETE FROM open_attempts WHERE job_id IN (SELECT id FROM jobs WHERE part_id = ?)`,
			`DELETE FROM jobs WHERE part_id = ?`,
			`DELETE FROM parts WHERE id = ?`,
		} {
			if _, err := tx.ExecContext(ctx, statement, partID); err != nil {
				return err
			}
		}
		return nil
	})
}
