package catia

import (
	"encoding/binary"
	"math"
	"strconv"

	"millwright.dev/millwright/core/kernel/geom"
)

// cursor reads a stream from front to back. What is read beyond its end, or is refused by a caller, sets bad, after
// which everything is zero.
type cursor struct {
	data []byte
	at   int
	bad  bool
}

func (c *cursor) left() int { return len(c.data) - c.at }

// take returns the next n bytes, nil where there are fewer.
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

// f32 reads a number of the streams, whose bytes run from the least significant one.
func (c *cursor) f32() float64 { return float64(math.Float32frombits(c.u32())) }

// decimal reads the decimal number that somebody entered.
func (c *cursor) decimal() float64 {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(c.f32(), 'g', -1, 32), 64) // as it was written
	return v
}

// bigF32 reads a number of the parameters of carriers, whose bytes run from the most significant one.
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

// count reads a number of things, each of at least size bits further on: one byte, or FF and four.
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
