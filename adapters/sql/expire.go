package sql

import (
	"context"
	"fmt"
	"time"

	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
)

// Expire implements worker.Retention. It skips parts that another transaction is changing, or protects from marking. It
// looks up the objects after the marks are visible. So the transaction that marks the last part of an object finds it.
func (s *Store) Expire(ctx context.Context, before, now time.Time, limit int) ([]part.DeletedPart, error) {
	_, err := Exec(ctx, s.DB, Harmless, `UPDATE parts SET expired_at = $1 WHERE id IN (
		SELECT p.id FROM parts p WHERE p.expired_at = 0 AND p.updated_at < $2 AND NOT EXISTS (
			SELECT 1 FROM jobs j WHERE j.part_id = p.id AND (j.status IN ('queued', 'running')
				OR EXISTS (SELECT 1 FROM open_attempts a WHERE a.job_id = j.id)))
		ORDER BY p.updated_at LIMIT $3`+s.DB.Lock("UPDATE SKIP LOCKED")+`)`, Micros(now), Micros(before), limit)
	if err != nil {
		return nil, err
	}
	parts, err := ReadRows(ctx, s.DB, ScanPart, `SELECT `+PartColumns+` FROM parts p
		WHERE expired_at > 0 AND expired_at <= $1 AND NOT `+attempted+`
		ORDER BY expired_at, id LIMIT $2`, Micros(now), limit)
	if err != nil {
		return nil, err
	}
	var out []part.DeletedPart
	for _, p := range parts {
		results, err := s.onlyOf(ctx, p.ID)
		if err != nil {
			return nil, err
		}
		out = append(out, part.DeletedPart{Part: p, Results: results})
	}
	return out, nil
}

// attempted is that a part p has a job that runs or may have left objects.
const attempted = `EXISTS (SELECT 1 FROM jobs j JOIN open_attempts a ON a.job_id = j.id WHERE j.part_id = p.id)`

// Discard implements part.Store. It waits for transactions that protect the part from marking.
func (s *Store) Discard(ctx context.Context, teamID, partID string, now, lateUploads time.Time,
) (d part.DeletedPart, err error) {
	marked := unless(`SELECT 1 FROM parts WHERE id = $1 AND late_uploads = $2`, partID, Micros(lateUploads))
	err = s.DB.Tx(ctx, marked, func(ctx context.Context, q Querier) error {
		d.Part, err = One(ctx, q, ScanPart, `SELECT `+PartColumns+` FROM parts
			WHERE id = $1 AND team_id = $2 AND expired_at = 0`+q.Lock("UPDATE"), partID, teamID)
		if err != nil {
			return err
		}
		return change(ctx, q, `UPDATE parts SET expired_at = $2, late_uploads = $3 WHERE id = $1`,
			partID, Micros(now), Micros(lateUploads))
	})
	if err == nil {
		d.Results, err = s.onlyOf(ctx, partID)
	}
	return d, err
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
			UNION SELECT value ->> 0, value ->> 1 FROM `+s.DB.List("$2")+` r) o
		WHERE (SELECT 1 FROM artefacts n JOIN parts p ON p.id = n.part_id
			WHERE n.object = o.object AND n.bucket = o.bucket AND p.expired_at = 0 LIMIT 1) IS NULL
		ORDER BY o.bucket, o.object`, partID, objects)
}

// DeletePart implements part.Purger.
func (s *Store) DeletePart(ctx context.Context, partID string, now time.Time) error {
	return s.DB.Tx(ctx, Harmless, func(ctx context.Context, q Querier) error {
		err := change(ctx, q, `SELECT 1 FROM jobs WHERE part_id = $1 ORDER BY seq`+q.Lock("UPDATE"), partID)
		if err != nil {
			return err
		}
		late, err := One(ctx, q, Value[int64], `SELECT late_uploads FROM parts p
			WHERE id = $1 AND expired_at > 0 AND NOT `+attempted+q.Lock("UPDATE"), partID)
		if err != nil {
			return noneMeans(err, nil)
		}
		if err := dropPlans(ctx, q, partID); err != nil {
			return err
		}
		for _, statement := range []string{
			`DELETE FROM features WHERE part_id = $1`,
			`DELETE FROM reports WHERE part_id = $1`,
			`DELETE FROM jobs WHERE part_id = $1`,
			`DELETE FROM artefacts WHERE part_id = $1`,
		} {
			if err := change(ctx, q, statement, partID); err != nil {
				return err
			}
		}
		if late <= Micros(now) {
			return change(ctx, q, `DELETE FROM parts WHERE id = $1`, partID)
		}
		return change(ctx, q, `UPDATE parts SET expired_at = late_uploads, file_name = '', folded_name = '',
			project_id = '', warnings = '[]', program_ids = '[]', current_program_id = '' WHERE id = $1`, partID)
	})
}
