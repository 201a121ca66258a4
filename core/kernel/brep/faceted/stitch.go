package faceted

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/hashgrid"
)

// stitcher finds which triangles are neighbors.
type stitcher struct {
	body      Body
	tolerance float64 // mm

	points  []geom.Vec3 // distinct
	normals []geom.Vec3 // by corner of a triangle, 3 for each; nil when no face has any
	tris    [][3]int32  // into points, face after face
	face    []int32     // by triangle: the face of the body
	sides   []side      // sorted: sides of one pair of points are adjacent
	twin    []int32     // by corner 3t+k: the corner of the side on the other side within its face, or -1
	flipped []bool      // by triangle: it is flipped; nil = no triangle
	flat    int
}

// side is the side of a triangle from its corner k to the next.
type side struct {
	lo, hi int32 // points, lo < hi
	corner int32 // 3·triangle + k
}

// load makes one table of the faces' triangles, with corners at the same coordinates made one.
func (s *stitcher) load() error {
	n, withNormals := 0, false
	for i := range s.body.Faces {
		n += len(s.body.Faces[i].Triangles)
		withNormals = withNormals || s.body.Faces[i].Normals != nil
	}
	const most = math.MaxInt32 / 4 // corners are numbered in int32
	if n > most {
		return fmt.Errorf("it has %d triangles, more than %d", n, most)
	}
	s.tris, s.face = make([][3]int32, 0, n), make([]int32, 0, n)
	if withNormals {
		s.normals = make([]geom.Vec3, 0, 3*n)
	}
	l := loader{stitcher: s, places: make(map[geom.Vec3]int32, n/2+4), lists: map[*geom.Vec3][]int32{}}
	for i := range s.body.Faces {
		f := &s.body.Faces[i]
		if n := len(f.Normals); n > 1 && n != len(f.Points) {
			return fmt.Errorf("face %d has %d normals for %d points", i, n, len(f.Points))
		}
		for _, t := range f.Triangles {
			var g [3]int32
			for k, v := range t {
				if v < 0 || int(v) >= len(f.Points) {
					return fmt.Errorf("face %d has a triangle with an invalid corner", i)
				}
				if g[k] = l.point(f.Points, v); g[k] < 0 {
					return fmt.Errorf("face %d has a point that is not finite", i)
				}
				if withNormals {
					s.normals = append(s.normals, f.normal(v))
				}
			}
			s.tris, s.face = append(s.tris, g), append(s.face, int32(i))
		}
	}
	return nil
}

// normal returns the normal at a point, zero if it is not given.
func (f *Face) normal(v int32) geom.Vec3 {
	switch len(f.Normals) {
	case 0:
		return geom.Vec3{}
	case 1:
		return f.Normals[0]
	}
	return f.Normals[v]
}

// loader numbers the distinct points that triangles use. Faces that share a list of points, as in most files, share the
// numbers too.
type loader struct {
	*stitcher
	places map[geom.Vec3]int32
	lists  map[*geom.Vec3][]int32 // by the first point of a list: number + 1 of each point, 0 = not known yet
}

// point returns the number of the v-th of a list of points, -1 when it is not finite.
func (l *loader) point(list []geom.Vec3, v int32) int32 {
	known := l.lists[&list[0]]
	if len(known) < len(list) {
		known = append(known, make([]int32, len(list)-len(known))...)
		l.lists[&list[0]] = known
	}
	if known[v] != 0 {
		return known[v] - 1
	}
	p := list[v]
	if !p.IsFinite() {
		return -1
	}
	p = geom.Vec3{X: p.X + 0, Y: p.Y + 0, Z: p.Z + 0} // no negative zeros
	id, ok := l.places[p]
	if !ok {
		id = int32(len(l.points))
		l.places[p] = id
		l.points = append(l.points, p)
	}
	known[v] = id + 1
	return id
}

// weld merges points within the tolerance of each other if they lie on sides that would otherwise stay open. It drops
// triangles that lose their area or occur twice.
func (s *stitcher) weld() {
	s.dropFlat()
	s.listSides()
	into := s.nearOpen()
	if into == nil {
		return
	}
	for i := range s.tris {
		for k, v := range s.tris[i] {
			s.tris[i][k] = into[v]
		}
	}
	s.dropFlat()
	s.listSides()
}

// dropFlat drops triangles with two equal corners, and all but the first on the same three points.
func (s *stitcher) dropFlat() {
	type key struct {
		corners [3]int32
		t       int32
	}
	keys := make([]key, len(s.tris))
	for i, t := range s.tris {
		slices.Sort(t[:])
		keys[i] = key{t, int32(i)}
	}
	keys = byPoint(keys, len(s.points), func(k key) int32 { return k.corners[0] }, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.corners[1], b.corners[1]), cmp.Compare(a.corners[2], b.corners[2]),
			cmp.Compare(a.t, b.t))
	})
	drop := make([]bool, len(s.tris))
	for i, k := range keys {
		c := k.corners
		drop[k.t] = c[0] == c[1] || c[1] == c[2] || i > 0 && keys[i-1].corners == c
	}
	n := 0
	for i := range s.tris {
		if drop[i] {
			s.flat++
			continue
		}
		s.tris[n], s.face[n] = s.tris[i], s.face[i]
		if s.normals != nil {
			copy(s.normals[3*n:3*n+3], s.normals[3*i:3*i+3])
		}
		n++
	}
	s.tris, s.face = s.tris[:n], s.face[:n]
	if s.normals != nil {
		s.normals = s.normals[:3*n]
	}
}

