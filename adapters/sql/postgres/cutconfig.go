package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	record "millwright/adapters/sql"
	"millwright/core/machining"
	"millwright/core/service"
)

// selectCutConfigs reads cut configs as the user of the first parameter sees them.
const selectCutConfigs = `SELECT c.id, c.team_id, c.body, c.created_at, c.updated_at,
	EXISTS (SELECT 1 FROM cut_config_defaults d WHERE d.user_id = $1 AND d.cut_config_id = c.id),
	(SELECT coalesce(json_agg(l.tool_library_id ORDER BY l.position), '[]') FROM cut_config_libraries l
		WHERE l.cut_config_id = c.id)
	FROM cut_configs c`

// CreateCutConfig implements service.Catalog.
func (s *Store) CreateCutConfig(ctx context.Context, c service.CutConfig, userID string) error {
	body, err := record.CutConfigBody(c)
	if err != nil {
		return err
	}
	return s.inTx(ctx, unlessThere("cut_configs", c.ID), func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx,
			`INSERT INTO cut_configs (id, team_id, body, created_at, updated_at) VALUES ($1, $2, $3, $4, $5)`,
			c.ID, c.TeamID, body, micros(c.CreatedAt), micros(c.UpdatedAt))
		if err != nil {
			return unique(err)
		}
		return linkCutConfig(ctx, tx, c, userID)
	})
}

// UpdateCutConfig implements service.Catalog.
func (s *Store) UpdateCutConfig(
	ctx context.Context, teamID, userID, cutConfigID string, change func(*service.CutConfig) error,
) (c service.CutConfig, err error) {
	err = s.inTx(ctx, harmless, func(ctx context.Context, tx pgx.Tx) error {
		c, err = record.ScanCutConfig(one(tx.QueryRow(ctx,
			selectCutConfigs+` WHERE c.id = $2 AND c.team_id = $3 FOR NO KEY UPDATE OF c`, userID, cutConfigID, teamID)))
		if err != nil {
			return err
		}
		// The lock may have been waited for; libraries and default are read anew now that it is held.
		c, err = record.ScanCutConfig(one(tx.QueryRow(ctx, selectCutConfigs+` WHERE c.id = $2`, userID, cutConfigID)))
		if err != nil {
			return err
		}
		if err := change(&c); err != nil {
			return err
		}
		body, err := record.CutConfigBody(c)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE cut_configs SET body = $1, updated_at = $2 WHERE id = $3`,
			body, micros(c.UpdatedAt), cutConfigID)
		if err != nil {
			return err
		}
		return linkCutConfig(ctx, tx, c, userID)
	})
	return c, err
}

// linkCutConfig writes which tool libraries a cut config uses and whether it is the user's default.
func linkCutConfig(ctx context.Context, tx pgx.Tx, c service.CutConfig, userID string) error {
	if err := holdToolLibraries(ctx, tx, c.TeamID, c.ToolLibraryIDs); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `DELETE FROM cut_config_libraries WHERE cut_config_id = $1`, c.ID); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `INSERT INTO cut_config_libraries (cut_config_id, position, tool_library_id)
		SELECT $1, l.position - 1, l.id FROM unnest($2::text[]) WITH ORDINALITY l (id, position)`,
		c.ID, append([]string{}, c.ToolLibraryIDs...))
	if err != nil {
		return err
	}
	if !c.IsDefault {
		_, err := tx.Exec(ctx,
			`DELETE FROM cut_config_defaults WHERE user_id = $1 AND cut_config_id = $2`, userID, c.ID)
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO cut_config_defaults (user_id, cut_config_id) VALUES ($1, $2)
		ON CONFLICT (user_id) DO UPDATE SET cut_config_id = excluded.cut_config_id`, userID, c.ID)
	return err
}

// holdToolLibraries checks that the team has the tool libraries and keeps them from being deleted until the
// transaction ends.
func holdToolLibraries(ctx context.Context, tx pgx.Tx, teamID string, ids []string) error {
	own := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == machining.BuiltInToolLibraryID })
	if len(own) == 0 {
		return nil
	}
	held, err := collect(ctx, tx, scanValue[string], `SELECT id FROM tool_libraries
		WHERE team_id = $1 AND id = ANY ($2) ORDER BY id FOR KEY SHARE`, teamID, own)
	if err != nil {
		return err
	}
	for _, id := range own {
		if !slices.Contains(held, id) {
			return fmt.Errorf("tool library %s: %w", id, service.ErrNoReference)
		}
	}
	return nil
}

// CutConfigsByID implements service.Catalog.
func (s *Store) CutConfigsByID(ctx context.Context, teamID, userID string, ids []string,
) ([]service.CutConfig, error) {
	return readRows(ctx, s, record.ScanCutConfig, selectCutConfigs+
		` JOIN unnest($2::text[]) WITH ORDINALITY asked (id, place) ON asked.id = c.id
		WHERE c.team_id = $3 ORDER BY asked.place`, userID, texts(ids), teamID)
}

// texts makes of each id what a TEXT column can hold: what is not text is no record's id, and becomes none.
func texts(ids []string) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = text(id)
	}
	return out
}

// ListCutConfigs implements service.Catalog.
func (s *Store) ListCutConfigs(ctx context.Context, teamID, userID string, p service.Page,
) ([]service.CutConfig, int, error) {
	return page(ctx, s, "cut_configs", teamID, record.ScanCutConfig, selectCutConfigs+` WHERE c.team_id = $2
		ORDER BY c.created_at DESC, c.seq DESC LIMIT $3 OFFSET $4`, userID, teamID, p.PageSize, p.Offset())
}

// page reads one page of the team's rows of a table and how many there are in all, in one snapshot.
func page[T any](
	ctx context.Context, s *Store, table, teamID string, scan func(record.Row) (T, error), query string, args ...any,
) (items []T, total int, err error) {
	snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err = s.inTxAs(ctx, snapshot, harmless, func(ctx context.Context, tx pgx.Tx) error {
		total, err = scanValue[int](tx.QueryRow(ctx,
			`SELECT count(*) FROM `+table+` WHERE team_id = $1`, teamID))
		if err != nil {
			return err
		}
		items, err = collect(ctx, tx, scan, query, args...)
		return err
	})
	return items, total, err
}

// DeleteCutConfig implements service.Catalog.
func (s *Store) DeleteCutConfig(ctx context.Context, teamID, cutConfigID string) error {
	return s.inTx(ctx, unlessGone("cut_configs", cutConfigID), func(ctx context.Context, tx pgx.Tx) error {
		done, err := tx.Exec(ctx, `DELETE FROM cut_configs WHERE id = $1 AND team_id = $2`, cutConfigID, teamID)
		if err != nil {
			return err
		}
		if done.RowsAffected() == 0 {
			return service.ErrNotFound
		}
		_, err = tx.Exec(ctx, `UPDATE projects SET cut_config_id = '' WHERE cut_config_id = $1`, cutConfigID)
		return err
	})
}

// DefaultCutConfig implements service.Catalog.
func (s *Store) DefaultCutConfig(ctx context.Context, userID string) (string, error) {
	id, err := readRow(ctx, s, scanValue[string],
		`SELECT cut_config_id FROM cut_config_defaults WHERE user_id = $1`, userID)
	if errors.Is(err, service.ErrNotFound) {
		return "", nil
	}
	return id, err
}

// unlessGone settles deletions: a row that is gone was deleted.
func unlessGone(table, id string) repeat {
	return unless(func(ctx context.Context, q querier) (bool, error) {
		there, err := scanValue[bool](q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM `+table+` WHERE id = $1)`, id))
		return !there, err
	})
}
