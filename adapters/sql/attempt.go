package sql

import (
	"context"
	"time"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

// fenced is the condition under which a worker may write: its lease is the job's newest and running.
const fenced = ` WHERE id = $1 AND token = $2 AND status = 'running'`

// Heartbeat implements worker.Attempts.
func (s *Store) Heartbeat(ctx context.Context, f job.FencingToken, until time.Time, progress *int, now time.Time,
) error {
	n, err := Exec(ctx, s.DB, Harmless, `UPDATE jobs SET
		lease_until = `+s.DB.Greatest("lease_until", "$3")+`, updated_at = $4,
		progress = coalesce(`+s.DB.Greatest("progress", "$5")+`, progress, $5)`+fenced,
		f.JobID, f.Token, Micros(until), Micros(now), progress)
	return met(n, err, record.ErrFenced)
}

// Commit implements worker.Attempts. Only the holder of a lease can make its job succeed under its token.
func (s *Store) Commit(ctx context.Context, f job.FencingToken, o worker.Outcome, now time.Time) error {
	succeeded := unless(`SELECT 1 FROM jobs WHERE id = $1 AND token = $2 AND status = 'succeeded'`, f.JobID, f.Token)
	return s.DB.Tx(ctx, succeeded, func(ctx context.Context, q Querier) error {
		job, err := succeed(ctx, q, f, o, now)
		if err != nil {
			return err
		}
		if _, err := One(ctx, q, Value[string], `SELECT id FROM parts WHERE id = $1 AND expired_at = 0`+
			q.Lock("KEY SHARE"), job.PartID); err != nil {
			return noneMeans(err, record.ErrFenced)
		}
		if o.Report != nil {
			if err := insertReport(ctx, q, *o.Report); err != nil {
				return err
			}
			if err := follow(ctx, q, job.PartID, o.Follow, now); err != nil {
				return err
			}
			err := change(ctx, q, `UPDATE parts SET status = 'ready', failure_code = '', failure_reason = '',
				format = $1, report_id = $2, updated_at = $3,
				warnings = (SELECT warnings FROM jobs WHERE id = $5) WHERE id = $4`,
				text(o.Report.Analysis.Format), o.Report.ID, Micros(now), job.PartID, job.ID)
			if err != nil {
				return err
			}
		}
		if err := nameArtifacts(ctx, q, job, o); err != nil {
			return err
		}
		if err := setPlan(ctx, q, job, o.Program, now); err != nil {
			return err
		}
		return setDatasheets(ctx, q, o.Of(), o.Details)
	})
}

// succeed ends a leased job.
func succeed(ctx context.Context, q Querier, f job.FencingToken, o worker.Outcome, now time.Time) (job.Job, error) {
	warnings, err := jsonText(o.Warnings())
	if err != nil {
		return job.Job{}, err
	}
	job, err := One(ctx, q, ScanJob, `UPDATE jobs SET status = 'succeeded', progress = 100, report_id = $3,
		warnings = $4, worker = '', lease_until = 0, updated_at = $5`+fenced+` RETURNING `+JobColumns,
		f.JobID, f.Token, o.Of(), warnings, Micros(now))
	if err != nil {
		return job, noneMeans(err, record.ErrFenced)
	}
	return job, change(ctx, q, `DELETE FROM open_attempts WHERE job_id = $1 AND token = $2`, f.JobID, f.Token)
}

// skipIfEnded makes the end of a lease without a result safe to repeat: a recorded end time shows that it took place.
func skipIfEnded(f job.FencingToken, now time.Time) RetryPolicy {
	return unless(`SELECT 1 FROM open_attempts WHERE job_id = $1 AND token = $2 AND ended_at = $3`,
		f.JobID, f.Token, Micros(now))
}

// Fail implements worker.Attempts.
func (s *Store) Fail(ctx context.Context, f job.FencingToken, why fault.Error, now time.Time) error {
	return s.DB.Tx(ctx, skipIfEnded(f, now), func(ctx context.Context, q Querier) error {
		return fail(ctx, q, f, why, now)
	})
}

func fail(ctx context.Context, q Querier, f job.FencingToken, why fault.Error, now time.Time) error {
	partID, err := One(ctx, q, Value[string], `UPDATE jobs SET status = 'failed', failure_code = $3,
		failure_reason = $4, judge = $6, worker = '', lease_until = 0, updated_at = $5`+fenced+` RETURNING part_id`,
		f.JobID, f.Token, why.Code, text(why.Reason), Micros(now), text(why.Judge))
	if err != nil {
		return noneMeans(err, record.ErrFenced)
	}
	if err := failPlans(ctx, q, f.JobID, string(why.Code), text(why.Reason), now); err != nil {
		return err
	}
	// The lock precedes the check for other jobs of the part. Of two jobs that fail at once, the second then sees the
	// end of the first, and the check also sees a job that is enqueued at the same time.
	if err := change(ctx, q, `SELECT 1 FROM parts WHERE id = $1`+q.Lock("NO KEY UPDATE"), partID); err != nil {
		return err
	}
	err = change(ctx, q, `UPDATE parts SET status = 'failed', failure_code = $2, failure_reason = $3,
		updated_at = $4, format = CASE WHEN $5 = '' THEN format ELSE $5 END WHERE id = $1 AND status = 'processing'
		AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.part_id = $1 AND j.status IN ('queued', 'running'))`,
		partID, why.Code, text(why.Reason), Micros(now), why.Format)
	if err != nil {
		return err
	}
	return endAttempt(ctx, q, f, now)
}

// Retry implements worker.Attempts.
func (s *Store) Retry(ctx context.Context, f job.FencingToken, due, now time.Time) error {
	return s.DB.Tx(ctx, skipIfEnded(f, now), func(ctx context.Context, q Querier) error {
		return requeue(ctx, q, f, 0, &due, now)
	})
}

// GiveBack implements worker.Attempts.
func (s *Store) GiveBack(ctx context.Context, f job.FencingToken, now time.Time) error {
	return s.DB.Tx(ctx, skipIfEnded(f, now), func(ctx context.Context, q Querier) error {
		return requeue(ctx, q, f, 1, nil, now)
	})
}

// requeue makes a running job queued again, with refund attempts not counted. It is due at the given time, or
// when it was before.
func requeue(ctx context.Context, q Querier, f job.FencingToken, refund int, due *time.Time, now time.Time) error {
	n, err := q.Exec(ctx, `UPDATE jobs SET status = 'queued', progress = NULL, attempt = attempt - $3,
		worker = '', lease_until = 0, due_at = coalesce($4, due_at), updated_at = $5`+fenced,
		f.JobID, f.Token, refund, microsOrNull(due), Micros(now))
	if err := met(n, err, record.ErrFenced); err != nil {
		return err
	}
	return endAttempt(ctx, q, f, now)
}

func endAttempt(ctx context.Context, q Querier, f job.FencingToken, now time.Time) error {
	return change(ctx, q, `UPDATE open_attempts SET ended_at = $3 WHERE job_id = $1 AND token = $2`,
		f.JobID, f.Token, Micros(now))
}

// TakeBack implements worker.Attempts. It skips rows that are locked by another reaper, or by a worker that is about to
// write. It locks all parts in one order first, since reapers may share parts with several jobs.
func (s *Store) TakeBack(ctx context.Context, now time.Time, maxAttempts int, why fault.Error, limit int,
) (taken []job.Job, err error) {
	err = s.DB.Tx(ctx, Never, func(ctx context.Context, q Querier) error {
		taken = nil
		expired, err := Collect(ctx, q, ScanJob, `SELECT `+JobColumns+` FROM jobs
			WHERE status = 'running' AND lease_until <= $1 ORDER BY lease_until, seq LIMIT $2`+
			q.Lock("NO KEY UPDATE SKIP LOCKED"), Micros(now), limit)
		if err != nil || len(expired) == 0 {
			return err
		}
		jobs, err := list(expired, func(j job.Job) []any { return []any{j.ID, j.PartID} })
		if err != nil {
			return err
		}
		err = change(ctx, q, `SELECT 1 FROM parts WHERE id IN (SELECT value ->> 1
			FROM `+q.List("$1")+` t) ORDER BY id`+q.Lock("NO KEY UPDATE"), jobs)
		if err != nil {
			return err
		}
		for _, j := range expired {
			f := job.FencingToken{JobID: j.ID, Token: j.Token}
			if j.Attempt < maxAttempts {
				err = requeue(ctx, q, f, 0, nil, now)
			} else {
				err = fail(ctx, q, f, why, now)
			}
			if err != nil {
				return err
			}
		}
		taken, err = Collect(ctx, q, ScanJob, `SELECT `+JobColumns+` FROM (
			SELECT value ->> 0 AS taken, key AS place FROM `+q.List("$1")+` t) t
			JOIN jobs ON id = taken ORDER BY place`, jobs)
		return err
	})
	if err != nil {
		return nil, err
	}
	return taken, nil
}

// LostAttempts implements worker.Attempts.
func (s *Store) LostAttempts(ctx context.Context, endedBefore time.Time, limit int,
) ([]worker.LostAttempt, error) {
	return ReadRows(ctx, s.DB, func(r Row) (a worker.LostAttempt, err error) {
		return a, r.Scan(&a.JobID, &a.Token, &a.TeamID, &a.PartID)
	}, `SELECT a.job_id, a.token, j.team_id, j.part_id FROM open_attempts a JOIN jobs j ON j.id = a.job_id
		WHERE a.ended_at > 0 AND a.ended_at < $1 ORDER BY a.ended_at, a.job_id, a.token LIMIT $2`,
		Micros(endedBefore), limit)
}

// Forget implements worker.Attempts.
func (s *Store) Forget(ctx context.Context, f job.FencingToken) error {
	_, err := Exec(ctx, s.DB, Harmless,
		`DELETE FROM open_attempts WHERE job_id = $1 AND token = $2 AND ended_at > 0`, f.JobID, f.Token)
	return err
}
