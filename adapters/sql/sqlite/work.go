package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	record "millwright/adapters/sql"
	"millwright/core/service"
)

// lanes lists the lanes by the turns of their teams, as WorkFilter.First wants them. Triggers keep the table in the
// transactions that change jobs (migrations/00007_lanes.sql).
const lanes = `SELECT team_id, product, class, due_at, running, served_at FROM lanes
	ORDER BY running, turn_at, served_at`

// leaseFirst takes the first due job of a lane.
const leaseFirst = `UPDATE jobs SET status = 'running', attempt = attempt + 1, token = token + 1,
	progress = NULL, worker = ?, leased_at = ?, lease_until = ?, updated_at = ?
	WHERE seq = (SELECT seq FROM jobs WHERE status = 'queued' AND team_id = ? AND product = ? AND class = ?
		AND due_at <= ? ORDER BY due_at, seq LIMIT 1)
	RETURNING ` + record.JobColumns

// LeaseNext implements service.Attempts. It looks without the write lock first: most calls of idle workers
// find nothing.
func (s *Store) LeaseNext(ctx context.Context, f service.WorkFilter, l service.Lease,
) (service.Job, service.Part, error) {
	var job service.Job
	var part service.Part
	if _, err := firstLane(ctx, s.read, f, l.Now); err != nil {
		return job, part, err
	}
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		lane, err := firstLane(ctx, tx, f, l.Now)
		if err != nil {
			return err
		}
		job, part, err = lease(ctx, tx, lane, l)
		return err
	})
	return job, part, err
}

// querier is what a database and a transaction share.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// firstLane finds the lane to take a job from. ErrNotAvailable: there is none.
func firstLane(ctx context.Context, q querier, f service.WorkFilter, now time.Time) (service.Lane, error) {
	rows, err := q.QueryContext(ctx, lanes)
	if err != nil {
		return service.Lane{}, err
	}
	defer func() { _ = rows.Close() }()
	lane, found := f.First(func(yield func(service.Lane) bool) {
		for rows.Next() {
			var l service.Lane
			var due, served int64
			err = rows.Scan(&l.TeamID, &l.Product, &l.Class, &due, &l.Running, &served)
			l.DueAt, l.ServedAt = fromMicros(due), fromMicros(served)
			if err != nil || !yield(l) {
				return
			}
		}
	}, now)
	if err := errors.Join(err, rows.Err()); err != nil {
		return service.Lane{}, err
	}
	if !found {
		return service.Lane{}, service.ErrNotAvailable
	}
	return lane, nil
}

func lease(ctx context.Context, tx *sql.Tx, lane service.Lane, l service.Lease) (service.Job, service.Part, error) {
	now := micros(l.Now)
	job, err := record.ScanJob(one(tx.QueryRowContext(ctx, leaseFirst, l.Worker, now, micros(l.Until), now,
		lane.TeamID, lane.Product, lane.Class, now)))
	if err != nil {
		return service.Job{}, service.Part{}, err
	}
	_, err = tx.ExecContext(ctx, `UPDATE teams SET served_at = max(served_at, ?) WHERE id = ?`, now, lane.TeamID)
	if err != nil {
		return service.Job{}, service.Part{}, err
	}
	_, err = tx.ExecContext(ctx,
		`INSERT INTO open_attempts (job_id, token, ended_at) VALUES (?, ?, 0)`, job.ID, job.Token)
	if err != nil {
		return service.Job{}, service.Part{}, err
	}
	part, err := record.ScanPart(one(tx.QueryRowContext(ctx,
		`SELECT `+record.PartColumns+` FROM parts WHERE id = ?`, job.PartID)))
	return job, part, err
}
