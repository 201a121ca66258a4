package inflate

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
	"strings"
)

// A decoder of deflate data (RFC 1951) that are in memory as a whole. It takes less than half the time of a stream
// decoder, which gets every byte by a call and keeps its own window. Unpacking is a tenth of the time to read and mesh
// a native part.
//
// The next bits, as many as a table is wide, index its entry: the length of the code and its meaning. Longer codes lead
// to a second table after the first. A zero entry has no code; other entries are
//
//	bits 0…4   bits to take
//	bits 5…8   extra bits of a number, or the width of a second table
//	bits 9…12  kind of entry
//	bits 16…31 the literal, the number, or the start of the second table
const (
	literal = 1 << (9 + iota)
	number
	second
	blockEnd
)

func taken(e uint32) uint { return uint(e & 31) }
func extra(e uint32) uint { return uint(e >> 5 & 15) }

const (
	longestCode = 15
	litWidth    = 10 // bits of the first table of literals and lengths
	distWidth   = 8  // of distances
	sizeWidth   = 7  // of the lengths of codes
	litCodes    = 288
	distCodes   = 32
)

const (
	word       = 8               // bytes that are read and written at a time
	lengthBits = longestCode + 5 // maximum bits of a length
	// bytes that a step may write: a literal for each bit, and the longest repetition in words
	stepBytes = 64 + 258 + word
)

// errFull reports that the data unpacks to more than the requested size.
var errFull = errors.New("more than was to be unpacked")

// decoder unpacks one run of deflate data.
type decoder struct {
	in      []byte
	at      int    // bytes of in already moved to hold
	hold    uint64 // unread bits, the next one lowest; bits above n belong to later bytes
	n       uint   // how many; above 63 when the data ended before
	out     []byte // room bytes longer than its maximum content
	used    int    // bytes of out
	most    int    // bytes that are asked for
	lengths [litCodes + distCodes]uint8
	lit     []uint32
	dist    []uint32
}

// refill provides at least 56 bits, or all that are left.
func refill(in []byte, at int, hold uint64, n uint) (int, uint64, uint) {
	if at+word <= len(in) {
		return at + int(63-n)>>3, hold | binary.LittleEndian.Uint64(in[at:])<<(n&63), n | 56
	}
	for ; n < 56 && at < len(in); at++ {
		hold |= uint64(in[at]) << n
		n += 8
	}
	return at, hold, n
}

// bits returns the next n bits, up to 16; bits past the end are 0.
func (d *decoder) bits(n uint) int {
	if d.n < n {
		d.at, d.hold, d.n = refill(d.in, d.at, d.hold, d.n)
	}
	v := d.hold & (1<<n - 1)
	d.hold, d.n = d.hold>>n, d.n-n
	return int(v)
}

func (d *decoder) hasEnded() bool { return d.n > 63 }

// unpack unpacks data to out, which may grow to most bytes; afterward at is the end of the data.
func (d *decoder) unpack(data []byte, size, most int) error {
	d.in, d.at, d.hold, d.n, d.used, d.most = data, 0, 0, 0, 0, most
	d.out = make([]byte, size+stepBytes)
	for isLast := 0; isLast == 0; {
		isLast = d.bits(1)
		err := ErrDamaged
		switch d.bits(2) {
		case 0:
			err = d.stored()
		case 1:
			copy(d.lengths[:], fixedLengths)
			err = d.block(litCodes, distCodes)
		case 2:
			lits, dists := d.bits(5)+257, d.bits(5)+1
			if err = d.readLengths(lits, dists); err == nil {
				err = d.block(lits, dists)
			}
		}
		switch {
		case d.hasEnded():
			return ErrDamaged
		case err != nil:
			return err
		case d.used > d.most:
			return errFull
		}
	}
	d.at -= int(d.n >> 3) // whole bytes that were loaded but not used
	return nil
}

