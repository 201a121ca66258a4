// Package limit determines the permitted deviations of a dimension. It converts the designations of the ISO code system
// for tolerances, "H7" or "g6", into limit deviations, and contains the general tolerances of ISO 2768-1.
//
// Method: ISO 286-1:2010, tables 1 to 5 as numbers. The letter gives the fundamental deviation, the limit nearer to the
// nominal size; the number gives the grade, the width of the tolerance. Holes (capitals) mirror shafts, except K, M and
// N up to grade 8 and P to ZC up to grade 7 of holes up to 500 mm. These are shifted by the difference Δ between the
// grade and the next finer one, so that the fit equals the fit of the same letters with hole and shaft exchanged. M6
// from 250 to 315 mm is the exception that the standard names.
//
// Cost: two binary searches. Not handled: sizes above 3150 mm, and combinations that the tables lack; those have no
// numbers.
package limit

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Largest nominal sizes (mm) that the code has numbers for, and for which it has all letters.
const (
	maxSize  = 3150
	maxSmall = 500
)

// code matches a letter or two, capitals for holes, and a grade. Some writers set IT before the grade.
var code = regexp.MustCompile(`^([A-Za-z]{1,2})\s*(?:IT\s*)?(01|[0-9]{1,2})$`)

// Deviations returns the limit deviations (mm) of a nominal size (mm) for a designation such as "H7" or "js6". ok is
// false when the standard has no such deviations.
func Deviations(designation string, nominal float64) (lower, upper float64, ok bool) {
	m := code.FindStringSubmatch(strings.TrimSpace(designation))
	if m == nil || !(nominal > 0 && nominal <= maxSize) {
		return 0, 0, false
	}
	g, ok := gradeOf(m[2])
	if !ok {
		return 0, 0, false
	}
	width, ok := tolerance(g, nominal)
	if !ok {
		return 0, 0, false
	}
	letter := strings.ToLower(m[1])
	isHole := m[1] != letter
	if isHole && m[1] != strings.ToUpper(letter) {
		return 0, 0, false // Js, half a hole
	}
	c := zone{letter: letter, grade: g, size: nominal, width: width}
	var low, high float64
	if isHole {
		low, high, ok = c.hole()
	} else {
		low, high, ok = c.shaft()
	}
	const micrometre = 1000 // in a mm; a division keeps the digits of the table, a product would not
	return low / micrometre, high / micrometre, ok
}

// gradeOf returns the row of a grade in the table of grades.
func gradeOf(text string) (row int, ok bool) {
	if text == "01" {
		return 0, true
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > lastGrade || len(text) > 1 && text[0] == '0' {
		return 0, false
	}
	return n + 1, true
}

// Rows of the grades that limit which deviations exist.
const (
	it3 = 4
	it4 = 5
	it5 = 6
	it6 = 7
	it7 = 8
	it8 = 9

	lastGrade = 18
)

// tolerance returns the width (µm) of the tolerance of a grade.
func tolerance(row int, size float64) (float64, bool) {
	i, _ := slices.BinarySearch(gradeSizes, size)
	if i >= len(grades[row]) {
		return 0, false // the finest grades end at 500 mm
	}
	return grades[row][i], true
}

// zone is one tolerance to be placed; widths and deviations are µm.
type zone struct {
	letter string
	grade  int
	size   float64
	width  float64
}

// shaft returns the limits of a shaft.
func (c zone) shaft() (low, high float64, ok bool) {
	if c.letter == "js" {
		return -c.width / 2, c.width / 2, true
	}
	if below, found := c.deviation(above); found { // a to h: the upper limit is below the nominal size
		return -below - c.width, -below, true
	}
	switch {
	case c.letter == "j":
		low, ok = c.lowerJ()
		return low, low + c.width, ok
	case c.letter == "k" && (c.size > maxSmall || c.grade < it4 || c.grade > it7):
		return 0, c.width, true
	}
	low, ok = c.deviation(under)
	return low, low + c.width, ok
}

// hole returns the limits of a hole.
func (c zone) hole() (low, high float64, ok bool) {
	if c.letter == "js" {
		return -c.width / 2, c.width / 2, true
	}
	if low, found := c.deviation(above); found { // A to H: the lower limit is above the nominal size
		return low, low + c.width, true
	}
	high, ok = c.upperHole()
	return high - c.width, high, ok
}

// upperHole returns the upper limit of holes J to ZC.
func (c zone) upperHole() (high float64, ok bool) {
	if c.letter == "j" {
		return c.upperJ()
	}
	const smallest = 3 // mm: no shift up to this size
	high, ok = c.deviation(under)
	if !ok {
		return 0, false
	}
	switch c.letter {
	case "k":
		if c.size > maxSmall || c.size <= smallest {
			return 0, c.grade <= it8 || c.size <= smallest
		}
		if c.grade > it8 {
			return 0, false
		}
	case "n":
		if c.grade > it8 && c.size > smallest && c.size <= maxSmall {
			return 0, true
		}
	}
	finest := it8 // up to which grade the limit is shifted
	if c.letter[0] > 'n' {
		finest = it7
	}
	if c.size <= smallest || c.size > maxSmall || c.grade > finest || c.grade < it3 {
		return -high, true
	}
	finer, _ := tolerance(c.grade-1, c.size)
	shifted := -high + c.width - finer
	if c.letter == "m" && c.grade == it6 && c.size > 250 && c.size <= 315 {
		shifted = -9 // not -11, by the note to the table of holes
	}
	return shifted, true
}

// deviation looks a letter up in a table of fundamental deviations.
func (c zone) deviation(table map[string]row) (float64, bool) {
	r, found := table[c.letter]
	if !found {
		return 0, false
	}
	sizes, values := smallSizes, r.small
	if c.size > maxSmall {
		sizes, values = largeSizes, r.large
	}
	i, _ := slices.BinarySearch(sizes, c.size)
	if c.size <= maxSmall {
		i -= r.from
	}
	if i < 0 || i >= len(values) {
		return 0, false
	}
	return values[i], true
}

// lowerJ returns the lower limit of shafts j5 to j8.
func (c zone) lowerJ() (float64, bool) {
	switch c.grade {
	case it5, it6:
		return c.among(lowerJ6)
	case it7:
		return c.among(lowerJ7)
	case it8:
		return c.among(lowerJ8)
	}
	return 0, false
}

// upperJ returns the upper limit of holes J6 to J8.
func (c zone) upperJ() (float64, bool) {
	switch c.grade {
	case it6:
		return c.among(upperJ6)
	case it7:
		return c.among(upperJ7)
	case it8:
		return c.among(upperJ8)
	}
	return 0, false
}

// among picks the value of the size from a row of the ranges of the grades.
func (c zone) among(values []float64) (float64, bool) {
	i, _ := slices.BinarySearch(gradeSizes, c.size)
	if i >= len(values) {
		return 0, false
	}
	return values[i], true
}
