// Package thread reads the designations of screw threads in drawing notes: "M8x1.25 - 6H", "1/4-20 UNC-2B", "G 1/2 A",
// "Tr 40x14 (P7) LH", with the depth and the number of places if the note states them.
//
// Method: one pattern for each standard, tried in order. Tables supply the values that a designation omits by rule (the
// coarse pitch of ISO 261, the sizes of pipe threads of ISO 228, ISO 7 and ASME B1.20.1, the diameters of numbered inch
// screws). Cost: linear in the text, which is at most longestCall bytes. Not handled: buttress, Acme and wood screw
// threads, and call-outs in words.
package thread

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"millwright.dev/millwright/core/kernel/gdt"
)

// longestCall is the length (bytes) above which a text is a page of notes, not a call-out.
const longestCall = 200

const mmPerInch = 25.4

// Parts of the patterns. A designation begins and ends at word boundaries.
const (
	begin  = `(?:^|[^\pL\pN.#/])`
	end    = `(?:$|[^\pL\pN/])`
	number = `[0-9]+(?:[.,][0-9]+)?`
	times  = `\s*[xX×*]\s*`
	inches = `#?[0-9]*\.[0-9]+|#?[0-9]+(?:[ -][0-9]+/[0-9]+|/[0-9]+)?`
)

var (
	metric = pattern(begin + `(M|MJ|m) ?(` + number + `)(?:` + times + `(?:Ph ?(` + number +
		`)\s*(?:P|-P) ?)?(` + number + `))?` + metricClass + end)
	unified = pattern(`(?i)` + begin + `(` + inches + `)"? ?- ?([0-9]+(?:\.[0-9]+)?) ?` +
		`(UNC|UNF|UNEF|UNS|UNJC|UNJF|UNJ|UNR|UNRC|UNRF|UN|BSW|BSF)(?: ?-? ?([123](?:A|B|AB)?))?` + end)
	parallelPipe = pattern(begin + `(G|Rp) ?([0-9]+(?: [0-9]+/[0-9]+|/[0-9]+)?)"?(?: ?([AB]))?` + end)
	taperedPipe  = pattern(begin + `(Rc|R) ?([0-9]+(?: [0-9]+/[0-9]+|/[0-9]+)?)"?()` + end)
	american     = pattern(`(?i)` + begin + `([0-9]+(?:[ -][0-9]+/[0-9]+|/[0-9]+)?)"?` +
		`(?: ?- ?[0-9]+(?:\.5)?)? ?(NPTF|NPTR|NPT|NPSC|NPSM|NPSF|NPS|BSPT|BSPP)` + end)
	trapezoidal = pattern(begin + `(?:Tr|TR) ?(` + number + `)` + times + `(` + number +
		`)(?: ?\(? ?P ?(` + number + `) ?\)?)?` + metricClass + end)
)

// pattern is an expression that is made ready when it is asked for first: most processes read no threads.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// metricClass is the tolerance class after a metric or trapezoidal designation, one or a pair of them.
const metricClass = `(?:(?:\s*-\s*|\s+)([3-9][A-Ha-h](?:[3-9][A-Ha-h])?(?:/[3-9][a-h](?:[3-9][a-h])?)?))?`

// standards are tried in this order if a text has a mark that all of their designations have: a number after one of the
// letters, or one of the words. Few texts have one, and compiling the patterns takes a millisecond.
var standards = []struct {
	letters string
	words   []string
	read    func(text string) (t gdt.Thread, at int, ok bool)
}{
	{letters: "MJm", read: readMetric},
	{words: []string{"UN", "BSW", "BSF"}, read: readUnified},
	{letters: "rR", read: readTrapezoidal},
	{letters: "GpRc", read: readPipe},
	{words: []string{"NP", "BSP"}, read: readAmerican},
}

// numbered reports whether a number follows one of the letters in a text, with or without a space between them.
func numbered(text, letters string) bool {
	for i := range len(text) {
		if strings.IndexByte(letters, text[i]) < 0 {
			continue
		}
		if rest := strings.TrimPrefix(text[i+1:], " "); rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			return true
		}
	}
	return false
}

// Parse reads the first designation in a note; ok is false if the note contains none.
func Parse(text string) (t gdt.Thread, ok bool) {
	if len(text) > longestCall {
		return t, false
	}
	upper := strings.ToUpper(text)
	for _, standard := range standards {
		if !numbered(text, standard.letters) && !slices.ContainsFunc(standard.words, func(word string) bool {
			return strings.Contains(upper, word)
		}) {
			continue
		}
		if t, at, ok := standard.read(text); ok {
			t.Left = leftHanded().MatchString(text)
			t.Depth = depthBehind(text[at:], t.Inch)
			t.Places = places(text)
			return t, true
		}
	}
	return t, false
}

func readMetric(text string) (t gdt.Thread, at int, ok bool) {
	m := metric().FindStringSubmatchIndex(text)
	if m == nil {
		return t, 0, false
	}
	g := groups(text, m)
	t = gdt.Thread{Series: strings.ToUpper(g[1]), Diameter: decimal(g[2]), Pitch: decimal(g[4]), Starts: 1,
		Class: g[5]}
	if g[1] == "m" && g[4] == "" {
		return t, 0, false // a tolerance of a shaft
	}
	if lead := decimal(g[3]); lead > 0 {
		t.Starts = starts(lead, t.Pitch)
	}
	if g[4] == "" {
		t.Pitch = coarse[t.Diameter]
	}
	return t, m[1], plausible(t)
}

