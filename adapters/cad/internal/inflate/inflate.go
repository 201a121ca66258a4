// Package inflate unpacks untrusted deflate and zlib data, within a budget for a whole file: a decompression bomb costs
// no more than a valid file.
package inflate

import (
	"encoding/binary"
	"errors"
	"hash/adler32"
	"sync"

	"millwright.dev/millwright/core/fault"
)

// Bounds of the unpacked size of a file. Text of CAD systems packs to a tenth, seldom to a twentieth: IGES has blanks
// at the end of each line.
const (
	MaxUnpacked = 500 << 20 // bytes: as much as an upload may have
	maxRatio    = 50        // to the size of the file
	freely      = 16 << 20  // bytes that a file of any size may unpack to
)

// Most returns the maximum number of unpacked bytes for a file of size bytes.
func Most(size int64) int64 { return min(max(maxRatio*size, freely), MaxUnpacked) }

// TooLarge is the failure of a file that unpacks to more than most bytes.
func TooLarge(most int64) error {
	return fault.Errorf(fault.TooComplex,
		"The file unpacks to more than %d MB; %d times its size is allowed, at least %d MB "+
			"and at most %d MB.", most>>20, maxRatio, freely>>20, MaxUnpacked>>20)
}

// ErrDamaged is returned for data that are cut off, break the format or unpack to something of another size.
var ErrDamaged = errors.New("compressed data are damaged")

// Budget is the number of bytes that a file may still unpack to. Discarded output counts too.
type Budget struct {
	left, total int64
}

// NewBudget returns a budget of so many bytes.
func NewBudget(total int64) *Budget { return &Budget{total, total} }

// Spend subtracts n bytes from the budget; it returns a *fault.Error if the budget is exhausted.
func (b *Budget) Spend(n int64) error {
	if b.left -= n; b.left < 0 {
		return TooLarge(b.total)
	}
	return nil
}

// Left is the remaining budget (bytes).
func (b *Budget) Left() int64 { return max(b.left, 0) }

// decoders avoids allocations: files contain hundreds of packed blocks, and the tables of a decoder take 6 kB.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

// unpackZlib is unpack for data with a head, and a sum behind them that must be theirs.
func (d *decoder) unpackZlib(data []byte, size, most int) error {
	const head, sum, method, dictionary = 2, 4, 8, 1 << 5
	if len(data) < head || data[0]&15 != method || binary.BigEndian.Uint16(data)%31 != 0 || data[1]&dictionary != 0 {
		return ErrDamaged
	}
	if err := d.unpack(data[head:], size, most); err != nil {
		return err
	}
	d.at += head + sum
	if d.at > len(data) || binary.BigEndian.Uint32(data[d.at-sum:]) != adler32.Checksum(d.out[:d.used]) {
		return ErrDamaged
	}
	return nil
}

// release returns the decoder to the pool, without its output.
func (d *decoder) release() {
	d.in, d.out = nil, nil
	decoders.Put(d)
}

// Deflated unpacks data without a header, which must have size bytes then.
func (b *Budget) Deflated(data []byte, size int64) ([]byte, error) {
	return b.exact(data, size, (*decoder).unpack)
}

// Zlib unpacks data with a zlib header, which must have size bytes then.
func (b *Budget) Zlib(data []byte, size int64) ([]byte, error) {
	return b.exact(data, size, (*decoder).unpackZlib)
}

// BestRatio is an upper bound of the ratio of unpacked size to deflate data size.
const BestRatio = 1040

func (b *Budget) exact(data []byte, size int64,
	unpack func(d *decoder, data []byte, size, most int) error,
) ([]byte, error) {
	switch {
	case size > int64(len(data))*BestRatio:
		return nil, ErrDamaged
	case size > b.Left():
		return nil, b.Spend(size)
	}
	d := decoders.Get().(*decoder)
	defer d.release()
	err := unpack(d, data, int(size), int(size))
	if err := b.Spend(int64(min(d.used, int(size)))); err != nil {
		return nil, err
	}
	if err != nil || d.used < int(size) {
		return nil, ErrDamaged
	}
	return d.out[:size:size], nil
}

// Member unpacks zlib data at the start of data, which may continue after them. used is the number of bytes they took.
func (b *Budget) Member(data []byte) (content []byte, used int, err error) {
	const first = 16 << 10
	d := decoders.Get().(*decoder)
	defer d.release()
	err = d.unpackZlib(data, first, int(b.Left()))
	if err := b.Spend(int64(d.used)); err != nil {
		return nil, 0, err
	}
	if err != nil {
		return nil, 0, ErrDamaged
	}
	return d.out[:d.used:d.used], d.at, nil
}

// Head unpacks the first n bytes of zlib data, or fewer if the data are shorter or damaged. It does not count against a
// Budget.
func Head(data []byte, n int) []byte {
	d := decoders.Get().(*decoder)
	defer d.release()
	if err := d.unpackZlib(data, n, n); err != nil && err != errFull {
		return nil
	}
	return d.out[:min(d.used, n)]
}
