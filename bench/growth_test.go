package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const fillets = "../adapters/cad/step/testdata/fillets.step"

func TestAuthor(t *testing.T) {
	out := filepath.Join(t.TempDir(), "many.step")
	output(t, "author", "--pattern", "3", "--out", out, fillets)
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "MANIFOLD_SOLID_BREP("); n != 3 {
		t.Errorf("%d solids in the file, want 3", n)
	}
}

// TestGrowth checks that the table has a row per size and the solids that fit it.
func TestGrowth(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(output(t, "growth", "--megabytes", "0.1,0.2", fillets)), "\n")
	if len(lines) != 3 {
		t.Fatalf("got %d lines, want a head and two rows:\n%s", len(lines), strings.Join(lines, "\n"))
	}
	small, large := strings.Fields(lines[1]), strings.Fields(lines[2])
	if small[0] != "0.1" || large[0] != "0.2" || len(small) != 10 || small[1] >= large[1] {
		t.Errorf("rows %v and %v, want sizes 0.1 and 0.2 and more solids in the second", small, large)
	}
}
