package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	record "millwright/adapters/sql"
	"millwright/core/service"
)

// CreatePart implements service.Parts.
func (s *Store) CreatePart(ctx context.Context, p service.Part, pace service.Pace) error {
	return s.inTx(ctx, unlessThere("parts", p.ID), func(ctx context.Context, tx pgx.Tx) error {
		// The slot comes first: a refused request leaves no dead row behind.
		err := takeSlot(ctx, tx, p.TeamID, pace, p.CreatedAt)
		var early *service.TooSoonError
		if errors.As(err, &early) {
			return alreadyThere(ctx, tx, p.ID, early)
		}
		if err != nil {
			return err
		}
		return insertPart(ctx, tx, p)
	})
}

// alreadyThere is ErrExists when there is a part of that id, else the given error.
func alreadyThere(ctx context.Context, tx pgx.Tx, partID string, otherwise error) error {
	exists, err := scanValue[bool](tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM parts WHERE id = $1)`, partID))
	switch {
	case err != nil:
		return err
	case exists:
		return service.ErrExists
	}
	return otherwise
}

func insertPart(ctx context.Context, tx pgx.Tx, p service.Part) error {
	configs, err := json.Marshal(append([]string{}, p.CutConfigIDs...))
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO parts (`+record.PartColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
		p.ID, p.TeamID, p.FileName, p.Format, p.SizeBytes, p.Status, p.FailureCode, p.FailureReason,
		p.ProjectID, p.CurrentProgramID, p.AutoCreateProgram, p.JobID, p.ReportID,
		p.Source.Bucket, p.Source.Key, micros(p.CreatedAt), micros(p.UpdatedAt), configs, p.SourceDigest)
	return unique(err)
}

// Part implements service.Parts.
func (s *Store) Part(ctx context.Context, teamID, partID string) (service.Part, error) {
	return readRow(ctx, s, record.ScanPart,
		`SELECT `+record.PartColumns+` FROM parts WHERE id = $1 AND team_id = $2 AND expired_at = 0`, partID, teamID)
}

// Report implements service.Parts.
func (s *Store) Report(ctx context.Context, teamID, partID, jobID string) (r service.Report, err error) {
	var body []byte
	if jobID == "" {
		body, err = readRow(ctx, s, scanValue[[]byte],
			`SELECT r.body FROM parts p JOIN reports r ON r.id = p.report_id WHERE p.id = $1 AND p.team_id = $2`,
			partID, teamID)
	} else {
		body, err = readRow(ctx, s, scanValue[[]byte],
			`SELECT r.body FROM jobs j JOIN reports r ON r.id = j.report_id
			WHERE j.id = $1 AND j.part_id = $2 AND j.team_id = $3`,
			jobID, partID, teamID)
	}
	if err != nil {
		return service.Report{}, err
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return service.Report{}, fmt.Errorf("report of part %s: %w", partID, err)
	}
	return r, nil
}

func insertReport(ctx context.Context, tx pgx.Tx, r service.Report) error {
	body, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	_, err = tx.Exec(ctx,
		`INSERT INTO reports (id, team_id, part_id, job_id, body, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
		r.ID, r.TeamID, r.PartID, r.JobID, body, micros(r.CreatedAt))
	if err != nil {
		return unique(err)
	}
	return insertFeatures(ctx, tx, r)
}
