// Package pack encodes plain values in few bytes and decodes them. It is the basis of every stored form of geometry.
//
// An Archive either writes or reads. It takes every value by pointer, so that one function, run in both directions,
// defines a format once:
//
//	func (l *Line) code(c *pack.Archive) { c.Vec(&l.Origin); c.Vec(&l.Dir) }
//
// Whole numbers are varints (zigzag for signed ones), floats their 64 bits in little-endian order, so that the read
// value equals the written one to the last bit. Strings are written once each and then by number. Equal values give
// equal bytes.
//
// Reading accepts damaged bytes. The first error is kept, every later value is zero, and no slice becomes longer than
// the remaining bytes could fill: memory stays within a constant factor of the input.
package pack

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// ErrVersion is the error for bytes of another version of their format: the caller must create them again.
var ErrVersion = errors.New("the bytes have another version of the format")

// Archive writes to or reads from a row of bytes. It is not safe for concurrent use.
type Archive struct {
	b       []byte // written bytes, or bytes to read
	at      int    // bytes read so far
	reading bool
	err     error

	numbers map[string]uint64 // of the strings written
	strings []string          // that were read
}

// NewWriter returns an archive that begins with the name and the version of a format.
func NewWriter(format string, version int) *Archive {
	c := &Archive{b: make([]byte, 0, 1<<12), numbers: make(map[string]uint64)}
	c.b = append(c.b, format...)
	c.b = binary.AppendUvarint(c.b, uint64(version))
	return c
}

// NewReader returns an archive that reads bytes begun by NewWriter. Its error is ErrVersion if they have the format but
// another version.
func NewReader(data []byte, format string, version int) (*Archive, error) {
	if len(data) < len(format) || string(data[:len(format)]) != format {
		return nil, fmt.Errorf("the bytes do not begin with %q", format)
	}
	c := &Archive{b: data, at: len(format), reading: true}
	if got := c.uvarint(); c.err == nil && got != uint64(version) {
		return nil, fmt.Errorf("%w: %q is at %d, not at %d", ErrVersion, format, got, version)
	}
	return c, c.err
}

// Reading reports whether the archive reads.
func (c *Archive) Reading() bool { return c.reading }

// Bytes returns the written bytes.
func (c *Archive) Bytes() []byte { return c.b }

// Err returns the first fault.
func (c *Archive) Err() error { return c.err }

// Close returns the first fault of a reader, among them bytes that are left over.
func (c *Archive) Close() error {
	if n := c.left(); c.err == nil && n > 0 {
		c.Fail("%d bytes are left over", n)
	}
	return c.err
}

// Fail records an error in the bytes and ends the reading, unless an earlier error did so.
func (c *Archive) Fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
		c.at = len(c.b)
	}
}

// left is the number of bytes that were not read.
func (c *Archive) left() int { return len(c.b) - c.at }

func (c *Archive) uvarint() uint64 {
	if c.at < len(c.b) && c.b[c.at] < 0x80 {
		c.at++
		return uint64(c.b[c.at-1])
	}
	v, n := binary.Uvarint(c.b[c.at:])
	if n <= 0 {
		c.Fail("the bytes end within a number")
		return 0
	}
	c.at += n
	return v
}

// Uint serializes a number that is mostly small.
func (c *Archive) Uint(v *uint64) {
	if c.reading {
		*v = c.uvarint()
		return
	}
	c.b = binary.AppendUvarint(c.b, *v)
}

// Int serializes a number that is mostly near zero.
func (c *Archive) Int(v *int64) {
	if c.reading {
		u := c.uvarint()
		*v = int64(u>>1) ^ -int64(u&1)
		return
	}
	c.b = binary.AppendVarint(c.b, *v)
}

// Delta serializes a whole number as its distance from before, and makes it the new before: rows of numbers that
// grow slowly take a byte each.
func Delta[T ~int | ~int32 | ~int64](c *Archive, v, before *T) {
	d := int64(*v) - int64(*before)
	c.Int(&d)
	if c.reading {
		*v = T(int64(*before) + d)
	}
	*before = *v
}

// Integer serializes a whole number of any type.
func Integer[T ~int | ~int32 | ~int64 | ~uint8](c *Archive, v *T) {
	d := int64(*v)
	c.Int(&d)
	if !c.reading {
		return
	}
	if *v = T(d); int64(*v) != d {
		c.Fail("the number %d is out of range", d)
	}
}

// Flags serializes up to 64 booleans in as few bytes as the last true one needs.
func (c *Archive) Flags(flags ...*bool) {
	var u uint64
	for i, f := range flags {
		if *f {
			u |= 1 << i
		}
	}
	c.Uint(&u)
	if !c.reading {
		return
	}
	for i, f := range flags {
		*f = u>>i&1 != 0
	}
	if len(flags) < 64 && u>>len(flags) != 0 {
		c.Fail("%d flags are written as %d", len(flags), u)
	}
}

