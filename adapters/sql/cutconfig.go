package sql

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/record"
)

// cutConfigBody returns the content of the body column.
func cutConfigBody(c catalog.CutConfig) ([]byte, error) {
	kept := c.CutConfig
	kept.IsDefault, kept.ToolLibraryIDs = false, nil
	body, err := json.Marshal(kept)
	if err != nil {
		return nil, fmt.Errorf("encode cut config %s: %w", c.ID, err)
	}
	return body, nil
}

// scanCutConfig reads a row of its columns.
func scanCutConfig(r Row) (catalog.CutConfig, error) {
	var c catalog.CutConfig
	var id string
	var body, libraries []byte
	var isDefault bool
	var created, updated int64
	if err := r.Scan(&id, &c.TeamID, &body, &created, &updated, &isDefault, &libraries); err != nil {
		return catalog.CutConfig{}, err
	}
	var err error
	if c.CutConfig, err = machining.ReadCutConfig(body); err != nil {
		return catalog.CutConfig{}, fmt.Errorf("cut config %s: %w", id, err)
	}
	if err := json.Unmarshal(libraries, &c.ToolLibraryIDs); err != nil {
		return catalog.CutConfig{}, fmt.Errorf("tool libraries of cut config %s: %w", id, err)
	}
	c.IsDefault = isDefault
	c.CreatedAt, c.UpdatedAt = Time(created), Time(updated)
	return c, nil
}

// selectCutConfigs returns the query of cut configs for the user in the first parameter.
func selectCutConfigs(d Dialect) string {
	return `SELECT c.id, c.team_id, c.body, c.created_at, c.updated_at,
		EXISTS (SELECT 1 FROM cut_config_defaults d WHERE d.user_id = $1 AND d.cut_config_id = c.id),
		(SELECT coalesce(` + d.JSONArray("l.tool_library_id ORDER BY l.position") + `, '[]') FROM cut_config_libraries l
			WHERE l.cut_config_id = c.id)
		FROM cut_configs c`
}

// CreateCutConfig implements catalog.CutConfigs.
func (s *Store) CreateCutConfig(ctx context.Context, c catalog.CutConfig, userID string) error {
	body, err := cutConfigBody(c)
	if err != nil {
		return err
	}
	return s.DB.Tx(ctx, unlessThere("cut_configs", c.ID), func(ctx context.Context, q Querier) error {
		err := change(ctx, q,
			`INSERT INTO cut_configs (id, team_id, body, created_at, updated_at) VALUES ($1, $2, $3, $4, $5)`,
			c.ID, c.TeamID, body, Micros(c.CreatedAt), Micros(c.UpdatedAt))
		if err != nil {
			return err
		}
		return linkCutConfig(ctx, q, c, userID)
	})
}

// UpdateCutConfig implements catalog.CutConfigs.
func (s *Store) UpdateCutConfig(
	ctx context.Context, teamID, userID, cutConfigID string, edit func(*catalog.CutConfig) error,
) (c catalog.CutConfig, err error) {
	err = s.DB.Tx(ctx, Harmless, func(ctx context.Context, q Querier) error {
		if c, err = readLockedCutConfig(ctx, q, "NO KEY UPDATE OF c", teamID, userID, cutConfigID); err != nil {
			return err
		}
		if err := edit(&c); err != nil {
			return err
		}
		body, err := cutConfigBody(c)
		if err != nil {
			return err
		}
		err = change(ctx, q, `UPDATE cut_configs SET body = $1, updated_at = $2 WHERE id = $3`,
			body, Micros(c.UpdatedAt), cutConfigID)
		if err != nil {
			return err
		}
		return linkCutConfig(ctx, q, c, userID)
	})
	return c, err
}

// readLockedCutConfig reads a cut config that nobody else changes until the transaction ends.
func readLockedCutConfig(
	ctx context.Context, q Querier, strength, teamID, userID, cutConfigID string,
) (catalog.CutConfig, error) {
	c, err := One(ctx, q, scanCutConfig, selectCutConfigs(q)+` WHERE c.id = $2 AND c.team_id = $3`+q.Lock(strength),
		userID, cutConfigID, teamID)
	if err != nil {
		return c, err
	}
	// The lock may have waited, so libraries and default are read again under the lock.
	return One(ctx, q, scanCutConfig, selectCutConfigs(q)+` WHERE c.id = $2`, userID, cutConfigID)
}

