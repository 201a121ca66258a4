package part21

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Decode decodes the raw characters between the quotes of a string: doubled quotes and backslashes, the directives \X\
// \X2\ \X4\ \S\ \P?\ of ISO 10303-21, and line breaks, which are dropped. The standard forbids bytes outside ASCII.
// They are decoded as UTF-8 if they are valid UTF-8, or else as Shift JIS or Windows-1252. A backslash that begins no
// directive is kept.
func Decode(raw []byte) string {
	if !bytes.ContainsAny(raw, "'\\\r\n") && isASCII(raw) {
		return string(raw)
	}
	isUTF8 := utf8.Valid(raw)
	isJapanese := !isUTF8 && isShiftJIS(raw)
	var out strings.Builder
	page := byte('A')
	for i := 0; i < len(raw); {
		c := raw[i]
		switch {
		case c == '\r' || c == '\n':
			i++
		case c == '\'':
			out.WriteByte('\'')
			i++
			if i < len(raw) && raw[i] == '\'' {
				i++
			}
		case isJapanese && c >= utf8.RuneSelf:
			i += japanese(&out, raw[i:])
		case c == '\\':
			i += directive(&out, raw[i:], &page)
		case c < utf8.RuneSelf || isUTF8:
			out.WriteByte(c)
			i++
		default:
			out.WriteRune(latin(c))
			i++
		}
	}
	return out.String()
}

func isASCII(raw []byte) bool {
	for _, c := range raw {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// directive decodes the directive that begins with the backslash at s[0] and returns its length.
func directive(out *strings.Builder, s []byte, page *byte) int {
	has := func(i int, c byte) bool { return i < len(s) && s[i] == c }
	switch {
	case has(1, '\\'):
		out.WriteByte('\\')
		return 2
	case has(1, 'S') && has(2, '\\') && len(s) > 3:
		out.WriteRune(onPage(*page, s[3]))
		return 4
	case has(1, 'P') && has(3, '\\'):
		*page = s[2]
		return 4
	case has(1, 'X') && has(2, '\\') && len(s) >= 5:
		if v, err := strconv.ParseUint(string(s[3:5]), 16, 8); err == nil {
			out.WriteRune(rune(v))
			return 5
		}
	case has(1, 'X') && has(2, '2') && has(3, '\\'):
		return 4 + hexRun(out, s[4:], 4)
	case has(1, 'X') && has(2, '4') && has(3, '\\'):
		return 4 + hexRun(out, s[4:], 8)
	case (has(1, 'N') || has(1, 'F')) && has(2, '\\'):
		return 3 // print control: new line, form feed
	}
	out.WriteByte('\\')
	return 1
}

// hexRun decodes groups of width hexadecimal digits up to \X0\ and returns the length of both.
func hexRun(out *strings.Builder, s []byte, width int) int {
	const end = `\X0\`
	var units []uint16
	i := 0
	for ; i+width <= len(s); i += width {
		v, err := strconv.ParseUint(string(s[i:i+width]), 16, 32)
		if err != nil {
			break
		}
		if width == 4 {
			units = append(units, uint16(v))
		} else {
			out.WriteRune(rune(min(v, utf8.MaxRune+1)))
		}
	}
	out.WriteString(string(utf16.Decode(units)))
	if bytes.HasPrefix(s[i:], []byte(end)) {
		i += len(end)
	}
	return i
}
