package recognition

import (
	"context"
	"testing"
)

// A sample of the generated parts (seed 1), small ones of all families that have all ten kinds between
// them: every feature is found with its exact faces and kind, none is invented, and every fact that the
// recipe knows is met. There are no exceptions.
func TestGeneratedSample(t *testing.T) {
	r, err := runGenerated(context.Background(), Generated, "testdata")
	if err != nil {
		t.Fatal(err)
	}
	if r.Parts != 25 || len(r.Families) != 5 {
		t.Errorf("%d parts of %d families, want 25 of 5", r.Parts, len(r.Families))
	}
	for _, k := range columns {
		if m := r.Kinds[k]; k != "" && (m == nil || m.all().Both == 0) {
			t.Errorf("no %s was found in the sample", k)
		}
	}
	if r.AllFacts.Of < 2000 {
		t.Errorf("%d facts compared, want 2000 or more", r.AllFacts.Of)
	}
	for _, lines := range [][]string{r.Unread, r.Lines, r.WrongFacts} {
		for _, line := range lines {
			t.Error(line)
		}
	}
}
