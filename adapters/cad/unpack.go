package cad

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"path"
	"strings"

	"millwright/core/fault"
)

// maxUnpacked (bytes) is the largest text unpacked from a compressed file: as large as an upload may be,
// so that a decompression bomb costs no more than an honest file.
const maxUnpacked = 500 << 20

var errTooLarge = errors.New("unpacked size over the limit")

// unpack returns the content of a gzip or zip file that holds one STEP or IGES file. limit is in bytes.
func unpack(src io.ReaderAt, size int64, format Format, limit int64) (*bytes.Reader, error) {
	var data []byte
	var err error
	if format == Gzip {
		data, err = unpackGzip(src, size, limit)
	} else {
		data, err = unpackZip(src, size, limit)
	}
	switch {
	case errors.Is(err, errTooLarge):
		return nil, fault.Errorf(fault.TooComplex,
			"The compressed file unpacks to more than %d MB.", limit>>20)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, unreadable("The compressed file is cut off.")
	case errors.Is(err, zip.ErrAlgorithm):
		return nil, unreadable("The archive is compressed by a method that is not read.")
	case err != nil:
		var failure *fault.Error
		if errors.As(err, &failure) {
			return nil, err
		}
		return nil, unreadable("The compressed file is damaged.")
	}
	return bytes.NewReader(data), nil
}

func unpackGzip(src io.ReaderAt, size, limit int64) ([]byte, error) {
	zr, err := gzip.NewReader(io.NewSectionReader(src, 0, size))
	if err != nil {
		return nil, err
	}
	return readLimited(zr, limit)
}

// unpackZip takes the only STEP or IGES file of the archive.
func unpackZip(src io.ReaderAt, size, limit int64) ([]byte, error) {
	zr, err := zip.NewReader(src, size)
	if err != nil {
		return nil, err
	}
	var found *zip.File
	for _, f := range zr.File {
		switch strings.ToLower(path.Ext(f.Name)) {
		case ".stp", ".step", ".p21", ".igs", ".iges":
			if found != nil {
				return nil, unreadable("The archive holds several STEP or IGES files; upload them one by one.")
			}
			found = f
		case ".3dxml", ".3drep":
			return nil, &fault.Error{Code: fault.UnsupportedVersion,
				Reason: "The file is a CATIA V6 3DXML archive; export the part as STEP."}
		}
	}
	if found == nil {
		return nil, unreadable("The archive holds no STEP or IGES file (.stp, .step, .p21, .igs or .iges).")
	}
	rc, err := found.Open()
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	return readLimited(rc, limit)
}

func readLimited(r io.Reader, limit int64) ([]byte, error) {
	var buf bytes.Buffer
	n, err := io.Copy(&buf, io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if n > limit {
		return nil, errTooLarge
	}
	return buf.Bytes(), nil
}
