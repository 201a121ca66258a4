package solidworks

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"millwright.dev/millwright/adapters/cad/internal/inflate"
)

// The chunk container, the format of SolidWorks since 2015, consists of named streams of raw deflate data behind
// headers. A header begins four bytes before a marker, with a word that is not needed here. Names are rotated by the
// number of bits in the low three bits of the file's byte 7. A directory at the end repeats the headers without the
// data. The marker can also occur in the data. So all markers are examined, and a header is valid if its stream unpacks
// to exactly the stated size.
var chunkMarker = []byte{0x14, 0, 6, 0, 8, 0}

const (
	chunkHeader = 30 // bytes before the name
	markerAt    = 4  // in the header
	longestName = 512
	maxTries    = 8       // headers tried for one name
	maxChunks   = 1 << 16 // names
	chunkProbe  = 64      // bytes of a file that identify a chunk container
)

// chunk locates a stream, if its header is valid.
type chunk struct{ at, packed, unpacked int64 }

// chunks are the streams of a chunk container.
type chunks struct {
	src    io.ReaderAt
	size   int64
	budget *inflate.Budget
	turn   int // bits that names are rotated by
	order  []string
	tries  map[string][]chunk // by name
	name   []byte             // buffer for the current name
}

// IsChunked reports whether a file that begins so is a chunk container.
func IsChunked(head []byte) bool {
	return len(head) >= 8 && bytes.Equal(head[4:8], []byte{0, 0, 0, 4}) &&
		bytes.Contains(head[:min(len(head), chunkProbe)], chunkMarker)
}

// openChunks searches a file that begins with head, window by window: previews are most of it and are not read as a
// whole.
func openChunks(ctx context.Context, src io.ReaderAt, size int64, head []byte,
	budget *inflate.Budget,
) (*chunks, error) {
	const (
		usual  = 64 // names
		window = 64 << 10
	)
	c := &chunks{src: src, size: size, budget: budget, turn: int(head[7] & 7),
		order: make([]string, 0, usual), tries: make(map[string][]chunk, usual)}
	room := make([]byte, min(size, window+chunkHeader+longestName))
	for from := int64(0); from < size; from += window {
		data := room[:min(size-from, int64(len(room)))]
		if err := cmp.Or(ctx.Err(), readAt(src, data, from)); err != nil {
			return nil, err
		}
		for at := 0; ; at++ {
			next := bytes.Index(data[at:], chunkMarker)
			if at += next; next < 0 || at-markerAt >= window { // the next window has it
				break
			}
			c.look(data, from, at-markerAt)
		}
	}
	return c, nil
}

func readAt(src io.ReaderAt, data []byte, at int64) error {
	if n, err := src.ReadAt(data, at); n < len(data) {
		return fmt.Errorf("read the file: %w", err)
	}
	return nil
}

// look records the header at an offset in data, if it is plausible. data begins at the offset from in the file.
func (c *chunks) look(data []byte, from int64, at int) {
	if at < 0 || at+chunkHeader > len(data) {
		return
	}
	le := binary.LittleEndian
	packed, unpacked := int64(le.Uint32(data[at+18:])), int64(le.Uint32(data[at+22:]))
	length := int64(le.Uint32(data[at+26:]))
	start := from + int64(at) + chunkHeader + length
	if length == 0 || length > longestName || packed == 0 || start+packed > c.size ||
		unpacked > packed*inflate.BestRatio {
		return
	}
	c.name = c.name[:0]
	for _, b := range data[at+chunkHeader : start-from] {
		if b = bits.RotateLeft8(b, c.turn); b < ' ' || b > '~' {
			return
		}
		c.name = append(c.name, b)
	}
	k := chunk{start, packed, unpacked}
	switch tries := c.tries[string(c.name)]; {
	case len(tries) == 0 && len(c.order) < maxChunks:
		name := string(c.name)
		c.order, c.tries[name] = append(c.order, name), []chunk{k}
	case len(tries) > 0 && len(tries) < maxTries:
		c.tries[string(c.name)] = append(tries, k)
	}
}

func (c *chunks) names() []string { return c.order }

// read returns the first stream of a name that unpacks to its stated size, or nil if there is no such stream.
func (c *chunks) read(name string) ([]byte, error) {
	for _, k := range c.tries[name] {
		data := make([]byte, k.packed)
		if err := readAt(c.src, data, k.at); err != nil {
			return nil, err
		}
		out, err := c.budget.Deflated(data, k.unpacked)
		if !errors.Is(err, inflate.ErrDamaged) {
			return out, err
		}
	}
	return nil, nil
}
