package faceted

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/fit"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Intersection curves of two analytic surfaces, through points that lie on both.
//
// Method: circles around the axis of either surface and around its tube come first, because they are exact where the
// surfaces touch, as fillets do. Next is the line, circle or ellipse through the points and more points between them,
// which Newton's method finds on both surfaces at once. The last is a cubic spline through these, with the tangents of
// the intersection. Each is accepted only if it stays within the tolerance of both surfaces. A spline gets more points
// until it does; otherwise its distance becomes the tolerance of its edge.

const (
	// between is the number of points at which a piece of a curve is compared with the surfaces.
	between = 4
	// maxDensity is the number of points that a spline has for each piece of the polyline.
	maxDensity = 16
	// leastCrossing is the sine of the angle of two surfaces below which they touch.
	leastCrossing = 1e-3
)

// meeting is an edge whose curve is to be found.
type meeting struct {
	on        []surface.Surface // one or two
	corners   []geom.Vec3
	closed    bool
	tolerance float64
}

// meet searches the curve of an edge between restored faces.
func (r *restorer) meet(e *brep.Edge) brep.Edge {
	m := meeting{corners: corners(e), closed: e.Start == e.End, tolerance: r.tolerance}
	for _, c := range e.Coedges {
		if s := r.carrierOf(r.m.FaceOf(c)); !slices.Contains(m.on, s) {
			m.on = append(m.on, s)
		}
	}
	return m.find(*e)
}

// find returns the edge with the curve, range and tolerance of the intersection, or unchanged if the search fails.
func (m *meeting) find(best brep.Edge) brep.Edge {
	if len(m.corners) == 2 {
		length := m.corners[0].Dist(m.corners[1])
		c := curve.Line{Origin: m.corners[0], Dir: m.corners[1].Sub(m.corners[0]).Unit()}
		if m.fits(c, geom.Interval{Hi: length}) {
			return brep.Edge{Curve: c, Range: geom.Interval{Hi: length}}
		}
	}
	for _, c := range m.circles() {
		if iv, ok := m.along(&c); ok && m.fits(c, iv) {
			return brep.Edge{Curve: c, Range: iv}
		}
	}
	least := math.Inf(1)
	for density := 2; density <= maxDensity; density *= 2 {
		points := m.dense(density)
		if c, iv, ok := fit.Curve(points, m.closed, m.tolerance); ok && m.fits(c, iv) {
			return brep.Edge{Curve: c, Range: iv}
		}
		c, err := m.spline(points)
		if err != nil {
			break
		}
		if gap := m.gap(c, c.Domain(), len(points)-1); gap < least {
			least = gap
			best.Curve, best.Range, best.Tolerance = c, c.Domain(), 0
			if gap > m.tolerance {
				best.Tolerance = gap
			}
		}
		if least <= m.tolerance {
			break
		}
	}
	return best
}

// circles returns the circles on the surfaces through the first corner: around their axes, and around tubes.
func (m *meeting) circles() (out []curve.Circle) {
	first := m.corners[0]
	add := func(center, axis geom.Vec3) {
		if r := first.Dist(center); r > m.tolerance {
			out = append(out, curve.Circle{Frame: geom.NewFrame(center, axis, first.Sub(center)), Radius: r})
		}
	}
	around := func(origin, axis geom.Vec3) { add(origin.AddScaled(first.Sub(origin).Dot(axis), axis), axis) }
	var centers []geom.Vec3
	for _, s := range m.on {
		switch s := s.(type) {
		case surface.Cylinder:
			around(s.Frame.Origin, s.Frame.Z)
		case surface.Cone:
			around(s.Frame.Origin, s.Frame.Z)
		case surface.Torus:
			around(s.Frame.Origin, s.Frame.Z)
			l := s.Frame.Local(first)
			out, side := geom.Vec3{X: l.X, Y: l.Y}.Unit(), 1.0
			if s.Part == surface.Lemon {
				side = -1
			}
			add(s.Frame.Point(out.Scale(side*s.Major)), s.Frame.Dir(geom.World.Z.Cross(out)))
		case surface.Sphere:
			centers = append(centers, s.Frame.Origin)
		}
	}
	for _, c := range centers {
		for _, s := range m.on {
			switch s := s.(type) {
			case surface.Plane:
				around(c, s.Frame.Z)
			case surface.Sphere:
				if axis := s.Frame.Origin.Sub(c).Unit(); axis != (geom.Vec3{}) {
					around(c, axis)
				}
			}
		}
	}
	return out
}

