package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	record "millwright/adapters/sql"
	"millwright/core/service"
)

// Enqueue implements service.Jobs.
func (s *Store) Enqueue(ctx context.Context, j service.Job, terms service.EnqueueTerms,
) (part service.Part, err error) {
	// Should the first try have taken place, the second finds the job's id taken, and part as the first left it.
	err = s.inTx(ctx, unlessThere("jobs", j.ID), func(ctx context.Context, tx pgx.Tx) error {
		part, err = record.ScanPart(one(tx.QueryRow(ctx,
			`SELECT `+record.PartColumns+` FROM parts WHERE id = $1 AND team_id = $2 AND expired_at = 0
			FOR NO KEY UPDATE`, j.PartID, j.TeamID)))
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
		part, err = record.ScanPart(one(tx.QueryRow(ctx, `UPDATE parts SET
			status = CASE status WHEN 'pending' THEN 'processing' ELSE status END,
			size_bytes = $1, job_id = $2, updated_at = $3 WHERE id = $4 RETURNING `+record.PartColumns,
			terms.SourceSize, j.ID, micros(j.CreatedAt), j.PartID)))
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
	_, err = tx.Exec(ctx, `INSERT INTO jobs (`+record.JobColumns+`)
		VALUES ($1, $2, $3, $4, $5, NULL, '', '', '', $6, $7, $8, $9, 0, 0, '', 0, 0, $10, $11, $12)`,
		j.ID, j.TeamID, j.PartID, j.Product, service.JobQueued, warnings, input, j.Class, j.Trace,
		micros(j.DueAt), micros(j.CreatedAt), micros(j.UpdatedAt))
	return unique(err)
}

// Job implements service.Jobs.
func (s *Store) Job(ctx context.Context, teamID, jobID string) (service.Job, error) {
	return readRow(ctx, s, record.ScanJob,
		`SELECT `+record.JobColumns+` FROM jobs WHERE id = $1 AND team_id = $2`, jobID, teamID)
}

func insertWake(ctx context.Context, tx pgx.Tx, jobID string, p service.ProductType, due time.Time) error {
	_, err := tx.Exec(ctx, `INSERT INTO outbox (job_id, product, due_at) VALUES ($1, $2, $3)`,
		jobID, p, micros(due))
	return err
}

// PendingWakes implements service.Outbox.
func (s *Store) PendingWakes(ctx context.Context, now time.Time, limit int) ([]service.OutboxRow, error) {
	return readRows(ctx, s, func(r record.Row) (o service.OutboxRow, err error) {
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
