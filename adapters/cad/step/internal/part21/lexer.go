package part21

import "bytes"

// maxNesting bounds lists within lists; the deepest in any schema is four.
const maxNesting = 32

// verdict is the result of lexing one instance or statement.
type verdict uint8

const (
	done     verdict = iota
	needMore         // the buffer ends first
	bad              // the grammar is broken: see lexer.reason
)

// Character classes of the basic alphabet.
const (
	cOther uint8 = iota
	cSpace
	cDigit  // digits, sign and point: a number may start here
	cLetter // letters, underscore and '!': a keyword may start here
)

var class = func() (t [256]uint8) {
	for _, c := range " \t\r\n\f\v\x00" {
		t[c] = cSpace
	}
	for _, c := range "0123456789+-." {
		t[c] = cDigit
	}
	for c := 'A'; c <= 'Z'; c++ {
		t[c], t[c|0x20] = cLetter, cLetter
	}
	t['_'], t['!'] = cLetter, cLetter
	return t
}()

// inWord marks the characters that continue a keyword.
var inWord = func() (t [256]bool) {
	for c := range t {
		t[c] = class[c] == cLetter || c >= '0' && c <= '9'
	}
	return t
}()

// lexer turns the text of instances into the tokens of a block. buf always ends in one NUL that is not
// part of the file, so that every scan may look one byte ahead; end is its position.
type lexer struct {
	vocabulary *Vocabulary
	blk        *block
	buf        []byte
	pos, end   int
	keepText   bool
	complex    bool
	reason     string
	upper      [64]byte // scratch for keywords with lower-case letters
}

// blank skips white space and comments. It returns false if the buffer ends inside a comment or before another
// character.
func (l *lexer) blank() bool {
	for {
		for class[l.buf[l.pos]] == cSpace {
			if l.pos == l.end {
				return false
			}
			l.pos++
		}
		if l.buf[l.pos] != '/' || l.pos+1 >= l.end || l.buf[l.pos+1] != '*' {
			// a lone '/' at the very end may be the first half of a comment mark
			return l.pos < l.end && !(l.buf[l.pos] == '/' && l.pos+1 == l.end)
		}
		close := bytes.Index(l.buf[l.pos+2:l.end], []byte("*/"))
		if close < 0 {
			return false
		}
		l.pos += close + 4
	}
}

// fail records why the grammar is broken.
func (l *lexer) fail(reason string) verdict {
	l.reason = reason
	return bad
}

// instance lexes "#1=NAME(…);" or "#1=(A(…)B(…));" at pos, which is at '#'. Tokens of an instance that
// does not end in done are left in the block for the caller to cut off.
func (l *lexer) instance() (in instance, v verdict) {
	l.pos++
	if in.id, v = l.number(); v != done {
		return in, v
	}
	if in.id < 0 {
		return in, l.fail("the instance number has more than 63 bits")
	}
	if v = l.expect('='); v != done {
		return in, v
	}
	if !l.blank() {
		return in, needMore
	}
	in.token = uint32(len(l.blk.kinds))
	l.complex = l.buf[l.pos] == '('
	if l.complex {
		in.flags = flagComplex
		l.keepText = true
	} else {
		if in.key, v = l.keyword(); v != done {
			return in, v
		}
		if int(in.key) >= len(l.vocabulary.words) || !l.vocabulary.words[in.key].Entity {
			in.flags = flagSkipped
			return in, l.skip()
		}
		l.keepText = l.vocabulary.words[in.key].Text
		if !l.blank() {
			return in, needMore
		}
	}
	if v = l.list(); v != done {
		return in, v
	}
	return in, l.expect(';')
}

// number reads the digits of an instance number, -1 for more than 63 bits.
func (l *lexer) number() (int64, verdict) {
	start := l.pos
	var n uint64
	isTooLong := false
	for c := l.buf[l.pos] - '0'; c <= 9; c = l.buf[l.pos] - '0' {
		isTooLong = isTooLong || n > (1<<63-1-uint64(c))/10
		n = n*10 + uint64(c)
		l.pos++
	}
	switch {
	case l.pos == l.end:
		return 0, needMore
	case l.pos == start:
		return 0, l.fail("'#' without an instance number")
	case isTooLong:
		return -1, done
	}
	return int64(n), done
}

// expect skips blanks and one given character.
func (l *lexer) expect(c byte) verdict {
	if !l.blank() {
		return needMore
	}
	if l.buf[l.pos] != c {
		return l.fail("'" + string(c) + "' is missing")
	}
	l.pos++
	return done
}

