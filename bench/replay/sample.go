package replay

import (
	"math"
	"math/bits"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// sample is a place of a tool on a piece.
type sample struct {
	*engager
	piece   *piece
	at      geom.Vec2
	heading geom.Vec2 // unit; zero on a plunge
}

// heading returns the unit direction of a piece at a place on it.
func (p *piece) heading(at geom.Vec2) geom.Vec2 {
	d := p.to.Sub(p.from)
	if p.turn != 0 {
		a := at.Sub(p.center)
		d = geom.Vec2{X: -a.Y, Y: a.X}
		if p.turn < 0 {
			d = d.Scale(-1)
		}
	}
	if l := d.Norm(); l > 0 {
		return d.Scale(1 / l)
	}
	return geom.Vec2{}
}

// circle is the unit vectors of points of the front half circle, for a heading along X.
var circle = func() (out [points]geom.Vec2) {
	for k := range out {
		sin, cos := math.Sincos((-90 + perPoint*(float64(k)+0.5)) * math.Pi / 180)
		out[k] = geom.Vec2{X: cos, Y: sin}
	}
	return out
}()

// within is the share of the flutes' radius at which points of the front are asked: hardly less than all of it, so that
// rounding does not put a point into what the next pass leaves.
const within = 1 - 1e-4

// front returns the number of points of the front half circle that are in material at a height above the tip.
func (s *sample) front(height float64) int {
	var at [points]geom.Vec2
	r := s.piece.tool.Cutting.radiusAt(height) * within
	for k, c := range circle {
		at[k] = geom.Vec2{
			X: s.at.X + r*(c.X*s.heading.X-c.Y*s.heading.Y), Y: s.at.Y + r*(c.X*s.heading.Y+c.Y*s.heading.X),
		}
	}
	return s.material(at[:], s.at, r, s.piece.hi+height)
}

// material counts those of up to 128 points on a circle at a height that are in material.
func (s *sample) material(at []geom.Vec2, center geom.Vec2, r, z float64) int {
	var left [2]uint64
	setups := len(s.indexes) - 1
	for k, p := range at {
		if s.inStock(s.frames[setups], geom.Vec3{X: p.X, Y: p.Y, Z: z}) {
			left[k/64] |= 1 << (k % 64)
		}
	}
	if left == [2]uint64{} {
		return 0
	}
	s.indexes[setups].near(center, r, z, func(q *piece) bool {
		if z < q.lo || z > q.hi+q.tool.Flute {
			return true
		}
		wide := q.tool.Cutting.radiusAt(z - q.lo)
		if q.distance(center) >= wide+r {
			return true
		}
		for h := range left {
			for m := left[h]; m != 0; m &= m - 1 {
				k := bits.TrailingZeros64(m)
				if q.distance(at[h*64+k]) < wide {
					left[h] &^= 1 << k
				}
			}
		}
		return left != [2]uint64{}
	})
	n := 0
	for h := range left {
		for m := left[h]; m != 0; m &= m - 1 {
			p := at[h*64+bits.TrailingZeros64(m)]
			if setups == 0 || !s.takenBefore(setups, s.frames[setups], geom.Vec3{X: p.X, Y: p.Y, Z: z}) {
				n++
			}
		}
	}
	return n
}

// isAir reports whether the front meets nothing along the flutes.
func (s *sample) isAir(flute float64) bool {
	const low = 0.02 // mm
	high := min(flute, s.box.Max.Z-s.piece.hi)
	for _, h := range []float64{low, 0.1 * high, 0.35 * high, 0.65 * high, 0.95 * high} {
		if h <= high && h > 0 && s.front(h) > 0 {
			return false
		}
	}
	return true
}

// isAirBeside reports whether flutes that go straight along the tool meet nothing beside them.
func (s *sample) isAirBeside() bool {
	s.heading = geom.Vec2{X: 1}
	if !s.isAir(s.piece.tool.Flute) {
		return false
	}
	s.heading = geom.Vec2{X: -1}
	return s.isAir(s.piece.tool.Flute)
}

// below reports whether the end of the tool meets material when its tip is at a height.
func (s *sample) below(tip float64) bool {
	const rings, low = 3, 0.02
	for ring := range rings + 1 {
		r := s.piece.radius * within * float64(ring) / rings
		h := s.piece.tool.Cutting.lowest(r)
		var at []geom.Vec2
		for k := range 8 * max(ring, 1) {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(8*max(ring, 1)))
			at = append(at, geom.Vec2{X: s.at.X + r*cos, Y: s.at.Y + r*sin})
		}
		if s.material(at, s.at, r, tip+h+low) > 0 {
			return true
		}
	}
	return false
}

// sorted returns the values of a list once each, ascending.
func sorted(list []float64) []float64 {
	slices.Sort(list)
	return slices.Compact(list)
}
