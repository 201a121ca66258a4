package shadow

import (
	"cmp"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// A loop around a sheet of triangles has the same winding number about a point as the loops of the triangles together:
// their shared sides cancel. So only sides that are not shared are kept and chained. These are the sides at the edge of
// the sheet, found once, and the sides along a height, from the triangles that it cuts.

// facets collects the projected sides of triangles.
type facets struct {
	sides []facetSide
	at    map[[2]geom.Vec2]int32 // last remaining side between two points
}

// facetSide is a side of a triangle.
type facetSide struct {
	from, to geom.Vec2
	last     int32 // the previous side between the same points, -1 without one
	isGone   bool
}

// add appends a side, or cancels an opposite one.
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

// loops returns the remaining sides, chained, with a tag. At every point, equally many sides begin and end.
func (f *facets) loops(tag int32) []planar.Loop {
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
	var loops []planar.Loop
	for i := range f.sides {
		var loop planar.Loop
		for k := int32(i); k >= 0 && !f.sides[k].isGone; {
			s := &f.sides[k]
			s.isGone = true
			piece := planar.NewLine(s.from, s.to)
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

// sheet is the set of upward triangles of a patch.
type sheet struct {
	rim       [][2]geom.Vec3 // unshared sides, from corner to corner
	triangles [][3]geom.Vec3
	from      float64   // mm, along the direction, height of the lowest corner
	slices    [][]int32 // triangles that reach into slices of one height, from the lowest
	thick     float64   // mm, thickness of a slice
}

// slicesMost is the maximum number of slices of a sheet.
const slicesMost = 64

// newSheet collects the upward triangles of a patch.
func (s *Shadow) newSheet(patch int32) *sheet {
	up := s.view.Frame.Z
	h := &sheet{}
	open := map[[2]geom.Vec3]int{}
	s.view.Graph.EachTriangle(patch, func(a, b, c geom.Vec3) bool {
		if b.Sub(a).Cross(c.Sub(a)).Dot(up) <= 0 {
			return true
		}
		t := [3]geom.Vec3{a, b, c}
		h.triangles = append(h.triangles, t)
		for i := range t {
			side, back := [2]geom.Vec3{t[i], t[(i+1)%3]}, [2]geom.Vec3{t[(i+1)%3], t[i]}
			if open[back] > 0 {
				open[back]--
			} else {
				open[side]++
			}
		}
		return true
	})
	span := geom.EmptyInterval()
	reach := func(t *[3]geom.Vec3) (lo, hi float64) {
		a, b, c := t[0].Dot(up), t[1].Dot(up), t[2].Dot(up)
		return min(a, b, c), max(a, b, c)
	}
	for i := range h.triangles {
		t := &h.triangles[i]
		for k := range t {
			if side := [2]geom.Vec3{t[k], t[(k+1)%3]}; open[side] > 0 {
				open[side]--
				h.rim = append(h.rim, side)
			}
		}
		lo, hi := reach(t)
		span.Lo, span.Hi = min(span.Lo, lo), max(span.Hi, hi)
	}
	n := min(slicesMost, 1+len(h.triangles)/4)
	h.from, h.thick, h.slices = span.Lo, span.Length()/float64(n), make([][]int32, n)
	for i := range h.triangles {
		lo, hi := reach(&h.triangles[i])
		for k := h.slice(lo); k <= h.slice(hi); k++ {
			h.slices[k] = append(h.slices[k], int32(i))
		}
	}
	return h
}

// slice returns which one a height is in.
func (h *sheet) slice(z float64) int {
	if !(h.thick > 0) || z <= h.from {
		return 0
	}
	return min(max(int((z-h.from)/h.thick), 0), len(h.slices)-1)
}

// cut returns projected loops around the upward triangles of a patch above a height: the edge of the sheet above it,
// and the lines in which the height cuts triangles.
func (s *Shadow) cut(patch int32, z float64) []planar.Loop {
	h, _ := s.sheets.Get(patch, func() (*sheet, error) { return s.newSheet(patch), nil })
	f := facets{at: map[[2]geom.Vec2]int32{}}
	up := s.view.Frame.Z
	height := z + s.view.Frame.Origin.Dot(up)
	for _, side := range h.rim {
		p, q := side[0], side[1]
		switch hp, hq := p.Dot(up)-height, q.Dot(up)-height; {
		case hp >= 0 && hq >= 0:
			f.add(s.point(p), s.point(q))
		case hp >= 0:
			f.add(s.point(p), s.point(crossing(p, q, hp, hq)))
		case hq >= 0:
			f.add(s.point(crossing(p, q, hp, hq)), s.point(q))
		}
	}
	if len(h.triangles) == 0 {
		return nil
	}
	for _, i := range h.slices[h.slice(height)] {
		t := &h.triangles[i]
		var out, in geom.Vec3 // points at which the triangle's loop falls below the height and rises again
		isCut := false
		for k, p := range t {
			q := t[(k+1)%3]
			switch hp, hq := p.Dot(up)-height, q.Dot(up)-height; {
			case hp >= 0 && hq < 0:
				out, isCut = crossing(p, q, hp, hq), true
			case hp < 0 && hq >= 0:
				in = crossing(p, q, hp, hq)
			}
		}
		if isCut {
			f.add(s.point(out), s.point(in))
		}
	}
	return f.loops(patch)
}

// crossing returns the point at which a side crosses a height; hp and hq are the heights of its ends above it. Two
// polygons that share the side get the same point.
func crossing(p, q geom.Vec3, hp, hq float64) geom.Vec3 {
	if cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y), cmp.Compare(p.Z, q.Z)) < 0 {
		p, q, hp, hq = q, p, hq, hp
	}
	return p.Lerp(q, hp/(hp-hq))
}
