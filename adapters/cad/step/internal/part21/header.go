package part21

import (
	"bytes"
	"strings"
)

// Header is the content of the HEADER section; every field may be empty.
type Header struct {
	Description   []string
	Level         string // implementation level, as "2;1"
	Name          string
	TimeStamp     string
	Authors       []string
	Organizations []string
	Preprocessor  string
	System        string // originating system
	Authorization string
	Schemas       []string // as "AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }"
}

const (
	wordDescription Keyword = iota + 1
	wordName
	wordSchema
)

var headerVocabulary = NewVocabulary([]Word{{},
	{Name: "FILE_DESCRIPTION", Entity: true, Text: true},
	{Name: "FILE_NAME", Entity: true, Text: true},
	{Name: "FILE_SCHEMA", Entity: true, Text: true},
})

// maxHeader is the maximum size of the header in bytes. A file of another kind is rejected after so many bytes.
const maxHeader = 16 << 20

// header reads everything before the first instance. It returns the offset where the first DATA section continues, or
// -1 if there is no such section.
func (s *scanner) header() (h Header, data int64, err error) {
	const probe = 64 << 10
	if err := s.win.load(0, probe); err != nil {
		return h, -1, err
	}
	s.win.buf = bytes.TrimPrefix(s.win.buf, []byte("\xEF\xBB\xBF"))
	s.win.base = min(probe, s.win.size) - int64(len(s.win.buf))
	s.seat(0)
	const magic = "ISO-10303-21"
	if !s.lex.blank() || s.lex.end-s.lex.pos < len(magic) ||
		!strings.EqualFold(string(s.lex.buf[s.lex.pos:s.lex.pos+len(magic)]), magic) {
		at := indexFold(s.lex.buf[:s.lex.end], magic+";") // behind the headers of a mail, for example
		if at < 0 {
			return h, -1, &Error{0, "the file does not begin with ISO-10303-21"}
		}
		s.lex.pos, s.rubbish = at, true
	}
	s.lex.blk = &block{}
	s.lex.pos += len(magic)
	for more := true; more; {
		if more, err = s.skipStatement(); err != nil || !more {
			return h, -1, err
		}
		if more, err = s.blank(); err != nil || !more {
			return h, -1, err
		}
		if s.offset() > maxHeader {
			return h, -1, &Error{s.offset(), "the header is too long"}
		}
		if s.lex.buf[s.lex.pos] == '#' {
			return h, s.offset(), nil
		}
		var isData bool
		if isData, more, err = s.headerEntity(&h); err != nil {
			return h, -1, err
		}
		if isData {
			return h, s.offset(), nil
		}
	}
	return h, -1, nil
}

// headerEntity reads one statement of the header up to its ';'. isData is true if it is the DATA keyword.
func (s *scanner) headerEntity(h *Header) (isData, more bool, err error) {
	for {
		begin := s.lex.pos
		b := &block{}
		s.lex.blk = b
		v := s.lexHeaderEntity(h)
		if v == done {
			return false, true, nil
		}
		if v == bad {
			s.lex.pos = begin
			return s.section()
		}
		grew, err := s.grow(begin)
		if err != nil || !grew {
			return false, false, err
		}
	}
}

// lexHeaderEntity reads NAME(…) into h; anything else is bad.
func (s *scanner) lexHeaderEntity(h *Header) verdict {
	l := &s.lex
	w, v := l.word()
	if v != done {
		return v
	}
	k := headerVocabulary.Lookup(w)
	if k == NoKeyword {
		return bad
	}
	if !l.blank() {
		return needMore
	}
	l.keepText, l.complex = true, false
	if v := l.list(); v != done {
		return v
	}
	h.set(k, Args{blk: l.blk, at: 1, end: uint32(len(l.blk.kinds)), left: int32(l.blk.vals[0] >> 32)})
	return done
}

func (h *Header) set(k Keyword, a Args) {
	switch k {
	case wordDescription:
		h.Description = a.texts()
		h.Level = a.Text()
	case wordName:
		h.Name, h.TimeStamp = a.Text(), a.Text()
		h.Authors, h.Organizations = a.texts(), a.texts()
		h.Preprocessor, h.System, h.Authorization = a.Text(), a.Text(), a.Text()
	case wordSchema:
		h.Schemas = a.texts()
	}
}

// section reads a statement that is not a known header entity.
func (s *scanner) section() (isData, more bool, err error) {
	w, v := s.lex.word()
	if v == bad {
		return false, true, nil
	}
	switch string(w) {
	case "DATA":
		more, err = s.skipStatement()
		return more, more, err
	case "ANCHOR", "REFERENCE":
		var text []byte
		more, text, err = s.skipSection(string(w) == "REFERENCE")
		s.externals = append(s.externals, externalsIn(text)...)
		s.lex.pos-- // the caller passes the ';'
		return false, more, err
	}
	return false, true, nil
}
