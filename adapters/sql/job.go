package sql

import (
	"context"
	"encoding/json"
	"fmt"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
)

// JobColumns are the columns that ScanJob reads.
const JobColumns = `id, team_id, part_id, product, status, progress, failure_code, failure_reason, report_id,
	warnings, input, class, trace, attempt, token, worker, leased_at, lease_until, due_at, created_at, updated_at`

// ScanJob reads a row of its columns.
func ScanJob(r Row) (job.Job, error) {
	var j job.Job
	var warnings, input []byte
	var leased, lease, due, created, updated int64
	err := r.Scan(&j.ID, &j.TeamID, &j.PartID, &j.Product, &j.Status, &j.Progress, &j.FailureCode,
		&j.FailureReason, &j.ReportID, &warnings, &input, &j.Class, &j.Trace, &j.Attempt, &j.Token, &j.Worker,
		&leased, &lease, &due, &created, &updated)
	if err != nil {
		return job.Job{}, err
	}
	if err := json.Unmarshal(warnings, &j.Warnings); err != nil {
		return job.Job{}, fmt.Errorf("job %s: warnings: %w", j.ID, err)
	}
	if err := json.Unmarshal(input, &j.Input); err != nil {
		return job.Job{}, fmt.Errorf("job %s: input: %w", j.ID, err)
	}
	j.LeasedAt, j.LeaseUntil, j.DueAt = Time(leased), Time(lease), Time(due)
	j.CreatedAt, j.UpdatedAt = Time(created), Time(updated)
	return j, nil
}

// Enqueue implements part.Store. Should the first try have taken place, the second finds the job's id taken, and
// part as the first left it.
func (s *Store) Enqueue(ctx context.Context, j job.Job, terms part.EnqueueOptions,
) (p part.Part, err error) {
	err = s.DB.Tx(ctx, unlessThere("jobs", j.ID), func(ctx context.Context, q Querier) error {
		if err := lockQuota(ctx, q, j.TeamID, terms.Quota); err != nil {
			return err
		}
		p, err = One(ctx, q, ScanPart, `SELECT `+PartColumns+` FROM parts
			WHERE id = $1 AND team_id = $2 AND expired_at = 0`+q.Lock("NO KEY UPDATE"), j.PartID, j.TeamID)
		if err != nil || terms.OnlyIfPending && p.Status != part.Pending {
			return err
		}
		more := account.Held{Queued: 1, Bytes: 1} // results have at least one byte
		if p.SizeBytes == nil {
			more.Bytes = max(1, terms.SourceSize)
		}
		if err := allow(ctx, q, j.TeamID, terms.Quota, more); err != nil {
			return unlessMade(ctx, q, "jobs", j.ID, err)
		}
		if err := insertJob(ctx, q, j); err != nil {
			return err
		}
		if terms.MeterTo != "" {
			if err := insertUsage(ctx, q, j, terms.MeterTo); err != nil {
				return err
			}
		}
		p, err = One(ctx, q, ScanPart, `UPDATE parts SET
			status = CASE status WHEN 'pending' THEN 'processing' ELSE status END,
			size_bytes = $1, job_id = $2, updated_at = $3 WHERE id = $4 RETURNING `+PartColumns,
			terms.SourceSize, j.ID, Micros(j.CreatedAt), j.PartID)
		return err
	})
	return p, err
}

func insertJob(ctx context.Context, q Querier, j job.Job) error {
	warnings, err := jsonText(j.Warnings)
	if err != nil {
		return err
	}
	input, err := jsonText(j.Input)
	if err != nil {
		return err
	}
	return change(ctx, q, `INSERT INTO jobs (`+JobColumns+`)
		VALUES ($1, $2, $3, $4, $5, NULL, '', '', '', $6, $7, $8, $9, 0, 0, '', 0, 0, $10, $11, $12)`,
		j.ID, j.TeamID, j.PartID, j.Product, job.Queued, warnings, input, j.Class, j.Trace,
		Micros(j.DueAt), Micros(j.CreatedAt), Micros(j.UpdatedAt))
}

// JudgedJob implements part.Store.
func (s *Store) JudgedJob(ctx context.Context, teamID, partID string, judges []string) (job.Job, error) {
	names, err := ids(judges)
	if err != nil {
		return job.Job{}, err
	}
	return ReadRow(ctx, s.DB, ScanJob, `SELECT `+JobColumns+` FROM jobs WHERE part_id = $1 AND team_id = $2
		AND status = 'failed' AND judge IN (SELECT value ->> 0 FROM `+s.DB.List("$3")+` judges)
		ORDER BY created_at DESC, seq DESC LIMIT 1`, partID, teamID, names)
}

// Job implements job.Store.
func (s *Store) Job(ctx context.Context, teamID, jobID string) (job.Job, error) {
	return ReadRow(ctx, s.DB, ScanJob,
		`SELECT `+JobColumns+` FROM jobs WHERE id = $1 AND team_id = $2`, jobID, teamID)
}
