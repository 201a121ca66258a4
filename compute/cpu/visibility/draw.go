package visibility

// occluder is a triangle that faces against the rays, with its edge functions: a·x + b·y + c is twice the area
// that the point (x, y) spans with a side, not negative inside. All numbers are integers below 2^53.
type occluder struct {
	a, b, c [3]float64 // of the sides opposite to the corners
	z       [3]float64 // of the corners
	area    float64    // twice the area, the sum of the edge functions at any point
	top     float32    // highest z
}

// draw blocks the samples below those of the triangles that are entered along the rays.
func (v *view) draw(triangles [][3]int32) {
	g := &v.grid
	x0, y0 := float32(g.x0), float32(g.y0)
	var o occluder
	for _, t := range triangles {
		p, q, r := &v.points[t[0]], &v.points[t[1]], &v.points[t[2]]
		px, py := float64(p.x), float64(p.y)
		if (float64(r.x)-px)*(float64(q.y)-py)-(float64(q.x)-px)*(float64(r.y)-py) <= 0 {
			continue
		}
		left, right := min(p.x, q.x, r.x), max(p.x, q.x, r.x)
		near, far := min(p.y, q.y, r.y), max(p.y, q.y, r.y)
		if right < x0 || left > g.x1 || far < y0 || near > g.y1 {
			continue
		}
		box := span{
			g.column(max(left, x0)), g.column(min(right, g.x1)),
			g.row(max(near, y0)), g.row(min(far, g.y1)),
		}
		switch {
		case box.c1-box.c0 >= 1<<blockBits || box.r1-box.r0 >= 1<<blockBits:
			o.set(p, q, r)
			g.drawLarge(&o, &box, [3]*viewPoint{p, q, r})
		case g.below(&box, max(p.z, q.z, r.z)):
			o.set(p, q, r)
			for row := box.r0; row <= box.r1; row++ {
				g.drawRow(&o, row, box.c0, box.c1)
			}
		}
	}
}

// span is a rectangle of cells, ends included.
type span struct{ c0, c1, r0, r1 int }

// below reports whether a block that s touches has a sample below z.
func (g *grid) below(s *span, z float32) bool {
	for r := s.r0 >> blockBits; r <= s.r1>>blockBits; r++ {
		for _, low := range g.low[r*g.bw+s.c0>>blockBits : r*g.bw+s.c1>>blockBits+1] {
			if low < z {
				return true
			}
		}
	}
	return false
}

func (o *occluder) set(p, q, r *viewPoint) {
	o.side(0, q, r)
	o.side(1, r, p)
	o.side(2, p, q)
	o.z = [3]float64{float64(p.z), float64(q.z), float64(r.z)}
	o.area = o.c[0] + o.c[1] + o.c[2]
	o.top = max(p.z, q.z, r.z)
}

// side sets the edge function of the side from p to q, inside on its right: the triangle is clockwise.
func (o *occluder) side(k int, p, q *viewPoint) {
	px, py, qx, qy := float64(p.x), float64(p.y), float64(q.x), float64(q.y)
	o.a[k], o.b[k] = qy-py, px-qx
	o.c[k] = qx*py - px*qy
}

// drawRow draws o over the cells of columns c0 to c1.
func (g *grid) drawRow(o *occluder, row, c0, c1 int) {
	lo, hi := g.start[row*g.w+c0], g.start[row*g.w+c1+1]
	if lo < hi {
		o.block(g.x[lo:hi], g.y[lo:hi], g.z[lo:hi])
	}
}

// block marks the samples that o covers and lies above.
func (o *occluder) block(x, y, z []float32) {
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
		if float64(u*o.z[0])+float64(v*o.z[1])+float64(w*o.z[2]) > float64(float64(h)*o.area) {
			z[i] = blocked
		}
	}
}
