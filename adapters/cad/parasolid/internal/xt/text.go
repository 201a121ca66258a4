package xt

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"millwright.dev/millwright/core/fault"
)

// textSource reads the text encoding: numbers with a space behind each, characters without; line breaks mean nothing.
type textSource struct {
	data  []byte
	at    int
	ended bool
}

func newTextSource(data []byte) *textSource {
	clean := make([]byte, 0, len(data))
	for _, c := range data {
		if c != '\n' && c != '\r' {
			clean = append(clean, c)
		}
	}
	return &textSource{data: clean}
}

func (t *textSource) left() int     { return len(t.data) - t.at }
func (t *textSource) isShort() bool { return t.ended }

// isNull skips the mark of an absent value, if it is next. No space follows it.
func (t *textSource) isNull() bool {
	if t.at < len(t.data) && t.data[t.at] == '?' {
		t.at++
		return true
	}
	return false
}

// number returns the next number and skips the space after it.
func (t *textSource) number() string {
	n := bytes.IndexByte(t.data[t.at:], ' ')
	const longest = 64
	if n <= 0 || n > longest {
		t.at, t.ended = len(t.data), true
		return "0"
	}
	s := string(t.data[t.at : t.at+n])
	t.at += n + 1
	return s
}

func (t *textSource) integer() int {
	if t.isNull() {
		return Null
	}
	i, err := strconv.ParseInt(t.number(), 10, 32)
	if err != nil {
		t.at, t.ended = len(t.data), true
	}
	return int(i)
}

func (t *textSource) real() uint64 {
	if t.isNull() {
		return noReal
	}
	r, err := strconv.ParseFloat(t.number(), 64)
	if err != nil {
		t.at, t.ended = len(t.data), true
	}
	return math.Float64bits(r)
}

func (t *textSource) vector() [3]uint64 {
	if t.isNull() {
		return [3]uint64{noReal, noReal, noReal}
	}
	return [3]uint64{t.real(), t.real(), t.real()}
}

func (t *textSource) values(words []uint64, kind byte, n int) []uint64 {
	for range n {
		switch kind {
		case 'p':
			words = append(words, uint64(t.index()))
		case 'd', 't', 'n', 'w', 'u':
			words = append(words, uint64(t.integer()))
		case 'c':
			words = append(words, uint64(t.character()))
		case 'l':
			words = append(words, uint64(t.logical()))
		case 'v', 'h':
			v := t.vector()
			words = append(words, v[0], v[1], v[2])
		default: // reals, intervals and boxes
			for range width(kind) {
				words = append(words, t.real())
			}
		}
	}
	return words
}

func (t *textSource) byte() int              { return t.integer() }
func (t *textSource) short() int             { return t.integer() }
func (t *textSource) descriptionLength() int { return t.integer() }

func (t *textSource) index() int {
	if i := t.integer(); i != Null {
		return i
	}
	return 0
}

func (t *textSource) logical() int {
	if t.one() == 'T' {
		return 1
	}
	return 0
}

// one returns the next character, which can be a space.
func (t *textSource) one() byte {
	if t.at >= len(t.data) {
		t.ended = true
		return 0
	}
	t.at++
	return t.data[t.at-1]
}

func (t *textSource) character() int {
	s := t.characters(1)
	if s == "" {
		return 0
	}
	return int(s[0])
}

// characters reads n characters and resolves escapes.
func (t *textSource) characters(n int) string {
	if n < 0 || n > t.left() {
		n = 0
		t.at, t.ended = len(t.data), true
	}
	var out strings.Builder
	for out.Len() < n && !t.ended {
		c := t.one()
		if c != '\\' {
			out.WriteByte(c)
			continue
		}
		switch c = t.one(); c {
		case 'n':
			out.WriteByte('\n')
		case 'r':
			out.WriteByte('\r')
		case '0':
			out.WriteByte(0)
		case '9':
			out.WriteString("         ")
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

func (t *textSource) word() string            { return t.characters(t.integer()) }
func (t *textSource) prose(length int) string { return t.characters(length) }

// Header contains the entries of a file's text header; a missing entry is "".
type Header struct{ Application, File, Name, Date string }

// cutHeader reads the optional text header of a file and returns the data after it.
func cutHeader(data []byte) (h Header, rest []byte, err error) {
	const first, last = "**ABCDEFGHIJKLMNOP", "**END_OF_HEADER"
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	if !bytes.HasPrefix(data, []byte(first)) {
		return h, data, nil
	}
	at := bytes.Index(data, []byte(last))
	if at < 0 {
		return h, nil, fault.Errorf(fault.UnreadableFile, "The Parasolid file ends within its header.")
	}
	text := strings.NewReplacer("\r", "", "\n", "").Replace(string(data[:at]))
	for item := range strings.SplitSeq(text, ";") {
		key, value, _ := strings.Cut(item, "=")
		switch key {
		case "APPL":
			h.Application = value
		case "FILE":
			h.File = value
		case "KEY":
			h.Name = value
		case "DATE":
			h.Date = value
		}
	}
	rest = data[at:]
	end := bytes.IndexByte(rest, '\n')
	if end < 0 {
		end = bytes.IndexByte(rest, '\r')
	}
	return h, rest[end+1:], nil
}
