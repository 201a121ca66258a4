package canonical

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/fit"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

type sample = fit.Sample

// face finds the analytic surface of a face.
func (r *recoverer) face(f brep.FaceID) found {
	own := r.m.Faces[f].Surface
	if own == nil || own.Kind().IsAnalytic() {
		return found{}
	}
	box := r.boxOf(f)
	if !finite(box) {
		return found{}
	}
	c := candidate{r: r, f: f, size: box.Diagonal(), tol: r.tolerance(box.Diagonal())}
	s := c.find(own)
	if s == nil || !c.contains(s, own) {
		return found{}
	}
	s, turned, ok := c.place(s, own)
	if !ok {
		return found{}
	}
	return found{s: s, turned: turned}
}

// candidate is the search for the surface of one face.
type candidate struct {
	r    *recoverer
	f    brep.FaceID
	size float64 // mm, of the face
	tol  float64 // mm

	at geom.Vec3       // a point of the surface inside the rectangle, away from poles
	uv geom.Vec2       // its parameters on on
	on surface.Surface // the surface from which it was taken
}

// find returns an analytic surface within the tolerance of s over the face, or nil.
func (c *candidate) find(s surface.Surface) surface.Surface {
	if s.Kind().IsAnalytic() {
		return c.plain(s)
	}
	switch s := s.(type) {
	case *surface.BSpline:
		return c.findSpline(s)
	case *surface.Extrusion:
		return c.findExtrusion(s)
	case *surface.Revolution:
		return c.findRevolution(s)
	case *surface.Trimmed:
		return c.find(s.Base)
	case *surface.Offset:
		return c.findOffset(s)
	}
	return nil
}

// plain returns the analytic surface inside a wrapper.
func (c *candidate) plain(s surface.Surface) surface.Surface {
	part, ok := c.r.region(c.f, s, c.reach())
	if !ok {
		return nil
	}
	c.take(s, part)
	return s
}

// wholeShare is the fraction of the surface's size from which a face counts as using all of it.
const wholeShare = 0.9

func (c *candidate) findSpline(s *surface.BSpline) surface.Surface {
	whole, _ := natural(s)
	pts, box := samples(s, whole)
	if a := c.fitSpline(s, whole, pts); a != nil {
		return a
	}
	if c.size >= wholeShare*box.Diagonal() {
		return nil
	}
	part, ok := c.r.region(c.f, s, c.reach())
	if !ok {
		return nil
	}
	pts, _ = samples(s, part)
	return c.fitSpline(s, part, pts)
}

// fitSpline fits the samples of a rectangle and compares the result with all of it.
func (c *candidate) fitSpline(s *surface.BSpline, rect rect, pts []sample) surface.Surface {
	a, ok := fit.Surface(pts, c.tol)
	if !ok || deviates(s, rect, a, c.tol) {
		return nil
	}
	c.take(s, rect)
	return a
}

// findOffset recovers the base and offsets the result. It uses the whole domain of the base, since the face's boundary
// does not lie on it. Two surfaces are as far apart as their offsets, unless these turn inside out, which NewOffset
// reports.
func (c *candidate) findOffset(s *surface.Offset) surface.Surface {
	base, distance := s.Base()
	b, ok := base.(*surface.BSpline)
	if !ok {
		return nil
	}
	whole, _ := natural(b)
	pts, _ := samples(b, whole)
	a := c.fitSpline(b, whole, pts)
	if a == nil {
		return nil
	}
	mid := pts[len(pts)/2]
	uv, _ := a.Invert(mid.P)
	if a.Normal(uv.X, uv.Y).Dot(mid.N) < 0 {
		distance = -distance
	}
	o, err := surface.NewOffset(a, distance)
	if err != nil || !o.Kind().IsAnalytic() {
		return nil
	}
	c.take(s, whole)
	return o
}

// gap is the largest distance of the boundary of the face from its surface.
func (c *candidate) gap() float64 {
	gap := max(c.r.m.Tolerance.Length, geom.DefaultTolerance.Length)
	c.r.eachEdge(c.f, func(e *brep.Edge) bool {
		gap = max(gap, e.Tolerance)
		return true
	})
	return gap
}

// looseShare is the distance, as a fraction of the face size, up to which a boundary still determines the part of the
// surface that the face uses.
const looseShare = 1e-2

// reach is the permitted distance of the boundary from the surface in region.
func (c *candidate) reach() float64 { return max(c.gap(), looseShare*c.size) }

// contains reports whether the face's edges lie on a surface to the accuracy of edges, or as well as on the face's own
// surface.
func (c *candidate) contains(s, own surface.Surface) bool {
	const parts = 7
	gap := c.gap() + c.tol
	ok := true
	c.r.eachEdge(c.f, func(e *brep.Edge) bool {
		for k := range parts + 1 {
			p := e.Curve.At(e.Range.At(float64(k) / parts))
			if _, dist := s.Invert(p); !(dist <= gap) {
				if _, before := own.Invert(p); !(dist <= before+c.tol) {
					ok = false
					return false
				}
			}
		}
		return true
	})
	return ok
}

