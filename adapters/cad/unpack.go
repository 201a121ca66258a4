package cad

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"path"
	"strings"

	"millwright.dev/millwright/adapters/cad/internal/inflate"
	"millwright.dev/millwright/core/fault"
)

var errTooLarge = errors.New("unpacked size over the limit")

// unpack returns the content of a gzip or zip file that contains one CAD file, and its name, or "" if it is not stated.
// limit is in bytes.
func unpack(src io.ReaderAt, size int64, format Format, limit int64) (content *bytes.Reader, name string, err error) {
	var data []byte
	if format == Gzip {
		data, err = unpackGzip(src, size, limit)
	} else {
		data, name, err = unpackZip(src, size, limit)
	}
	switch {
	case errors.Is(err, errTooLarge):
		return nil, "", inflate.TooLarge(limit)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, "", unreadable("The compressed file is cut off.")
	case errors.Is(err, zip.ErrAlgorithm):
		return nil, "", unreadable("The archive is compressed by a method that is not read.")
	case err != nil:
		var failure *fault.Error
		if errors.As(err, &failure) {
			return nil, "", err
		}
		return nil, "", unreadable("The compressed file is damaged.")
	}
	return bytes.NewReader(data), name, nil
}

func unpackGzip(src io.ReaderAt, size, limit int64) ([]byte, error) {
	zr, err := gzip.NewReader(io.NewSectionReader(src, 0, size))
	if err != nil {
		return nil, err
	}
	var end [4]byte // the size of the content, modulo 2³²
	if _, err := src.ReadAt(end[:], size-int64(len(end))); err != nil && err != io.EOF {
		return nil, err
	}
	return readLimited(zr, int64(binary.LittleEndian.Uint32(end[:])), limit)
}

// unpackZip returns the only STEP or IGES file of the archive, or else the only file with the suffix of another CAD
// format: a native file often comes with an exchange file of the same part. For formats that are archives themselves,
// it returns only the identifying name; see archiveOf.
func unpackZip(src io.ReaderAt, size, limit int64) ([]byte, string, error) {
	zr, err := zip.NewReader(src, size)
	if err != nil {
		return nil, "", err
	}
	var exchange, native []*zip.File
	for _, f := range zr.File {
		formats, isCAD := bySuffix[strings.ToLower(path.Ext(f.Name))]
		switch {
		case archiveOf(f.Name) != Unknown:
			return nil, f.Name, nil
		case !isCAD || strings.HasPrefix(f.Name, "__MACOSX/"):
		case formats[0] == STEP || formats[0] == IGES:
			exchange = append(exchange, f)
		default:
			native = append(native, f)
		}
	}
	found := exchange
	if len(found) == 0 {
		found = native
	}
	switch {
	case len(found) == 0:
		return nil, "", unreadable("The archive holds no file whose name ends like that of a CAD file " +
			"(.step, .igs, .x_t, .sldprt, .prt and others); unpack it and upload the CAD file.")
	case len(found) > 1:
		return nil, "", unreadable("The archive holds several CAD files; unpack it and upload them one by one.")
	}
	rc, err := found[0].Open()
	if err != nil {
		return nil, "", err
	}
	defer rc.Close()
	data, err := readLimited(rc, int64(found[0].UncompressedSize64), limit)
	return data, found[0].Name, err
}

// archiveOf returns the archive format by file name: a file of CATIA V6, which may be in an archive with others, or the
// model of a 3MF package.
func archiveOf(name string) Format {
	switch name = strings.ToLower(name); {
	case path.Ext(name) == ".3dxml" || path.Ext(name) == ".3drep":
		return CATIAV6
	case name == "3d/3dmodel.model":
		return ThreeMF
	}
	return Unknown
}

// readLimited reads up to limit bytes. said is the number of bytes that the file states. If it is right, the content is
// in memory only once.
func readLimited(r io.Reader, said, limit int64) ([]byte, error) {
	var buf bytes.Buffer
	buf.Grow(int(min(uint64(said), uint64(limit))) + bytes.MinRead)
	n, err := buf.ReadFrom(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if n > limit {
		return nil, errTooLarge
	}
	return buf.Bytes(), nil
}
