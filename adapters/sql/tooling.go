package sql

import (
	"encoding/json"
	"fmt"

	"millwright/core/service"
)

// LibraryColumns are the columns that ScanLibrary reads.
const LibraryColumns = `id, team_id, name, format, tool_count, created_at`

// HolderColumns are the columns that ScanHolder reads.
const HolderColumns = `id, team_id, body, created_at`

// ScanLibrary reads a row of its columns.
func ScanLibrary(r Row, more ...any) (service.ToolLibrary, error) {
	var l service.ToolLibrary
	var created int64
	into := append([]any{&l.ID, &l.TeamID, &l.Name, &l.Format, &l.ToolCount, &created}, more...)
	if err := r.Scan(into...); err != nil {
		return service.ToolLibrary{}, err
	}
	l.CreatedAt = Time(created)
	return l, nil
}

// ScanHolder reads a row of its columns.
func ScanHolder(r Row) (service.Holder, error) {
	var h service.Holder
	var body []byte
	var created int64
	if err := r.Scan(&h.ID, &h.TeamID, &body, &created); err != nil {
		return service.Holder{}, err
	}
	if err := json.Unmarshal(body, &h.Holder); err != nil {
		return service.Holder{}, fmt.Errorf("holder %s: %w", h.ID, err)
	}
	h.CreatedAt = Time(created)
	return h, nil
}
