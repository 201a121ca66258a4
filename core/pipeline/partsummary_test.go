package pipeline_test

import (
	"encoding/json"
	"slices"
	"testing"

	"millwright.dev/millwright/core/pipeline"
)

// TestPartSummary checks the setups of a plate: each feature is in one of them, and the z bounds of the datasheets are
// along the directions in the summary.
func TestPartSummary(t *testing.T) {
	files := made(t, plate(), params(nil), pipeline.Summary, pipeline.Datasheets)
	var a pipeline.Analysis
	var sheets pipeline.DatasheetSet
	decode(t, files, pipeline.Summary, &a)
	decode(t, files, pipeline.Datasheets, &sheets)
	var want, got []string
	for _, f := range a.Features {
		want = append(want, f.FeatureTag)
	}
	for i, s := range a.Setups {
		if s.Index != i+1 || !slices.Contains(a.CandidateDirections, s.Direction) {
			t.Errorf("setup %d is %+v; want it in order, along one of %v", i, s, a.CandidateDirections)
		}
		got = append(got, s.FeatureTags...)
	}
	slices.Sort(want)
	if slices.Sort(got); len(a.Setups) != 2 || !slices.Equal(got, want) {
		t.Errorf("%d setups make %v, want 2 and each of %v once", len(a.Setups), got, want)
	}
	for i, z := range sheets.DirectionZBounds {
		if z.Direction != a.CandidateDirections[i] {
			t.Errorf("range %d is along %v, want %v", i, z.Direction, a.CandidateDirections[i])
		}
	}
}

func TestSetupsOfOldResults(t *testing.T) {
	for text, want := range map[string]int{
		`[0, 3]`: 0, `[]`: 0, `null`: 0, `[{"index": 1, "featureTags": ["a"]}]`: 1,
	} {
		var got pipeline.Setups
		if err := json.Unmarshal([]byte(text), &got); err != nil || len(got) != want {
			t.Errorf("%s: %v, %v; want %d setups", text, got, err, want)
		}
	}
}
