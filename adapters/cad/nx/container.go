package nx

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"millwright.dev/millwright/adapters/cad/internal/compound"
	"millwright.dev/millwright/core/fault"
)

// Signature is the beginning of NX files of release 12 and later.
const Signature = "SPLMSSTR"

// Paths of the used streams of a file: the part with its bodies, and its display data in either of two places.
const (
	partPath     = "UG_PART/UG_PART"
	shownPath    = "FastLoad/JT"
	shownPathOld = "UG_PART/JT"
)

// content is the used streams of a file, unpacked; nil if a stream is absent.
type content struct {
	part, shown []byte
}

// open reads the streams that are used.
func open(src io.ReaderAt, size int64) (*content, error) {
	head := make([]byte, len(Signature))
	if _, err := src.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, fmt.Errorf("read the first bytes: %w", err)
	}
	read := func(string) ([]byte, error) { return nil, unreadable("The file is not an NX file.") }
	switch string(head) {
	case Signature:
		d, err := readDirectories(src, size)
		if err != nil {
			return nil, err
		}
		read = d.read
	case compound.Signature:
		f, err := compound.Open(src, size)
		if err != nil {
			return nil, damaged(err)
		}
		read = f.Read
	}
	var c content
	for _, want := range []struct {
		path string
		into *[]byte
	}{{partPath, &c.part}, {shownPath, &c.shown}, {shownPathOld, &c.shown}} {
		if *want.into != nil {
			continue
		}
		data, err := read(want.path)
		if err != nil {
			return nil, damaged(err)
		}
		*want.into = data
	}
	return &c, nil
}

// damaged returns an error that describes damage of a container in words for a machinist.
func damaged(err error) error {
	if errors.Is(err, compound.ErrDamaged) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return unreadable("The file is damaged or cut off: its table of contents cannot be followed.")
	}
	return err
}

func unreadable(reason string) *fault.Error {
	return &fault.Error{Code: fault.UnreadableFile, Reason: reason}
}

// The container of NX 12 and later has two directories, one after its header and one at its end. An entry is a path
// with the offset and the size of the file, which is stored unpacked. Other entries have other numbers there.
const (
	footerAt     = 0x11 // in the header: six bytes, the offset of the second directory
	headerAt     = 0x19 // the first directory
	wordSize     = 6    // of HEADER and FOOTER, which the directories begin with
	rootName     = "/Root/"
	longestPath  = 4096
	smallest     = 4 + 16 // bytes of an entry
	offsetOfSize = 8
)

type span struct{ at, size int64 }

// directories are the files of a container, by path below the root.
type directories struct {
	src   io.ReaderAt
	files map[string]span
}

func readDirectories(src io.ReaderAt, size int64) (*directories, error) {
	d := &directories{src: src, files: map[string]span{}}
	var at [8]byte
	if _, err := src.ReadAt(at[:6], footerAt); err != nil {
		return nil, damaged(err)
	}
	err := d.readDirectory(headerAt, "HEADER", size)
	// The footer lists the files that were saved last; they take precedence.
	err = cmp.Or(d.readDirectory(int64(binary.LittleEndian.Uint64(at[:])), "FOOTER", size), err)
	if err != nil && d.files[partPath] == (span{}) {
		return nil, damaged(err)
	}
	return d, nil
}

func (d *directories) readDirectory(at int64, word string, size int64) error {
	r := bufio.NewReader(io.NewSectionReader(d.src, at, max(0, size-at)))
	var buf [longestPath]byte
	if _, err := io.ReadFull(r, buf[:wordSize+4]); err != nil {
		return err
	}
	count := binary.LittleEndian.Uint32(buf[wordSize:])
	if string(buf[:wordSize]) != word || int64(count)*smallest > size {
		return compound.ErrDamaged
	}
	for range count {
		if _, err := io.ReadFull(r, buf[:4]); err != nil {
			return err
		}
		length := binary.LittleEndian.Uint32(buf[:])
		if length > longestPath {
			return compound.ErrDamaged
		}
		if _, err := io.ReadFull(r, buf[:length]); err != nil {
			return err
		}
		path, isBelow := cutRoot(buf[:length])
		if _, err := io.ReadFull(r, buf[:16]); err != nil {
			return err
		}
		at, n := binary.LittleEndian.Uint64(buf[:]), binary.LittleEndian.Uint64(buf[offsetOfSize:])
		if isBelow && at <= uint64(size) && n > 0 && n <= uint64(size)-at && isUsed(path) {
			d.files[path] = span{int64(at), int64(n)}
		}
	}
	return nil
}

func cutRoot(path []byte) (string, bool) {
	if len(path) <= len(rootName) || string(path[:len(rootName)]) != rootName {
		return "", false
	}
	return string(path[len(rootName):]), true
}

func isUsed(path string) bool {
	return path == partPath || path == shownPath || path == shownPathOld
}

func (d *directories) read(path string) ([]byte, error) {
	s, ok := d.files[path]
	if !ok {
		return nil, nil
	}
	data := make([]byte, s.size)
	if _, err := io.ReadFull(io.NewSectionReader(d.src, s.at, s.size), data); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return data, nil
}