// word returns the upper-case letters of a keyword at pos. The slice is valid until the next call.
func (l *lexer) word() ([]byte, verdict) {
	start := l.pos
	var or byte
	for inWord[l.buf[l.pos]] {
		or |= l.buf[l.pos]
		l.pos++
	}
	if l.pos == l.end {
		return nil, needMore
	}
	w := l.buf[start:l.pos]
	if len(w) == 0 {
		return nil, l.fail("an entity name is missing")
	}
	// Only lower-case letters and '_' have both bits 6 and 5, so words without either need no copy.
	if or&0x60 == 0x60 && len(w) <= len(l.upper) {
		n := copy(l.upper[:], w)
		w = l.upper[:n]
		for i, c := range w {
			if c >= 'a' && c <= 'z' {
				w[i] = c &^ 0x20
			}
		}
	}
	return w, done
}

// keyword interns the entity name at pos; names outside the vocabulary get a number local to the block.
func (l *lexer) keyword() (Keyword, verdict) {
	w, v := l.word()
	if v != done {
		return NoKeyword, v
	}
	if k := l.vocabulary.Lookup(w); k != NoKeyword {
		return k, done
	}
	return l.blk.foreignName(w, len(l.vocabulary.words)), done
}

// maxForeign is the maximum number of names outside the vocabulary that one block stores.
const maxForeign = 4096

func (b *block) foreignName(w []byte, base int) Keyword {
	const maxName = 128
	w = w[:min(len(w), maxName)]
	if k, ok := b.foreignAt[string(w)]; ok {
		return k
	}
	if len(b.foreign) == maxForeign {
		return Keyword(base)
	}
	if b.foreignAt == nil {
		b.foreignAt = make(map[string]Keyword)
		b.foreign = append(b.foreign, "entity of an unknown type")
	}
	k := Keyword(base + len(b.foreign))
	b.foreign = append(b.foreign, string(w))
	b.foreignAt[string(w)] = k
	return k
}

// skip moves behind the ';' that ends the instance and ignores its parameters. The fast path applies if the text up to
// the first ';' has only complete strings and cannot contain a comment.
func (l *lexer) skip() verdict {
	rest := l.buf[l.pos:l.end]
	semi := bytes.IndexByte(rest, ';')
	if semi < 0 {
		return needMore
	}
	head := rest[:semi]
	if bytes.Count(head, quote)%2 == 0 && bytes.IndexByte(head, '/') < 0 {
		l.pos += semi + 1
		return done
	}
	for l.pos < l.end {
		switch l.buf[l.pos] {
		case ';':
			l.pos++
			return done
		case '\'':
			if _, v := l.quoted('\''); v != done {
				return v
			}
		case '/':
			at := l.pos
			if !l.blank() {
				return needMore
			}
			if l.pos == at {
				l.pos++
			}
		default:
			l.pos++
		}
	}
	return needMore
}

var quote = []byte{'\''}

// quoted returns the raw characters between the quotes at pos; doubled quotes inside stay doubled. A string that
// extends into the next instance is broken, although the grammar allows it, because its writer forgot to double a
// quote. pos then stays at the string's start.
func (l *lexer) quoted(mark byte) ([]byte, verdict) {
	start := l.pos + 1
	at := start
	for {
		n := bytes.IndexByte(l.buf[at:l.end], mark)
		if n < 0 || at+n+1 >= l.end {
			if runsOn(l.buf[start:l.end]) {
				return nil, l.fail("a string does not end before the next instance")
			}
			return nil, needMore // a quote at the very end may be the first of a doubled quote
		}
		at += n + 1
		if l.buf[at] != mark {
			break
		}
		at++
	}
	raw := l.buf[start : at-1]
	if len(raw) > 0 && runsOn(raw) {
		return nil, l.fail("a string does not end before the next instance")
	}
	l.pos = at
	return raw, done
}

// runsOn reports whether a line of s, other than the first, begins like an instance: "#12 =".
func runsOn(s []byte) bool {
	for {
		n := bytes.IndexAny(s, "\r\n")
		if n < 0 {
			return false
		}
		s = bytes.TrimLeft(s[n:], " \t\r\n")
		if len(s) == 0 || s[0] != '#' {
			continue
		}
		digits := bytes.TrimLeft(s[1:], "0123456789")
		if rest := bytes.TrimLeft(digits, " \t"); len(digits) < len(s)-1 && len(rest) > 0 && rest[0] == '=' {
			return true
		}
	}
}
