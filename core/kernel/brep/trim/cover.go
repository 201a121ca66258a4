package trim

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// IsEitherSide reports whether a loop may bound the region on its left on a surface as well as the region on its right:
// the surface closes in both directions, or between poles.
func IsEitherSide(s surface.Surface) bool {
	u, v := s.Periods()
	return u > 0 && v > 0 || len(s.Singularities()) > 1
}

// PointLocator tests whether points of the parameter plane are in the region of a domain.
type PointLocator struct {
	Polygons [][]geom.Vec2
	Lo, Hi   geom.Vec2 // the extent
}

// PointLocator returns a locator for the domain without its polygons. It stays valid when the domain does not.
func (d *Domain) PointLocator() PointLocator {
	r := PointLocator{Lo: geom.Vec2{X: math.Inf(1), Y: math.Inf(1)}, Hi: geom.Vec2{X: math.Inf(-1), Y: math.Inf(-1)}}
	for _, polygon := range d.Polygons {
		points := make([]geom.Vec2, len(polygon))
		for i := range polygon {
			uv := polygon[i].UV
			points[i] = uv
			r.Lo = geom.Vec2{X: min(r.Lo.X, uv.X), Y: min(r.Lo.Y, uv.Y)}
			r.Hi = geom.Vec2{X: max(r.Hi.X, uv.X), Y: max(r.Hi.Y, uv.Y)}
		}
		r.Polygons = append(r.Polygons, points)
	}
	return r
}

// Contains reports whether a point of the parameter plane, or a copy whole periods away, is in the region. A period of
// 0 means not periodic.
func (r *PointLocator) Contains(uv geom.Vec2, periodU, periodV float64) bool {
	return eachShift(uv.X, r.Lo.X, r.Hi.X, periodU, func(u float64) bool {
		return eachShift(uv.Y, r.Lo.Y, r.Hi.Y, periodV, func(v float64) bool {
			inside := false
			for _, p := range r.Polygons {
				inside = inside != Encloses(p, geom.Vec2{X: u, Y: v})
			}
			return inside
		})
	})
}

// eachShift calls do with x moved by whole periods into [lo, hi] until it returns true.
func eachShift(x, lo, hi, period float64, do func(float64) bool) bool {
	if period == 0 {
		return do(x)
	}
	for x += period * math.Ceil((lo-x)/period); x <= hi; x += period {
		if do(x) {
			return true
		}
	}
	return false
}

// Encloses reports whether a polygon has a point inside, by the parity of its crossings with a ray from there.
func Encloses(polygon []geom.Vec2, p geom.Vec2) bool {
	odd := false
	for i, b := range polygon {
		a := polygon[(i+len(polygon)-1)%len(polygon)]
		if (a.Y > p.Y) != (b.Y > p.Y) && p.X < a.X+(b.X-a.X)*(p.Y-a.Y)/(b.Y-a.Y) {
			odd = !odd
		}
	}
	return odd
}
