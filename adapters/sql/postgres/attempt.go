package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	record "millwright/adapters/sql"
	"millwright/core/fault"
	"millwright/core/service"
)

// fenced is the condition under which a worker may write: its lease is the job's newest and running.
const fenced = ` WHERE id = $1 AND token = $2 AND status = 'running'`

// Heartbeat implements service.Attempts.
func (s *Store) Heartbeat(ctx context.Context, f service.Fence, until time.Time, progress *int, now time.Time,
) error {
	n, err := s.exec(ctx, harmless, `UPDATE jobs SET lease_until = greatest(lease_until, $3), updated_at = $4,
		progress = greatest(progress, $5)`+fenced, f.JobID, f.Token, micros(until), micros(now), progress)
	return wrote(n, err)
}

// HoldsLease implements service.Attempts.
func (s *Store) HoldsLease(ctx context.Context, f service.Fence) (bool, error) {
	return readRow(ctx, s, scanValue[bool], `SELECT EXISTS (SELECT 1 FROM jobs`+fenced+`)`, f.JobID, f.Token)
}

// Commit implements service.Attempts.
func (s *Store) Commit(ctx context.Context, f service.Fence, o service.Outcome, now time.Time) error {
	return s.inTx(ctx, unlessSucceeded(f), func(ctx context.Context, tx pgx.Tx) error {
		job, err := succeed(ctx, tx, f, o, now)
		if err != nil {
			return err
		}
		if o.Report != nil {
			err := insertReport(ctx, tx, *o.Report)
			if err == nil {
				_, err = tx.Exec(ctx, `UPDATE parts SET status = 'ready', failure_code = '', failure_reason = '',
					format = $1, report_id = $2, updated_at = $3 WHERE id = $4`,
					text(o.Report.Analysis.Format), o.Report.ID, micros(now), job.PartID)
			}
			if err != nil {
				return err
			}
		}
		if err := nameArtefacts(ctx, tx, job, o); err != nil {
			return err
		}
		return setDatasheets(ctx, tx, o.Of(), o.Details)
	})
}

// unlessSucceeded is for commits: only the holder of a lease can make its job succeed under its token.
func unlessSucceeded(f service.Fence) repeat {
	return unless(func(ctx context.Context, q querier) (bool, error) {
		return scanValue[bool](q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM jobs
			WHERE id = $1 AND token = $2 AND status = 'succeeded')`, f.JobID, f.Token))
	})
}

// succeed ends a leased job.
func succeed(ctx context.Context, tx pgx.Tx, f service.Fence, o service.Outcome, now time.Time) (service.Job, error) {
	list, err := json.Marshal(append([]string{}, o.Warnings()...))
	if err != nil {
		return service.Job{}, err
	}
	job, err := record.ScanJob(one(tx.QueryRow(ctx, `UPDATE jobs SET status = 'succeeded', progress = 100,
		report_id = $3, warnings = $4, worker = '', lease_until = 0, updated_at = $5`+fenced+` RETURNING `+record.JobColumns,
		f.JobID, f.Token, o.Of(), list, micros(now))))
	if errors.Is(err, service.ErrNotFound) {
		return job, service.ErrFenced
	}
	if err == nil {
		_, err = tx.Exec(ctx, `DELETE FROM open_attempts WHERE job_id = $1 AND token = $2`, f.JobID, f.Token)
	}
	return job, err
}

// Fail implements service.Attempts.
func (s *Store) Fail(ctx context.Context, f service.Fence, why fault.Error, now time.Time) error {
	return s.inTx(ctx, unlessEnded(f, now), func(ctx context.Context, tx pgx.Tx) error {
		return fail(ctx, tx, f, why, now)
	})
}

// unlessEnded is for ending a lease without a result: whoever does it writes down when.
func unlessEnded(f service.Fence, now time.Time) repeat {
	return unless(func(ctx context.Context, q querier) (bool, error) {
		return scanValue[bool](q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM open_attempts
			WHERE job_id = $1 AND token = $2 AND ended_at = $3)`, f.JobID, f.Token, micros(now)))
	})
}

func fail(ctx context.Context, tx pgx.Tx, f service.Fence, why fault.Error, now time.Time) error {
	var partID string
	err := tx.QueryRow(ctx, `UPDATE jobs SET status = 'failed', failure_code = $3, failure_reason = $4,
		worker = '', lease_until = 0, updated_at = $5`+fenced+` RETURNING part_id`,
		f.JobID, f.Token, why.Code, text(why.Reason), micros(now)).Scan(&partID)
	if errors.Is(err, pgx.ErrNoRows) {
		return service.ErrFenced
	}
	if err != nil {
		return err
	}
	// The part is locked before it is looked whether other jobs on it wait or run: of two jobs that fail at once,
	// the second then sees that the first has ended, and a job enqueued at the same time is seen too.
	if _, err := tx.Exec(ctx, `SELECT 1 FROM parts WHERE id = $1 FOR NO KEY UPDATE`, partID); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE parts SET status = 'failed', failure_code = $2, failure_reason = $3,
		updated_at = $4 WHERE id = $1 AND status = 'processing'
		AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.part_id = $1 AND j.status IN ('queued', 'running'))`,
		partID, why.Code, text(why.Reason), micros(now))
	if err != nil {
		return err
	}
	return endAttempt(ctx, tx, f, now)
}

// Retry implements service.Attempts.
func (s *Store) Retry(ctx context.Context, f service.Fence, due, now time.Time) error {
	return s.inTx(ctx, unlessEnded(f, now), func(ctx context.Context, tx pgx.Tx) error {
		return requeue(ctx, tx, f, 0, &due, now)
	})
}

// GiveBack implements service.Attempts.
func (s *Store) GiveBack(ctx context.Context, f service.Fence, now time.Time) error {
	return s.inTx(ctx, unlessEnded(f, now), func(ctx context.Context, tx pgx.Tx) error {
		return requeue(ctx, tx, f, 1, nil, now)
	})
}

// requeue makes a running job queued again, with refund attempts not counted. It is due at the given time, or
// when it was before.
func requeue(ctx context.Context, tx pgx.Tx, f service.Fence, refund int, due *time.Time, now time.Time) error {
	var product service.ProductType
	var dueAt int64
	err := tx.QueryRow(ctx, `UPDATE jobs SET status = 'queued', progress = NULL, attempt = attempt - $3,
		worker = '', lease_until = 0, due_at = coalesce($4, due_at), updated_at = $5`+fenced+` RETURNING product, due_at`,
		f.JobID, f.Token, refund, microsOrNull(due), micros(now)).Scan(&product, &dueAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return service.ErrFenced
	}
	if err != nil {
		return err
	}
	if err := insertWake(ctx, tx, f.JobID, product, fromMicros(dueAt)); err != nil {
		return err
	}
	return endAttempt(ctx, tx, f, now)
}

func endAttempt(ctx context.Context, tx pgx.Tx, f service.Fence, now time.Time) error {
	_, err := tx.Exec(ctx, `UPDATE open_attempts SET ended_at = $3 WHERE job_id = $1 AND token = $2`,
		f.JobID, f.Token, micros(now))
	return err
}

// wrote turns a fenced update that met no row into the port's error.
func wrote(rows int64, err error) error {
	if err == nil && rows == 0 {
		return service.ErrFenced
	}
	return err
}