// Float serializes the bits of a number.
func (c *Archive) Float(v *float64) {
	if !c.reading {
		c.b = binary.LittleEndian.AppendUint64(c.b, math.Float64bits(*v))
		return
	}
	if c.left() < 8 {
		*v = 0
		c.Fail("the bytes end within a number")
		return
	}
	*v = math.Float64frombits(binary.LittleEndian.Uint64(c.b[c.at:]))
	c.at += 8
}

// Floats serializes several numbers.
func (c *Archive) Floats(v ...*float64) {
	for _, x := range v {
		c.Float(x)
	}
}

// Sparse serializes a number that mostly is zero.
func (c *Archive) Sparse(v *float64) {
	isSet := math.Float64bits(*v) != 0
	if c.Flags(&isSet); isSet {
		c.Float(v)
	} else if c.reading {
		*v = 0
	}
}

// String serializes a text; a repetition is serialized as a number.
func (c *Archive) String(s *string) {
	if !c.reading {
		n, known := c.numbers[*s]
		if known {
			c.b = binary.AppendUvarint(c.b, n+1)
			return
		}
		c.numbers[*s] = uint64(len(c.numbers))
		c.b = append(c.b, 0)
		c.b = binary.AppendUvarint(c.b, uint64(len(*s)))
		c.b = append(c.b, *s...)
		return
	}
	*s = ""
	if n := c.uvarint(); n > 0 {
		if n > uint64(len(c.strings)) {
			c.Fail("there is no text %d of %d", n, len(c.strings))
			return
		}
		*s = c.strings[n-1]
		return
	}
	n := c.uvarint()
	if n > uint64(c.left()) {
		c.Fail("a text of %d bytes has %d", n, c.left())
	}
	if c.err == nil {
		*s = string(c.b[c.at : c.at+int(n)])
		c.at += int(n)
		c.strings = append(c.strings, *s)
	}
}

// Count serializes the length of a list whose elements take at least size bytes each; nil and empty stay distinct. A
// reader fails if the announced elements exceed the remaining bytes.
func (c *Archive) Count(n int, isNil bool, size int) (int, bool) {
	u := uint64(n) + 1
	if isNil {
		u = 0
	}
	c.Uint(&u)
	if !c.reading {
		return n, isNil
	}
	if u == 0 {
		return 0, true
	}
	if u--; u > uint64(c.left()/max(size, 1)) {
		c.Fail("a list of %d elements has %d bytes", u, c.left())
		return 0, true
	}
	return int(u), false
}

// Slice serializes a list whose elements take at least size bytes each.
func Slice[T any](c *Archive, s *[]T, size int, each func(*T)) {
	n, isNil := c.Count(len(*s), *s == nil, size)
	if c.reading {
		*s = nil
		if !isNil {
			*s = make([]T, n)
		}
	}
	for i := range *s {
		if each(&(*s)[i]); c.err != nil {
			return
		}
	}
}

// Optional serializes the target of a pointer, or that it is nil.
func Optional[T any](c *Archive, v **T, each func(*T)) {
	isSet := *v != nil
	if c.Flags(&isSet); c.reading {
		*v = nil
		if isSet {
			*v = new(T)
		}
	}
	if isSet {
		each(*v)
	}
}

// TypedString serializes a string of a named type.
func TypedString[T ~string](c *Archive, v *T) {
	s := string(*v)
	if c.String(&s); c.reading {
		*v = T(s)
	}
}

// Row serializes a list of floats.
func (c *Archive) Row(s *[]float64) {
	n, isNil := c.Count(len(*s), *s == nil, 8)
	if !c.reading {
		for _, x := range *s {
			c.b = binary.LittleEndian.AppendUint64(c.b, math.Float64bits(x))
		}
		return
	}
	if *s = nil; isNil {
		return
	}
	row := make([]float64, n)
	for i := range row {
		row[i] = math.Float64frombits(binary.LittleEndian.Uint64(c.b[c.at+8*i:]))
	}
	*s, c.at = row, c.at+8*n
}

// Vec serializes a point or a direction.
func (c *Archive) Vec(v *geom.Vec3) { c.Floats(&v.X, &v.Y, &v.Z) }

// vecSize is the length of a vector in bytes.
const vecSize = 24

// Vecs serializes a list of points.
func (c *Archive) Vecs(s *[]geom.Vec3) {
	n, isNil := c.Count(len(*s), *s == nil, vecSize)
	if !c.reading {
		c.b = slices.Grow(c.b, vecSize*n)
		for i := range *s {
			c.Vec(&(*s)[i])
		}
		return
	}
	if *s = nil; isNil {
		return
	}
	out := make([]geom.Vec3, n)
	b := c.b[c.at:][:vecSize*n]
	for i := range out {
		x := b[vecSize*i:][:vecSize]
		out[i] = geom.Vec3{
			X: math.Float64frombits(binary.LittleEndian.Uint64(x)),
			Y: math.Float64frombits(binary.LittleEndian.Uint64(x[8:])),
			Z: math.Float64frombits(binary.LittleEndian.Uint64(x[16:])),
		}
	}
	*s, c.at = out, c.at+len(b)
}
