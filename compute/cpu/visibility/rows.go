package visibility

// lanes is how many samples are tested at once where the processor can.
const lanes = 4

// rows are runs of samples in equally many columns of following rows of cells.
type rows struct {
	x, y, z *int32 // of the first sample of the grid
	start   *int32 // of the first cell of the first row
	stride  int    // bytes from row to row in start
	width   int    // bytes from the first cell of a row to the one after the last
	count   int    // rows, at least one
}

// drawRows draws the triangle o over all cells of s.
func (g *grid) drawRows(s *span) {
	if vectors {
		const size = 4 // bytes of an int32
		g.rows = rows{
			x: &g.x[0], y: &g.y[0], z: &g.z[0], start: &g.start[s.r0*g.w+s.c0],
			stride: size * g.w, width: size * (s.c1 + 1 - s.c0), count: s.r1 + 1 - s.r0,
		}
		drawVectors(&g.o, &g.rows)
		return
	}
	for r := s.r0; r <= s.r1; r++ {
		lo, hi := g.start[r*g.w+s.c0], g.start[r*g.w+s.c1+1]
		if lo < hi {
			g.o.block(g.x[lo:hi], g.y[lo:hi], g.z[lo:hi])
		}
	}
}

// block marks the samples that o covers and lies above. The sums of the edge functions are exact in any order;
// those of the heights are made in one order everywhere, and a product is never joined with a sum, so that every
// processor gets the same bits.
func (o *occluder) block(x, y, z []int32) {
	for i, h := range z {
		if h >= o.top {
			continue
		}
		px, py := float64(x[i]), float64(y[i])
		u := o.a[0]*px + o.b[0]*py + o.c[0]
		v := o.a[1]*px + o.b[1]*py + o.c[1]
		w := o.a[2]*px + o.b[2]*py + o.c[2]
		if u < 0 || v < 0 || w < 0 {
			continue
		}
		height := float64(float64(u*o.z[0])+float64(v*o.z[1])) + float64(w*o.z[2])
		if height > float64(float64(h)*o.area) {
			z[i] = blocked
		}
	}
}
