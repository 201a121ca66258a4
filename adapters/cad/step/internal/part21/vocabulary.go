package part21

import (
	"encoding/binary"
	"math/bits"
)

// Keyword is an interned entity, type or enumeration name: its index in the Vocabulary. Names outside the vocabulary
// are kept only for messages; see File.Name.
type Keyword uint16

// NoKeyword is the name of nothing: an unset enumeration, a complex instance, an unknown word.
const NoKeyword Keyword = 0

// Word is one name that the caller uses.
type Word struct {
	Name   string // upper case
	Entity bool   // parameters of instances with this name are kept; others are only skipped over
	Text   bool   // keep non-empty strings among the parameters too
	Listed bool   // instances are listed by File.Of
}

// Vocabulary maps names to Keywords. Word 0 stays unused. It is immutable and safe for concurrent use.
type Vocabulary struct {
	words []Word
	slots []Keyword // open addressing by hash; 0 = free
	shift uint
}

// NewVocabulary builds the table of words; the Keyword of words[i] is i. words[0] is ignored.
func NewVocabulary(words []Word) *Vocabulary {
	size := 4 << bits.Len(uint(len(words)))
	v := &Vocabulary{words: words, slots: make([]Keyword, size), shift: uint(64 - bits.Len(uint(size-1)))}
	for i := 1; i < len(words); i++ {
		at := v.slot([]byte(words[i].Name))
		for v.slots[at] != NoKeyword {
			at = (at + 1) & (size - 1)
		}
		v.slots[at] = Keyword(i)
	}
	return v
}

// Lookup returns the keyword of an upper-case name, NoKeyword when it is not in the vocabulary.
func (v *Vocabulary) Lookup(name []byte) Keyword {
	at := v.slot(name)
	for {
		k := v.slots[at]
		if k == NoKeyword || v.words[k].Name == string(name) {
			return k
		}
		at = (at + 1) & (len(v.slots) - 1)
	}
}

// slot hashes the length and the first and last eight bytes, which separate the entity names of the schemas well
// enough, by multiplication with odd 64-bit constants (Fibonacci hashing).
func (v *Vocabulary) slot(name []byte) int {
	var head, tail uint64
	if n := len(name); n >= 8 {
		head = binary.LittleEndian.Uint64(name)
		tail = binary.LittleEndian.Uint64(name[n-8:])
	} else {
		for _, c := range name {
			head = head<<8 | uint64(c)
		}
	}
	h := (head ^ uint64(len(name))) * 0x9E3779B97F4A7C15
	h = (h ^ tail) * 0xD6E8FEB86659FD93
	h ^= h >> 32
	return int(h * 0x9E3779B97F4A7C15 >> v.shift)
}
