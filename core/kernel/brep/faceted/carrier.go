package faceted

import (
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/fit"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/kernel/geom/surface/facets"
)

// surfaceOf makes the surface of a face of the triangles lo … hi.
func (a *assembler) surfaceOf(f *Face, lo, hi int) (surface.Surface, error) {
	local := make(map[int32]int32, hi-lo)
	var points, normals []geom.Vec3
	tris := make([][3]int32, 0, hi-lo)
	for i, t := range a.tris[lo:hi] {
		for k, v := range t {
			id, ok := local[v]
			if !ok {
				id = int32(len(points))
				local[v] = id
				points = append(points, a.points[v])
				normals = append(normals, geom.Vec3{})
			}
			t[k] = id
			if a.normals != nil {
				normals[id] = normals[id].Add(a.normals[3*(lo+i)+k])
			}
		}
		tris = append(tris, t)
	}
	carrier := a.carrierOf(f.Carrier, points)
	if carrier == nil {
		carrier = a.planeOf(points, tris)
	}
	if carrier == nil {
		carrier = Fit(points, normals, tris, a.tolerance)
	}
	mean, err := facets.New(points, nil, tris, carrier)
	if err != nil {
		return nil, err
	}
	if complete(normals, mean, carrier) {
		return facets.New(points, normals, tris, carrier)
	}
	return mean, nil
}

// carrierOf returns the given surface if all points lie on it, as an analytic surface if it is one in the
// part where the points are; else nil.
func (a *assembler) carrierOf(s surface.Surface, points []geom.Vec3) surface.Surface {
	if s == nil || !lies(s, points, a.tolerance) {
		return nil
	}
	if s.Kind().IsAnalytic() {
		return s
	}
	var lo, hi geom.Vec2
	for i, p := range points {
		uv, _ := s.Invert(p)
		if i == 0 {
			lo, hi = uv, uv
		}
		lo.X, lo.Y = min(lo.X, uv.X), min(lo.Y, uv.Y)
		hi.X, hi.Y = max(hi.X, uv.X), max(hi.Y, uv.Y)
	}
	const grid = 6 // samples in each direction
	var samples []fit.Sample
	for i := range grid {
		for j := range grid {
			u := lo.X + (hi.X-lo.X)*float64(i)/(grid-1)
			v := lo.Y + (hi.Y-lo.Y)*float64(j)/(grid-1)
			k1, k2 := surface.Curvatures(s, u, v)
			samples = append(samples, fit.Sample{P: s.At(u, v), N: s.Normal(u, v), K1: k1, K2: k2})
		}
	}
	if found, ok := fit.Surface(samples, a.tolerance); ok && lies(found, points, a.tolerance) {
		return found
	}
	return s
}

// complete makes the normals of a file unit vectors on the side of the triangles, and takes missing ones from the
// carrier. It reports whether the result is better than the mean normals of the triangles.
func complete(normals []geom.Vec3, mean *facets.Surface, carrier surface.Surface) bool {
	side, any := 0.0, carrier != nil
	for i, n := range normals {
		side += n.Dot(mean.Normals()[i])
		any = any || n != (geom.Vec3{})
	}
	if !any {
		return false
	}
	for i, n := range normals {
		flat := mean.Normals()[i]
		if n = n.Unit(); side < 0 {
			n = n.Neg()
		}
		if n == (geom.Vec3{}) && carrier != nil {
			uv, _ := carrier.Invert(mean.Points()[i])
			if n = carrier.Normal(uv.X, uv.Y); n.Dot(flat) < 0 {
				n = n.Neg()
			}
		}
		if n == (geom.Vec3{}) {
			n = flat
		}
		normals[i] = n
	}
	return true
}

// lies reports whether all points are on a surface, within tolerance (mm).
func lies(s surface.Surface, points []geom.Vec3, tolerance float64) bool {
	for _, p := range points {
		if _, dist := s.Invert(p); !(dist <= tolerance) {
			return false
		}
	}
	return true
}

// planeOf returns the plane through all points, or nil if there is no such plane.
func (a *assembler) planeOf(points []geom.Vec3, tris [][3]int32) surface.Surface {
	var n geom.Vec3
	for _, t := range tris {
		p := points[t[0]]
		n = n.Add(points[t[1]].Sub(p).Cross(points[t[2]].Sub(p)))
	}
	if n.Unit() == (geom.Vec3{}) {
		return nil
	}
	s := surface.Plane{Frame: geom.NewFrame(points[0], n, geom.Vec3{X: 1})}
	if !lies(s, points, a.tolerance) {
		return nil
	}
	return s
}
