package visibility

// occluder is a triangle that faces against the rays, with its edge functions: a·x + b·y + c is twice the area
// that the point (x, y) spans with a side, not negative inside. All these numbers are integers below 2^53, none
// is a negative zero.
type occluder struct {
	a, b, c [3]float64 // of the sides opposite to the corners
	z       [3]float64 // of the corners
	area    float64    // twice the area, the sum of the edge functions at any point
	top     int32      // highest z
}

// span is a rectangle of cells, ends included.
type span struct{ c0, c1, r0, r1 int }

// draw blocks the samples below those of the triangles that are entered along the rays.
func (v *view) draw(triangles [][3]int32) {
	g := &v.grid
	for _, t := range triangles {
		p, q, r := &v.points[t[0]], &v.points[t[1]], &v.points[t[2]]
		if int64(r.x-p.x)*int64(q.y-p.y) <= int64(q.x-p.x)*int64(r.y-p.y) {
			continue
		}
		left, right := min(p.x, q.x, r.x), max(p.x, q.x, r.x)
		near, far := min(p.y, q.y, r.y), max(p.y, q.y, r.y)
		if right < g.x0 || left > g.x1 || far < g.y0 || near > g.y1 {
			continue
		}
		box := span{
			g.column(max(left, g.x0)), g.column(min(right, g.x1)),
			g.row(max(near, g.y0)), g.row(min(far, g.y1)),
		}
		if box.c1-box.c0 >= 1<<blockBits || box.r1-box.r0 >= 1<<blockBits {
			g.drawLarge(&box, p, q, r)
		} else if g.below(&box, max(p.z, q.z, r.z)) {
			g.o.set(p, q, r)
			g.drawRows(&box)
		}
	}
}

// below reports whether a block that s touches has a sample below z.
func (g *grid) below(s *span, z int32) bool {
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
	o.a[k], o.b[k] = float64(q.y-p.y), float64(p.x-q.x)
	o.c[k] = float64(int64(q.x)*int64(p.y) - int64(p.x)*int64(q.y))
}
