package height

// Rasterising triangles: the z of a triangle above each cell centre it covers.
//
// Method: scan conversion with intervals (Foley et al., Computer Graphics, 3.6). A row cuts the sides of a
// triangle in two points, and the cells between them get the heights between theirs. A side is cut by the same
// operations on the same numbers for both of its triangles, and intervals are closed, so two triangles that
// share a side leave no hole. Heights are interpolated between heights on the sides and never leave their
// range, so needles and triangles seen edge-on need no special care: what is proposed for a cell is always
// the height of a point of the triangle, at most a few roundings of float64 beside the centre.
//
// Cost: O(rows + cells) per triangle, one division per row.

import "math"

// side is a side of a triangle from its lower end (in v) to its upper.
type side struct {
	lo, hi point
	du, dz float64 // per row
}

func sideOf(a, b point) side {
	if a.v > b.v || a.v == b.v && a.u > b.u {
		a, b = b, a
	}
	return side{a, b, (b.u - a.u) / (b.v - a.v), (b.z - a.z) / (b.v - a.v)}
}

// cut returns the point of the side in row v, which it reaches.
func (s *side) cut(v float64) (u, z float64) {
	switch v {
	case s.lo.v:
		return s.lo.u, s.lo.z
	case s.hi.v:
		return s.hi.u, s.hi.z
	}
	d := v - s.lo.v
	u, z = s.lo.u+d*s.du, s.lo.z+d*s.dz
	return clamp(u, s.lo.u, s.hi.u), clamp(z, s.lo.z, s.hi.z)
}

// clamp limits x to between a and b, in whatever order.
func clamp(x, a, b float64) float64 {
	if a > b {
		a, b = b, a
	}
	if x < a {
		return a
	}
	if x > b {
		return b
	}
	return x
}

// interval is where a row cuts a triangle.
type interval struct{ uLo, zLo, uHi, zHi float64 }

func (c *interval) add(u, z float64) {
	if u < c.uLo || u == c.uLo && z > c.zLo {
		c.uLo, c.zLo = u, z
	}
	if u > c.uHi || u == c.uHi && z > c.zHi {
		c.uHi, c.zHi = u, z
	}
}

// fill proposes for the cells from a to b of a row the heights along the interval, moved by u cells and lifted by
// lift mm.
func (c *interval) fill(cells []float32, a, b int, u, lift float64, up bool) {
	dz := (c.zHi - c.zLo) / (c.uHi - c.uLo)
	least, most := min(c.zLo, c.zHi), max(c.zLo, c.zHi)
	if !(math.Abs(dz) <= math.MaxFloat64) { // no width
		dz, least = 0, most
	}
	for i := a; i <= b; i++ {
		z := max(min(c.zLo+(float64(i)-u-c.uLo)*dz, most), least) + lift
		if z > float64(cells[i]) {
			cells[i] = narrow(z, up)
		}
	}
}

// narrow rounds to float32, upwards or to the nearest.
func narrow(z float64, up bool) float32 {
	f := float32(z)
	if up && float64(f) < z {
		return math.Nextafter32(f, math.MaxFloat32)
	}
	return f
}

// target is the part of a map that one goroutine writes to: whole rows from first to last.
type target struct {
	z           []float32
	width       int
	first, last int  // rows
	up          bool // round heights upwards

	// slack (cells) is how far triangles reach beyond their sides, with the heights there.
	slack float64
}

// row returns the cells of a row.
func (t *target) row(j int) []float32 { return t.z[j*t.width:][:t.width] }

// triangle proposes the heights of a triangle that is moved by (u, v) cells and lifted by lift mm at the
// centres of the cells.
func (t *target) triangle(p *[3]point, u, v, lift float64) {
	vLo, vHi := min(p[0].v, p[1].v, p[2].v), max(p[0].v, p[1].v, p[2].v)
	first, last := rowsBetween(vLo+v-t.slack, vHi+v+t.slack)
	if first, last = max(first, t.first), min(last, t.last); first > last {
		return
	}
	uLo, uHi := min(p[0].u, p[1].u, p[2].u)+u-t.slack, max(p[0].u, p[1].u, p[2].u)+u+t.slack
	if math.Ceil(uLo) > math.Floor(uHi) || uHi < 0 || uLo > float64(t.width-1) {
		return
	}
	sides := [3]side{sideOf(p[0], p[1]), sideOf(p[1], p[2]), sideOf(p[2], p[0])}
	for j := first; j <= last; j++ {
		c := cutAll(&sides, clamp(float64(j)-v, vLo, vHi))
		a, b := math.Ceil(max(c.uLo+u-t.slack, 0)), math.Floor(min(c.uHi+u+t.slack, float64(t.width-1)))
		if a <= b {
			c.fill(t.row(j), int(a), int(b), u, lift, t.up)
		}
	}
}

// cutAll cuts a triangle in row v, which it reaches.
func cutAll(sides *[3]side, v float64) interval {
	c := interval{uLo: math.Inf(1), uHi: math.Inf(-1)}
	for k := range sides {
		switch s := &sides[k]; {
		case v < s.lo.v || v > s.hi.v:
		case s.lo.v == s.hi.v:
			c.add(s.lo.u, s.lo.z)
			c.add(s.hi.u, s.hi.z)
		default:
			c.add(s.cut(v))
		}
	}
	return c
}