// grow provides capacity for n more bytes of output.
func (d *decoder) grow(n int) error {
	if d.used > d.most {
		return errFull
	}
	if need := d.used + n + stepBytes; need > len(d.out) {
		d.out = append(d.out, make([]byte, max(need-len(d.out), len(d.out)))...)
	}
	return nil
}

// stored copies a block that is not packed.
func (d *decoder) stored() error {
	if d.hasEnded() {
		return ErrDamaged
	}
	d.at -= int(d.n >> 3)
	d.hold, d.n = 0, 0
	const head = 4
	if d.at+head > len(d.in) {
		return ErrDamaged
	}
	size := int(binary.LittleEndian.Uint16(d.in[d.at:]))
	check := int(binary.LittleEndian.Uint16(d.in[d.at+2:]))
	d.at += head
	if size^check != 0xffff || d.at+size > len(d.in) {
		return ErrDamaged
	}
	if err := d.grow(size); err != nil {
		return err
	}
	d.used += copy(d.out[d.used:], d.in[d.at:d.at+size])
	d.at += size
	return nil
}

// fixedLengths are the lengths of the fixed codes, which blocks do not describe.
var fixedLengths = strings.Repeat("\x08", 144) + strings.Repeat("\x09", 112) + strings.Repeat("\x07", 24) +
	strings.Repeat("\x08", 8) + strings.Repeat("\x05", distCodes)

// readLengths reads the lengths of a block's codes, which are themselves packed with a code.
func (d *decoder) readLengths(lits, dists int) error {
	order := [...]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
	clear(d.lengths[:])
	for _, at := range order[:d.bits(4)+4] {
		d.lengths[at] = uint8(d.bits(3))
	}
	var ok bool
	if d.lit, ok = codes(d.lit, sizeWidth, d.lengths[:len(order)], &meanings[0]); !ok || lits > 286 || dists > 30 {
		return ErrDamaged
	}
	last := uint8(0)
	for i := 0; i < lits+dists; {
		d.at, d.hold, d.n = refill(d.in, d.at, d.hold, d.n)
		e := d.lit[d.hold&(1<<sizeWidth-1)]
		d.hold, d.n = d.hold>>taken(e), d.n-taken(e)
		times, value := 1, uint8(e>>16)
		switch value {
		case 16:
			times, value = 3+d.bits(2), last
		case 17:
			times, value = 3+d.bits(3), 0
		case 18:
			times, value = 11+d.bits(7), 0
		}
		if e == 0 || d.hasEnded() || i+times > lits+dists || e>>16 == 16 && i == 0 {
			return ErrDamaged
		}
		for last = value; times > 0; times-- {
			d.lengths[i] = value
			i++
		}
	}
	return nil
}

// meanings are the table entries of the codes of literals and lengths, and of distances; 0 for unused codes.
var meanings = func() (all [2][litCodes]uint32) {
	lit, dist := &all[0], &all[1]
	for i := range 256 {
		lit[i] = literal | uint32(i)<<16
	}
	lit[256], lit[285] = blockEnd, number|258<<16
	for i := range 28 {
		bits := max(i/4-1, 0)
		lit[257+i] = number | uint32(bits)<<5 | uint32(i-4*bits)<<bits<<16 + 3<<16
	}
	for i := range 30 {
		bits := max(i/2-1, 0)
		dist[i] = number | uint32(bits)<<5 | uint32(i-2*bits)<<bits<<16 + 1<<16
	}
	return all
}()

