package adaptive

// leastRefusal is the smallest rest that is reported, in squares of the radius.
const leastRefusal = 0.05

// remainder returns the area of the target that stays where the cutter reaches, and its connected parts that are not
// trifles. Cells within rim of the cleared ground do not count.
func (c *clearing) remainder() (left float64, out []Refusal) {
	cells := make([]uint8, c.lx*c.ly)
	for j := range c.ny {
		for i := range c.nx {
			if k := j*c.nx + i; c.marks[k]&wanted != 0 && c.field[k] > float32(rim*c.step) {
				cells[(j/blockCells)*c.lx+i/blockCells]++
			}
		}
	}
	c.searches++
	for k := range cells {
		if cells[k] == 0 || c.stamp[k] == c.searches {
			continue
		}
		r := Refusal{Reason: NoEntry, At: c.node(k)}
		c.queue = append(c.queue[:0], int32(k))
		c.stamp[k] = c.searches
		for n := 0; n < len(c.queue); n++ {
			b := int(c.queue[n])
			r.Size += float64(cells[b]) * c.step * c.step
			for d := range neighbors {
				if q := c.neighbor(b, d); q >= 0 && cells[q] > 0 && c.stamp[q] != c.searches {
					c.stamp[q] = c.searches
					c.queue = append(c.queue, int32(q))
				}
			}
		}
		left += r.Size
		if r.Size < leastRefusal*c.radius*c.radius {
			continue
		}
		if c.isBesideFree(c.queue) {
			r.Reason = Narrow
		}
		out = append(out, r)
	}
	return left, out
}

// isBesideFree reports whether the cutter can be in cleared ground beside some of the blocks.
func (c *clearing) isBesideFree(blocks []int32) bool {
	top := len(c.spans)/2 + 2
	for _, b := range blocks {
		i, j := int(b)%c.lx, int(b)/c.lx
		for y := max(0, j-top); y <= min(c.ly-1, j+top); y++ {
			for x := max(0, i-top); x <= min(c.lx-1, i+top); x++ {
				if c.isFree(y*c.lx + x) {
					return true
				}
			}
		}
	}
	return false
}
