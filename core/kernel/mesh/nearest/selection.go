package nearest

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Selection is some regions of a mesh. It is safe for concurrent use.
type Selection struct {
	finder *Finder
	isIn   []bool   // by facet
	some   []bool   // by node: it has such facets
	box    geom.Box // around them
}

// Select returns the regions for which keep is true.
func (f *Finder) Select(keep func(region int) bool) *Selection {
	s := &Selection{
		finder: f, isIn: make([]bool, len(f.facets)), some: make([]bool, len(f.boxes)), box: geom.EmptyBox(),
	}
	for i := range f.facets {
		if t := &f.facets[i]; keep(t.region) {
			s.isIn[i], s.some[f.leaves-1+i/leafSize], s.box = true, true, s.box.Union(t.box)
		}
	}
	for k := f.leaves - 2; k >= 0; k-- {
		s.some[k] = s.some[2*k+1] || s.some[2*k+2]
	}
	return s
}

// Nearest returns the region of the selection that is nearest to a point, within reach (mm); -1 without one.
func (s *Selection) Nearest(p geom.Vec3, reach float64) (region int) {
	region = -1
	best := math.Inf(1)
	s.visit(p, reach+Equal, func(k int32, most float64) float64 {
		t := &s.finder.facets[k]
		if d := t.distance(p); d <= reach && d < best {
			region, best = t.region, d
		}
		return min(most, best+Equal)
	})
	return region
}

// IsWithin reports whether the selection comes within reach (mm) of a point.
func (s *Selection) IsWithin(p geom.Vec3, reach float64) bool {
	found := false
	s.visit(p, reach, func(k int32, reach float64) float64 {
		if s.finder.facets[k].distance(p) <= reach {
			found = true
			return -1
		}
		return reach
	})
	return found
}

// visit is Finder.visit for the facets of the selection.
func (s *Selection) visit(p geom.Vec3, reach float64, look func(k int32, reach float64) float64) {
	if !(beside2(&s.box, p) <= reach*reach) {
		return
	}
	s.finder.visit(p, reach, s.some, func(k int32, reach float64) float64 {
		if !s.isIn[k] {
			return reach
		}
		return look(k, reach)
	})
}
