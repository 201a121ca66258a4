package cad

import (
	"bytes"
	"encoding/binary"
	"net/http"
	"regexp"
	"strings"
)

// The kinds of files that are not CAD models with exact surfaces, distinguished for the error message.
const (
	PDF     Format = "pdf"
	Picture Format = "picture"
	WebPage Format = "web_page"
	Archive Format = "archive" // other than ZIP and gzip
	DXF     Format = "dxf"
	DWG     Format = "dwg"
	STL     Format = "stl"
	OBJ     Format = "obj"
	PLY     Format = "ply"
	GLB     Format = "glb"
	ThreeMF Format = "3mf"
)

// foreign maps formats that only another export of the part can replace to their description.
var foreign = map[Format]string{
	PDF:     "a PDF document, not a CAD model",
	Picture: "a picture, not a CAD model",
	DXF:     "a DXF drawing, not a solid model",
	DWG:     "a DWG drawing, not a model that is read here",
	STL:     "an STL mesh of triangles, not a CAD model with exact surfaces",
	OBJ:     "an OBJ mesh of triangles, not a CAD model with exact surfaces",
	PLY:     "a PLY mesh of triangles, not a CAD model with exact surfaces",
	GLB:     "a glTF mesh of triangles, not a CAD model with exact surfaces",
	ThreeMF: "a 3MF mesh of triangles, not a CAD model with exact surfaces",
}

// The beginnings of foreign texts. In an OBJ file, comments and names of materials and groups may precede the first
// vertex.
var (
	asciiSTL = regexp.MustCompile(`(?i)\Asolid\b[^\n]*\n\s*facet\s+normal\b`)
	objText  = regexp.MustCompile(`\A(?:#[^\n]*\n|(?:o|g|s|mtllib|usemtl)[ \t][^\n]*\n|\s*\n)*v[ \t]+[-+.\d]`)
	dxfText  = regexp.MustCompile(`\A(?:\s*999\s*\n[^\n]*\n)*\s*0\s*\r?\n\s*SECTION\b`)
	dwgMark  = regexp.MustCompile(`\AAC10\d\d`)
)

// detectForeign returns the kind of a file that Detect does not know, by its first bytes and its size. It returns
// Unknown for other texts and unknown kinds.
func detectForeign(head []byte, size int64) Format {
	const stlHeader, stlTriangle = 84, 50
	has := func(prefix string) bool { return bytes.HasPrefix(head, []byte(prefix)) }
	switch {
	case asciiSTL.Match(head), len(head) >= stlHeader && size > stlHeader &&
		size == stlHeader+stlTriangle*int64(binary.LittleEndian.Uint32(head[stlHeader-4:])):
		return STL
	case dxfText.Match(head), has("AutoCAD Binary DXF"):
		return DXF
	case dwgMark.Match(head):
		return DWG
	case objText.Match(head):
		return OBJ
	case has("ply\n"), has("ply\r\n"):
		return PLY
	case has("glTF"):
		return GLB
	case has("7z\xBC\xAF\x27\x1C"), has("\xFD7zXZ"), has("BZh"):
		return Archive
	}
	switch kind := http.DetectContentType(head); {
	case kind == "application/pdf":
		return PDF
	case strings.HasPrefix(kind, "image/"):
		return Picture
	case strings.HasPrefix(kind, "text/html"):
		return WebPage
	case kind == "application/x-rar-compressed":
		return Archive
	}
	return Unknown
}

// isText reports whether a file begins as text, so that a message can quote its beginning.
func isText(head []byte) bool {
	kind := http.DetectContentType(head)
	return strings.HasPrefix(kind, "text/plain") || strings.HasPrefix(kind, "text/xml")
}
