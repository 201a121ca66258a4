// Package compound reads compound files (OLE2, [MS-CFB]), which contain named streams in chains of sectors: the
// container of SolidWorks parts up to 2014 and of NX parts up to 11.
//
// All tables are flat. Each chain is followed for at most as many steps as the file has sectors. Thus a file with
// cyclic chains or a cyclic directory costs no more than a valid one: one or two percent of its size for the table and
// a few times the size of the directory. Versions 3 and 4 are read.
package compound

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
)

const (
	headerSize   = 512
	entrySize    = 128
	inHeader     = 109        // sectors of the allocation table that the header names itself
	lastRegular  = 0xFFFFFFFA // higher numbers mark ends of chains, free sectors and sectors of tables
	noEntry      = 0xFFFFFFFF
	miniShift    = 6    // streams below the cutoff lie in sectors of 64 bytes inside the stream of the root
	miniCutoff   = 4096 // bytes
	kindStorage  = 1
	kindStream   = 2
	maxPathDepth = 32
	maxStreams   = 1 << 16
	maxTable     = 64 << 20 // bytes of the directory, and of the table of small streams
)

// Signature is the beginning of every compound file.
const Signature = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"

// ErrDamaged is wrapped by all errors that are the file's fault.
var ErrDamaged = errors.New("the compound document is damaged")

// File is an opened compound file.
type File struct {
	// Paths are the names of the streams, prefixed with their storages, "a/b", in the order of the directory.
	Paths []string

	src       io.ReaderAt
	size      int64
	shift     uint // of the sector size
	table     []uint32
	miniTable []uint32
	mini      []byte // the content of the stream of the root
	streams   map[string]entry
}

type entry struct {
	name              string
	kind              byte
	left, right, down uint32
	start             uint32
	size              int64
}

// Open reads the tables and the directory. size is the size of src, in bytes.
func Open(src io.ReaderAt, size int64) (*File, error) {
	var header [headerSize]byte
	if size < headerSize {
		return nil, fmt.Errorf("%w: it ends in its header", ErrDamaged)
	}
	if _, err := src.ReadAt(header[:], 0); err != nil {
		return nil, fmt.Errorf("read the header: %w", err)
	}
	le := binary.LittleEndian
	f := &File{src: src, size: size, shift: uint(le.Uint16(header[30:])), streams: map[string]entry{}}
	if string(header[:8]) != Signature || f.shift != 9 && f.shift != 12 {
		return nil, fmt.Errorf("%w: invalid header", ErrDamaged)
	}
	if err := f.readTable(header[:]); err != nil {
		return nil, err
	}
	directory, err := f.chain(le.Uint32(header[48:]), -1)
	if err != nil {
		return nil, fmt.Errorf("read the directory: %w", err)
	}
	entries := parseEntries(directory, f.shift)
	if len(entries) == 0 {
		return nil, fmt.Errorf("%w: it has no directory", ErrDamaged)
	}
	f.walk(entries)
	return f, f.readMini(entries[0], le.Uint32(header[60:]))
}

// sectors returns the number of sectors in the file, by its size.
func (f *File) sectors() int { return int((f.size - 1) >> f.shift) }

// sector reads one sector; bytes beyond the end of the file are zero.
func (f *File) sector(n uint32, into []byte) error {
	at := (int64(n) + 1) << f.shift
	if n > lastRegular || at >= f.size {
		return fmt.Errorf("%w: sector %d lies behind its end", ErrDamaged, n)
	}
	clear(into)
	into = into[:min(int64(len(into)), f.size-at)]
	if k, err := f.src.ReadAt(into, at); k < len(into) {
		return fmt.Errorf("read sector %d: %w", n, err)
	}
	return nil
}

// readTable reads the allocation table: entry n names the sector that follows sector n. Its own sectors are listed in
// the header. Further ones are listed in a chain of sectors that each end with the number of the next.
func (f *File) readTable(header []byte) error {
	le := binary.LittleEndian
	buf := make([]byte, 1<<f.shift)
	add := func(list []byte) error {
		for ; len(list) >= 4; list = list[4:] {
			n := le.Uint32(list)
			if n > lastRegular || len(f.table) >= f.sectors() {
				continue // unused entry
			}
			if err := f.sector(n, buf); err != nil {
				return err
			}
			f.table = appendNumbers(f.table, buf)
		}
		return nil
	}
	if err := add(header[76 : 76+4*inHeader]); err != nil {
		return err
	}
	list := make([]byte, 1<<f.shift)
	next := le.Uint32(header[68:])
	for range f.sectors() {
		if next > lastRegular || len(f.table) >= f.sectors() {
			break
		}
		if err := f.sector(next, list); err != nil {
			return err
		}
		if err := add(list[:len(list)-4]); err != nil {
			return err
		}
		next = le.Uint32(list[len(list)-4:])
	}
	return nil
}

func appendNumbers(to []uint32, data []byte) []uint32 {
	for ; len(data) >= 4; data = data[4:] {
		to = append(to, binary.LittleEndian.Uint32(data))
	}
	return to
}

