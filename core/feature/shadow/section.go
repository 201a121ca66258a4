package shadow

import (
	"math"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Planes, and surfaces of revolution whose axis is along or across the direction, have lines and circles as level
// curves. So the part of an upward face above a height is cut exactly.

// split cuts an upward face at a height at which its level curves are lines and circles.
func (s *Shadow) split(q *face, z float64) (*arcpoly.Area, error) {
	places, isInside, _ := s.places(&s.view.Graph.Patches[q.patch].Shape, q.whole, z)
	for _, l := range places {
		for i := range l {
			l[i].Tag = q.patch
		}
	}
	cutter, err := arcpoly.New(places...)
	if err != nil {
		return nil, err
	}
	if isInside {
		return arcpoly.Intersection(q.whole, cutter)
	}
	return q.whole.Minus(cutter)
}

// places returns the level loops that separate the area of an upward surface above a height; isInside selects the side.
func (s *Shadow) places(shape *graph.Shape, whole *arcpoly.Area, z float64) (loops []planar.Loop, isInside, ok bool) {
	up := s.view.Frame.Z
	center := s.point(shape.Origin)
	rise := z - s.view.Frame.Local(shape.Origin).Z
	half := func(radius float64) float64 { return math.Sqrt(max(radius*radius-rise*rise, 0)) }
	stands := shape.Axis.Cross(up).Norm() <= level
	switch {
	case shape.Kind == surface.KindPlane:
		slope := geom.Vec2{X: shape.Axis.Dot(s.view.Frame.X), Y: shape.Axis.Dot(s.view.Frame.Y)}
		// n·p = n·o: the plane is higher against its slope.
		far := reach(whole, center)
		edge := -shape.Axis.Dot(up) * rise / slope.Norm()
		return strip(center, slope.Scale(1/slope.Norm()), min(-far, edge-far), edge, far), true, true
	case shape.Kind == surface.KindCone && stands:
		r := shape.Radius + rise*shape.Axis.Dot(up)*math.Tan(shape.Slope)
		return circle(center, r, false), !shape.Hollow, true
	case shape.Kind == surface.KindSphere:
		return circle(center, half(shape.Radius), false), !shape.Hollow, true
	// fillets in corners whose radius is at most twice theirs
	case shape.Kind == surface.KindTorus && stands && shape.Minor <= shape.Radius+margin:
		w := half(shape.Minor)
		return append(circle(center, shape.Radius+w, false), circle(center, shape.Radius-w, true)...), !shape.Hollow, true
	case shape.Kind == surface.KindCylinder && math.Abs(shape.Axis.Dot(up)) <= level:
		across := geom.Vec2{X: -shape.Axis.Dot(s.view.Frame.Y), Y: shape.Axis.Dot(s.view.Frame.X)}
		w := half(shape.Radius)
		return strip(center, across, -w, w, reach(whole, center)), !shape.Hollow, true
	}
	return nil, false, false
}

// reach is slightly more than the largest distance (mm) of an area from a point.
func reach(a *arcpoly.Area, from geom.Vec2) float64 {
	far := 1.0
	for _, l := range a.Loops() {
		for i := range l {
			far = max(far, l[i].From.Dist(from)+2*l[i].Radius())
		}
	}
	return 2 * far
}

// circle is a circle, or nothing where it has no radius.
func circle(center geom.Vec2, radius float64, isHole bool) []planar.Loop {
	if radius <= margin {
		return nil
	}
	return []planar.Loop{planar.Circle(center, radius, isHole)}
}

// strip is a rectangle from lo to hi along the unit vector u from a point, and to far on both sides across it.
func strip(at, u geom.Vec2, lo, hi, far float64) []planar.Loop {
	if hi-lo <= margin {
		return nil
	}
	v := geom.Vec2{X: -u.Y, Y: u.X}
	corner := func(a, b float64) geom.Vec2 { return at.Add(u.Scale(a)).Add(v.Scale(b)) }
	p := [4]geom.Vec2{corner(lo, -far), corner(hi, -far), corner(hi, far), corner(lo, far)}
	var loop planar.Loop
	for i := range p {
		loop = append(loop, planar.NewLine(p[i], p[(i+1)%len(p)]))
	}
	return []planar.Loop{loop}
}
