package sweep

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
)

// slot runs a tool of 2 mm to and fro over a block of 10 × 10 × 5 mm.
func slot(moves int) Input {
	l := dexel.Lattice{Step: 0.5, Count: [3]int{20, 20, 10}}
	stock, err := dexel.NewBlock(l, l.Box())
	if err != nil {
		panic(err) // the lattice is sound
	}
	in := Input{Stock: stock, Tool: toolprofile.EndMill(2, 0, 10), Frame: geom.World}
	for range moves {
		in.Moves = append(in.Moves, motion.Segment{From: geom.Vec3{Y: 5, Z: 4}, To: geom.Vec3{X: 10, Y: 5, Z: 4}})
	}
	return in
}

func TestUpdates(t *testing.T) {
	const rays = 20*10 + 1 + 20*10 + 1 + 20*20 + 1
	perMove := 1.5 * (10 + 2) * 2 / 0.25
	for _, moves := range []int{0, 1, 5, 6, 100} {
		in := slot(moves)
		want := int(float64(moves) * perMove)
		if want < rays {
			want = 0
		}
		if got := in.updates(); got != want {
			t.Errorf("%d moves: %d, want %d", moves, got, want)
		}
	}
	circle := slot(100)
	for i := range circle.Moves {
		circle.Moves[i] = motion.Segment{From: geom.Vec3{X: 8, Y: 5}, To: geom.Vec3{X: 8, Y: 5}, Turn: 2 * math.Pi,
			Center: geom.Vec2{X: 5, Y: 5}}
	}
	if got, want := circle.updates(), 25019; got != want {
		t.Errorf("circles of 6π mm: %d, want %d", got, want)
	}
	if got := (&Input{}).updates(); got != 0 {
		t.Errorf("no stock: %d", got)
	}
}
