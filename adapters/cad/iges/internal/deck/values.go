package deck

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"millwright.dev/millwright/adapters/cad/internal/decimal"
)

// values reads the free format: values with delimiters between them and a record delimiter at the end.
// It remembers the first mistake.
type values struct {
	buf         []byte
	pos, end    int // end is at most len(buf)-1: the byte behind belongs to no number
	comma, stop byte
	ended       bool   // the record delimiter is behind
	ordinal     int    // of the value read last
	missing     int    // values asked for behind the end
	fault       string // the first error, as the rest of a sentence
	faultAt     int    // its ordinal
}

// open moves to the next value. It returns false if there is no value or it is omitted.
func (v *values) open() bool {
	v.ordinal++
	if v.ended {
		v.missing++
		return false
	}
	for v.pos < v.end && v.buf[v.pos] <= ' ' {
		v.pos++
	}
	if v.pos >= v.end {
		v.ended = true
		v.missing++
		return false
	}
	switch v.buf[v.pos] {
	case v.comma:
		v.pos++
		return false
	case v.stop:
		v.ended = true
		return false
	}
	return true
}

// close moves past the delimiter after a value. It returns false if other text comes first.
func (v *values) close() bool {
	for v.pos < v.end && v.buf[v.pos] <= ' ' {
		v.pos++
	}
	if v.pos >= v.end {
		v.ended = true
		return true
	}
	switch v.buf[v.pos] {
	case v.comma:
		v.pos++
		return true
	case v.stop:
		v.ended = true
		return true
	}
	return false
}

// leave moves past the next delimiter and ignores the text before it.
func (v *values) leave() {
	for v.pos < v.end && v.buf[v.pos] != v.comma && v.buf[v.pos] != v.stop {
		v.pos++
	}
	v.close()
}

// wrong records a mistake in the value that begins at from, and passes it over.
func (v *values) wrong(from int, is string) {
	v.pos = from
	v.leave()
	if v.fault != "" {
		return
	}
	const shown = 24
	text := bytes.TrimSpace(v.buf[from:min(max(v.pos-1, from), from+shown)])
	v.fault = is + strconv.Quote(string(text))
	v.faultAt = v.ordinal
}

// num reads a number. ok is false when it is left out or wrong.
func (v *values) num() (k decimal.Kind, bits uint64, ok bool) {
	if !v.open() {
		return decimal.None, 0, false
	}
	from := v.pos
	at, k, bits := decimal.Scan(v.buf, from)
	if k != decimal.None && at <= v.end {
		v.pos = at
		if v.close() {
			return k, bits, true
		}
		if f, ok := v.fortran(from, at); ok {
			return decimal.Real, math.Float64bits(f), true
		}
	}
	v.wrong(from, "is not a number: ")
	return decimal.None, 0, false
}

// fortran reads FORTRAN's form of an exponent with three digits: 1.5-103 for 1.5E-103.
func (v *values) fortran(from, at int) (float64, bool) {
	if c := v.buf[at]; c != '-' && c != '+' {
		return 0, false
	}
	to := at + 1
	for to < v.end && v.buf[to]-'0' <= 9 {
		to++
	}
	text := string(v.buf[from:at]) + "E" + string(v.buf[at:to])
	f, err := strconv.ParseFloat(strings.ReplaceAll(text, "D", "E"), 64)
	if err != nil {
		return 0, false
	}
	v.pos = to
	return f, v.close()
}

func (v *values) realOr(unset float64) float64 {
	k, bits, ok := v.num()
	switch {
	case !ok:
		return unset
	case k == decimal.Int:
		return float64(int64(bits))
	}
	return math.Float64frombits(bits)
}

// intOr accepts a real without a fraction too.
func (v *values) intOr(unset int) int {
	from := v.pos
	k, bits, ok := v.num()
	if !ok {
		return unset
	}
	n := int64(bits)
	if k == decimal.Real {
		f := math.Float64frombits(bits)
		n = int64(f)
		if float64(n) != f {
			n = math.MaxInt64
		}
	}
	if n < math.MinInt32 || n > math.MaxInt32 {
		if v.fault == "" {
			v.fault, v.faultAt = "is not a whole number: "+strconv.Quote(string(bytes.Trim(
				v.buf[from:max(v.pos-1, from)], " "))), v.ordinal
		}
		return unset
	}
	return int(n)
}

// textOr reads a Hollerith string, nH and n characters.
func (v *values) textOr(unset string) string {
	if !v.open() {
		return unset
	}
	from := v.pos
	text, ok := v.hollerith()
	if !ok {
		v.wrong(from, "is not a text: ")
		return unset
	}
	if !v.close() {
		text = v.recount(text)
	}
	return plainText(text, false)
}

// recount returns a string whose character count is wrong, and moves past the delimiter after it. If the count is in
// characters of several bytes, the string has that many. If the count is too large, the string ends at its first
// delimiter. If it is too small, the text up to the next delimiter is lost.
func (v *values) recount(text []byte) []byte {
	first := v.pos - len(text)
	if n := len(text); !isASCII(text) {
		at := first
		for ; n > 0 && at < v.end; n-- {
			_, size := utf8.DecodeRune(v.buf[at:v.end])
			at += size
		}
		short := v.pos
		if v.pos = at; n == 0 && v.close() {
			return v.buf[first:at]
		}
		v.pos = short
	}
	for i, c := range text {
		if c == v.comma || c == v.stop {
			v.pos = first + i
			v.close()
			return text[:i]
		}
	}
	v.leave()
	return text
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// hollerith returns the characters of the string at pos and moves past it; ok is false if there is no string.
func (v *values) hollerith() ([]byte, bool) {
	n, at := 0, v.pos
	for at < v.end && v.buf[at]-'0' <= 9 && n < math.MaxInt32/10 {
		n = n*10 + int(v.buf[at]-'0')
		at++
	}
	if at == v.pos || at >= v.end || v.buf[at]|0x20 != 'h' || n > v.end-at-1 {
		return nil, false
	}
	v.pos = at + 1 + n
	return v.buf[at+1 : v.pos], true
}

// skip skips one value of any kind.
func (v *values) skip() {
	if !v.open() {
		return
	}
	if text, ok := v.hollerith(); !ok {
		v.leave()
	} else if !v.close() {
		v.recount(text)
	}
}

// plainText returns raw as UTF-8; bytes that are not UTF-8 are read as Latin-1.
func plainText(raw []byte, trim bool) string {
	if trim {
		raw = bytes.Trim(raw, " \x00")
	}
	if utf8.Valid(raw) {
		return string(raw)
	}
	runes := make([]rune, len(raw))
	for i, c := range raw {
		runes[i] = rune(c)
	}
	return string(runes)
}
