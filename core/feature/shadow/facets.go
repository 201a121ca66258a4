package shadow

import (
	"cmp"

	"millwright/core/geom"
	"millwright/core/geom/region"
)

// A loop round a sheet of triangles goes round a point as often as the loops of the triangles do together: where two of
// them share a side, one goes there and the other back. So only sides that are not shared are kept, and chained.

// facets collects the sides of triangles, laid flat.
type facets struct {
	sides []facetSide
	at    map[[2]geom.Vec2]int32 // the last of sides between two points that is not gone
}

// facetSide is a side of a triangle.
type facetSide struct {
	from, to geom.Vec2
	last     int32 // the one between the same points that was there before, -1 for none
	isGone   bool
}

// add appends a side, or takes away one that goes the other way.
func (f *facets) add(from, to geom.Vec2) {
	if from == to {
		return
	}
	back := [2]geom.Vec2{to, from}
	if i, ok := f.at[back]; ok && i >= 0 {
		f.sides[i].isGone = true
		f.at[back] = f.sides[i].last
		return
	}
	key := [2]geom.Vec2{from, to}
	last, ok := f.at[key]
	if !ok {
		last = -1
	}
	f.at[key] = int32(len(f.sides))
	f.sides = append(f.sides, facetSide{from: from, to: to, last: last})
}

// loops returns the sides that are left, chained, each piece with a tag. As many of them end in a point as begin in it.
func (f *facets) loops(tag int32) []region.Loop {
	leaving := make(map[geom.Vec2]int32, len(f.sides)) // the last side from a point that is not taken
	for i := range f.sides {
		s := &f.sides[i]
		if s.isGone {
			continue
		}
		last, ok := leaving[s.from]
		if !ok {
			last = -1
		}
		s.last = last
		leaving[s.from] = int32(i)
	}
	var loops []region.Loop
	for i := range f.sides {
		var loop region.Loop
		for k := int32(i); k >= 0 && !f.sides[k].isGone; {
			s := &f.sides[k]
			s.isGone = true
			piece := region.Segment(s.from, s.to)
			piece.Tag = tag
			loop = append(loop, piece)
			for k = leaving[s.to]; k >= 0 && f.sides[k].isGone; {
				k = f.sides[k].last
			}
			leaving[s.to] = k
		}
		if len(loop) > 0 {
			loops = append(loops, loop)
		}
	}
	return loops
}

// cut returns loops round what of the triangles of a patch looks up and is above a height, laid flat.
func (s *Shadow) cut(patch int32, z float64) []region.Loop {
	f := facets{at: map[[2]geom.Vec2]int32{}}
	up := s.view.Frame.Z
	height := z + s.view.Frame.Origin.Dot(up)
	s.view.Graph.EachTriangle(patch, func(a, b, c geom.Vec3) bool {
		if b.Sub(a).Cross(c.Sub(a)).Dot(up) <= 0 {
			return true
		}
		corners := above([]geom.Vec3{a, b, c}, up, height)
		for i, p := range corners {
			f.add(s.point(p), s.point(corners[(i+1)%len(corners)]))
		}
		return true
	})
	return f.loops(patch)
}

// above cuts a polygon off at a height (Sutherland and Hodgman, 1974). Two polygons that share a side are cut in the
// same point of it.
func above(polygon []geom.Vec3, up geom.Vec3, z float64) []geom.Vec3 {
	var kept []geom.Vec3
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		hp, hq := p.Dot(up)-z, q.Dot(up)-z
		if hp >= 0 {
			kept = append(kept, p)
		}
		if (hp < 0) == (hq < 0) {
			continue
		}
		if cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y), cmp.Compare(p.Z, q.Z)) < 0 {
			p, q, hp, hq = q, p, hq, hp
		}
		kept = append(kept, p.Lerp(q, hp/(hp-hq)))
	}
	return kept
}
