package raster

// Rasterizing triangles: the z of a triangle above each cell center it covers.
//
// Method: scan conversion with intervals (Foley et al., Computer Graphics, 3.6). A row cuts the sides of a triangle in
// two points, and the cells between them get the heights between those of the points. A side is cut by the same
// operations on the same numbers for both of its triangles, and intervals are closed, so two triangles that share a
// side leave no gap. Heights are interpolated between heights on the sides and never leave their range, so needles and
// triangles seen edge-on need no special care. The proposed value of a cell is always the height of a point of the
// triangle, at most a few roundings of float64 off the center.
//
// Cost: O(rows + cells) per triangle, one division per row.

import "math"

// side is a side of a triangle from its lower end (in v) to its upper.
type side struct {
	lo, hi Point
	du, dz float64 // per row
}

func sideOf(a, b Point) side {
	if a.V > b.V || a.V == b.V && a.U > b.U {
		a, b = b, a
	}
	return side{a, b, (b.U - a.U) / (b.V - a.V), (b.Z - a.Z) / (b.V - a.V)}
}

// cut returns the point of the side in row v, which it reaches.
func (s *side) cut(v float64) (u, z float64) {
	switch v {
	case s.lo.V:
		return s.lo.U, s.lo.Z
	case s.hi.V:
		return s.hi.U, s.hi.Z
	}
	d := v - s.lo.V
	u, z = s.lo.U+d*s.du, s.lo.Z+d*s.dz
	return clamp(u, s.lo.U, s.hi.U), clamp(z, s.lo.Z, s.hi.Z)
}

// clamp limits x to the range between a and b, in either order.
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

// interval is the intersection of a row with a triangle.
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
			cells[i] = Narrow(z, up)
		}
	}
}

// Narrow rounds to float32, upward or to the nearest.
func Narrow(z float64, up bool) float32 {
	f := float32(z)
	if up && float64(f) < z {
		return math.Nextafter32(f, math.MaxFloat32)
	}
	return f
}

// Target is the part of a map that one goroutine writes to: whole rows from first to last.
type Target struct {
	Z           []float32
	Width       int
	First, Last int  // rows
	Up          bool // round heights upward

	// Slack (cells) is the distance by which triangles, with their heights, extend beyond their sides.
	Slack float64
}

// Row returns the cells of a row.
func (t *Target) Row(j int) []float32 { return t.Z[j*t.Width:][:t.Width] }

// Triangle proposes the heights of a triangle that is moved by (u, v) cells and lifted by lift mm at the
// centers of the cells.
func (t *Target) Triangle(p *[3]Point, u, v, lift float64) {
	vLo, vHi := min(p[0].V, p[1].V, p[2].V), max(p[0].V, p[1].V, p[2].V)
	first, last := RowsBetween(vLo+v-t.Slack, vHi+v+t.Slack)
	if first, last = max(first, t.First), min(last, t.Last); first > last {
		return
	}
	uLo, uHi := min(p[0].U, p[1].U, p[2].U)+u-t.Slack, max(p[0].U, p[1].U, p[2].U)+u+t.Slack
	if math.Ceil(uLo) > math.Floor(uHi) || uHi < 0 || uLo > float64(t.Width-1) {
		return
	}
	sides := [3]side{sideOf(p[0], p[1]), sideOf(p[1], p[2]), sideOf(p[2], p[0])}
	for j := first; j <= last; j++ {
		c := cutAll(&sides, clamp(float64(j)-v, vLo, vHi))
		a, b := math.Ceil(max(c.uLo+u-t.Slack, 0)), math.Floor(min(c.uHi+u+t.Slack, float64(t.Width-1)))
		if a <= b {
			c.fill(t.Row(j), int(a), int(b), u, lift, t.Up)
		}
	}
}

// cutAll cuts a triangle in row v, which it reaches.
func cutAll(sides *[3]side, v float64) interval {
	c := interval{uLo: math.Inf(1), uHi: math.Inf(-1)}
	for k := range sides {
		switch s := &sides[k]; {
		case v < s.lo.V || v > s.hi.V:
		case s.lo.V == s.hi.V:
			c.add(s.lo.U, s.lo.Z)
			c.add(s.hi.U, s.hi.Z)
		default:
			c.add(s.cut(v))
		}
	}
	return c
}

// Within limits the parameters from s to e of a line from a along d to where it runs between lo and hi; s > e
// where it does not.
func Within(a, d, lo, hi, s, e float64) (float64, float64) {
	if d == 0 {
		if a < lo || a > hi {
			return 1, 0
		}
		return s, e
	}
	p, q := (lo-a)/d, (hi-a)/d
	if p > q {
		p, q = q, p
	}
	return max(s, p), min(e, q)
}
