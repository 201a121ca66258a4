package mass

import (
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface/facets"
)

// facets measures a face of triangles: the cones over them in closed form.
func (g *integrator) facets(s *facets.Surface, reversed bool) (part, Face) {
	points := s.Points()
	f := Face{Bounds: geom.EmptyBox()}
	var p part
	for _, t := range s.Triangles() {
		a, b, c := points[t[0]].Sub(g.center), points[t[1]].Sub(g.center), points[t[2]].Sub(g.center)
		f.Area += 0.5 * b.Sub(a).Cross(c.Sub(a)).Norm()
		volume := 0.5 * a.Dot(b.Cross(c))
		p.volume += volume
		p.moment = p.moment.AddScaled(volume/3, a.Add(b).Add(c))
		f.Bounds = f.Bounds.Add(points[t[0]]).Add(points[t[1]]).Add(points[t[2]])
	}
	if reversed {
		p = part{-p.volume, p.moment.Neg()}
	}
	return p, f
}
