// Package cad detects the format of a CAD file and reads the file into a boundary representation.
//
// The content decides, never the name: suffixes are shared between systems (.prt) and often wrong.
package cad

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"millwright.dev/millwright/adapters/cad/internal/compound"
	"millwright.dev/millwright/adapters/cad/nx"
	"millwright.dev/millwright/adapters/cad/solidworks"
)

// Format is the format of a file by its first bytes.
type Format string

// The formats that Detect distinguishes. Read reads only some of them.
const (
	Unknown          Format = ""
	Empty            Format = "empty"
	STEP             Format = "step"
	IGES             Format = "iges"
	IGESCompressed   Format = "iges_compressed"
	IGESBinary       Format = "iges_binary"
	ParasolidText    Format = "parasolid_text"   // with a header before it or without
	ParasolidBinary  Format = "parasolid_binary" // neutral or machine-dependent, with a header or without
	SolidWorks       Format = "solidworks"
	NX               Format = "nx"
	CATIA            Format = "catia"
	CATIAV4          Format = "catia_v4"
	CATIAV6          Format = "catia_v6"
	Creo             Format = "creo"
	JT               Format = "jt"
	Inventor         Format = "inventor"
	CompoundDocument Format = "compound_document" // OLE2: SolidWorks to 2014, NX to 11, Inventor, Solid Edge …
	Zip              Format = "zip"
	Gzip             Format = "gzip"
	LFSPointer       Format = "git_lfs_pointer"
)

// HeadSize is the number of first bytes that Detect wants: enough to look past leading blank lines.
const HeadSize = 64 << 10

var signatures = []struct {
	prefix string
	format Format
}{
	{compound.Signature, CompoundDocument},
	{nx.Signature, NX},
	{"V5_CFV2", CATIA},
	{"V5_CFV4", CATIA},
	{"PS\x00\x00", ParasolidBinary},
	{"#UGC:", Creo},
	{"PK\x03\x04", Zip},
	{"\x1F\x8B", Gzip},
	{"version https://git-lfs", LFSPointer},
}

// Detect returns the format by the first bytes of a file (HeadSize bytes, or the whole of a smaller file).
func Detect(head []byte) Format {
	if len(head) == 0 {
		return Empty
	}
	for _, s := range signatures {
		if bytes.HasPrefix(head, []byte(s.prefix)) {
			return s.format
		}
	}
	switch {
	case isSTEP(head):
		return STEP
	case solidworks.IsChunked(head):
		return SolidWorks
	case bytes.HasPrefix(head, []byte(parasolidHeader)):
		return behindHeader(head)
	case isParasolidStream(head, 'T'):
		return ParasolidText
	case isParasolidStream(head, 'B'):
		return ParasolidBinary
	case isJT(head):
		return JT
	}
	if format := detectIGES(head); format != Unknown {
		return format
	}
	if bytes.Contains(bytes.ToUpper(head), []byte("ISO-10303-21;")) {
		return STEP // behind the headers of a mail, for example
	}
	return Unknown
}

func isSTEP(head []byte) bool {
	const magic = "ISO-10303-21"
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \t\r\n\f\v")
	return len(text) >= len(magic) && strings.EqualFold(string(text[:len(magic)]), magic)
}

// isParasolidStream recognizes a Parasolid stream without text header by its description string.
func isParasolidStream(head []byte, flag byte) bool {
	const probe = 32
	return head[0] == flag && bytes.Contains(head[:min(len(head), probe)], []byte(": TRANSMIT FILE"))
}

// parasolidHeader begins the text header of Parasolid files.
const parasolidHeader = "**ABCDEFGHIJKLMNOP"

// behindHeader detects the kind of a Parasolid file by the bytes after its header, which binary files have as well.
func behindHeader(head []byte) Format {
	_, rest, _ := bytes.Cut(head, []byte("**END_OF_HEADER"))
	if _, stream, ok := bytes.Cut(rest, []byte("\n")); ok && len(stream) > 0 && stream[0] != 'T' {
		return ParasolidBinary
	}
	return ParasolidText
}

// isJT recognizes "Version N.N JT".
func isJT(head []byte) bool {
	rest, ok := bytes.CutPrefix(head, []byte("Version "))
	if !ok {
		return false
	}
	number, rest, ok := bytes.Cut(rest, []byte(" "))
	return ok && len(number) <= 6 && bytes.HasPrefix(rest, []byte("JT"))
}

// detectIGES looks at column 73 of the first line that is not blank, the section letter, and at the sequence
// number behind it. The binary form begins with a B, the number of bytes in the rest of its flag section, 75,
// and has its B in column 73 too.
func detectIGES(head []byte) Format {
	const letter, end = 72, 80
	if len(head) >= end && bytes.HasPrefix(head, []byte("B\x00\x00\x00\x4B")) && head[letter] == 'B' {
		return IGESBinary
	}
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), "\r\n")
	line := head
	if at := bytes.IndexAny(head, "\r\n"); at >= 0 {
		line = head[:at]
	}
	columns := []rune(string(line[:min(len(line), 4*end)]))
	if !utf8.Valid(line) || len(columns) < end {
		columns = columns[:0]
		for _, c := range line[:min(len(line), end)] {
			columns = append(columns, rune(c))
		}
	}
	isControl := func(r rune) bool { return r < ' ' && r != '\t' }
	if len(columns) < end || slices.ContainsFunc(columns[:letter], isControl) {
		return Unknown
	}
	number := strings.TrimLeft(string(columns[letter+1:end]), " 0")
	switch c := columns[letter]; {
	case (c == 'S' || c == 's') && number == "1":
		return IGES
	case c == 'C' && (number == "1" || number == ""):
		return IGESCompressed
	case c == 'B' && (number == "1" || number == ""):
		return IGESBinary
	}
	return Unknown
}

// detectCompound detects the origin of a compound document by the paths of its streams: NX up to 11, SolidWorks up to
// 2014, Inventor. Other documents, such as Solid Edge, stay compound documents. A damaged document is an error.
func detectCompound(src io.ReaderAt, size int64) (Format, error) {
	f, err := compound.Open(src, size)
	if errors.Is(err, compound.ErrDamaged) {
		return CompoundDocument,
			unreadable("The file is a compound document whose table of contents is damaged or cut off.")
	}
	if err != nil {
		return CompoundDocument, err
	}
	if f.Has("UG_PART/UG_PART") {
		return NX, nil
	}
	if f.Has("RSeStorage/") || f.Has("UFRxDoc") {
		return Inventor, nil
	}
	for _, prefix := range []string{
		"Contents/Definition", "Contents/CMgr", "swXmlContents/", "ISolidWorksInformation", "_MO_VERSION_",
	} {
		if f.Has(prefix) {
			return SolidWorks, nil
		}
	}
	return CompoundDocument, nil
}
