package build

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// Form is one of the forms in which CAD systems write the same B-spline surface. The zero value is the shortest exact
// one: clamped, of degree 2 about the axis and 1 or 2 along it.
//
// Degrees are raised and knots inserted by the rules of Piegl and Tiller, The NURBS Book, 2nd ed. (5.2, 5.5 for curves
// made of Bézier pieces; 12.1 to unclamp).
type Form struct {
	Swapped   bool // u along the axis, v about it
	ReverseU  bool // the direction about the axis is reversed
	ReverseV  bool
	Elevate   int  // degrees more than needed
	Insert    int  // knots more than needed in each piece
	Unclamped bool // the knots continue beyond the domain
	// Cubic is the number of polynomial cubics that approximate a full circle, 0 for exact arcs.
	Cubic int
}

// CubicError returns the deviation from the circle, as a fraction of the radius, of an arc of one turn in n cubics:
// 2/27·sin⁶(a)/cos²(a), where a is a quarter of the angle of one cubic (Goldapp, "Approximation of circular arcs by
// cubic polynomials", CAGD 8, 1991).
func CubicError(n int) float64 {
	sin, cos := math.Sincos(math.Pi / 2 / float64(n))
	return 2.0 / 27 * math.Pow(sin, 6) / (cos * cos)
}

// arcs draws a circle about center over a range of angles.
func (f *Form) arcs(center geom.Vec2, radius float64, iv geom.Interval) net {
	if f.Cubic == 0 {
		return arcs(center, radius, iv)
	}
	n := int(math.Ceil(iv.Length() / (2 * math.Pi) * float64(f.Cubic)))
	step := iv.Length() / float64(n)
	arm := radius * 4 / 3 * math.Tan(step/4)
	c := net{degree: 3, knots: []float64{0}}
	for k := range n + 1 {
		sin, cos := math.Sincos(iv.Lo + float64(k)*step)
		p, d := center.Add(geom.Vec2{X: cos, Y: sin}.Scale(radius)), geom.Vec2{X: -sin, Y: cos}.Scale(arm)
		c.points = append(c.points, p.Sub(d), p, p.Add(d))
		c.knots = append(c.knots, float64(k), float64(k), float64(k))
	}
	c.points = c.points[1 : len(c.points)-1] // the outer arms of the ends
	c.knots = append(c.knots, float64(n))
	for range c.points {
		c.weights = append(c.weights, 1)
	}
	return c
}

// written returns a curve made of Bézier pieces in the form.
func (f *Form) written(c net, isReversed bool) net {
	h := c.lifted()
	for range f.Elevate {
		h.elevate()
	}
	if f.Insert > 0 {
		breaks := slices.Compact(slices.Clone(h.knots))
		for i := 1; i < len(breaks); i++ {
			for k := range f.Insert {
				share := float64(k+1) / float64(f.Insert+1)
				h.insert(breaks[i-1] + share*(breaks[i]-breaks[i-1]))
			}
		}
	}
	if f.Unclamped {
		h.unclamp()
	}
	if isReversed {
		slices.Reverse(h.points)
		slices.Reverse(h.knots)
		for i := range h.knots {
			h.knots[i] = -h.knots[i]
		}
	}
	return h.lowered()
}

// lifted is a net in homogeneous coordinates (x·w, y·w, w).
type lifted struct {
	points []geom.Vec3
	knots  []float64
	degree int
}

func (c *net) lifted() *lifted {
	h := &lifted{knots: slices.Clone(c.knots), degree: c.degree}
	for i, p := range c.points {
		w := c.weights[i]
		h.points = append(h.points, geom.Vec3{X: p.X * w, Y: p.Y * w, Z: w})
	}
	return h
}

func (h *lifted) lowered() net {
	c := net{knots: h.knots, degree: h.degree}
	for _, p := range h.points {
		c.points = append(c.points, geom.Vec2{X: p.X / p.Z, Y: p.Y / p.Z})
		c.weights = append(c.weights, p.Z)
	}
	return c
}

// elevate raises the degree of every Bézier piece by one.
func (h *lifted) elevate() {
	p := h.degree
	pieces := (len(h.points) - 1) / p
	points := []geom.Vec3{h.points[0]}
	for s := range pieces {
		b := h.points[s*p:]
		for i := 1; i <= p+1; i++ {
			a := float64(i) / float64(p+1)
			q := b[i-1].Scale(a)
			if i <= p {
				q = q.AddScaled(1-a, b[i])
			}
			points = append(points, q)
		}
	}
	var knots []float64
	for i, t := range h.knots {
		if knots = append(knots, t); i == 0 || h.knots[i-1] != t {
			knots = append(knots, t)
		}
	}
	h.points, h.knots, h.degree = points, knots, p+1
}

// insert adds a knot inside a piece.
func (h *lifted) insert(t float64) {
	p := h.degree
	k := sortedAfter(h.knots, t) - 1
	points := slices.Clone(h.points[:k-p+1])
	for i := k - p + 1; i <= k; i++ {
		a := (t - h.knots[i]) / (h.knots[i+p] - h.knots[i])
		points = append(points, h.points[i-1].Lerp(h.points[i], a))
	}
	h.points = append(points, h.points[k:]...)
	h.knots = slices.Insert(h.knots, k+1, t)
}

// sortedAfter returns the number of knots that are not above t.
func sortedAfter(knots []float64, t float64) int {
	k := 0
	for k < len(knots) && knots[k] <= t {
		k++
	}
	return k
}

// unclamp moves the outer knots off the ends of the domain, by the spacing of the knots inside the other end.
func (h *lifted) unclamp() {
	p, n, u, q := h.degree, len(h.points)-1, h.knots, h.points
	for i := range p - 1 {
		u[p-i-1] = u[p-i] - (u[n-i+1] - u[n-i])
		for j, k := i, p-1; j >= 0; j, k = j-1, k-1 {
			a := (u[p] - u[k]) / (u[p+j+1] - u[k])
			q[j] = q[j].AddScaled(-a, q[j+1]).Scale(1 / (1 - a))
		}
	}
	u[0] = u[1] - (u[n-p+2] - u[n-p+1])
	for i := range p - 1 {
		u[n+i+2] = u[n+i+1] + (u[p+i+1] - u[p+i])
		for j := i; j >= 0; j-- {
			a := (u[n+1] - u[n-j]) / (u[n-j+i+2] - u[n-j])
			q[n-j] = q[n-j].AddScaled(a-1, q[n-j-1]).Scale(1 / a)
		}
	}
	u[n+p+1] = u[n+p] + (u[2*p] - u[2*p-1])
}
