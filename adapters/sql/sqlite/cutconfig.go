package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	record "millwright/adapters/sql"
	"millwright/core/machining"
	"millwright/core/service"
)

// selectCutConfigs reads cut configs as the user of the first parameter sees them.
const selectCutConfigs = `SELECT c.id, c.team_id, c.body, c.created_at, c.updated_at,
	EXISTS (SELECT 1 FROM cut_config_defaults d WHERE d.user_id = ? AND d.cut_config_id = c.id),
	(SELECT json_group_array(l.tool_library_id ORDER BY l.position) FROM cut_config_libraries l
		WHERE l.cut_config_id = c.id)
	FROM cut_configs c`

// CreateCutConfig implements service.Catalog.
func (s *Store) CreateCutConfig(ctx context.Context, c service.CutConfig, userID string) error {
	body, err := record.CutConfigBody(c)
	if err != nil {
		return err
	}
	return s.inTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx,
			`INSERT INTO cut_configs (id, team_id, body, created_at, updated_at) VALUES (?, ?, ?, ?, ?)`,
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
) (service.CutConfig, error) {
	var c service.CutConfig
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		var err error
		c, err = record.ScanCutConfig(one(tx.QueryRowContext(ctx,
			selectCutConfigs+` WHERE c.id = ? AND c.team_id = ?`, userID, cutConfigID, teamID)))
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
		_, err = tx.ExecContext(ctx, `UPDATE cut_configs SET body = ?, updated_at = ? WHERE id = ?`,
			body, micros(c.UpdatedAt), cutConfigID)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM cut_config_libraries WHERE cut_config_id = ?`, cutConfigID)
		if err != nil {
			return err
		}
		return linkCutConfig(ctx, tx, c, userID)
	})
	return c, err
}

// linkCutConfig writes which tool libraries a cut config uses and whether it is the user's default.
func linkCutConfig(ctx context.Context, tx *sql.Tx, c service.CutConfig, userID string) error {
	for i, id := range c.ToolLibraryIDs {
		done, err := tx.ExecContext(ctx, `INSERT INTO cut_config_libraries (cut_config_id, position, tool_library_id)
			SELECT ?, ?, ? WHERE ? = ? OR EXISTS (SELECT 1 FROM tool_libraries WHERE id = ? AND team_id = ?)`,
			c.ID, i, id, id, machining.BuiltInToolLibraryID, id, c.TeamID)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return fmt.Errorf("tool library %s: %w", id, service.ErrNoReference)
		}
	}
	if !c.IsDefault {
		_, err := tx.ExecContext(ctx,
			`DELETE FROM cut_config_defaults WHERE user_id = ? AND cut_config_id = ?`, userID, c.ID)
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO cut_config_defaults (user_id, cut_config_id) VALUES (?, ?)
		ON CONFLICT (user_id) DO UPDATE SET cut_config_id = excluded.cut_config_id`, userID, c.ID)
	return err
}

// CutConfigsByID implements service.Catalog.
func (s *Store) CutConfigsByID(ctx context.Context, teamID, userID string, ids []string,
) ([]service.CutConfig, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	rows, err := s.read.QueryContext(ctx, selectCutConfigs+` JOIN json_each(?) asked ON asked.value = c.id
		WHERE c.team_id = ? ORDER BY asked.key`, userID, string(list), teamID)
	return collect(rows, err, record.ScanCutConfig)
}

// ListCutConfigs implements service.Catalog.
func (s *Store) ListCutConfigs(ctx context.Context, teamID, userID string, p service.Page,
) ([]service.CutConfig, int, error) {
	return page(ctx, s, "cut_configs", teamID, record.ScanCutConfig, selectCutConfigs+` WHERE c.team_id = ?
		ORDER BY c.created_at DESC, c.seq DESC LIMIT ? OFFSET ?`, userID, teamID, p.PageSize, p.Offset())
}

// page reads one page of the team's rows of a table and how many there are in all.
func page[T any](
	ctx context.Context, s *Store, table, teamID string, scan func(record.Row) (T, error), query string, args ...any,
) ([]T, int, error) {
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // the page and the total agree
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = tx.Rollback() }()
	var total int
	err = tx.QueryRowContext(ctx, `SELECT count(*) FROM `+table+` WHERE team_id = ?`, teamID).Scan(&total)
	if err != nil {
		return nil, 0, err
	}
	rows, err := tx.QueryContext(ctx, query, args...)
	items, err := collect(rows, err, scan)
	return items, total, err
}

// DeleteCutConfig implements service.Catalog.
func (s *Store) DeleteCutConfig(ctx context.Context, teamID, cutConfigID string) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		if err := deleted(tx.ExecContext(ctx,
			`DELETE FROM cut_configs WHERE id = ? AND team_id = ?`, cutConfigID, teamID)); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE projects SET cut_config_id = '' WHERE cut_config_id = ?`, cutConfigID)
		return err
	})
}

// DefaultCutConfig implements service.Catalog.
func (s *Store) DefaultCutConfig(ctx context.Context, userID string) (string, error) {
	var id string
	err := s.read.QueryRowContext(ctx,
		`SELECT coalesce(max(cut_config_id), '') FROM cut_config_defaults WHERE user_id = ?`, userID).Scan(&id)
	return id, err
}

// deleted turns a deletion that met no row into the port's error.
func deleted(done sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := done.RowsAffected()
	if err == nil && n == 0 {
		return service.ErrNotFound
	}
	return err
}
