// Package part21 reads exchange structures of ISO 10303-21 ("STEP files"), editions 1 to 3, with any schema, into a
// compact table of instances.
//
// Method: the file is divided into stretches that are read and lexed on all cores. For each stretch, the start of its
// first instance is guessed. A sequential pass then checks that every stretch starts exactly where the previous one
// stopped, and lexes it again from there if not. The result is therefore the result of one sequential pass. Parameters
// become flat token arrays, names become small integers, references become indices of the instance table. Instances
// whose names the caller did not ask for are skipped at memory speed. Cost: linear in the file; memory is about the
// size of the text of the stored instances.
//
// Broken instances are stored as broken and reported on access; reading continues after them. Not handled: the nested
// scopes of edition 1 (&SCOPE), which count as broken, and the contents of the ANCHOR and SIGNATURE sections. Of the
// REFERENCE sections, only the names are stored, see File.Externals.
package part21

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"runtime"
	"slices"
	"sort"
	"strings"

	"millwright.dev/millwright/core/parallel"
)

// File is a read exchange structure. It is immutable and safe for concurrent use.
type File struct {
	Header Header
	// IsCutOff: the file ends without the end of a section, inside an instance perhaps.
	IsCutOff bool
	// Garbage is the number of text ranges that are neither instances nor section keywords. Broken is the number of
	// instances with broken grammar. Duplicates is the number of instances whose number occurs again later.
	Garbage, Broken, Duplicates int
	// Dangling counts references to instances absent from both this file and Externals; FirstDangling is one of them.
	Dangling      int
	FirstDangling Ref
	// Externals are the instances in other files that the REFERENCE sections name, in file order.
	Externals []External

	vocabulary *Vocabulary
	blocks     []*block
	table      []instance
	index      idIndex
	listed     [][]Ref // by Keyword
}

// Read reads the exchange structure in the first size bytes of src. It keeps the instances whose names are in v. The
// error is an *Error if the file is not an exchange structure.
func Read(ctx context.Context, src io.ReaderAt, size int64, v *Vocabulary) (*File, error) {
	const (
		smallest  = 64 << 10 // bytes worth handing to another core
		perWorker = 4        // stretches, to even out their cost
	)
	stretch := size / int64(runtime.GOMAXPROCS(0)*perWorker)
	return read(ctx, src, size, v, min(max(stretch, smallest), maxLoad))
}

// read is Read with the length of the stretches (bytes) given.
func read(ctx context.Context, src io.ReaderAt, size int64, v *Vocabulary, stretch int64) (*File, error) {
	f := &File{vocabulary: v, listed: make([][]Ref, len(v.words))}
	s := newScanner(ctx, src, size, v)
	header, data, err := s.header()
	if err != nil {
		return nil, err
	}
	f.Header, f.Externals, f.Garbage = header, s.externals, btoi(s.rubbish)
	if data < 0 {
		f.IsCutOff = true
		return f, nil
	}
	if err := f.lex(ctx, src, size, data, stretch); err != nil {
		return nil, err
	}
	if err := f.build(); err != nil {
		return nil, err
	}
	return f, f.resolve(ctx)
}

// lex fills f.blocks from the text at data and behind.
func (f *File) lex(ctx context.Context, src io.ReaderAt, size, data, stretch int64) error {
	guesses := make([]*block, max(1, (size-data+stretch-1)/stretch))
	err := parallel.Try(ctx, len(guesses), 1, func() func(int) error {
		s := newScanner(ctx, src, size, f.vocabulary)
		return func(i int) (err error) {
			from := data + int64(i)*stretch
			to := min(from+stretch, size)
			if i == 0 {
				guesses[i], err = s.sequel(from, to)
			} else {
				guesses[i], err = s.guess(from, to)
			}
			return err
		}
	})
	if err != nil {
		return err
	}
	return f.verify(ctx, src, size, data, stretch, guesses)
}

