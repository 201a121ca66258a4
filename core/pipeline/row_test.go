package pipeline

import (
	"slices"
	"testing"
)

// Version returns the version of a stage.
func Version(n Name) int { return find(n).version }

// TestRowsAreWhole asks of each row for what Tree.Make will ask of it; that files have writers is seen where all
// artifacts are made.
func TestRowsAreWhole(t *testing.T) {
	before := []Name{Source}
	for i := range stages {
		s := &stages[i]
		if s.make == nil || s.version <= 0 || s.weight <= 0 || s.title == "" || find(s.name) != s {
			t.Errorf("%s: the row has a gap, or another row has its name", s.name)
		}
		for _, recipe := range []Params{{}, {ChordTolerance: 1}, {AngleTolerance: 1}} {
			for _, in := range recipe.inputs(s) {
				if !slices.Contains(before, in) {
					t.Errorf("%s takes %s, which no stage before it makes", s.name, in)
				}
				if from := find(in); from != nil && (from.decode == nil) != (from.encode == nil) {
					t.Errorf("%s takes %s, which cannot be restored", s.name, in)
				}
			}
		}
		before = append(before, s.name)
	}
}
