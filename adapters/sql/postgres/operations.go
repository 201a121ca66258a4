package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	record "millwright/adapters/sql"
	"millwright/core/fault"
	"millwright/core/service"
)

// lockJob reads a job of whatever team and keeps others from changing it.
func lockJob(ctx context.Context, tx pgx.Tx, jobID string) (service.Job, error) {
	return record.ScanJob(one(tx.QueryRow(ctx,
		`SELECT `+record.JobColumns+` FROM jobs WHERE id = $1 FOR NO KEY UPDATE`, jobID)))
}

// Cancel implements service.Operations. A repeated one finds the job as the first try left it.
func (s *Store) Cancel(ctx context.Context, jobID string, why fault.Error, now time.Time,
) (job service.Job, err error) {
	cancelled := unless(func(ctx context.Context, q querier) (bool, error) {
		return scanValue[bool](q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM jobs
			WHERE id = $1 AND status = 'failed' AND failure_code = $2 AND updated_at = $3)`, jobID, why.Code, micros(now)))
	})
	err = s.inTx(ctx, cancelled, func(ctx context.Context, tx pgx.Tx) error {
		if job, err = lockJob(ctx, tx, jobID); err != nil {
			return err
		}
		switch job.Status {
		case service.JobQueued: // it runs for the moment that it takes to end it
			_, err = tx.Exec(ctx, `UPDATE jobs SET status = 'running' WHERE id = $1`, jobID)
		case service.JobRunning:
		default:
			return service.ErrEnded
		}
		if err != nil {
			return err
		}
		if err := fail(ctx, tx, service.Fence{JobID: job.ID, Token: job.Token}, why, now); err != nil {
			return err
		}
		job, err = lockJob(ctx, tx, jobID)
		return err
	})
	return job, err
}

// Requeue implements service.Operations. A repeated one finds the job as the first try left it.
func (s *Store) Requeue(ctx context.Context, jobID string, now time.Time) (job service.Job, err error) {
	queued := unless(func(ctx context.Context, q querier) (bool, error) {
		return scanValue[bool](q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM jobs
			WHERE id = $1 AND status <> 'failed' AND due_at = $2)`, jobID, micros(now)))
	})
	err = s.inTx(ctx, queued, func(ctx context.Context, tx pgx.Tx) error {
		if job, err = lockJob(ctx, tx, jobID); err != nil {
			return err
		}
		if job.Status != service.JobFailed {
			return service.ErrNotFailed
		}
		_, err = tx.Exec(ctx, `UPDATE jobs SET status = 'queued', progress = NULL, failure_code = '',
			failure_reason = '', attempt = 0, due_at = $2, updated_at = $2 WHERE id = $1`, jobID, micros(now))
		if err != nil {
			return err
		}
		// The part is written in any case: Expire, should it be about to mark the part, then sees that it has changed.
		there, err := tx.Exec(ctx, `UPDATE parts SET status = CASE status WHEN 'failed' THEN 'processing' ELSE status END,
			failure_code = '', failure_reason = '', updated_at = $2 WHERE id = $1 AND expired_at = 0`, job.PartID, micros(now))
		if err != nil {
			return err
		}
		if there.RowsAffected() == 0 {
			return service.ErrNotFound
		}
		if err := insertWake(ctx, tx, jobID, job.Product, now); err != nil {
			return err
		}
		job, err = lockJob(ctx, tx, jobID)
		return err
	})
	return job, err
}

// CountQueued implements service.Operations.
func (s *Store) CountQueued(ctx context.Context, teamID string, atMost int) (int, error) {
	if teamID == "" {
		return readRow(ctx, s, scanValue[int],
			`SELECT count(*) FROM (SELECT 1 FROM jobs WHERE status = 'queued' LIMIT $1) q`, atMost)
	}
	return readRow(ctx, s, scanValue[int],
		`SELECT count(*) FROM (SELECT 1 FROM jobs WHERE status = 'queued' AND team_id = $1 LIMIT $2) q`, teamID, atMost)
}

// Backlog implements service.Operations.
func (s *Store) Backlog(ctx context.Context) ([]service.Backlog, error) {
	return readRows(ctx, s, func(r record.Row) (b service.Backlog, err error) {
		var oldest int64
		err = r.Scan(&b.Product, &b.Class, &b.Queued, &oldest)
		b.Oldest = fromMicros(oldest)
		return b, err
	}, `SELECT product, class, count(*), min(due_at) FROM jobs WHERE status = 'queued'
		GROUP BY product, class ORDER BY product, class`)
}

// Leases implements service.Operations.
func (s *Store) Leases(ctx context.Context, limit int) ([]service.Job, error) {
	return readRows(ctx, s, record.ScanJob, `SELECT `+record.JobColumns+` FROM jobs WHERE status = 'running'
		ORDER BY leased_at, seq LIMIT $1`, limit)
}

// CountWakes implements service.Operations.
func (s *Store) CountWakes(ctx context.Context, atMost int) (int, error) {
	return readRow(ctx, s, scanValue[int], `SELECT count(*) FROM (SELECT 1 FROM outbox LIMIT $1) q`, atMost)
}
