package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	record "millwright/adapters/sql"
	"millwright/core/service"
)

// CreateToolLibrary implements service.Catalog.
func (s *Store) CreateToolLibrary(ctx context.Context, l service.ToolLibrary) error {
	tools, err := json.Marshal(l.Tools)
	if err != nil {
		return fmt.Errorf("encode tool library %s: %w", l.ID, err)
	}
	report, err := json.Marshal(l.Report)
	if err != nil {
		return fmt.Errorf("encode the report of tool library %s: %w", l.ID, err)
	}
	_, err = s.exec(ctx,
		`INSERT INTO tool_libraries (`+record.LibraryColumns+`, tools, report) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		l.ID, l.TeamID, l.Name, l.Format, l.ToolCount, micros(l.CreatedAt), tools, report)
	return unique(err)
}

// ToolLibrary implements service.Catalog.
func (s *Store) ToolLibrary(ctx context.Context, teamID, libraryID string) (service.ToolLibrary, error) {
	var tools, report []byte
	l, err := record.ScanLibrary(one(s.read.QueryRowContext(ctx, `SELECT `+record.LibraryColumns+`, tools, report
		FROM tool_libraries WHERE id = ? AND team_id = ?`, libraryID, teamID)), &tools, &report)
	if err != nil {
		return service.ToolLibrary{}, err
	}
	if err := json.Unmarshal(tools, &l.Tools); err != nil {
		return service.ToolLibrary{}, fmt.Errorf("tools of library %s: %w", libraryID, err)
	}
	if err := json.Unmarshal(report, &l.Report); err != nil {
		return service.ToolLibrary{}, fmt.Errorf("report of tool library %s: %w", libraryID, err)
	}
	return l, nil
}

// ListToolLibraries implements service.Catalog.
func (s *Store) ListToolLibraries(ctx context.Context, teamID string, p service.Page,
) ([]service.ToolLibrary, int, error) {
	scan := func(r record.Row) (service.ToolLibrary, error) { return record.ScanLibrary(r) }
	return page(ctx, s, "tool_libraries", teamID, scan, `SELECT `+record.LibraryColumns+` FROM tool_libraries
		WHERE team_id = ? ORDER BY created_at DESC, seq DESC LIMIT ? OFFSET ?`, teamID, p.PageSize, p.Offset())
}

// KnownToolLibraries implements service.Catalog.
func (s *Store) KnownToolLibraries(ctx context.Context, teamID string, ids []string) ([]string, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	rows, err := s.read.QueryContext(ctx, `SELECT id FROM tool_libraries
		WHERE team_id = ? AND id IN (SELECT value FROM json_each(?))`, teamID, string(list))
	return collect(rows, err, func(r record.Row) (id string, err error) { return id, r.Scan(&id) })
}

// DeleteToolLibrary implements service.Catalog.
func (s *Store) DeleteToolLibrary(ctx context.Context, teamID, libraryID string) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		if err := deleted(tx.ExecContext(ctx,
			`DELETE FROM tool_libraries WHERE id = ? AND team_id = ?`, libraryID, teamID)); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM cut_config_libraries WHERE tool_library_id = ?`, libraryID)
		return err
	})
}

// CreateHolder implements service.Catalog.
func (s *Store) CreateHolder(ctx context.Context, h service.Holder) error {
	body, err := json.Marshal(h.Holder)
	if err != nil {
		return fmt.Errorf("encode holder %s: %w", h.ID, err)
	}
	_, err = s.exec(ctx, `INSERT INTO holders (`+record.HolderColumns+`) VALUES (?, ?, ?, ?)`,
		h.ID, h.TeamID, body, micros(h.CreatedAt))
	return unique(err)
}

// Holder implements service.Catalog.
func (s *Store) Holder(ctx context.Context, teamID, holderID string) (service.Holder, error) {
	return record.ScanHolder(one(s.read.QueryRowContext(ctx,
		`SELECT `+record.HolderColumns+` FROM holders WHERE id = ? AND team_id = ?`, holderID, teamID)))
}

// ListHolders implements service.Catalog.
func (s *Store) ListHolders(ctx context.Context, teamID string, p service.Page) ([]service.Holder, int, error) {
	return page(ctx, s, "holders", teamID, record.ScanHolder, `SELECT `+record.HolderColumns+` FROM holders
		WHERE team_id = ? ORDER BY created_at DESC, seq DESC LIMIT ? OFFSET ?`, teamID, p.PageSize, p.Offset())
}

// DeleteHolder implements service.Catalog.
func (s *Store) DeleteHolder(ctx context.Context, teamID, holderID string) error {
	return deleted(s.exec(ctx, `DELETE FROM holders WHERE id = ? AND team_id = ?`, holderID, teamID))
}
