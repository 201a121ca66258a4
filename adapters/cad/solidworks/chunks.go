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

// The chunk container, which SolidWorks writes since 2015, is named streams of raw deflate behind headers that begin,
// four bytes before a marker, with a word that means nothing here. Names are rotated by as many bits as the low three
// of byte 7 of the file say. A directory at the end repeats the headers without the data; the marker may stand in the
// data too. So all markers are looked at, and a header counts when its stream unpacks to just the size it gives.
var chunkMarker = []byte{0x14, 0, 6, 0, 8, 0}

const (
	chunkHeader = 30 // bytes before the name
	markerAt    = 4  // in the header
	longestName = 512
	maxTries    = 8       // headers with one name that are tried
	maxChunks   = 1 << 16 // names
	chunkProbe  = 64      // bytes of a file that say whether it is one of chunks
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
	name   []byte             // room for the one that is looked at
}

// IsChunked reports whether a file that begins so is a chunk container.
func IsChunked(head []byte) bool {
	return len(head) >= 8 && bytes.Equal(head[4:8], []byte{0, 0, 0, 4}) &&
		bytes.Contains(head[:min(len(head), chunkProbe)], chunkMarker)
}

// openChunks looks through a file that begins with head by a window at a time: previews are most of it.
func openChunks(ctx context.Context, src io.ReaderAt, size int64, head []byte, budget *inflate.Budget) (*chunks, error) {
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

// look takes down the header at an offset in data, which stand in the file behind from, if it can be one.
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

// read returns the first stream of a name that unpacks as its header says, nothing when none does.
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
