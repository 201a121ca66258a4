package tag_test

import (
	"context"
	"testing"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/tag"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

func graphOf(t *testing.T, m *brep.Model) *graph.Graph {
	t.Helper()
	r, err := tessellate.Mesh(context.Background(), m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.New(context.Background(), m, r.Mesh)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A tag depends on type, patches, direction and size only.
func TestOf(t *testing.T) {
	up, side := geom.Vec3{Z: 1}, geom.Vec3{X: 1}
	g := graphOf(t, build.Box(geom.Vec3{X: 40, Y: 30, Z: 10}))
	first := tag.Hash(g, feature.Pocket, []int32{0, 1}, up)
	if len(first) != 16 {
		t.Errorf("tag %q has %d digits, want 16", first, len(first))
	}
	for _, same := range []string{
		tag.Hash(g, feature.Pocket, []int32{0, 1}, up), tag.Hash(g, feature.Pocket, []int32{1, 0}, up),
		tag.Hash(graphOf(t, build.Box(geom.Vec3{X: 40, Y: 30, Z: 10 + tag.Length/10})), feature.Pocket, []int32{0, 1}, up),
	} {
		if same != first {
			t.Errorf("tag %s, want %s", same, first)
		}
	}
	for what, other := range map[string]string{
		"kind":      tag.Hash(g, feature.Boss, []int32{0, 1}, up),
		"patches":   tag.Hash(g, feature.Pocket, []int32{0, 2}, up),
		"direction": tag.Hash(g, feature.Pocket, []int32{0, 1}, side),
		"size":      tag.Hash(graphOf(t, build.Box(geom.Vec3{X: 40.001, Y: 30, Z: 10})), feature.Pocket, []int32{0, 1}, up),
		"a repeat":  tag.Disambiguate(first, 1),
	} {
		if other == first {
			t.Errorf("another %s has the same tag", what)
		}
	}
	if tag.Disambiguate(first, 1) == tag.Disambiguate(first, 2) {
		t.Error("repeats are not told apart")
	}
	if again := tag.Disambiguate(first, 1); again != tag.Disambiguate(first, 1) {
		t.Error("a repeat has two tags")
	}
}
