package part21

import (
	"math"
	"strconv"
)

// Powers of ten that a float64 holds exactly.
var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// number lexes an integer or real at buf[pos] and returns the position behind it, or pos when there is
// none. The value is correctly rounded: one exact multiplication or division when the digits fit 53
// bits and the power of ten is exact (W. D. Clinger, How to Read Floating Point Numbers Accurately,
// 1990), strconv otherwise. Digits without a leading or trailing zero around the point are accepted.
// buf must end in a byte that is no digit.
func number(buf []byte, pos int) (end int, k kind, val uint64) {
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
	k = kInt
	if buf[i] == '.' {
		k = kReal
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
		return pos, kUnset, 0
	}
	if c := buf[i] | 0x20; c == 'e' {
		e, at, ok := exponentAt(buf, i+1)
		if !ok {
			return pos, kUnset, 0
		}
		k = kReal
		exponent += e
		i = at
	}
	const (
		safeDigits    = 19 // mantissa cannot have overflowed
		exactMantissa = 1 << 53
	)
	if k == kInt && count < safeDigits {
		if negative {
			return i, kInt, -mantissa
		}
		return i, kInt, mantissa
	}
	if count > safeDigits || mantissa > exactMantissa || exponent < -22 || exponent > 22 {
		return slowReal(buf, pos, i)
	}
	f := float64(mantissa)
	if exponent < 0 {
		f /= pow10[-exponent]
	} else {
		f *= pow10[exponent]
	}
	if negative {
		f = -f
	}
	return i, kReal, math.Float64bits(f)
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

// slowReal leaves the rounding to strconv. Values too large for a float64 are no numbers here.
func slowReal(buf []byte, pos, end int) (int, kind, uint64) {
	f, err := strconv.ParseFloat(string(buf[pos:end]), 64)
	if err != nil {
		return pos, kUnset, 0
	}
	return end, kReal, math.Float64bits(f)
}
