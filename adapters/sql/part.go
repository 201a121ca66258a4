package sql

import (
	"context"
	"encoding/json"
	"fmt"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/part"
)

// PartColumns are the columns that ScanPart reads.
const PartColumns = `id, team_id, file_name, format, size_bytes, status, failure_code, failure_reason,
	project_id, current_program_id, auto_create_program, job_id, report_id, source_bucket, source_key,
	created_at, updated_at, cut_config_ids, source_digest, warnings, program_ids`

// ScanPart reads a row of its columns.
func ScanPart(r Row) (part.Part, error) {
	var p part.Part
	var configs, warnings, programs []byte
	var created, updated int64
	err := r.Scan(&p.ID, &p.TeamID, &p.FileName, &p.Format, &p.SizeBytes, &p.Status, &p.FailureCode,
		&p.FailureReason, &p.ProjectID, &p.CurrentProgramID, &p.AutoCreateProgram, &p.JobID, &p.ReportID,
		&p.Source.Bucket, &p.Source.Key, &created, &updated, &configs, &p.SourceDigest,
		&warnings, &programs)
	if err != nil {
		return part.Part{}, err
	}
	if err := json.Unmarshal(configs, &p.CutConfigIDs); err != nil {
		return part.Part{}, fmt.Errorf("cut configs of part %s: %w", p.ID, err)
	}
	if err := json.Unmarshal(warnings, &p.Warnings); err != nil {
		return part.Part{}, fmt.Errorf("warnings of part %s: %w", p.ID, err)
	}
	if err := json.Unmarshal(programs, &p.ProgramIDs); err != nil {
		return part.Part{}, fmt.Errorf("programs of part %s: %w", p.ID, err)
	}
	p.CreatedAt, p.UpdatedAt = Time(created), Time(updated)
	return p, nil
}

// CreatePart implements part.Store. The slot comes first: a refused request leaves no dead row behind.
func (s *Store) CreatePart(ctx context.Context, p part.Part, terms part.CreateTerms) error {
	return s.DB.Tx(ctx, unlessThere("parts", p.ID), func(ctx context.Context, q Querier) error {
		err := takeSlot(ctx, q, p.TeamID, terms.RateLimit, p.CreatedAt)
		if err == nil {
			err = lockQuota(ctx, q, p.TeamID, terms.Quota)
		}
		if err == nil { // its file will have one byte at least
			err = allow(ctx, q, p.TeamID, terms.Quota, account.Held{Bytes: 1})
		}
		if err != nil {
			return unlessMade(ctx, q, "parts", p.ID, err)
		}
		return insertPart(ctx, q, p)
	})
}

func insertPart(ctx context.Context, q Querier, p part.Part) error {
	configs, err := jsonText(append([]string{}, p.CutConfigIDs...))
	if err != nil {
		return err
	}
	warnings, err := jsonText(append([]fault.Warning{}, p.Warnings...))
	if err != nil {
		return err
	}
	programs, err := jsonText(append([]string{}, p.ProgramIDs...))
	if err != nil {
		return err
	}
	return change(ctx, q, `INSERT INTO parts (`+PartColumns+`, folded_name)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)`,
		p.ID, p.TeamID, p.FileName, p.Format, p.SizeBytes, p.Status, p.FailureCode, p.FailureReason,
		p.ProjectID, p.CurrentProgramID, p.AutoCreateProgram, p.JobID, p.ReportID,
		p.Source.Bucket, p.Source.Key, Micros(p.CreatedAt), Micros(p.UpdatedAt), configs, p.SourceDigest,
		warnings, programs, part.FoldCase(p.FileName))
}

// Part implements part.Store.
func (s *Store) Part(ctx context.Context, teamID, partID string) (part.Part, error) {
	return ReadRow(ctx, s.DB, ScanPart,
		`SELECT `+PartColumns+` FROM parts WHERE id = $1 AND team_id = $2 AND expired_at = 0`, partID, teamID)
}

