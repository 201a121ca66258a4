package inflate

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
)

// The decoder of deflate data (RFC 1951), for what lies in memory as a whole and has a known size or bound. It takes
// half the time that one of streams takes, as it keeps no window of its own and looks at eight bytes at a time.
//
// Codes are read by tables: the bits that come next, as many as the table is wide, index an entry that says how long the
// code is and what it stands for; codes that are longer lead to a second table. An entry is
//
//	bits 0…5   bits to take, 0 where there is no such code
//	bits 6, 7  what it stands for: a literal, a number with extra bits, a second table, or the end of the block
//	bits 8…15  extra bits, or the width of the second table
//	bits 16…31 the literal, the number, or where the second table begins

const (
	literal = iota << 6
	number
	second
	blockEnd

	what = blockEnd
	take = 1<<6 - 1

	noCode = 1<<32 - 1 // for codes that are counted and mean nothing
)

const (
	longestCode = 15
	litWidth    = 10 // bits of the first table of literals and lengths
	distWidth   = 8  // and of distances
	litCodes    = 288
	distCodes   = 32
)

const word = 8 // bytes that are read and written at a time

// errFull says that there is more than there is room for.
var errFull = errors.New("more than was to be unpacked")

// decoder unpacks one run of deflate data.
type decoder struct {
	in      []byte
	at      int    // bytes of in that hold has had
	hold    uint64 // bits to come, the next one lowest; those above n may be set, to what follows
	n       int    // how many; less than none when the data ended before
	out     []byte
	used    int // bytes of out
	most    int // out may grow to
	lengths [litCodes + distCodes]uint8
	lit     []uint32
	dist    []uint32
}

// refill provides 56 bits, or all that are left.
func (d *decoder) refill() {
	if d.at+word <= len(d.in) {
		d.hold |= binary.LittleEndian.Uint64(d.in[d.at:]) << d.n
		d.at += (63 - d.n) >> 3
		d.n |= 56
		return
	}
	for ; d.n <= 56 && d.at < len(d.in); d.at++ {
		d.hold |= uint64(d.in[d.at]) << d.n
		d.n += 8
	}
}

// bits takes up to 16 bits.
func (d *decoder) bits(n int) (int, error) {
	if d.n < n {
		if d.refill(); d.n < n {
			return 0, ErrDamaged
		}
	}
	v := d.hold & (1<<n - 1)
	d.hold >>= n
	d.n -= n
	return int(v), nil
}

// unpack unpacks all blocks into out, which begins with d.out and has no more than d.most bytes then.
func (d *decoder) unpack() error {
	for {
		head, err := d.bits(3)
		if err != nil {
			return err
		}
		switch head >> 1 {
		case 0:
			err = d.stored()
		case 1:
			d.fixed()
			err = d.block()
		case 2:
			if err = d.dynamic(); err == nil {
				err = d.block()
			}
		default:
			err = ErrDamaged
		}
		if err != nil || head&1 == 1 {
			d.at -= d.n >> 3 // whole bytes that nothing took
			return err
		}
	}
}

// room makes the place of n more bytes.
func (d *decoder) room(n int) bool {
	if d.used+n > d.most {
		return false
	}
	if need := d.used + n - len(d.out); need > 0 {
		more := min(max(need, len(d.out), 4<<10), d.most-len(d.out))
		d.out = append(d.out, make([]byte, more)...)
	}
	return true
}

// stored copies a block that is not packed.
func (d *decoder) stored() error {
	d.at -= d.n >> 3
	d.hold, d.n = 0, 0
	const head = 4
	if d.at+head > len(d.in) {
		return ErrDamaged
	}
	size := int(binary.LittleEndian.Uint16(d.in[d.at:]))
	if check := int(binary.LittleEndian.Uint16(d.in[d.at+2:])); size^check != 0xffff || d.at+head+size > len(d.in) {
		return ErrDamaged
	}
	d.at += head
	full := !d.room(size)
	if full {
		size = d.most - d.used
		d.room(size)
	}
	d.used += copy(d.out[d.used:d.used+size], d.in[d.at:])
	if d.at += size; full {
		return errFull
	}
	return nil
}

// fixed sets the codes that need no description.
func (d *decoder) fixed() {
	for i := range litCodes {
		switch {
		case i < 144:
			d.lengths[i] = 8
		case i < 256:
			d.lengths[i] = 9
		case i < 280:
			d.lengths[i] = 7
		default:
			d.lengths[i] = 8
		}
	}
	d.lit, _ = codes(d.lit[:0], litWidth, d.lengths[:litCodes], litEntry)
	for i := range distCodes {
		d.lengths[i] = 5
	}
	d.dist, _ = codes(d.dist[:0], distWidth, d.lengths[:distCodes], distEntry)
}

