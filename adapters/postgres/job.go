package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"millwright/core/service"
)

const jobColumns = `id, team_id, part_id, product, status, progress, failure_code, failure_reason, report_id,
	warnings, input, class, trace, attempt, token, worker, leased_at, lease_until, due_at, created_at, updated_at`

// Enqueue implements service.Jobs.
func (s *Store) Enqueue(ctx context.Context, j service.Job, terms service.EnqueueTerms,
) (part service.Part, err error) {
	// Should the first try have taken place, the second finds the job's id taken, and part as the first left it.
	err = s.inTx(ctx, unlessThere("jobs", j.ID), func(ctx context.Context, tx pgx.Tx) error {
		part, err = scanPart(tx.QueryRow(ctx,
			`SELECT `+partColumns+` FROM parts WHERE id = $1 AND team_id = $2 AND expired_at = 0 FOR NO KEY UPDATE`, j.PartID, j.TeamID))
		if err != nil || terms.OnlyIfPending && part.Status != service.PartPending {
			return err
		}
		if err := insertJob(ctx, tx, j); err != nil {
			return err
		}
		if err := insertWake(ctx, tx, j.ID, j.Product, j.DueAt); err != nil {
			return err
		}
		if terms.MeterTo != "" {
			if err := insertUsage(ctx, tx, j, terms.MeterTo); err != nil {
				return err
			}
		}
		part, err = scanPart(tx.QueryRow(ctx, `UPDATE parts SET
			status = CASE status WHEN 'pending' THEN 'processing' ELSE status END,
			size_bytes = $1, job_id = $2, updated_at = $3 WHERE id = $4 RETURNING `+partColumns,
			terms.SourceSize, j.ID, micros(j.CreatedAt), j.PartID))
		return err
	})
	return part, err
}

func insertJob(ctx context.Context, tx pgx.Tx, j service.Job) error {
	warnings, err := json.Marshal(j.Warnings)
	if err != nil {
		return err
	}
	input, err := json.Marshal(j.Input)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO jobs (`+jobColumns+`)
		VALUES ($1, $2, $3, $4, $5, NULL, '', '', '', $6, $7, $8, $9, 0, 0, '', 0, 0, $10, $11, $12)`,
		j.ID, j.TeamID, j.PartID, j.Product, service.JobQueued, warnings, input, j.Class, j.Trace,
		micros(j.DueAt), micros(j.CreatedAt), micros(j.UpdatedAt))
	return unique(err)
}

// Job implements service.Jobs.
func (s *Store) Job(ctx context.Context, teamID, jobID string) (service.Job, error) {
	return readRow(ctx, s, scanJob,
		`SELECT `+jobColumns+` FROM jobs WHERE id = $1 AND team_id = $2`, jobID, teamID)
}

func scanJob(r pgx.Row) (service.Job, error) {
	var j service.Job
	var warnings, input []byte
	var leased, lease, due, created, updated int64
	err := r.Scan(&j.ID, &j.TeamID, &j.PartID, &j.Product, &j.Status, &j.Progress, &j.FailureCode,
		&j.FailureReason, &j.ReportID, &warnings, &input, &j.Class, &j.Trace, &j.Attempt, &j.Token, &j.Worker,
		&leased, &lease, &due, &created, &updated)
	if err != nil {
		return service.Job{}, found(err)
	}
	if err := json.Unmarshal(warnings, &j.Warnings); err != nil {
		return service.Job{}, fmt.Errorf("job %s: warnings: %w", j.ID, err)
	}
	if err := json.Unmarshal(input, &j.Input); err != nil {
		return service.Job{}, fmt.Errorf("job %s: input: %w", j.ID, err)
	}
	j.LeasedAt, j.LeaseUntil, j.DueAt = fromMicros(leased), fromMicros(lease), fromMicros(due)
	j.CreatedAt, j.UpdatedAt = fromMicros(created), fromMicros(updated)
	return j, nil
}

func insertWake(ctx context.Context, tx pgx.Tx, jobID string, p service.ProductType, due time.Time) error {
	_, err := tx.Exec(ctx, `INSERT INTO outbox (job_id, product, due_at) VALUES ($1, $2, $3)`,
		jobID, p, micros(due))
	return err
}

// PendingWakes implements service.Outbox.
func (s *Store) PendingWakes(ctx context.Context, now time.Time, limit int) ([]service.OutboxRow, error) {
	return readRows(ctx, s, func(r pgx.Row) (o service.OutboxRow, err error) {
		return o, r.Scan(&o.ID, &o.Wake.JobID, &o.Wake.Product)
	}, `SELECT id, job_id, product FROM outbox WHERE due_at <= $1 ORDER BY due_at, id LIMIT $2`, micros(now), limit)
}

// DeleteWakes implements service.Outbox.
func (s *Store) DeleteWakes(ctx context.Context, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	// In the order of ids: two relays that delete the same rows do not wait for each other.
	_, err := s.exec(ctx, harmless, `DELETE FROM outbox WHERE id = ANY(ARRAY(
		SELECT id FROM outbox WHERE id = ANY($1) ORDER BY id FOR UPDATE SKIP LOCKED))`, ids)
	return err
}
