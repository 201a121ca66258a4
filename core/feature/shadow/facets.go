package shadow

import (
	"cmp"
	"math"

	"millwright/core/geom"
	"millwright/core/geom/region"
	"millwright/core/geom/surface"
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
	tag      int32
	last     int32 // the one between the same points that was there before, -1 for none
	isGone   bool
}

// add appends a side, or takes away one that goes the other way.
func (f *facets) add(from, to geom.Vec2, tag int32) {
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
	f.sides = append(f.sides, facetSide{from: from, to: to, tag: tag, last: last})
}

// loops returns the sides that are left, chained. As many of them end in a point as begin in it.
func (f *facets) loops() []region.Loop {
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
			piece.Tag = s.tag
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
	m := s.view.Graph.Mesh
	for _, face := range s.view.Graph.Patches[patch].Faces {
		for _, t := range m.Triangles[m.Regions[face].Start:m.Regions[face].End] {
			a, b, c := m.Points[t[0]], m.Points[t[1]], m.Points[t[2]]
			if b.Sub(a).Cross(c.Sub(a)).Dot(up) <= 0 {
				continue
			}
			corners := above([3]geom.Vec3{a, b, c}, up, height)
			for i, p := range corners {
				tag := patch
				if k := p.side; k != cutSide {
					if wall, ok := s.walls[[2]int32{t[k], t[(k+1)%3]}]; ok {
						tag = wall
					}
				}
				f.add(s.point(p.at), s.point(corners[(i+1)%len(corners)].at), tag)
			}
		}
	}
	return f.loops()
}

// corner is one of a polygon, from which a part of a side of a triangle begins, or what cuts it.
type corner struct {
	at   geom.Vec3
	side int
}

const cutSide = -1

// above cuts a triangle off at a height (Sutherland and Hodgman, 1974). Two triangles that share a side are cut in the
// same point of it.
func above(triangle [3]geom.Vec3, up geom.Vec3, z float64) []corner {
	var kept []corner
	for i, p := range triangle {
		q := triangle[(i+1)%3]
		hp, hq := p.Dot(up)-z, q.Dot(up)-z
		if hp >= 0 {
			kept = append(kept, corner{p, i})
		}
		if (hp < 0) == (hq < 0) {
			continue
		}
		side := i
		if hp >= 0 {
			side = cutSide
		}
		if cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y), cmp.Compare(p.Z, q.Z)) < 0 {
			p, q, hp, hq = q, p, hq, hp
		}
		kept = append(kept, corner{p.Lerp(q, hp/(hp-hq)), side})
	}
	return kept
}

// findWalls notes which patch that does not look up lies along each side of a triangle of those that are taken by their
// mesh: it goes down there.
func (s *Shadow) findWalls(slopes []geom.Interval) {
	m := s.view.Graph.Mesh
	isMeshed := make([]bool, len(m.Points))
	found := false
	for i := range s.faces {
		if q := &s.faces[i]; q.whole == nil || !q.isExact {
			for _, face := range s.view.Graph.Patches[q.patch].Faces {
				for _, v := range m.Regions[face].Vertices {
					isMeshed[v], found = true, true
				}
			}
		}
	}
	if !found {
		return
	}
	s.walls = map[[2]int32]int32{}
	for p := range s.view.Graph.Patches {
		if slopes[p].Hi > level {
			continue
		}
		for _, face := range s.view.Graph.Patches[p].Faces {
			for _, t := range m.Triangles[m.Regions[face].Start:m.Regions[face].End] {
				for k, from := range t {
					if to := t[(k+1)%3]; isMeshed[from] && isMeshed[to] {
						s.walls[[2]int32{to, from}] = int32(p)
					}
				}
			}
		}
	}
}

// outside returns the strips beyond walls that are planes, as wide as given (mm) and as much longer than the sides of
// loops along them.
func (s *Shadow) outside(loops []region.Loop, by float64) (strips []region.Loop) {
	for _, l := range loops {
		for i := range l {
			p := &l[i]
			if sh := &s.view.Graph.Patches[p.Tag].Shape; sh.Kind != surface.KindPlane ||
				math.Abs(sh.Axis.Dot(s.view.Frame.Z)) > level {
				continue
			}
			along := p.To.Sub(p.From)
			along = along.Scale(by / along.Norm())
			across := geom.Vec2{X: along.Y, Y: -along.X}
			from, to := p.From.Sub(along), p.To.Add(along)
			corners := [4]geom.Vec2{from, from.Add(across), to.Add(across), to}
			strip := make(region.Loop, len(corners))
			for k := range corners {
				strip[k] = region.Segment(corners[k], corners[(k+1)%len(corners)])
				strip[k].Tag = p.Tag
			}
			strips = append(strips, strip)
		}
	}
	return strips
}
