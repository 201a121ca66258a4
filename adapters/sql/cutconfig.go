package sql

import (
	"encoding/json"
	"fmt"

	"millwright/core/service"
)

// CutConfigBody is what the body column keeps.
func CutConfigBody(c service.CutConfig) ([]byte, error) {
	kept := c.CutConfig
	kept.IsDefault, kept.ToolLibraryIDs = false, nil
	body, err := json.Marshal(kept)
	if err != nil {
		return nil, fmt.Errorf("encode cut config %s: %w", c.ID, err)
	}
	return body, nil
}

// ScanCutConfig reads a row of its columns.
func ScanCutConfig(r Row) (service.CutConfig, error) {
	var c service.CutConfig
	var id string
	var body, libraries []byte
	var isDefault bool
	var created, updated int64
	if err := r.Scan(&id, &c.TeamID, &body, &created, &updated, &isDefault, &libraries); err != nil {
		return service.CutConfig{}, err
	}
	if err := json.Unmarshal(body, &c.CutConfig); err != nil {
		return service.CutConfig{}, fmt.Errorf("cut config %s: %w", id, err)
	}
	if err := json.Unmarshal(libraries, &c.ToolLibraryIDs); err != nil {
		return service.CutConfig{}, fmt.Errorf("tool libraries of cut config %s: %w", id, err)
	}
	c.IsDefault = isDefault
	c.CreatedAt, c.UpdatedAt = Time(created), Time(updated)
	return c, nil
}
