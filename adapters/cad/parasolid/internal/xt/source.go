package xt

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"millwright.dev/millwright/core/fault"
)

// source reads values in one of the encodings. Past the end of the data all values are 0 and isShort is true.
type source interface {
	byte() int
	character() int
	logical() int
	short() int
	integer() int
	index() int // a pointer, or another number that is not negative
	characters(n int) string
	// values appends n values of a kind to words.
	values(words []uint64, kind byte, n int) []uint64
	word() string            // a length and so many characters
	descriptionLength() int  // of the text that the stream begins with
	prose(length int) string // text of the prologue
	left() int               // bytes
	isShort() bool
}

// open finds out how a stream is encoded.
func open(data []byte) (source, error) {
	switch {
	case bytes.HasPrefix(data, []byte("PS\x00\x00")):
		return &binarySource{data: data[4:]}, nil
	case bytes.HasPrefix(data, []byte("T")):
		return newTextSource(data[1:]), nil
	case bytes.HasPrefix(data, []byte("B")) && len(data) > 5:
		// The description is short, in the order of the machine that wrote it.
		isLittle := binary.LittleEndian.Uint32(data[1:]) <= binary.BigEndian.Uint32(data[1:])
		return &binarySource{data: data[1:], isLittle: isLittle, isBare: true}, nil
	}
	return nil, fault.Errorf(fault.UnreadableFile, "The Parasolid data begin with no known encoding.")
}

// nullReal is the bit pattern of an absent real in binary streams.
const nullReal = 0xC2BC928F996E0000

// nullInteger is the integer that does.
const nullInteger = -32764

var noReal = math.Float64bits(math.NaN())

// binarySource reads the neutral and the bare binary encoding: IEEE-754 reals, integers of four bytes, and pointers of
// two, or four where that is not enough.
type binarySource struct {
	data     []byte
	at       int // read position
	isLittle bool
	isBare   bool // as the machine has it that wrote it
	ended    bool
}

var zeros [8]byte

func (b *binarySource) take(n int) []byte {
	if n > len(b.data)-b.at {
		b.at, b.ended = len(b.data), true
		return zeros[:n]
	}
	b.at += n
	return b.data[b.at-n : b.at]
}

func (b *binarySource) byte() int      { return int(b.take(1)[0]) }
func (b *binarySource) character() int { return b.byte() }
func (b *binarySource) logical() int   { return b.byte() }
func (b *binarySource) left() int      { return len(b.data) - b.at }
func (b *binarySource) isShort() bool  { return b.ended }

func (b *binarySource) signed() int {
	w := b.take(2)
	if b.isLittle {
		return int(int16(binary.LittleEndian.Uint16(w)))
	}
	return int(int16(binary.BigEndian.Uint16(w)))
}

func (b *binarySource) short() int {
	if i := b.signed(); i != nullInteger {
		return i
	}
	return Null
}

func (b *binarySource) integer() int {
	w := b.take(4)
	i := int(int32(binary.BigEndian.Uint32(w)))
	if b.isLittle {
		i = int(int32(binary.LittleEndian.Uint32(w)))
	}
	if i == nullInteger {
		return Null
	}
	return i
}

// radix is the factor of the high part of pointers that do not fit two bytes.
const radix = 32767

func (b *binarySource) index() int {
	i := b.signed()
	if i >= 0 {
		return i - 1
	}
	return b.signed()*radix - i - 1
}

// reals reads reals, which are most of the bytes.
func (b *binarySource) reals(to []uint64) {
	const width = 8
	if len(to) > b.left()/width {
		b.at, b.ended = len(b.data), true
		clear(to)
		return
	}
	data := b.data[b.at:]
	b.at += width * len(to)
	for i := range to {
		r := binary.BigEndian.Uint64(data[width*i:])
		if b.isLittle {
			r = bits.ReverseBytes64(r)
		}
		if to[i] = r; r == nullReal {
			to[i] = noReal
		}
	}
}

func (b *binarySource) values(words []uint64, kind byte, n int) []uint64 {
	from := len(words)
	words = slices.Grow(words, n*width(kind))[:from+n*width(kind)]
	to := words[from:]
	switch kind {
	case 'p':
		b.indices(to)
	case 'd', 't':
		for i := range to {
			to[i] = uint64(b.integer())
		}
	case 'n', 'w':
		for i := range to {
			to[i] = uint64(b.short())
		}
	case 'u', 'c', 'l':
		for i := range to {
			to[i] = uint64(b.byte())
		}
	default:
		b.reals(to)
	}
	return words
}

// indices reads pointers, the most frequent values. Far from the end of the data it omits the checks that index makes.
func (b *binarySource) indices(to []uint64) {
	const longest = 4
	data, at := b.data, b.at
	for i := range to {
		if at+longest > len(data) || b.isLittle {
			b.at = at
			to[i] = uint64(b.index())
			at = b.at
			continue
		}
		w := binary.BigEndian.Uint32(data[at:])
		high, low := int(int16(w>>16)), int(int16(w))
		if high >= 0 {
			to[i] = uint64(high - 1)
			at += longest / 2
		} else {
			to[i] = uint64(low*radix - high - 1)
			at += longest
		}
	}
	b.at = at
}

func (b *binarySource) characters(n int) string {
	if n < 0 || n > b.left() {
		b.at, b.ended = len(b.data), true
		return ""
	}
	b.at += n
	return string(b.data[b.at-n : b.at])
}

func (b *binarySource) word() string            { return b.characters(b.byte()) }
func (b *binarySource) prose(length int) string { return b.characters(length) }

func (b *binarySource) descriptionLength() int {
	if b.isBare {
		return b.integer()
	}
	return b.signed()
}
