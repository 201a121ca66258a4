package scallop

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// isolines returns the lines on which a map has one of the values first, first + 1, first + 2 …, over the squares of
// four cells that are all set, with the numbers of the values from 0 on. Greater values are on their right. A closed
// line ends at its start.
//
// Method: marching squares (Lorensen and Cline, 1987, in the plane). A square with four crossings pairs them in their
// order.
func (t *tips) isolines(z []float64, set []bool, first float64) (lines [][]geom.Vec2, numbers []int) {
	w, h := t.Grid.Width, t.Grid.Height
	c := crossings{t: t, z: z, at: map[[2]int]int32{}}
	for j := 0; j+1 < h; j++ {
		for i := 0; i+1 < w; i++ {
			k := j*w + i
			if !set[k] || !set[k+1] || !set[k+w] || !set[k+w+1] {
				continue
			}
			corners := [4]int{k, k + 1, k + w + 1, k + w}
			low, high := math.Inf(1), math.Inf(-1)
			for _, q := range corners {
				low, high = min(low, z[q]), max(high, z[q])
			}
			if math.IsInf(low, 0) || math.IsInf(high, 0) {
				continue
			}
			for n := max(math.Ceil(low-first), 0); first+n <= high; n++ {
				c.square(corners, first+n, int(n))
			}
		}
	}
	return c.chain()
}

// crossings are the points where isolines cross the sides between cells, linked along the lines.
type crossings struct {
	t      *tips
	z      []float64
	at     map[[2]int]int32 // by twice the first cell of the side, plus 1 for one upward, and by the value's number
	points []geom.Vec2
	number []int
	next   []int32 // -1: none
	before []bool  // another point leads to it
}

// square adds the pieces of one value in a square of cells, counterclockwise.
func (c *crossings) square(corners [4]int, value float64, number int) {
	var rises, falls []int32
	for q := range corners {
		a, b := corners[q], corners[(q+1)%4]
		if up := c.z[b] >= value; (c.z[a] >= value) != up {
			p := c.point(min(a, b), max(a, b), value, number)
			if up {
				rises = append(rises, p)
			} else {
				falls = append(falls, p)
			}
		}
	}
	for i := range rises { // from there, greater values are on the right
		c.next[rises[i]] = falls[i]
		c.before[falls[i]] = true
	}
}

func (c *crossings) point(a, b int, value float64, number int) int32 {
	key := [2]int{2 * a, number}
	if b-a > 1 {
		key[0]++
	}
	id, ok := c.at[key]
	if !ok {
		id = int32(len(c.points))
		c.at[key] = id
		share := (value - c.z[a]) / (c.z[b] - c.z[a])
		c.points = append(c.points, c.t.xy(a).Lerp(c.t.xy(b), share))
		c.number = append(c.number, number)
		c.next, c.before = append(c.next, -1), append(c.before, false)
	}
	return id
}

// chain returns the lines: open ones from their starts, then closed ones.
func (c *crossings) chain() (lines [][]geom.Vec2, numbers []int) {
	done := make([]bool, len(c.points))
	for _, closed := range [2]bool{false, true} {
		for start := range c.points {
			if done[start] || !closed && c.before[start] {
				continue
			}
			var line []geom.Vec2
			k := int32(start)
			for ; k >= 0 && !done[k]; k = c.next[k] {
				done[k] = true
				line = append(line, c.points[k])
			}
			if k >= 0 {
				line = append(line, c.points[k])
			}
			if len(line) > 1 {
				lines, numbers = append(lines, line), append(numbers, c.number[start])
			}
		}
	}
	return lines, numbers
}
