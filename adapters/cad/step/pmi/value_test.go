package pmi

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDecimals(t *testing.T) {
	for format, want := range map[string]int{
		"NR2 1.3": 3, "NR2 0.2": 2, "NR2 3.0": 0, "NR1 4": -1, "": -1, "NR2 ": -1, "NR2 1.": -1, "NR2 1.x": -1,
		"NR2 1.-3": -1, "1.3": -1,
	} {
		if got := decimals(format); got != want {
			t.Errorf("decimals(%q) = %d, want %d", format, got, want)
		}
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		`DIM\w12.`: "12.", `FCF\w⌓\w0.05\wD\wB`: "⌓ 0.05 D B", `TXT\nA\nB`: "A\nB", "plain": "plain",
		`\w`: "", `C:\x`: "C:", `ends\`: `ends\`, "": "",
	} {
		if got := plain(text); got != want {
			t.Errorf("plain(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestNormal(t *testing.T) {
	for text, want := range map[string]string{
		"Linear_Distance": "linear distance", "  upper   Limit ": "upper limit", "": "",
	} {
		if got := normal(text); got != want {
			t.Errorf("normal(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestNormalIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ _a-cA-CÄä\t]{0,12}`).Draw(t, "text")
		once := normal(text)
		if twice := normal(once); twice != once {
			t.Fatalf("%q becomes %q, then %q", text, once, twice)
		}
		if isNormal(text) && text != once {
			t.Fatalf("%q passes for normal but becomes %q", text, once)
		}
	})
}

func TestIsThread(t *testing.T) {
	for text, want := range map[string]bool{
		"M8": true, "M8x1.25": true, "M10 × 1.5 - 6H": true, "4X M3x0.5 THRU": true, "MJ6x1": true, "m6": true,
		"1/4-20 UNC": true, "1/4-20 UNC-2B": true, "#10-32 UNF": true, "1 1/2-6 UNC": true, "G 1/2": true,
		"Rc 3/8": true, "1/8 NPT": true, "1/8-27 NPT": true, "Tr 20x4": true, "TAP M4, 8 DEEP": true,
		"G6": false, "R5": false, "R.5": false, "MMC": false, "M": false, "12 MAX": false, "2X ⌀.25": false,
		"FORM8": false, "ASME Y14.5M-1994": false, "1. CAD MODEL": false, "": false, "A1.M8": false,
	} {
		if got := IsThread(text); got != want {
			t.Errorf("IsThread(%q) = %v, want %v", text, got, want)
		}
	}
	if page := strings.Repeat("NOTES. ", 30) + "M8"; IsThread(page) {
		t.Error("a page of notes passes for the call-out of a thread")
	}
}
