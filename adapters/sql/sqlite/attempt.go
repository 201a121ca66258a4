package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	record "millwright/adapters/sql"
	"millwright/core/fault"
	"millwright/core/service"
)

// fenced is the condition under which a worker may write: its lease is the job's newest and running.
const fenced = ` WHERE id = ? AND token = ? AND status = 'running'`

// Heartbeat implements service.Attempts.
func (s *Store) Heartbeat(ctx context.Context, f service.Fence, until time.Time, progress *int, now time.Time,
) error {
	done, err := s.exec(ctx, `UPDATE jobs SET lease_until = max(lease_until, ?), updated_at = ?,
		progress = coalesce(max(progress, ?), progress, ?)`+fenced,
		micros(until), micros(now), progress, progress, f.JobID, f.Token)
	return wrote(done, err)
}

// HoldsLease implements service.Attempts.
func (s *Store) HoldsLease(ctx context.Context, f service.Fence) (bool, error) {
	var n int
	err := s.read.QueryRowContext(ctx, `SELECT count(*) FROM jobs`+fenced, f.JobID, f.Token).Scan(&n)
	return n == 1, err
}

// Commit implements service.Attempts.
func (s *Store) Commit(ctx context.Context, f service.Fence, o service.Outcome, now time.Time) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		job, err := succeed(ctx, tx, f, o, now)
		if err != nil {
			return err
		}
		if o.Report != nil {
			err := insertReport(ctx, tx, *o.Report)
			if err == nil {
				_, err = tx.ExecContext(ctx, `UPDATE parts SET status = 'ready', failure_code = '', failure_reason = '',
					format = ?, report_id = ?, updated_at = ? WHERE id = ?`,
					o.Report.Analysis.Format, o.Report.ID, micros(now), job.PartID)
			}
			if err != nil {
				return err
			}
		}
		if err := setDatasheets(ctx, tx, o.Of(), o.Details); err != nil {
			return err
		}
		return nameArtefacts(ctx, tx, job, o)
	})
}

// succeed ends a leased job.
func succeed(ctx context.Context, tx *sql.Tx, f service.Fence, o service.Outcome, now time.Time) (service.Job, error) {
	list, err := json.Marshal(append([]string{}, o.Warnings()...))
	if err != nil {
		return service.Job{}, err
	}
	job, err := record.ScanJob(one(tx.QueryRowContext(ctx, `UPDATE jobs SET status = 'succeeded', progress = 100,
		report_id = ?, warnings = ?, worker = '', lease_until = 0, updated_at = ?`+fenced+` RETURNING `+record.JobColumns,
		o.Of(), string(list), micros(now), f.JobID, f.Token)))
	if errors.Is(err, service.ErrNotFound) {
		return job, service.ErrFenced
	}
	if err == nil {
		_, err = tx.ExecContext(ctx,
			`DELETE FROM open_attempts WHERE job_id = ? AND token = ?`, f.JobID, f.Token)
	}
	return job, err
}

// Fail implements service.Attempts.
func (s *Store) Fail(ctx context.Context, f service.Fence, why fault.Error, now time.Time) error {
	return s.inTx(ctx, func(tx *sql.Tx) error { return fail(ctx, tx, f, why, now) })
}

