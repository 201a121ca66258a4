package dfm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/dfm"
)

func of(v float64) *float64 { return &v }

func sheet(facts feature.Facts) dfm.Feature {
	return dfm.Feature{Regions: []int{3}, Sheet: &feature.Datasheet{Facts: facts}}
}

func stated(radial, axial float64) dfm.Feature {
	x := sheet(&feature.FaceFacts{})
	x.Sheet.ToleranceBand = feature.ToleranceBand{
		RadialLower: -radial / 2, RadialUpper: radial / 2, AxialUpper: axial, Source: feature.ToleranceFromPMI,
	}
	return x
}

// text formats findings without their sentences.
func text(found []dfm.Finding) string {
	var lines []string
	for _, f := range found {
		lines = append(lines, fmt.Sprintf("%s %s %.3g of %.3g for %v", f.Severity, f.Kind, f.Value, f.Limit, f.Features))
	}
	return strings.Join(lines, "; ")
}

func TestCheck(t *testing.T) {
	pocket := func(depth, narrowest float64, corner *float64) dfm.Feature {
		return sheet(&feature.PocketFacts{Depth: depth, NarrowestWidth: narrowest, MinCornerRadius: corner})
	}
	for _, row := range []struct {
		name string
		part dfm.Feature
		want string
	}{
		{"a short hole", sheet(&feature.HoleFacts{Diameter: 5, Depth: 20}), ""},
		{"a hole as deep as is recommended, in inches", sheet(&feature.HoleFacts{Diameter: 3.175, Depth: 12.75}), ""},
		{"a deep hole", sheet(&feature.HoleFacts{Diameter: 5, Depth: 30}), "advice deepHole 6 of 4 for [0]"},
		{"a gun-drilled hole", sheet(&feature.HoleFacts{Diameter: 5, Depth: 100}), "problem deepHole 20 of 10 for [0]"},
		{"a small hole", sheet(&feature.HoleFacts{Diameter: 2, Depth: 2}), "advice smallTool 2 of 2.5 for [0]"},
		{"a hole that was not measured", dfm.Feature{Hole: &feature.HoleFacts{Diameter: 5, Depth: 30}},
			"advice deepHole 6 of 4 for [0]"},
		{"nothing is known", dfm.Feature{}, ""},
		{"a wide pocket", pocket(20, 30, of(8)), ""},
		{"a narrow gap", pocket(20, 3, of(8)), "advice deepPocket 6.67 of 4 for [0]"},
		{"a small corner", pocket(20, 30, of(0.75)),
			"problem deepPocket 13.3 of 10 for [0]; advice smallTool 1.5 of 2.5 for [0]"},
		{"a sharp corner", pocket(20, 30, of(0)), "problem sharpCorner 0 of 0 for [0]"},
		{"no corner", pocket(20, 30, nil), ""},
		{"a thin wall", sheet(&feature.WallFacts{Height: 10, Thickness: of(0.6)}), "advice thinWall 0.6 of 0.8 for [0]"},
		{"a foil", sheet(&feature.WallFacts{Height: 10, Thickness: of(0.2)}), "problem thinWall 0.2 of 0.5 for [0]"},
		{"a thick wall", sheet(&feature.WallFacts{Height: 10, Thickness: of(3)}), ""},
		{"a profile with a notch", sheet(&feature.ProfileFacts{MinConcaveRadius: of(0.2)}),
			"problem smallTool 0.4 of 0.5 for [0]"},
		{"a boss against a wall", sheet(&feature.BossFacts{MinConcaveRadius: of(0)}),
			"problem sharpCorner 0 of 0 for [0]"},
		{"a tight fit", stated(0.01, 1), "problem tightTolerance 0.02 of 0.04 for [0]"},
		{"a close tolerance", stated(0.2, 0.1), "advice tightTolerance 0.1 of 0.25 for [0]"},
		{"a wide tolerance", stated(0.2, 0.3), ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := dfm.Check(&dfm.Part{Features: []dfm.Feature{row.part}})
			if text(got) != row.want {
				t.Errorf("%s, want %s", text(got), row.want)
			}
			for _, f := range got {
				if f.Sentence == "" || f.Remedy == "" || strings.Contains(f.Sentence, "%!") {
					t.Errorf("%s: sentence %q, remedy %q", f.Kind, f.Sentence, f.Remedy)
				}
			}
		})
	}
}

func TestUnmachinedFaces(t *testing.T) {
	p := &dfm.Part{Left: []dfm.Unmachined{
		{Feature: -1, Regions: []int{4, 2}, Area: 30, Reason: feature.ReasonUndercut, Detail: "It leans."},
		{Feature: -1, Regions: []int{7}, Area: 30, Reason: feature.ReasonSheet},
		{Feature: 0, Regions: []int{8}, Area: 30, Reason: feature.ReasonOtherDirection},
		{Feature: 0, Regions: []int{9}, Area: 5, Reason: feature.ReasonNotVisible, Detail: "It is behind."},
	}}
	got := dfm.Check(p)
	if want := "problem unreachable 30 of 0 for []; problem unreachable 5 of 0 for [0]"; text(got) != want {
		t.Fatalf("%s, want %s", text(got), want)
	}
	if !slices.Equal(got[0].Regions, []int{2, 4}) || got[0].Sentence != "It leans." {
		t.Errorf("%+v", got[0])
	}
}

// Equal findings of several features are merged, and the worst comes first.
func TestEqualFindingsAreMerged(t *testing.T) {
	hole := sheet(&feature.HoleFacts{Diameter: 5, Depth: 30})
	got := dfm.Check(&dfm.Part{Features: []dfm.Feature{
		hole, sheet(&feature.HoleFacts{Diameter: 5, Depth: 31}), hole, sheet(&feature.WallFacts{Thickness: of(0.1)}),
	}})
	want := "problem thinWall 0.1 of 0.5 for [3]; advice deepHole 6 of 4 for [0 2]; advice deepHole 6.2 of 4 for [1]"
	if text(got) != want {
		t.Errorf("%s, want %s", text(got), want)
	}
}

// A deeper hole never comes off better.
func TestDeeperIsNotBetter(t *testing.T) {
	worst := func(depth float64) int {
		hole := sheet(&feature.HoleFacts{Diameter: 6, Depth: depth})
		for _, f := range dfm.Check(&dfm.Part{Features: []dfm.Feature{hole}}) {
			if f.Kind == dfm.DeepHole {
				return map[dfm.Severity]int{dfm.Advice: 1, dfm.Problem: 2}[f.Severity]
			}
		}
		return 0
	}
	rapid.Check(t, func(r *rapid.T) {
		depth, more := rapid.Float64Range(0, 100).Draw(r, "depth"), rapid.Float64Range(0, 100).Draw(r, "more")
		if worst(depth+more) < worst(depth) {
			r.Errorf("%g deep is worse than %g", depth, depth+more)
		}
	})
}
