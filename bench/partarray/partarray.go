// Package partarray writes large STEP files: copies of a part side by side, made from its text.
//
// Method: the data section is cut at the numbers of instances and at the coordinates of points in space. A copy is the
// same text with the numbers raised and the points moved. So each copy has separate instances for all contents of the
// part, and a reader sees the part many times. Copies are on a cubic grid that is wide enough to keep them apart. The
// same part and number of copies give the same bytes. Cost: linear in the output; memory a few times the part.
//
// Not handled: data sections in several pieces, and coordinates outside CARTESIAN_POINT (tessellated shape), which stay
// unchanged.
package partarray

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// Part is a STEP file taken apart.
type Part struct {
	head, tail []byte // with the section's begin and end
	pieces     []piece
	stride     int64   // added to instance numbers for each copy
	pitch      float64 // distance from copy to copy, in the units of the file
}

// piece is literal text with an instance number or the coordinates of a point behind it.
type piece struct {
	text    []byte
	id      int64 // 0: none
	isPoint bool
	at      [3]float64
}

// New takes apart the text of a STEP file.
func New(text []byte) (*Part, error) {
	begin := bytes.Index(text, []byte("DATA;"))
	if begin < 0 {
		return nil, errors.New("no data section")
	}
	begin += len("DATA;")
	p := &Part{head: text[:begin]}
	s := splitter{text: text[begin:], part: p}
	end, err := s.split()
	if err != nil {
		return nil, fmt.Errorf("byte %d: %w", begin+s.pos, err)
	}
	p.tail = text[begin+end:]
	p.stride = s.highest
	size := 0.0
	for k := range s.lo {
		size = max(size, s.hi[k]-s.lo[k])
	}
	const apart = 2.2 // a round part extends to twice the distance of its points, which may all be on one side
	if p.pitch = 1; size > 0 {
		p.pitch = math.Ceil(size * apart)
	}
	return p, nil
}

// Copies returns the number of copies for a file of about the given number of bytes, at least 1.
func (p *Part) Copies(size int64) int {
	n := 1
	const rounds = 3 // longer numbers make later copies longer
	for range rounds {
		var all counter
		if p.Write(&all, n) != nil {
			return n
		}
		n = max(1, int(math.Round(float64(n)*float64(size)/float64(all))))
	}
	return n
}

// counter counts the bytes written to it.
type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// Write writes the part n times.
func (p *Part) Write(w io.Writer, n int) error {
	if n > 0 && p.stride > math.MaxInt64/int64(n) {
		return fmt.Errorf("instance numbers up to %d leave no room for %d copies", p.stride, n)
	}
	side := int(math.Ceil(math.Cbrt(float64(n))))
	if _, err := w.Write(p.head); err != nil {
		return err
	}
	var buf []byte
	for k := range n {
		var err error
		if buf, err = p.copy(w, buf, k, side); err != nil {
			return err
		}
	}
	_, err := w.Write(p.tail)
	return err
}

// copy writes copy k of a grid with side copies along each edge and returns its buffer.
func (p *Part) copy(w io.Writer, buf []byte, k, side int) ([]byte, error) {
	cell := [3]float64{float64(k % side), float64(k / side % side), float64(k / side / side)}
	buf = buf[:0]
	for i := range p.pieces {
		c := &p.pieces[i]
		buf = append(buf, c.text...)
		switch {
		case c.isPoint:
			for axis, x := range c.at {
				if axis > 0 {
					buf = append(buf, ',')
				}
				buf = appendReal(buf, x+cell[axis]*p.pitch)
			}
		case c.id > 0:
			buf = strconv.AppendInt(buf, c.id+int64(k)*p.stride, 10)
		}
	}
	_, err := w.Write(buf)
	return buf, err
}

// appendReal spells a real as Part 21 wants it: with a point.
func appendReal(buf []byte, x float64) []byte {
	from := len(buf)
	buf = strconv.AppendFloat(buf, x, 'G', -1, 64)
	if bytes.IndexByte(buf[from:], '.') >= 0 {
		return buf
	}
	if e := bytes.IndexByte(buf[from:], 'E'); e >= 0 {
		return slices.Insert(buf, from+e, '.')
	}
	return append(buf, '.')
}
