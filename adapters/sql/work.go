package sql

import (
	"context"

	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
)

// Serve notes the lease of a job that was just made running, and returns its part.
func Serve(ctx context.Context, q Querier, j job.Job) (part.Part, error) {
	err := change(ctx, q, `UPDATE teams SET served_at = `+q.Greatest("served_at", "$2")+` WHERE id = $1`,
		j.TeamID, Micros(j.LeasedAt))
	if err == nil {
		err = change(ctx, q, `INSERT INTO open_attempts (job_id, token, ended_at) VALUES ($1, $2, 0)`, j.ID, j.Token)
	}
	if err != nil {
		return part.Part{}, err
	}
	return PartOf(ctx, q, j)
}

// PartOf reads the part of a job.
func PartOf(ctx context.Context, q Querier, j job.Job) (part.Part, error) {
	return One(ctx, q, ScanPart, `SELECT `+PartColumns+` FROM parts WHERE id = $1`, j.PartID)
}

// ScanLane reads a lane's team, product, class, first due time, running jobs, and when its team was served.
func ScanLane(r Row) (lane job.Lane, err error) {
	var due, served int64
	err = r.Scan(&lane.TeamID, &lane.Product, &lane.Class, &due, &lane.Running, &served)
	lane.DueAt, lane.ServedAt = Time(due), Time(served)
	return lane, err
}
