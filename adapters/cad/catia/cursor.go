package catia

import (
	"encoding/binary"
	"math"
	"strconv"

	"millwright.dev/millwright/core/kernel/geom"
)

// cursor reads a stream from front to back. A read past the end, or a failed demand, sets bad. From then on all reads
// return zero.
type cursor struct {
	data []byte
	at   int
	bad  bool
}

func (c *cursor) left() int { return len(c.data) - c.at }

// take returns the next n bytes, or nil if fewer remain.
func (c *cursor) take(n int) []byte {
	if c.bad || n < 0 || n > c.left() {
		c.bad = true
		return nil
	}
	c.at += n
	return c.data[c.at-n : c.at]
}

// demand makes the cursor bad unless ok.
func (c *cursor) demand(ok bool) { c.bad = c.bad || !ok }

func (c *cursor) byte() byte {
	if b := c.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) u16() uint16 {
	if b := c.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (c *cursor) u32() uint32 {
	if b := c.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// f32 reads a little-endian single-precision number, the encoding of the display stream.
func (c *cursor) f32() float64 { return float64(math.Float32frombits(c.u32())) }

// decimal reads a number that a user entered as a decimal fraction.
func (c *cursor) decimal() float64 {
	// the shortest decimal with this single-precision value
	v, _ := strconv.ParseFloat(strconv.FormatFloat(c.f32(), 'g', -1, 32), 64)
	return v
}

// bigF32 reads a big-endian single-precision number, the encoding of carrier parameters.
func (c *cursor) bigF32() float64 {
	if b := c.take(4); b != nil {
		return float64(math.Float32frombits(binary.BigEndian.Uint32(b)))
	}
	return 0
}

func (c *cursor) vec(number func() float64) geom.Vec3 {
	x, y := number(), number()
	return geom.Vec3{X: x, Y: y, Z: number()}
}

// count reads the number of the items that follow: one byte, or FF and four bytes. The cursor becomes bad if the rest
// of the data is too short for items of the given number of bits.
func (c *cursor) count(bits int) int {
	n := int64(c.byte())
	if n == 0xFF {
		n = int64(c.u32())
	}
	if n*int64(bits) > 8*int64(c.left()) {
		c.bad = true
	}
	if c.bad {
		return 0
	}
	return int(n)
}
