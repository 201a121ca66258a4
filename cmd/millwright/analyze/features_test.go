package analyze

import (
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
	"testing"
)

func TestPick(t *testing.T) {
	a := &Result{}
	a.Features = []pipeline.PartFeature{
		{FeatureTag: "0a1f"}, {FeatureTag: "0a2f"}, {FeatureTag: "77aa"}, {FeatureTag: "9"},
	}
	for _, c := range []struct {
		which string
		want  int // -1: an error
	}{
		{"1", 0}, {"4", 3}, {"0", -1}, {"5", -1}, {"0A1", 0}, {"0a", -1}, {"77", 2}, {"9", 3}, {"", -1}, {"x", -1},
	} {
		got, err := pick(a, c.which)
		if (err != nil) != (c.want < 0) || err == nil && got != c.want {
			t.Errorf("pick(%q) = %d, %v; want %d", c.which, got, err, c.want)
		}
	}
}

func TestDirectionNames(t *testing.T) {
	for want, v := range map[string]geom.Vec3{
		"+x": {X: 1}, "-y": {Y: -1, Z: 1e-12}, "+z": {Z: 1}, "0.6,0,-0.8": {X: 0.6, Z: -0.8},
	} {
		if got := direction(v); got != want {
			t.Errorf("direction(%v) = %q, want %q", v, got, want)
		}
	}
}
