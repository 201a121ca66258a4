package sew

import (
	"math"
	"math/bits"

	"millwright/core/geom"
)

// grid finds points near a place: a hash table of cubic cells with a list of points each. A look-up costs
// as much as the cells it covers, so boxes must not be much larger than a cell.
type grid struct {
	cell   float64 // mm
	head   []int32 // by hash: last item of the list, -1 for none
	next   []int32 // by item
	points []geom.Vec3
	ids    []int32
	cells  [][3]int32
}

// newGrid returns a grid for about n points spread over a surface as large as box. No cell is smaller
// than least (mm).
func newGrid(box geom.Box, n int, least float64) *grid {
	g := &grid{cell: max(least, box.Diagonal()/math.Sqrt(float64(n)+1), math.SmallestNonzeroFloat32)}
	g.head = make([]int32, 1<<bits.Len(uint(2*n)))
	for i := range g.head {
		g.head[i] = -1
	}
	return g
}

func (g *grid) key(p geom.Vec3) [3]int32 {
	return [3]int32{index(p.X / g.cell), index(p.Y / g.cell), index(p.Z / g.cell)}
}

// index rounds down; what is out of range shares a cell.
func index(x float64) int32 {
	const most = 1 << 30
	return int32(max(-most, min(most, math.Floor(x))))
}

func (g *grid) slot(k [3]int32) int {
	h := uint64(uint32(k[0]))*0x9e3779b97f4a7c15 ^ uint64(uint32(k[1]))*0xc2b2ae3d27d4eb4f ^
		uint64(uint32(k[2]))*0x165667b19e3779f9
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return int(h>>32) & (len(g.head) - 1)
}

// add puts a point with an id into the grid.
func (g *grid) add(p geom.Vec3, id int32) {
	k := g.key(p)
	slot := g.slot(k)
	g.points = append(g.points, p)
	g.ids = append(g.ids, id)
	g.cells = append(g.cells, k)
	g.next = append(g.next, g.head[slot])
	g.head[slot] = int32(len(g.next) - 1)
}

// near appends the ids of the points in a box, some cells wide, to dst.
func (g *grid) near(dst []int32, box geom.Box) []int32 {
	lo, hi := g.key(box.Min), g.key(box.Max)
	for x := lo[0]; x <= hi[0]; x++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for z := lo[2]; z <= hi[2]; z++ {
				k := [3]int32{x, y, z}
				for i := g.head[g.slot(k)]; i >= 0; i = g.next[i] {
					if g.cells[i] == k && box.Contains(g.points[i], 0) {
						dst = append(dst, g.ids[i])
					}
				}
			}
		}
	}
	return dst
}
