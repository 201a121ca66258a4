package build

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Freeform returns a copy of a model whose cylinders, cones, spheres and tori are exact rational B-spline surfaces with
// their seam at the given angle. Edges and loops stay unchanged.
func Freeform(m *brep.Model, seam float64) (*brep.Model, error) {
	return FreeformAs(m, seam, Form{})
}

// FreeformAs is Freeform with the B-splines written in a form.
func FreeformAs(m *brep.Model, seam float64, form Form) (*brep.Model, error) {
	c := Reseam(m, seam)
	for i := range c.Faces {
		s, err := form.rational(c, brep.FaceID(i))
		if err != nil {
			return nil, fmt.Errorf("face %d: %w", i, err)
		}
		c.Faces[i].Surface = s
		if s.Kind() == surface.KindBSpline && form.isTurned() {
			c.Faces[i].Reversed = !c.Faces[i].Reversed
		}
	}
	return c, nil
}

// isTurned reports whether the normal is opposite to the normal of the shortest form.
func (f *Form) isTurned() bool { return f.Swapped != (f.ReverseU != f.ReverseV) }

// Swept returns a copy of a model whose cylinders are linear extrusions and whose cones, spheres and
// tori are surfaces of revolution, with their seam at the given angle.
func Swept(m *brep.Model, seam float64) (*brep.Model, error) {
	c := Reseam(m, seam)
	for i := range c.Faces {
		s, err := swept(c.Faces[i].Surface)
		if err != nil {
			return nil, fmt.Errorf("face %d: %w", i, err)
		}
		c.Faces[i].Surface = s
	}
	return c, nil
}

func swept(s surface.Surface) (surface.Surface, error) {
	// meridian is the X-Z plane of f as the X-Y plane of a circle.
	meridian := func(f geom.Frame, r float64) geom.Frame {
		return geom.Frame{Origin: f.Origin.AddScaled(r, f.X), X: f.X, Y: f.Z, Z: f.Y.Neg()}
	}
	_, v := s.Domain()
	switch s := s.(type) {
	case surface.Cylinder:
		return surface.NewExtrusion(curve.Circle{Frame: s.Frame, Radius: s.Radius}, s.Frame.Z)
	case surface.Cone:
		sin, cos := math.Sincos(s.HalfAngle)
		line := curve.Line{Origin: s.At(0, 0), Dir: s.Frame.X.Scale(sin).AddScaled(cos, s.Frame.Z)}
		return surface.NewRevolution(line, s.Frame.Origin, s.Frame.Z)
	case surface.Sphere:
		return revolved(s.Frame, meridian(s.Frame, 0), s.Radius, v)
	case surface.Torus:
		return revolved(s.Frame, meridian(s.Frame, s.Major), s.Minor, v)
	}
	return s, nil
}

// revolved revolves the arc v of a circle about the Z axis of f.
func revolved(f, circle geom.Frame, radius float64, v geom.Interval) (surface.Surface, error) {
	var arc curve.Curve = curve.Circle{Frame: circle, Radius: radius}
	if v.Length() < 2*math.Pi {
		var err error
		if arc, err = curve.NewTrimmed(arc, v, false); err != nil {
			return nil, err
		}
	}
	return surface.NewRevolution(arc, f.Origin, f.Z)
}

// Reseam returns a copy of a model whose surfaces of revolution are rotated about their own axis: the
// same points with the seam elsewhere.
func Reseam(m *brep.Model, angle float64) *brep.Model {
	c := &brep.Model{Name: m.Name, Tolerance: m.Tolerance}
	c.Append(m, geom.Identity)
	turn := func(f geom.Frame) geom.Frame {
		r := geom.Rotation(f.Z, angle)
		return geom.Frame{Origin: f.Origin, X: r.Dir(f.X), Y: r.Dir(f.Y), Z: f.Z}
	}
	for i := range c.Faces {
		switch s := c.Faces[i].Surface.(type) {
		case surface.Cylinder:
			s.Frame = turn(s.Frame)
			c.Faces[i].Surface = s
		case surface.Cone:
			s.Frame = turn(s.Frame)
			c.Faces[i].Surface = s
		case surface.Sphere:
			s.Frame = turn(s.Frame)
			c.Faces[i].Surface = s
		case surface.Torus:
			s.Frame = turn(s.Frame)
			c.Faces[i].Surface = s
		}
	}
	return c
}

