package datasheet

import (
	"math"
	"testing"

	"millwright/core/feature"
	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// A flat bevel is as wide across the edge that it broke from whichever direction its feature is machined.
func TestSlantIsAcrossTheEdge(t *testing.T) {
	p := newTestPart(t, solid(t, "chamfers"))
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
			own, tilted := n.subject, n.subject
			tilted.dir = n.dir.Add(geom.Vec3{X: 0.3, Y: 0.4, Z: 0.2}).Unit()
			if a, b := p.planeSlant(&own, q), p.planeSlant(&tilted, q); a <= 0 || math.Abs(a-b) > p.g.Length {
				t.Errorf("patch %d: %g mm from %v, %g from %v", q, a, own.dir, b, tilted.dir)
			}
		}
	}
	if flat < 4 {
		t.Fatalf("%d flat bevels, want some", flat)
	}
}
