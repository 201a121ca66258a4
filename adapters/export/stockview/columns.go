package stockview

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// columns is a body as square columns along z: the rays of one bundle, thinned to the resolution of the picture.
type columns struct {
	origin geom.Vec3 // mm, the corner of the lattice
	side   float64   // mm, of a column
	count  [2]int    // along x and y
	spans  [][]dexel.Span
}

// mostColumns is the maximum number of columns of a picture: any body is then a file of a few megabytes.
const mostColumns = 60_000

// columnsOf converts a body to columns. keep returns the spans of a ray to show.
func columnsOf(d *dexel.Stock, keep func(i, j int) []dexel.Span) *columns {
	nx, ny := d.Lattice.Count[0], d.Lattice.Count[1]
	every := max(1, int(math.Ceil(math.Sqrt(float64(nx)*float64(ny)/mostColumns))))
	c := &columns{origin: d.Lattice.Origin, side: d.Lattice.Step * float64(every)}
	c.count = [2]int{(nx + every - 1) / every, (ny + every - 1) / every}
	c.spans = make([][]dexel.Span, c.count[0]*c.count[1])
	for j := range c.count[1] {
		for i := range c.count[0] {
			c.spans[j*c.count[0]+i] = keep(min(i*every+every/2, nx-1), min(j*every+every/2, ny-1))
		}
	}
	return c
}

// at returns the spans of a column, nil outside.
func (c *columns) at(i, j int) []dexel.Span {
	if i < 0 || j < 0 || i >= c.count[0] || j >= c.count[1] {
		return nil
	}
	return c.spans[j*c.count[0]+i]
}

// rectangle is a piece of the surface of a body: square to one axis (0, 1, 2), at a place on it, from lo to hi along
// the other two in ascending order.
type rectangle struct {
	axis   int
	up     bool // it faces the positive direction of its axis
	at     float64
	lo, hi [2]float64
}

// surface returns the surface of the body: top and bottom faces, joined in rows of equal height, and the exposed sides
// of columns beside lower neighbors.
func (c *columns) surface() (out []rectangle) {
	for j := range c.count[1] {
		for i := range c.count[0] {
			for _, s := range c.at(i, j) {
				x, y := float64(i)*c.side, float64(j)*c.side
				lo, hi := [2]float64{x, y}, [2]float64{float64(i+1) * c.side, float64(j+1) * c.side}
				out = append(out, rectangle{2, true, float64(s.Hi), lo, hi}, rectangle{2, false, float64(s.Lo), lo, hi})
			}
		}
	}
	for _, axis := range []int{0, 1} {
		across := 1 - axis
		for k := range c.count[axis] + 1 {
			for l := range c.count[across] {
				here, before := [2]int{}, [2]int{}
				here[axis], here[across] = k, l
				before[axis], before[across] = k-1, l
				a, b := c.at(before[0], before[1]), c.at(here[0], here[1])
				side := func(up bool, s dexel.Span) {
					out = append(out, rectangle{
						axis, up, float64(k) * c.side, [2]float64{float64(l) * c.side, float64(s.Lo)},
						[2]float64{float64(l+1) * c.side, float64(s.Hi)},
					})
				}
				for _, s := range without(a, b) {
					side(true, s)
				}
				for _, s := range without(b, a) {
					side(false, s)
				}
			}
		}
	}
	return join(join(out, 0), 1)
}

// without returns the parts of the spans a outside all spans b.
func without(a, b []dexel.Span) (out []dexel.Span) {
	for _, s := range a {
		at := s.Lo
		for _, t := range b {
			if t.Hi <= at || t.Lo >= s.Hi {
				continue
			}
			if t.Lo > at {
				out = append(out, dexel.Span{Lo: at, Hi: t.Lo})
			}
			at = t.Hi
		}
		if at < s.Hi {
			out = append(out, dexel.Span{Lo: at, Hi: s.Hi})
		}
	}
	return out
}

// join makes one of rectangles that continue each other along their k-th side.
func join(all []rectangle, k int) []rectangle {
	o := 1 - k
	slices.SortFunc(all, func(a, b rectangle) int {
		for _, d := range [...]float64{
			float64(a.axis - b.axis), number(a.up) - number(b.up), a.at - b.at, a.lo[o] - b.lo[o], a.hi[o] - b.hi[o],
			a.lo[k] - b.lo[k],
		} {
			if d < 0 {
				return -1
			}
			if d > 0 {
				return 1
			}
		}
		return 0
	})
	out := all[:0]
	for _, r := range all {
		if n := len(out) - 1; n >= 0 && r.axis == out[n].axis && r.up == out[n].up && r.at == out[n].at &&
			r.lo[o] == out[n].lo[o] && r.hi[o] == out[n].hi[o] && r.lo[k] == out[n].hi[k] {
			out[n].hi[k] = r.hi[k]
			continue
		}
		out = append(out, r)
	}
	return out
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// appendTo adds the surface to a mesh as a region without normals. Rectangles share their corners.
func (c *columns) appendTo(m *mesh.Mesh) {
	region := mesh.Region{Start: int32(len(m.Triangles))}
	known := map[geom.Vec3]int32{}
	for _, r := range c.surface() {
		var around [4]int32
		for corner := range 4 {
			at := [3]float64{}
			at[r.axis] = r.at
			b, o := dexel.Side(r.axis)
			at[b], at[o] = r.lo[0], r.lo[1]
			if corner == 1 || corner == 2 {
				at[b] = r.hi[0]
			}
			if corner >= 2 {
				at[o] = r.hi[1]
			}
			p := c.origin.Add(geom.Vec3{X: at[0], Y: at[1], Z: at[2]})
			v, there := known[p]
			if !there {
				v = int32(len(m.Points))
				known[p] = v
				m.Points = append(m.Points, p)
				region.Vertices = append(region.Vertices, v)
			}
			around[corner] = v
		}
		if r.up == (r.axis == 1) { // x, z and y are a left-handed frame
			around[1], around[3] = around[3], around[1]
		}
		m.Triangles = append(m.Triangles,
			[3]int32{around[0], around[1], around[2]}, [3]int32{around[0], around[2], around[3]})
	}
	region.End = int32(len(m.Triangles))
	m.Regions = append(m.Regions, region)
}
