package sqlite

import (
	"context"
	"database/sql"
	"time"

	record "millwright/adapters/sql"
	"millwright/core/fault"
	"millwright/core/service"
)

// anyJob reads a job of whatever team.
func anyJob(ctx context.Context, tx *sql.Tx, jobID string) (service.Job, error) {
	return record.ScanJob(one(tx.QueryRowContext(ctx, `SELECT `+record.JobColumns+` FROM jobs WHERE id = ?`, jobID)))
}

// Cancel implements service.Operations.
func (s *Store) Cancel(ctx context.Context, jobID string, why fault.Error, now time.Time,
) (service.Job, error) {
	var job service.Job
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		var err error
		if job, err = anyJob(ctx, tx, jobID); err != nil {
			return err
		}
		switch job.Status {
		case service.JobQueued: // it runs for the moment that it takes to end it
			_, err = tx.ExecContext(ctx, `UPDATE jobs SET status = 'running' WHERE id = ?`, jobID)
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
		job, err = anyJob(ctx, tx, jobID)
		return err
	})
	return job, err
}

// Requeue implements service.Operations.
func (s *Store) Requeue(ctx context.Context, jobID string, now time.Time) (service.Job, error) {
	var job service.Job
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		var err error
		if job, err = anyJob(ctx, tx, jobID); err != nil {
			return err
		}
		if job.Status != service.JobFailed {
			return service.ErrNotFailed
		}
		_, err = tx.ExecContext(ctx, `UPDATE jobs SET status = 'queued', progress = NULL, failure_code = '',
			failure_reason = '', attempt = 0, due_at = ?, updated_at = ? WHERE id = ?`, micros(now), micros(now), jobID)
		if err != nil {
			return err
		}
		err = deleted(tx.ExecContext(ctx, `UPDATE parts SET status = CASE status WHEN 'failed' THEN 'processing' ELSE
			status END, failure_code = '', failure_reason = '', updated_at = ? WHERE id = ? AND expired_at = 0`,
			micros(now), job.PartID))
		if err != nil {
			return err
		}
		if err := insertWake(ctx, tx, jobID, job.Product, now); err != nil {
			return err
		}
		job, err = anyJob(ctx, tx, jobID)
		return err
	})
	return job, err
}

// CountQueued implements service.Operations.
func (s *Store) CountQueued(ctx context.Context, teamID string, atMost int) (int, error) {
	var n int
	query, args := `SELECT count(*) FROM (SELECT 1 FROM jobs WHERE status = 'queued' LIMIT ?)`, []any{atMost}
	if teamID != "" {
		query = `SELECT count(*) FROM (SELECT 1 FROM jobs WHERE status = 'queued' AND team_id = ? LIMIT ?)`
		args = []any{teamID, atMost}
	}
	err := s.read.QueryRowContext(ctx, query, args...).Scan(&n)
	return n, err
}

// Backlog implements service.Operations.
func (s *Store) Backlog(ctx context.Context) ([]service.Backlog, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT product, class, count(*), min(due_at) FROM jobs
		WHERE status = 'queued' GROUP BY product, class ORDER BY product, class`)
	return collect(rows, err, func(r record.Row) (b service.Backlog, err error) {
		var oldest int64
		err = r.Scan(&b.Product, &b.Class, &b.Queued, &oldest)
		b.Oldest = fromMicros(oldest)
		return b, err
	})
}

// Leases implements service.Operations.
func (s *Store) Leases(ctx context.Context, limit int) ([]service.Job, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT `+record.JobColumns+` FROM jobs WHERE status = 'running'
		ORDER BY leased_at, seq LIMIT ?`, limit)
	return collect(rows, err, record.ScanJob)
}

// CountWakes implements service.Operations.
func (s *Store) CountWakes(ctx context.Context, atMost int) (int, error) {
	var n int
	err := s.read.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM outbox LIMIT ?)`, atMost).Scan(&n)
	return n, err
}
