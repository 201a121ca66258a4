package grid

// Around returns the cells in a square around each marked cell. The square extends by a distance (mm), rounded up to
// cells, along both axes. Without marks (nil) the result is nil.
func (g Grid) Around(marked []bool, distance float64) []bool {
	if len(marked) == 0 {
		return nil
	}
	by := int(distance/g.Step) + 1
	near, out := make([]bool, len(marked)), make([]bool, len(marked))
	for j := range g.Height {
		from, to := marked[j*g.Width:][:g.Width], near[j*g.Width:][:g.Width]
		next := 0 // cell that has no answer yet
		for i, is := range from {
			for ; is && next < min(i+by+1, g.Width); next++ {
				to[next] = next >= i-by
			}
		}
	}
	next := make([]int, g.Width) // by column
	for k, is := range near {
		i, j := k%g.Width, k/g.Width
		for ; is && next[i] < min(j+by+1, g.Height); next[i]++ {
			out[next[i]*g.Width+i] = next[i] >= j-by
		}
	}
	return out
}
