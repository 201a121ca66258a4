package arcpoly

// Recent results.
//
// The levels of a pocket repeat their paths, and so do the revisions of a program: a third to two thirds of the
// operations have the same operands, segment by segment, as an earlier one. So results are kept by the digest of the
// operands. A result is the same as if it were computed again, and it is another Area, without the lookups of the first
// one.
//
// Results are kept in two generations. When the younger one is full, the older one is dropped, and the younger one takes
// its place. A result that is found in the older one moves to the younger one.

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"millwright.dev/millwright/core/kernel/geom/planar"
)

// mostRecent is the number of segments of a generation: some 25 MB.
const mostRecent = 1 << 18

// recent are the recent results of all operations.
var recent = results{most: mostRecent}

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

// results are areas by the digests of their operands. They are safe for concurrent use.
type results struct {
	most   int // segments of a generation
	mutex  sync.Mutex
	young  map[[sha256.Size]byte]*Area
	old    map[[sha256.Size]byte]*Area
	filled int // segments of the younger generation
}

// get returns the result of find for the digest of its operands.
func (r *results) get(digest [sha256.Size]byte, find func() (*Area, error)) (*Area, error) {
	a := r.known(digest)
	if a == nil {
		var err error
		if a, err = find(); err != nil {
			return nil, err
		}
	}
	r.keep(digest, a)
	return &Area{loops: slices.Clip(a.loops), sizes: slices.Clip(a.sizes)}, nil
}

func (r *results) known(digest [sha256.Size]byte) *Area {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if a := r.young[digest]; a != nil {
		return a
	}
	return r.old[digest]
}

func (r *results) keep(digest [sha256.Size]byte, a *Area) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.young[digest] != nil {
		return
	}
	size := 1
	for _, l := range a.loops {
		size += len(l)
	}
	if r.young == nil || r.filled+size > r.most {
		r.old, r.young, r.filled = r.young, map[[sha256.Size]byte]*Area{}, 0
	}
	if size <= r.most {
		r.young[digest], r.filled = a, r.filled+size
	}
}
