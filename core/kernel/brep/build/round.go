package build

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Cylinder has its base on z = 0 and the z axis as its axis.
func Cylinder(radius, height float64, style Style) *brep.Model {
	return Frustum(radius, radius, height, style)
}

// Frustum is a truncated cone from radius bottom at z = 0 to radius top at z = height. Either radius
// may be 0: the frustum is then a whole cone with an apex.
func Frustum(bottom, top, height float64, style Style) *brep.Model {
	var p []geom.Vec2
	if bottom > 0 {
		p = append(p, geom.Vec2{})
	}
	p = append(p, geom.Vec2{X: bottom}, geom.Vec2{X: top, Y: height})
	if top > 0 {
		p = append(p, geom.Vec2{Y: height})
	}
	return Revolve("frustum", geom.World, Polygon(p...), style)
}

// Tube is the ring between two radii from z = 0 to height.
func Tube(inner, outer, height float64, style Style) *brep.Model {
	return Revolve("tube", geom.World, Polygon(geom.Vec2{X: inner}, geom.Vec2{X: outer},
		geom.Vec2{X: outer, Y: height}, geom.Vec2{X: inner, Y: height}), style)
}

// Sphere is centered at the origin, one spherical face from pole to pole. With Rings its face has no
// loop at all, two vertex loops or two loops of a degenerate edge.
func Sphere(radius float64, style Style) *brep.Model {
	return Revolve("sphere", geom.World, []Corner{
		{geom.Vec2{Y: -radius}, Bulge(math.Pi)}, {geom.Vec2{Y: radius}, 0},
	}, style)
}

// Hemispheres is a sphere cut into two spherical faces (four with HalfFaces) at its equator.
func Hemispheres(radius float64, style Style) *brep.Model {
	q := Bulge(math.Pi / 2)
	return Revolve("hemispheres", geom.World, []Corner{
		{geom.Vec2{Y: -radius}, q}, {geom.Vec2{X: radius}, q}, {geom.Vec2{Y: radius}, 0},
	}, style)
}

// Apple is the outer skin of a torus whose tube crosses the axis, about the z axis; offset < radius.
func Apple(offset, radius float64, style Style) *brep.Model {
	h := math.Sqrt(radius*radius - offset*offset)
	angle := 2 * math.Acos(-offset/radius)
	return Revolve("apple", geom.World, []Corner{{geom.Vec2{Y: -h}, Bulge(angle)}, {geom.Vec2{Y: h}, 0}}, style)
}

// Lemon is the spindle of the same torus.
func Lemon(offset, radius float64, style Style) *brep.Model {
	h := math.Sqrt(radius*radius - offset*offset)
	angle := 2 * math.Acos(offset/radius)
	return Revolve("lemon", geom.World, []Corner{{geom.Vec2{Y: -h}, Bulge(angle)}, {geom.Vec2{Y: h}, 0}}, style)
}

// TorusForm is the division of a torus into faces.
type TorusForm uint8

// The forms of a torus.
const (
	TorusWhole      TorusForm = iota // one face without loops
	TorusRingAround                  // one face, cut by one circle around the axis, used twice
	TorusRingTube                    // one face, cut by one circle of the tube, used twice
	TorusSeams                       // one face, one loop of both circles, each used twice
	TorusSeamsBack                   // the same with the circles in the order that runs clockwise
	TorusInnerOuter                  // two faces between two circles around the axis
	TorusHalves                      // two faces between two circles of the tube
	TorusForms                       // the number of forms
)

// Torus is centered at the origin about the z axis, major > minor.
func Torus(major, minor float64, form TorusForm) *brep.Model {
	b := New("torus")
	s := surface.Torus{Frame: geom.World, Major: major, Minor: minor}
	around := func(v float64) brep.EdgeID { // circle around the axis at tube angle v
		f := geom.World
		f.Origin.Z = minor * math.Sin(v)
		r := major + minor*math.Cos(v)
		w := b.Vertex(f.Point(geom.Vec3{X: r}))
		return b.Edge(curve.Circle{Frame: f, Radius: r}, 0, 2*math.Pi, w, w)
	}
	tube := func(u float64) brep.EdgeID { // circle of the tube at angle u about the axis
		x := geom.Vec3{X: math.Cos(u), Y: math.Sin(u)}
		f := geom.Frame{Origin: x.Scale(major), X: x, Y: geom.World.Z, Z: x.Cross(geom.World.Z)}
		w := b.Vertex(f.Point(geom.Vec3{X: minor}))
		return b.Edge(curve.Circle{Frame: f, Radius: minor}, 0, 2*math.Pi, w, w)
	}
	switch form {
	case TorusWhole:
		b.Face(s, false)
	case TorusRingAround:
		e := around(0.3)
		b.Face(s, false, Chain(Fwd(e)), Chain(Rev(e)))
	case TorusRingTube:
		e := tube(0.3)
		b.Face(s, false, Chain(Rev(e)), Chain(Fwd(e)))
	case TorusSeams, TorusSeamsBack:
		p, q := around(0), tube(0)
		b.m.Edges[q].Start, b.m.Edges[q].End = b.m.Edges[p].Start, b.m.Edges[p].End
		b.m.Vertices = b.m.Vertices[:1]
		if form == TorusSeams {
			b.Face(s, false, Chain(Fwd(p), Fwd(q), Rev(p), Rev(q)))
		} else {
			b.Face(s, false, Chain(Rev(p), Fwd(q), Fwd(p), Rev(q)))
		}
	case TorusInnerOuter:
		p, q := around(math.Pi/2), around(-math.Pi/2)
		b.Face(s, false, Chain(Fwd(q)), Chain(Rev(p)))
		b.Face(s, false, Chain(Fwd(p)), Chain(Rev(q)))
	case TorusHalves:
		p, q := tube(0), tube(math.Pi)
		b.Face(s, false, Chain(Fwd(q)), Chain(Rev(p)))
		b.Face(s, false, Chain(Fwd(p)), Chain(Rev(q)))
	}
	return b.solidModel()
}