// verify keeps the blocks that begin at the end of the previous one, and lexes the others again.
func (f *File) verify(
	ctx context.Context, src io.ReaderAt, size, data, stretch int64, guesses []*block,
) error {
	s := newScanner(ctx, src, size, f.vocabulary)
	at := data
	final, closed := false, false
	for i, b := range guesses {
		if b.start < 0 {
			continue
		}
		if b.start != at {
			end := min(data+int64(i+1)*stretch, size)
			if at >= end {
				continue // the block before ran past all of this stretch
			}
			var err error
			if b, err = s.sequel(at, end); err != nil {
				return err
			}
		}
		f.blocks = append(f.blocks, b)
		at, final, closed = b.stop, b.final, b.closed
		if final {
			break
		}
	}
	if !final {
		b, err := s.sequel(at, size)
		if err != nil {
			return err
		}
		f.blocks = append(f.blocks, b)
		closed = b.closed
	}
	f.IsCutOff = !closed
	return nil
}

// build joins the instance tables of the blocks and indexes them.
func (f *File) build() error {
	total := 0
	for _, b := range f.blocks {
		total += len(b.instances)
		f.Garbage += b.garbage
		f.Broken += len(b.faults)
		f.Externals = append(f.Externals, b.externals...)
	}
	if total > math.MaxInt32 {
		return &Error{0, fmt.Sprintf("%d instances are more than can be read", total)}
	}
	f.table = make([]instance, 0, total)
	for i, b := range f.blocks {
		b.first = int32(len(f.table))
		for _, in := range b.instances {
			in.block = uint32(i)
			f.table = append(f.table, in)
		}
		b.instances = nil
	}
	f.Duplicates = f.index.build(f.table)
	for _, b := range f.blocks {
		for i, at := range b.listed {
			row := b.first + at
			if f.table[row].flags&flagSuperseded == 0 {
				f.listed[b.listedAs[i]] = append(f.listed[b.listedAs[i]], refTo(row))
			}
		}
	}
	return nil
}

// resolve replaces instance numbers in references by rows of the table, and counts dangling references.
func (f *File) resolve(ctx context.Context) error {
	lost := make([][]int, len(f.blocks)) // tokens
	err := parallel.For(ctx, len(f.blocks), 1, func(k int) {
		b := f.blocks[k]
		for i, kind := range b.kinds {
			switch kind {
			case kRef:
				if at, ok := f.index.find(int64(b.vals[i])); ok {
					b.vals[i] = uint64(at)
					continue
				}
				b.kinds[i] = kDangling
				if f.isExternal(int64(b.vals[i])) {
					continue
				}
				fallthrough
			case kDangling:
				lost[k] = append(lost[k], i)
			}
		}
	})
	for k, tokens := range lost {
		if len(tokens) > 0 && f.Dangling == 0 {
			f.FirstDangling = f.holder(k, uint32(tokens[0]))
		}
		f.Dangling += len(tokens)
	}
	return err
}

func (f *File) isExternal(id int64) bool {
	return slices.ContainsFunc(f.Externals, func(e External) bool { return e.ID == id })
}

// holder returns the instance that a token of a block is of.
func (f *File) holder(block int, token uint32) Ref {
	row := sort.Search(len(f.table), func(row int) bool {
		in := &f.table[row]
		return in.block > uint32(block) || in.block == uint32(block) && in.token > token
	})
	return Ref{int32(row)} // of the row before
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Len returns the number of instances.
func (f *File) Len() int { return len(f.table) }

// All returns the instances in file order.
func (f *File) All() iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		for row := range f.table {
			if !yield(refTo(int32(row))) {
				return
			}
		}
	}
}

// Find returns the instance with the given number, the last one if several have it.
func (f *File) Find(id int64) (Ref, bool) {
	row, ok := f.index.find(id)
	if !ok {
		return Missing, false
	}
	return refTo(row), true
}

