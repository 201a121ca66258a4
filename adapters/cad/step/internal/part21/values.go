package part21

import (
	"bytes"

	"millwright.dev/millwright/adapters/cad/internal/decimal"
)

// place is the position of the lexer in a list.
type place uint8

const (
	atStart    place = iota // behind '('
	afterComma              // a value must follow
	afterValue              // ',' or ')' must follow
)

// list lexes the parameter list at pos, which is at '(', with all nested lists. A missing value between commas counts
// as unset. Only the partial entities of a complex instance have no commas between them.
func (l *lexer) list() verdict {
	if l.buf[l.pos] != '(' {
		return l.fail("'(' is missing")
	}
	var open [maxNesting]int // tokens of the lists being filled
	b, depth, state := l.blk, 0, atStart
	for {
		c := l.buf[l.pos]
		switch {
		case class[c] == cSpace || c == '/':
			if !l.blank() {
				return needMore
			}
			if l.buf[l.pos] == '/' {
				return l.fail("'/' is not a value")
			}
		case c == ',' || c == ')':
			top := open[depth-1]
			if state == afterComma || c == ',' && state == atStart {
				b.vals[top] += oneElement
				b.put(kUnset, 0)
			}
			l.pos++
			state = afterComma
			if c == ')' {
				depth--
				l.close(top)
				if depth == 0 {
					return done
				}
				state = afterValue
			}
		case state == afterValue && !(l.complex && depth == 1):
			return l.fail("a ',' is missing")
		case c == '(':
			if depth == maxNesting {
				return l.fail("lists are nested too deep")
			}
			if depth > 0 {
				b.vals[open[depth-1]] += oneElement
			}
			open[depth] = len(b.kinds)
			depth++
			b.put(kList, 0)
			l.pos++
			state = atStart
		case class[c] == cLetter:
			if v := l.typed(); v != done { // its list, which is next, counts as the element
				return v
			}
		default:
			b.vals[open[depth-1]] += oneElement
			if v := l.value(c); v != done {
				return v
			}
			state = afterValue
		}
	}
}

// oneElement is one in the element count of a kList.
const oneElement = 1 << 32

// close completes the list opened at token top, and the typed parameter it belongs to.
func (l *lexer) close(top int) {
	b := l.blk
	inside := uint64(len(b.kinds) - top - 1)
	b.vals[top] |= inside
	if top > 0 && b.kinds[top-1] == kTyped && b.vals[top-1]&0xFFFFFFFF == 0 {
		b.vals[top-1] |= inside + 1
	}
}

// value lexes one value that starts with c, other than a list.
func (l *lexer) value(c byte) verdict {
	b := l.blk
	if class[c] == cDigit {
		if c == '.' && class[l.buf[l.pos+1]] == cLetter {
			return l.enumeration()
		}
		end, k, val := decimal.Scan(l.buf, l.pos)
		if end == l.end || end == l.pos && l.endsInNumber() {
			return needMore
		}
		if end == l.pos {
			return l.fail("a number is malformed")
		}
		l.pos = end
		if k == decimal.Int {
			b.put(kInt, val)
		} else {
			b.put(kReal, val)
		}
		return done
	}
	switch c {
	case '#':
		l.pos++
		id, v := l.number()
		if id < 0 {
			b.put(kDangling, 0) // no instance can have it
		} else {
			b.put(kRef, uint64(id))
		}
		return v
	case '\'':
		return l.text()
	case '$':
		b.put(kUnset, 0)
	case '*':
		b.put(kDerived, 0)
	case '"':
		_, v := l.quoted('"') // no geometric entity has a binary attribute: the bits are dropped
		b.put(kBinary, 0)
		return v
	default:
		return l.fail("a character that starts no value")
	}
	l.pos++
	return done
}

// endsInNumber reports whether all characters from pos to the end of the buffer can belong to a number, so that more
// text may continue it.
func (l *lexer) endsInNumber() bool {
	return len(bytes.TrimLeft(l.buf[l.pos:l.end], "+-.0123456789eE")) == 0
}

func (l *lexer) enumeration() verdict {
	l.pos++
	w, v := l.word()
	if v != done {
		return v
	}
	l.blk.put(kEnum, uint64(l.vocabulary.Lookup(w)))
	if l.buf[l.pos] != '.' {
		return l.fail("an enumeration does not end in '.'")
	}
	l.pos++
	return done
}

func (l *lexer) text() verdict {
	raw, v := l.quoted('\'')
	if v != done {
		return v
	}
	var val uint64
	if l.keepText && len(raw) > 0 {
		val = uint64(len(l.blk.text))<<32 | uint64(len(raw))
		l.blk.text = append(l.blk.text, raw...)
	}
	l.blk.put(kString, val)
	return done
}

// typed lexes the name of a typed parameter or partial entity and stops at its list.
func (l *lexer) typed() verdict {
	k, v := l.keyword()
	if v != done {
		return v
	}
	if !l.blank() {
		return needMore
	}
	if l.buf[l.pos] != '(' {
		return l.fail("a name without '(' behind it")
	}
	l.blk.put(kTyped, uint64(k)<<32)
	return done
}
