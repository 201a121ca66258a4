package iges

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// gaps counts the joints of a chain that are wider than joint. A closed chain also has a joint from its last piece to
// its first.
func gaps(chain []piece, isClosed bool) int {
	n := 0
	for i := range chain {
		if i == 0 && !isClosed {
			continue
		}
		before := &chain[(i+len(chain)-1)%len(chain)]
		if before.end().Dist(chain[i].start()) > joint {
			n++
		}
	}
	return n
}

func fullCircle(z float64) piece {
	f := geom.World
	f.Origin.Z = z
	return piece{c: curve.Circle{Frame: f, Radius: 5}, iv: geom.Interval{Hi: 6.283185307179586}}
}

func flipped(p piece) piece {
	p.reversed = !p.reversed
	return p
}

// TestArrange sorts chains of all kinds, in any order and, where the sense is unique, in any sense.
func TestArrange(t *testing.T) {
	corner := func(x, y float64) geom.Vec3 { return geom.Vec3{X: x, Y: y} }
	polygon := func(points ...geom.Vec3) (chain []piece) {
		for i := range points[1:] {
			chain = append(chain, segment(points[i], points[i+1]))
		}
		return chain
	}
	low, high := geom.Vec3{X: 5}, geom.Vec3{X: 5, Z: 9}
	for _, c := range []struct {
		name     string
		chain    []piece
		isClosed bool
		mayTurn  bool // pieces of the file may be reversed
	}{
		{"square", polygon(corner(0, 0), corner(9, 0), corner(9, 9), corner(0, 9), corner(0, 0)), true, true},
		{"short piece", polygon(corner(0, 0), corner(9, 0), corner(9, 0.05), corner(0, 9), corner(0, 0)), true, true},
		{"two pieces", polygon(corner(0, 0), corner(9, 0), corner(0, 0)), true, true},
		{"open", polygon(corner(0, 0), corner(9, 0), corner(9, 9), corner(20, 9)), false, true},
		{"two lobes", polygon(corner(0, 0), corner(9, 0), corner(9, 9), corner(0, 0), corner(-9, 0),
			corner(-9, -9), corner(0, 0)), true, true},
		{"cylinder with a seam", []piece{fullCircle(0), segment(low, high), flipped(fullCircle(9)), segment(high, low)},
			true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(50) {
				rng := rand.New(rand.NewPCG(seed, 0))
				chain := append([]piece(nil), c.chain...)
				rng.Shuffle(len(chain), func(i, j int) { chain[i], chain[j] = chain[j], chain[i] })
				for i := range chain {
					if c.mayTurn && rng.IntN(2) == 0 {
						chain[i].reversed = !chain[i].reversed
					}
				}
				senses := map[float64]bool{}
				for _, p := range chain {
					senses[p.c.At(1).X+10*p.start().Z] = p.reversed
				}
				arrange(chain)
				if n := gaps(chain, c.isClosed); n != 0 {
					t.Fatalf("seed %d: %d gaps in %v", seed, n, chain)
				}
				for _, p := range chain {
					if was := senses[p.c.At(1).X+10*p.start().Z]; !c.mayTurn && was != p.reversed {
						t.Fatalf("seed %d: a piece was turned", seed)
					}
				}
			}
		})
	}
}

// TestArrangeKeepsOrder leaves chains alone that are in order, down to gaps within the joint.
func TestArrangeKeepsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(t, "pieces")
		at := geom.Vec3{}
		var chain []piece
		for range n {
			next := at.Add(geom.Vec3{X: rapid.Float64Range(-9, 9).Draw(t, "x"),
				Y: rapid.Float64Range(1, 9).Draw(t, "y")})
			gap := rapid.Float64Range(0, joint*0.9).Draw(t, "gap")
			chain = append(chain, segment(at, next))
			at = next.Add(geom.Vec3{Z: gap})
		}
		before := append([]piece(nil), chain...)
		arrange(chain)
		for i := range chain {
			if chain[i] != before[i] {
				t.Fatalf("piece %d of %d changed", i, n)
			}
		}
	})
}

// TestArrangeWithMissingPiece checks that the other pieces are arranged although one is missing.
func TestArrangeWithMissingPiece(t *testing.T) {
	chain := []piece{segment(geom.Vec3{}, geom.Vec3{X: 9}), segment(geom.Vec3{X: 9, Y: 9}, geom.Vec3{Y: 9}),
		segment(geom.Vec3{}, geom.Vec3{Y: 9})}
	arrange(chain)
	if n := gaps(chain, true); n > 1 {
		t.Errorf("%d gaps in %v, want one", n, chain)
	}
}
