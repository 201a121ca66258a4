package cad

import (
	"bytes"
	"encoding/binary"
	"net/http"
	"regexp"
	"strings"
)

// The kinds of files that are no CAD models with exact surfaces, told apart to say what is wrong.
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

// foreign are those of them that only another export of the part replaces, in words.
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

// How texts of foreign kinds begin. Comments and names of materials and groups may stand before the first vertex of an
// OBJ file.
var (
	asciiSTL = regexp.MustCompile(`(?i)\Asolid\b[^\n]*\n\s*facet\s+normal\b`)
	objText  = regexp.MustCompile(`\A(?:#[^\n]*\n|(?:o|g|s|mtllib|usemtl)[ \t][^\n]*\n|\s*\n)*v[ \t]+[-+.\d]`)
	dxfText  = regexp.MustCompile(`\A(?:\s*999\s*\n[^\n]*\n)*\s*0\s*\r?\n\s*SECTION\b`)
	dwgMark  = regexp.MustCompile(`\AAC10\d\d`)
)

// detectForeign tells what a file is that Detect does not know, from its first bytes and its size; Unknown for texts
// and what nobody knows.
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

// isText reports whether a file begins like a text, of which the beginning can be shown.
func isText(head []byte) bool {
	kind := http.DetectContentType(head)
	return strings.HasPrefix(kind, "text/plain") || strings.HasPrefix(kind, "text/xml")
}
