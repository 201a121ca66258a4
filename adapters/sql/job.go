package sql

import (
	"encoding/json"
	"fmt"

	"millwright/core/service"
)

// JobColumns are the columns that ScanJob reads.
const JobColumns = `id, team_id, part_id, product, status, progress, failure_code, failure_reason, report_id,
	warnings, input, class, trace, attempt, token, worker, leased_at, lease_until, due_at, created_at, updated_at`

// ScanJob reads a row of its columns.
func ScanJob(r Row) (service.Job, error) {
	var j service.Job
	var warnings, input []byte
	var leased, lease, due, created, updated int64
	err := r.Scan(&j.ID, &j.TeamID, &j.PartID, &j.Product, &j.Status, &j.Progress, &j.FailureCode,
		&j.FailureReason, &j.ReportID, &warnings, &input, &j.Class, &j.Trace, &j.Attempt, &j.Token, &j.Worker,
		&leased, &lease, &due, &created, &updated)
	if err != nil {
		return service.Job{}, err
	}
	if err := json.Unmarshal(warnings, &j.Warnings); err != nil {
		return service.Job{}, fmt.Errorf("job %s: warnings: %w", j.ID, err)
	}
	if err := json.Unmarshal(input, &j.Input); err != nil {
		return service.Job{}, fmt.Errorf("job %s: input: %w", j.ID, err)
	}
	j.LeasedAt, j.LeaseUntil, j.DueAt = Time(leased), Time(lease), Time(due)
	j.CreatedAt, j.UpdatedAt = Time(created), Time(updated)
	return j, nil
}
