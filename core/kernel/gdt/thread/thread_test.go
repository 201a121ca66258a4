package thread_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/gdt/thread"
)

const inch = 25.4

func TestDesignations(t *testing.T) {
	for text, want := range map[string]gdt.Thread{
		"M8":                {Series: "M", Diameter: 8, Pitch: 1.25},
		"M8x1.25":           {Series: "M", Diameter: 8, Pitch: 1.25},
		"M8x1":              {Series: "M", Diameter: 8, Pitch: 1},
		"M6 - 6H":           {Series: "M", Diameter: 6, Pitch: 1, Class: "6H"},
		"M10 × 1.5 - 6H":    {Series: "M", Diameter: 10, Pitch: 1.5, Class: "6H"},
		"M10x1,5-4H5H":      {Series: "M", Diameter: 10, Pitch: 1.5, Class: "4H5H"},
		"M10x1.5-6H/6g":     {Series: "M", Diameter: 10, Pitch: 1.5, Class: "6H/6g"},
		"M1.6":              {Series: "M", Diameter: 1.6, Pitch: 0.35},
		"m6x1":              {Series: "M", Diameter: 6, Pitch: 1},
		"M16 X 1.5 LH":      {Series: "M", Diameter: 16, Pitch: 1.5, Left: true},
		"M16xPh3P1.5-6H":    {Series: "M", Diameter: 16, Pitch: 1.5, Starts: 2, Class: "6H"},
		"MJ6x1-4H5H":        {Series: "MJ", Diameter: 6, Pitch: 1, Class: "4H5H"},
		"M13":               {Series: "M", Diameter: 13}, // no standard has it: the pitch is not known
		"4X M3x0.5 THRU":    {Series: "M", Diameter: 3, Pitch: 0.5, Places: 4},
		"4 x M8 - 6H ↧ 20":  {Series: "M", Diameter: 8, Pitch: 1.25, Class: "6H", Depth: 20, Places: 4},
		"⌀6.8 ↧ 25 M8 ↧ 20": {Series: "M", Diameter: 8, Pitch: 1.25, Depth: 20},
		"TAP M4, 8 DEEP":    {Series: "M", Diameter: 4, Pitch: 0.7, Depth: 8},
		"M5x0.8 DEPTH 12.5": {Series: "M", Diameter: 5, Pitch: 0.8, Depth: 12.5},
		"M5 10 mm deep":     {Series: "M", Diameter: 5, Pitch: 0.8, Depth: 10},
		"M12x1.5 10 tief":   {Series: "M", Diameter: 12, Pitch: 1.5, Depth: 10},
		"1/4-20 UNC":        {Series: "UNC", Diameter: inch / 4, Pitch: inch / 20, Inch: true},
		"1/4-20 UNC-2B":     {Series: "UNC", Diameter: inch / 4, Pitch: inch / 20, Class: "2B", Inch: true},
		"1/4 - 20 UNC - 2B": {Series: "UNC", Diameter: inch / 4, Pitch: inch / 20, Class: "2B", Inch: true},
		"4X 1/4-20 UNC 2B": {Series: "UNC", Diameter: inch / 4, Pitch: inch / 20, Class: "2B", Inch: true,
			Places: 4},
		"#10-32 UNF":   {Series: "UNF", Diameter: 0.190 * inch, Pitch: inch / 32, Inch: true},
		"10-32 UNF-3A": {Series: "UNF", Diameter: 0.190 * inch, Pitch: inch / 32, Class: "3A", Inch: true},
		"#4-40 unc":    {Series: "UNC", Diameter: 0.112 * inch, Pitch: inch / 40, Inch: true},
		"#0-80 UNF":    {Series: "UNF", Diameter: 0.060 * inch, Pitch: inch / 80, Inch: true},
		"1-8 UNC":      {Series: "UNC", Diameter: inch, Pitch: inch / 8, Inch: true},
		"1 1/2-6 UNC":  {Series: "UNC", Diameter: 1.5 * inch, Pitch: inch / 6, Inch: true},
		"1-1/2-6 UNC":  {Series: "UNC", Diameter: 1.5 * inch, Pitch: inch / 6, Inch: true},
		".250-28 UNF-2B .5 DEEP": {Series: "UNF", Diameter: inch / 4, Pitch: inch / 28, Class: "2B", Inch: true,
			Depth: inch / 2},
		"3/8-16 BSW":       {Series: "BSW", Diameter: 3 * inch / 8, Pitch: inch / 16, Inch: true},
		"1/4-28 UNJF-3B":   {Series: "UNJF", Diameter: inch / 4, Pitch: inch / 28, Class: "3B", Inch: true},
		"2-4.5 UNC":        {Series: "UNC", Diameter: 2 * inch, Pitch: inch / 4.5, Inch: true},
		"G 1/2":            {Series: "G", Diameter: 20.955, Pitch: inch / 14},
		"G1/4 A":           {Series: "G", Diameter: 13.157, Pitch: inch / 19, Class: "A"},
		"G 1 1/4":          {Series: "G", Diameter: 41.91, Pitch: inch / 11},
		"Rp 3/4":           {Series: "Rp", Diameter: 26.441, Pitch: inch / 14},
		"Rc 3/8":           {Series: "Rc", Diameter: 16.662, Pitch: inch / 19, Tapered: true},
		"R 1/8":            {Series: "R", Diameter: 9.728, Pitch: inch / 28, Tapered: true},
		"1/8 NPT":          {Series: "NPT", Diameter: 0.405 * inch, Pitch: inch / 27, Tapered: true, Inch: true},
		"1/8-27 NPT":       {Series: "NPT", Diameter: 0.405 * inch, Pitch: inch / 27, Tapered: true, Inch: true},
		"1-11.5 NPTF":      {Series: "NPTF", Diameter: 1.315 * inch, Pitch: inch / 11.5, Tapered: true, Inch: true},
		"1 1/2 NPT":        {Series: "NPT", Diameter: 1.9 * inch, Pitch: inch / 11.5, Tapered: true, Inch: true},
		"1/4 NPSM":         {Series: "NPSM", Diameter: 0.54 * inch, Pitch: inch / 18, Inch: true},
		"1/2 BSPP":         {Series: "BSPP", Diameter: 20.955, Pitch: inch / 14, Inch: true},
		"1/2\" BSPT":       {Series: "BSPT", Diameter: 20.955, Pitch: inch / 14, Tapered: true, Inch: true},
		"Tr 20x4":          {Series: "Tr", Diameter: 20, Pitch: 4},
		"Tr 40x14(P7)-7H":  {Series: "Tr", Diameter: 40, Pitch: 7, Starts: 2, Class: "7H"},
		"TR 40 x 14 P7 LH": {Series: "Tr", Diameter: 40, Pitch: 7, Starts: 2, Left: true},
	} {
		if want.Starts == 0 {
			want.Starts = 1
		}
		if want.Places == 0 {
			want.Places = 1
		}
		got, ok := thread.Parse(text)
		const rounding = 1e-9 // mm
		if same := math.Abs(got.Diameter-want.Diameter)+math.Abs(got.Pitch-want.Pitch)+
			math.Abs(got.Depth-want.Depth) < rounding; !ok || !same {
			t.Errorf("%q: %+v (%v), want %+v", text, got, ok, want)
		}
		got.Diameter, got.Pitch, got.Depth = want.Diameter, want.Pitch, want.Depth
		if got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

func TestNoDesignation(t *testing.T) {
	for _, text := range []string{"G6", "R5", "R.5", "MMC", "M", "12 MAX", "2X ⌀.25", "FORM8",
		"ASME Y14.5M-1994", "1. CAD MODEL", "", "A1.M8", "m6", "⌀8 m6", "M0", "M8x5", "M2000", "1/0-20 UNC",
		"#15-32 UNF", "G 5/16",
		"G 1", "R 3", "5/16 NPT", "Tr 20x15", "1/4-0 UNC", "M", "#-20 UNC"} {
		if got, ok := thread.Parse(text); ok {
			t.Errorf("%q passes for %+v", text, got)
		}
	}
	if page := strings.Repeat("NOTES. ", 30) + "M8"; len(page) > 0 {
		if got, ok := thread.Parse(page); ok {
			t.Errorf("a page of notes passes for %+v", got)
		}
	}
}

// TestAnyText reads any text: the resulting threads can be cut.
func TestAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([0-9]X )?(M|MJ|G |R|Tr|#|)[0-9]{0,4}([./-][0-9]{0,3})?( ?[x×-]
			?[0-9.]{0,4})?`+
			`( ?(UNC|UNF|NPT|BSPT))?(-?[0-9][A-Hgh])?( LH)?( ↧ ?[0-9.]{0,4})?`).Draw(t, "text")
		got, ok := thread.Parse(text)
		finite := got.Diameter > 0 && !math.IsInf(got.Diameter, 0) && got.Pitch >= 0 &&
			got.Pitch <= got.Diameter/2 && got.Depth >= 0 && !math.IsInf(got.Depth, 0)
		if ok && (!finite || got.Starts < 1 || got.Places < 1 || got.Series == "") {
			t.Fatalf("%q: %+v", text, got)
		}
		again, okAgain := thread.Parse(text)
		if ok != okAgain || got != again {
			t.Fatalf("%q: %+v, then %+v", text, got, again)
		}
	})
}
