package adaptive

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// lattice holds the blocks of the raster. Its nodes are the centers of blocks, as positions of the cutter.
type lattice struct {
	lx, ly  int
	isOpen  []bool   // the cutter may be at the node
	isSharp []bool   // a convex wall is near that the raster does not resolve
	cells   []uint8  // reachable cells in the block
	load    []uint16 // blocks with reachable cells within the cutter's disc at the node; 0: cleared ground
	goal    []uint8  // reachable target cells in the block; nil if equal to cells
	demand  []uint16 // blocks with target cells within the disc
	spans   []int    // half widths of the rows of the disc, in blocks
	banned  []uint16 // demand at which starts at the node failed, plus 1
	lastCut []int32  // index in path, plus 1, of the last cut that ended in the block

	// Of the last search.
	stamp    []int32
	searches int32
	from     []int32
	queue    []int32
}

func (c *clearing) layLattice() {
	c.lx, c.ly = c.nx/blockCells, c.ny/blockCells
	n := c.lx * c.ly
	c.cells, c.goal = make([]uint8, n), make([]uint8, n)
	isSame := true
	for j := range c.ny {
		for i := range c.nx {
			k := (j/blockCells)*c.lx + i/blockCells
			switch c.marks[j*c.nx+i] {
			case reachable | wanted:
				c.cells[k]++
				c.goal[k]++
			case reachable:
				c.cells[k]++
				isSame = false
			}
		}
	}
	pitch := blockCells * c.step
	reach := (c.radius + 0.5*pitch) / pitch
	top := int(math.Ceil(reach)) - 1
	for y := -top; y <= top; y++ {
		c.spans = append(c.spans, int(math.Ceil(math.Sqrt(reach*reach-float64(y*y))))-1)
	}
	c.load = c.countBlocks(c.cells)
	if c.demand = c.load; isSame {
		c.goal = nil
	} else {
		c.demand = c.countBlocks(c.goal)
	}
	c.isOpen, c.banned = make([]bool, n), make([]uint16, n)
	c.lastCut, c.stamp, c.from = make([]int32, n), make([]int32, n), make([]int32, n)
	for k := range c.isOpen {
		c.isOpen[k] = c.clearanceAt(c.node(k)) > 0.02*c.radius
	}
}

// countBlocks returns the number of blocks with cells within the disc at each node.
func (c *clearing) countBlocks(cells []uint8) []uint16 {
	sums := make([]int32, (c.lx+1)*c.ly)
	for j := range c.ly {
		row := sums[j*(c.lx+1):]
		for i := range c.lx {
			row[i+1] = row[i]
			if cells[j*c.lx+i] > 0 {
				row[i+1]++
			}
		}
	}
	out := make([]uint16, c.lx*c.ly)
	top := len(c.spans) / 2
	for j := range c.ly {
		for y, span := range c.spans {
			q := j + y - top
			if q < 0 || q >= c.ly {
				continue
			}
			row := sums[q*(c.lx+1):]
			for i := range c.lx {
				out[j*c.lx+i] += uint16(row[min(c.lx, i+span+1)] - row[max(0, i-span)])
			}
		}
	}
	return out
}

// remove takes a cell from the material.
func (c *clearing) remove(i, j int) {
	cell := j*c.nx + i
	k := (j/blockCells)*c.lx + i/blockCells
	c.removed++
	c.isNew = false
	if c.marks[cell]&wanted != 0 {
		c.goals--
		if c.goal != nil {
			if c.goal[k]--; c.goal[k] == 0 {
				c.lower(c.demand, i/blockCells, j/blockCells)
			}
		}
	}
	c.marks[cell] &^= reachable
	if c.cells[k]--; c.cells[k] == 0 {
		c.lower(c.load, i/blockCells, j/blockCells)
	}
}

// lower subtracts an emptied block from the counts of the nodes around it.
func (c *clearing) lower(counts []uint16, i, j int) {
	top := len(c.spans) / 2
	for y, span := range c.spans {
		q := j + y - top
		if q < 0 || q >= c.ly {
			continue
		}
		row := counts[q*c.lx+max(0, i-span) : q*c.lx+min(c.lx, i+span+1)]
		for k := range row {
			row[k]--
		}
	}
}

// node returns the position of a node.
func (c *clearing) node(k int) geom.Vec2 {
	const middle = (blockCells - 1) / 2.0
	i, j := k%c.lx, k/c.lx
	return geom.Vec2{
		X: c.origin.X + (float64(i)*blockCells+middle)*c.step,
		Y: c.origin.Y + (float64(j)*blockCells+middle)*c.step,
	}
}

// nodeAt returns the node of the block at a position, clamped to the lattice.
func (c *clearing) nodeAt(p geom.Vec2) int {
	x, y := c.cell(p)
	i := max(0, min(c.lx-1, int((x+0.5)/blockCells)))
	j := max(0, min(c.ly-1, int((y+0.5)/blockCells)))
	return j*c.lx + i
}

// isFree reports whether the cutter may be at a node and touches no reachable material there.
func (c *clearing) isFree(k int) bool { return c.load[k] == 0 && c.isOpen[k] }

// isFront reports whether the cutter has to go to a node: there is some of the target, and starts did not fail since.
func (c *clearing) isFront(k int) bool {
	return c.demand[k] > 0 && c.isOpen[k] && c.banned[k] != c.demand[k]+1
}

// neighbors are the steps to adjacent nodes, in counter-clockwise order from the east.
var neighbors = [8][2]int{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}

// neighbor returns the node in a direction, or -1 outside the lattice.
func (c *clearing) neighbor(k, direction int) int {
	o := neighbors[direction&7]
	i, j := k%c.lx+o[0], k/c.lx+o[1]
	if i < 0 || j < 0 || i >= c.lx || j >= c.ly {
		return -1
	}
	return j*c.lx + i
}

// search visits free nodes by breadth from some nodes, until visit returns false; it reports whether it did.
func (c *clearing) search(visit func(k int) bool, starts ...int) bool {
	c.searches++
	c.queue = c.queue[:0]
	for _, k := range starts {
		c.queue = append(c.queue, int32(k))
		c.stamp[k], c.from[k] = c.searches, -1
	}
	for n := 0; n < len(c.queue); n++ {
		k := int(c.queue[n])
		if !visit(k) {
			return true
		}
		for d := range neighbors {
			if q := c.neighbor(k, d); q >= 0 && c.stamp[q] != c.searches && c.isFree(q) {
				c.stamp[q], c.from[q] = c.searches, int32(k)
				c.queue = append(c.queue, int32(q))
			}
		}
	}
	return false
}
