package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	record "millwright/adapters/sql"
	"millwright/core/machining"
	"millwright/core/service"
)

// Order of locks among the records of the catalog: cut configs, then tool libraries, then the rows that name
// them (projects, libraries and defaults of cut configs).

// CreateProject implements service.Projects.
func (s *Store) CreateProject(ctx context.Context, p service.Project) error {
	return s.inTx(ctx, unlessThere("projects", p.ID), func(ctx context.Context, tx pgx.Tx) error {
		if err := holdCutConfig(ctx, tx, p.TeamID, p.CutConfigID); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO projects (`+record.ProjectColumns+`) VALUES ($1, $2, $3, $4, $5, $6)`,
			p.ID, p.TeamID, p.Name, p.CutConfigID, micros(p.CreatedAt), micros(p.UpdatedAt))
		return unique(err)
	})
}

const selectProject = `SELECT ` + record.ProjectColumns + ` FROM projects WHERE id = $1 AND team_id = $2`

// Project implements service.Projects.
func (s *Store) Project(ctx context.Context, teamID, projectID string) (service.Project, error) {
	return readRow(ctx, s, record.ScanProject, selectProject, projectID, teamID)
}

// UpdateProject implements service.Projects. The change is made twice: the first time, on a copy, tells which cut
// config must be held before the project is.
func (s *Store) UpdateProject(
	ctx context.Context, teamID, projectID string, change func(*service.Project) error,
) (p service.Project, err error) {
	err = s.inTx(ctx, harmless, func(ctx context.Context, tx pgx.Tx) error {
		apply := func(lock string) error {
			p, err = record.ScanProject(one(tx.QueryRow(ctx, selectProject+lock, projectID, teamID)))
			if err != nil {
				return err
			}
			before := p.CutConfigID
			if err := change(&p); err != nil || p.CutConfigID == before {
				return err
			}
			return holdCutConfig(ctx, tx, teamID, p.CutConfigID)
		}
		if err := apply(""); err != nil {
			return err
		}
		if err := apply(" FOR NO KEY UPDATE"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE projects SET name = $1, cut_config_id = $2, updated_at = $3 WHERE id = $4`,
			p.Name, p.CutConfigID, micros(p.UpdatedAt), projectID)
		return err
	})
	return p, err
}

// holdCutConfig checks that a cut config that is named can be (none, the built-in one, or one of the team) and
// keeps it from being deleted until the transaction ends.
func holdCutConfig(ctx context.Context, tx pgx.Tx, teamID, id string) error {
	if id == "" || id == machining.BuiltInCutConfigID {
		return nil
	}
	_, err := scanValue[string](tx.QueryRow(ctx,
		`SELECT id FROM cut_configs WHERE id = $1 AND team_id = $2 FOR KEY SHARE`, id, teamID))
	if errors.Is(err, service.ErrNotFound) {
		return fmt.Errorf("cut config %s: %w", id, service.ErrNoReference)
	}
	return err
}
