package heightmap

import (
	"testing"

	"millwright.dev/millwright/compute/raster"
	"millwright.dev/millwright/core/cam/stock/grid"
)

// TestBlocksCoverTheGrid: every cell is in one block, the first is the largest, and all are as small as can be.
func TestBlocksCoverTheGrid(t *testing.T) {
	for _, g := range []grid.Grid{
		{Width: 1, Height: 1}, {Width: 16, Height: 16}, {Width: 17, Height: 100}, {Width: 1000, Height: 3},
		{Width: 5, Height: 2 << 20}, {Width: 2 << 20, Height: 2}, {Width: 1 << 30, Height: 1},
		{Width: 1 << 15, Height: 1 << 15},
	} {
		for _, most := range []int{1, 256, 5000, 1 << 20, raster.MaxBlock} {
			if most < 1<<20 && g.Len() > 1<<20 {
				continue
			}
			all := blocks(g, most)
			cells := 0
			for i, b := range all {
				cells += b.Width * b.Height
				over := b.Width*b.Height > max(most, tile*tile)
				if over || b.Width > all[0].Width || b.Height > all[0].Height || b.Width > mostTiles*tile ||
					b.Height > mostTiles*tile || b.X%tile != 0 || b.Y%tile != 0 || b.Width < 1 || b.Height < 1 ||
					b.X+b.Width > g.Width || b.Y+b.Height > g.Height {
					t.Errorf("%d × %d cells, %d at a time: block %d is %+v", g.Width, g.Height, most, i, b)
				}
				if i > 0 && b.X == 0 && b.Y != all[i-1].Y+all[i-1].Height {
					t.Errorf("%d × %d cells, %d at a time: block %+v follows %+v", g.Width, g.Height, most, b, all[i-1])
				}
			}
			if cells != g.Len() {
				t.Errorf("%d × %d cells, %d at a time: %d in %d blocks", g.Width, g.Height, most, cells, len(all))
			}
		}
	}
}
