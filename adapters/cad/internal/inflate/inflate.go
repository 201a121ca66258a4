// Package inflate unpacks deflate and zlib data that strangers packed, within a budget for a whole file: a bomb costs
// no more than an honest file.
package inflate

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zlib"

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

// Files hold hundreds of packed data, and a reader takes 40 kB.
var (
	deflateReaders = sync.Pool{New: func() any { return flate.NewReader(nil) }}
	zlibReaders    sync.Pool
)

// openZlib returns a reader of zlib data, to be put back into zlibReaders.
func openZlib(src io.Reader) (r io.ReadCloser, err error) {
	if r, ok := zlibReaders.Get().(io.ReadCloser); ok {
		return r, r.(zlib.Resetter).Reset(src, nil)
	}
	return zlib.NewReader(src)
}

// Deflated unpacks data without a header, which must have size bytes then.
func (b *Budget) Deflated(data []byte, size int64) ([]byte, error) {
	r := deflateReaders.Get().(io.ReadCloser)
	defer deflateReaders.Put(r)
	if err := r.(flate.Resetter).Reset(bytes.NewReader(data), nil); err != nil {
		return nil, ErrDamaged
	}
	return b.exact(r, size, len(data))
}

// Zlib unpacks data with a zlib header, which must have size bytes then.
func (b *Budget) Zlib(data []byte, size int64) ([]byte, error) {
	r, err := openZlib(bytes.NewReader(data))
	if err != nil {
		return nil, ErrDamaged
	}
	defer zlibReaders.Put(r)
	return b.exact(r, size, len(data))
}

// BestRatio is above what any deflate data unpack to, times their size.
const BestRatio = 1040

func (b *Budget) exact(r io.Reader, size int64, packed int) ([]byte, error) {
	switch {
	case size > int64(packed)*BestRatio:
		return nil, ErrDamaged
	case size > b.Left():
		return nil, b.Spend(size)
	}
	out := make([]byte, size)
	n, err := io.ReadFull(r, out)
	if err := b.Spend(int64(n)); err != nil {
		return nil, err
	}
	if err != nil {
		return nil, ErrDamaged
	}
	// There must be no more; what checks the content is behind it.
	if _, err := io.ReadFull(r, make([]byte, 1)); err != io.EOF {
		return nil, ErrDamaged
	}
	return out, nil
}

// Member unpacks zlib data that something else may follow, and says how many bytes of data they took.
func (b *Budget) Member(data []byte) (content []byte, used int, err error) {
	src := bytes.NewReader(data)
	r, err := openZlib(src)
	if err != nil {
		return nil, 0, ErrDamaged
	}
	defer zlibReaders.Put(r)
	var out bytes.Buffer
	n, err := io.Copy(&out, io.LimitReader(r, b.Left()+1))
	if err := b.Spend(n); err != nil {
		return nil, 0, err
	}
	if err != nil {
		return nil, 0, ErrDamaged
	}
	return out.Bytes(), len(data) - src.Len(), nil
}

// Head unpacks the first n bytes of zlib data, fewer when there are no more, nothing of what is damaged before. It
// looks at no more data than that may take, and does not count.
func Head(data []byte, n int) []byte {
	const codes = 512 // bytes: the header, and 19 lengths of 3 bits with 316 of at most 7 before the content, twice
	r, err := openZlib(bytes.NewReader(data[:min(len(data), codes+2*n)]))
	if err != nil {
		return nil
	}
	defer zlibReaders.Put(r)
	out := make([]byte, n)
	k, err := io.ReadFull(r, out)
	if err != nil && k < n && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil
	}
	return out[:k]
}
