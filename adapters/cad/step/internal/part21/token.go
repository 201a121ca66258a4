package part21

// kind is the kind of a token; its value is in a parallel word.
type kind uint8

const (
	kUnset    kind = iota // $ or an omitted value
	kDerived              // *
	kInt                  // value: two's complement int64
	kReal                 // value: IEEE-754 bits
	kString               // value: offset<<32 | length in the block's text; 0 = empty or not kept
	kEnum                 // value: Keyword
	kBinary               // value unused
	kRef                  // value: instance number while lexing, table index afterward
	kDangling             // value: instance number that no instance has
	kList                 // value: elements<<32 | tokens inside
	kTyped                // value: Keyword<<32 | tokens inside (a kList and its content)
)

// flags of an instance.
const (
	flagComplex    uint8 = 1 << iota // parameters are a list with one kTyped for each partial entity
	flagSkipped                      // not of interest: parameters were not kept
	flagBroken                       // breaks the grammar: see block.faults
	flagSuperseded                   // a later instance has the same number
)

// instance is one row of the instance table.
type instance struct {
	id    int64
	token uint32 // first parameter token in its block, a kList
	block uint32
	key   Keyword // ≥ len(vocabulary.words): index into the block's foreign names
	flags uint8
}

// block contains the tokens of one stretch of the file: flat arrays, without an allocation per entity.
type block struct {
	kinds     []kind
	vals      []uint64
	text      []byte // raw characters of the strings kept
	instances []instance
	listed    []int32 // instances of listed keywords; complex ones once for each listed partial entity
	listedAs  []Keyword
	foreign   []string // names outside the vocabulary
	foreignAt map[string]Keyword
	faults    []fault
	externals []External

	start, stop int64 // file offsets: of the first instance (-1 if absent), and of the start of the next block
	first       int32 // table index of the first instance
	final       bool  // the end of the exchange structure, or of the file, was reached
	closed      bool  // ENDSEC or END-ISO-10303-21 was the last thing read
	garbage     int   // stretches of text that are neither an instance nor a section keyword
}

// fault is the reason why an instance of the block could not be read.
type fault struct {
	instance int32 // in block.instances
	reason   string
}

func (b *block) put(k kind, v uint64) {
	b.kinds = append(b.kinds, k)
	b.vals = append(b.vals, v)
}
