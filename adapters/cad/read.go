package cad

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"millwright.dev/millwright/adapters/cad/catia"
	"millwright.dev/millwright/adapters/cad/iges"
	"millwright.dev/millwright/adapters/cad/internal/inflate"
	"millwright.dev/millwright/adapters/cad/nx"
	"millwright.dev/millwright/adapters/cad/parasolid"
	"millwright.dev/millwright/adapters/cad/solidworks"
	"millwright.dev/millwright/adapters/cad/step"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/repair"
)

// refusals say in one sentence why a format that is recognized cannot be read.
var refusals = map[Format]fault.Error{
	Empty: {Code: fault.UnreadableFile, Reason: "The file is empty; upload it again."},
	LFSPointer: {Code: fault.UnreadableFile,
		Reason: "The file is only a Git LFS pointer, not the CAD file itself; " +
			"fetch the real file with 'git lfs pull' and upload that."},
	WebPage: {Code: fault.UnreadableFile,
		Reason: "The file is a web page, not a CAD model, perhaps the answer to a download that failed; " +
			"download the CAD file again and upload that."},
	Archive: {Code: fault.UnreadableFile,
		Reason: "The file is an archive of a kind that is not read; unpack it and upload the CAD file in it."},
}

// converted are the formats that only another program reads, in words.
var converted = map[Format]string{
	IGESBinary:       "binary IGES",
	CATIAV4:          "a CATIA V4 model",
	CATIAV6:          "a CATIA V6 3DXML archive",
	Creo:             "a Creo part",
	JT:               "JT",
	Inventor:         "an Autodesk Inventor file (.ipt or .iam)",
	CompoundDocument: "a compound document of a CAD system that is not read here",
}

// readers map readable formats to readers. The sag of the model is the deviation of inexact shape, for example of
// CATIA.
var readers = map[Format]func(context.Context, io.ReaderAt, int64) (*brep.Model, error){
	STEP: func(ctx context.Context, src io.ReaderAt, size int64) (*brep.Model, error) {
		return step.Read(ctx, src, size, step.Options{})
	},
	IGES:            iges.Read,
	IGESCompressed:  iges.Read,
	ParasolidText:   parasolid.Read,
	ParasolidBinary: parasolid.Read,
	SolidWorks:      solidworks.Read,
	NX:              nx.Read,
	CATIA:           catia.Read,
}

// Reader reads CAD files.
type Reader struct {
	// Converter converts files of unreadable formats to readable ones; nil if there is no converter.
	Converter Converter
	// Found is called with the detected format before the file is read; it may be nil.
	Found func(Format)
}

// Converter turns files of formats that are not read here into ones that are. Formats are named as Format is.
type Converter interface {
	fmt.Stringer // the program with its version
	Converts(format string) bool
	IsExact(format string) bool // the converted file has the exact shape of the original
	// Convert takes the suffix of the file's name, which some programs go by.
	Convert(ctx context.Context, src io.ReaderAt, size int64, format, suffix string) ([]byte, error)
}

// Read calls Reader.Read without a converter.
func Read(ctx context.Context, src io.ReaderAt, size int64, fileName string) (*brep.Model, Format, error) {
	return Reader{}.Read(ctx, src, size, fileName)
}

// Read reads a CAD file of any readable format and repairs the model. The content decides the format. If the suffix of
// fileName indicates another one, the model has the warning "format_mismatch". Errors caused by the file are
// *fault.Error; the Format is valid with them too.
func (r Reader) Read(ctx context.Context, src io.ReaderAt, size int64, fileName string) (*brep.Model, Format, error) {
	f, err := identify(src, size, fileName)
	if r.Found != nil {
		r.Found(f.format)
	}
	if err != nil {
		return nil, f.format, err
	}
	m, err := r.readFile(ctx, f)
	if err != nil {
		return nil, f.format, err
	}
	if err := repair.Model(ctx, m); err != nil {
		return nil, f.format, err
	}
	if w, ok := mismatch(fileName, f.format); ok {
		m.Warnings = append(m.Warnings, w)
	}
	return m, f.format, nil
}

// file is a CAD file, unpacked where it was packed.
type file struct {
	src    io.ReaderAt
	size   int64
	head   []byte
	format Format
	suffix string // of its name, in lower case
}

