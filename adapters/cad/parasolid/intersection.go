package parasolid

import (
	"math"

	"millwright/adapters/cad/parasolid/internal/xt"
	"millwright/core/geom"
)

// locus is a surface that a curve lies on.
type locus interface {
	// foot returns the point of the surface next to p and the unit normal there, that of the file without its sense.
	foot(p geom.Vec3) (q, n geom.Vec3)
}

// sheet is the locus of a surface; it remembers where on it the last foot was, and how far from there.
type sheet struct {
	carrier
	hint  geom.Vec2
	known bool
	dist  float64
}

func (s *sheet) foot(p geom.Vec3) (q, n geom.Vec3) {
	uv, d := s.hint, math.Inf(1)
	if s.known {
		uv, d = s.InvertNear(p, s.hint)
	}
	const close = 1e-3 // mm
	if !(d <= max(close, 2*s.dist)) {
		if at, dist := s.Invert(p); dist < d {
			uv, d = at, dist
		}
	}
	s.hint, s.known, s.dist = uv, true, d
	if n = s.Normal(uv.X, uv.Y); s.flipped {
		n = n.Neg()
	}
	return s.At(uv.X, uv.Y), n
}

// lifted is the locus at a distance from another one along its normal.
type lifted struct {
	locus
	distance float64
}

func (s *lifted) foot(p geom.Vec3) (q, n geom.Vec3) {
	q, n = s.locus.foot(p)
	return q.AddScaled(s.distance, n), n
}

// locus returns the locus of the surface of a node.
func (g *geometry) locus(n xt.Node, depth int) (locus, error) {
	if n.Kind() == nodeBlendedEdge {
		return g.pipe(n, depth)
	}
	if n.Kind() == nodeOffset && depth <= maxChain {
		base, err := g.locus(n.To("surface"), depth+1)
		return &lifted{base, offsetOf(n)}, err
	}
	c, err := g.surface(n, depth)
	return &sheet{carrier: c}, err
}

// intersection reads the curve in which two surfaces meet, from points of it.
func (g *geometry) intersection(n xt.Node, depth int) (guide, error) {
	points, closed, err := chartOf(n)
	if err != nil {
		return guide{}, err
	}
	tr, err := g.track(n, depth)
	if err != nil {
		return guide{}, err
	}
	c, err := follow(g.ctx, tr, points, closed)
	if ctxErr := g.ctx.Err(); ctxErr != nil {
		return guide{}, ctxErr
	}
	if err != nil {
		return guide{}, fail(n, "has no valid geometry: %v", err)
	}
	return guide{Curve: c, scale: math.NaN()}, nil
}

// track returns what the curve fulfils: it lies on two surfaces, or where a ball touches one of them.
func (g *geometry) track(n xt.Node, depth int) (track, error) {
	on := n.All("surface")
	if len(on) < 2 {
		return nil, fail(n, "lacks its surfaces")
	}
	for i, s := range on[:2] {
		if s.Kind() == nodeBlendBound {
			return g.contact(s, on[1-i], depth+1)
		}
	}
	var m meeting
	for i := range m {
		var err error
		if m[i], err = g.locus(on[i], depth+1); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// chartOf returns the points of an intersection in mm, and whether it is closed. Where the surfaces touch at an end,
// its limit has the end itself before the last point of the chart.
func chartOf(n xt.Node) (points []geom.Vec3, closed bool, err error) {
	add := func(r []float64) {
		p := geom.Vec3{X: r[0], Y: r[1], Z: r[2]}.Scale(metre)
		if p.IsFinite() && (len(points) == 0 || points[len(points)-1].Dist(p) > geom.Resolution) {
			points = append(points, p)
		}
	}
	limit := func(field string) {
		if l := n.To(field); l.Is("type", 'T') {
			if r := l.Reals("hvec"); len(r) >= 6 {
				add(r[:3])
			}
		}
	}
	limit("start")
	r := n.To("chart").Reals("hvec")
	const most = maxStations / 2
	if len(r) > 3*most {
		return nil, false, fail(n, "has more than %d points", most)
	}
	for ; len(r) >= 3; r = r[3:] {
		add(r[:3])
	}
	limit("end")
	last := len(points) - 1
	if last < 1 {
		return nil, false, fail(n, "has fewer than two points")
	}
	if closed = points[0].Dist(points[last]) <= tolerance; closed {
		points[last] = points[0]
		if last < 3 {
			return nil, false, fail(n, "is closed and has fewer than three points")
		}
	}
	return points, closed, nil
}

// meeting is the track on two surfaces.
type meeting [2]locus

// touching is the sine of the angle between two surfaces below which they touch: where across them their curve is,
// is then not theirs to say.
const touching = 1e-5

// near implements track by Newton's method: the point on both tangent planes and in the plane across. Where the surfaces
// touch it lies between them.
func (m meeting) near(p, along geom.Vec3) (q geom.Vec3, fails float64, ok bool) {
	const most, enough = 20, 1e-10 // steps, mm
	at := p
	for i := range most {
		q0, n0 := m[0].foot(at)
		q1, n1 := m[1].foot(at)
		if i == 0 {
			fails = max(q0.Dist(p), q1.Dist(p))
		}
		d0, d1, d2 := q0.Sub(at).Dot(n0), q1.Sub(at).Dot(n1), p.Sub(at).Dot(along)
		var step geom.Vec3
		c := n0.Cross(n1)
		if det := along.Dot(c); math.Abs(det) > touching {
			step = n1.Cross(along).Scale(d0).Add(along.Cross(n0).Scale(d1)).Add(c.Scale(d2)).Scale(1 / det)
		} else {
			step = q0.Sub(at).Add(q1.Sub(at)).Scale(0.5)
		}
		at = at.Add(step)
		if !at.IsFinite() {
			return p, fails, false
		}
		if step.Norm() <= enough {
			return at, fails, true
		}
	}
	q0, _ := m[0].foot(at)
	q1, _ := m[1].foot(at)
	return at, fails, max(q0.Dist(at), q1.Dist(at)) <= fitTolerance
}

func (m meeting) tangent(p, along geom.Vec3) (geom.Vec3, bool) {
	_, n0 := m[0].foot(p)
	_, n1 := m[1].foot(p)
	t := n0.Cross(n1)
	if t.Norm() <= 100*touching {
		return along, false
	}
	if t.Dot(along) < 0 {
		t = t.Neg()
	}
	return t.Unit(), true
}
