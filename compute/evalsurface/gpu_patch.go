package evalsurface

import (
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// classOf returns the index of the smallest of patchOrders that is enough for a surface.
func classOf(s *surface.BSpline) int {
	p, q := s.Degrees()
	c := 0
	for patchOrders[c] <= max(p, q) {
		c++
	}
	return c
}

const patchVectors = 4 // of a record

// pieceOf returns a function that maps parameters to [0, 1] within their polynomial piece, and to the number of the
// piece.
func pieceOf(s *surface.BSpline) func(u, v float64) (x, y float64, piece uint32) {
	net := s.Net()
	columns := net.V.Pieces()
	return func(u, v float64) (x, y float64, piece uint32) {
		u, v = s.Inside(u, v)
		i, j := net.U.Piece(u), net.V.Piece(v)
		return within(net.U, i, u), within(net.V, j, v), uint32(i*columns + j)
	}
}

// addPatches appends the patches that n samples from place at on lie in, and makes them their owners in the place
// of the numbers of the pieces. Answers that are points alone need no bounds of errors.
func (m *samples) addPatches(ctx context.Context, s *surface.BSpline, at, n int, origin geom.Vec3, whole bool) error {
	net := s.Net()
	p, q, columns := net.U.Degree(), net.V.Degree(), uint32(net.V.Pieces())
	first := len(m.record) / patchVectors
	owners := make(map[uint32]uint32)
	var pieces []uint32
	last, owner := uint32(math.MaxUint32), uint32(0)
	for k, piece := range m.owner[at : at+n] {
		if piece != last {
			known := false
			if owner, known = owners[piece]; !known {
				owner = uint32(first + len(pieces))
				owners[piece] = owner
				pieces = append(pieces, piece)
			}
			last = piece
		}
		m.owner[at+k] = owner
	}
	points, start := (p+1)*(q+1), len(m.net)
	m.net = slices.Grow(m.net, len(pieces)*points)[:start+len(pieces)*points]
	m.record = slices.Grow(m.record, len(pieces)*patchVectors)[:(first+len(pieces))*patchVectors]
	return primitive.OnHost(ctx, len(pieces), func(k int) {
		patch := patch{net.Bezier(int(pieces[k]/columns), int(pieces[k]%columns)), p, q, net.Rational(), origin}
		patch.write(m.record[(first+k)*patchVectors:], m.net, start+k*points, whole)
	})
}

// within maps a piece to [0, 1].
func within(k *bspline.Knots, piece int, t float64) float64 {
	lo, hi := k.Breaks()[piece], k.Breaks()[piece+1]
	return (t - lo) / (hi - lo)
}

// patch is a polynomial piece of a surface by its homogeneous Bézier points.
type patch struct {
	points   []bspline.Hom
	p, q     int // degrees
	rational bool
	origin   geom.Vec3
}

// write fills in the record of a patch, and its points in the net from place first on, counted from its own middle.
func (t *patch) write(record, net [][4]float32, first int, whole bool) {
	box, heaviest := geom.EmptyBox(), 0.0
	for _, h := range t.points {
		box = box.Add(h.Point())
		heaviest = max(heaviest, h.W)
	}
	// The middle is rounded first, so that offsets are relative to the exact value that the device adds.
	c := box.Center().Sub(t.origin)
	middle := [3]float32{float32(c.X), float32(c.Y), float32(c.Z)}
	c = t.origin.Add(geom.Vec3{X: float64(middle[0]), Y: float64(middle[1]), Z: float64(middle[2])})
	local := make([]bspline.Hom, len(t.points))
	radius := 0.0
	for i, h := range t.points {
		d := h.Point().Sub(c)
		radius = max(radius, d.Norm())
		local[i] = bspline.Lift(d, h.W/heaviest)
		net[first+i] = [4]float32{
			float32(local[i].X), float32(local[i].Y), float32(local[i].Z), float32(local[i].W),
		}
	}
	var e [5]float64
	if whole {
		e = patchErrors(local, t.p, t.q, radius, t.rational)
	}
	flag := uint32(0)
	if t.rational {
		flag = 1
	}
	inverse := 0.0
	if radius > 0 {
		inverse = 1 / radius
	}
	copy(record, [][4]float32{
		{middle[0], middle[1], middle[2], float32(inverse)},
		{float32(e[0]), float32(e[1]), float32(e[2]), float32(e[3])},
		{float32(e[4])},
		{bits(first), bits(t.p), bits(t.q), math.Float32frombits(flag)},
	})
}

// bits is an integer in the place of a float.
func bits(n int) float32 { return math.Float32frombits(uint32(n)) }

// patchErrors bounds the errors of the derivatives by u, v, uu, uv and vv of a patch in float32, in mm and for a
// parameter range of 1.
//
// With u = 2⁻²⁴ and r the distance of the control points from the middle: rounding moves a control point by u·r, a
// first difference by 2u·r and a second one by 4u·r. Weights of the sums contribute 3(p+q)u, the sums and the
// difference itself (p+q+6)u of the largest difference M. The rounding of the parameters, u/2 each, moves a derivative
// by the next higher derivatives. For a rational patch this applies to its homogeneous points, the weights times r.
// Each quotient then divides by a weight, at least 1/ratio, and adds the errors of the subtracted terms.
func patchErrors(net []bspline.Hom, p, q int, r float64, rational bool) [5]float64 {
	const unit = 0x1p-24
	d := differences(net, p, q, r)
	n := float64(4*(p+q) + 6)
	fp, fq := float64(p), float64(q)
	size := [5]float64{fp * d[0], fq * d[1], fp * (fp - 1) * d[2], fp * fq * d[3], fq * (fq - 1) * d[4]}
	e := [5]float64{
		unit * (fp*(2*r+n*d[0]) + size[2] + size[3]),
		unit * (fq*(2*r+n*d[1]) + size[3] + size[4]),
		unit * (fp*(fp-1)*(4*r+n*d[2]) + (fp+fq)*2*size[2]),
		unit * (fp*fq*(4*r+n*d[3]) + (fp+fq)*2*size[3]),
		unit * (fq*(fq-1)*(4*r+n*d[4]) + (fp+fq)*2*size[4]),
	}
	if !rational || r == 0 {
		return e
	}
	ratio := 1.0
	for _, h := range net {
		ratio = max(ratio, 1/h.W)
	}
	// Sizes and errors of a homogeneous derivative also bound its weight over r: differences returns the larger.
	point := 2 * ratio * unit * (float64(5*(p+q)+8) * r)
	var out, slope [5]float64
	for k := range 2 {
		slope[k] = 2 * ratio * size[k]
		out[k] = ratio * (2*e[k] + size[k]/r*point)
	}
	quotient := func(own, a, b int) float64 {
		return ratio * (2*e[own] + size[a]/r*out[b] + size[b]/r*out[a] + slope[a]*e[b]/r + slope[b]*e[a]/r +
			size[own]/r*point)
	}
	out[2], out[3], out[4] = quotient(2, 0, 0), quotient(3, 0, 1), quotient(4, 1, 1)
	return out
}

// differences returns the largest differences of neighboring control points along u and v, and the largest second
// differences by uu, uv and vv; differences of the weights count times r.
func differences(net []bspline.Hom, p, q int, r float64) (d [5]float64) {
	at := func(i, j int) bspline.Hom { return net[i*(q+1)+j] }
	size := func(h bspline.Hom) float64 { return max(h.Vec().Norm(), r*math.Abs(h.W)) }
	minus := func(a, b bspline.Hom) bspline.Hom { return a.AddScaled(-1, b) }
	for i := range p + 1 {
		for j := range q + 1 {
			if i < p {
				d[0] = max(d[0], size(minus(at(i+1, j), at(i, j))))
			}
			if j < q {
				d[1] = max(d[1], size(minus(at(i, j+1), at(i, j))))
			}
			if i+1 < p {
				d[2] = max(d[2], size(minus(minus(at(i+2, j), at(i+1, j)), minus(at(i+1, j), at(i, j)))))
			}
			if i < p && j < q {
				d[3] = max(d[3], size(minus(minus(at(i+1, j+1), at(i+1, j)), minus(at(i, j+1), at(i, j)))))
			}
			if j+1 < q {
				d[4] = max(d[4], size(minus(minus(at(i, j+2), at(i, j+1)), minus(at(i, j+1), at(i, j)))))
			}
		}
	}
	return d
}
