package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	record "millwright/adapters/sql"
	"millwright/core/service"
)

// Expire implements service.Operations. The objects are looked up once the marks are there to be seen: whoever marks
// the last part that names one finds it.
func (s *Store) Expire(ctx context.Context, before, now time.Time, limit int) ([]service.ExpiredPart, error) {
	_, err := s.exec(ctx, `UPDATE parts SET expired_at = ? WHERE id IN (
		SELECT p.id FROM parts p WHERE p.expired_at = 0 AND p.updated_at < ? AND NOT EXISTS (
			SELECT 1 FROM jobs j WHERE j.part_id = p.id AND (j.status IN ('queued', 'running')
				OR EXISTS (SELECT 1 FROM open_attempts a WHERE a.job_id = j.id)))
		ORDER BY p.updated_at LIMIT ?)`, micros(now), micros(before), limit)
	if err != nil {
		return nil, err
	}
	rows, err := s.read.QueryContext(ctx, `SELECT `+record.PartColumns+` FROM parts WHERE expired_at > 0
		ORDER BY expired_at, id LIMIT ?`, limit)
	parts, err := collect(rows, err, record.ScanPart)
	if err != nil {
		return nil, err
	}
	var out []service.ExpiredPart
	for _, p := range parts {
		results, err := s.onlyOf(ctx, p.ID)
		if err != nil {
			return nil, err
		}
		out = append(out, service.ExpiredPart{Part: p, Results: results})
	}
	return out, nil
}

// onlyOf returns the objects that a marked part names and no unmarked one does.
func (s *Store) onlyOf(ctx context.Context, partID string) ([]service.ObjectRef, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT body FROM reports WHERE part_id = ?`, partID)
	bodies, err := collect(rows, err, func(r record.Row) (b []byte, err error) { return b, r.Scan(&b) })
	if err != nil {
		return nil, err
	}
	reported, err := record.Reported(bodies)
	if err != nil {
		return nil, fmt.Errorf("part %s: %w", partID, err)
	}
	list, err := json.Marshal(reported)
	if err != nil {
		return nil, err
	}
	rows, err = s.read.QueryContext(ctx, `SELECT o.bucket, o.object FROM (
			SELECT bucket, object FROM artefacts WHERE part_id = ?
			UNION SELECT value ->> 'bucket', value ->> 'key' FROM json_each(?)) o
		WHERE (SELECT 1 FROM artefacts n JOIN parts p ON p.id = n.part_id
			WHERE n.object = o.object AND n.bucket = o.bucket AND p.expired_at = 0 LIMIT 1) IS NULL
		ORDER BY o.bucket, o.object`, partID, string(list))
	return collect(rows, err, record.ScanObject)
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