// listSides fills s.sides.
func (s *stitcher) listSides() {
	s.sides = s.sides[:0]
	for i, t := range s.tris {
		for k := range 3 {
			a, b := t[k], t[(k+1)%3]
			s.sides = append(s.sides, side{min(a, b), max(a, b), int32(3*i + k)})
		}
	}
	s.sides = byPoint(s.sides, len(s.points), func(d side) int32 { return d.lo }, func(a, b side) int {
		return cmp.Or(cmp.Compare(a.hi, b.hi), cmp.Compare(a.corner, b.corner))
	})
}

// byPoint sorts a list by a number below n, then by compare: by counting, as few entries have the same.
func byPoint[T any](list []T, n int, number func(T) int32, compare func(a, b T) int) []T {
	ends := make([]int32, n+1)
	for _, x := range list {
		ends[number(x)+1]++
	}
	for i := range n {
		ends[i+1] += ends[i]
	}
	out := make([]T, len(list))
	for _, x := range list {
		at := &ends[number(x)]
		out[*at] = x
		*at++
	}
	first := int32(0)
	for _, end := range ends[:n] { // which has moved to where the next number begins
		slices.SortFunc(out[first:end], compare)
		first = end
	}
	return out
}

// eachSide calls f with the sides between every two points that have any.
func (s *stitcher) eachSide(f func(group []side)) {
	for i := 0; i < len(s.sides); {
		j := i + 1
		for j < len(s.sides) && s.sides[j].lo == s.sides[i].lo && s.sides[j].hi == s.sides[i].hi {
			j++
		}
		f(s.sides[i:j])
		i = j
	}
}

// runsUp reports whether a side runs from its lower to its higher point.
func (s *stitcher) runsUp(corner int32) bool {
	t := s.tris[corner/3]
	return t[corner%3] < t[(corner%3+1)%3]
}

// nearOpen returns for every point the one it becomes, nil when nothing changes: the first point of an
// open side within the tolerance.
func (s *stitcher) nearOpen() []int32 {
	var open []int32
	s.eachSide(func(group []side) {
		if len(group) == 1 {
			open = append(open, group[0].lo, group[0].hi)
		}
	})
	if len(open) == 0 || !(s.tolerance > 0) {
		return nil
	}
	slices.Sort(open)
	open = slices.Compact(open)
	kept := hashgrid.New[[]int32](s.tolerance)
	var into []int32
	for _, v := range open {
		p := s.points[v]
		best, dist := int32(-1), s.tolerance
		kept.Around(p, func(list *[]int32) {
			for _, w := range *list {
				if d := p.Dist(s.points[w]); d <= dist && (d < dist || w < best || best < 0) {
					best, dist = w, d
				}
			}
		})
		if best < 0 {
			list := kept.At(p)
			*list = append(*list, v)
			continue
		}
		if into == nil {
			into = make([]int32, len(s.points))
			for i := range into {
				into[i] = int32(i)
			}
		}
		into[v] = best
	}
	return into
}

// orient flips triangles so that neighbors across a side of exactly two triangles use it in opposite directions. It
// flips the smaller part of each connected set. Most files need no flips. The contradictions of a non-orientable set
// stay.
func (s *stitcher) orient() {
	other := make([]int32, 3*len(s.tris)) // by corner: the corner across its side; -1 = no corner
	for i := range other {
		other[i] = -1
	}
	agree := true
	s.eachSide(func(group []side) {
		if len(group) != 2 {
			return
		}
		a, b := group[0].corner, group[1].corner
		other[a], other[b] = b, a
		agree = agree && s.runsUp(a) != s.runsUp(b)
	})
	if agree {
		return
	}
	flip, seen := make([]bool, len(s.tris)), make([]bool, len(s.tris))
	var set []int32
	for first := range s.tris {
		if seen[first] {
			continue
		}
		seen[first], set = true, append(set[:0], int32(first))
		flips := 0
		for i := 0; i < len(set); i++ {
			t := set[i]
			for k := range int32(3) {
				o := other[3*t+k]
				if o < 0 || seen[o/3] {
					continue
				}
				seen[o/3] = true
				same := s.runsUp(3*t+k) == s.runsUp(o)
				if flip[o/3] = flip[t] != same; flip[o/3] {
					flips++
				}
				set = append(set, o/3)
			}
		}
		more := 2*flips > len(set)
		for _, t := range set {
			if flip[t] != more {
				s.flip(t)
			}
		}
	}
	s.listSides()
}

// flip reverses a triangle.
func (s *stitcher) flip(t int32) {
	if s.flipped == nil {
		s.flipped = make([]bool, len(s.tris))
	}
	s.flipped[t] = !s.flipped[t]
	c := &s.tris[t]
	c[1], c[2] = c[2], c[1]
	if s.normals != nil {
		n := s.normals[3*t : 3*t+3]
		n[1], n[2] = n[2], n[1]
	}
}

// pair fills s.twin: sides between two triangles of one face in opposite directions are inside the face.
func (s *stitcher) pair() {
	s.twin = make([]int32, 3*len(s.tris))
	for i := range s.twin {
		s.twin[i] = -1
	}
	s.eachSide(func(group []side) {
		for i := range group {
			a := group[i].corner
			for j := i + 1; j < len(group) && s.twin[a] < 0; j++ {
				b := group[j].corner
				if s.twin[b] < 0 && s.face[a/3] == s.face[b/3] && s.runsUp(a) != s.runsUp(b) {
					s.twin[a], s.twin[b] = b, a
				}
			}
		}
	})
}
