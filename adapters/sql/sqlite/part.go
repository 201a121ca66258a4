package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	record "millwright/adapters/sql"
	"millwright/core/service"
)

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
	configs, err := json.Marshal(append([]string{}, p.CutConfigIDs...))
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx,
		`INSERT INTO parts (`+record.PartColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		p.ID, p.TeamID, p.FileName, p.Format, p.SizeBytes, p.Status, p.FailureCode, p.FailureReason,
		p.ProjectID, p.CurrentProgramID, p.AutoCreateProgram, p.JobID, p.ReportID,
		p.Source.Bucket, p.Source.Key, micros(p.CreatedAt), micros(p.UpdatedAt), string(configs), p.SourceDigest)
	return unique(err)
}

// Part implements service.Parts.
func (s *Store) Part(ctx context.Context, teamID, partID string) (service.Part, error) {
	return record.ScanPart(one(s.read.QueryRowContext(ctx,
		`SELECT `+record.PartColumns+` FROM parts WHERE id = ? AND team_id = ? AND expired_at = 0`, partID, teamID)))
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
