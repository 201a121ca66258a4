package faceted

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// component is a connected set of faces of the body.
type component struct {
	faces    []int32 // ascending
	closed   bool    // every side has a partner
	volume   float64 // mm³, signed; meaningless when not closed
	box      geom.Box
	point    geom.Vec3 // one of its points
	parent   int       // the smallest closed component around it; -1 = no parent
	isHollow bool      // it bounds a void of its parent
}

// components finds the connected sets of faces, in the order of their first faces.
func (s *stitcher) components() []component {
	set := make([]int32, len(s.body.Faces))
	for i := range set {
		set[i] = int32(i)
	}
	root := func(i int32) int32 {
		for set[i] != i {
			set[i] = set[set[i]]
			i = set[i]
		}
		return i
	}
	s.eachSide(func(group []side) {
		a := root(s.face[group[0].corner/3])
		for _, o := range group[1:] {
			b := root(s.face[o.corner/3])
			set[max(a, b)] = min(a, b)
			a = min(a, b)
		}
	})
	place := make([]int, len(set))
	var out []component
	for _, t := range s.used() {
		r := root(t)
		if r == t {
			place[r] = len(out)
			out = append(out, component{closed: true, box: geom.EmptyBox(), parent: -1})
		}
		out[place[r]].faces = append(out[place[r]].faces, t)
	}
	s.eachSide(func(group []side) {
		up := 0
		for _, o := range group {
			if s.runsUp(o.corner) {
				up++
			}
		}
		if 2*up != len(group) {
			out[place[root(s.face[group[0].corner/3])]].closed = false
		}
	})
	center := geom.BoxOf(s.points...).Center()
	for i, t := range s.tris {
		c := &out[place[root(s.face[i])]]
		a, b, d := s.points[t[0]], s.points[t[1]], s.points[t[2]]
		c.volume += a.Sub(center).Dot(b.Sub(center).Cross(d.Sub(center))) / 6
		c.box = c.box.Add(a).Add(b).Add(d)
		c.point = a
	}
	return out
}

// used lists the faces that have triangles, ascending.
func (s *stitcher) used() []int32 { return slices.Compact(slices.Clone(s.face)) }

// nest finds the nesting of components, and flips sets of nested components whose outermost one is inside out.
func (s *stitcher) nest(parts []component) {
	for i := range parts {
		for j := range parts {
			c, p := &parts[i], &parts[j]
			if i == j || !p.closed || !contains(p.box, c.box) || math.Abs(p.volume) <= math.Abs(c.volume) ||
				c.parent >= 0 && math.Abs(parts[c.parent].volume) <= math.Abs(p.volume) {
				continue
			}
			if s.winds(p, c.point) {
				c.parent = j
			}
		}
	}
	var over []int
	for i := range parts {
		top := i
		for parts[top].parent >= 0 {
			top = parts[top].parent
		}
		if parts[top].closed && parts[top].volume < 0 {
			over = append(over, i)
		}
	}
	for _, i := range over {
		s.turnOver(&parts[i])
	}
	for i := range parts {
		c := &parts[i]
		// A component that encloses a negative volume is a hole in its parent.
		c.isHollow = c.closed && c.parent >= 0 && c.volume < 0 && parts[c.parent].volume > 0
	}
	if len(over) > 0 {
		s.listSides()
	}
}

func contains(outer, inner geom.Box) bool {
	return outer.Contains(inner.Min, 0) && outer.Contains(inner.Max, 0)
}

// turnOver flips all triangles of a component.
func (s *stitcher) turnOver(c *component) {
	c.volume = -c.volume
	for t := range s.tris {
		if _, ok := slices.BinarySearch(c.faces, s.face[t]); ok {
			s.flip(int32(t))
		}
	}
}

// winds reports whether a closed component winds around p: the sum of the solid angles of its triangles
// (A. Van Oosterom, J. Strackee, The solid angle of a plane triangle, 1983) is ±4π inside and 0 outside.
func (s *stitcher) winds(c *component, p geom.Vec3) bool {
	sum := 0.0
	for i, t := range s.tris {
		if _, ok := slices.BinarySearch(c.faces, s.face[i]); !ok {
			continue
		}
		a, b, d := s.points[t[0]].Sub(p), s.points[t[1]].Sub(p), s.points[t[2]].Sub(p)
		la, lb, ld := a.Norm(), b.Norm(), d.Norm()
		sum += 2 * math.Atan2(a.Dot(b.Cross(d)), la*lb*ld+a.Dot(b)*ld+b.Dot(d)*la+d.Dot(a)*lb)
	}
	return math.Abs(sum) > 2*math.Pi
}
