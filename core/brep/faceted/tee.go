package faceted

import (
	"slices"

	"millwright/core/geom"
)

// T-junctions: a triangle whose open side runs along open sides of several others is divided at their corners. The
// chain of these is followed from the end of the side back to its start; all of its corners have to lie within the
// slack of the side, each nearer to the start than the one before.

// maxChain bounds the corners along one side.
const maxChain = 1 << 10

// divideSides divides the triangles at open sides that run along chains of others.
func (s *stitcher) divideSides() {
	slack := max(s.tolerance, s.body.Slack)
	var open []int32                // corners of open sides
	from := map[int32][]int32{}     // by point: the open sides that begin there
	s.eachSide(func(group []side) { // a side that two triangles have the same way round is no gap
		if len(group) == 1 {
			c := group[0].corner
			open = append(open, c)
			at := s.tris[c/3][c%3]
			from[at] = append(from[at], c)
		}
	})
	if len(open) < 3 || !(slack > 0) {
		return
	}
	slices.Sort(open)
	used := map[int32]bool{}
	pieces := map[int32][]int32{} // by triangle that is divided: all that it has become
	divided := false
	for _, c := range open {
		if used[c] {
			continue
		}
		chain, inner := s.along(c, from, used, slack)
		if len(inner) == 0 {
			continue
		}
		used[c] = true
		for _, o := range chain {
			used[o] = true
		}
		slices.Reverse(inner)
		s.divide(c, inner, pieces)
		divided = true
	}
	if divided {
		s.order()
		s.dropFlat() // where a corner is the one across
		s.listSides()
	}
}

// along returns the open sides that lead from the end of a side back to its start, and the corners between them.
func (s *stitcher) along(c int32, from map[int32][]int32, used map[int32]bool, slack float64) (chain, inner []int32) {
	a, b := s.tris[c/3][c%3], s.tris[c/3][(c%3+1)%3]
	p, d := s.points[a], s.points[b].Sub(s.points[a])
	length := d.Norm()
	if length == 0 {
		return nil, nil
	}
	d = d.Scale(1 / length)
	at, place := b, length
	for len(chain) < maxChain {
		best, next, off := int32(-1), 0.0, slack
		for _, o := range from[at] {
			v := s.tris[o/3][(o%3+1)%3]
			w := s.points[v].Sub(p)
			t := w.Dot(d)
			dist := w.AddScaled(-t, d).Norm()
			if !used[o] && o != c && t < place && (t > 0 || v == a) && (dist < off || dist == off && best < 0) {
				best, next, off = o, t, dist
			}
		}
		if best < 0 {
			return nil, nil
		}
		chain = append(chain, best)
		if at, place = s.tris[best/3][(best%3+1)%3], next; at == a {
			return chain, inner
		}
		inner = append(inner, at)
	}
	return nil, nil
}

// divide cuts a triangle, or the piece of it that has a side of it, into a fan around the corner across, with inner
// points from the start of the side to its end.
func (s *stitcher) divide(c int32, inner []int32, pieces map[int32][]int32) {
	whole := c / 3
	a, b := s.tris[whole][c%3], s.tris[whole][(c%3+1)%3]
	if list := pieces[whole]; list != nil { // the side is that of one of them
		for _, t := range list {
			if k := slices.Index(s.tris[t][:], a); k >= 0 && s.tris[t][(k+1)%3] == b {
				c = 3*t + int32(k)
				break
			}
		}
	} else {
		pieces[whole] = []int32{whole}
	}
	t, k := c/3, c%3
	apex := s.tris[t][(k+2)%3]
	var na, nb, nc geom.Vec3
	if s.normals != nil {
		na, nb, nc = s.normals[3*t+k], s.normals[3*t+(k+1)%3], s.normals[3*t+(k+2)%3]
	}
	last, before := a, na
	for i, v := range append(slices.Clone(inner), b) {
		n := nb
		if i < len(inner) && s.normals != nil {
			share := s.points[v].Dist(s.points[a]) / s.points[b].Dist(s.points[a])
			n = na.Lerp(nb, min(share, 1)).Unit()
		}
		piece, corners := t, [3]int32{last, v, apex}
		if i > 0 {
			piece = int32(len(s.tris))
			s.tris, s.face = append(s.tris, corners), append(s.face, s.face[t])
			pieces[whole] = append(pieces[whole], piece)
			if s.normals != nil {
				s.normals = append(s.normals, before, n, nc)
			}
		} else {
			s.tris[t] = corners
			if s.normals != nil {
				copy(s.normals[3*t:], []geom.Vec3{before, n, nc})
			}
		}
		last, before = v, n
	}
}

// order puts the triangles back in the order of their faces.
func (s *stitcher) order() {
	at := make([]int32, len(s.tris))
	for i := range at {
		at[i] = int32(i)
	}
	slices.SortStableFunc(at, func(a, b int32) int { return int(s.face[a]) - int(s.face[b]) })
	tris, face := make([][3]int32, len(at)), make([]int32, len(at))
	var normals []geom.Vec3
	for i, t := range at {
		tris[i], face[i] = s.tris[t], s.face[t]
		if s.normals != nil {
			normals = append(normals, s.normals[3*t:3*t+3]...)
		}
	}
	s.tris, s.face, s.normals = tris, face, normals
}
