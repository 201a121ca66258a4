package iges

import (
	"math"

	"millwright.dev/millwright/adapters/cad/iges/internal/deck"
	"millwright.dev/millwright/core/kernel/geom"
)

// A closed curve on a sphere or a torus bounds two faces, the inside and the rest, and a trimmed surface (144) assigns
// no meaning to its direction. The format defines the face in the parameter plane: within the outer boundary and
// outside of the inner ones (IGES 5.3, 4.34). So the signed area of the curve in the parameter plane gives the
// direction with the face on the left, and the curve in space gets the same direction.
//
// Moments show whether both curves have the same direction. They are integrals of first and second powers of the
// position along the curve. Their sign changes with its direction, and a part that is traversed in both directions,
// like a seam, adds zero. Where the moments differ in more than their sign, the curves differ: the parameters have
// another scale or belong to another curve. Where all moments are zero, there is no direction. Then, or if the curve in
// the parameter plane is unreadable or open, the boundary stays unchanged, and its neighbors decide. Cost: a fixed
// number of points for each piece of boundaries on closed surfaces.

// facing returns a boundary (142) of a closed surface with the face on its left, by its curve in the parameter plane.
// It returns the boundary unchanged where that curve does not decide.
func (r *reader) facing(e *deck.Entity, on patch, pieces []piece, isOuter bool) []piece {
	p := r.file.Params(e)
	p.Skip(2) // how the curve was created, and the surface
	flat := p.Pointer()
	if p.Err() != nil || flat == 0 || on.params == nil {
		return pieces
	}
	plane, err := r.planeCurves(e, []int{flat}, on)
	if err != nil {
		return pieces
	}
	outline := sampled(plane)
	area, ok := enclosed(outline)
	if !ok {
		return pieces
	}
	for i, q := range outline {
		outline[i] = on.s.At(q.X, q.Y)
	}
	chain := withLength(pieces)
	arrange(chain)
	switch along := sameSense(sampled(chain), outline); {
	case along == 0:
		return pieces
	case (along > 0) == (area > 0) == isOuter:
		return chain
	}
	return reversed(chain)
}

// samplesOfPiece is the number of points for each piece of a boundary: chords of a full circle so get its moments
// right to a part in a thousand.
const samplesOfPiece = 64

// sampled returns points along pieces; each piece contributes both of its ends.
func sampled(pieces []piece) []geom.Vec3 {
	points := make([]geom.Vec3, 0, len(pieces)*samplesOfPiece)
	for i := range pieces {
		p := &pieces[i]
		for k := range samplesOfPiece + 1 {
			s := float64(k) / samplesOfPiece
			if p.reversed {
				s = 1 - s
			}
			points = append(points, p.c.At(p.iv.At(s)))
		}
	}
	return points
}

// enclosed returns the signed area within a closed polygon in the parameter plane; false where its pieces do not
// follow each other, or nothing is within.
func enclosed(points []geom.Vec3) (float64, bool) {
	const (
		gap  = 1e-3 // share of the size of the polygon between two pieces
		flat = 1e-6 // area of a polygon relative to its squared size that encloses nothing
	)
	if len(points) == 0 {
		return 0, false
	}
	box := geom.EmptyBox()
	for _, p := range points {
		box = box.Add(p)
	}
	size, area := box.Diagonal(), 0.0
	for i, p := range points {
		before := points[(i+len(points)-1)%len(points)]
		if i%(samplesOfPiece+1) == 0 && !(before.Dist(p) <= gap*size) {
			return 0, false
		}
		area += before.Sub(points[0]).Cross(p.Sub(points[0])).Z / 2
	}
	return area, math.Abs(area) > flat*size*size
}

// moments are the integrals of x, y, z, x², xy, xz, y², yz and z² by dx, dy and dz along a closed curve.
type moments [27]float64

// momentsOf measures a closed polygon about a point, with lengths in units of size.
func momentsOf(points []geom.Vec3, about geom.Vec3, size float64) (m moments) {
	for i, b := range points {
		a := points[(i+len(points)-1)%len(points)]
		p, d := a.Lerp(b, 0.5).Sub(about).Scale(1/size), b.Sub(a).Scale(1/size)
		for k, w := range [9]float64{p.X, p.Y, p.Z, p.X * p.X, p.X * p.Y, p.X * p.Z, p.Y * p.Y, p.Y * p.Z, p.Z * p.Z} {
			m[3*k] += w * d.X
			m[3*k+1] += w * d.Y
			m[3*k+2] += w * d.Z
		}
	}
	return m
}

// sameSense compares two closed polygons in space. It returns 1 if they are the same curve with the same direction, -1
// if with opposite directions, and 0 if they are different curves or have no direction.
func sameSense(a, b []geom.Vec3) int {
	const (
		alike    = 0.05 // share by which moments may differ, by chords and rounding
		straight = 1e-4 // moments, in powers of the size, of a curve without direction
	)
	box := geom.EmptyBox()
	for _, p := range a {
		box = box.Add(p)
	}
	m, n := momentsOf(a, box.Center(), box.Diagonal()), momentsOf(b, box.Center(), box.Diagonal())
	size, less, more := 0.0, 0.0, 0.0
	for i := range m {
		size = math.Hypot(size, m[i])
		less = math.Hypot(less, m[i]-n[i])
		more = math.Hypot(more, m[i]+n[i])
	}
	switch {
	case !(size > straight):
		return 0
	case less <= alike*size:
		return 1
	case more <= alike*size:
		return -1
	}
	return 0
}
