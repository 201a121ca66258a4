package tessellate

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface/facets"
)

// This file measures the size of a part: the diameter of the smallest ball around its vertices and some points of its
// edges and of its closed surfaces. Unlike the diagonal of an axis-aligned box, it does not change when the part is
// rotated.
//
// Method: the ball through at most four of the points grows to the farthest point outside it until no point is outside
// (Gärtner 1999); each step tests all balls through that point and up to three of the four. Cost: some ten passes over
// the points. Arcs may extend beyond the ball between their points, by 4 % of their radius at most.

// diameter returns the size of the part, mm.
func diameter(m *brep.Model) float64 {
	b := smallestBall(places(m))
	return 2 * math.Sqrt(b.radius2)
}

// smallestBall returns the smallest ball around points; a ball of size 0 without points.
func smallestBall(points []geom.Vec3) ball {
	if len(points) == 0 {
		return ball{}
	}
	b := ball{center: points[0], on: [4]geom.Vec3{points[0]}, n: 1}
	const most = 100 // steps; each makes the ball larger, so only rounding can reach the limit
	for range most {
		far, dist2 := b.farthest(points)
		const rounding = 1e-12 // of the squared radius
		if dist2 <= b.radius2*(1+rounding) || !b.growTo(far) {
			break
		}
	}
	return b
}

// places returns the points that the size is measured from.
func places(m *brep.Model) []geom.Vec3 {
	const closed, open = 8, 4 // pieces of edges, also of closed surfaces in either direction
	var all []geom.Vec3
	add := func(p geom.Vec3) {
		if p.IsFinite() {
			all = append(all, p)
		}
	}
	for i := range m.Vertices {
		add(m.Vertices[i].Point)
	}
	for i := range m.Edges {
		e := &m.Edges[i]
		if e.Curve == nil || !e.Range.IsFinite() || e.Curve.Kind() == curve.KindLine && e.Start != brep.None {
			continue
		}
		pieces := open
		if e.Start == e.End {
			pieces = closed
		}
		for k := range pieces {
			add(e.Curve.At(e.Range.At(float64(k) / float64(pieces))))
		}
	}
	for i := range m.Faces {
		f := &m.Faces[i]
		if s, ok := f.Surface.(*facets.Surface); ok {
			all = append(all, s.Points()...)
			continue
		}
		if f.Surface == nil {
			continue
		}
		u, v := f.Surface.Domain()
		pu, _ := f.Surface.Periods()
		whole := len(f.Surface.Singularities()) > 1 || len(f.Loops) == 0
		if !whole || pu == 0 || !u.IsFinite() || !v.IsFinite() {
			continue
		}
		for j := range closed {
			for k := range closed + 1 {
				add(f.Surface.At(u.At(float64(j)/closed), v.At(float64(k)/closed)))
			}
		}
	}
	return all
}

// ball is the smallest ball around some points, with up to four of them on it.
type ball struct {
	center  geom.Vec3
	radius2 float64
	on      [4]geom.Vec3
	n       int
}

// farthest returns the point farthest from the center and its squared distance.
func (b *ball) farthest(points []geom.Vec3) (far geom.Vec3, dist2 float64) {
	dist2 = -1
	for _, p := range points {
		if d := p.Dist2(b.center); d > dist2 {
			far, dist2 = p, d
		}
	}
	return far, dist2
}

// growTo makes the ball the smallest around the points on it and p, which is outside; false when rounding
// hides it.
func (b *ball) growTo(p geom.Vec3) bool {
	best := ball{radius2: math.Inf(1)}
	for subset := range 1 << b.n {
		c := ball{on: [4]geom.Vec3{p}, n: 1}
		for i := range b.n {
			if subset>>i&1 == 1 && c.n < len(c.on) {
				c.on[c.n] = b.on[i]
				c.n++
			}
		}
		if c.through() && c.radius2 < best.radius2 && c.contains(b.on[:b.n]) {
			best = c
		}
	}
	if best.radius2 <= b.radius2 || math.IsInf(best.radius2, 0) {
		return false
	}
	*b = best
	return true
}

// contains reports whether the points are in the ball.
func (b *ball) contains(points []geom.Vec3) bool {
	const rounding = 1e-9 // of the squared radius
	for _, p := range points {
		if p.Dist2(b.center) > b.radius2*(1+rounding) {
			return false
		}
	}
	return true
}

// through sets center and radius of the smallest ball with the points on it; false when they are in a line or
// in a plane that they need not share.
//
// The center is the first point plus a sum of the sides from it: that each has its middle in right angles to
// the center is a linear system in the factors.
func (b *ball) through() bool {
	var a [3][4]float64
	n := b.n - 1
	var side [3]geom.Vec3
	for i := range n {
		side[i] = b.on[i+1].Sub(b.on[0])
	}
	for i := range n {
		for j := range n {
			a[i][j] = side[i].Dot(side[j])
		}
		a[i][n] = a[i][i] / 2
	}
	for i := range n {
		const flat = 1e-12 // of the square of a side
		if !(a[i][i] > flat*side[i].Norm2()) {
			return false
		}
		for k := range n {
			if k == i {
				continue
			}
			f := a[k][i] / a[i][i]
			for j := i; j <= n; j++ {
				a[k][j] -= f * a[i][j]
			}
		}
	}
	var d geom.Vec3
	for i := range n {
		d = d.AddScaled(a[i][n]/a[i][i], side[i])
	}
	b.center, b.radius2 = b.on[0].Add(d), d.Norm2()
	return true
}
