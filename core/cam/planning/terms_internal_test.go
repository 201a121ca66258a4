package planning

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
)

// TestQuantity: a setup costs its loadings for each part of the batch.
func TestQuantity(t *testing.T) {
	c := machining.BuiltInCutConfig()
	c.Machine.SetupSeconds, c.Machine.LoadSeconds, c.HourlyRateCents = 1800, 60, 3600
	for quantity, want := range map[int]int{0: 1800 + 600, 1: 1860, 10: 2400, 500: 1800 + 30_000} {
		p := planner{in: Input{Config: c, Terms: Terms{Quantity: quantity}}}
		if got := p.cents(nil); got != want {
			t.Errorf("a setup for %d parts costs %d cents, want %d", quantity, got, want)
		}
	}
}

// TestMadeUpToolsCutTheirFaces: a made-up tool cuts only beside the faces that it was made for.
func TestMadeUpToolsCutTheirFaces(t *testing.T) {
	mill := machining.BuiltInTools()[5]
	p := planner{in: Input{Config: machining.BuiltInCutConfig()}}
	own, made := tool{Tool: &mill}, tool{Tool: &mill, madeUp: &madeUp{patches: map[int32]bool{4: true}}}
	for _, c := range []struct {
		name    string
		tool    *tool
		patches []int32
		cuts    bool
	}{
		{"a tool of the library", &own, []int32{1, 2}, true}, {"its face among others", &made, []int32{1, 4}, true},
		{"other faces", &made, []int32{1, 2}, false},
	} {
		low := p.lowest(&place{patches: c.patches, bottom: 3}, c.tool)
		if cuts := !math.IsInf(low, 1); cuts != c.cuts {
			t.Errorf("%s: down to %g, want that it cuts: %v", c.name, low, c.cuts)
		}
	}
}
