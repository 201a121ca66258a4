package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	record "millwright/adapters/sql"
	"millwright/core/machining"
	"millwright/core/service"
)

// CreateProject implements service.Projects.
func (s *Store) CreateProject(ctx context.Context, p service.Project) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		if err := hasCutConfig(ctx, tx, p.TeamID, p.CutConfigID); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO projects (`+record.ProjectColumns+`) VALUES (?, ?, ?, ?, ?, ?)`,
			p.ID, p.TeamID, p.Name, p.CutConfigID, micros(p.CreatedAt), micros(p.UpdatedAt))
		return unique(err)
	})
}

const selectProject = `SELECT ` + record.ProjectColumns + ` FROM projects WHERE id = ? AND team_id = ?`

// Project implements service.Projects.
func (s *Store) Project(ctx context.Context, teamID, projectID string) (service.Project, error) {
	return record.ScanProject(one(s.read.QueryRowContext(ctx, selectProject, projectID, teamID)))
}

// UpdateProject implements service.Projects.
func (s *Store) UpdateProject(
	ctx context.Context, teamID, projectID string, change func(*service.Project) error,
) (service.Project, error) {
	var p service.Project
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		var err error
		if p, err = record.ScanProject(one(tx.QueryRowContext(ctx, selectProject, projectID, teamID))); err != nil {
			return err
		}
		if err := change(&p); err != nil {
			return err
		}
		if err := hasCutConfig(ctx, tx, teamID, p.CutConfigID); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE projects SET name = ?, cut_config_id = ?, updated_at = ? WHERE id = ?`,
			p.Name, p.CutConfigID, micros(p.UpdatedAt), projectID)
		return err
	})
	return p, err
}

// hasCutConfig checks that a cut config that is named can be: none, the built-in one, or one of the team.
func hasCutConfig(ctx context.Context, tx *sql.Tx, teamID, id string) error {
	if id == "" || id == machining.BuiltInCutConfigID {
		return nil
	}
	var n int
	err := tx.QueryRowContext(ctx,
		`SELECT count(*) FROM cut_configs WHERE id = ? AND team_id = ?`, id, teamID).Scan(&n)
	if err == nil && n == 0 {
		return fmt.Errorf("cut config %s: %w", id, service.ErrNoReference)
	}
	return err
}