// net is a rational curve: control points in a plane with weights and knots of degree 2 or 1.
type net struct {
	points  []geom.Vec2
	weights []float64
	knots   []float64
	degree  int
}

// arcs draws the circle about center over a range of angles in pieces of a quarter at most.
func arcs(center geom.Vec2, radius float64, iv geom.Interval) net {
	const rounding = 1e-9
	n := int(math.Ceil(iv.Length()/(math.Pi/2) - rounding))
	half := iv.Length() / float64(2*n)
	c := net{degree: 2, knots: []float64{0}}
	for k := range 2*n + 1 {
		w := 1.0
		if k%2 == 1 {
			w = math.Cos(half)
		}
		sin, cos := math.Sincos(iv.Lo + float64(k)*half)
		c.points = append(c.points, center.Add(geom.Vec2{X: cos, Y: sin}.Scale(radius/w)))
		c.weights = append(c.weights, w)
	}
	for k := range n + 1 {
		c.knots = append(c.knots, float64(k), float64(k))
	}
	c.knots = append(c.knots, float64(n))
	return c
}

func segment(a, b geom.Vec2) net {
	return net{[]geom.Vec2{a, b}, []float64{1, 1}, []float64{0, 0, 1, 1}, 1}
}

// rational returns the B-spline form of a face's surface, as far along its axis as the face reaches.
func (form *Form) rational(m *brep.Model, f brep.FaceID) (surface.Surface, error) {
	var frame geom.Frame
	var profile net
	_, v := m.Faces[f].Surface.Domain()
	switch s := m.Faces[f].Surface.(type) {
	case surface.Cylinder:
		lo, hi := alongAxis(m, f, s)
		frame, profile = s.Frame, segment(geom.Vec2{X: s.Radius, Y: lo}, geom.Vec2{X: s.Radius, Y: hi})
	case surface.Cone:
		lo, hi := alongAxis(m, f, s)
		k := math.Tan(s.HalfAngle)
		if apex := s.Singularities()[0].Param; hi-lo < geom.Resolution {
			lo, hi = math.Min(lo, apex), math.Max(hi, apex)
		}
		a, b := geom.Vec2{X: s.Radius + lo*k, Y: lo}, geom.Vec2{X: s.Radius + hi*k, Y: hi}
		frame, profile = s.Frame, segment(a, b)
	case surface.Sphere:
		frame, profile = s.Frame, form.arcs(geom.Vec2{}, s.Radius, v)
	case surface.Torus:
		frame, profile = s.Frame, form.arcs(geom.Vec2{X: s.Major}, s.Minor, v)
	default:
		return s, nil
	}
	circle := form.written(form.arcs(geom.Vec2{}, 1, geom.Interval{Hi: 2 * math.Pi}), form.ReverseU)
	profile = form.written(profile, form.ReverseV)
	along, across := circle, profile // of u and of v
	if form.Swapped {
		along, across = profile, circle
	}
	var points []geom.Vec3
	var weights []float64
	for i := range along.points {
		for j := range across.points {
			c, p := along.points[i], across.points[j]
			if form.Swapped {
				c, p = p, c
			}
			points = append(points, frame.Point(geom.Vec3{X: c.X * p.X, Y: c.Y * p.X, Z: p.Y}))
			weights = append(weights, along.weights[i]*across.weights[j])
		}
	}
	return surface.NewBSpline(along.degree, across.degree, along.knots, across.knots, points, weights)
}

// alongAxis returns the range of v over a face's edges.
func alongAxis(m *brep.Model, f brep.FaceID, s surface.Surface) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	add := func(p geom.Vec3) {
		uv, _ := s.Invert(p)
		lo, hi = math.Min(lo, uv.Y), math.Max(hi, uv.Y)
	}
	const pieces = 16 // of an edge
	for _, l := range m.Faces[f].Loops {
		if len(m.Loops[l].Coedges) == 0 {
			add(m.Vertices[m.Loops[l].Vertex].Point)
		}
		for _, c := range m.Loops[l].Coedges {
			e := &m.Edges[m.Coedges[c].Edge]
			for k := 0; e.Curve != nil && k <= pieces; k++ {
				add(e.Curve.At(e.Range.At(float64(k) / pieces)))
			}
		}
	}
	return lo, hi
}