// ID returns the instance number, 0 when r leads nowhere and is not lost.
func (f *File) ID(r Ref) int64 {
	if r.IsLost() {
		return -int64(r.row)
	}
	return f.at(r).id
}

// Keyword returns the instance's name, NoKeyword for complex instances and names outside the vocabulary.
func (f *File) Keyword(r Ref) Keyword {
	if k := f.at(r).key; int(k) < len(f.vocabulary.words) {
		return k
	}
	return NoKeyword
}

// Of returns the instances of a listed keyword in file order. Complex instances count under each of
// their partial entities.
func (f *File) Of(k Keyword) []Ref { return f.listed[k] }

// IsComplex reports whether the instance consists of several partial entities.
func (f *File) IsComplex(r Ref) bool { return f.at(r).flags&flagComplex != 0 }

// Fault returns the reason why the instance's parameters cannot be read, or "".
func (f *File) Fault(r Ref) string {
	in := f.at(r)
	if in.flags&flagBroken == 0 {
		return ""
	}
	b := f.blocks[in.block]
	at := r.row - 1 - b.first
	i, _ := slices.BinarySearchFunc(b.faults, at, func(ft fault, at int32) int { return int(ft.instance - at) })
	return b.faults[i].reason
}

// Args returns the parameters of a simple instance. It is empty for a complex, broken, skipped or missing instance.
func (f *File) Args(r Ref) Args {
	in := f.at(r)
	if in.flags&(flagComplex|flagBroken|flagSkipped) != 0 {
		return Args{}
	}
	b := f.blocks[in.block]
	val := b.vals[in.token]
	return Args{blk: b, at: in.token + 1, end: in.token + 1 + uint32(val), left: int32(val >> 32)}
}

// Partial returns the parameters of the partial entity k of a complex instance, or the parameters of a simple instance
// of that name.
func (f *File) Partial(r Ref, k Keyword) (Args, bool) {
	in := f.at(r)
	if in.flags&flagComplex == 0 {
		return f.Args(r), in.key == k
	}
	var found Args
	ok := false
	if in.flags&flagBroken == 0 {
		b := f.blocks[in.block]
		b.eachPartial(in.token, func(name Keyword, at uint32) bool {
			if ok = name == k; ok {
				found = Args{blk: b, at: at + 1, end: at + 1 + uint32(b.vals[at]), left: int32(b.vals[at] >> 32)}
			}
			return !ok
		})
	}
	return found, ok
}

// eachPartial visits the partial entities of the complex instance at token: their names and the tokens
// of their parameter lists.
func (b *block) eachPartial(token uint32, visit func(k Keyword, list uint32) bool) {
	end := token + 1 + uint32(b.vals[token])
	for at := token + 1; at < end; at += 1 + uint32(b.vals[at]) {
		if b.kinds[at] == kTyped && !visit(Keyword(b.vals[at]>>32), at+1) {
			return
		}
		if b.kinds[at] < kList {
			return // a value where only partial entities belong
		}
	}
}

// Name returns the instance's entity name as text, for messages; for a complex instance, all of its names.
func (f *File) Name(r Ref) string {
	in := f.at(r)
	if in == &nowhere {
		return nameless
	}
	b := f.blocks[in.block]
	if in.flags&flagComplex == 0 {
		return f.spell(b, in.key)
	}
	if in.flags&flagBroken != 0 {
		return "complex instance"
	}
	var names []string
	b.eachPartial(in.token, func(k Keyword, _ uint32) bool {
		names = append(names, f.spell(b, k))
		return true
	})
	return "(" + strings.Join(names, " ") + ")"
}

const nameless = "instance without a name"

func (f *File) spell(b *block, k Keyword) string {
	if k == NoKeyword {
		return nameless
	}
	if n := len(f.vocabulary.words); int(k) >= n {
		return b.foreign[int(k)-n]
	}
	return f.vocabulary.words[k].Name
}
