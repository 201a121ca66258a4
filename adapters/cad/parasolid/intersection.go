package parasolid

import (
	"math"

	"millwright.dev/millwright/adapters/cad/parasolid/internal/xt"
	"millwright.dev/millwright/core/kernel/geom"
)

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

// track returns the conditions of the curve: it lies on two surfaces, or it is the contact of a ball with one of them.
func (g *geometry) track(n xt.Node, depth int) (track, error) {
	on := n.All("surface")
	if len(on) < 2 {
		return nil, fail(n, "lacks its surfaces")
	}
	for i, s := range on[:2] {
		if s.Kind() == nodeBlendBound {
			return g.contact(s, on[1-i], 1-i, depth+1)
		}
	}
	var m meeting
	for i := range m {
		var err error
		if m[i], err = g.tracedSurface(on[i], depth+1); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// chartOf returns the points of an intersection in mm, and whether it is closed. Where the surfaces touch at an end,
// its limit has the end itself before the last point of the chart.
func chartOf(n xt.Node) (points []curvePoint, closed bool, err error) {
	var all []float64
	limit := func(field string) {
		if l := n.To(field); l.Is("type", 'T') {
			if r := l.Reals("hvec"); len(r) >= 6 {
				all = append(all, r[:3]...)
			}
		}
	}
	limit("start")
	r := n.To("chart").Reals("hvec")
	const most = maxStations / 2
	if len(r) > 3*most {
		return nil, false, fail(n, "has more than %d points", most)
	}
	all = append(all, r[:len(r)/3*3]...)
	limit("end")
	on := placesOf(n.To("intersection_data"), len(all)/3)
	points = make([]curvePoint, 0, len(all)/3)
	for i := range len(all) / 3 {
		at := spotAt(geom.Vec3{X: all[3*i], Y: all[3*i+1], Z: all[3*i+2]}.Scale(metre))
		if on != nil {
			at.uv = on(i)
		}
		if at.p.IsFinite() && (len(points) == 0 || points[len(points)-1].p.Dist(at.p) > geom.Resolution) {
			points = append(points, at)
		}
	}
	last := len(points) - 1
	if last < 1 {
		return nil, false, fail(n, "has fewer than two points")
	}
	if closed = points[0].p.Dist(points[last].p) <= tolerance; closed {
		points[last].p = points[0].p
		if last < 3 {
			return nil, false, fail(n, "is closed and has fewer than three points")
		}
	}
	return points, closed, nil
}

// placesOf returns a function that gives the parameters of point i on both surfaces, NaN where the file does not state
// them. Newer files state the parameters on both surfaces or on one; for other files the result is nil.
func placesOf(data xt.Node, points int) func(i int) [2]geom.Vec2 {
	const first, second, both = 2, 3, 4
	v, kind := data.Reals("values"), data.Int("uv_type")
	switch {
	case kind == both && len(v) == 4*points:
		return func(i int) [2]geom.Vec2 {
			return [2]geom.Vec2{{X: v[4*i], Y: v[4*i+1]}, {X: v[4*i+2], Y: v[4*i+3]}}
		}
	case (kind == first || kind == second) && len(v) == 2*points:
		return func(i int) [2]geom.Vec2 {
			at := spotAt(geom.Vec3{}).uv
			at[kind-first] = geom.Vec2{X: v[2*i], Y: v[2*i+1]}
			return at
		}
	}
	return nil
}

// meeting is the track on two surfaces.
type meeting [2]tracedSurface

// Sines of the angle between two surfaces. Below touching, the surfaces do not determine the position of their
// intersection across the curve. Below grazing, a point close to both surfaces may be far from it.
const (
	touching = 1e-5
	grazing  = 0.3
)

func (m meeting) begin(at curvePoint) {
	for i, l := range m {
		land(l, at.p, at.uv[i])
	}
}

func (m meeting) near(p, along geom.Vec3) (s station, fails float64, ok bool) {
	if s, fails, ok = m.solve(p, along); !ok {
		m.begin(spotAt(p))
		s, fails, ok = m.solve(p, along)
	}
	return s, fails, ok
}

// solve applies Newton's method to find the point on both surfaces in the plane through p perpendicular to along. The
// next point is the intersection of both tangent planes and that plane; the foot points follow by one step. Where the
// surfaces are tangent, the next point is halfway between the foot points.
func (m meeting) solve(p, along geom.Vec3) (s station, fails float64, ok bool) {
	const (
		most = 20
		lag  = 1e-4 // mm: at foot points this far off, the remaining error is half its square times the curvature
		// mm: after a longer step of a foot point, the error may still be its square times the curvature. On a pipe, a
		// foot point can be within lag although the normal there differs from the normal at the solution.
		late = 1e-3
	)
	at := p
	for range most {
		q0, n0, moved0 := m[0].step(at)
		q1, n1, moved1 := m[1].step(at)
		d0, d1, d2 := q0.Sub(at).Dot(n0), q1.Sub(at).Dot(n1), p.Sub(at).Dot(along)
		var step geom.Vec3
		c := n0.Cross(n1)
		if det := along.Dot(c); math.Abs(det) > touching {
			step = n1.Cross(along).Scale(d0).Add(along.Cross(n0).Scale(d1)).Add(c.Scale(d2)).Scale(1 / det)
		} else {
			step = q0.Sub(at).Add(q1.Sub(at)).Scale(0.5)
		}
		if at = at.Add(step); !at.IsFinite() {
			break
		}
		if step.Norm() > still || max(q0.Dist(at), q1.Dist(at)) > lag || max(moved0, moved1) > late {
			continue
		}
		s.p, s.t = at, along
		if c.Norm() > 100*touching {
			s.t, s.hasTangent = c.Unit(), true
			if c.Dot(along) < 0 {
				s.t = s.t.Neg()
			}
		}
		if fails = at.Dist(p); c.Norm() < grazing {
			fails = m.off(p)
		}
		return s, fails, true
	}
	return s, fails, false
}

// off returns the distance (mm) of a point from the surfaces.
func (m meeting) off(p geom.Vec3) (d float64) {
	for _, l := range m {
		q, _, ok := settle(l, p, still)
		if !ok {
			q, _ = l.project(p, 0)
		}
		d = max(d, q.Dist(p))
	}
	return d
}
