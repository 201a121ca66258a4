package catia

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
)

// A CATIA V5 file is a container: the bytes of named streams, then a directory with their locations. A part contains a
// second one, the inner container, with the display data. Directories have records of unknown lengths. Descriptors of
// streams are recognized by conditions: the extents of a stream follow each other without a gap, lie within the file,
// and add up to the stream's length. All numbers are big-endian.

const (
	magic       = "V5_CFV2\x00"
	magicPrefix = "V5_CFV"
	headerSize  = len(magic) + 8 // with the offset and size of the directory
)

// Offsets in a descriptor, and sizes of its fields.
const (
	atLength   = 0x0C
	atExtents  = 0x50 // number of extents
	extentSize = 20
	maxExtents = 4096
	maxName    = 64 // characters
	beforeSize = 3  // bytes between a name and its descriptor
)

// span is a piece of a file.
type span struct{ at, size int }

// stream is a named sequence of bytes, stored in pieces.
type stream struct {
	name   string
	size   int
	pieces []span
}

// inner returns the offset of the inner container, or -1 if there is none.
func inner(file []byte) int {
	for at := len(magic); ; at++ {
		next := bytes.Index(file[at:], []byte(magic))
		if next < 0 {
			return -1
		}
		at += next
		if _, ok := directory(file[at:]); ok {
			return at
		}
	}
}

// directory returns the extent of a container's directory.
func directory(c []byte) (span, bool) {
	if len(c) < headerSize {
		return span{}, false
	}
	at, size := be(c, len(magic)), be(c, len(magic)+4)
	return span{at, size}, at >= headerSize && size > 0 && at+size <= len(c)
}

// largest returns the bytes of the largest of a container's streams with the given name.
func largest(c []byte, list []stream, name string) []byte {
	best := -1
	for i, s := range list {
		if s.name == name && (best < 0 || s.size > list[best].size) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	var out []byte
	for _, p := range list[best].pieces {
		if len(list[best].pieces) == 1 {
			return c[p.at : p.at+p.size]
		}
		out = append(out, c[p.at:p.at+p.size]...)
	}
	return out
}

// streams lists the streams of a container.
func streams(c []byte) []stream {
	d, ok := directory(c)
	if !ok {
		return nil
	}
	var out []stream
	for at, end := d.at, d.at+d.size; at+atExtents+4 <= end; {
		if s, size := descriptor(c, at, end); size > 0 {
			out = append(out, s)
			at += size
			continue
		}
		at++
	}
	return out
}

// descriptor reads the descriptor at an offset; size is 0 if there is no descriptor.
func descriptor(c []byte, at, end int) (s stream, size int) {
	n := be(c, at+atExtents)
	first := at + atExtents + 4
	if n < 1 || n > maxExtents || first+n*extentSize > end {
		return s, 0
	}
	s.size = be(c, at+atLength)
	sum := 0
	for i := range n {
		e := first + i*extentSize
		p := span{be(c, e), be(c, e+4)}
		if p.size != be(c, e+8) || sum != be(c, e+12) || p.at+p.size > len(c) {
			return s, 0
		}
		sum += p.size
		if i == 0 {
			s.pieces = make([]span, 0, n)
		}
		s.pieces = append(s.pieces, p)
	}
	if sum != s.size || sum == 0 {
		return s, 0
	}
	s.name = nameBefore(c, at-beforeSize)
	return s, atExtents + 4 + n*extentSize
}

// nameBefore reads the UTF-16 name that ends at the offset end.
func nameBefore(c []byte, end int) string {
	begin := end
	for begin >= 2 && end-begin < 2*maxName && c[begin-1] == 0 && c[begin-2] >= ' ' && c[begin-2] < 0x7F {
		begin -= 2
	}
	units := make([]uint16, 0, maxName)
	for ; begin < end; begin += 2 {
		units = append(units, binary.LittleEndian.Uint16(c[begin:]))
	}
	return string(utf16.Decode(units))
}

func be(c []byte, at int) int { return int(binary.BigEndian.Uint32(c[at:])) }
