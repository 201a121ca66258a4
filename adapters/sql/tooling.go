package sql

import (
	"context"
	"encoding/json"
	"fmt"

	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/record"
)

// libraryColumns are the columns that scanLibrary reads.
const libraryColumns = `id, team_id, name, format, tool_count, created_at`

// holderColumns are the columns that scanHolder reads.
const holderColumns = `id, team_id, body, created_at`

// scanLibrary reads a row of its columns.
func scanLibrary(r Row, more ...any) (catalog.ToolLibrary, error) {
	var l catalog.ToolLibrary
	var created int64
	into := append([]any{&l.ID, &l.TeamID, &l.Name, &l.Format, &l.ToolCount, &created}, more...)
	if err := r.Scan(into...); err != nil {
		return catalog.ToolLibrary{}, err
	}
	l.CreatedAt = Time(created)
	return l, nil
}

// scanHolder reads a row of its columns.
func scanHolder(r Row) (catalog.Holder, error) {
	var h catalog.Holder
	var body []byte
	var created int64
	if err := r.Scan(&h.ID, &h.TeamID, &body, &created); err != nil {
		return catalog.Holder{}, err
	}
	if err := json.Unmarshal(body, &h.Holder); err != nil {
		return catalog.Holder{}, fmt.Errorf("holder %s: %w", h.ID, err)
	}
	h.CreatedAt = Time(created)
	return h, nil
}

