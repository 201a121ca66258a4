package cad

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"millwright/adapters/cad/iges"
	"millwright/adapters/cad/parasolid"
	"millwright/adapters/cad/step"
	"millwright/core/brep"
	"millwright/core/brep/repair"
	"millwright/core/fault"
)

// refusals say in one sentence why a format that is recognised cannot be read.
var refusals = map[Format]fault.Error{
	Empty:            {Code: fault.UnreadableFile, Reason: "The file is empty."},
	IGESBinary:       notYet("binary IGES"),
	SolidWorks:       notYet("a SolidWorks part"),
	NX:               notYet("a Siemens NX part"),
	CATIA:            notYet("a CATIA V5 part"),
	Creo:             notYet("a Creo part"),
	JT:               notYet("JT"),
	CompoundDocument: notYet("a compound document of a CAD system that is not known here"),
	LFSPointer: {Code: fault.UnreadableFile,
		Reason: "The file is only a Git LFS pointer, not the CAD file itself; " +
			"fetch the real file with 'git lfs pull' and upload that."},
}

func notYet(what string) fault.Error {
	return fault.Error{Code: fault.UnsupportedVersion,
		Reason: "The file is " + what + ", which cannot be read; export the part as STEP."}
}

// readers read the formats whose shape is exact.
var readers = map[Format]func(context.Context, io.ReaderAt, int64) (*brep.Model, error){
	STEP: func(ctx context.Context, src io.ReaderAt, size int64) (*brep.Model, error) {
		return step.Read(ctx, src, size, step.Options{})
	},
	IGES:            iges.Read,
	IGESCompressed:  iges.Read,
	ParasolidText:   parasolid.Read,
	ParasolidBinary: parasolid.Read,
}

// Read reads a CAD file of any readable format and repairs the model. The content decides which format; when the
// suffix of fileName says something else, the model carries the warning "format_mismatch". Errors that are the file's fault are *fault.Error; the Format is valid with them too.
func Read(ctx context.Context, src io.ReaderAt, size int64, fileName string) (*brep.Model, Format, error) {
	head, err := readHead(src, size)
	if err != nil {
		return nil, Unknown, fmt.Errorf("read the first bytes: %w", err)
	}
	format := Detect(head)
	if format == Zip || format == Gzip {
		packed := format
		content, err := unpack(src, size, packed, maxUnpacked)
		if err != nil {
			return nil, packed, err
		}
		src, size = content, content.Size()
		if head, err = readHead(src, size); err != nil {
			return nil, packed, fmt.Errorf("read the first bytes: %w", err)
		}
		format = Detect(head)
		if _, ok := readers[format]; !ok {
			return nil, packed, unreadable("The compressed file holds no STEP or IGES file.")
		}
	}
	if format == CompoundDocument {
		format = detectCompound(src)
	}
	read, ok := readers[format]
	if !ok {
		return nil, format, refuse(format, head, size)
	}
	m, err := read(ctx, src, size)
	if err != nil {
		return nil, format, err
	}
	if err := repair.Model(ctx, m); err != nil {
		return nil, format, err
	}
	if w, ok := mismatch(fileName, format); ok {
		m.Warnings = append(m.Warnings, w)
	}
	return m, format, nil
}

func readHead(src io.ReaderAt, size int64) ([]byte, error) {
	head := make([]byte, max(0, min(size, HeadSize)))
	if len(head) == 0 {
		return head, nil
	}
	n, err := src.ReadAt(head, 0)
	if n == len(head) || err == io.EOF {
		return head[:n], nil
	}
	return nil, err
}

func refuse(format Format, head []byte, size int64) error {
	if f, ok := refusals[format]; ok {
		return &f
	}
	text := bytes.Trim(head, " \t\r\n\f\v\x00")
	if len(text) == 0 && size == int64(len(head)) {
		return unreadable("The file holds nothing but blanks.")
	}
	if len(text) == 0 {
		return unreadable(fmt.Sprintf("The file is no CAD file: its first %d kB are blanks.", HeadSize>>10))
	}
	const shown = 24
	return unreadable(fmt.Sprintf("The file is no CAD file of a known format; it begins with %q.",
		text[:min(len(text), shown)]))
}

func unreadable(reason string) *fault.Error {
	return &fault.Error{Code: fault.UnreadableFile, Reason: reason}
}

// bySuffix says which formats a suffix promises. ".prt" and ".model" promise nothing that can be read.
var bySuffix = map[string][]Format{
	".stp": {STEP}, ".step": {STEP}, ".p21": {STEP}, ".stpz": {STEP},
	".igs": {IGES}, ".iges": {IGES},
	".x_t": {ParasolidText}, ".xmt_txt": {ParasolidText},
	".x_b": {ParasolidBinary}, ".xmt_bin": {ParasolidBinary},
	".sldprt": {SolidWorks}, ".prt": {NX, Creo}, ".catpart": {CATIA}, ".model": {},
}

// mismatch returns the warning that a file's suffix and content disagree.
func mismatch(fileName string, format Format) (fault.Warning, bool) {
	suffix := strings.ToLower(path.Ext(fileName))
	promised, known := bySuffix[suffix]
	if !known {
		return fault.Warning{}, false
	}
	for _, p := range promised {
		if p == format {
			return fault.Warning{}, false
		}
	}
	return fault.Warnf("format_mismatch", 1,
		"The name ends in %s, but the content is %s and was read as that.", suffix,
		strings.ToUpper(string(format))), true
}