func fail(ctx context.Context, tx *sql.Tx, f service.Fence, why fault.Error, now time.Time) error {
	done, err := tx.ExecContext(ctx, `UPDATE jobs SET status = 'failed', failure_code = ?, failure_reason = ?,
		worker = '', lease_until = 0, updated_at = ?`+fenced,
		why.Code, why.Reason, micros(now), f.JobID, f.Token)
	if err := wrote(done, err); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE parts SET status = 'failed', failure_code = ?, failure_reason = ?,
		updated_at = ? WHERE id = (SELECT part_id FROM jobs WHERE id = ?) AND status = 'processing'
		AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.part_id = parts.id AND j.status IN ('queued', 'running'))`,
		why.Code, why.Reason, micros(now), f.JobID)
	if err != nil {
		return err
	}
	return endAttempt(ctx, tx, f, now)
}

// Retry implements service.Attempts.
func (s *Store) Retry(ctx context.Context, f service.Fence, due, now time.Time) error {
	return s.inTx(ctx, func(tx *sql.Tx) error { return requeue(ctx, tx, f, 0, &due, now) })
}

// GiveBack implements service.Attempts.
func (s *Store) GiveBack(ctx context.Context, f service.Fence, now time.Time) error {
	return s.inTx(ctx, func(tx *sql.Tx) error { return requeue(ctx, tx, f, 1, nil, now) })
}

// requeue makes a running job queued again, with refund attempts not counted. It is due at the given time, or
// when it was before.
func requeue(ctx context.Context, tx *sql.Tx, f service.Fence, refund int, due *time.Time, now time.Time) error {
	var product service.ProductType
	var dueAt int64
	err := tx.QueryRowContext(ctx, `UPDATE jobs SET status = 'queued', progress = NULL, attempt = attempt - ?,
		worker = '', lease_until = 0, due_at = coalesce(?, due_at), updated_at = ?`+fenced+` RETURNING product, due_at`,
		refund, microsOrNull(due), micros(now), f.JobID, f.Token).Scan(&product, &dueAt)
	if errors.Is(err, sql.ErrNoRows) {
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

func endAttempt(ctx context.Context, tx *sql.Tx, f service.Fence, now time.Time) error {
	_, err := tx.ExecContext(ctx, `UPDATE open_attempts SET ended_at = ? WHERE job_id = ? AND token = ?`,
		micros(now), f.JobID, f.Token)
	return err
}

// TakeBack implements service.Attempts.
func (s *Store) TakeBack(ctx context.Context, now time.Time, maxAttempts int, why fault.Error, limit int,
) ([]service.Job, error) {
	var taken []service.Job
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT `+record.JobColumns+` FROM jobs
			WHERE status = 'running' AND lease_until <= ? ORDER BY lease_until, seq LIMIT ?`,
			micros(now), limit)
		expired, err := collect(rows, err, record.ScanJob)
		if err != nil {
			return err
		}
		for _, j := range expired {
			f := service.Fence{JobID: j.ID, Token: j.Token}
			if j.Attempt < maxAttempts {
				err = requeue(ctx, tx, f, 0, nil, now)
			} else {
				err = fail(ctx, tx, f, why, now)
			}
			if err != nil {
				return err
			}
			j, err = record.ScanJob(one(tx.QueryRowContext(ctx, `SELECT `+record.JobColumns+` FROM jobs WHERE id = ?`, j.ID)))
			if err != nil {
				return err
			}
			taken = append(taken, j)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return taken, nil
}

// LostAttempts implements service.Attempts.
func (s *Store) LostAttempts(ctx context.Context, endedBefore time.Time, limit int,
) ([]service.LostAttempt, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT a.job_id, a.token, j.team_id, j.part_id
		FROM open_attempts a JOIN jobs j ON j.id = a.job_id
		WHERE a.ended_at > 0 AND a.ended_at < ? ORDER BY a.ended_at, a.job_id, a.token LIMIT ?`,
		micros(endedBefore), limit)
	return collect(rows, err, func(r record.Row) (a service.LostAttempt, err error) {
		return a, r.Scan(&a.JobID, &a.Token, &a.TeamID, &a.PartID)
	})
}

// Forget implements service.Attempts.
func (s *Store) Forget(ctx context.Context, f service.Fence) error {
	_, err := s.exec(ctx,
		`DELETE FROM open_attempts WHERE job_id = ? AND token = ? AND ended_at > 0`, f.JobID, f.Token)
	return err
}

// wrote turns a fenced update that met no row into the port's error.
func wrote(done sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := done.RowsAffected()
	if err != nil {
		return fmt.Errorf("rows affected: %w", err)
	}
	if n == 0 {
		return service.ErrFenced
	}
	return nil
}
