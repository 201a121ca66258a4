package facets

import (
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/pack"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Serialize serializes a Surface with g; the surface.Archive calls it for this package.
func Serialize(g *surface.Archive, v *surface.Surface) {
	var points, normals []geom.Vec3
	var triangles [][3]int32
	var carrier surface.Surface
	if s, ok := (*v).(*Surface); ok {
		points, normals, triangles, carrier = s.points, s.normals, s.triangles, s.carrier
	}
	g.Vecs(&points)
	g.Vecs(&normals)
	var before int32
	pack.Slice(g.Archive, &triangles, 3, func(t *[3]int32) {
		for i := range t {
			pack.Delta(g.Archive, &t[i], &before)
		}
	})
	g.Surface(&carrier)
	if !g.Reading() || g.Err() != nil {
		return
	}
	if normals == nil {
		g.Fail("facets have no normals")
		return
	}
	s, err := New(points, normals, triangles, carrier)
	if err != nil {
		g.Fail("%v", err)
		return
	}
	*v = s
}
