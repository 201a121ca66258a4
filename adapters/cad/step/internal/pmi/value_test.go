package pmi

import (
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
