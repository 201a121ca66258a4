package parasolid

import (
	"context"
	"math"

	"millwright.dev/millwright/adapters/cad/parasolid/internal/xt"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// carrier is a surface with its relation to the file's surface: the map of parameters, and the direction of the normal.
type carrier struct {
	surface.Surface
	params  params
	flipped bool // the normal is opposite to that of the file's surface before its sense is applied
}

// params maps the file's parameters of a surface to the parameters of its counterpart.
type params struct {
	swapped    bool // the file's (u, v) are (v, u)
	u, v       float64
	perU, perV float64
}

// lengths returns the map for a surface with lengths among its parameters.
func lengths(perU, perV float64) params { return params{perU: perU, perV: perV} }

func (p params) apply(uv geom.Vec2) geom.Vec2 {
	if p.swapped {
		uv.X, uv.Y = uv.Y, uv.X
	}
	return geom.Vec2{X: p.u + p.perU*uv.X, Y: p.v + p.perV*uv.Y}
}

// maxChain limits the depth of curves and surfaces that are based on each other.
const maxChain = 16

// geometry builds curves and surfaces. Expensive ones are built once.
type geometry struct {
	ctx      context.Context
	surfaces map[xt.Node]carrier
	curves   map[xt.Node]guide
}

func newGeometry(ctx context.Context) *geometry {
	return &geometry{ctx: ctx, surfaces: map[xt.Node]carrier{}, curves: map[xt.Node]guide{}}
}

// surface returns the surface of a node, without its sense.
func (g *geometry) surface(n xt.Node, depth int) (carrier, error) {
	switch n.Kind() {
	// no entry in surfaces: building one is as fast as a lookup
	case nodePlane, nodeCylinder, nodeCone, nodeSphere, nodeTorus:
		return g.newSurface(n, depth)
	}
	if c, ok := g.surfaces[n]; ok {
		return c, nil
	}
	if depth > maxChain {
		return carrier{}, fail(n, "is built on itself")
	}
	c, err := g.newSurface(n, depth)
	if err == nil {
		g.surfaces[n] = c
	}
	return c, err
}

func (g *geometry) newSurface(n xt.Node, depth int) (carrier, error) {
	switch n.Kind() {
	case nodePlane:
		f, err := frameOf(n, "pvec", "normal", "x_axis")
		return carrier{Surface: surface.Plane{Frame: f}, params: lengths(metre, metre)}, err
	case nodeCylinder:
		f, err := frameOf(n, "pvec", "axis", "x_axis")
		if err != nil {
			return carrier{}, err
		}
		r, err := lengthOf(n, "radius")
		return carrier{Surface: surface.Cylinder{Frame: f, Radius: r}, params: lengths(1, metre)}, err
	case nodeCone:
		return cone(n)
	case nodeSphere:
		f, err := frameOf(n, "centre", "axis", "x_axis")
		if err != nil {
			return carrier{}, err
		}
		r, err := lengthOf(n, "radius")
		return carrier{Surface: surface.Sphere{Frame: f, Radius: r}, params: lengths(1, 1)}, err
	case nodeTorus:
		return torus(n)
	case nodeBSurface:
		return g.spline(n)
	case nodeSwept, nodeSpun:
		return g.swept(n, depth)
	case nodeOffset:
		return g.offset(n, depth)
	}
	if !n.OK() {
		return carrier{}, fail(n, "was to be a surface")
	}
	return carrier{}, fail(n, "is a kind of surface that cannot be read")
}

func cone(n xt.Node) (carrier, error) {
	f, err := frameOf(n, "pvec", "axis", "x_axis")
	if err != nil {
		return carrier{}, err
	}
	r, angle := n.Real("radius")*metre, math.Atan2(n.Real("sin_half_angle"), n.Real("cos_half_angle"))
	const flattest = 1e-9 // rad from a plane or a cylinder
	if !(r >= 0) || !(math.Abs(angle) > flattest && math.Abs(angle) < math.Pi/2-flattest) {
		return carrier{}, fail(n, "has the radius %g m and half angle %g", r/metre, angle)
	}
	return carrier{Surface: surface.Cone{Frame: f, Radius: r, HalfAngle: angle}, params: lengths(1, metre)}, nil
}

// torus reads a torus. A negative major radius makes it the spindle within the tube, parametrized from its own side:
// (R + r·cos v) with R = -M is -(M + r·cos(π-v)), so that its points are those of the opposite u and of π-v.
func torus(n xt.Node) (carrier, error) {
	f, err := frameOf(n, "centre", "axis", "x_axis")
	if err != nil {
		return carrier{}, err
	}
	minor, err := lengthOf(n, "minor_radius")
	if err != nil {
		return carrier{}, err
	}
	major := n.Real("major_radius") * metre
	switch {
	case math.IsNaN(major) || math.Abs(major) > farthest || -major >= minor:
		return carrier{}, fail(n, "has the radii %g and %g m", major/metre, minor/metre)
	case major < 0:
		return carrier{Surface: surface.Torus{Frame: f, Major: -major, Minor: minor, Part: surface.Lemon},
			params: params{u: math.Pi, perU: 1, v: math.Pi, perV: -1}, flipped: true}, nil
	}
	return carrier{Surface: surface.DefaultTorusPart(f, major, minor), params: lengths(1, 1)}, nil
}

// spline reads a B-spline surface.
func (g *geometry) spline(n xt.Node) (carrier, error) {
	s := n.To("nurbs")
	nu, nv := s.Int("n_u_vertices"), s.Int("n_v_vertices")
	degU, degV := s.Int("u_degree"), s.Int("v_degree")
	u, err := knotsOf(s, "u_knots", "u_knot_mult", "n_u_knots", nu, degU)
	if err != nil {
		return carrier{}, err
	}
	v, err := knotsOf(s, "v_knots", "v_knot_mult", "n_v_knots", nv, degV)
	if err != nil {
		return carrier{}, err
	}
	points, weights, err := polesOf(s, nu*nv, s.Int("vertex_dim"), s.Flag("rational"), metre)
	if err != nil {
		return carrier{}, err
	}
	b, err := surface.NewBSpline(degU, degV, u, v, points, weights)
	if err != nil {
		return carrier{}, fail(n, "has no valid geometry: %v", err)
	}
	return carrier{Surface: b, params: lengths(1, 1)}, nil
}

// swept reads an extrusion or a surface of revolution. For the latter, the file's u is the parameter of the curve and v
// the angle.
func (g *geometry) swept(n xt.Node, depth int) (carrier, error) {
	field, build := "section", func(c guide) (surface.Surface, error) {
		d, _ := vectorOf(n, "sweep")
		return surface.NewExtrusion(c.Curve, d)
	}
	if n.Kind() == nodeSpun {
		field, build = "profile", func(c guide) (surface.Surface, error) {
			o, _ := pointOf(n, "base")
			axis, _ := vectorOf(n, "axis")
			return surface.NewRevolution(ofTurn(n, c), o, axis)
		}
	}
	c, err := g.curve(n.To(field), depth+1)
	if err != nil {
		return carrier{}, err
	}
	s, err := build(c)
	if err != nil {
		return carrier{}, fail(n, "has no valid geometry: %v", err)
	}
	if n.Kind() == nodeSpun {
		return carrier{Surface: s, params: params{swapped: true, perU: 1, perV: c.scale}, flipped: true}, nil
	}
	return carrier{Surface: s, params: lengths(c.scale, metre)}, nil
}

// ofTurn returns the revolved part of a profile. If the profile meets the axis twice, it is the part between both
// points: a whole closed profile would cover every point of the surface twice.
func ofTurn(n xt.Node, c guide) curve.Curve {
	part, err := curve.NewTrimmed(c.Curve, geom.Interval{
		Lo: n.Real("start_param") * c.scale, Hi: n.Real("end_param") * c.scale,
	}, false)
	if err != nil {
		return c.Curve // the file states at most one of both parameters
	}
	return part
}

// offsetOf returns the distance (mm) of an offset along the normal of its base, before the base's sense is applied.
func offsetOf(n xt.Node) float64 {
	d := n.Real("offset") * metre
	if n.Is("sense", '-') {
		return -d
	}
	return d
}

// offset reads the surface at a distance from another one, along the normal after both senses are applied.
func (g *geometry) offset(n xt.Node, depth int) (carrier, error) {
	base, err := g.surface(n.To("surface"), depth+1)
	if err != nil {
		return base, err
	}
	d := offsetOf(n)
	if base.flipped {
		d = -d
	}
	s, err := surface.NewOffset(base.Surface, d)
	if err != nil {
		return carrier{}, fail(n, "has no valid geometry: %v", err)
	}
	base.Surface = s
	return base, nil
}
