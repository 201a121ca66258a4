package parasolid

import (
	"math"
	"sort"

	"millwright.dev/millwright/adapters/cad/parasolid/internal/xt"
	"millwright.dev/millwright/core/kernel/geom"
)

// The parameter of an intersection follows the chords of its chart. At a fraction of a chord, the point of the curve is
// in the plane through that point of the chord and perpendicular to it. The parameter length of a chord is its length
// times a factor. The factor changes from chord to chord so that the speed of the curve does not jump at their ends.

// chart is the parametrization of an intersection.
type chart struct {
	track
	points []geom.Vec3
	at     []float64
}

// chart returns the parametrization of an intersection.
func (g *geometry) chart(n xt.Node, depth int) (*chart, error) {
	tr, err := g.track(n, depth)
	if err != nil {
		return nil, err
	}
	node := n.To("chart")
	r := node.Reals("hvec")
	factor, t := node.Real("base_scale"), node.Real("base_parameter")
	if len(r) < 6 || len(r) > 3*maxStations || !(factor > 0) || math.IsInf(factor, 0) || math.IsNaN(t) {
		return nil, fail(n, "has no parameters")
	}
	c := &chart{track: tr}
	for ; len(r) >= 3; r = r[3:] {
		c.points = append(c.points, geom.Vec3{X: r[0], Y: r[1], Z: r[2]}.Scale(metre))
	}
	c.at = append(c.at, t)
	for i, p := range c.points[:len(c.points)-1] {
		chord := c.points[i+1].Sub(p)
		if i > 0 {
			last := p.Sub(c.points[i-1])
			tr.begin(spotAt(p))
			if s, _, ok := tr.near(p, bent(c.points[i-1], p, c.points[i+1])); ok && s.hasTangent {
				if before, after := s.t.Dot(last.Unit()), s.t.Dot(chord.Unit()); before > 0 && after > 0 {
					factor *= before / after
				}
			}
		}
		t += factor * chord.Norm() / metre
		c.at = append(c.at, t)
	}
	return c, nil
}

// point returns the point at a parameter.
func (c *chart) point(t float64) (geom.Vec3, bool) {
	i := min(max(sort.SearchFloat64s(c.at, t), 1), len(c.at)-1)
	a, b := c.points[i-1], c.points[i]
	s := (t - c.at[i-1]) / (c.at[i] - c.at[i-1])
	p := a.Lerp(b, s)
	if !p.IsFinite() {
		return p, false
	}
	on, _, ok := c.near(p, b.Sub(a).Unit())
	return on.p, ok
}

// onBlend reads a curve in the parameter plane of a blend: u is the parameter of the spine, v is the fraction of the
// arc from the second support to the first.
func (g *geometry) onBlend(n xt.Node, depth int) (guide, error) {
	on := n.To("surface")
	b, err := g.ball(on, depth+1)
	if err != nil {
		return guide{}, err
	}
	flat, err := g.splineCurve(n.To("b_curve"), 1)
	if err != nil {
		return guide{}, err
	}
	place := func(u float64) float64 { return u * b.spine.scale }
	if math.IsNaN(b.spine.scale) {
		spine := on.To("spine")
		if spine.Kind() == nodeTrimmedCurve {
			spine = spine.To("basis_curve")
		}
		c, err := g.chart(spine, depth+1)
		if err != nil {
			return guide{}, err
		}
		place = func(u float64) float64 {
			p, _ := c.point(u)
			t, _ := b.spine.Invert(p)
			return t
		}
	}
	b.turn = 1
	c, err := g.pushed(flat, func(t float64, iv geom.Interval) (p, d geom.Vec3) {
		return slope(t, iv, func(t float64) geom.Vec3 {
			uv := flat.At(t)
			a := b.arc(place(uv.X))
			sin, cos := math.Sincos(a.angle * (1 - uv.Y))
			return a.c.AddScaled(b.tube*cos, a.x).AddScaled(b.tube*sin, a.y)
		})
	})
	if err != nil {
		return guide{}, fail(n, "has no valid geometry: %v", err)
	}
	return guide{Curve: c, scale: 1}, nil
}

// slope returns the point at t and its derivative by differences within the range iv; they are one-sided at its ends.
func slope(t float64, iv geom.Interval, at func(t float64) geom.Vec3) (p, d geom.Vec3) {
	const share = 1e-4 // of the range
	h := share * iv.Length()
	lo, hi := iv.Clamp(t-h), iv.Clamp(t+h)
	p = at(t)
	switch {
	case lo == t:
		return p, at(lo + (hi-lo)/2).Sub(p).Scale(4).Sub(at(hi).Sub(p)).Scale(1 / (hi - lo))
	case hi == t:
		return p, p.Sub(at(lo + (hi-lo)/2)).Scale(4).Sub(p.Sub(at(lo))).Scale(1 / (hi - lo))
	}
	return p, at(hi).Sub(at(lo)).Scale(1 / (hi - lo))
}