// linkCutConfig writes which tool libraries a cut config uses and whether it is the user's default.
func linkCutConfig(ctx context.Context, q Querier, c catalog.CutConfig, userID string) error {
	if err := lockToolLibraries(ctx, q, c.TeamID, c.ToolLibraryIDs); err != nil {
		return err
	}
	libraries, err := ids(c.ToolLibraryIDs)
	if err != nil {
		return err
	}
	if err := change(ctx, q, `DELETE FROM cut_config_libraries WHERE cut_config_id = $1`, c.ID); err != nil {
		return err
	}
	err = change(ctx, q, `INSERT INTO cut_config_libraries (cut_config_id, position, tool_library_id)
		SELECT $1, l.key, l.value ->> 0 FROM `+q.List("$2")+` l`, c.ID, libraries)
	if err != nil {
		return err
	}
	if !c.IsDefault {
		return change(ctx, q,
			`DELETE FROM cut_config_defaults WHERE user_id = $1 AND cut_config_id = $2`, userID, c.ID)
	}
	return change(ctx, q, `INSERT INTO cut_config_defaults (user_id, cut_config_id) VALUES ($1, $2)
		ON CONFLICT (user_id) DO UPDATE SET cut_config_id = excluded.cut_config_id`, userID, c.ID)
}

// lockToolLibraries checks that the team has the tool libraries and keeps them from being deleted until the
// transaction ends.
func lockToolLibraries(ctx context.Context, q Querier, teamID string, names []string) error {
	own := slices.DeleteFunc(slices.Clone(names), func(id string) bool {
		return slices.Contains(machining.BuiltInToolLibraryIDs, id)
	})
	if len(own) == 0 {
		return nil
	}
	asked, err := ids(own)
	if err != nil {
		return err
	}
	held, err := Collect(ctx, q, Value[string], `SELECT id FROM tool_libraries WHERE team_id = $1 AND id IN (
			SELECT value ->> 0 FROM `+q.List("$2")+` l)
		ORDER BY id`+q.Lock("KEY SHARE"), teamID, asked)
	if err != nil {
		return err
	}
	for _, id := range own {
		if !slices.Contains(held, id) {
			return fmt.Errorf("tool library %s: %w", id, record.ErrNoReference)
		}
	}
	return nil
}

// CutConfigsByID implements catalog.CutConfigs.
func (s *Store) CutConfigsByID(ctx context.Context, teamID, userID string, names []string,
) ([]catalog.CutConfig, error) {
	asked, err := ids(names)
	if err != nil {
		return nil, err
	}
	return ReadRows(ctx, s.DB, scanCutConfig, selectCutConfigs(s.DB)+`
		JOIN `+s.DB.List("$2")+` asked ON asked.value ->> 0 = c.id
		WHERE c.team_id = $3 ORDER BY asked.key`, userID, asked, teamID)
}

// ListCutConfigs implements catalog.CutConfigs.
func (s *Store) ListCutConfigs(ctx context.Context, teamID, userID, toolLibraryID string, p record.Page,
) ([]catalog.CutConfig, int, error) {
	const order = ` ORDER BY c.created_at DESC, c.seq DESC `
	if toolLibraryID == "" {
		return page(ctx, s.DB, "cut_configs", teamID, scanCutConfig, selectCutConfigs(s.DB)+` WHERE c.team_id = $2`+order+
			`LIMIT $3 OFFSET $4`, userID, teamID, p.PageSize, p.Offset())
	}
	const uses = `EXISTS (SELECT 1 FROM cut_config_libraries u WHERE u.cut_config_id = c.id AND u.tool_library_id = `
	total, err := ReadRow(ctx, s.DB, Value[int],
		`SELECT count(*) FROM cut_configs c WHERE c.team_id = $1 AND `+uses+`$2)`, teamID, toolLibraryID)
	if err != nil {
		return nil, 0, err
	}
	items, err := ReadRows(ctx, s.DB, scanCutConfig, selectCutConfigs(s.DB)+` WHERE c.team_id = $2 AND `+uses+`$3)`+order+
		`LIMIT $4 OFFSET $5`, userID, teamID, toolLibraryID, p.PageSize, p.Offset())
	return items, total, err
}

// DeleteCutConfig implements catalog.CutConfigs.
func (s *Store) DeleteCutConfig(
	ctx context.Context, teamID, userID, cutConfigID string, check catalog.Check[catalog.CutConfig],
) error {
	return s.DB.Tx(ctx, unlessDeleted("cut_configs", cutConfigID), func(ctx context.Context, q Querier) error {
		if check != nil {
			now, err := readLockedCutConfig(ctx, q, "UPDATE OF c", teamID, userID, cutConfigID)
			if err == nil {
				err = check(now)
			}
			if err != nil {
				return err
			}
		}
		n, err := q.Exec(ctx, `DELETE FROM cut_configs WHERE id = $1 AND team_id = $2`, cutConfigID, teamID)
		if err := met(n, err, record.ErrNotFound); err != nil {
			return err
		}
		return change(ctx, q, `UPDATE projects SET cut_config_id = '' WHERE cut_config_id = $1`, cutConfigID)
	})
}

// DefaultCutConfig implements catalog.CutConfigs.
func (s *Store) DefaultCutConfig(ctx context.Context, userID string) (string, error) {
	id, err := ReadRow(ctx, s.DB, Value[string],
		`SELECT cut_config_id FROM cut_config_defaults WHERE user_id = $1`, userID)
	return id, noneMeans(err, nil)
}
