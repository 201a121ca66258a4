package solidworks

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/bits"

	"millwright/adapters/cad/internal/inflate"
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
)

// chunk is where a stream lies, if its header is one.
type chunk struct{ at, packed, unpacked int64 }

// chunks are the streams of a chunk container.
type chunks struct {
	data   []byte
	budget *inflate.Budget
	order  []string
	tries  map[string][]chunk // by name
	name   []byte             // room for the one that is looked at
}

// IsChunked reports whether a file that begins so is a chunk container.
func IsChunked(head []byte) bool {
	const probe = 64
	return len(head) >= 8 && bytes.Equal(head[4:8], []byte{0, 0, 0, 4}) &&
		bytes.Contains(head[:min(len(head), probe)], chunkMarker)
}

func openChunks(ctx context.Context, data []byte, budget *inflate.Budget) (*chunks, error) {
	const usual = 64 // names
	c := &chunks{data: data, budget: budget, order: make([]string, 0, usual), tries: make(map[string][]chunk, usual)}
	turn := int(data[7] & 7)
	for at := 0; ; at++ {
		next := bytes.Index(data[at:], chunkMarker)
		if next < 0 {
			return c, nil
		}
		at += next
		c.look(at-markerAt, turn)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}

// look takes down the header at an offset if it can be one.
func (c *chunks) look(at, turn int) {
	if at < 0 || at+chunkHeader > len(c.data) {
		return
	}
	le := binary.LittleEndian
	packed, unpacked := int64(le.Uint32(c.data[at+18:])), int64(le.Uint32(c.data[at+22:]))
	length := int64(le.Uint32(c.data[at+26:]))
	start := int64(at) + chunkHeader + length
	if length == 0 || length > longestName || packed == 0 || start+packed > int64(len(c.data)) ||
		unpacked > packed*inflate.BestRatio {
		return
	}
	c.name = c.name[:0]
	for _, b := range c.data[at+chunkHeader : start] {
		if b = bits.RotateLeft8(b, turn); b < ' ' || b > '~' {
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
		out, err := c.budget.Deflated(c.data[k.at:k.at+k.packed], k.unpacked)
		if !errors.Is(err, inflate.ErrDamaged) {
			return out, err
		}
	}
	return nil, nil
}
