package damage

import (
	"bytes"
	"strconv"
)

// parseSTEP finds the instances of the data sections of an exchange structure (ISO 10303-21).
func parseSTEP(s *structure, data []byte) {
	at := bytes.Index(data, []byte("DATA"))
	if at < 0 {
		return
	}
	p := stepScanner{data: data, at: at, out: s}
	for p.instance() {
	}
}

// stepScanner goes through instances.
type stepScanner struct {
	data []byte
	at   int
	out  *structure
}

// instance takes the next one, and reports whether there was one.
func (p *stepScanner) instance() bool {
	for {
		c, ok := p.peek()
		if !ok {
			return false
		}
		if c == '#' {
			break
		}
		p.skip()
	}
	r := record{start: p.at}
	n := p.word(p.at+1, isDigit)
	id, err := strconv.ParseInt(string(p.data[p.at+1:n]), 10, 64)
	p.at = n
	if err != nil {
		return true
	}
	r.id = id
	if c, ok := p.peek(); !ok || c != '=' {
		return ok
	}
	p.at++
	index, entity, isLength := len(p.out.records), "", false
	first := len(p.out.tokens)
	for {
		c, ok := p.peek()
		switch {
		case !ok || c == ';':
			r.end = min(p.at+1, len(p.data))
			p.at = r.end
			if !isLength {
				p.dropPrefixes(first)
			}
			p.out.records = append(p.out.records, r)
			return ok
		case isLetter(c):
			end := p.word(p.at, isName)
			entity = string(p.data[p.at:end])
			isLength = isLength || entity == "LENGTH_UNIT"
			if r.entity == "" {
				r.entity = entity
			}
			p.at = end
		default:
			if t := p.token(&r, index, entity); t.sort != 0 {
				p.out.tokens = append(p.out.tokens, t)
			}
		}
	}
}

// dropPrefixes forgets the prefixes of a unit of something else than length.
func (p *stepScanner) dropPrefixes(first int) {
	kept := p.out.tokens[:first]
	for _, t := range p.out.tokens[first:] {
		if t.sort != prefix {
			kept = append(kept, t)
		}
	}
	p.out.tokens = kept
}

// token takes a value or a mark.
func (p *stepScanner) token(r *record, index int, entity string) token {
	t := token{site: site{start: p.at, record: index}, entity: entity}
	switch c := p.data[p.at]; {
	case c == '#':
		t.sort, p.at = reference, p.word(p.at+1, isDigit)
		if id, err := strconv.ParseInt(string(p.data[t.start+1:p.at]), 10, 64); err == nil {
			r.refs = append(r.refs, id)
		}
	case c == '.':
		p.at = min(p.word(p.at+1, isName)+1, len(p.data))
		switch text := string(p.data[t.start:p.at]); {
		case text == ".T." || text == ".F.":
			t.sort = flag
		case entity == "SI_UNIT" && text != ".METRE.":
			t.sort = prefix
		}
	case c == '$' && entity == "SI_UNIT":
		t.sort = prefix
		p.at++
	case isDigit(c) || c == '-' || c == '+':
		p.at = p.word(p.at+1, isNumber)
		if bytes.IndexByte(p.data[t.start:p.at], '.') >= 0 {
			t.sort = real
		}
	default:
		p.skip()
	}
	t.end = p.at
	return t
}

// peek returns the next byte that is neither space nor comment.
func (p *stepScanner) peek() (byte, bool) {
	for p.at < len(p.data) {
		switch c := p.data[p.at]; {
		case c <= ' ':
			p.at++
		case c == '/' && p.at+1 < len(p.data) && p.data[p.at+1] == '*':
			end := bytes.Index(p.data[p.at:], []byte("*/"))
			if end < 0 {
				return 0, false
			}
			p.at += end + 2
		default:
			return c, true
		}
	}
	return 0, false
}

// skip passes a byte, or a whole string.
func (p *stepScanner) skip() {
	if p.data[p.at] == '\'' {
		if end := bytes.IndexByte(p.data[p.at+1:], '\''); end >= 0 {
			p.at += end + 1
		}
	}
	p.at++
}

// word returns where the bytes of a class end.
func (p *stepScanner) word(at int, is func(byte) bool) int {
	for at < len(p.data) && is(p.data[at]) {
		at++
	}
	return at
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_' }
func isName(c byte) bool   { return isLetter(c) || isDigit(c) }
func isNumber(c byte) bool {
	return isDigit(c) || c == '.' || c == '-' || c == '+' || c == 'E' || c == 'e'
}
