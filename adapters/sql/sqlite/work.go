package sqlite

import (
	"context"
	"errors"

	"millwright.dev/millwright/adapters/sql"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
)

// lanes lists the lanes by the turns of their teams, as WorkFilter.First wants them. Triggers keep the table in the
// transactions that change jobs (migrations/00007_lanes.sql).
const lanes = `SELECT team_id, product, class, due_at, running, served_at FROM lanes
	ORDER BY running, turn_at, served_at`

// leaseFirst takes the first due job of a lane.
const leaseFirst = `UPDATE jobs SET status = 'running', attempt = attempt + 1, token = token + 1,
	progress = NULL, worker = $1, leased_at = $2, lease_until = $3, updated_at = $2
	WHERE seq = (SELECT seq FROM jobs WHERE status = 'queued' AND team_id = $4 AND product = $5 AND class = $6
		AND due_at <= $2 ORDER BY due_at, seq LIMIT 1)
	RETURNING ` + sql.JobColumns

// LeaseNext implements worker.Attempts. It first searches without the write lock, because most calls of idle workers
// find no job.
func (s *Store) LeaseNext(ctx context.Context, f job.WorkFilter, l job.Lease,
) (job job.Job, part part.Part, err error) {
	err = s.Read(ctx, func(ctx context.Context, q sql.Querier) error {
		_, err := firstLane(ctx, q, f, l)
		return err
	})
	if err != nil {
		return job, part, err
	}
	err = s.Tx(ctx, sql.Never, func(ctx context.Context, q sql.Querier) error {
		lane, err := firstLane(ctx, q, f, l)
		if err != nil {
			return err
		}
		job, err = sql.One(ctx, q, sql.ScanJob, leaseFirst, l.Worker, sql.Micros(l.Now), sql.Micros(l.Until),
			lane.TeamID, lane.Product, lane.Class)
		if err != nil {
			return err
		}
		part, err = sql.Serve(ctx, q, job)
		return err
	})
	return job, part, err
}

// firstLane returns the lane of the next job. The error is ErrNotAvailable if there is no lane.
func firstLane(ctx context.Context, q sql.Querier, f job.WorkFilter, l job.Lease) (job.Lane, error) {
	rows, err := q.Query(ctx, lanes)
	if err != nil {
		return job.Lane{}, err
	}
	defer rows.Close()
	lane, found := f.First(func(yield func(job.Lane) bool) {
		for rows.Next() {
			var l job.Lane
			if l, err = sql.ScanLane(rows); err != nil || !yield(l) {
				return
			}
		}
	}, l.Now)
	if err := errors.Join(err, rows.Err()); err != nil {
		return job.Lane{}, err
	}
	if !found {
		return job.Lane{}, job.ErrNotAvailable
	}
	return lane, nil
}
