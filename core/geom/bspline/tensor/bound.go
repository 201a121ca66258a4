package tensor

import (
	"math"

	"millwright/core/geom"
	"millwright/core/geom/bspline"
)

// box and slab hold half as many bytes as they would in float64; rounding makes them larger, never
// smaller.
type box struct{ lo, hi [3]float32 }

type slab struct {
	n      [3]float32 // about unit, or zero where the cell has no normal
	lo, hi float32    // range of n·P
}

// unitError bounds what rounding a unit vector to float32 adds to its squared length.
const unitError = 1e-6

func hullOf(net []bspline.Hom) geom.Box {
	b := geom.EmptyBox()
	for _, h := range net {
		b = b.Add(h.Point())
	}
	return b
}

// slabOf returns the slab of a Bézier net with q columns across the product of its diagonals.
func slabOf(net []bspline.Hom, q int) (s slab) {
	last := len(net) - 1
	d1 := net[last].Point().Sub(net[0].Point())
	d2 := net[last-q+1].Point().Sub(net[q-1].Point())
	n := d1.Cross(d2).Unit()
	s.n = [3]float32{float32(n.X), float32(n.Y), float32(n.Z)}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, h := range net {
		d := s.along(h.Point())
		lo, hi = min(lo, d), max(hi, d)
	}
	s.lo, s.hi = below(lo), above(hi)
	return s
}

func (s *slab) along(p geom.Vec3) float64 {
	return float64(s.n[0])*p.X + float64(s.n[1])*p.Y + float64(s.n[2])*p.Z
}

// below and above round to float32 outwards, by one step more for the rounding of what made x.
func below(x float64) float32 {
	return math.Nextafter32(math.Nextafter32(float32(x), float32(math.Inf(-1))), float32(math.Inf(-1)))
}

func above(x float64) float32 { return -below(-x) }

func round(b *geom.Box) box {
	return box{
		lo: [3]float32{below(b.Min.X), below(b.Min.Y), below(b.Min.Z)},
		hi: [3]float32{above(b.Max.X), above(b.Max.Y), above(b.Max.Z)},
	}
}

func distance2(b *box, p geom.Vec3) float64 {
	dx := max(0, float64(b.lo[0])-p.X, p.X-float64(b.hi[0]))
	dy := max(0, float64(b.lo[1])-p.Y, p.Y-float64(b.hi[1]))
	dz := max(0, float64(b.lo[2])-p.Z, p.Z-float64(b.hi[2]))
	return dx*dx + dy*dy + dz*dz
}
