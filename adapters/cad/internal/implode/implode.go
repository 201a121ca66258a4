// Package implode unpacks the format of PKWARE's Data Compression Library, known as "implode". SolidWorks packed the
// bodies of parts in it around the year 2000.
//
// The first byte states whether literals are coded (1) or plain (0). The second is the number of plain low bits in a
// distance. Then come tokens, the lowest bit of each byte first. A token is a flag 0 and a literal, or a flag 1, a
// length and a distance back. The three prefix codes are canonical and fixed; their bits are stored inverted, the
// highest first. A length of 519 ends the data. The cost is one step for each bit of the input.
package implode

import (
	"errors"
	"fmt"
)

// ErrDamaged is wrapped by the errors of data that break the format.
var ErrDamaged = errors.New("imploded data are damaged")

// ErrTooLarge is returned when the data unpack to more than was allowed.
var ErrTooLarge = errors.New("imploded data are too large")

const endLength = 519

// The lengths of the codes of each symbol: of literals a hexadecimal digit each, in the order of their values.
const (
	literalLengths = "bcccccccc87cc7ccccccccccccdccccc4a8caca87789767876777787788cb79b" +
		"c676657886b967667b66679899b8b9c8c566656665b756556a55558788abbccc" +
		"ddddddddddddddddddddddddddddddddddddddddddddddddcccccccccccccccc" +
		"ccccccccccccccccccccccccccccccccdcdddcdddcddddcdddcccddddddddddd"
	sizeLengths     = "2333444555566677"
	distanceLengths = "2445555666666666666666777777777777777777777777778888888888888888"
)

// sizes are the lengths of copies: the base of each symbol, and the number of extra bits.
var sizes = [16]struct{ base, bits int }{
	{3, 0}, {2, 0}, {4, 0}, {5, 0}, {6, 0}, {7, 0}, {8, 0}, {9, 0},
	{10, 1}, {12, 2}, {16, 3}, {24, 4}, {40, 5}, {72, 6}, {136, 7}, {264, 8},
}

const longestCode = 13

// code is a canonical prefix code: how many symbols have each length, and the symbols by length, then value.
type code struct {
	count   [longestCode + 1]int
	symbols []int
}

func newCode(lengths string) code {
	var c code
	for n := 1; n <= longestCode; n++ {
		for symbol, digit := range lengths {
			if digit == rune("0123456789abcd"[n]) {
				c.count[n]++
				c.symbols = append(c.symbols, symbol)
			}
		}
	}
	return c
}

var literals, copySizes, distances = newCode(literalLengths), newCode(sizeLengths), newCode(distanceLengths)

// Looks reports whether data begin like imploded data. This is weak evidence, because only two bytes are checked.
func Looks(data []byte) bool {
	return len(data) > 2 && data[0] <= 1 && data[1] >= 4 && data[1] <= 6
}

// Unpack returns the content and how many bytes of data it took. The content may have at most limit bytes.
func Unpack(data []byte, limit int) (content []byte, used int, err error) {
	if !Looks(data) {
		return nil, 0, fmt.Errorf("%w: they begin with none of its forms", ErrDamaged)
	}
	r := reader{data: data, at: 2}
	isCoded, plainBits := data[0] == 1, int(data[1])
	var out []byte
	for !r.isShort {
		if len(out) > limit {
			return nil, 0, ErrTooLarge
		}
		switch {
		case r.bits(1) == 1:
			size := r.size()
			if size == endLength {
				return out, r.at, nil
			}
			distance := r.distance(size, plainBits)
			if distance > len(out) {
				return nil, 0, fmt.Errorf("%w: a copy from before its beginning", ErrDamaged)
			}
			for range size { // a copy may overlap itself
				out = append(out, out[len(out)-distance])
			}
		case isCoded:
			out = append(out, byte(r.symbol(&literals)))
		default:
			out = append(out, byte(r.bits(8)))
		}
	}
	return nil, 0, fmt.Errorf("%w: they are cut off", ErrDamaged)
}

// reader reads bits; bits past the end are zero and set isShort.
type reader struct {
	data    []byte
	at      int // the next byte
	held    int // unused bits
	count   int // how many
	isShort bool
}

func (r *reader) bits(n int) int {
	for r.count < n {
		if r.at >= len(r.data) {
			r.isShort = true
			return 0
		}
		r.held |= int(r.data[r.at]) << r.count
		r.at++
		r.count += 8
	}
	value := r.held & (1<<n - 1)
	r.held >>= n
	r.count -= n
	return value
}

// symbol reads one symbol. All three codes are complete, so every bit sequence is valid.
func (r *reader) symbol(c *code) int {
	value, first, before := 0, 0, 0 // first is the first code of the length, before how many symbols are shorter
	for n := 1; n <= longestCode; n++ {
		value |= r.bits(1) ^ 1
		if k := value - first; k < c.count[n] {
			return c.symbols[before+k]
		}
		before += c.count[n]
		first = (first + c.count[n]) << 1
		value <<= 1
	}
	r.isShort = true
	return 0
}

func (r *reader) size() int {
	s := sizes[r.symbol(&copySizes)]
	return s.base + r.bits(s.bits)
}

func (r *reader) distance(size, plainBits int) int {
	if size == 2 {
		plainBits = 2
	}
	high := r.symbol(&distances)
	return high<<plainBits + r.bits(plainBits) + 1
}