// dynamic reads the codes of a block.
func (d *decoder) dynamic() error {
	head, err := d.bits(14)
	if err != nil {
		return err
	}
	lits, dists, n := head&31+257, head>>5&31+1, head>>10+4
	if lits > 286 || dists > 30 {
		return ErrDamaged
	}
	order := [...]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
	d.lengths = [len(d.lengths)]uint8{}
	for _, at := range order[:n] {
		l, err := d.bits(3)
		if err != nil {
			return err
		}
		d.lengths[at] = uint8(l)
	}
	const width = 7
	var ok bool
	if d.lit, ok = codes(d.lit[:0], width, d.lengths[:len(order)], plainEntry); !ok {
		return ErrDamaged
	}
	if err := d.readLengths(lits+dists, width); err != nil {
		return err
	}
	if d.lit, ok = codes(d.lit[:0], litWidth, d.lengths[:lits], litEntry); !ok {
		return ErrDamaged
	}
	if d.dist, ok = codes(d.dist[:0], distWidth, d.lengths[lits:lits+dists], distEntry); !ok {
		return ErrDamaged
	}
	return nil
}

// readLengths reads the lengths of n codes, packed by the code in d.lit.
func (d *decoder) readLengths(n, width int) error {
	for i := 0; i < n; {
		d.refill()
		e := d.lit[d.hold&(1<<width-1)]
		if e&take == 0 {
			return ErrDamaged
		}
		d.hold >>= e & take
		d.n -= int(e & take)
		value, times, extra, least := uint8(e>>16), 1, 0, 0
		switch value {
		case 16:
			if i == 0 {
				return ErrDamaged
			}
			value, extra, least = d.lengths[i-1], 2, 3
		case 17:
			value, extra, least = 0, 3, 3
		case 18:
			value, extra, least = 0, 7, 11
		}
		if extra > 0 {
			times = least + int(d.hold&(1<<extra-1))
			d.hold >>= extra
			d.n -= extra
		}
		if d.n < 0 || i+times > n {
			return ErrDamaged
		}
		for ; times > 0; times-- {
			d.lengths[i] = value
			i++
		}
	}
	return nil
}

func plainEntry(code int) uint32 { return literal | uint32(code)<<16 }

func litEntry(code int) uint32 {
	switch {
	case code < 256:
		return literal | uint32(code)<<16
	case code == 256:
		return blockEnd
	case code < 265:
		return number | uint32(code-254)<<16
	case code < 285:
		extra := (code - 261) / 4
		return number | uint32(extra)<<8 | uint32((4+(code-265)%4)<<extra+3)<<16
	case code == 285:
		return number | 258<<16
	}
	return noCode
}

func distEntry(code int) uint32 {
	if code < 4 {
		return number | uint32(code+1)<<16
	}
	if extra := (code - 2) / 2; code < 30 {
		return number | uint32(extra)<<8 | uint32((2+code%2)<<extra+1)<<16
	}
	return noCode
}

// codes makes the table of the canonical code with so long codes; entry is what each stands for. It is false for lengths
// that no code has. One that is not complete must be a single code of one bit, or have none.
func codes(table []uint32, width int, lengths []uint8, entry func(code int) uint32) ([]uint32, bool) {
	var count, next [longestCode + 1]int
	longest := 0
	for _, l := range lengths {
		count[l]++
		longest = max(longest, int(l))
	}
	count[0] = 0
	at := 0
	for l := 1; l <= longest; l++ {
		at <<= 1
		next[l] = at
		at += count[l]
	}
	if single := at == 1 && longest == 1; at != 1<<longest && !single && longest > 0 {
		return table, false
	}
	table = slices.Grow(table, 1<<width)[:1<<width]
	clear(table)
	for code, length := range lengths {
		if length == 0 {
			continue
		}
		l := int(length)
		e := entry(code)
		from := int(bits.Reverse16(uint16(next[l])) >> (16 - l))
		if next[l]++; e == noCode {
			continue
		}
		part, l := table[:1<<width], l
		if l > width {
			first := &table[from&(1<<width-1)]
			if *first == 0 {
				*first = second | uint32(width) | uint32(longest-width)<<8 | uint32(len(table))<<16
				table = append(table, make([]uint32, 1<<(longest-width))...)
			}
			begin := int(table[from&(1<<width-1)] >> 16)
			part, from, l = table[begin:begin+1<<(longest-width)], from>>width, l-width
		}
		for ; from < len(part); from += 1 << l {
			part[from] = e | uint32(l)
		}
	}
	return table, true
}