// codes builds the table of the canonical code with the given lengths. It returns false for invalid lengths: an
// incomplete code must be a single code of one bit, or empty.
func codes(table []uint32, width int, lengths []uint8, means *[litCodes]uint32) ([]uint32, bool) {
	var count, next [longestCode + 1]int
	for _, l := range lengths {
		count[l]++
	}
	count[0] = 0
	longest, left := 0, 1
	for l := 1; l <= longestCode; l++ {
		next[l] = (next[l-1] + count[l-1]) << 1
		if left = left<<1 - count[l]; left < 0 {
			return table, false
		}
		if count[l] > 0 {
			longest = l
		}
	}
	if single := longest == 1 && count[1] == 1; left > 0 && longest > 0 && !single {
		return table, false
	}
	table = slices.Grow(table[:0], 1<<width)[:1<<width]
	clear(table)
	for code, length := range lengths {
		l := int(length)
		if l == 0 {
			continue
		}
		part, from := table[:1<<width], int(bits.Reverse16(uint16(next[l]))>>(16-l))
		if next[l]++; l > width {
			rest, first := longest-width, from&(1<<width-1)
			if table[first] == 0 {
				table[first] = second | uint32(width) | uint32(rest)<<5 | uint32(len(table))<<16
				table = append(table, make([]uint32, 1<<rest)...)
			}
			begin := int(table[first] >> 16)
			part, from, l = table[begin:begin+1<<rest], from>>width, l-width
		}
		if e := means[code]; e != 0 {
			for ; from < len(part); from += 1 << l {
				part[from] = e | uint32(l)
			}
		}
	}
	return table, true
}

// block unpacks a block of codes of the lengths that were read. It keeps the changing state in registers.
func (d *decoder) block(lits, dists int) error {
	var ok bool
	if d.lit, ok = codes(d.lit, litWidth, d.lengths[:lits], &meanings[0]); ok {
		d.dist, ok = codes(d.dist, distWidth, d.lengths[lits:lits+dists], &meanings[1])
	}
	if !ok {
		return ErrDamaged
	}
	lit, dist := (*[1 << litWidth]uint32)(d.lit), (*[1 << distWidth]uint32)(d.dist)
	in, at, hold, n := d.in, d.at, d.hold, d.n
	out, used := d.out, d.used
	var e uint32
steps:
	for {
		if used > len(out)-stepBytes {
			d.used = used
			if err := d.grow(0); err != nil || n > 63 {
				return cmp.Or(err, ErrDamaged)
			}
			out = d.out
		}
		at, hold, n = refill(in, at, hold, n)
		for e = lit[hold&(1<<litWidth-1)]; e&literal != 0; e = lit[hold&(1<<litWidth-1)] {
			out[used] = byte(e >> 16)
			used++
			if hold, n = hold>>taken(e), n-taken(e); n-lengthBits > 63 {
				continue steps
			}
		}
		if e&second != 0 {
			hold, n = hold>>litWidth, n-litWidth
			e = d.lit[uint64(e>>16)+hold&(1<<extra(e)-1)]
		}
		hold, n = hold>>taken(e), n-taken(e)
		if e&literal != 0 {
			out[used] = byte(e >> 16)
			used++
			continue
		}
		if e&number == 0 {
			break
		}
		length := int(e>>16) + int(hold&(1<<extra(e)-1))
		at, hold, n = refill(in, at, hold>>extra(e), n-extra(e))
		f := dist[hold&(1<<distWidth-1)]
		if f&second != 0 {
			hold, n = hold>>distWidth, n-distWidth
			f = d.dist[uint64(f>>16)+hold&(1<<extra(f)-1)]
		}
		hold >>= taken(f)
		back := int(f>>16) + int(hold&(1<<extra(f)-1))
		hold, n = hold>>extra(f), n-taken(f)-extra(f)
		if f == 0 || back > used || n > 63 {
			return ErrDamaged
		}
		to := used + length
		if back >= word {
			for ; used < to; used += word {
				binary.LittleEndian.PutUint64(out[used:], binary.LittleEndian.Uint64(out[used-back:]))
			}
		} else {
			for from := used - back; used < to; { // bytes just written may be copied too
				used += copy(out[used:to], out[from:used])
			}
		}
		used = to
	}
	if d.at, d.hold, d.n, d.used = at, hold, n, used; e == 0 {
		return ErrDamaged
	}
	return nil
}
