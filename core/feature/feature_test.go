package feature_test

import (
	"slices"
	"testing"

	"millwright.dev/millwright/core/feature"
)

func TestAlternatives(t *testing.T) {
	features := []feature.Feature{
		{Type: feature.Profile, Regions: []int{0, 1, 2, 3}},
		{Type: feature.Face, Regions: []int{1}},
		{Type: feature.Face, Regions: []int{3, 4}},
		{Type: feature.Tslot, Regions: []int{5, 6}},
		{Type: feature.Tslot, Regions: []int{6, 7}},
		{Type: feature.Hole, Regions: []int{8}},
	}
	want := [][]int{{1, 2}, {0}, {0}, {}, {}, {}}
	for i, got := range feature.Alternatives(features) {
		if !slices.Equal(got, want[i]) {
			t.Errorf("feature %d has the alternatives %v, want %v", i, got, want[i])
		}
	}
}
