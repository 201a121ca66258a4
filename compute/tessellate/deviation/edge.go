package deviation

import (
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// pieces is the number of parts into which the curve of each polyline piece is divided.
const pieces = 10

// edge measures one edge.
func (g *gauge) edge(e brep.EdgeID) Edge {
	line, params := g.result.EdgeLines[e], g.result.EdgeParams[e]
	edge := &g.model.Edges[e]
	if len(line) < 2 || edge.Curve == nil {
		return Edge{}
	}
	var out Edge
	c := edge.Curve
	for i := range len(line) - 1 {
		a, b := line[i], line[i+1]
		offA, offB := c.At(params[i]).Dist(a), c.At(params[i+1]).Dist(b)
		out.Gap = max(out.Gap, offA, offB)
		for k := 1.0; k < pieces; k++ {
			s := k / pieces
			p := c.At(params[i] + s*(params[i+1]-params[i]))
			gap, at := segmentDist(p, a, b)
			out.Gap = max(out.Gap, gap)
			out.Added = max(out.Added, gap-(1-at)*offA-at*offB)
		}
	}
	last := edge.Coedges
	for i, k := range last {
		f := g.model.FaceOf(k)
		if i > 0 && f == g.model.FaceOf(last[i-1]) || g.model.IsSheet(f) { // a seam's face comes once
			continue
		}
		out.Off = max(out.Off, g.off(e, f))
	}
	return out
}

// segmentDist returns the distance of p from the segment a–b and the parameter of its foot point, 0 to 1.
func segmentDist(p, a, b geom.Vec3) (dist, at float64) {
	d := b.Sub(a)
	if l := d.Norm2(); l > 0 {
		at = min(1, max(0, p.Sub(a).Dot(d)/l))
	}
	return p.Dist(a.AddScaled(at, d)), at
}

// off returns the distance of the curve of an edge from the surface of a face at it.
func (g *gauge) off(e brep.EdgeID, f brep.FaceID) float64 {
	surf := g.model.Faces[f].Surface
	if surf == nil || surf.Kind() == surface.KindFacets {
		return 0
	}
	m := meter{gauge: g, surf: surf, exact: surf.Kind().IsAnalytic()}
	params, c := g.result.EdgeParams[e], g.model.Edges[e].Curve
	hint, most := surf.Invert(c.At(params[0]))
	for i := range len(params) - 1 {
		for k := 1.0; k <= pieces; k++ {
			var d float64
			hint, d = m.closest(c.At(params[i]+k/pieces*(params[i+1]-params[i])), hint)
			most = max(most, d)
		}
	}
	return most
}
