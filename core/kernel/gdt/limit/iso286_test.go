package limit_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/gdt/limit"
)

// TestPublishedValues compares with the limit deviations printed in ISO 286-2 and in the tables of
// machinists' handbooks, µm.
func TestPublishedValues(t *testing.T) {
	for _, c := range []struct {
		code         string
		size         float64
		lower, upper float64
	}{
		{"H7", 2, 0, 10}, {"H7", 3, 0, 10}, {"H7", 3.01, 0, 12}, {"H7", 8, 0, 15}, {"H7", 10, 0, 15},
		{"H7", 18, 0, 18}, {"H7", 25, 0, 21}, {"H7", 50, 0, 25}, {"H7", 80, 0, 30}, {"H7", 120, 0, 35},
		{"H7", 150, 0, 40}, {"H7", 500, 0, 63}, {"H7", 600, 0, 70}, {"H6", 40, 0, 16}, {"H8", 40, 0, 39},
		{"H11", 40, 0, 160}, {"H13", 40, 0, 390}, {"H5", 40, 0, 11}, {"H14", 3000, 0, 5400},
		{"h6", 40, -16, 0}, {"h7", 100, -35, 0}, {"h9", 20, -52, 0}, {"h11", 6, -75, 0}, {"h5", 12, -8, 0},
		{"g6", 8, -14, -5}, {"g6", 25, -20, -7}, {"g5", 25, -16, -7}, {"g6", 300, -49, -17},
		{"G7", 25, 7, 28}, {"G6", 40, 9, 25}, {"f7", 50, -50, -25}, {"f7", 20, -41, -20},
		{"F8", 20, 20, 53},
		{"e8", 25, -73, -40}, {"E9", 30, 40, 92}, {"d9", 20, -117, -65}, {"D10", 20, 65, 149},
		{"c11", 60, -330, -140}, {"c11", 45, -290, -130}, {"C11", 33, 120, 280}, {"b11", 14, -260, -150},
		{"a11", 10, -370, -280}, {"A11", 450, 1500, 1900}, {"cd8", 5, -64, -46}, {"ef7", 8, -33, -18},
		{"fg6", 3, -10, -4},
		{"js6", 30, -6.5, 6.5}, {"JS7", 30, -10.5, 10.5}, {"js5", 100, -7.5, 7.5}, {"JS9", 8, -18, 18},
		{"j6", 40, -5, 11}, {"j5", 20, -4, 5}, {"j7", 20, -8, 13}, {"j8", 2, -6, 8},
		{"J6", 30, -5, 8}, {"J7", 30, -9, 12}, {"J8", 30, -13, 20}, {"J7", 5, -6, 6}, {"J7", 450, -20, 43},
		{"k6", 20, 2, 15}, {"k5", 50, 2, 13}, {"k7", 100, 3, 38}, {"k8", 20, 0, 33}, {"k6", 2, 0, 6},
		{"k6", 700, 0, 50},
		{"K6", 25, -11, 2}, {"K7", 25, -15, 6}, {"K7", 5, -9, 3}, {"K8", 40, -27, 12},
		{"K7", 3, -10, 0}, {"K7", 700, -80, 0},
		{"m6", 30, 8, 21}, {"m5", 60, 11, 24}, {"M7", 40, -25, 0}, {"M6", 40, -20, -4}, {"M8", 40, -34, 5},
		{"M6", 300, -41, -9}, {"M7", 300, -52, 0}, {"M6", 200, -37, -8}, {"M9", 40, -71, -9},
		{"M7", 600, -96, -26},
		{"n6", 80, 20, 39}, {"n5", 10, 10, 16}, {"N7", 25, -28, -7}, {"N6", 25, -24, -11},
		{"N9", 10, -36, 0},
		{"N9", 3, -29, -4}, {"N8", 25, -36, -3}, {"N7", 700, -130, -50}, {"p6", 30, 22, 35},
		{"P7", 50, -42, -17},
		{"P6", 50, -37, -21}, {"P9", 25, -74, -22}, {"P7", 2, -16, -6}, {"P8", 25, -55, -22},
		{"r6", 60, 41, 60}, {"r6", 70, 43, 62}, {"R7", 60, -60, -30}, {"s6", 100, 71, 93},
		{"S7", 60, -72, -42},
		{"s7", 500, 252, 315}, {"t6", 30, 41, 54}, {"T7", 30, -54, -33}, {"u6", 22, 41, 54},
		{"U7", 100, -146, -111},
		{"v6", 18, 39, 50}, {"x6", 40, 80, 96}, {"X7", 10, -43, -28}, {"y6", 24, 63, 76}, {"z6", 6, 35, 43},
		{"za8", 100, 335, 389}, {"zb9", 3, 40, 65}, {"zc10", 500, 2600, 2850}, {"u7", 900, 940, 1030},
		{"r7", 1400, 300, 425}, {"r7", 1401, 330, 455},
		{"IT7", 10, math.NaN(), 0}, {"H7 ", 10, 0, 15}, {"H 7", 10, 0, 15}, {"HIT7", 10, 0, 15},
		{"h01", 10, -0.4, 0},
		{"H0", 10, 0, 0.6}, {"H1", 10, 0, 1},
	} {
		lower, upper, ok := limit.Deviations(c.code, c.size)
		if math.IsNaN(c.lower) {
			if ok {
				t.Errorf("%s at %g: %g to %g, want none", c.code, c.size, lower, upper)
			}
			continue
		}
		const rounding = 1e-12 // mm
		if !ok || math.Abs(lower-c.lower/1000) > rounding || math.Abs(upper-c.upper/1000) > rounding {
			t.Errorf("%s at %g mm: %.5g to %.5g mm (%v), want %.5g to %.5g µm", c.code, c.size, lower, upper, ok,
				c.lower, c.upper)
		}
	}
}

