package part21

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxStatement is the maximum length of one instance or comment in bytes, which bounds the memory of a worker. The
// longest ones in valid files, coordinate lists of scans, are below 200 MB.
const maxStatement = 256 << 20

// Error is returned if the file as a whole is not a readable exchange structure.
type Error struct {
	Offset int64 // byte in the file
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Reason) }

// window is the current part of the file for a lexer, always followed by one NUL.
type window struct {
	src  io.ReaderAt
	size int64
	base int64 // file offset of buf[0]
	buf  []byte
}

// load moves the window to n bytes of the file from off, or to the rest of the file if it is shorter.
func (w *window) load(off, n int64) error {
	w.base, w.buf = off, w.buf[:0]
	return w.more(n)
}

// more adds n bytes behind the window.
func (w *window) more(n int64) error {
	have := len(w.buf)
	at := w.base + int64(have)
	n = max(0, min(n, w.size-at))
	need := have + int(n) + 1
	if cap(w.buf) < need {
		grown := make([]byte, have, need)
		copy(grown, w.buf)
		w.buf = grown
	}
	w.buf = w.buf[:need]
	w.buf[need-1] = 0
	read, err := w.src.ReadAt(w.buf[have:need-1], at)
	w.buf = w.buf[:need-1]
	if read < int(n) {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return fmt.Errorf("read %d bytes at %d: %w", n, at, err)
	}
	return nil
}

// atEnd reports whether the window reaches the end of the file.
func (w *window) atEnd() bool { return w.base+int64(len(w.buf)) >= w.size }

// scanner lexes one stretch of the file into a block.
type scanner struct {
	ctx     context.Context
	win     window
	lex     lexer
	limit   int // maximum bytes of one instance or comment
	scratch block

	// Further content of the header: see Externals and Garbage of File.
	externals []External
	rubbish   bool
}

// errGiveUp ends a guess that ran into an instance of unlikely length.
var errGiveUp = errors.New("the guess was wrong, most likely")

func newScanner(ctx context.Context, src io.ReaderAt, size int64, v *Vocabulary) *scanner {
	return &scanner{ctx: ctx, win: window{src: src, size: size}, lex: lexer{vocabulary: v}, limit: maxStatement}
}

func (s *scanner) seat(pos int) {
	s.lex.buf = s.win.buf[:len(s.win.buf)+1]
	s.lex.end = len(s.win.buf)
	s.lex.pos = pos
}

// offset is the lexer's position in the file.
func (s *scanner) offset() int64 { return s.win.base + int64(s.lex.pos) }

// grow drops the text before keep and adds at least as much as remains, and at least a block. So the cost of lexing a
// long instance repeatedly stays linear. It returns false at the end of the file.
func (s *scanner) grow(keep int) (bool, error) {
	if s.win.atEnd() {
		return false, nil
	}
	if err := s.ctx.Err(); err != nil {
		return false, err
	}
	rest := copy(s.win.buf, s.win.buf[keep:])
	s.win.base += int64(keep)
	s.win.buf = s.win.buf[:rest]
	if rest > s.limit && s.limit < maxStatement {
		return false, errGiveUp
	}
	if rest > s.limit {
		return false, &Error{s.win.base,
			fmt.Sprintf("an instance or comment is longer than %d MB", maxStatement>>20)}
	}
	const step = 64 << 10
	if err := s.win.more(max(step, int64(rest))); err != nil {
		return false, err
	}
	s.seat(0)
	return true, nil
}

// blank skips white space and comments, reading on as needed. It reports false at the end of the file,
// or when a comment does not end before it.
func (s *scanner) blank() (bool, error) {
	for !s.lex.blank() {
		// Everything before pos is blank; pos is at the end or at an unfinished comment.
		grew, err := s.grow(s.lex.pos)
		if err != nil || !grew {
			return false, err
		}
	}
	return true, nil
}

// overlap (bytes) is the length read after a stretch, for the instance that crosses its end.
const overlap = 4 << 10

// sequel lexes from start, which must be in a DATA section between instances. It stops before the first instance that
// follows a ';' at end or later. The file size as end lexes the whole rest.
func (s *scanner) sequel(start, end int64) (*block, error) {
	s.limit = maxStatement
	if err := s.win.load(start, min(end-start, maxLoad)+overlap); err != nil {
		return nil, err
	}
	s.seat(0)
	return s.run(start, end)
}

// guess lexes the stretch [from, to) without knowing where in it an instance starts. It starts at the first '#' after a
// ';' in the stretch. This is wrong inside strings, comments and sections without instances, so the caller compares the
// block's start with the stop of the previous block. If there is no such '#', the block is empty and its start is -1.
func (s *scanner) guess(from, to int64) (*block, error) {
	s.limit = guessLimit
	b, err := s.tryGuess(from, to)
	if err == errGiveUp {
		return &block{start: -1}, nil
	}
	return b, err
}

func (s *scanner) tryGuess(from, to int64) (*block, error) {
	if err := s.win.load(from, to-from+overlap); err != nil {
		return nil, err
	}
	s.seat(0)
	for s.offset() < to {
		n := bytes.IndexByte(s.lex.buf[s.lex.pos:s.lex.end], ';')
		if n < 0 {
			break
		}
		s.lex.pos += n + 1
		if s.offset() > to {
			break
		}
		more, err := s.blank()
		if err != nil {
			return nil, err
		}
		if more && s.lex.buf[s.lex.pos] == '#' {
			return s.run(s.offset(), to)
		}
	}
	return &block{start: -1}, nil
}

const (
	// maxLoad (bytes) is the maximum read at once: a stretch with its tokens stays in the cache of a core.
	maxLoad = 1 << 20
	// guessLimit is the length of an instance, in bytes, above which a guess counts as wrong.
	guessLimit = 4 << 20
)

