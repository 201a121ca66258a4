package access

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
)

// Loops around squares bound what the squares cover, whole sides at a time, and every corner is a turn.
func TestLoopsAroundSquares(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for run := range 200 {
		s := newSquares(rng.IntN(8), rng.IntN(8))
		for k := range s.in {
			s.in[k] = rng.IntN(2+run%4) > 0
		}
		loops := s.loops(func(i, j int) geom.Vec2 { return geom.Vec2{X: float64(i), Y: float64(j)} })
		name := fmt.Sprintf("run %d: %d × %d squares %v", run, s.width, s.height, s.in)
		for _, l := range loops {
			for k := range l {
				if l[k].Tangent(1).Dot(l[(k+1)%len(l)].Tangent(0)) != 0 {
					t.Errorf("%s: no turn at %v", name, l[k].To)
				}
			}
		}
		a, err := arcpoly.New(loops...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for k, want := range s.in {
			if p := (geom.Vec2{X: float64(k%s.width) + 0.5, Y: float64(k/s.width) + 0.5}); a.Contains(p) != want {
				t.Errorf("%s: the square at %v is in: %t, want %t", name, p, !want, want)
			}
		}
	}
}
