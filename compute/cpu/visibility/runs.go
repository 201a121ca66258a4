package visibility

// lanes is how many samples are tested at once where the processor can.
const lanes = 8

// add adds the samples in columns c0 to c1 of a row to those that are drawn over.
func (g *grid) add(row, c0, c1 int) {
	if lo, hi := g.start[row*g.w+c0], g.start[row*g.w+c1+1]; lo < hi {
		g.runs = append(g.runs, lo, hi)
	}
}

// block marks the samples in the runs that the triangle covers and lies above.
func (g *grid) block() {
	if vectors {
		blockRuns(&g.o, &g.x[0], &g.y[0], &g.z[0], &g.runs[0], len(g.runs)/2)
		return
	}
	for i := 0; i < len(g.runs); i += 2 {
		lo, hi := g.runs[i], g.runs[i+1]
		g.o.block(g.x[lo:hi], g.y[lo:hi], g.z[lo:hi])
	}
}

// block marks the samples that o covers and lies above. The sums of the edge functions are exact in any
// order; those of the heights are made in one order everywhere, and a product is never joined with a sum, so
// that every processor gets the same bits.
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