// Initial sizes of the scratch arrays: bytes of text per token and per instance. Few files have more tokens or
// instances; for these the arrays grow.
const (
	textPerToken    = 7
	textPerInstance = 40
)

// reserve makes the scratch arrays long enough for n bytes of usual text.
func (b *block) reserve(n int) {
	if cap(b.kinds) == 0 {
		b.kinds, b.vals = make([]kind, 0, n/textPerToken), make([]uint64, 0, n/textPerToken)
		b.instances = make([]instance, 0, n/textPerInstance)
	}
}

// run lexes into the scanner's scratch arrays and returns a copy of the exact size.
func (s *scanner) run(start, end int64) (*block, error) {
	s.scratch.reserve(len(s.win.buf))
	b := &block{start: start, kinds: s.scratch.kinds[:0], vals: s.scratch.vals[:0],
		text: s.scratch.text[:0], instances: s.scratch.instances[:0]}
	s.lex.blk = b
	err := s.instances(end)
	s.scratch = *b
	if err != nil {
		return nil, err
	}
	b.kinds, b.vals = slices.Clone(b.kinds), slices.Clone(b.vals)
	b.text, b.instances = slices.Clone(b.text), slices.Clone(b.instances)
	return b, nil
}

// instances lexes up to the first instance that follows a ';' at or behind end.
func (s *scanner) instances(end int64) error {
	b := s.lex.blk
	last := int64(-1) // offset of the last ';'
	for n := 0; ; n++ {
		const checkEvery = 4096
		if n%checkEvery == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		more, err := s.blank()
		if err != nil {
			return err
		}
		b.stop = s.offset()
		if !more {
			b.final = true
			return nil
		}
		if s.lex.buf[s.lex.pos] == '#' {
			if last >= end {
				return nil
			}
			more, err = s.instance()
		} else {
			more, err = s.statement()
		}
		if err != nil {
			return err
		}
		last = s.offset() - 1
		b.stop = last + 1
		if !more {
			b.final = true
			return nil
		}
	}
}

// instance lexes the instance at pos. It reports false when the file ends inside it.
func (s *scanner) instance() (bool, error) {
	b := s.lex.blk
	b.closed = false
	for {
		begin := s.lex.pos
		tokens, text := len(b.kinds), len(b.text)
		in, v := s.lex.instance()
		if v == done {
			s.add(in)
			return true, nil
		}
		b.kinds, b.vals, b.text = b.kinds[:tokens], b.vals[:tokens], b.text[:text]
		if v == bad {
			if in.id > 0 {
				in.flags |= flagBroken
				b.faults = append(b.faults, fault{int32(len(b.instances)), s.lex.reason})
				b.instances = append(b.instances, in)
			} else {
				b.garbage++
			}
			return s.resync()
		}
		grew, err := s.grow(begin)
		if err != nil || !grew {
			return false, err
		}
	}
}

func (s *scanner) add(in instance) {
	b := s.lex.blk
	at := int32(len(b.instances))
	words := s.lex.vocabulary.words
	if in.flags&flagComplex != 0 {
		b.eachPartial(in.token, func(k Keyword, _ uint32) bool {
			b.list(at, k, words)
			return true
		})
	} else {
		b.list(at, in.key, words)
	}
	b.instances = append(b.instances, in)
}

func (b *block) list(at int32, k Keyword, words []Word) {
	if int(k) < len(words) && words[k].Listed {
		b.listed = append(b.listed, at)
		b.listedAs = append(b.listedAs, k)
	}
}

// resync continues after the next ';' and ignores quotes: after broken grammar an odd quote is more likely than a ';'
// inside a string. It returns false at the end of the file.
func (s *scanner) resync() (bool, error) {
	for {
		if n := bytes.IndexByte(s.lex.buf[s.lex.pos:s.lex.end], ';'); n >= 0 {
			s.lex.pos += n + 1
			return true, nil
		}
		grew, err := s.grow(s.lex.end)
		if err != nil || !grew {
			s.lex.pos = s.lex.end
			return false, err
		}
	}
}

// statement handles the text between instances: section keywords. It reports false when the exchange structure or the
// file ends.
func (s *scanner) statement() (bool, error) {
	const (
		probe = 24 // longer than any section keyword
		end   = "END-ISO-10303-21"
	)
	for s.lex.end-s.lex.pos < probe {
		grew, err := s.grow(s.lex.pos)
		if err != nil {
			return false, err
		}
		if !grew {
			break
		}
	}
	b := s.lex.blk
	head := s.lex.buf[s.lex.pos:min(s.lex.pos+probe, s.lex.end)]
	if len(head) >= len(end) && strings.EqualFold(string(head[:len(end)]), end) {
		b.closed = true
		s.lex.pos += len(end)
		return false, nil
	}
	w, v := s.lex.word()
	if v != done {
		b.garbage++
		return s.resync()
	}
	switch string(w) {
	case "ENDSEC":
		b.closed = true
	case "DATA":
		b.closed = false
	case "ANCHOR", "REFERENCE", "SIGNATURE":
		more, text, err := s.skipSection(string(w) == "REFERENCE")
		b.externals = append(b.externals, externalsIn(text)...)
		return more, err
	default:
		b.garbage++
		return s.resync()
	}
	return s.skipStatement()
}

// skipStatement moves behind the ';' that ends a section keyword or header entity.
func (s *scanner) skipStatement() (bool, error) {
	if more, err := s.blank(); err != nil || !more {
		return false, err
	}
	for {
		begin := s.lex.pos
		if s.lex.skip() == done {
			return true, nil
		}
		grew, err := s.grow(begin)
		if err != nil || !grew {
			return false, err
		}
	}
}
