package grid

import (
	"math/rand/v2"
	"testing"
)

// TestAroundMarksSquares compares with a search around each cell.
func TestAroundMarksSquares(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, g := range []Grid{
		{Step: 0.5, Width: 40, Height: 30}, {Step: 0.5, Width: 1, Height: 50}, {Step: 2, Width: 9, Height: 1},
	} {
		for _, share := range []float64{0, 0.003, 0.1, 1} {
			for _, distance := range []float64{0, 1.3, 4, 100} {
				marked := make([]bool, g.Len())
				for k := range marked {
					marked[k] = rng.Float64() < share
				}
				got, by := g.Around(marked, distance), int(distance/g.Step)+1
				for k := range got {
					want := false
					for c, is := range marked {
						x, y := c%g.Width-k%g.Width, c/g.Width-k/g.Width
						want = want || is && max(x, -x, y, -y) <= by
					}
					if got[k] != want {
						t.Fatalf("%+v, share %g, %g mm: cell %d is %v", g, share, distance, k, got[k])
					}
				}
			}
		}
	}
	if got := (Grid{Step: 1, Width: 3, Height: 3}).Around(nil, 1); got != nil {
		t.Errorf("no marks give %v", got)
	}
}
