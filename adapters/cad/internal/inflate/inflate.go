// Package inflate unpacks deflate and zlib data that strangers packed, within a budget for a whole file: a bomb costs
// no more than an honest file.
package inflate

import (
	"encoding/binary"
	"errors"
	"hash/adler32"
	"sync"

	"millwright/core/fault"
)

// MaxUnpacked (bytes) is how much a file may unpack to: as much as an upload may have.
const MaxUnpacked = 500 << 20

// ErrDamaged is returned for data that are cut off, break the format or unpack to something of another size.
var ErrDamaged = errors.New("compressed data are damaged")

// Budget is how many bytes a file may still unpack to. What is unpacked in vain counts too.
type Budget struct {
	left, total int64
}

// NewBudget returns a budget of so many bytes.
func NewBudget(total int64) *Budget { return &Budget{total, total} }

// Spend takes n bytes off the budget; a *fault.Error says that it is used up.
func (b *Budget) Spend(n int64) error {
	if b.left -= n; b.left < 0 {
		return fault.Errorf(fault.TooComplex, "The file unpacks to more than %d MB.", b.total>>20)
	}
	return nil
}

// Left is what may still be spent.
func (b *Budget) Left() int64 { return max(b.left, 0) }

// Files hold hundreds of packed data, and the tables of a decoder take 10 kB.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

// unpacked unpacks deflate data into out, which may grow to most bytes; used is how many bytes of data that took.
func unpacked(data, out []byte, most int) (content []byte, used int, err error) {
	d := decoders.Get().(*decoder)
	defer decoders.Put(d)
	d.in, d.at, d.hold, d.n, d.out, d.used, d.most = data, 0, 0, 0, out, 0, most
	err = d.unpack()
	content, used = d.out[:d.used], d.at
	d.in, d.out = nil, nil
	return content, used, err
}

// The header of zlib data is a word that says how they are packed, and they end with a sum of what they unpack to.
const (
	zlibHead = 2
	zlibSum  = 4
)

// body returns zlib data without their header; false where it is none.
func body(data []byte) ([]byte, bool) {
	if len(data) < zlibHead || data[0]&0xf != 8 || data[0]>>4 > 7 || data[1]&0x20 != 0 ||
		binary.BigEndian.Uint16(data)%31 != 0 {
		return nil, false
	}
	return data[zlibHead:], true
}

// isSum reports whether rest begins with the sum of content.
func isSum(rest, content []byte) bool {
	return len(rest) >= zlibSum && binary.BigEndian.Uint32(rest) == adler32.Checksum(content)
}

// Deflated unpacks data without a header, which must have size bytes then.
func (b *Budget) Deflated(data []byte, size int64) ([]byte, error) {
	out, _, err := b.exact(data, size)
	return out, err
}

// Zlib unpacks data with a zlib header, which must have size bytes then.
func (b *Budget) Zlib(data []byte, size int64) ([]byte, error) {
	data, ok := body(data)
	if !ok {
		return nil, ErrDamaged
	}
	out, used, err := b.exact(data, size)
	if err == nil && !isSum(data[used:], out) {
		return nil, ErrDamaged
	}
	return out, err
}

// BestRatio is above what any deflate data unpack to, times their size.
const BestRatio = 1040

func (b *Budget) exact(data []byte, size int64) (content []byte, used int, err error) {
	switch {
	case size > int64(len(data))*BestRatio:
		return nil, 0, ErrDamaged
	case size > b.Left():
		return nil, 0, b.Spend(size)
	}
	content, used, err = unpacked(data, make([]byte, size), int(size))
	if spent := b.Spend(int64(len(content))); spent != nil {
		return nil, 0, spent
	}
	if err != nil || int64(len(content)) != size {
		return nil, 0, ErrDamaged
	}
	return content, used, nil
}

// Member unpacks zlib data that something else may follow, and says how many bytes of data they took.
func (b *Budget) Member(data []byte) (content []byte, used int, err error) {
	packed, ok := body(data)
	if !ok {
		return nil, 0, ErrDamaged
	}
	content, used, err = unpacked(packed, nil, int(b.Left()))
	n := int64(len(content))
	if errors.Is(err, errFull) {
		n = b.Left() + 1
	}
	if spent := b.Spend(n); spent != nil {
		return nil, 0, spent
	}
	if err != nil || !isSum(packed[used:], content) {
		return nil, 0, ErrDamaged
	}
	return content, zlibHead + used + zlibSum, nil
}

// Head unpacks the first n bytes of zlib data, fewer when there are no more, nothing of what is damaged before. It does
// not count.
func Head(data []byte, n int) []byte {
	packed, ok := body(data)
	if !ok {
		return nil
	}
	out, _, err := unpacked(packed, make([]byte, n), n)
	if err != nil && !errors.Is(err, errFull) {
		return nil
	}
	return out
}
