package sql

import (
	"encoding/json"
	"fmt"

	"millwright/core/service"
)

// PartColumns are the columns that ScanPart reads.
const PartColumns = `id, team_id, file_name, format, size_bytes, status, failure_code, failure_reason,
	project_id, current_program_id, auto_create_program, job_id, report_id, source_bucket, source_key,
	created_at, updated_at, cut_config_ids, source_digest`

// ScanPart reads a row of its columns.
func ScanPart(r Row) (service.Part, error) {
	p := service.Part{ProgramIDs: []string{}}
	var configs []byte
	var created, updated int64
	err := r.Scan(&p.ID, &p.TeamID, &p.FileName, &p.Format, &p.SizeBytes, &p.Status, &p.FailureCode,
		&p.FailureReason, &p.ProjectID, &p.CurrentProgramID, &p.AutoCreateProgram, &p.JobID, &p.ReportID,
		&p.Source.Bucket, &p.Source.Key, &created, &updated, &configs, &p.SourceDigest)
	if err != nil {
		return service.Part{}, err
	}
	if err := json.Unmarshal(configs, &p.CutConfigIDs); err != nil {
		return service.Part{}, fmt.Errorf("cut configs of part %s: %w", p.ID, err)
	}
	p.CreatedAt, p.UpdatedAt = Time(created), Time(updated)
	return p, nil
}
