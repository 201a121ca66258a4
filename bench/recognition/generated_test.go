package recognition

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/geom"
)

// foundPart is a part with a hole, a face and a pocket that no truth knows, each with its datasheet.
func foundPart() *Part {
	tip := 118.0
	return &Part{Faces: 6,
		Found: []Found{{Kind: feature.Hole, Faces: []int{0, 1}}, {Kind: feature.Face, Faces: []int{2}},
			{Kind: feature.Pocket, Faces: []int{3, 4}}},
		Result: feature.Result{Features: []feature.Feature{{Direction: geom.Vec3{Z: 1}},
			{Direction: geom.Vec3{Z: -1}}, {Direction: geom.Vec3{Z: 1}}}},
		Sheets: []feature.Datasheet{
			{ZMin: -5, Facts: &feature.HoleFacts{Diameter: 5.0005, Depth: 10.01, TipAngleDeg: &tip,
				Segments: []feature.SegmentFacts{{Shape: "cylinder"}}}},
			{Facts: &feature.FaceFacts{Area: 100.01}}, {Facts: &feature.PocketFacts{}}}}
}

func TestGeneratedComparison(t *testing.T) {
	hole := map[string]any{"zMin": -5.0, "facts": map[string]any{"diameter": 5.0, "depth": 10.0,
		"tipAngleDeg": 118.005, "counterbore": nil, "thread": map[string]any{"pitch": 1.0},
		"segments": []any{map[string]any{"shape": "cone"}}}}
	r := newGeneratedReport(Generated)
	err := r.add(&truth{Name: "part", Family: "plate", Features: []truthFeature{
		{Kind: feature.Hole, Faces: []int{0, 1}, Direction: [3]float64{0, 0, 1}, Sense: "one", Meets: []int{1},
			Sheet: hole},
		{Kind: feature.Face, Faces: []int{2}, Direction: [3]float64{0, 0, 1}, Sense: "either",
			Sheet: map[string]any{"facts": map[string]any{"area": 100.0}}},
		{Kind: feature.Boss, Faces: []int{3, 4}, Sense: "any"},
	}}, foundPart())
	if err != nil {
		t.Fatal(err)
	}
	if want := (Match{Both: 2, Missed: 1, Extra: 1}); r.Instances != want || *r.Families["plate"] != want {
		t.Errorf("instances %+v, by family %+v, want %+v", r.Instances, r.Families["plate"], want)
	}
	if r.Interaction[1] == nil || r.Interaction[1].Parts != 1 {
		t.Errorf("by interacting features: %v, want one part with one", r.Interaction)
	}
	right := map[string]bool{"Hole direction": true, "Hole zMin": true, "Hole diameter": true,
		"Hole depth": false, "Hole tipAngleDeg": true, "Hole counterbore": true, "Hole thread": false,
		"Hole segments.shape": false,
		"Face direction":      true, "Face area": true}
	for name, want := range right {
		if f := r.Facts[name]; f == nil || (f.Right == 1) != want || f.Of != 1 {
			t.Errorf("%s: %+v, want right %v", name, f, want)
		}
	}
	if len(r.Facts) != len(right) {
		t.Errorf("%d facts compared, want %d", len(r.Facts), len(right))
	}
	if worst := r.Facts["Hole depth"].Worst; math.Abs(worst-0.01) > 1e-9 {
		t.Errorf("worst deviation of the depth %v, want 0.01", worst)
	}
	var b bytes.Buffer
	r.Print(&b, true)
	for _, want := range []string{"2 found, 1 missed, 1 extra",
		"part: missed Boss [3 4] (Boss, alone), taken for Pocket of 2",
		"part: extra Pocket [3 4]", "Hole depth is 10.01, want 10"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the report does not say %q:\n%s", want, b.String())
		}
	}
}

func TestAllowedDeviation(t *testing.T) {
	for _, row := range []struct {
		path string
		want float64
		most float64
	}{
		{"diameter", 1000, 1e-3}, {"bevel.angleDeg", 45, 0.01}, {"area", 100, 0.04}, {"floorishArea", 0, 1e-3},
		{"volume", 1000, 0.6},
	} {
		if got := allowed(row.path, row.want); math.Abs(got-row.most) > 1e-12 {
			t.Errorf("%s of %v may be off by %v, want %v", row.path, row.want, got, row.most)
		}
	}
}
