// Package inflate unpacks deflate and zlib data that strangers packed, within a budget for a whole file: a bomb costs
// no more than an honest file.
package inflate

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"errors"
	"io"

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

// Deflated unpacks data without a header, which must have size bytes then.
func (b *Budget) Deflated(data []byte, size int64) ([]byte, error) {
	return b.exact(flate.NewReader(bytes.NewReader(data)), size, len(data))
}

// Zlib unpacks data with a zlib header, which must have size bytes then.
func (b *Budget) Zlib(data []byte, size int64) ([]byte, error) {
	r, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, ErrDamaged
	}
	return b.exact(r, size, len(data))
}

// BestRatio is above what any deflate data unpack to, times their size.
const BestRatio = 1040

func (b *Budget) exact(r io.Reader, size int64, packed int) ([]byte, error) {
	var out bytes.Buffer
	if size <= int64(packed)*BestRatio && size <= b.Left() {
		out.Grow(int(size) + bytes.MinRead)
	}
	if err := b.read(&out, r, size); err != nil {
		return nil, err
	}
	if int64(out.Len()) != size {
		return nil, ErrDamaged
	}
	return out.Bytes(), nil
}

// Member unpacks zlib data that something else may follow, and says how many bytes of data they took.
func (b *Budget) Member(data []byte) (content []byte, used int, err error) {
	src := bytes.NewReader(data)
	r, err := zlib.NewReader(src)
	if err != nil {
		return nil, 0, ErrDamaged
	}
	var out bytes.Buffer
	if err := b.read(&out, r, b.Left()); err != nil {
		return nil, 0, err
	}
	return out.Bytes(), len(data) - src.Len(), nil
}

// read reads at most size bytes, and one more to see whether there is an end.
func (b *Budget) read(out *bytes.Buffer, r io.Reader, size int64) error {
	if size > b.Left() {
		return b.Spend(size)
	}
	n, err := io.Copy(out, io.LimitReader(r, size+1))
	if err := b.Spend(n); err != nil {
		return err
	}
	if err != nil {
		return ErrDamaged
	}
	return nil
}

// Head unpacks the first n bytes of zlib data, fewer when there are no more, nothing of what is damaged before. It
// looks at a few kB of data at most and does not count.
func Head(data []byte, n int) []byte {
	const window = 4 << 10
	r, err := zlib.NewReader(bytes.NewReader(data[:min(len(data), window)]))
	if err != nil {
		return nil
	}
	out := make([]byte, n)
	k, err := io.ReadFull(r, out)
	if err != nil && k < n && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil
	}
	return out[:k]
}
