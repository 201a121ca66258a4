package feature_test

import (
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/core/feature/process"
)

// TestProcessOfRealParts compares the process of real parts with a machinist's judgment of their pictures. Rules were
// written and tuned on one half, drawn at random. The bounds of the other half are the results of the first run.
func TestProcessOfRealParts(t *testing.T) {
	text, err := os.ReadFile("testdata/process.txt")
	if err != nil {
		t.Fatal(err)
	}
	var right, all [2]int
	for line := range strings.Lines(string(text)) {
		file, want, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		run, err := recognized(t, filepath.Join(corpus.Dir(t), filepath.FromSlash(file)))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		half := crc32.ChecksumIEEE([]byte(file)) & 1
		all[half]++
		got := process.Classify(run.Graph, run.Features)
		if slices.Contains(strings.Split(want, "|"), string(got.Kind)) {
			right[half]++
		} else if half == 0 {
			t.Logf("%s is %s (%s), want %s", file, got.Kind, strings.Join(got.Reasons, " "), want)
		}
	}
	for half, least := range [2]int{73, 69} {
		if right[half] < least {
			t.Errorf("half %d: %d of %d are right, want %d", half, right[half], all[half], least)
		}
	}
	t.Logf("tuned on: %d of %d right; kept aside: %d of %d", right[0], all[0], right[1], all[1])
}
