package sql

import (
	"context"
	"time"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/record"
)

// lockJob reads a job of any team and locks it against changes.
func lockJob(ctx context.Context, q Querier, jobID string) (job.Job, error) {
	return One(ctx, q, ScanJob, `SELECT `+JobColumns+` FROM jobs WHERE id = $1`+q.Lock("NO KEY UPDATE"), jobID)
}

// Cancel implements job.Store. A repeated one finds the job as the first try left it.
func (s *Store) Cancel(ctx context.Context, jobID string, why fault.Error, now time.Time,
) (j job.Job, err error) {
	cancelled := unless(`SELECT 1 FROM jobs
		WHERE id = $1 AND status = 'failed' AND failure_code = $2 AND updated_at = $3`, jobID, why.Code, Micros(now))
	err = s.DB.Tx(ctx, cancelled, func(ctx context.Context, q Querier) error {
		if j, err = lockJob(ctx, q, jobID); err != nil {
			return err
		}
		switch j.Status {
		case job.Queued: // it runs for the moment that it takes to end it
			err = change(ctx, q, `UPDATE jobs SET status = 'running' WHERE id = $1`, jobID)
		case job.Running:
		default:
			return job.ErrEnded
		}
		if err != nil {
			return err
		}
		if err := fail(ctx, q, job.FencingToken{JobID: j.ID, Token: j.Token}, why, now); err != nil {
			return err
		}
		j, err = lockJob(ctx, q, jobID)
		return err
	})
	return j, err
}

// Requeue implements job.Store. A repeated one finds the job as the first try left it.
func (s *Store) Requeue(ctx context.Context, jobID string, quota account.Quota, now time.Time,
) (j job.Job, err error) {
	queued := unless(`SELECT 1 FROM jobs WHERE id = $1 AND status <> 'failed' AND due_at = $2`, jobID, Micros(now))
	err = s.DB.Tx(ctx, queued, func(ctx context.Context, q Querier) error {
		teamID, err := One(ctx, q, Value[string], `SELECT team_id FROM jobs WHERE id = $1`, jobID)
		if err == nil {
			err = lockQuota(ctx, q, teamID, quota)
		}
		if err != nil {
			return err
		}
		if j, err = lockJob(ctx, q, jobID); err != nil {
			return err
		}
		if j.Status != job.Failed {
			return job.ErrNotFailed
		}
		if err := allow(ctx, q, teamID, quota, account.Held{Queued: 1}); err != nil {
			return err
		}
		err = change(ctx, q, `UPDATE jobs SET status = 'queued', progress = NULL, failure_code = '',
			failure_reason = '', judge = '', attempt = 0, due_at = $2, updated_at = $2 WHERE id = $1`, jobID, Micros(now))
		if err != nil {
			return err
		}
		if err := reopenPlans(ctx, q, jobID, now); err != nil {
			return err
		}
		// The part is written in any case, so that a concurrent Expire that is about to mark it sees a change.
		n, err := q.Exec(ctx, `UPDATE parts SET status = CASE status WHEN 'failed' THEN 'processing' ELSE status END,
			failure_code = '', failure_reason = '', updated_at = $2 WHERE id = $1 AND expired_at = 0`, j.PartID, Micros(now))
		if err := met(n, err, record.ErrNotFound); err != nil {
			return err
		}
		j, err = lockJob(ctx, q, jobID)
		return err
	})
	return j, err
}

// CountQueued implements job.Store.
func (s *Store) CountQueued(ctx context.Context, teamID string, atMost int) (int, error) {
	if teamID == "" {
		return ReadRow(ctx, s.DB, Value[int],
			`SELECT count(*) FROM (SELECT 1 FROM jobs WHERE status = 'queued' LIMIT $1) q`, atMost)
	}
	return ReadRow(ctx, s.DB, Value[int],
		`SELECT count(*) FROM (SELECT 1 FROM jobs WHERE status = 'queued' AND team_id = $1 LIMIT $2) q`, teamID, atMost)
}

// Backlog implements job.Store.
func (s *Store) Backlog(ctx context.Context) ([]job.Backlog, error) {
	return ReadRows(ctx, s.DB, func(r Row) (b job.Backlog, err error) {
		var oldest int64
		err = r.Scan(&b.Product, &b.Class, &b.Queued, &oldest)
		b.Oldest = Time(oldest)
		return b, err
	}, `SELECT product, class, count(*), min(due_at) FROM jobs WHERE status = 'queued'
		GROUP BY product, class ORDER BY product, class`)
}

// Leases implements job.Store.
func (s *Store) Leases(ctx context.Context, limit int) ([]job.Job, error) {
	return ReadRows(ctx, s.DB, ScanJob, `SELECT `+JobColumns+` FROM jobs WHERE status = 'running'
		ORDER BY leased_at, seq LIMIT $1`, limit)
}
