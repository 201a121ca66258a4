package damage

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// kind is a kind of damage.
type kind struct {
	name   string
	sites  func(*source) []site
	strike func(*rand.Rand, *source, site) hurt
}

// site is a place in a file.
type site struct {
	start, end int // bytes
	record     int // of the structure; -1 where there is none
}

// kinds are all of them, in the order of the report.
var kinds = []kind{
	{"flag face", tokens(flag, "ADVANCED_FACE", "FACE_SURFACE"), flip},
	{"flag bound", tokens(flag, "FACE_BOUND", "FACE_OUTER_BOUND"), flip},
	{"flag edge", tokens(flag, "EDGE_CURVE"), flip},
	{"flag use", tokens(flag, "ORIENTED_EDGE"), flip},
	{"flag other", otherFlags, flip},
	{"radius", tokens(real, "CYLINDRICAL_SURFACE", "CONICAL_SURFACE", "SPHERICAL_SURFACE", "TOROIDAL_SURFACE",
		"DEGENERATE_TOROIDAL_SURFACE", "CIRCLE", "ELLIPSE"), resize},
	{"scale", tokens(prefix), rescale},
	{"number", tokens(real), renumber},
	{"reference", tokens(reference), redirect},
	{"dangling", tokens(reference), dangle},
	{"record", records, remove},
	{"line", lines, breakLine},
	{"bits", anywhere, flipBits},
	{"cut", anywhere, cutOff},
}

// breaks reports whether a record cannot be read, or not whole, after damage of the kind.
func (k *kind) breaks() bool { return k.name == "dangling" || k.name == "record" }

func find(name string) *kind {
	for i := range kinds {
		if kinds[i].name == name {
			return &kinds[i]
		}
	}
	return nil
}

// tokens finds those of a sort, in entities of the given types or in all.
func tokens(sort tokenSort, types ...string) func(*source) []site {
	of := map[string]bool{}
	for _, t := range types {
		of[t] = true
	}
	return func(f *source) []site {
		var out []site
		for _, t := range f.text.tokens {
			if t.sort == sort && (len(of) == 0 || of[t.entity]) {
				out = append(out, t.site)
			}
		}
		return out
	}
}

// otherFlags returns the flags of entities without a separate kind.
func otherFlags(f *source) []site {
	var out []site
	for _, t := range f.text.tokens {
		switch t.entity {
		case "ADVANCED_FACE", "FACE_SURFACE", "FACE_BOUND", "FACE_OUTER_BOUND", "EDGE_CURVE", "ORIENTED_EDGE":
		default:
			if t.sort == flag {
				out = append(out, t.site)
			}
		}
	}
	return out
}

func records(f *source) []site {
	out := make([]site, len(f.text.records))
	for i, r := range f.text.records {
		out[i] = site{r.start, r.end, i}
	}
	return out
}

func anywhere(f *source) []site { return []site{{0, len(f.data), -1}} }

// replace puts a text in the place of a site. In files of cards it must not be longer, and blanks fill the rest.
func (f *source) replace(s site, text string) hurt {
	old := string(f.data[s.start:s.end])
	if f.text.cards && len(text) < len(old) {
		text = strings.Repeat(" ", len(old)-len(text)) + text
	}
	h := hurt{what: fmt.Sprintf("%s becomes %s in %s", old, text, f.text.label(s.record))}
	h.data = append(append(append(h.data, f.data[:s.start]...), text...), f.data[s.end:]...)
	h.about = func() []string { return f.text.about(s.record) }
	return h
}

func flip(_ *rand.Rand, f *source, s site) hurt {
	other := map[string]string{".T.": ".F.", ".F.": ".T.", "0": "1", "1": "0"}
	return f.replace(s, other[string(f.data[s.start:s.end])])
}

func resize(rng *rand.Rand, f *source, s site) hurt {
	factors := []float64{0.5, 2, 1.01, -1, 0, 1e6}
	// 0 for text that is not a number, which is enough damage
	x, _ := strconv.ParseFloat(string(f.data[s.start:s.end]), 64)
	return f.replace(s, written(x*factors[rng.IntN(len(factors))]))
}

// written is a number as exchange files have it, with a point.
func written(x float64) string {
	s := strconv.FormatFloat(x, 'G', -1, 64)
	if whole, exponent, ok := strings.Cut(s, "E"); ok && !strings.Contains(s, ".") {
		return whole + ".E" + exponent
	} else if !ok && !strings.Contains(s, ".") {
		return s + "."
	}
	return s
}

// prefixes of the metre, with their powers of ten.
var prefixes = map[string]float64{
	"$": 0, ".MICRO.": -6, ".MILLI.": -3, ".CENTI.": -2, ".DECI.": -1, ".DECA.": 1, ".KILO.": 3,
}

// rescale states another unit of length.
func rescale(rng *rand.Rand, f *source, s site) hurt {
	choice := []string{"$", ".MICRO.", ".MILLI.", ".CENTI.", ".DECI.", ".DECA.", ".KILO."}
	old, now := string(f.data[s.start:s.end]), choice[rng.IntN(len(choice))]
	for now == old {
		now = choice[rng.IntN(len(choice))]
	}
	h := f.replace(s, now)
	h.scale = math.Pow(10, prefixes[now]-prefixes[old])
	return h
}

// renumber changes one number: a digit, its sign, its size.
func renumber(rng *rand.Rand, f *source, s site) hurt {
	old := string(f.data[s.start:s.end])
	if f.text.cards || rng.IntN(3) == 0 {
		return f.replace(s, otherDigit(rng, old))
	}
	x, _ := strconv.ParseFloat(old, 64) // 0 for text that is not a number, which is enough damage
	values := []string{
		written(-x), written(x * 10), written(x / 10), written(x * 1.001), "0.", "1.E30", "1.E400", "-1.E-300",
	}
	return f.replace(s, values[rng.IntN(len(values))])
}

// otherDigit puts another digit in the place of one.
func otherDigit(rng *rand.Rand, number string) string {
	b := []byte(number)
	var digits []int
	for i, c := range b {
		if c >= '0' && c <= '9' {
			digits = append(digits, i)
		}
	}
	if len(digits) > 0 {
		i := digits[rng.IntN(len(digits))]
		b[i] = '0' + (b[i]-'0'+byte(1+rng.IntN(9)))%10
	}
	return string(b)
}

// redirect lets a reference name another entity of the same type.
func redirect(rng *rand.Rand, f *source, s site) hurt {
	target := f.text.target(f.data[s.start:s.end])
	same := f.text.byType[f.text.typeOf(target)]
	if len(same) < 2 {
		return dangle(rng, f, s)
	}
	for {
		if other := same[rng.IntN(len(same))]; other != target {
			h := f.replace(s, f.text.refer(other))
			about := h.about
			h.about = func() []string { return append(about(), f.text.about(other)...) }
			return h
		}
	}
}

// dangle lets a reference name what there is not, or what no number can hold.
func dangle(rng *rand.Rand, f *source, s site) hurt {
	if f.text.cards {
		return f.replace(s, strings.Repeat("9", s.end-s.start))
	}
	if rng.IntN(4) == 0 {
		return f.replace(s, "#99999999999999999999")
	}
	return f.replace(s, fmt.Sprintf("#%d", f.text.largest+1+rng.Int64N(1000)))
}

func remove(_ *rand.Rand, f *source, s site) hurt {
	h := f.replace(site{s.start, s.end, s.record}, "")
	h.what = f.text.label(s.record) + " is missing"
	return h
}