// CreateToolLibrary implements catalog.ToolLibraries.
func (s *Store) CreateToolLibrary(ctx context.Context, l catalog.ToolLibrary) error {
	tools, err := json.Marshal(l.Tools)
	if err != nil {
		return fmt.Errorf("encode tool library %s: %w", l.ID, err)
	}
	report, err := json.Marshal(l.Report)
	if err != nil {
		return fmt.Errorf("encode the report of tool library %s: %w", l.ID, err)
	}
	_, err = Exec(ctx, s.DB, unlessThere("tool_libraries", l.ID),
		`INSERT INTO tool_libraries (`+libraryColumns+`, tools, report) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		l.ID, l.TeamID, l.Name, l.Format, l.ToolCount, Micros(l.CreatedAt), tools, report)
	return err
}

// selectLibrary reads a library with its tools and its report.
const selectLibrary = `SELECT ` + libraryColumns + `, tools, report FROM tool_libraries WHERE id = $1 AND team_id = $2`

// scanWholeLibrary reads a row of selectLibrary.
func scanWholeLibrary(r Row) (catalog.ToolLibrary, error) {
	var tools, report []byte
	l, err := scanLibrary(r, &tools, &report)
	if err != nil {
		return catalog.ToolLibrary{}, err
	}
	if err := json.Unmarshal(tools, &l.Tools); err != nil {
		return catalog.ToolLibrary{}, fmt.Errorf("tools of library %s: %w", l.ID, err)
	}
	if err := json.Unmarshal(report, &l.Report); err != nil {
		return catalog.ToolLibrary{}, fmt.Errorf("report of tool library %s: %w", l.ID, err)
	}
	return l, nil
}

// ToolLibrary implements catalog.ToolLibraries.
func (s *Store) ToolLibrary(ctx context.Context, teamID, libraryID string) (catalog.ToolLibrary, error) {
	return ReadRow(ctx, s.DB, scanWholeLibrary, selectLibrary, libraryID, teamID)
}

// ListToolLibraries implements catalog.ToolLibraries.
func (s *Store) ListToolLibraries(ctx context.Context, teamID string, p record.Page,
) ([]catalog.ToolLibrary, int, error) {
	scan := func(r Row) (catalog.ToolLibrary, error) { return scanLibrary(r) }
	return page(ctx, s.DB, "tool_libraries", teamID, scan, `SELECT `+libraryColumns+` FROM tool_libraries
		WHERE team_id = $1 ORDER BY created_at DESC, seq DESC LIMIT $2 OFFSET $3`, teamID, p.PageSize, p.Offset())
}

// KnownToolLibraries implements catalog.ToolLibraries.
func (s *Store) KnownToolLibraries(ctx context.Context, teamID string, names []string) ([]string, error) {
	asked, err := ids(names)
	if err != nil {
		return nil, err
	}
	return ReadRows(ctx, s.DB, Value[string], `SELECT id FROM tool_libraries WHERE team_id = $1 AND id IN (
		SELECT value ->> 0 FROM `+s.DB.List("$2")+` l)`, teamID, asked)
}

// UpdateToolLibrary implements catalog.ToolLibraries.
func (s *Store) UpdateToolLibrary(
	ctx context.Context, teamID, libraryID string, edit func(*catalog.ToolLibrary) error,
) (l catalog.ToolLibrary, err error) {
	err = s.DB.Tx(ctx, Harmless, func(ctx context.Context, q Querier) error {
		l, err = One(ctx, q, scanWholeLibrary, selectLibrary+q.Lock("NO KEY UPDATE"), libraryID, teamID)
		if err != nil {
			return err
		}
		if err := edit(&l); err != nil {
			return err
		}
		tools, err := json.Marshal(l.Tools)
		if err != nil {
			return fmt.Errorf("encode tool library %s: %w", libraryID, err)
		}
		return change(ctx, q, `UPDATE tool_libraries SET name = $1, tool_count = $2, tools = $3 WHERE id = $4`,
			l.Name, l.ToolCount, tools, libraryID)
	})
	return l, err
}

// DeleteToolLibrary implements catalog.ToolLibraries.
func (s *Store) DeleteToolLibrary(
	ctx context.Context, teamID, libraryID string, check catalog.Check[catalog.ToolLibrary],
) error {
	return s.DB.Tx(ctx, unlessDeleted("tool_libraries", libraryID), func(ctx context.Context, q Querier) error {
		if check != nil {
			now, err := One(ctx, q, scanWholeLibrary, selectLibrary+q.Lock("UPDATE"), libraryID, teamID)
			if err == nil {
				err = check(now)
			}
			if err != nil {
				return err
			}
		}
		n, err := q.Exec(ctx, `DELETE FROM tool_libraries WHERE id = $1 AND team_id = $2`, libraryID, teamID)
		if err := met(n, err, record.ErrNotFound); err != nil {
			return err
		}
		return change(ctx, q, `DELETE FROM cut_config_libraries WHERE tool_library_id = $1`, libraryID)
	})
}

// CreateHolder implements catalog.Holders.
func (s *Store) CreateHolder(ctx context.Context, h catalog.Holder) error {
	body, err := json.Marshal(h.Holder)
	if err != nil {
		return fmt.Errorf("encode holder %s: %w", h.ID, err)
	}
	_, err = Exec(ctx, s.DB, unlessThere("holders", h.ID),
		`INSERT INTO holders (`+holderColumns+`) VALUES ($1, $2, $3, $4)`,
		h.ID, h.TeamID, body, Micros(h.CreatedAt))
	return err
}

// Holder implements catalog.Holders.
func (s *Store) Holder(ctx context.Context, teamID, holderID string) (catalog.Holder, error) {
	return ReadRow(ctx, s.DB, scanHolder,
		`SELECT `+holderColumns+` FROM holders WHERE id = $1 AND team_id = $2`, holderID, teamID)
}

// ListHolders implements catalog.Holders.
func (s *Store) ListHolders(ctx context.Context, teamID string, p record.Page) ([]catalog.Holder, int, error) {
	return page(ctx, s.DB, "holders", teamID, scanHolder, `SELECT `+holderColumns+` FROM holders
		WHERE team_id = $1 ORDER BY created_at DESC, seq DESC LIMIT $2 OFFSET $3`, teamID, p.PageSize, p.Offset())
}

// DeleteHolder implements catalog.Holders.
func (s *Store) DeleteHolder(ctx context.Context, teamID, holderID string) error {
	n, err := Exec(ctx, s.DB, unlessDeleted("holders", holderID),
		`DELETE FROM holders WHERE id = $1 AND team_id = $2`, holderID, teamID)
	return met(n, err, record.ErrNotFound)
}