// chain returns the content of the sectors from start on: size bytes, or the whole chain if size is negative, as for
// tables.
func (f *File) chain(start uint32, size int64) ([]byte, error) {
	if size > f.size {
		return nil, fmt.Errorf("%w: a stream is longer than the file", ErrDamaged)
	}
	var out []byte
	if size > 0 {
		out = make([]byte, 0, (size|(1<<f.shift-1))+1)
	}
	for n, steps := start, 0; n <= lastRegular && (size < 0 || int64(len(out)) < size); steps++ {
		if steps > f.sectors() || int64(n) >= int64(len(f.table)) || size < 0 && len(out) > maxTable {
			return nil, fmt.Errorf("%w: a chain of sectors has no end", ErrDamaged)
		}
		out = slices.Grow(out, 1<<f.shift)
		end := len(out) + 1<<f.shift
		if err := f.sector(n, out[len(out):end]); err != nil {
			return nil, err
		}
		out = out[:end]
		n = f.table[n]
	}
	if size > int64(len(out)) {
		return nil, fmt.Errorf("%w: a stream is cut off", ErrDamaged)
	}
	if size >= 0 {
		out = out[:size]
	}
	return out, nil
}

func parseEntries(directory []byte, shift uint) []entry {
	le := binary.LittleEndian
	var entries []entry
	for ; len(directory) >= entrySize; directory = directory[entrySize:] {
		e := entry{
			name: decodeName(directory), kind: directory[66], left: le.Uint32(directory[68:]),
			right: le.Uint32(directory[72:]), down: le.Uint32(directory[76:]), start: le.Uint32(directory[116:]),
			size: int64(le.Uint64(directory[120:]) & (1<<62 - 1)),
		}
		if shift == 9 { // version 3, where the upper half is arbitrary
			e.size &= 1<<32 - 1
		}
		entries = append(entries, e)
	}
	return entries
}

// decodeName decodes the UTF-16 name of a directory entry; its stored length counts the final NUL.
func decodeName(entry []byte) string {
	n := int(binary.LittleEndian.Uint16(entry[64:]))
	if n < 2 || n > 64 {
		return ""
	}
	units := make([]uint16, n/2-1)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(entry[2*i:])
	}
	return string(utf16.Decode(units))
}

// walk lists the streams. The entries of one storage form a search tree, which is traversed in order. An entry that is
// reached twice is skipped.
func (f *File) walk(entries []entry) {
	type step struct {
		at     uint32
		path   string
		depth  int
		isOpen bool // its left subtree was listed
	}
	seen := make([]bool, len(entries))
	todo := []step{{at: entries[0].down}}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if int64(s.at) >= int64(len(entries)) || !s.isOpen && seen[s.at] {
			continue
		}
		e := entries[s.at]
		if !s.isOpen {
			seen[s.at] = true
			todo = append(todo, step{s.at, s.path, s.depth, true}, step{e.left, s.path, s.depth, false})
			continue
		}
		todo = append(todo, step{e.right, s.path, s.depth, false})
		switch {
		case e.kind == kindStream:
			f.add(s.path+e.name, e)
		case e.kind == kindStorage && s.depth < maxPathDepth:
			todo = append(todo, step{e.down, s.path + e.name + "/", s.depth + 1, false})
		}
	}
}

// add adds a stream; of two streams with one path, the first is kept.
func (f *File) add(path string, e entry) {
	if _, taken := f.streams[path]; !taken && len(f.Paths) < maxStreams {
		f.streams[path] = e
		f.Paths = append(f.Paths, path)
	}
}

// readMini reads the stream of the root, in which small streams lie, and their table.
func (f *File) readMini(root entry, tableStart uint32) error {
	if root.size == 0 || tableStart > lastRegular {
		return nil
	}
	table, err := f.chain(tableStart, -1)
	if err != nil {
		return fmt.Errorf("read the table of small streams: %w", err)
	}
	f.miniTable = appendNumbers(nil, table)
	if f.mini, err = f.chain(root.start, root.size); err != nil {
		return fmt.Errorf("read the small streams: %w", err)
	}
	return nil
}

// Has reports whether there is a stream whose path starts with prefix.
func (f *File) Has(prefix string) bool {
	return slices.ContainsFunc(f.Paths, func(p string) bool { return strings.HasPrefix(p, prefix) })
}

// Read returns the content of a stream, or nil if the stream does not exist.
func (f *File) Read(path string) ([]byte, error) {
	e, ok := f.streams[path]
	if !ok {
		return nil, nil
	}
	if e.size >= miniCutoff {
		return f.chain(e.start, e.size)
	}
	if e.size > int64(len(f.mini)) {
		return nil, fmt.Errorf("%w: a small stream is longer than all of them", ErrDamaged)
	}
	out := make([]byte, 0, e.size)
	for n := e.start; int64(len(out)) < e.size; {
		at := int64(n) << miniShift
		if at >= int64(len(f.mini)) || int64(n) >= int64(len(f.miniTable)) {
			return nil, fmt.Errorf("%w: a small stream is cut off", ErrDamaged)
		}
		end := min(at+1<<miniShift, int64(len(f.mini)), at+e.size-int64(len(out)))
		out = append(out, f.mini[at:end]...)
		n = f.miniTable[n]
	}
	return out, nil
}