// block unpacks a block of codes.
func (d *decoder) block() error {
	for {
		d.run()
		if isEnd, err := d.symbol(); isEnd || err != nil {
			return err
		}
	}
}

// run unpacks literals and repetitions while their codes are in the first tables and no end is near. What changes all
// the time is in registers meanwhile.
func (d *decoder) run() {
	const room = 258 + word // bytes: the longest repetition, in words
	lit, dist := (*[1 << litWidth]uint32)(d.lit), (*[1 << distWidth]uint32)(d.dist)
	in, at, hold, n := d.in, d.at, d.hold, uint(d.n)
	out, used := d.out, d.used
	for at+word <= len(in) && used+room <= len(out) {
		hold |= binary.LittleEndian.Uint64(in[at:]) << (n & 63)
		at += int(63-n) >> 3
		n |= 56
		e := lit[hold&(1<<litWidth-1)]
		if e&what == literal && e&take != 0 {
			out[used] = byte(e >> 16)
			used++
			hold >>= e & take
			n -= uint(e & take)
			if e = lit[hold&(1<<litWidth-1)]; e&what == literal && e&take != 0 {
				out[used] = byte(e >> 16)
				used++
				hold >>= e & take
				n -= uint(e & take)
				continue
			}
		}
		if e&what != number {
			break
		}
		// Of the 46 bits that are left a length and a distance take 36.
		after := hold >> (e & take)
		length := int(e>>16) + int(after&(1<<(e>>8&0xff)-1))
		after >>= e >> 8 & 0xff
		f := dist[after&(1<<distWidth-1)]
		after >>= f & take
		back := int(f>>16) + int(after&(1<<(f>>8&0xff)-1))
		if f&what != number || back > used {
			break
		}
		hold = after >> (f >> 8 & 0xff)
		n -= uint(e&take + e>>8&0xff + f&take + f>>8&0xff)
		to := used + length
		if back >= word {
			for from := used - back; used < to; used, from = used+word, from+word {
				binary.LittleEndian.PutUint64(out[used:], binary.LittleEndian.Uint64(out[from:]))
			}
		} else {
			for from := used - back; used < to; {
				used += copy(out[used:to], out[from:used])
			}
		}
		used = to
	}
	d.at, d.hold, d.n, d.used = at, hold, int(n), used
}

// symbol unpacks what the next code says.
func (d *decoder) symbol() (isEnd bool, err error) {
	if d.n < 48 { // what a length and a distance take at most
		d.refill()
	}
	e := d.next(d.lit[d.hold&(1<<litWidth-1)], d.lit)
	switch {
	case e&take == 0 || d.n < 0:
		return false, ErrDamaged
	case e&what == blockEnd:
		return true, nil
	case e&what == literal && !d.room(1):
		return false, errFull
	case e&what == literal:
		d.out[d.used] = byte(e >> 16)
		d.used++
		return false, nil
	}
	length := d.extended(e)
	e = d.next(d.dist[d.hold&(1<<distWidth-1)], d.dist)
	back := d.extended(e)
	if e&take == 0 || d.n < 0 || back > d.used {
		return false, ErrDamaged
	}
	full := !d.room(length)
	if full {
		length = d.most - d.used
		d.room(length)
	}
	for from, to := d.used-back, d.used+length; d.used < to; { // what is written already is there to be copied too
		d.used += copy(d.out[d.used:to], d.out[from:d.used])
	}
	if full {
		return false, errFull
	}
	return false, nil
}

// next takes the bits of an entry, and of the one in the second table that it leads to.
func (d *decoder) next(e uint32, table []uint32) uint32 {
	d.hold >>= e & take
	d.n -= int(e & take)
	if e&what == second {
		e = table[int(e>>16)+int(d.hold&(1<<(e>>8&0xff)-1))]
		d.hold >>= e & take
		d.n -= int(e & take)
	}
	return e
}

// extended is a number with the extra bits that follow.
func (d *decoder) extended(e uint32) int {
	extra := e >> 8 & 0xff
	v := int(e>>16) + int(d.hold&(1<<extra-1))
	d.hold >>= extra
	d.n -= int(extra)
	return v
}
