package faceted

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// T-junctions: a triangle is divided if one of its open sides runs along open sides of several others. The chain of the
// other sides is followed from the end of the side back to its start. All of its corners must lie within the slack of
// the side, each nearer to the start than the previous one.

// maxChain bounds the corners along one side.
const maxChain = 1 << 10

// openSide is a side without a partner, as it runs in its triangle, which may be divided at another side since.
type openSide struct {
	from, to int32 // points
	corner   int32
	isUsed   bool
}

// divideSides divides the triangles at open sides that run along chains of others.
func (s *stitcher) divideSides() {
	slack := max(s.tolerance, s.body.Slack)
	var open []openSide
	s.eachSide(func(group []side) { // two triangles that use a side in the same direction are connected
		if len(group) == 1 {
			c := group[0].corner
			open = append(open, openSide{from: s.start(c), to: s.start(next(c)), corner: c})
		}
	})
	if len(open) < 3 || !(slack > 0) {
		return
	}
	slices.SortFunc(open, func(a, b openSide) int { return cmp.Compare(a.corner, b.corner) })
	from := map[int32][]*openSide{}
	for i := range open {
		from[open[i].from] = append(from[open[i].from], &open[i])
	}
	pieces := map[int32][]int32{} // by triangle that is divided: all that it has become
	for i := range open {
		if open[i].isUsed {
			continue
		}
		chain, inner := s.along(&open[i], from, slack)
		if len(inner) == 0 {
			continue
		}
		open[i].isUsed = true
		for _, o := range chain {
			o.isUsed = true
		}
		slices.Reverse(inner)
		s.divide(&open[i], inner, pieces)
	}
	if len(pieces) > 0 {
		s.order()
		s.dropFlat() // where a corner is the one across
		s.listSides()
	}
}

// along returns the open sides that lead from the end of a side back to its start, and the corners between them.
func (s *stitcher) along(o *openSide, from map[int32][]*openSide, slack float64) (chain []*openSide, inner []int32) {
	p, d := s.points[o.from], s.points[o.to].Sub(s.points[o.from])
	length := d.Norm()
	if length == 0 {
		return nil, nil
	}
	d = d.Scale(1 / length)
	at, place := o.to, length
	for len(chain) < maxChain {
		var best *openSide
		onward, off := 0.0, slack
		for _, c := range from[at] {
			w := s.points[c.to].Sub(p)
			t := w.Dot(d)
			dist := w.AddScaled(-t, d).Norm()
			isOn := !c.isUsed && c != o && t < place && (t > 0 || c.to == o.from)
			if isOn && (dist < off || dist == off && best == nil) {
				best, onward, off = c, t, dist
			}
		}
		if best == nil {
			return nil, nil
		}
		chain = append(chain, best)
		if at, place = best.to, onward; at == o.from {
			return chain, inner
		}
		inner = append(inner, at)
	}
	return nil, nil
}

// divide cuts a triangle, or the piece of it with the given side, into a fan around the opposite corner. inner are the
// points from the start of the side to its end.
func (s *stitcher) divide(o *openSide, inner []int32, pieces map[int32][]int32) {
	a, b, c := o.from, o.to, o.corner
	whole := c / 3
	if list := pieces[whole]; list != nil { // the side belongs to one of them
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
		corners := [3]int32{last, v, apex}
		if i > 0 {
			pieces[whole] = append(pieces[whole], int32(len(s.tris)))
			s.tris, s.face = append(s.tris, corners), append(s.face, s.face[t])
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
