package catia

import (
	"context"
	"slices"

	"millwright.dev/millwright/core/kernel/brep/faceted"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// A freeform face has triangles only. Their corners and normals are exact to single precision. Each triangle is divided
// in four until the sag is small enough. New corners lie on the cubic curve that leaves both ends of a side
// perpendicular to the normals there (A. Vlachos et al., Curved PN triangles, 2001). A side between two faces has the
// direction of the intersection of the faces, and lies on the neighbor's surface if that is known. The triangles of the
// neighbor are divided along it when the body is stitched.
//
// The refined shape is not in the file: it approximates a smooth surface through the same points and normals. The
// stated sag remains the sag of the file.

const (
	fineSag      = 0.01    // mm: refinement ends at this sag
	mostLevels   = 3       // of subdivision
	mostRefined  = 1 << 19 // triangles of all refined faces
	leastCrossed = 0.02    // sine of the angle between two faces that cross
)

// refiner divides the freeform faces of a body.
type refiner struct {
	*body
	carriers []surface.Surface
	free     []bool                     // by face
	sides    map[[2]geom.Vec3][]user    // the freeform faces at each side
	fixed    map[[2]geom.Vec3][]user    // the other faces at each side, whose triangles are not divided here
	middles  map[[2]geom.Vec3]geom.Vec3 // of sides
}

// user is a use of a side by a face, with the normals at its ends in the order of the key.
type user struct {
	face   int
	na, nb geom.Vec3
}

// refine divides the freeform faces of a body whose other faces have the given carriers. A face without a carrier gets
// the surface that fits its points and normals, if there is one; otherwise it is freeform.
func (b *body) refine(ctx context.Context, carriers []surface.Surface, tolerance float64) error {
	r := refiner{body: b, carriers: carriers, free: make([]bool, len(b.faces))}
	triangles := 0
	for i, f := range b.faces {
		if carriers[i] != nil || f.normal != (geom.Vec3{}) || !b.hasNormals(f) {
			continue
		}
		if carriers[i] = b.fit(f, tolerance); carriers[i] == nil {
			r.free[i] = true
			triangles += len(f.triangles)
		}
	}
	b.points, b.normals = slices.Clip(b.points), slices.Clip(b.normals)
	r.fixed = r.users(false)
	for sag, level := b.sag, 0; sag > fineSag && level < mostLevels && triangles > 0; level++ {
		if triangles *= 4; triangles > mostRefined {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		r.divide()
		sag /= 4
	}
	return nil
}

// fit returns the surface that contains the corners of a face and has their normals, or nil.
func (b *body) fit(f packet, tolerance float64) surface.Surface {
	local := map[int32]int32{}
	var points, normals []geom.Vec3
	tris := make([][3]int32, len(f.triangles))
	for i, t := range f.triangles {
		for k, v := range t {
			if _, ok := local[v]; !ok {
				local[v] = int32(len(points))
				points, normals = append(points, b.points[v]), append(normals, b.normals[v])
			}
			tris[i][k] = local[v]
		}
	}
	return faceted.Fit(points, normals, tris, tolerance)
}

// divide divides all triangles of freeform faces in four.
func (r *refiner) divide() {
	r.sides = r.users(true)
	r.middles = map[[2]geom.Vec3]geom.Vec3{}
	for f := range r.faces {
		if !r.free[f] {
			continue
		}
		made := map[[2]int32]int32{}
		var out [][3]int32
		for _, t := range r.faces[f].triangles {
			var m [3]int32
			for k := range t {
				m[k] = r.corner(f, t[k], t[(k+1)%3], made)
			}
			out = append(out, [3]int32{t[0], m[0], m[2]}, [3]int32{m[0], t[1], m[1]}, [3]int32{m[2], m[1], t[2]}, m)
		}
		r.faces[f].triangles = out
	}
}

// key names a side by its ends, in an order that does not depend on the face.
func key(a, b geom.Vec3) (k [2]geom.Vec3, turned bool) {
	if a.X < b.X || a.X == b.X && (a.Y < b.Y || a.Y == b.Y && a.Z < b.Z) {
		return [2]geom.Vec3{a, b}, false
	}
	return [2]geom.Vec3{b, a}, true
}

// users lists the uses of sides by the freeform faces, or by the other faces.
func (r *refiner) users(free bool) map[[2]geom.Vec3][]user {
	out := map[[2]geom.Vec3][]user{}
	for f := range r.faces {
		if r.free[f] != free {
			continue
		}
		for _, t := range r.faces[f].triangles {
			for k := range t {
				a, b := t[k], t[(k+1)%3]
				side, turned := key(r.points[a], r.points[b])
				u := user{f, r.normalAt(f, a), r.normalAt(f, b)}
				if turned {
					u.na, u.nb = u.nb, u.na
				}
				out[side] = append(out[side], u)
			}
		}
	}
	return out
}

// normalAt is the outward normal of a face at one of its corners, or zero if it is unknown.
func (r *refiner) normalAt(f int, v int32) geom.Vec3 {
	switch {
	case r.faces[f].normal != geom.Vec3{}:
		return r.faces[f].normal.Unit()
	case r.normals != nil:
		return r.normals[v]
	}
	return geom.Vec3{}
}

// corner returns the corner of a face in the middle of a side from a to b.
func (r *refiner) corner(f int, a, b int32, made map[[2]int32]int32) int32 {
	ends := [2]int32{min(a, b), max(a, b)}
	if v, ok := made[ends]; ok {
		return v
	}
	side, _ := key(r.points[a], r.points[b])
	p, ok := r.middles[side]
	if !ok {
		p = r.middle(side)
		r.middles[side] = p
	}
	d := r.points[b].Sub(r.points[a])
	n := r.normals[a].Add(r.normals[b])
	if l := d.Norm2(); l > 0 {
		n = n.AddScaled(-2*d.Dot(n)/l, d)
	}
	v := int32(len(r.points))
	r.points, r.normals = append(r.points, p), append(r.normals, n.Unit())
	made[ends] = v
	return v
}

// middle is the position of the new corner on a side.
func (r *refiner) middle(side [2]geom.Vec3) geom.Vec3 {
	a, b := side[0], side[1]
	d := b.Sub(a)
	mid := a.Lerp(b, 0.5)
	others := r.fixed[side]
	users := slices.Concat(r.sides[side], others)
	first, second := users[0], users[len(users)-1]
	if first.face == second.face {
		return mid.AddScaled(-d.Dot(first.na)/8, first.na).AddScaled(d.Dot(first.nb)/8, first.nb)
	}
	mid = mid.AddScaled(d.Norm()/8, crossing(first.na, second.na, d).Sub(crossing(first.nb, second.nb, d)))
	for _, u := range others {
		n := u.na.Add(u.nb).Unit()
		if s := r.carriers[u.face]; s != nil {
			uv, _ := s.Invert(mid)
			mid = s.At(uv.X, uv.Y)
			if n = s.Normal(uv.X, uv.Y); n.Dot(u.na) < 0 {
				n = n.Neg()
			}
		}
		r.split(user{u.face, u.na, n}, a, mid)
		r.split(user{u.face, n, u.nb}, mid, b)
	}
	return mid
}

// split adds the part of a divided side from a to b as a separate side. u contains the normals at a and b.
func (r *refiner) split(u user, a, b geom.Vec3) {
	side, turned := key(a, b)
	if turned {
		u.na, u.nb = u.nb, u.na
	}
	r.fixed[side] = append(r.fixed[side], u)
}

// crossing is the unit direction along d of the intersection of faces with normals n and m. If the faces are tangent,
// it is the direction of d projected onto them.
func crossing(n, m, d geom.Vec3) geom.Vec3 {
	t := n.Cross(m)
	if t.Norm() < leastCrossed {
		mean := n.Add(m).Unit()
		t = d.AddScaled(-d.Dot(mean), mean)
	}
	if t.Dot(d) < 0 {
		t = t.Neg()
	}
	return t.Unit()
}
