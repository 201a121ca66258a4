package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"millwright/core/service"
)

const partColumns = `id, team_id, file_name, format, size_bytes, status, failure_code, failure_reason,
	project_id, current_program_id, auto_create_program, job_id, report_id, source_bucket, source_key,
	created_at, updated_at, cut_config_ids`

// CreatePart implements service.Parts.
func (s *Store) CreatePart(ctx context.Context, p service.Part, pace service.Pace) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		if err := insertPart(ctx, tx, p); err != nil {
			return err
		}
		return takeSlot(ctx, tx, p.TeamID, pace, p.CreatedAt)
	})
}

func insertPart(ctx context.Context, tx *sql.Tx, p service.Part) error {
	size := sql.NullInt64{}
	if p.SizeBytes != nil {
		size = sql.NullInt64{Int64: *p.SizeBytes, Valid: true}
	}
	configs, err := json.Marshal(append([]string{}, p.CutConfigIDs...))
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx,
		`INSERT INTO parts (`+partColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		p.ID, p.TeamID, p.FileName, p.Format, size, p.Status, p.FailureCode, p.FailureReason,
		p.ProjectID, p.CurrentProgramID, p.AutoCreateProgram, p.JobID, p.ReportID,
		p.Source.Bucket, p.Source.Key, micros(p.CreatedAt), micros(p.UpdatedAt), string(configs))
	return unique(err)
}

// Part implements service.Parts.
func (s *Store) Part(ctx context.Context, teamID, partID string) (service.Part, error) {
	return scanPart(s.read.QueryRowContext(ctx,
		`SELECT `+partColumns+` FROM parts WHERE id = ? AND team_id = ? AND expired_at = 0`, partID, teamID))
}

func scanPart(r row) (service.Part, error) {
	p := service.Part{ProgramIDs: []string{}}
	var configs string
	var size sql.NullInt64
	var created, updated int64
	err := r.Scan(&p.ID, &p.TeamID, &p.FileName, &p.Format, &size, &p.Status, &p.FailureCode, &p.FailureReason,
		&p.ProjectID, &p.CurrentProgramID, &p.AutoCreateProgram, &p.JobID, &p.ReportID,
		&p.Source.Bucket, &p.Source.Key, &created, &updated, &configs)
	if err != nil {
		return service.Part{}, found(err)
	}
	if err := json.Unmarshal([]byte(configs), &p.CutConfigIDs); err != nil {
		return service.Part{}, fmt.Errorf("cut configs of part %s: %w", p.ID, err)
	}
	if size.Valid {
		p.SizeBytes = &size.Int64
	}
	p.CreatedAt, p.UpdatedAt = fromMicros(created), fromMicros(updated)
	return p, nil
}

// Report implements service.Parts.
func (s *Store) Report(ctx context.Context, teamID, partID, jobID string) (service.Report, error) {
	var body []byte
	var err error
	if jobID == "" {
		err = s.read.QueryRowContext(ctx,
			`SELECT r.body FROM parts p JOIN reports r ON r.id = p.report_id WHERE p.id = ? AND p.team_id = ?`,
			partID, teamID).Scan(&body)
	} else {
		err = s.read.QueryRowContext(ctx,
			`SELECT r.body FROM jobs j JOIN reports r ON r.id = j.report_id
			WHERE j.id = ? AND j.part_id = ? AND j.team_id = ?`,
			jobID, partID, teamID).Scan(&body)
	}
	if err != nil {
		return service.Report{}, found(err)
	}
	var r service.Report
	if err := json.Unmarshal(body, &r); err != nil {
		return service.Report{}, fmt.Errorf("report of part %s: %w", partID, err)
	}
	return r, nil
}

func insertReport(ctx context.Context, tx *sql.Tx, r service.Report) error {
	body, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	_, err = tx.ExecContext(ctx,
		`INSERT INTO reports (id, team_id, part_id, job_id, body, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
		r.ID, r.TeamID, r.PartID, r.JobID, body, micros(r.CreatedAt))
	if err != nil {
		return unique(err)
	}
	return insertFeatures(ctx, tx, r)
}
