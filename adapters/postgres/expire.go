package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"millwright/adapters/record"
	"millwright/core/service"
)

// Expire implements service.Operations. Parts that somebody is changing are left to them.
func (s *Store) Expire(ctx context.Context, before, now time.Time, limit int,
) (out []service.ExpiredPart, err error) {
	err = s.inTx(ctx, harmless, func(ctx context.Context, tx pgx.Tx) error {
		out = nil
		_, err := tx.Exec(ctx, `UPDATE parts SET expired_at = $1 WHERE id IN (
			SELECT p.id FROM parts p WHERE p.expired_at = 0 AND p.updated_at < $2 AND NOT EXISTS (
				SELECT 1 FROM jobs j WHERE j.part_id = p.id AND (j.status IN ('queued', 'running')
					OR EXISTS (SELECT 1 FROM open_attempts a WHERE a.job_id = j.id)))
			ORDER BY p.updated_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED)`, micros(now), micros(before), limit)
		if err != nil {
			return err
		}
		parts, err := collect(ctx, tx, record.ScanPart, `SELECT `+record.PartColumns+` FROM parts WHERE expired_at > 0
			ORDER BY expired_at, id LIMIT $1`, limit)
		if err != nil {
			return err
		}
		for _, p := range parts {
			bodies, err := collect(ctx, tx, scanValue[[]byte], `SELECT body FROM reports WHERE part_id = $1`, p.ID)
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
	return s.inTx(ctx, harmless, func(ctx context.Context, tx pgx.Tx) error {
		marked, err := scanValue[bool](tx.QueryRow(ctx,
			`SELECT EXISTS (SELECT 1 FROM parts WHERE id = $1 AND expired_at > 0)`, partID))
		if err != nil || !marked {
			return err
		}
		for _, statement := range []string{
			`SELECT 1 FROM jobs WHERE part_id = $1 ORDER BY seq FOR UPDATE`,
			`SELECT 1 FROM parts WHERE id = $1 FOR UPDATE`,
			`DELETE FROM features WHERE part_id = $1`,
			`DELETE FROM reports WHERE part_id = $1`,
			`DELETE FROM outbox WHERE job_id IN (SELECT id FROM jobs WHERE part_id = $1)`,
			`DELETE FROM open_attempts WHERE job_id IN (SELECT id FROM jobs WHERE part_id = $1)`,
			`DELETE FROM jobs WHERE part_id = $1`,
			`DELETE FROM parts WHERE id = $1`,
		} {
			if _, err := tx.Exec(ctx, statement, partID); err != nil {
				return err
			}
		}
		return nil
	})
}
