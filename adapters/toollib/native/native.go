// Package native reads tools in this service's own format: {"name": "…", "tools": [tool, …]}, each a machining.Tool, or
// such a list alone. The service's response to reading a library can be sent back unchanged.
package native

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"millwright.dev/millwright/adapters/toollib/internal/toolbuilder"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/catalog"
)

// ErrFormat is returned for a file that is not a list of tools.
var ErrFormat = errors.New("it is not a list of tools of this service")

// Is reports whether a JSON file looks like a list of tools of this service.
func Is(top map[string]json.RawMessage) bool {
	var tools []map[string]json.RawMessage
	return json.Unmarshal(top["tools"], &tools) == nil && (len(tools) == 0 || tools[0]["kind"] != nil)
}

// Read reads a list of tools. Nothing is guessed: a tool that is not sound is skipped with the reasons.
func Read(data []byte) (catalog.ToolFile, error) {
	var file struct {
		Name  string            `json:"name"`
		Tools []json.RawMessage `json:"tools"`
	}
	var err error
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] == '[' {
		err = json.Unmarshal(data, &file.Tools)
	} else {
		err = json.Unmarshal(data, &file)
	}
	if err != nil {
		return catalog.ToolFile{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	c := toolbuilder.New()
	for i, raw := range file.Tools {
		if err := c.Count(); err != nil {
			return catalog.ToolFile{}, err
		}
		entry := fmt.Sprintf("tools[%d]", i)
		var t machining.Tool
		if err := strict(raw, &t); err != nil {
			c.Skip(entry, "It is not a tool: %s.", err)
			continue
		}
		if t.ID == "" {
			t.ID = "-" // the use case gives it one
		}
		if t.Presets == nil {
			t.Presets = []machining.Preset{}
		}
		if err := t.Validate(); err != nil {
			c.Skip(entry, "%s", err)
			continue
		}
		c.Tools = append(c.Tools, t)
	}
	return catalog.ToolFile{Name: file.Name, Format: catalog.ToolsMillwright, Tools: c.Tools, Report: c.Report}, nil
}

// strict refuses fields that a tool does not have, so that a misspelt one is not ignored.
func strict(raw json.RawMessage, t *machining.Tool) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(t)
}
