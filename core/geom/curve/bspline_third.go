package curve

import (
	"millwright/core/geom"
	"millwright/core/geom/bspline"
)

// d3 returns the third derivative: the last four points of de Casteljau's algorithm three levels
// below the top give that of the homogeneous coordinates, and the quotient rule (P&T eq. 4.8) the
// one in space.
func (c *BSpline) d3(t float64) geom.Vec3 {
	p := c.knots.Degree()
	s, x := c.locate(t)
	var a3 geom.Vec3
	w3 := 0.0
	if p >= 3 {
		var b bspline.Row
		bernstein(p-3, x, &b)
		f := float64(p*(p-1)*(p-2)) * c.perUnit[s] * c.perUnit[s] * c.perUnit[s]
		base := s * (p + 1)
		for i, w := range b[:p-2] {
			w *= f
			q := c.bezier[base+i:]
			a3 = a3.AddScaled(w, q[3].Sub(q[0]).AddScaled(3, q[1].Sub(q[2])))
			if c.bezierW != nil {
				v := c.bezierW[base+i:]
				w3 += w * (v[3] - v[0] + 3*(v[1]-v[2]))
			}
		}
	}
	if c.bezierW == nil {
		return a3
	}
	at, d1, d2 := c.on(s, x)
	w, w1, w2 := c.weightLevels(s, x)
	return a3.AddScaled(-3*w1, d2).AddScaled(-3*w2, d1).AddScaled(-w3, at).Scale(1 / w)
}