// identify detects the format of a file, or of the file in an archive. It returns the format of the archive if the
// error concerns the archive.
func identify(src io.ReaderAt, size int64, fileName string) (file, error) {
	f := file{src: src, size: size, suffix: suffixOf(fileName)}
	var err error
	if f.head, err = readHead(src, size); err != nil {
		return f, fmt.Errorf("read the first bytes: %w", err)
	}
	f.format = Detect(f.head)
	if packed := f.format; packed == Zip || packed == Gzip {
		content, name, err := unpack(src, size, packed, inflate.Most(size))
		if err != nil {
			return f, err
		}
		if of := archiveOf(name); of != Unknown { // the archive is the file
			f.format = of
			return f, nil
		}
		f.src, f.size, f.suffix = content, content.Size(), cmp.Or(suffixOf(name), f.suffix)
		if f.head, err = readHead(f.src, f.size); err != nil {
			return f, fmt.Errorf("read the first bytes: %w", err)
		}
		f.format = Detect(f.head)
		isNothing := f.format == Unknown && detectForeign(f.head, f.size) == Unknown
		if isNothing || f.format == Empty || f.format == Zip || f.format == Gzip {
			f.format = packed
			return f, unreadable("The compressed file holds no CAD file of a known format; " +
				"export the part as STEP and upload that.")
		}
	}
	switch {
	case f.format == CompoundDocument:
		f.format, err = detectCompound(f.src, f.size)
	case f.format == Unknown && f.suffix == ".model" && !utf8.Valid(f.head):
		f.format = CATIAV4 // its beginning has no signature
	case f.format == Unknown:
		f.format = detectForeign(f.head, f.size)
	}
	return f, err
}

// readFile reads a file, converted before where its format is one for the converter.
func (r Reader) readFile(ctx context.Context, f file) (*brep.Model, error) {
	if r.Converter != nil && r.Converter.Converts(string(f.format)) {
		return r.convert(ctx, f)
	}
	if read, ok := readers[f.format]; ok {
		return read(ctx, f.src, f.size)
	}
	if what, ok := converted[f.format]; ok {
		return nil, fault.Errorf(fault.ConverterUnavailable,
			"The file is %s, which takes a converter, and none is configured "+
				"for it (--converter, format %q); export the part as STEP.", what, f.format)
	}
	return nil, refuse(f.format, f.head, f.size)
}

// convert reads the output of the converter for a file.
func (r Reader) convert(ctx context.Context, f file) (*brep.Model, error) {
	made, err := r.Converter.Convert(ctx, f.src, f.size, string(f.format), f.suffix)
	if err != nil {
		return nil, err
	}
	of, err := identify(bytes.NewReader(made), int64(len(made)), "")
	var m *brep.Model
	if read, ok := readers[of.format]; ok && err == nil {
		m, err = read(ctx, of.src, of.size)
	} else if err == nil {
		err = refuse(of.format, of.head, of.size)
	}
	var bad *fault.Error
	if errors.As(err, &bad) {
		return nil, fault.Errorf(bad.Code, "What the converter %s made of the file cannot be used: %s",
			r.Converter, bad.Reason)
	}
	if err != nil {
		return nil, err
	}
	exact := "exact"
	if !r.Converter.IsExact(string(f.format)) {
		exact = "approximate"
		m.Sag = math.Inf(1)
	}
	m.Warnings = append(m.Warnings,
		fault.Warnf("converted", 1, "The file was converted from %s to %s by %s; the shape is %s",
			strings.ToUpper(string(f.format)), strings.ToUpper(string(of.format)), r.Converter, exact))
	return m, nil
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
	const advice = "export the part as STEP and upload that"
	if f, ok := refusals[format]; ok {
		return &f
	}
	if what, ok := foreign[format]; ok {
		return unreadable("The file is " + what + "; " + advice + ".")
	}
	text := bytes.Trim(head, " \t\r\n\f\v\x00")
	switch {
	case len(text) == 0 && size == int64(len(head)):
		return unreadable("The file contains only blanks; " + advice + ".")
	case len(text) == 0:
		return unreadable(fmt.Sprintf("The file is not a CAD file: its first %d kB are blanks; %s.",
			HeadSize>>10, advice))
	case !isText(head):
		return unreadable("The file format is not recognized; " + advice + ".")
	}
	const shown = 24
	return unreadable(fmt.Sprintf("The file is a text that begins with %q and no CAD file of a known format; %s.",
		text[:min(len(text), shown)], advice))
}

func unreadable(reason string) *fault.Error {
	return &fault.Error{Code: fault.UnreadableFile, Reason: reason}
}

// Extensions returns the extensions of readable and convertible files, lower case, in alphabetical order.
func Extensions() []string { return slices.Sorted(maps.Keys(bySuffix)) }

// bySuffix maps file suffixes to the formats that they indicate.
var bySuffix = map[string][]Format{
	".stp": {STEP}, ".step": {STEP}, ".p21": {STEP}, ".stpz": {STEP},
	".igs": {IGES}, ".iges": {IGES},
	".x_t": {ParasolidText}, ".xmt_txt": {ParasolidText},
	".x_b": {ParasolidBinary}, ".xmt_bin": {ParasolidBinary},
	".sldprt": {SolidWorks}, ".prt": {NX, Creo}, ".catpart": {CATIA}, ".model": {CATIAV4},
}

// suffixOf returns the suffix of a name in lower case, that before a ".gz" where there is one.
func suffixOf(name string) string {
	return path.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz"))
}

// mismatch returns the warning that a file's suffix and content disagree.
func mismatch(fileName string, format Format) (fault.Warning, bool) {
	suffix := suffixOf(fileName)
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
