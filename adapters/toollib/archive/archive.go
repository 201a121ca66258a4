// Package archive unpacks zip files of tools from untrusted users, within limits: a few kilobytes of zip can contain
// gigabytes of zeros.
package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// Limits of unpacked archives.
const (
	MaxEntries  = 10_000   // in the directory of the zip
	MaxUnpacked = 24 << 20 // bytes of all files together
)

// byteOrderMark is the prefix of some editors before UTF-8 text.
const byteOrderMark = "\xef\xbb\xbf"

// ErrTooLarge is returned for a zip with more content than the limits allow.
var ErrTooLarge = errors.New("the zip holds too much")

// File is one unpacked file.
type File struct {
	Name string // path inside the zip, with folders
	Data []byte
}

// IsZip reports whether data begins as a zip file does.
func IsZip(data []byte) bool {
	return bytes.HasPrefix(data, []byte("PK\x03\x04")) || bytes.HasPrefix(data, []byte("PK\x05\x06"))
}

// Files unpacks the files with one of the given extensions (lower case, with the dot), in the order of the
// zip's directory. Other files are not touched. Nothing is written to disk, so names cannot do harm.
func Files(data []byte, extensions ...string) ([]File, error) {
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("read the zip: %w", err)
	}
	if len(r.File) > MaxEntries {
		return nil, fmt.Errorf("%w: %d entries, more than %d", ErrTooLarge, len(r.File), MaxEntries)
	}
	var out []File
	left := int64(MaxUnpacked)
	for _, f := range r.File {
		if f.FileInfo().IsDir() || shadow(f.Name) || !wanted(f.Name, extensions) {
			continue
		}
		content, err := unpack(f, left)
		if err != nil {
			return nil, err
		}
		left -= int64(len(content))
		out = append(out, File{Name: f.Name, Data: bytes.TrimPrefix(content, []byte(byteOrderMark))})
	}
	return out, nil
}

// shadow reports whether a file is one that macOS packs beside each real file, with the same suffix:
// "__MACOSX/Bit/._5mm.fctb".
func shadow(name string) bool {
	return strings.HasPrefix(name, "__MACOSX/") || strings.HasPrefix(path.Base(name), "._")
}

func wanted(name string, extensions []string) bool {
	for _, e := range extensions {
		if strings.EqualFold(path.Ext(name), e) {
			return true
		}
	}
	return false
}

// unpack reads one file of at most left bytes. It does not trust the size in the directory entry.
func unpack(f *zip.File, left int64) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("unpack %q: %w", f.Name, err)
	}
	defer func() { _ = r.Close() }()
	content, err := io.ReadAll(io.LimitReader(r, left+1))
	if err != nil {
		return nil, fmt.Errorf("unpack %q: %w", f.Name, err)
	}
	if int64(len(content)) > left {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, MaxUnpacked)
	}
	return content, nil
}
