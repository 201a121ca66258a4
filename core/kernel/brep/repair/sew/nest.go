package sew

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// From closed shells to solids
//
// The nearest point of a shell decides whether a point is inside it: the normal of a face, or on an edge the sum of the
// normals of its two faces (J. Bærentzen and H. Aanæs, Signed distance computation using the angle weighted
// pseudonormal, 2005). No integration and no mesh is needed; faces are visited by the distance of their boxes, so few
// of them are inverted.
//
//   - a shell is flipped until a point outside its box is outside of it;
//   - a shell inside an odd number of others bounds a void of the innermost of them, which is a solid.

// nearest is the point of a shell that is nearest to another point.
type nearest struct {
	dist float64 // mm
	side float64 // of the other point: positive outside
	ok   bool    // the side is certain
}

// sideOf returns whether p is outside the faces of a closed shell (+1), inside (-1), or 0 when the nearest
// point is a corner or p itself.
func (s *sewer) sideOf(faces []brep.FaceID, p geom.Vec3) int {
	type entry struct {
		face brep.FaceID
		dist float64
	}
	order := make([]entry, 0, len(faces))
	for _, f := range faces {
		order = append(order, entry{f, boxDistance(s.domain(f).box, p)})
	}
	slices.SortFunc(order, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.dist, b.dist), cmp.Compare(a.face, b.face))
	})
	best := nearest{dist: math.Inf(1)}
	for _, e := range order {
		if e.dist > best.dist {
			break
		}
		s.nearestOfFace(e.face, p, &best)
	}
	const certain = 1e-6 // cosine of the angle between the normal and the direction to p, for rounding
	switch {
	case !best.ok || math.Abs(best.side) < certain*best.dist || best.dist < geom.Resolution:
		return 0
	case best.side > 0:
		return 1
	}
	return -1
}

func (s *sewer) nearestOfFace(f brep.FaceID, p geom.Vec3, best *nearest) {
	face := &s.m.Faces[f]
	uv, d := face.Surface.Invert(p)
	pu, pv := face.Surface.Periods()
	if d < best.dist && s.domain(f).contains(uv, pu, pv) {
		foot := face.Surface.At(uv.X, uv.Y)
		*best = nearest{d, p.Sub(foot).Dot(s.normal(f, uv)), true}
	}
	for _, e := range s.uses(f) {
		if boxDistance(e.Curve.Bounds(e.Range), p) >= best.dist {
			continue
		}
		t, d := curve.InvertIn(e.Curve, p, e.Range)
		if d >= best.dist {
			continue
		}
		const atEnd = 1e-6 // share of the range that counts as an end
		if x := (t - e.Range.Lo) / e.Range.Length(); (x < atEnd || x > 1-atEnd) && e.Start != e.End {
			*best = nearest{dist: d}
			continue
		}
		foot := e.Curve.At(t)
		var sum geom.Vec3
		for _, u := range e.Coedges {
			g := s.m.FaceOf(u)
			at, _ := s.m.Faces[g].Surface.Invert(foot)
			sum = sum.Add(s.normal(g, at))
		}
		*best = nearest{d, p.Sub(foot).Dot(sum), len(e.Coedges) == 2}
	}
}

// normal returns a face's normal out of the material.
func (s *sewer) normal(f brep.FaceID, uv geom.Vec2) geom.Vec3 {
	n := s.m.Faces[f].Surface.Normal(uv.X, uv.Y)
	if s.m.Faces[f].Reversed {
		return n.Neg()
	}
	return n
}

// sense returns +1 for a closed shell with outward normals, -1 for inward normals, and 0 when that is not certain.
func (s *sewer) sense(b *body) int {
	c, half := b.box.Center(), b.box.Size().Scale(0.5)
	for _, axis := range [6]geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		// A little off the axis, outside the box by a tenth of its size.
		at := geom.Vec3{X: axis.X + 0.11, Y: axis.Y - 0.07, Z: axis.Z + 0.05}
		p := geom.Vec3{X: c.X + at.X*half.X, Y: c.Y + at.Y*half.Y, Z: c.Z + at.Z*half.Z}
		if side := s.sideOf(s.m.Shells[b.shell].Faces, p.AddScaled(0.1*b.box.Diagonal(), axis)); side != 0 {
			return side
		}
	}
	return 0
}

// containsItsVoids reports whether the voids of a solid lie in its first shell and outside each other.
func (s *sewer) containsItsVoids(solid *brep.Solid) bool {
	if len(solid.Shells) < 2 {
		return true
	}
	bodies := make([]body, len(solid.Shells))
	for i, sh := range solid.Shells {
		bodies[i] = s.bodyOf(sh)
		if bodies[i].sense = s.sense(&bodies[i]); bodies[i].sense == 0 {
			return true // not certain
		}
	}
	s.nest(bodies)
	for i := range bodies {
		if within := bodies[i].outside; i == 0 && len(within) > 0 || i > 0 && !slices.Equal(within, []int{0}) {
			return false
		}
	}
	return true
}

// bodyOf returns a shell that lies in no other one yet.
func (s *sewer) bodyOf(sh brep.ShellID) body {
	b := body{shell: sh, box: geom.EmptyBox(), points: geom.EmptyBox()}
	for _, f := range s.m.Shells[sh].Faces {
		b.box = b.box.Union(s.domain(f).box)
		for _, e := range s.uses(f) {
			b.points = b.points.Add(e.Curve.At(e.Range.Mid()))
		}
		if p, ok := s.pointOf(f); ok {
			b.points = b.points.Add(p)
		}
	}
	return b
}

// pointOf returns a point well within a face.
func (s *sewer) pointOf(f brep.FaceID) (geom.Vec3, bool) {
	on, d := s.m.Faces[f].Surface, s.domain(f)
	if d.isWhole {
		u, v := on.Domain()
		return on.At(u.Lo, v.Mid()), true // which is on the first triangle of facets
	}
	uv, ok := d.inside()
	return on.At(uv.X, uv.Y), ok
}

// body is a closed shell among others.
type body struct {
	shell   brep.ShellID
	box     geom.Box // of the shell
	points  geom.Box // of some points of the shell
	sense   int      // of its normals
	outside []int    // bodies around it
}

// nest finds which bodies lie inside which.
func (s *sewer) nest(bodies []body) {
	for i := range bodies {
		inner := &bodies[i]
		for k := range bodies {
			outer := &bodies[k]
			if i != k && outer.box.Contains(inner.points.Min, 0) && outer.box.Contains(inner.points.Max, 0) &&
				s.isInside(inner, outer) {
				inner.outside = append(inner.outside, k)
			}
		}
	}
}

// isInside reports whether one shell lies inside another one, by the first point of an edge, or of a face,
// whose side is certain.
func (s *sewer) isInside(inner, outer *body) bool {
	const looked = 16 // points: of shells that touch, some lie on the other one
	faces, n := s.m.Shells[outer.shell].Faces, 0
	for _, f := range s.m.Shells[inner.shell].Faces {
		for _, e := range s.uses(f) {
			if side := s.sideOf(faces, e.Curve.At(e.Range.Mid())); side != 0 {
				return side == -outer.sense
			}
			if n++; n > looked {
				return false
			}
		}
		if p, ok := s.pointOf(f); ok {
			if side := s.sideOf(faces, p); side != 0 {
				return side == -outer.sense
			}
		}
	}
	return false
}
