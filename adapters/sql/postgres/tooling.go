package postgres

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

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
	_, err = s.exec(ctx, unlessThere("tool_libraries", l.ID),
		`INSERT INTO tool_libraries (`+record.LibraryColumns+`, tools, report) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		l.ID, l.TeamID, l.Name, l.Format, l.ToolCount, micros(l.CreatedAt), tools, report)
	return unique(err)
}

// ToolLibrary implements service.Catalog.
func (s *Store) ToolLibrary(ctx context.Context, teamID, libraryID string) (service.ToolLibrary, error) {
	var tools, report []byte
	l, err := readRow(ctx, s, func(r record.Row) (service.ToolLibrary, error) {
		return record.ScanLibrary(r, &tools, &report)
	}, `SELECT `+record.LibraryColumns+`, tools, report FROM tool_libraries
		WHERE id = $1 AND team_id = $2`, libraryID, teamID)
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
		WHERE team_id = $1 ORDER BY created_at DESC, seq DESC LIMIT $2 OFFSET $3`, teamID, p.PageSize, p.Offset())
}

// KnownToolLibraries implements service.Catalog.
func (s *Store) KnownToolLibraries(ctx context.Context, teamID string, ids []string) ([]string, error) {
	return readRows(ctx, s, scanValue[string],
		`SELECT id FROM tool_libraries WHERE team_id = $1 AND id = ANY ($2)`, teamID, texts(ids))
}

// DeleteToolLibrary implements service.Catalog.
func (s *Store) DeleteToolLibrary(ctx context.Context, teamID, libraryID string) error {
	return s.inTx(ctx, unlessGone("tool_libraries", libraryID), func(ctx context.Context, tx pgx.Tx) error {
		done, err := tx.Exec(ctx, `DELETE FROM tool_libraries WHERE id = $1 AND team_id = $2`, libraryID, teamID)
		if err != nil {
			return err
		}
		if done.RowsAffected() == 0 {
			return service.ErrNotFound
		}
		_, err = tx.Exec(ctx, `DELETE FROM cut_config_libraries WHERE tool_library_id = $1`, libraryID)
		return err
	})
}

// CreateHolder implements service.Catalog.
func (s *Store) CreateHolder(ctx context.Context, h service.Holder) error {
	body, err := json.Marshal(h.Holder)
	if err != nil {
		return fmt.Errorf("encode holder %s: %w", h.ID, err)
	}
	_, err = s.exec(ctx, unlessThere("holders", h.ID),
		`INSERT INTO holders (`+record.HolderColumns+`) VALUES ($1, $2, $3, $4)`,
		h.ID, h.TeamID, body, micros(h.CreatedAt))
	return unique(err)
}

// Holder implements service.Catalog.
func (s *Store) Holder(ctx context.Context, teamID, holderID string) (service.Holder, error) {
	return readRow(ctx, s, record.ScanHolder,
		`SELECT `+record.HolderColumns+` FROM holders WHERE id = $1 AND team_id = $2`, holderID, teamID)
}

// ListHolders implements service.Catalog.
func (s *Store) ListHolders(ctx context.Context, teamID string, p service.Page) ([]service.Holder, int, error) {
	return page(ctx, s, "holders", teamID, record.ScanHolder, `SELECT `+record.HolderColumns+` FROM holders
		WHERE team_id = $1 ORDER BY created_at DESC, seq DESC LIMIT $2 OFFSET $3`, teamID, p.PageSize, p.Offset())
}

// DeleteHolder implements service.Catalog.
func (s *Store) DeleteHolder(ctx context.Context, teamID, holderID string) error {
	deleted, err := s.exec(ctx, unlessGone("holders", holderID),
		`DELETE FROM holders WHERE id = $1 AND team_id = $2`, holderID, teamID)
	if err == nil && deleted == 0 {
		return service.ErrNotFound
	}
	return err
}
