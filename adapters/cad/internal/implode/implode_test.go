package implode

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/adapters/cad/internal/containertest"
)

// writer packs, so that there is something to unpack.
type writer struct {
	out []byte
	bit int
}

func (w *writer) bits(value, n int) {
	for i := range n {
		if w.bit%8 == 0 {
			w.out = append(w.out, 0)
		}
		w.out[len(w.out)-1] |= byte(value>>i&1) << (w.bit % 8)
		w.bit++
	}
}

// symbol writes the code of a symbol: the highest bit first, inverted.
func (w *writer) symbol(lengths string, symbol int) {
	next, mine := 0, 0
	for n := 1; n <= longestCode; n++ {
		for s, digit := range lengths {
			if digit != rune("0123456789abcd"[n]) {
				continue
			}
			if s == symbol {
				mine = next
				for i := n - 1; i >= 0; i-- {
					w.bits(mine>>i&1^1, 1)
				}
				return
			}
			next++
		}
		next <<= 1
	}
	panic("no such symbol")
}

func (w *writer) copied(size, distance, plainBits int) {
	w.bits(1, 1)
	symbol := len(sizes) - 1
	for i, s := range sizes {
		if size >= s.base && size < s.base+1<<s.bits && (i < 2 || size > 3) {
			symbol = i
		}
	}
	w.symbol(sizeLengths, symbol)
	w.bits(size-sizes[symbol].base, sizes[symbol].bits)
	if size == endLength {
		return
	}
	if size == 2 {
		plainBits = 2
	}
	w.symbol(distanceLengths, (distance-1)>>plainBits)
	w.bits((distance-1)&(1<<plainBits-1), plainBits)
}

// TestUnpackRandomCopies packs random literals and copies, in all forms, and unpacks them.
func TestUnpackRandomCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		isCoded, plainBits := rapid.Bool().Draw(t, "coded"), rapid.IntRange(4, 6).Draw(t, "bits")
		w := &writer{out: []byte{0, byte(plainBits)}, bit: 16}
		if isCoded {
			w.out[0] = 1
		}
		var want []byte
		for range rapid.IntRange(0, 60).Draw(t, "pieces") {
			if len(want) > 0 && rapid.Bool().Draw(t, "copy") {
				size := rapid.IntRange(2, endLength-1).Draw(t, "size")
				farthest := 64 << plainBits
				if size == 2 {
					farthest = 64 << 2
				}
				distance := rapid.IntRange(1, min(len(want), farthest)).Draw(t, "distance")
				w.copied(size, distance, plainBits)
				for range size {
					want = append(want, want[len(want)-distance])
				}
				continue
			}
			b := rapid.Byte().Draw(t, "literal")
			w.bits(0, 1)
			if isCoded {
				w.symbol(literalLengths, int(b))
			} else {
				w.bits(int(b), 8)
			}
			want = append(want, b)
		}
		w.copied(endLength, 0, plainBits)
		got, used, err := Unpack(append(w.out, "what follows"...), len(want))
		if err != nil || !bytes.Equal(got, want) || used != len(w.out) {
			t.Fatalf("%d bytes of %d, %d of %d used: %v", len(got), len(want), used, len(w.out), err)
		}
	})
}

func TestUnpackRefuses(t *testing.T) {
	packed := containertest.Implode([]byte(strings.Repeat("a", 100)))
	far := &writer{out: []byte{0, 6}, bit: 16}
	far.copied(5, 10, 6)
	for _, c := range []struct {
		name string
		data []byte
		want error
	}{
		{"nothing", nil, ErrDamaged},
		{"no form", []byte{2, 6, 0, 0}, ErrDamaged},
		{"a window that is none", []byte{0, 7, 0, 0}, ErrDamaged},
		{"cut off", packed[:50], ErrDamaged},
		{"a copy from before the beginning", far.out, ErrDamaged},
		{"more than allowed", packed, ErrTooLarge},
	} {
		if _, _, err := Unpack(c.data, 50); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// FuzzUnpack unpacks any bytes to no more than the limit.
func FuzzUnpack(f *testing.F) {
	f.Add(containertest.Implode([]byte("hello, hello")))
	f.Add([]byte{1, 4, 0x82, 0x24, 0x25, 0x8F, 0x80, 0x7F})
	f.Fuzz(func(t *testing.T, data []byte) {
		const limit = 1 << 16
		out, used, err := Unpack(data, limit)
		if err == nil && (len(out) > limit+endLength || used > len(data)) {
			t.Fatalf("%d bytes of %d became %d", used, len(data), len(out))
		}
	})
}
