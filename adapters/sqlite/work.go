package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"millwright/core/service"
)

// lanes finds the first job of each lane by jumping along the index jobs_waiting: to the next class, else the
// next product type, else the next team. (SQLite would compare the three at once by the first of them only.)
const lanes = `
WITH RECURSIVE
	head (seq) AS (
		SELECT (SELECT seq FROM jobs WHERE status = 'queued' ORDER BY team_id, product, class, due_at, seq LIMIT 1)
		UNION ALL
		SELECT coalesce(
			(SELECT n.seq FROM jobs n WHERE n.status = 'queued' AND n.team_id = j.team_id AND n.product = j.product
				AND n.class > j.class ORDER BY n.class, n.due_at, n.seq LIMIT 1),
			(SELECT n.seq FROM jobs n WHERE n.status = 'queued' AND n.team_id = j.team_id AND n.product > j.product
				ORDER BY n.product, n.class, n.due_at, n.seq LIMIT 1),
			(SELECT n.seq FROM jobs n WHERE n.status = 'queued' AND n.team_id > j.team_id
				ORDER BY n.team_id, n.product, n.class, n.due_at, n.seq LIMIT 1))
		FROM head h JOIN jobs j ON j.seq = h.seq
	),
	busy (team_id, running) AS MATERIALIZED (
		SELECT team_id, count(*) FROM jobs WHERE status = 'running' GROUP BY team_id
	)
SELECT j.team_id, j.product, j.class, j.due_at, coalesce(b.running, 0), t.served_at
FROM head h JOIN jobs j ON j.seq = h.seq JOIN teams t ON t.id = j.team_id LEFT JOIN busy b ON b.team_id = j.team_id`

// leaseFirst takes the first due job of a lane.
const leaseFirst = `UPDATE jobs SET status = 'running', attempt = attempt + 1, token = token + 1,
	progress = NULL, worker = ?, leased_at = ?, lease_until = ?, updated_at = ?
	WHERE seq = (SELECT seq FROM jobs WHERE status = 'queued' AND team_id = ? AND product = ? AND class = ?
		AND due_at <= ? ORDER BY due_at, seq LIMIT 1)
	RETURNING ` + jobColumns

// LeaseNext implements service.Attempts. It looks without the write lock first: most calls of idle workers
// find nothing.
func (s *Store) LeaseNext(ctx context.Context, f service.WorkFilter, l service.Lease,
) (service.Job, service.Part, error) {
	var job service.Job
	var part service.Part
	if best, err := openLanes(ctx, s.read, f, l); err != nil || len(best) == 0 {
		return job, part, errors.Join(err, service.ErrNotAvailable)
	}
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		best, err := openLanes(ctx, tx, f, l)
		if err != nil {
			return err
		}
		if len(best) == 0 {
			return service.ErrNotAvailable
		}
		job, part, err = lease(ctx, tx, best[0], l)
		return err
	})
	return job, part, err
}

// querier is what a database and a transaction share.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// openLanes lists the lanes with work, the best first.
func openLanes(ctx context.Context, q querier, f service.WorkFilter, l service.Lease) ([]service.Lane, error) {
	rows, err := q.QueryContext(ctx, lanes)
	all, err := collect(rows, err, func(r row) (service.Lane, error) {
		var lane service.Lane
		var due, served int64
		err := r.Scan(&lane.TeamID, &lane.Product, &lane.Class, &due, &lane.Running, &served)
		lane.DueAt, lane.ServedAt = fromMicros(due), fromMicros(served)
		return lane, err
	})
	return f.Order(all, l.Now), err
}

func lease(ctx context.Context, tx *sql.Tx, lane service.Lane, l service.Lease) (service.Job, service.Part, error) {
	now := micros(l.Now)
	job, err := scanJob(tx.QueryRowContext(ctx, leaseFirst, l.Worker, now, micros(l.Until), now,
		lane.TeamID, lane.Product, lane.Class, now))
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
	part, err := scanPart(tx.QueryRowContext(ctx,
		`SELECT `+partColumns+` FROM parts WHERE id = ?`, job.PartID))
	return job, part, err
}
