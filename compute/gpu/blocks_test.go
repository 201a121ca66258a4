package gpu

import (
	"testing"

	"millwright/compute/kernel"
)

// TestBlocksCoverTheGrid: every cell is in one block, the first is the largest, and all are as small as can be.
func TestBlocksCoverTheGrid(t *testing.T) {
	for _, g := range []kernel.Grid{
		{Width: 1, Height: 1}, {Width: 16, Height: 16}, {Width: 17, Height: 100}, {Width: 1000, Height: 3},
		{Width: 5, Height: 2 << 20}, {Width: 2 << 20, Height: 2}, {Width: 1 << 30, Height: 1}, {Width: 1 << 15, Height: 1 << 15},
	} {
		for _, most := range []int{1, 256, 5000, 1 << 20, blockSize} {
			if most < 1<<20 && g.Len() > 1<<20 {
				continue
			}
			all := blocks(g, most)
			cells := 0
			for i, b := range all {
				cells += b.width * b.height
				over := b.width*b.height > max(most, tile*tile)
				if over || b.width > all[0].width || b.height > all[0].height || b.width > mostTiles*tile ||
					b.height > mostTiles*tile || b.x%tile != 0 || b.y%tile != 0 || b.width < 1 || b.height < 1 ||
					b.x+b.width > g.Width || b.y+b.height > g.Height {
					t.Errorf("%d × %d cells, %d at a time: block %d is %+v", g.Width, g.Height, most, i, b)
				}
				if i > 0 && b.x == 0 && b.y != all[i-1].y+all[i-1].height {
					t.Errorf("%d × %d cells, %d at a time: block %+v follows %+v", g.Width, g.Height, most, b, all[i-1])
				}
			}
			if cells != g.Len() {
				t.Errorf("%d × %d cells, %d at a time: %d in %d blocks", g.Width, g.Height, most, cells, len(all))
			}
		}
	}
}
