package deck

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// The columns of a card.
const (
	sectionColumn = 72 // index of the section letter
	cardWidth     = 80
	dataWidth     = 64 // of a parameter card; the owner's sequence number follows
)

// chunkSize is the size of the buffer, and the length of the longest line that is not split, in bytes.
const chunkSize = 256 << 10

// lines cuts a file into lines.
type lines struct {
	src        io.ReaderAt
	size       int64 // bytes of src
	offset     int64 // of the bytes behind buf[:end]
	buf        []byte
	start, end int
}

// newLines reads the first size bytes of src, chunk of them at a time.
func newLines(src io.ReaderAt, size, chunk int64) *lines {
	return &lines{src: src, size: size, buf: make([]byte, min(chunk, max(size, 1)))}
}

// fill moves the unread bytes to the front and reads more. It reports whether it read anything.
func (l *lines) fill() (bool, error) {
	if l.start == 0 && l.end == len(l.buf) || l.offset == l.size {
		return false, nil
	}
	copy(l.buf, l.buf[l.start:l.end])
	l.end -= l.start
	l.start = 0
	want := int(min(int64(len(l.buf)-l.end), l.size-l.offset))
	n, err := l.src.ReadAt(l.buf[l.end:l.end+want], l.offset)
	l.end += n
	l.offset += int64(n)
	if n < want && err != nil && err != io.EOF {
		return false, err
	}
	if n < want {
		l.size = l.offset
	}
	return n > 0, nil
}

// next returns the next line without its ending; it is valid until the next call. ok is false at the end.
func (l *lines) next() (line []byte, ok bool, err error) {
	const plenty = 3 * cardWidth // bytes in the buffer with which most lines are found at once
	if l.end-l.start < plenty {
		if _, err := l.fill(); err != nil {
			return nil, false, err
		}
	}
	for {
		rest := l.buf[l.start:l.end]
		at := lineEnd(rest[:min(len(rest), 2*cardWidth)])
		if at < 0 && len(rest) >= 2*cardWidth && isCard(rest) && isCard(rest[cardWidth:]) {
			l.start += cardWidth // no line ends at all
			return rest[:cardWidth], true, nil
		}
		if at < 0 {
			at = lineEnd(rest)
		}
		if at >= 0 && (at+1 < len(rest) || l.offset == l.size) {
			l.start += at + 1
			if rest[at] == '\r' && at+1 < len(rest) && rest[at+1] == '\n' {
				l.start++
			}
			return rest[:at], true, nil
		}
		grown, err := l.fill()
		if err != nil {
			return nil, false, err
		}
		if grown {
			continue
		}
		l.start = l.end
		return rest, len(rest) > 0, nil
	}
}

// lineEnd returns the index of the first line ending, or -1. It searches in growing windows, so that files with either
// ending cost the same.
func lineEnd(b []byte) int {
	const near = cardWidth + 16
	for from := 0; from < len(b); {
		to := min(from+max(near, from), len(b))
		window := b[from:to]
		at := bytes.IndexByte(window, '\n')
		if at >= 0 {
			window = window[:at]
		}
		if r := bytes.IndexByte(window, '\r'); r >= 0 {
			at = r
		}
		if at >= 0 {
			return from + at
		}
		from = to
	}
	return -1
}

// isCard reports whether b begins with a card: 80 characters with a section letter and a number at the end.
func isCard(b []byte) bool {
	if len(b) < cardWidth || sectionOf(b[:cardWidth]) == 0 {
		return false
	}
	_, ok := number(b[sectionColumn+1 : cardWidth])
	return ok && bytes.IndexByte(b[:cardWidth], '\n') < 0 && bytes.IndexByte(b[:cardWidth], '\r') < 0
}

// sectionOf returns the section letter of a card in upper case, or 0 if it has no valid letter.
func sectionOf(line []byte) byte {
	if len(line) <= sectionColumn {
		return 0
	}
	switch c := line[sectionColumn] &^ 0x20; c {
	case 'S', 'G', 'D', 'P', 'T', 'C', 'B':
		return c
	}
	return 0
}

// narrow converts a line whose UTF-8 text pushed the section letter out of its column to one byte for each character.
// ok is false for other lines.
func narrow(line []byte) ([]byte, bool) {
	if utf8.RuneCount(line) == len(line) || !utf8.Valid(line) {
		return nil, false
	}
	out := make([]byte, 0, len(line))
	for _, r := range string(line) {
		if r > 0xFF {
			r = '?'
		}
		out = append(out, byte(r))
	}
	return out, sectionOf(out) != 0
}

// number reads a right-justified integer in a field; a blank field is 0. ok is false if the field contains anything
// else, or a number too large for an int32.
func number(field []byte) (n int32, ok bool) {
	i, end := 0, len(field)
	for i < end && field[i] <= ' ' {
		i++
	}
	for end > i && field[end-1] <= ' ' {
		end--
	}
	if i == end {
		return 0, true
	}
	negative := field[i] == '-'
	if negative || field[i] == '+' {
		i++
	}
	if end-i > 9 || i == end {
		return 0, false
	}
	for ; i < end; i++ {
		d := field[i] - '0'
		if d > 9 {
			return 0, false
		}
		n = n*10 + int32(d)
	}
	if negative {
		n = -n
	}
	return n, true
}
