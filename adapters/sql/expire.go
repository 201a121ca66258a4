package sql

import (
	"context"
	"fmt"
	"time"

	"millwright/core/object"
	"millwright/core/worker"
)

// Expire implements worker.Retention. Parts that somebody is changing, or keeps from being marked, are left to them.
// The objects are looked up once the marks are there to be seen: whoever marks the last part that names one finds it.
func (s *Store) Expire(ctx context.Context, before, now time.Time, limit int) ([]worker.ExpiredPart, error) {
	_, err := Exec(ctx, s.DB, Harmless, `UPDATE parts SET expired_at = $1 WHERE id IN (
		SELECT p.id FROM parts p WHERE p.expired_at = 0 AND p.updated_at < $2 AND NOT EXISTS (
			SELECT 1 FROM jobs j WHERE j.part_id = p.id AND (j.status IN ('queued', 'running')
				OR EXISTS (SELECT 1 FROM open_attempts a WHERE a.job_id = j.id)))
		ORDER BY p.updated_at LIMIT $3 FOR UPDATE SKIP LOCKED)`, Micros(now), Micros(before), limit)
	if err != nil {
		return nil, err
	}
	parts, err := ReadRows(ctx, s.DB, ScanPart, `SELECT `+PartColumns+` FROM parts WHERE expired_at > 0
		ORDER BY expired_at, id LIMIT $1`, limit)
	if err != nil {
		return nil, err
	}
	var out []worker.ExpiredPart
	for _, p := range parts {
		results, err := s.onlyOf(ctx, p.ID)
		if err != nil {
			return nil, err
		}
		out = append(out, worker.ExpiredPart{Part: p, Results: results})
	}
	return out, nil
}

// onlyOf returns the objects that a marked part names and no unmarked one does.
func (s *Store) onlyOf(ctx context.Context, partID string) ([]object.Ref, error) {
	bodies, err := ReadRows(ctx, s.DB, Value[[]byte], `SELECT body FROM reports WHERE part_id = $1`, partID)
	if err != nil {
		return nil, err
	}
	refs, err := reported(bodies)
	if err != nil {
		return nil, fmt.Errorf("part %s: %w", partID, err)
	}
	objects, err := list(refs, func(o object.Ref) []any { return []any{o.Bucket, o.Key} })
	if err != nil {
		return nil, err
	}
	return ReadRows(ctx, s.DB, scanObject, `SELECT o.bucket, o.object FROM (
			SELECT bucket, object FROM artefacts WHERE part_id = $1
			UNION SELECT value ->> 0, value ->> 1 FROM LIST($2) r) o
		WHERE (SELECT 1 FROM artefacts n JOIN parts p ON p.id = n.part_id
			WHERE n.object = o.object AND n.bucket = o.bucket AND p.expired_at = 0 LIMIT 1) IS NULL
		ORDER BY o.bucket, o.object`, partID, objects)
}

// DeletePart implements worker.Retention.
func (s *Store) DeletePart(ctx context.Context, partID string) error {
	return s.DB.Tx(ctx, Harmless, func(ctx context.Context, q Querier) error {
		marked, err := One(ctx, q, Value[bool],
			`SELECT EXISTS (SELECT 1 FROM parts WHERE id = $1 AND expired_at > 0)`, partID)
		if err != nil || !marked {
			return err
		}
		for _, statement := range []string{
			`SELECT 1 FROM jobs WHERE part_id = $1 ORDER BY seq FOR UPDATE`,
			`SELECT 1 FROM parts WHERE id = $1 FOR UPDATE`,
			`DELETE FROM features WHERE part_id = $1`,
			`DELETE FROM reports WHERE part_id = $1`,
			`DELETE FROM open_attempts WHERE job_id IN (SELECT id FROM jobs WHERE part_id = $1)`,
			`DELETE FROM jobs WHERE part_id = $1`,
			`DELETE FROM parts WHERE id = $1`,
		} {
			if err := change(ctx, q, statement, partID); err != nil {
				return err
			}
		}
		return nil
	})
}
