package decimal

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func TestScan(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		k    Kind
		want float64
	}{
		{"0", 1, Int, 0},
		{"-0.", 3, Real, math.Copysign(0, -1)},
		{"+12,", 3, Int, 12},
		{"-12)", 3, Int, -12},
		{"1.", 2, Real, 1},
		{".5", 2, Real, 0.5},
		{"-.5E+1", 6, Real, -5},
		{"1E3", 3, Real, 1000},
		{"1.e-03 ", 6, Real, 0.001},
		{"9007199254740993.", 17, Real, 9007199254740992},
		{"0.1000000000000000055511151231257827021181583404541015625", 57, Real, 0.1},
		{"999999999999999999", 18, Int, 999999999999999999},
		{"18446744073709551616", 20, Real, 18446744073709551616},
		{"1.E-400", 7, Real, 0},
		{"1.E400", 0, None, 0},
		{"1.E999999999999", 0, None, 0},
		{"1.D-3,", 5, Real, 0.001},
		{"-2.5d+02", 8, Real, -250},
		{"0.1000000000000000055511151231257827021181583404541015625D0", 59, Real, 0.1},
		{"1.D", 0, None, 0},
		{"1.E", 0, None, 0},
		{"+", 0, None, 0},
		{".", 0, None, 0},
		{"-.E5", 0, None, 0},
		{"4.9406564584124654E-324", 23, Real, 5e-324},
	} {
		n, k, val := Scan([]byte(c.text+"\x00"), 0)
		got := math.Float64frombits(val)
		if k == Int {
			got = float64(int64(val))
		}
		if n != c.n || k != c.k || math.Float64bits(got) != math.Float64bits(c.want) {
			t.Errorf("Scan(%q) = %d, %d, %v; want %d, %d, %v", c.text, n, k, got, c.n, c.k, c.want)
		}
	}
}

// TestLongQuotient tests quotients near ties, where rounding is hardest: the digits of midpoints between adjacent
// numbers, and numbers just above and below.
func TestLongQuotient(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.Uint64Min(1<<53).Draw(t, "m")
		k := rapid.IntRange(1, 22).Draw(t, "k")
		want, err := strconv.ParseFloat(fmt.Sprintf("%de-%d", m, k), 64)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := longQuotient(m, pow10[k]); ok && got != want {
			t.Fatalf("%d/1e%d = %v, want %v", m, k, got, want)
		}
	})
	sure := 0
	for k := 1; k <= 22; k++ {
		for _, x := range []float64{1.1, 123.456, 7.0 / 3, 9.75} {
			half := new(big.Float).SetPrec(200).Add(big.NewFloat(x), big.NewFloat(math.Nextafter(x, 20)))
			half.Mul(half, big.NewFloat(0.5*pow10[k]))
			m, _ := half.Uint64()
			for d := range uint64(5) {
				n := m + d - 2
				if n <= 1<<53 || half.Cmp(big.NewFloat(0x1p63)) > 0 {
					continue
				}
				want, _ := strconv.ParseFloat(fmt.Sprintf("%de-%d", n, k), 64)
				if got, ok := longQuotient(n, pow10[k]); ok && got != want {
					t.Errorf("%d/1e%d = %v, want %v", n, k, got, want)
				} else if ok {
					sure++
				}
			}
		}
	}
	if sure < 20 {
		t.Errorf("only %d quotients were sure", sure)
	}
}

func TestScanRoundsAsStrconv(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Draw(t, "f")
		precision := rapid.IntRange(-1, 20).Draw(t, "precision")
		format := rapid.SampledFrom([]byte{'E', 'f', 'g'}).Draw(t, "format")
		text := strconv.FormatFloat(f, format, precision, 64)
		want, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Skip("rounded out of range")
		}
		n, k, val := Scan([]byte(text+","), 0)
		got := math.Float64frombits(val)
		if k == Int {
			got = float64(int64(val))
		}
		if n != len(text) || got != want {
			t.Fatalf("Scan(%q) = %v (%d characters), want %v", text, got, n, want)
		}
	})
}
