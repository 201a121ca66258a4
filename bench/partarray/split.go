package partarray

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// splitter cuts a data section into pieces.
type splitter struct {
	text    []byte
	pos     int
	from    int // where the piece in work begins
	part    *Part
	highest int64      // instance number
	lo, hi  [3]float64 // of the points, once there are any
	points  int
}

// split fills the part's pieces and returns where ENDSEC is.
func (s *splitter) split() (end int, err error) {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '\'':
			err = s.skip("'", "'")
		case bytes.HasPrefix(s.text[s.pos:], []byte("/*")):
			err = s.skip("/*", "*/")
		case c == '#':
			err = s.number()
		case c >= 'A' && c <= 'Z':
			if s.word() == "ENDSEC" {
				s.cut(piece{})
				return s.pos, nil
			}
		default:
			s.pos++
		}
		if err != nil {
			return 0, err
		}
	}
	return 0, errors.New("the data section does not end")
}

// skip moves behind what begin and end enclose; an apostrophe doubled in a string is two strings to it.
func (s *splitter) skip(begin, end string) error {
	n := bytes.Index(s.text[s.pos+len(begin):], []byte(end))
	if n < 0 {
		return errors.New("a string or comment does not end")
	}
	s.pos += len(begin) + n + len(end)
	return nil
}

// cut ends the piece in work with what p says.
func (s *splitter) cut(p piece) {
	p.text = s.text[s.from:s.pos]
	s.part.pieces = append(s.part.pieces, p)
}

func (s *splitter) number() error {
	s.pos++
	start := s.pos
	for s.pos < len(s.text) && s.text[s.pos] >= '0' && s.text[s.pos] <= '9' {
		s.pos++
	}
	id, err := strconv.ParseInt(string(s.text[start:s.pos]), 10, 64)
	if err != nil {
		return err
	}
	s.highest = max(s.highest, id)
	after := s.pos
	s.pos = start
	s.cut(piece{id: id})
	s.pos, s.from = after, after
	return nil
}

// word moves past a name; at ENDSEC, and at a point in space, it stops before. A point's coordinates
// become a piece.
func (s *splitter) word() string {
	start := s.pos
	for s.pos < len(s.text) && isName(s.text[s.pos]) {
		s.pos++
	}
	word := string(s.text[start:s.pos])
	switch word {
	case "ENDSEC":
		s.pos = start
	case "CARTESIAN_POINT":
		s.point()
	}
	return word
}

func isName(c byte) bool { return c >= 'A' && c <= 'Z' || c == '_' || c >= '0' && c <= '9' }

// point cuts at the coordinates behind the name of a point, when there are three.
func (s *splitter) point() {
	rest := s.text[s.pos:]
	end := bytes.IndexByte(rest, ';')
	open := bytes.LastIndexByte(rest[:max(end, 0)], '(')
	length := bytes.IndexByte(rest[max(open, 0):max(end, 0)], ')')
	if open < 0 || length < 0 {
		return
	}
	fields := strings.Split(string(rest[open+1:open+length]), ",")
	p := piece{isPoint: true}
	if len(fields) != len(p.at) {
		return
	}
	for k, f := range fields {
		x, err := strconv.ParseFloat(strings.TrimSpace(f), 64)
		if err != nil {
			return
		}
		p.at[k] = x
	}
	for k, x := range p.at {
		if s.points == 0 {
			s.lo[k], s.hi[k] = x, x
		}
		s.lo[k], s.hi[k] = min(s.lo[k], x), max(s.hi[k], x)
	}
	s.points++
	s.pos += open + 1
	s.cut(p)
	s.pos += length - 1
	s.from = s.pos
}
