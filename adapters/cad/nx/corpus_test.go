package nx

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"millwright.dev/millwright/adapters/cad/internal/inflate"
	"millwright.dev/millwright/bench/corpus"
)

// TestCorpusYieldsBodies reads a real part with eight displayed bodies, one of them with its history.
func TestCorpusYieldsBodies(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t), "nx", "navin", "Avionic System Component.prt"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	budget := inflate.NewBudget(inflate.MaxUnpacked)
	found, err := streams(t.Context(), c.part, budget)
	if err != nil || len(found) != 8 || !found[0].isPartition {
		t.Fatalf("%d streams: %v", len(found), err)
	}
	all, broken, err := decode(t.Context(), found)
	if err != nil || broken != nil || len(all) != 8 {
		t.Fatalf("%d streams with bodies: %v, %v", len(all), broken, err)
	}
	shown, ok := documents(c.shown)
	if !ok || len(shown) != 8 {
		t.Errorf("%d bodies are shown, %v", len(shown), ok)
	}
	boxes := 0
	for _, s := range all {
		for _, d := range shown {
			if isShown(s, [][]byte{scene(d, budget)}) {
				boxes++
			}
		}
	}
	if boxes != 8 {
		t.Errorf("%d bodies are as large as what is shown", boxes)
	}
	if chosen, isGuess := choose(all, c.shown, budget); len(chosen) != 8 || isGuess {
		t.Errorf("%d bodies chosen, a guess: %v", len(chosen), isGuess)
	}
}