// along turns a circle to run through the corners in their order, and returns the range that they cover: of two
// corners, the shorter arc between them.
func (m *meeting) along(c *curve.Circle) (geom.Interval, bool) {
	for _, p := range m.corners {
		if _, off := c.Invert(p); !(off <= m.tolerance) {
			return geom.Interval{}, false
		}
	}
	angle := func(p geom.Vec3) float64 {
		l := c.Frame.Local(p)
		return math.Atan2(l.Y, l.X)
	}
	if angle(m.corners[1]) < 0 {
		c.Frame.Y, c.Frame.Z = c.Frame.Y.Neg(), c.Frame.Z.Neg()
	}
	at := 0.0
	for i := 1; i < len(m.corners); i++ {
		a := angle(m.corners[i])
		if a < 0 || m.closed && i == len(m.corners)-1 && at > math.Pi {
			a += 2 * math.Pi
		}
		if !(a > at) || a-at > math.Pi+1e-9 {
			return geom.Interval{}, false
		}
		at = a
	}
	if m.closed {
		at = 2 * math.Pi
	}
	return geom.Interval{Hi: at}, true
}

// fits reports whether a curve stays on the surfaces.
func (m *meeting) fits(c curve.Curve, iv geom.Interval) bool {
	return m.gap(c, iv, len(m.corners)-1) <= m.tolerance
}

// gap is the largest distance of a curve from the surfaces, at points in each of the given number of pieces.
func (m *meeting) gap(c curve.Curve, iv geom.Interval, pieces int) (gap float64) {
	n := between * pieces
	for i := range n + 1 {
		p := c.At(iv.At(float64(i) / float64(n)))
		for _, s := range m.on {
			_, off := s.Invert(p)
			gap = max(gap, off)
		}
	}
	return gap
}

// dense returns the corners with further points between them.
func (m *meeting) dense(density int) []geom.Vec3 {
	out := []geom.Vec3{m.corners[0]}
	for i := 1; i < len(m.corners); i++ {
		a, b := m.corners[i-1], m.corners[i]
		for k := 1; k < density; k++ {
			out = append(out, m.onBoth(a.Lerp(b, float64(k)/float64(density)), b.Sub(a).Unit()))
		}
		out = append(out, b)
	}
	return out
}

// onBoth moves a point across a direction onto the surfaces.
func (m *meeting) onBoth(p, along geom.Vec3) geom.Vec3 {
	const steps = 8
	for range steps {
		var n [2]geom.Vec3
		var off [2]float64
		worst := 0.0
		for i, s := range m.on[:min(2, len(m.on))] {
			uv, dist := s.Invert(p)
			n[i] = s.Normal(uv.X, uv.Y)
			off[i] = p.Sub(s.At(uv.X, uv.Y)).Dot(n[i])
			n[i] = n[i].AddScaled(-n[i].Dot(along), along)
			worst = max(worst, dist)
		}
		if worst < geom.Resolution {
			break
		}
		// The step x of n₁ and n₂ with n·x = -off for both, or for each in turn where they are nearly parallel.
		aa, ab, bb := n[0].Norm2(), n[0].Dot(n[1]), n[1].Norm2()
		det := aa*bb - ab*ab
		switch {
		case det > leastCrossing*leastCrossing*aa*bb && det > 0:
			x, y := (ab*off[1]-bb*off[0])/det, (ab*off[0]-aa*off[1])/det
			p = p.AddScaled(x, n[0]).AddScaled(y, n[1])
		case off[0]*off[0]*bb >= off[1]*off[1]*aa && aa > 0:
			p = p.AddScaled(-off[0]/aa, n[0])
		case bb > 0:
			p = p.AddScaled(-off[1]/bb, n[1])
		}
	}
	return p
}

// spline returns a cubic spline with a continuous direction through points.
func (m *meeting) spline(points []geom.Vec3) (*curve.BSpline, error) {
	n := len(points) - 1
	knots := []float64{0, 0}
	var control []geom.Vec3
	at := 0.0
	for i, p := range points {
		t := m.direction(points, i)
		if i > 0 {
			control = append(control, p.AddScaled(-p.Dist(points[i-1])/3, t))
			at += p.Dist(points[i-1])
		}
		if i == 0 || i == n {
			control = append(control, p)
		}
		if i < n {
			control = append(control, p.AddScaled(p.Dist(points[i+1])/3, t))
		}
		knots = append(knots, at, at)
	}
	knots = append(knots, at, at)
	return curve.NewBSpline(3, knots, control, nil, m.closed)
}

// direction returns the direction of the curve at one of its points: perpendicular to the normals of both surfaces, or
// along its neighbors where the surfaces touch.
func (m *meeting) direction(points []geom.Vec3, i int) geom.Vec3 {
	n := len(points) - 1
	before, after := points[max(i-1, 0)], points[min(i+1, n)]
	if m.closed && i == 0 {
		before = points[n-1]
	} else if m.closed && i == n {
		after = points[1]
	}
	chord := after.Sub(before).Unit()
	if len(m.on) < 2 {
		return chord
	}
	u, _ := m.on[0].Invert(points[i])
	v, _ := m.on[1].Invert(points[i])
	t := m.on[0].Normal(u.X, u.Y).Cross(m.on[1].Normal(v.X, v.Y))
	if t.Norm() < leastCrossing {
		return chord
	}
	if t.Dot(chord) < 0 {
		t = t.Neg()
	}
	return t.Unit()
}