// place gives a surface its reference direction and compares its normal with the normal of the face's own surface. The
// seam is at the seam of the own surface, else opposite to the face; the poles of a sphere are at the own surface's.
func (c *candidate) place(s, own surface.Surface) (placed surface.Surface, turned, ok bool) {
	uv := c.uv
	if c.on != own {
		uv, _ = own.Invert(c.at)
	}
	if len(c.r.m.Faces[c.f].Loops) == 0 && !isWhole(s, own) {
		return nil, false, false // the face ends where its surface does
	}
	at, n := own.At(uv.X, uv.Y), own.Normal(uv.X, uv.Y)
	toSeam := at
	if corner, ok := seamOf(own, uv); ok {
		toSeam = corner
	}
	switch a := s.(type) {
	case surface.Plane:
		a.Frame = geom.NewFrame(at.AddScaled(-at.Sub(a.Frame.Origin).Dot(a.Frame.Z), a.Frame.Z), a.Frame.Z,
			geom.Vec3{})
		s = a
	case surface.Cylinder:
		a.Frame = seamed(a.Frame, at, toSeam)
		s = a
	case surface.Cone:
		f := seamed(a.Frame, at, toSeam)
		a.Radius += f.Origin.Sub(a.Frame.Origin).Dot(a.Frame.Z) * math.Tan(a.HalfAngle)
		if a.Radius < 0 {
			return nil, false, false
		}
		a.Frame = f
		s = a
	case surface.Sphere:
		a.Frame = polar(a, own, at, toSeam)
		s = a
	case surface.Torus:
		f := seamed(a.Frame, at, toSeam)
		f.Origin = a.Frame.Origin
		a.Frame = f
		s = a
	}
	foot, dist := s.Invert(at)
	if !(dist <= c.gap()+c.tol) {
		return nil, false, false
	}
	return s, s.Normal(foot.X, foot.Y).Dot(n) < 0, true
}

// isWhole reports whether a face without loops covers the same on both surfaces.
func isWhole(s, own surface.Surface) bool {
	a, ok := natural(s)
	b, ok2 := natural(own)
	if !ok || !ok2 {
		return false
	}
	size := s.Bounds(a.u, a.v)
	return size.Diagonal()-own.Bounds(b.u, b.v).Diagonal() <= geom.DefaultTolerance.Length
}

// seamOf returns a point on the seam of a surface, in the middle of the other direction.
func seamOf(own surface.Surface, mid geom.Vec2) (geom.Vec3, bool) {
	pu, pv := own.Periods()
	u, v := own.Domain()
	switch {
	case pu > 0:
		return own.At(u.Lo, mid.Y), true
	case pv > 0:
		return own.At(mid.X, v.Lo), true
	}
	return geom.Vec3{}, false
}

// seamed returns the frame with the same axis, its origin next to at, and its X toward the seam, or away
// from at where seam is at itself.
func seamed(f geom.Frame, at, seam geom.Vec3) geom.Frame {
	x := seam.Sub(f.Origin)
	if seam == at {
		x = x.Neg()
	}
	return geom.NewFrame(f.Origin.AddScaled(at.Sub(f.Origin).Dot(f.Z), f.Z), f.Z, x)
}

// polar returns the frame of a sphere: its axis through the poles of the face's own surface, or about the
// axis around which that closes, or far from the face.
func polar(s surface.Sphere, own surface.Surface, at, seam geom.Vec3) geom.Frame {
	o := s.Frame.Origin
	var z geom.Vec3
	if g := own.Singularities(); len(g) > 0 {
		z = g[len(g)-1].Point.Sub(o)
	} else if a, ok := closedAbout(own); ok {
		z = a
	} else {
		z = at.Sub(o).Perp()
	}
	x := seam.Sub(o)
	if seam == at {
		x = x.Neg()
	}
	return geom.NewFrame(o, z, x)
}

// closedAbout returns the axis of the iso-curves of a surface that close.
func closedAbout(own surface.Surface) (geom.Vec3, bool) {
	pu, pv := own.Periods()
	d, ok := natural(own)
	if !ok || pu == 0 && pv == 0 {
		return geom.Vec3{}, false
	}
	at := func(t float64) geom.Vec3 {
		if pu > 0 {
			return own.At(d.u.At(t), d.v.Mid())
		}
		return own.At(d.u.Mid(), d.v.At(t))
	}
	a, b, c := at(0), at(1./3), at(2./3)
	z := b.Sub(a).Cross(c.Sub(a)).Unit()
	return z, z != geom.Vec3{}
}
