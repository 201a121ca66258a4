package visibility

// occluder is a triangle that faces against the rays, with its edge functions: a·x + b·y + c is twice the
// area that the point (x, y) spans with a side, not negative inside. All these numbers are integers below
// 2^53, none is a negative zero.
type occluder struct {
	a, b, c [3]float64 // of the sides opposite to the corners
	z       [3]float64 // of the corners
	area    float64    // twice the area, the sum of the edge functions at any point
	top     int32      // highest z
	x, y    int32      // of the first corner
	slip    float32    // what is lost of an edge function in single precision, seen from there
}

// span is a rectangle of cells, ends included.
type span struct{ c0, c1, r0, r1 int }

// draw blocks the samples below those of the triangles that are entered along the rays.
func (v *view) draw(triangles [][3]int32) {
	g := &v.grid
	across, up := &g.across, &g.up
	for _, t := range triangles {
		p, q, r := &v.points[t[0]], &v.points[t[1]], &v.points[t[2]]
		if int64(r.x-p.x)*int64(q.y-p.y) <= int64(q.x-p.x)*int64(r.y-p.y) {
			continue
		}
		left, right := min(p.x, q.x, r.x), max(p.x, q.x, r.x)
		near, far := min(p.y, q.y, r.y), max(p.y, q.y, r.y)
		if right < across.lo || left > across.hi || far < up.lo || near > up.hi {
			continue
		}
		box := span{
			across.at(max(left, across.lo)), across.at(min(right, across.hi)),
			up.at(max(near, up.lo)), up.at(min(far, up.hi)),
		}
		if box.c1-box.c0 >= 1<<blockBits || box.r1-box.r0 >= 1<<blockBits {
			g.cutLarge(&box, p, q, r)
		} else if g.below(&box, max(p.z, q.z, r.z)) {
			for row := box.r0; row <= box.r1; row++ {
				g.add(row, box.c0, box.c1)
			}
		}
		if len(g.runs) > 0 {
			g.o.set(p, q, r)
			g.o.reach(float64(max(right, across.edge[box.c1+1])-min(left, across.edge[box.c0])),
				float64(max(far, up.edge[box.r1+1])-min(near, up.edge[box.r0])))
			g.block()
			g.runs = g.runs[:0]
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
	o.x, o.y = p.x, p.y
}

// reach sets slip for samples within a rectangle round the triangle, in steps. There x and y are within wide
// and high of the first corner, a is at most high, b at most wide and the area at most their product. In a·x
// + (b·y + c) the factors are rounded once each, the sums twice at most: four roundings of 2^-24 of the sum
// of the absolute values. Twice that is taken, which covers the rounding of slip itself.
func (o *occluder) reach(wide, high float64) {
	const share = 8.0 / (1 << 24)
	o.slip = float32(share * 3 * wide * high)
}

// side sets the edge function of the side from p to q, inside on its right: the triangle is clockwise.
func (o *occluder) side(k int, p, q *viewPoint) {
	o.a[k], o.b[k] = float64(q.y-p.y), float64(p.x-q.x)
	o.c[k] = float64(int64(q.x)*int64(p.y) - int64(p.x)*int64(q.y))
}
