package bspline

import "millwright.dev/millwright/core/kernel/geom"

// Point evaluates one line of a homogeneous net: control point i is net[offset+i·stride]. A curve
// has offset 0 and stride 1; rows and columns of a surface net use the others (P&T A4.1).
func (k *Knots) Point(net []Hom, offset, stride int, t float64) Hom {
	var n Row
	span := k.Span(t)
	k.Basis(span, t, &n)
	return k.combine(net, offset, stride, span, &n)
}

// Point2 is Point with the first and second derivative of the homogeneous coordinates.
func (k *Knots) Point2(net []Hom, offset, stride int, t float64) (a, a1, a2 Hom) {
	var d [3]Row
	span := k.Span(t)
	k.Basis2(span, t, &d)
	return k.combine(net, offset, stride, span, &d[0]), k.combine(net, offset, stride, span, &d[1]),
		k.combine(net, offset, stride, span, &d[2])
}

func (k *Knots) combine(net []Hom, offset, stride, span int, n *Row) (a Hom) {
	at := offset + (span-k.degree)*stride
	for _, f := range n[:k.degree+1] {
		a = a.AddScaled(f, net[at])
		at += stride
	}
	return a
}

// IsClosed reports whether a line of a homogeneous net (see Point) ends where it starts, within tol
// (mm).
func (k *Knots) IsClosed(net []Hom, offset, stride int, tol float64) bool {
	dom := k.Domain()
	return k.Point(net, offset, stride, dom.Lo).Point().
		Dist(k.Point(net, offset, stride, dom.Hi).Point()) <= tol
}

// CheckPoints returns whether all control points are finite.
func CheckPoints(points []geom.Vec3) bool {
	for _, p := range points {
		if !p.IsFinite() {
			return false
		}
	}
	return true
}
