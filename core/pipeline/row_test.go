package pipeline

import (
	"slices"
	"testing"
)

// Version returns the version of a stage.
func Version(n Name) int { return find(n).version }

// TestStageRowsAreComplete checks that each row has the fields that Pipeline.Make uses. Other tests check the writers
// of files.
func TestStageRowsAreComplete(t *testing.T) {
	before := []Name{Source}
	for i := range stages {
		s := &stages[i]
		if s.make == nil || s.version <= 0 || s.weight <= 0 || s.title == "" || find(s.name) != s {
			t.Errorf("%s: the row has a gap, or another row has its name", s.name)
		}
		for _, params := range []Params{{}, {ChordTolerance: 1}, {AngleTolerance: 1}} {
			for _, in := range params.inputs(s) {
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
