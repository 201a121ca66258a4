// Package toollib reads files of tools: lists of this service, and the libraries of CAM programs. Each format
// has a package of its own below; this one tells them apart. What all of them share is in draft (filling gaps,
// the report) and archive (unpacking within limits).
//
// Whatever the bytes, reading ends, takes memory within a small multiple of service.MaxToolFile and
// archive.MaxUnpacked, and gives an error or a report, never a panic: fuzz targets hold each reader to it.
package toollib

import (
	"bytes"
	"encoding/json"
	"errors"

	"millwright/adapters/toollib/archive"
	"millwright/adapters/toollib/freecad"
	"millwright/adapters/toollib/fusion"
	"millwright/adapters/toollib/internal/draft"
	"millwright/adapters/toollib/linuxcnc"
	"millwright/adapters/toollib/native"
	"millwright/core/service"
)

// Reader is service.ToolReader for every format.
type Reader struct{}

var _ service.ToolReader = Reader{}

// ReadTools implements service.ToolReader.
func (Reader) ReadTools(data []byte, o service.ToolFileOptions) (service.ToolFile, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // the mark that some editors put before UTF-8
	format := o.Format
	if format == "" {
		format = detect(data)
	}
	var file service.ToolFile
	var err error
	switch format {
	case service.ToolsMillwright:
		file, err = native.Read(data)
	case service.ToolsFusion:
		file, err = fusion.Read(data)
	case service.ToolsFreeCAD:
		file, err = freecad.Read(data)
	case service.ToolsLinuxCNC:
		file, err = linuxcnc.Read(data, o.Unit)
	default:
		return file, service.Errorf(service.CodeInvalidRequest, "The file is none of the known formats: a Fusion "+
			"tool library (.json, .tools), FreeCAD tool bits (.fctb, or a zip of .fctb and .fctl), a LinuxCNC tool "+
			"table, or tools of this service.")
	}
	switch {
	case errors.Is(err, archive.ErrTooLarge):
		return file, service.Errorf(service.CodePayloadTooLarge, "The file cannot be read: %s.", plain(err))
	case err != nil:
		return file, service.Errorf(service.CodeInvalidRequest, "The file cannot be read: %s.", plain(err))
	}
	return file, nil
}

// plain is the text of an error, short and fit to be shown.
func plain(err error) string {
	const most = 300
	return draft.Clean(err.Error(), most)
}

// detect tells the format from the content, "" when it is none.
func detect(data []byte) service.ToolFormat {
	if archive.IsZip(data) {
		if files, err := archive.Files(data, ".fctb"); err == nil && len(files) > 0 {
			return service.ToolsFreeCAD
		}
		return service.ToolsFusion
	}
	trimmed := bytes.TrimSpace(data)
	if len(trimmed) > 0 && trimmed[0] == '[' {
		return service.ToolsMillwright
	}
	if len(trimmed) > 0 && trimmed[0] == '{' {
		var top map[string]json.RawMessage
		if json.Unmarshal(data, &top) != nil {
			return ""
		}
		switch {
		case fusion.Is(top):
			return service.ToolsFusion
		case freecad.Is(top):
			return service.ToolsFreeCAD
		case native.Is(top):
			return service.ToolsMillwright
		}
		return ""
	}
	if linuxcnc.Is(data) {
		return service.ToolsLinuxCNC
	}
	return ""
}
