package postgres

import (
	"context"
	"errors"

	"millwright.dev/millwright/adapters/sql"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
)

// lanes finds the first job of each lane by jumping along the index jobs_waiting, one lookup for each lane.
const lanes = `
WITH RECURSIVE
	head AS (
		(SELECT team_id, product, class, due_at FROM jobs WHERE status = 'queued'
			ORDER BY team_id, product, class, due_at, seq LIMIT 1)
		UNION ALL
		SELECT n.team_id, n.product, n.class, n.due_at FROM head h CROSS JOIN LATERAL (
			SELECT team_id, product, class, due_at FROM jobs
			WHERE status = 'queued' AND (team_id, product, class) > (h.team_id, h.product, h.class)
			ORDER BY team_id, product, class, due_at, seq LIMIT 1) n
	),
	busy AS MATERIALIZED (
		SELECT team_id, count(*) AS running FROM jobs WHERE status = 'running' GROUP BY team_id
	)
SELECT h.team_id, h.product, h.class, h.due_at, coalesce(b.running, 0), t.served_at
FROM head h JOIN teams t ON t.id = h.team_id LEFT JOIN busy b ON b.team_id = h.team_id`

// leaseFirst takes the first due job of a lane, whose team it locks. The reaction to an existing lock goes between its
// two parts. Only this statement locks teams, and before all other rows.
var leaseFirst = [2]string{`WITH team AS (SELECT id FROM teams WHERE id = $4 FOR NO KEY UPDATE `, `),
	first AS (
		SELECT seq FROM jobs WHERE EXISTS (SELECT 1 FROM team) AND status = 'queued'
			AND team_id = $4 AND product = $5 AND class = $6 AND due_at <= $2
			ORDER BY due_at, seq LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
	)
	UPDATE jobs SET status = 'running', attempt = attempt + 1, token = token + 1, progress = NULL,
		worker = $1, leased_at = $2, lease_until = $3, updated_at = $2
	FROM first WHERE jobs.seq = first.seq RETURNING ` + sql.JobColumns}

// LeaseNext implements worker.Attempts. It reads lanes without locks. While other teams have work, it skips a team that
// another call is serving, so that concurrent calls serve different teams. After a try with an unknown outcome, the
// next try first looks for a lease of this worker with this time.
func (s *Store) LeaseNext(ctx context.Context, f job.WorkFilter, l job.Lease,
) (j job.Job, part part.Part, err error) {
	all, err := sql.ReadRows(ctx, s, sql.ScanLane, lanes)
	best := f.Order(all, l.Now)
	if err != nil || len(best) == 0 {
		return j, part, errors.Join(err, job.ErrNotAvailable)
	}
	tries := 0
	err = s.Tx(ctx, sql.Harmless, func(ctx context.Context, q sql.Querier) error {
		if tries++; tries > 1 {
			if j, part, err = leaseOf(ctx, q, l); !errors.Is(err, record.ErrNotFound) {
				return err
			}
		}
		if j, err = leaseBest(ctx, q, best, l); err != nil {
			return err
		}
		part, err = sql.Serve(ctx, q, j)
		return err
	})
	return j, part, err
}

// leaseOf finds the job that a lease was given.
func leaseOf(ctx context.Context, q sql.Querier, l job.Lease) (job.Job, part.Part, error) {
	job, err := sql.One(ctx, q, sql.ScanJob, `SELECT `+sql.JobColumns+` FROM jobs
		WHERE status = 'running' AND worker = $1 AND leased_at = $2`, l.Worker, sql.Micros(l.Now))
	if err != nil {
		return job, part.Part{}, err
	}
	part, err := sql.PartOf(ctx, q, job)
	return job, part, err
}

// leaseBest takes the first job that it can lease, preferably of a team that no other call is serving.
func leaseBest(ctx context.Context, q sql.Querier, best []job.Lane, l job.Lease) (job.Job, error) {
	for _, wait := range []string{"SKIP LOCKED", ""} {
		for _, lane := range best {
			job, err := sql.One(ctx, q, sql.ScanJob, leaseFirst[0]+wait+leaseFirst[1],
				l.Worker, sql.Micros(l.Now), sql.Micros(l.Until), lane.TeamID, lane.Product, lane.Class)
			if !errors.Is(err, record.ErrNotFound) {
				return job, err
			}
		}
	}
	return job.Job{}, job.ErrNotAvailable
}
