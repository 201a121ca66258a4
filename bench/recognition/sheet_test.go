package recognition

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/core/feature"
)

// A sample of the parts of sheet (seed 20261130), zipped, on which bends without an inner radius, curls, short jogs and
// windows over bends were missed once.
func TestSheetSample(t *testing.T) {
	m := MachinistParts{Set: Sheet, Labels: filepath.Join("testdata", "sheet")}
	labels, err := readLabels(m.Labels, "")
	if err != nil {
		t.Fatal(err)
	}
	families, windowsOverBends, blanks := map[string]bool{}, 0, 0
	for _, l := range labels {
		family, _, _ := strings.Cut(l.name, "_")
		families[family] = true
		if l.Sheet != nil {
			blanks++
		}
		if slices.ContainsFunc(l.Features, func(c claim) bool {
			return c.Kind == feature.Pocket && !c.Optional && len(c.Directions) == 0
		}) {
			windowsOverBends++
		}
	}
	if len(families) < 8 || windowsOverBends == 0 {
		t.Errorf("families %v, parts with windows over bends %d", sortedKeys(families), windowsOverBends)
	}
	r, err := RunMachinist(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	if r.Parts != len(labels) || r.Blanks.Right != blanks || r.Faces.Right == 0 {
		t.Errorf("%d of %d parts, %d of %d blanks, faces %+v", r.Parts, len(labels), r.Blanks.Right, blanks, r.Faces)
	}
	for _, line := range slices.Concat(r.Unread, r.Absent, r.Wrong) {
		t.Error(line)
	}
}
