// Package decimal reads the decimal numbers of CAD text files, correctly rounded.
//
// Method: one exact multiplication or division when the digits fit 53 bits and the power of ten is exact (W. D.
// Clinger, How to Read Floating Point Numbers Accurately, 1990), a division with a correction when they fit 64 bits,
// strconv otherwise. Cost: one pass over the characters; only strconv allocates.
package decimal

import (
	"bytes"
	"math"
	"strconv"
)

// Powers of ten that a float64 represents exactly.
var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// Kind is the type of the bits of a scanned number.
type Kind uint8

// The kinds of numbers. None is the kind of text that is not a number, or of a number too large for a float64.
const (
	None Kind = iota
	Int       // the bits are an int64
	Real      // the bits are a float64
)

// Scan reads the integer or real at buf[pos]. It returns the position after it, or pos and None if there is no number.
// Digits without a leading or trailing zero around the point are accepted, and exponents after E or D (FORTRAN's double
// precision) in either case. Integers of 19 digits or more become reals. buf must end in a byte that no number
// contains.
func Scan(buf []byte, pos int) (end int, k Kind, bits uint64) {
	i := pos
	negative := buf[i] == '-'
	if negative || buf[i] == '+' {
		i++
	}
	var mantissa uint64
	digits := i
	for c := buf[i] - '0'; c <= 9; c = buf[i] - '0' {
		mantissa = mantissa*10 + uint64(c)
		i++
	}
	count := i - digits
	exponent := 0
	k = Int
	if buf[i] == '.' {
		k = Real
		i++
		point := i
		for c := buf[i] - '0'; c <= 9; c = buf[i] - '0' {
			mantissa = mantissa*10 + uint64(c)
			i++
		}
		exponent = point - i
		count += i - point
	}
	if count == 0 {
		return pos, None, 0
	}
	if c := buf[i] | 0x20; c == 'e' || c == 'd' {
		e, at, ok := exponentAt(buf, i+1)
		if !ok {
			return pos, None, 0
		}
		k = Real
		exponent += e
		i = at
	}
	const safeDigits = 19 // mantissa cannot have overflowed
	if k == Int && count < safeDigits {
		if negative {
			return i, Int, -mantissa
		}
		return i, Int, mantissa
	}
	f, ok := decimal(mantissa, exponent)
	if !ok || count > safeDigits {
		return slowReal(buf, pos, i)
	}
	if negative {
		f = -f
	}
	return i, Real, math.Float64bits(f)
}

// decimal returns mantissa·10^exponent, correctly rounded; ok is false if this method cannot compute it.
func decimal(mantissa uint64, exponent int) (f float64, ok bool) {
	const exactMantissa = 1 << 53
	switch {
	case exponent < -22 || exponent > 22:
		return 0, false
	case mantissa <= exactMantissa && exponent < 0:
		return float64(mantissa) / pow10[-exponent], true
	case mantissa <= exactMantissa:
		return float64(mantissa) * pow10[exponent], true
	case exponent < 0:
		return longQuotient(mantissa, pow10[-exponent])
	}
	return 0, false
}

// longQuotient returns m/p, correctly rounded, for an m of more than 53 bits; ok is false if the rounding is not
// certain. With hi + lo = m and q = hi/p rounded, m/p is q plus a correction below two units in the last place. The
// relative error of the correction is at most 2^-51. The rounded sum is certain if a far larger error of the correction
// does not change it.
func longQuotient(m uint64, p float64) (f float64, ok bool) {
	const doubt = 0x1p-45
	hi := float64(m)
	var lo float64
	if hi < 0x1p64 {
		lo = float64(int64(m - uint64(hi))) // |lo| ≤ 1024, so both steps are exact
	} else {
		lo = -float64(-m) // hi is 2^64
	}
	q := hi / p
	correction := (math.FMA(-q, p, hi) + lo) / p
	f = q + correction*(1-doubt)
	return f, f == q+correction*(1+doubt)
}

// exponentAt reads the signed digits of an exponent; absurdly long ones saturate.
func exponentAt(buf []byte, i int) (e, end int, ok bool) {
	const saturated = 100000
	negative := false
	if c := buf[i]; c == '-' || c == '+' {
		negative = c == '-'
		i++
	}
	start := i
	for c := buf[i] - '0'; c <= 9; c = buf[i] - '0' {
		if e < saturated {
			e = e*10 + int(c)
		}
		i++
	}
	if negative {
		e = -e
	}
	return e, i, i > start
}

// slowReal leaves the rounding to strconv. Values too large for a float64 do not count as numbers.
func slowReal(buf []byte, pos, end int) (int, Kind, uint64) {
	text := bytes.Map(func(r rune) rune {
		if r|0x20 == 'd' {
			return 'E'
		}
		return r
	}, buf[pos:end])
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return pos, None, 0
	}
	return end, Real, math.Float64bits(f)
}