func TestNoLimits(t *testing.T) {
	for _, c := range []struct {
		code string
		size float64
	}{
		{"", 10}, {"H", 10}, {"7", 10}, {"H19", 10}, {"H07", 10}, {"H7/g6", 10}, {"Q7", 10}, {"i6", 10},
		{"Js7", 10},
		{"H7", 0}, {"H7", -5}, {"H7", math.NaN()}, {"H7", math.Inf(1)}, {"H7", 3150.1}, {"cd8", 12},
		{"t6", 20},
		{"v6", 12}, {"y6", 15}, {"j9", 20}, {"J5", 20}, {"j8", 20}, {"K9", 20}, {"a11", 600},
		{"x6", 600}, {"H01", 600},
		{"Hx", 5}, {"HH7", 5},
	} {
		if lower, upper, ok := limit.Deviations(c.code, c.size); ok {
			t.Errorf("%q at %g mm: %g to %g mm, want none", c.code, c.size, lower, upper)
		}
	}
}

const shafts = "a b c cd d e ef f fg g h js j k m n p r s t u v x y z za zb zc"

// TestLimitsOfAnySize checks the principles of the system: the width depends on the grade alone, and holes A to H
// mirror shafts. A hole of letter P or later with a shaft h has the same fit as the letter's shaft with a hole H.
func TestLimitsOfAnySize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letter := rapid.SampledFrom(strings.Fields(shafts)).Draw(t, "letter")
		grade := rapid.SampledFrom([]string{"3", "4", "5", "6", "7", "8", "9", "11"}).Draw(t, "grade")
		size := rapid.Float64Range(0.1, 500).Draw(t, "size")
		_, width, ok := limit.Deviations("H"+grade, size)
		if !ok {
			t.Fatalf("no H%s at %g mm", grade, size)
		}
		const rounding = 1e-12
		lower, upper, ok := limit.Deviations(letter+grade, size)
		low, high, isHole := limit.Deviations(strings.ToUpper(letter)+grade, size)
		if ok && math.Abs(upper-lower-width) > rounding || isHole && math.Abs(high-low-width) > rounding {
			t.Fatalf("%s%s at %g mm: %g to %g and %g to %g, width %g", letter, grade, size, lower, upper,
				low, high, width)
		}
		switch {
		case letter <= "h" && (ok != isHole || ok && math.Abs(low+upper) > rounding):
			t.Fatalf("%s%s at %g mm: %g to %g is not the mirror of %g to %g", letter, grade, size, lower, upper,
				low, high)
		case letter >= "p" && ok && size > 3 && grade > "3" && grade <= "7":
			finer := string(grade[0] - 1)
			_, most, _ := limit.Deviations(letter+finer, size) // most interference in a hole H
			if math.Abs(most+low) > rounding {
				t.Fatalf("%s%s/h%s at %g mm: interference %g, want %g", letter, grade, finer, size, -low, most)
			}
		}
	})
}