func readUnified(text string) (t gdt.Thread, at int, ok bool) {
	m := unified().FindStringSubmatchIndex(text)
	if m == nil {
		return t, 0, false
	}
	g := groups(text, m)
	perInch := decimal(g[2])
	t = gdt.Thread{Series: strings.ToUpper(g[3]), Diameter: inch(g[1], perInch), Pitch: mmPerInch / perInch,
		Starts: 1, Class: strings.ToUpper(g[4]), Inch: true}
	return t, m[1], plausible(t)
}

func readTrapezoidal(text string) (t gdt.Thread, at int, ok bool) {
	m := trapezoidal().FindStringSubmatchIndex(text)
	if m == nil {
		return t, 0, false
	}
	g := groups(text, m)
	t = gdt.Thread{Series: "Tr", Diameter: decimal(g[1]), Pitch: decimal(g[2]), Starts: 1, Class: g[4]}
	if pitch := decimal(g[3]); pitch > 0 {
		t.Starts, t.Pitch = starts(t.Pitch, pitch), pitch
	}
	return t, m[1], plausible(t)
}

// readPipe reads the pipe threads of ISO 228 (G) and ISO 7 (R, Rc, Rp). Whole numbers alone are more often a
// radius or a tolerance.
func readPipe(text string) (t gdt.Thread, at int, ok bool) {
	for tapered, read := range []func() *regexp.Regexp{parallelPipe, taperedPipe} {
		m := read().FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		g := groups(text, m)
		size, known := whitworthPipe[g[2]]
		if !known || !strings.Contains(g[2], "/") {
			continue
		}
		return gdt.Thread{Series: g[1], Diameter: size.diameter, Pitch: mmPerInch / size.perInch, Starts: 1,
			Class: g[3], Tapered: tapered == 1}, m[1], true
	}
	return t, 0, false
}

func readAmerican(text string) (t gdt.Thread, at int, ok bool) {
	m := american().FindStringSubmatchIndex(text)
	if m == nil {
		return t, 0, false
	}
	g := groups(text, m)
	series := strings.ToUpper(g[2])
	table, unit := americanPipe, mmPerInch
	if strings.HasPrefix(series, "BSP") {
		table, unit = whitworthPipe, 1
	}
	size, known := table[strings.Replace(g[1], "-", " ", 1)]
	if !known {
		return t, 0, false
	}
	return gdt.Thread{Series: series, Diameter: size.diameter * unit, Pitch: mmPerInch / size.perInch,
		Starts: 1, Tapered: strings.HasPrefix(series, "NPT") || series == "BSPT", Inch: true}, m[1], true
}

// plausible rejects impossible threads: a pitch of more than half of the diameter, or no diameter.
func plausible(t gdt.Thread) bool {
	const largest = 1000 // mm
	return t.Diameter > 0 && t.Diameter <= largest && t.Pitch >= 0 && t.Pitch <= t.Diameter/2 && t.Starts > 0
}

// starts returns the number of threads that run side by side.
func starts(lead, pitch float64) int {
	const most = 100
	if n := math.Round(lead / pitch); n >= 1 && n <= most {
		return int(n)
	}
	return 1
}

var (
	leftHanded = pattern(`(?i)(?:^|[^\pL])(?:LH|L\.H\.|LEFT[ -]?HAND(?:ED)?)(?:$|[^\pL])`)
	deepBehind = pattern(`(?i)^[^0-9]*?(?:↧|DEPTH|DEEP|TIEFE)\s*[:=]?\s*([0-9]*[.,]?[0-9]+)`)
	deepBefore = pattern(`(?i)^[^0-9.]*([0-9]*[.,]?[0-9]+)\s*(?:mm|in|")?\s*(?:DEEP|DEPTH|TIEF)`)
	multiple   = pattern(`(?i)^\s*([0-9]{1,4})\s?[x×]\s`)
)

// depthBehind returns the depth (mm) after a designation, 0 if absent.
func depthBehind(text string, isInch bool) float64 {
	m := deepBefore().FindStringSubmatch(text)
	if m == nil {
		m = deepBehind().FindStringSubmatch(text)
	}
	if m == nil {
		return 0
	}
	if isInch {
		return decimal(m[1]) * mmPerInch
	}
	return decimal(m[1])
}

// places returns how often the thread occurs: "4X M8".
func places(text string) int {
	m := multiple().FindStringSubmatch(text)
	if m == nil {
		return 1
	}
	n, err := strconv.Atoi(m[1])
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// groups returns the texts of a match.
func groups(text string, m []int) []string {
	out := make([]string, len(m)/2)
	for i := range out {
		if m[2*i] >= 0 {
			out[i] = text[m[2*i]:m[2*i+1]]
		}
	}
	return out
}

// decimal reads a number with a point or a comma; 0 if it cannot parse the text.
func decimal(text string) float64 {
	f, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if err != nil {
		return 0
	}
	return f
}

// inch returns the diameter (mm) of an inch size: a fraction, a decimal, or the number of a screw. A whole number is a
// screw number if the thread is too fine for so many inches.
func inch(size string, perInch float64) float64 {
	const (
		finestWhole = 20 // threads per inch: screws of whole inches have no more
		lastNumber  = 14
	)
	digits := strings.TrimPrefix(size, "#")
	n, err := strconv.Atoi(digits)
	if isScrew := digits != size || perInch > finestWhole; err == nil && isScrew {
		if n > lastNumber {
			return 0
		}
		return (0.060 + 0.013*float64(n)) * mmPerInch // ASME B1.1
	}
	whole, fraction, mixed := strings.Cut(strings.Replace(digits, "-", " ", 1), " ")
	if !mixed {
		whole, fraction = "0", digits
	}
	over, under, isFraction := strings.Cut(fraction, "/")
	if !isFraction {
		return decimal(fraction) * mmPerInch
	}
	if decimal(under) == 0 {
		return 0
	}
	return (decimal(whole) + decimal(over)/decimal(under)) * mmPerInch
}
