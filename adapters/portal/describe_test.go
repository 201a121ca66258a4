package portal

import (
	"maps"
	"slices"
	"testing"
)

// TestRoutesAndDescriptionsAreTheSame compares the operations that are served with those that are described.
func TestRoutesAndDescriptionsAreTheSame(t *testing.T) {
	var routes []string
	for _, r := range new(portal).routes() {
		routes = append(routes, r.method+" "+r.path)
	}
	slices.Sort(routes)
	described := slices.Sorted(maps.Keys(descriptions))
	if !slices.Equal(routes, described) {
		t.Errorf("served are\n%q\ndescribed are\n%q", routes, described)
	}
}
