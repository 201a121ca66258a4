// Package toollib reads files of tools: lists of this service, and the libraries of CAM programs. Each format has a
// package of its own below; this package detects the format. They share toolbuilder (filling gaps, the report) and
// archive (unpacking within limits).
//
// For any bytes, reading ends, takes memory within a small multiple of catalog.MaxToolFile and archive.MaxUnpacked, and
// returns an error or a report. It never panics. Fuzz targets check this for each reader.
package toollib

import (
	"bytes"
	"encoding/json"
	"errors"

	"millwright.dev/millwright/adapters/toollib/archive"
	"millwright.dev/millwright/adapters/toollib/freecad"
	"millwright.dev/millwright/adapters/toollib/fusion"
	"millwright.dev/millwright/adapters/toollib/internal/toolbuilder"
	"millwright.dev/millwright/adapters/toollib/linuxcnc"
	"millwright.dev/millwright/adapters/toollib/native"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/catalog"
)

// Reader is catalog.ToolReader for every format.
type Reader struct{}

var _ catalog.ToolReader = Reader{}

// ReadTools implements catalog.ToolReader.
func (Reader) ReadTools(data []byte, o catalog.ToolFileOptions) (catalog.ToolFile, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // the mark that some editors put before UTF-8
	format := o.Format
	if format == "" {
		format = detect(data)
	}
	var file catalog.ToolFile
	var err error
	switch format {
	case catalog.ToolsMillwright:
		file, err = native.Read(data)
	case catalog.ToolsFusion:
		file, err = fusion.Read(data)
	case catalog.ToolsFreeCAD:
		file, err = freecad.Read(data)
	case catalog.ToolsLinuxCNC:
		file, err = linuxcnc.Read(data, o.Unit)
	default:
		return file, apierr.Errorf(apierr.InvalidRequest, "The file is none of the known formats: a Fusion "+
			"tool library (.json, .tools), FreeCAD tool bits (.fctb, or a zip of .fctb and .fctl), a LinuxCNC tool "+
			"table, or tools of this service.")
	}
	switch {
	case errors.Is(err, archive.ErrTooLarge):
		return file, apierr.Errorf(apierr.PayloadTooLarge, "The file cannot be read: %s.", plain(err))
	case err != nil:
		return file, apierr.Errorf(apierr.InvalidRequest, "The file cannot be read: %s.", plain(err))
	}
	return file, nil
}

// plain is the text of an error, short and fit to be shown.
func plain(err error) string {
	const most = 300
	return toolbuilder.Clean(err.Error(), most)
}

// detect returns the format by content, or "" if it is unknown.
func detect(data []byte) catalog.ToolFormat {
	if archive.IsZip(data) {
		if files, err := archive.Files(data, ".fctb"); err == nil && len(files) > 0 {
			return catalog.ToolsFreeCAD
		}
		return catalog.ToolsFusion
	}
	trimmed := bytes.TrimSpace(data)
	if len(trimmed) > 0 && trimmed[0] == '[' {
		return catalog.ToolsMillwright
	}
	if len(trimmed) > 0 && trimmed[0] == '{' {
		var top map[string]json.RawMessage
		if json.Unmarshal(data, &top) != nil {
			return ""
		}
		switch {
		case fusion.Is(top):
			return catalog.ToolsFusion
		case freecad.Is(top):
			return catalog.ToolsFreeCAD
		case native.Is(top):
			return catalog.ToolsMillwright
		}
		return ""
	}
	if linuxcnc.Is(data) {
		return catalog.ToolsLinuxCNC
	}
	return ""
}
