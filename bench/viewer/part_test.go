//go:build gpu

package viewer

import (
	"math"
	"testing"

	"millwright.dev/millwright/compute/primitivetest/solids"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// table is a plate of 40 × 40 × 10 mm with a smaller one that hovers 14 mm above its middle.
func table() *mesh.Mesh {
	return solids.Boxes([2]geom.Vec3{{}, {X: 40, Y: 40, Z: 10}},
		[2]geom.Vec3{{X: 10, Y: 10, Z: 24}, {X: 30, Y: 30, Z: 28}})
}

func TestPartIsDividedIntoPieces(t *testing.T) {
	m := table()
	p, err := newPart(m)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.corners) != 3*len(p.samples) || len(p.normals) != len(p.samples) || len(p.samples) > 2*mostPieces {
		t.Fatalf("%d corners, %d samples, %d normals", len(p.corners), len(p.samples), len(p.normals))
	}
	area := 0.0
	at := func(c [3]float32) geom.Vec3 {
		return geom.Vec3{X: float64(c[0]), Y: float64(c[1]), Z: float64(c[2])}
	}
	for i := range p.samples {
		a, b, c := at(p.corners[3*i]), at(p.corners[3*i+1]), at(p.corners[3*i+2])
		n := b.Sub(a).Cross(c.Sub(a))
		if area += n.Norm() / 2; n.Unit().Dot(at(p.normals[i])) < 0.999 {
			t.Fatalf("piece %d faces %v, its sample %v", i, n.Unit(), p.normals[i])
		}
	}
	if want := m.Area(); math.Abs(area-want) > 1e-3*want {
		t.Errorf("the pieces have %g mm², the part %g", area, want)
	}
	for _, m := range []*mesh.Mesh{{}, {Points: make([]geom.Vec3, 3), Triangles: [][3]int32{{0, 1, 2}}}} {
		if _, err := newPart(m); err == nil {
			t.Errorf("%d triangles without extent: no error", len(m.Triangles))
		}
	}
}

func TestWayKeepsToTheTips(t *testing.T) {
	p, err := newPart(table())
	if err != nil {
		t.Fatal(err)
	}
	in, low, high := p.heights(geom.Vec3{Z: 1}, dexelCells, 2)
	if low != -14 || high != 14 {
		t.Errorf("the part lies between %g and %g mm, want ±14", low, high)
	}
	g := in.Grid
	flat := make([]float32, g.Len())
	for i := range flat {
		flat[i] = 3
		if i%g.Width < 5 {
			flat[i] = float32(math.Inf(-1))
		}
	}
	for _, rows := range []int{1, 2, pathRows} {
		moves := p.path(in, flat, rows)
		at := moves[0].From
		for i, m := range moves {
			if m.From != at {
				t.Fatalf("%d rows: move %d begins at %v, the one before ended at %v", rows, i, m.From, at)
			}
			if at = m.To; at.Z != 0 && at.Z != 17 { // the bottom of the part, and 3 mm above its middle
				t.Errorf("%d rows: the tip comes to %v", rows, at)
			}
		}
		if most := 5 * rows; len(moves) > most {
			t.Errorf("%d rows have %d moves, more than %d", rows, len(moves), most)
		}
	}
}
