package tessellate

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Two faces may each have an inner side between the same two points, for example where two round faces meet at both. A
// face may also have one along an edge between other faces, or two on either side of a seam. Four triangles would meet
// there. This file divides such sides in the middle, by a point of the face's surface.

// duplicateSide is an inner side a→b of one face that the mesh has elsewhere too.
type duplicateSide struct {
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

// crowdedSides lists inner sides that share their edge with other triangles, by region. For each edge that is not on
// the boundary of a region it omits one side, preferably that of a plane.
func (r *run) crowdedSides(m *mesh.Mesh) []duplicateSide {
	var out []duplicateSide
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
				onBoundary = true // this one may stay, but not two of the same face
				if u.count < 4 {
					continue
				}
			}
			out = append(out, duplicateSide{u.region, a, b})
		}
	})
	slices.SortFunc(out, func(x, y duplicateSide) int {
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
func (r *run) divide(m *mesh.Mesh, sides []duplicateSide) {
	old := m.Triangles
	d := divider{mesh: m, tris: make([][3]int32, 0, len(old)+2*len(sides)), users: map[[2]int32][]int32{}}
	for i := range m.Regions {
		reg := &m.Regions[i]
		start := len(d.tris)
		d.tris = append(d.tris, old[reg.Start:reg.End]...)
		n := 0
		for n < len(sides) && int(sides[n].region) == i {
			n++
		}
		if n > 0 {
			d.index(sides[:n], start)
			for _, s := range sides[:n] {
				r.divideSide(&d, brep.FaceID(i), s)
			}
		}
		sides = sides[n:]
		reg.Start, reg.End = int32(start), int32(len(d.tris))
	}
	m.Triangles = d.tris
}

// divider contains the triangles while sides are divided.
type divider struct {
	mesh  *mesh.Mesh
	tris  [][3]int32
	users map[[2]int32][]int32 // of the region's crowded sides, in either sense: the triangles along them
}

// index finds the triangles at the sides of one region, which are tris[start:].
func (d *divider) index(sides []duplicateSide, start int) {
	clear(d.users)
	for _, s := range sides {
		d.users[[2]int32{s.a, s.b}], d.users[[2]int32{s.b, s.a}] = nil, nil
	}
	for i := start; i < len(d.tris); i++ {
		t := d.tris[i]
		for k := range 3 {
			key := [2]int32{t[k], t[(k+1)%3]}
			if u, ok := d.users[key]; ok {
				d.users[key] = append(u, int32(i))
			}
		}
	}
}

// divideSide replaces the two triangles at a side by two each.
func (r *run) divideSide(d *divider, f brep.FaceID, s duplicateSide) {
	face, m := &r.model.Faces[f], d.mesh
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
	for _, i := range d.pair(s) {
		t := d.tris[i]
		for k := range 3 {
			p, q, o := t[k], t[(k+1)%3], t[(k+2)%3]
			if p == s.a && q == s.b || p == s.b && q == s.a {
				d.tris[i] = [3]int32{p, mid, o}
				d.replace([2]int32{q, o}, i, int32(len(d.tris)))
				d.tris = append(d.tris, [3]int32{mid, q, o})
				break
			}
		}
	}
}

// replace notes that a side belongs to another triangle now.
func (d *divider) replace(side [2]int32, old, now int32) {
	if i := slices.Index(d.users[side], old); i >= 0 {
		d.users[side][i] = now
	}
}

// pair finds the two triangles on either side of a side: the first one that has the side in its sense, and one that has
// it reversed. Among several of the latter, it takes the one with the most similar normal.
func (d *divider) pair(s duplicateSide) []int32 {
	normal := func(i int32) geom.Vec3 {
		p, t := d.mesh.Points, d.tris[i]
		return p[t[1]].Sub(p[t[0]]).Cross(p[t[2]].Sub(p[t[0]])).Unit()
	}
	along, against := d.users[[2]int32{s.a, s.b}], d.users[[2]int32{s.b, s.a}]
	if len(along) == 0 || len(against) == 0 {
		return slices.Concat(along, against)
	}
	best, n := against[0], normal(along[0])
	for _, i := range against[1:] {
		if n.Dot(normal(i)) > n.Dot(normal(best)) {
			best = i
		}
	}
	return []int32{along[0], best}
}
