package arcpoly

// Recent results.
//
// The levels of a pocket repeat their paths, and so do the revisions of a program: a third to two thirds of the
// operations have the same operands, segment by segment, as an earlier one. So results are kept by the digest of the
// operands. A result is the same as if it were computed again, and it is another Area, without the lookups of the first
// one.

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom/planar"
	"millwright.dev/millwright/core/parallel"
)

// mostRecent is the number of segments that are kept: some 40 MB.
const mostRecent = 1 << 19

// recent are the recent results of all operations.
var recent = parallel.NewRecent[[sha256.Size]byte](mostRecent, func(a *Area) int {
	size := 1
	for _, l := range a.loops {
		size += len(l)
	}
	return size
})

// operation is the kind of an operation.
type operation byte

const (
	byResolving operation = iota
	byOffset
	bySweep
)

// key collects the operands of an operation.
type key struct{ data []byte }

func (k *key) begin(o operation, values ...float64) {
	k.data = append(k.data[:0], byte(o))
	k.add(values...)
}

func (k *key) add(values ...float64) {
	for _, v := range values {
		k.data = binary.LittleEndian.AppendUint64(k.data, math.Float64bits(v))
	}
}

// path adds what operations read of a path.
func (k *key) path(path []planar.Segment) {
	k.data = binary.LittleEndian.AppendUint32(k.data, uint32(len(path)))
	for i := range path {
		p := &path[i]
		k.add(p.From.X, p.From.Y, p.To.X, p.To.Y, p.Center.X, p.Center.Y, p.Turn)
		k.data = binary.LittleEndian.AppendUint32(k.data, uint32(p.Tag))
	}
}

func (k *key) digest() [sha256.Size]byte { return sha256.Sum256(k.data) }

// resulting returns the area that find returns for the operands of a key.
func (k *key) resulting(find func() (*Area, error)) (*Area, error) {
	a, err := recent.Get(k.digest(), find)
	if err != nil {
		return nil, err
	}
	return &Area{loops: slices.Clip(a.loops), sizes: slices.Clip(a.sizes)}, nil
}

// Digest returns a digest of the boundary of an area, segment by segment with its tags.
func (a *Area) Digest() [sha256.Size]byte {
	var k key
	for _, l := range a.Loops() {
		k.path(l)
	}
	return k.digest()
}
