package datasheet

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// The width of a flat bevel across its broken edge does not depend on the machining direction of its feature. The
// bevels are 2 or 6 mm from the edge on both sides, also where three meet.
func TestSlantIsAcrossTheEdge(t *testing.T) {
	p := newTestPart(t, solid(t, "chamfers"))
	wants := []float64{2 * math.Sqrt2, 6 * math.Sqrt2, math.Sqrt(6)}
	flat := 0
	for i := range p.heads {
		n := &p.heads[i]
		if n.f.Type != feature.Chamfer {
			continue
		}
		for _, q := range n.patches {
			if p.g.Patches[q].Kind != surface.KindPlane {
				continue
			}
			flat++
			own, tilted := n.featureMeasurer, n.featureMeasurer
			tilted.dir = n.dir.Add(geom.Vec3{X: 0.3, Y: 0.4, Z: 0.2}).Unit()
			for _, s := range []*featureMeasurer{&own, &tilted} {
				got := p.planeSlant(s, q)
				if !slices.ContainsFunc(wants, func(want float64) bool { return math.Abs(got-want) <= p.g.Length }) {
					t.Errorf("patch %d, seen along %v: %g mm", q, s.dir, got)
				}
			}
		}
	}
	if flat < 4 {
		t.Fatalf("%d flat bevels, want some", flat)
	}
}
