package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"time"

	record "millwright/adapters/sql"
	"millwright/core/service"
)

// Enqueue implements service.Jobs.
func (s *Store) Enqueue(ctx context.Context, j service.Job, terms service.EnqueueTerms,
) (service.Part, error) {
	var part service.Part
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		var err error
		part, err = record.ScanPart(one(tx.QueryRowContext(ctx,
			`SELECT `+record.PartColumns+` FROM parts WHERE id = ? AND team_id = ? AND expired_at = 0`, j.PartID, j.TeamID)))
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
		part, err = record.ScanPart(one(tx.QueryRowContext(ctx, `UPDATE parts SET
			status = CASE status WHEN 'pending' THEN 'processing' ELSE status END,
			size_bytes = ?, job_id = ?, updated_at = ? WHERE id = ? RETURNING `+record.PartColumns,
			terms.SourceSize, j.ID, micros(j.CreatedAt), j.PartID)))
		return err
	})
	return part, err
}

func insertJob(ctx context.Context, tx *sql.Tx, j service.Job) error {
	warnings, err := json.Marshal(j.Warnings)
	if err != nil {
		return err
	}
	input, err := json.Marshal(j.Input)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO jobs (`+record.JobColumns+`)
		VALUES (?, ?, ?, ?, ?, NULL, '', '', '', ?, ?, ?, ?, 0, 0, '', 0, 0, ?, ?, ?)`,
		j.ID, j.TeamID, j.PartID, j.Product, service.JobQueued, string(warnings), string(input),
		j.Class, j.Trace, micros(j.DueAt), micros(j.CreatedAt), micros(j.UpdatedAt))
	return unique(err)
}

// Job implements service.Jobs.
func (s *Store) Job(ctx context.Context, teamID, jobID string) (service.Job, error) {
	return record.ScanJob(one(s.read.QueryRowContext(ctx,
		`SELECT `+record.JobColumns+` FROM jobs WHERE id = ? AND team_id = ?`, jobID, teamID)))
}

// ListJobs implements service.Jobs.
func (s *Store) ListJobs(ctx context.Context, q service.JobQuery) ([]service.Job, int, error) {
	where, args := []string{"team_id = ?"}, []any{q.TeamID}
	for _, f := range []struct{ column, value string }{
		{"part_id", q.PartID}, {"status", string(q.Status)}, {"product", string(q.Product)},
	} {
		if f.value != "" {
			where, args = append(where, f.column+" = ?"), append(args, f.value)
		}
	}
	from := ` FROM jobs WHERE ` + strings.Join(where, " AND ")
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // the page and the total agree
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = tx.Rollback() }()
	var total int
	if err := tx.QueryRowContext(ctx, `SELECT count(*)`+from, args...).Scan(&total); err != nil {
		return nil, 0, err
	}
	rows, err := tx.QueryContext(ctx,
		`SELECT `+record.JobColumns+from+` ORDER BY created_at DESC, seq DESC LIMIT ? OFFSET ?`,
		append(args, q.PageSize, int64(q.Page-1)*int64(q.PageSize))...)
	items, err := collect(rows, err, record.ScanJob)
	return items, total, err
}

func insertWake(ctx context.Context, tx *sql.Tx, jobID string, p service.ProductType, due time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO outbox (job_id, product, due_at) VALUES (?, ?, ?)`,
		jobID, p, micros(due))
	return err
}

// PendingWakes implements service.Outbox.
func (s *Store) PendingWakes(ctx context.Context, now time.Time, limit int) ([]service.OutboxRow, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT id, job_id, product FROM outbox WHERE due_at <= ? ORDER BY due_at, id LIMIT ?`,
		micros(now), limit)
	return collect(rows, err, func(r record.Row) (o service.OutboxRow, err error) {
		return o, r.Scan(&o.ID, &o.Wake.JobID, &o.Wake.Product)
	})
}

// DeleteWakes implements service.Outbox.
func (s *Store) DeleteWakes(ctx context.Context, ids []int64) error {
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	_, err = s.exec(ctx,
		`DELETE FROM outbox WHERE id IN (SELECT value FROM json_each(?))`, string(list))
	return err
}