// ListParts implements part.Store.
func (s *Store) ListParts(ctx context.Context, q part.Query) (items []part.Part, total int, err error) {
	where, args := `team_id = $1 AND expired_at = 0`, []any{q.TeamID}
	and := func(condition, value string) {
		if value != "" {
			args = append(args, value)
			where += fmt.Sprintf(" AND "+condition, len(args))
		}
	}
	and(`status = $%d`, string(q.Status))
	and(`project_id = $%d`, q.ProjectID)
	and(s.DB.Position("folded_name", "$%d")+` > 0`, text(part.FoldCase(q.Name)))
	err = s.DB.Snapshot(ctx, func(ctx context.Context, on Querier) error {
		total, err = One(ctx, on, Value[int], `SELECT count(*) FROM parts WHERE `+where, args...)
		if err != nil {
			return err
		}
		items, err = Collect(ctx, on, ScanPart, fmt.Sprintf(`SELECT `+PartColumns+` FROM parts WHERE `+where+
			` ORDER BY created_at DESC, id DESC LIMIT $%d OFFSET $%d`, len(args)+1, len(args)+2),
			append(args[:len(args):len(args)], q.PageSize, q.Offset())...)
		return err
	})
	return items, total, err
}

// UpdatePart implements part.Store.
func (s *Store) UpdatePart(ctx context.Context, teamID, partID string, edit func(*part.Part) error,
) (p part.Part, err error) {
	err = s.DB.Tx(ctx, Harmless, func(ctx context.Context, q Querier) error {
		p, err = One(ctx, q, ScanPart, `SELECT `+PartColumns+` FROM parts
			WHERE id = $1 AND team_id = $2 AND expired_at = 0`+q.Lock("NO KEY UPDATE"), partID, teamID)
		if err != nil {
			return err
		}
		if err := edit(&p); err != nil {
			return err
		}
		return change(ctx, q, `UPDATE parts SET file_name = $2, folded_name = $3, project_id = $4, updated_at = $5
			WHERE id = $1`, partID, p.FileName, part.FoldCase(p.FileName), p.ProjectID, Micros(p.UpdatedAt))
	})
	return p, err
}

// Report implements part.Store.
func (s *Store) Report(ctx context.Context, teamID, partID, jobID string) (r part.AnalysisReport, err error) {
	query, args := `SELECT r.body FROM parts p JOIN reports r ON r.id = p.report_id
		WHERE p.id = $1 AND p.team_id = $2`, []any{partID, teamID}
	if jobID != "" {
		query = `SELECT r.body FROM jobs j JOIN reports r ON r.id = j.report_id
			WHERE j.part_id = $1 AND j.team_id = $2 AND j.id = $3`
		args = append(args, jobID)
	}
	return s.readReport(ctx, query, args...)
}

// ReportByID implements part.Store.
func (s *Store) ReportByID(ctx context.Context, teamID, reportID string) (part.AnalysisReport, error) {
	return s.readReport(ctx, `SELECT body FROM reports WHERE id = $1 AND team_id = $2`, reportID, teamID)
}

func (s *Store) readReport(ctx context.Context, query string, args ...any) (r part.AnalysisReport, err error) {
	body, err := ReadRow(ctx, s.DB, Value[[]byte], query, args...)
	if err != nil {
		return part.AnalysisReport{}, err
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return part.AnalysisReport{}, fmt.Errorf("stored report: %w", err)
	}
	return r, nil
}

func insertReport(ctx context.Context, q Querier, r part.AnalysisReport) error {
	body, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	err = change(ctx, q,
		`INSERT INTO reports (id, team_id, part_id, job_id, body, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
		r.ID, r.TeamID, r.PartID, r.JobID, body, Micros(r.CreatedAt))
	if err != nil {
		return err
	}
	return insertFeatures(ctx, q, r)
}
