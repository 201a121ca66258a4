package part21

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// External is an instance in another file, as listed in the REFERENCE section of edition 3.
type External struct {
	ID  int64
	URI string // "gear.stp#part"
}

// skipSection moves past the ENDSEC of a section without instances (edition 3). If wanted, it returns the section's
// text, up to the length that a person might write by hand.
func (s *scanner) skipSection(wanted bool) (more bool, text []byte, err error) {
	const (
		mark    = "ENDSEC"
		maxText = 1 << 20 // bytes
	)
	keep := func(chunk []byte) {
		if wanted {
			text = append(text, chunk[:min(len(chunk), maxText-len(text))]...)
		}
	}
	for {
		if n := indexFold(s.lex.buf[s.lex.pos:s.lex.end], mark); n >= 0 {
			keep(s.lex.buf[s.lex.pos : s.lex.pos+n])
			s.lex.pos += n + len(mark)
			more, err = s.skipStatement()
			return more, text, err
		}
		tail := max(s.lex.pos, s.lex.end-len(mark))
		keep(s.lex.buf[s.lex.pos:tail])
		grew, err := s.grow(tail)
		if err != nil || !grew {
			return false, text, err
		}
	}
}

// externalLine matches "#10=<gear.stp#part>;" of a REFERENCE section.
var externalLine = regexp.MustCompile(`#([0-9]{1,19})\s*=\s*<([^>\r\n]*)>`)

// externalsIn returns the references in a REFERENCE section.
func externalsIn(text []byte) []External {
	var out []External
	for _, m := range externalLine.FindAllSubmatch(text, -1) {
		if id, err := strconv.ParseInt(string(m[1]), 10, 64); err == nil {
			out = append(out, External{ID: id, URI: Decode(m[2])})
		}
	}
	return out
}

// indexFold is bytes.Index for a word of capitals, which the text may have in small letters.
func indexFold(text []byte, word string) int {
	for at := 0; ; {
		n := bytes.IndexAny(text[at:], word[:1]+strings.ToLower(word[:1]))
		if n < 0 || at+n+len(word) > len(text) {
			return -1
		}
		at += n
		if strings.EqualFold(string(text[at:at+len(word)]), word) {
			return at
		}
		at++
	}
}
