package tessellate

import (
	"cmp"
	"slices"

	"millwright/core/brep"
	"millwright/core/geom"
	"millwright/core/geom/surface"
	"millwright/core/mesh"
)

// Two faces may each have an inner side between the same two points, for example where two round faces
// meet at both, and a face may have one along an edge between other faces. Four triangles would meet
// there. This file divides such sides in the middle, by a point of the face's surface.

// crowded is an inner side a→b of one face that the mesh has elsewhere too.
type crowded struct {
	region int32
	a, b   int32
}

// untangle divides inner sides until no edge has more than two triangles that this can help; it returns
// the final check of the mesh.
func (r *run) untangle(m *mesh.Mesh) mesh.Report {
	rep := m.Check()
	const rounds = 4
	for round := 0; rep.NonManifoldEdges > 0 && round < rounds; round++ {
		sides := r.crowdedSides(m)
		if len(sides) == 0 {
			break
		}
		r.divide(m, sides)
		rep = m.Check()
	}
	return rep
}

// crowdedSides lists inner sides that share their edge with other triangles, by region, leaving one side,
// that of a plane if any, for each edge that is not on the boundary of a region.
func (r *run) crowdedSides(m *mesh.Mesh) []crowded {
	var out []crowded
	m.EachCrowdedEdge(func(a, b int32, triangles []int32) {
		type use struct{ region, count int32 }
		var uses []use
		onBoundary := false
		for _, t := range triangles {
			reg := m.RegionOf(t)
			if i := slices.IndexFunc(uses, func(u use) bool { return u.region == reg }); i >= 0 {
				uses[i].count++
			} else {
				uses = append(uses, use{reg, 1})
			}
		}
		for _, u := range uses {
			onBoundary = onBoundary || u.count%2 == 1
		}
		slices.SortFunc(uses, func(x, y use) int {
			return cmp.Or(cmp.Compare(r.bent(x.region), r.bent(y.region)), cmp.Compare(x.region, y.region))
		})
		for _, u := range uses {
			if u.count < 2 {
				continue
			}
			if !onBoundary {
				onBoundary = true // this one may stay
				continue
			}
			out = append(out, crowded{u.region, a, b})
		}
	})
	slices.SortFunc(out, func(x, y crowded) int {
		return cmp.Or(cmp.Compare(x.region, y.region), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	return out
}

// bent is 0 for a planar face and 1 for any other.
func (r *run) bent(region int32) int {
	if s := r.model.Faces[region].Surface; s != nil && s.Kind() != surface.KindPlane {
		return 1
	}
	return 0
}

// divide puts a point on each of the sides, which are ordered by region.
func (r *run) divide(m *mesh.Mesh, sides []crowded) {
	old := m.Triangles
	grown := make([][3]int32, 0, len(old)+4*len(sides))
	for i := range m.Regions {
		reg := &m.Regions[i]
		start := int32(len(grown))
		grown = append(grown, old[reg.Start:reg.End]...)
		for len(sides) > 0 && int(sides[0].region) == i {
			grown = r.divideSide(m, brep.FaceID(i), grown, start, sides[0])
			sides = sides[1:]
		}
		reg.Start, reg.End = start, int32(len(grown))
	}
	m.Triangles = grown
}

// divideSide replaces the triangles at a side among tris[start:] by two each.
func (r *run) divideSide(m *mesh.Mesh, f brep.FaceID, tris [][3]int32, start int32, s crowded) [][3]int32 {
	face := &r.model.Faces[f]
	p, n := m.Points[s.a].Lerp(m.Points[s.b], 0.5), geom.Vec3{}
	if face.Surface != nil {
		uv, _ := face.Surface.Invert(p)
		p, n = face.Surface.At(uv.X, uv.Y), face.Surface.Normal(uv.X, uv.Y)
	}
	if face.Reversed {
		n = n.Neg()
	}
	mid := int32(len(m.Points))
	m.Points = append(m.Points, p)
	reg := &m.Regions[f]
	reg.Vertices = append(slices.Clip(reg.Vertices), mid)
	reg.Normals = append(slices.Clip(reg.Normals), n)
	for i := start; i < int32(len(tris)); i++ {
		t := tris[i]
		for k := range 3 {
			p, q, o := t[k], t[(k+1)%3], t[(k+2)%3]
			if p == s.a && q == s.b || p == s.b && q == s.a {
				tris[i] = [3]int32{p, mid, o}
				tris = append(tris, [3]int32{mid, q, o})
				break
			}
		}
	}
	return tris
}
