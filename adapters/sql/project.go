package sql

import (
	"context"
	"fmt"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/record"
)

// projectColumns are the columns that scanProject reads.
const projectColumns = `id, team_id, name, cut_config_id, created_at, updated_at`

// scanProject reads a row of its columns.
func scanProject(r Row) (catalog.Project, error) {
	var p catalog.Project
	var created, updated int64
	if err := r.Scan(&p.ID, &p.TeamID, &p.Name, &p.CutConfigID, &created, &updated); err != nil {
		return catalog.Project{}, err
	}
	p.CreatedAt, p.UpdatedAt = Time(created), Time(updated)
	return p, nil
}

// CreateProject implements catalog.Projects.
func (s *Store) CreateProject(ctx context.Context, p catalog.Project, quota account.Quota) error {
	return s.DB.Tx(ctx, unlessThere("projects", p.ID), func(ctx context.Context, q Querier) error {
		if err := lockQuota(ctx, q, p.TeamID, quota); err != nil {
			return err
		}
		if err := allow(ctx, q, p.TeamID, quota, account.Held{Projects: 1}); err != nil {
			return unlessMade(ctx, q, "projects", p.ID, err)
		}
		if err := lockCutConfig(ctx, q, p.TeamID, p.CutConfigID); err != nil {
			return err
		}
		return insertProject(ctx, q, p)
	})
}

func insertProject(ctx context.Context, q Querier, p catalog.Project) error {
	return change(ctx, q, `INSERT INTO projects (`+projectColumns+`) VALUES ($1, $2, $3, $4, $5, $6)`,
		p.ID, p.TeamID, p.Name, p.CutConfigID, Micros(p.CreatedAt), Micros(p.UpdatedAt))
}

const selectProject = `SELECT ` + projectColumns + ` FROM projects WHERE id = $1 AND team_id = $2`

// Project implements catalog.Projects.
func (s *Store) Project(ctx context.Context, teamID, projectID string) (catalog.Project, error) {
	return ReadRow(ctx, s.DB, scanProject, selectProject, projectID, teamID)
}

// ListProjects implements catalog.Projects.
func (s *Store) ListProjects(ctx context.Context, teamID string, p record.Page) ([]catalog.Project, int, error) {
	return page(ctx, s.DB, "projects", teamID, scanProject, `SELECT `+projectColumns+` FROM projects
		WHERE team_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`, teamID, p.PageSize, p.Offset())
}

// UpdateProject implements catalog.Projects. It applies the change twice. The first time, on a copy, finds the cut
// config that must be locked before the project.
func (s *Store) UpdateProject(
	ctx context.Context, teamID, projectID string, edit func(*catalog.Project) error,
) (p catalog.Project, err error) {
	err = s.DB.Tx(ctx, Harmless, func(ctx context.Context, q Querier) error {
		apply := func(lock string) error {
			p, err = One(ctx, q, scanProject, selectProject+lock, projectID, teamID)
			if err != nil {
				return err
			}
			before := p.CutConfigID
			if err := edit(&p); err != nil || p.CutConfigID == before {
				return err
			}
			return lockCutConfig(ctx, q, teamID, p.CutConfigID)
		}
		if err := apply(""); err != nil {
			return err
		}
		if err := apply(q.Lock("NO KEY UPDATE")); err != nil {
			return err
		}
		return change(ctx, q, `UPDATE projects SET name = $1, cut_config_id = $2, updated_at = $3 WHERE id = $4`,
			p.Name, p.CutConfigID, Micros(p.UpdatedAt), projectID)
	})
	return p, err
}

// lockCutConfig checks that a cut config is valid: empty, built in, or one of the team. It locks it against deletion
// until the transaction ends.
func lockCutConfig(ctx context.Context, q Querier, teamID, id string) error {
	if id == "" || slices.Contains(machining.BuiltInCutConfigIDs, id) {
		return nil
	}
	_, err := One(ctx, q, Value[string],
		`SELECT id FROM cut_configs WHERE id = $1 AND team_id = $2`+q.Lock("KEY SHARE"), id, teamID)
	return noneMeans(err, fmt.Errorf("cut config %s: %w", id, record.ErrNoReference))
}
