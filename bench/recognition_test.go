package main

import (
	"math"
	"strings"
	"testing"
)

// TestRecognition checks that there is a row per part, or per size and the exponent after them.
func TestRecognition(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(output(t, "recognition", "--repeat", "1", fillets)), "\n")
	if len(lines) != 2 || len(strings.Fields(lines[1])) != 11 {
		t.Errorf("got %d lines, want a head and a row of 11 columns:\n%s", len(lines), strings.Join(lines, "\n"))
	}
	text := output(t, "recognition", "--repeat", "1", "--no-sheets", "--faces", "20,80", fillets)
	lines = strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) != 4 || !strings.HasPrefix(strings.TrimSpace(lines[3]), "time grows with faces to the power of") {
		t.Fatalf("got %d lines, want a head, two rows and the exponent:\n%s", len(lines), text)
	}
	if small, large := strings.Fields(lines[1]), strings.Fields(lines[2]); small[1] != "22" || large[1] != "88" {
		t.Errorf("rows of %s and %s faces, want 22 and 88", small[1], large[1])
	}
}

func TestExponent(t *testing.T) {
	x, y := []float64{10, 100, 1000}, make([]float64, 3)
	for i := range x {
		y[i] = 7 * math.Pow(x[i], 1.3)
	}
	if got := exponent(x, y); math.Abs(got-1.3) > 1e-12 {
		t.Errorf("exponent %g, want 1.3", got)
	}
}
