package build

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Hole is a round hole in the top of a plate. Profile runs down from the top opening: X is the radius, Y the depth,
// both mm; the first depth is 0. A last radius of 0 closes the hole with a flat or a tip. Otherwise it is a through
// hole, and the last depth is the thickness of the plate.
type Hole struct {
	Center  geom.Vec2
	Profile []geom.Vec2
}

// Through is the profile of a plain through hole.
func Through(diameter, thickness float64) []geom.Vec2 {
	return []geom.Vec2{{X: diameter / 2}, {X: diameter / 2, Y: thickness}}
}

// Blind is the profile of a blind hole with a flat bottom (tipAngle = π) or a drill tip with the
// given included angle.
func Blind(diameter, depth, tipAngle float64) []geom.Vec2 {
	r := diameter / 2
	tip := depth
	if tipAngle < math.Pi {
		tip += r / math.Tan(tipAngle/2)
	}
	return []geom.Vec2{{X: r}, {X: r, Y: depth}, {Y: tip}}
}

// Polygon makes a profile of straight pieces.
func Polygon(points ...geom.Vec2) []Corner {
	corners := make([]Corner, len(points))
	for i, p := range points {
		corners[i].P = p
	}
	return corners
}

// Rectangle is the profile of the box from (0, 0) to (x, y).
func Rectangle(x, y float64) []Corner {
	return Polygon(geom.Vec2{}, geom.Vec2{X: x}, geom.Vec2{X: x, Y: y}, geom.Vec2{Y: y})
}

// Rounded is Rectangle with corners of radius r.
func Rounded(x, y, r float64) []Corner {
	q := Bulge(math.Pi / 2)
	return []Corner{
		{geom.Vec2{X: r}, 0}, {geom.Vec2{X: x - r}, q}, {geom.Vec2{X: x, Y: r}, 0},
		{geom.Vec2{X: x, Y: y - r}, q}, {geom.Vec2{X: x - r, Y: y}, 0}, {geom.Vec2{X: r, Y: y}, q},
		{geom.Vec2{Y: y - r}, 0}, {geom.Vec2{Y: r}, q},
	}
}

// Box is the box from the origin to size.
func Box(size geom.Vec3) *brep.Model {
	return Prism("box", Rectangle(size.X, size.Y), size.Z, Style{})
}

// Plate is a box from the origin to size with holes sunk into its top.
func Plate(size geom.Vec3, style Style, holes ...Hole) *brep.Model {
	return Prism("plate", Rectangle(size.X, size.Y), size.Z, style, holes...)
}

// Prism extrudes a counter-clockwise profile in the X-Y plane from z = 0 to height and sinks holes
// into its top. Faces: the sides in profile order, bottom, top, then the holes from the top down.
func Prism(name string, profile []Corner, height float64, style Style, holes ...Hole) *brep.Model {
	b := New(name)
	bottom, top := b.prism(profile, 0, height)
	for _, h := range holes {
		b.hole(h, height, bottom, top, style)
	}
	return b.solidModel()
}

func (b *Builder) prism(profile []Corner, z0, z1 float64) (bottom, top brep.FaceID) {
	low, high := b.walls(profile, z0, z1, false)
	down := geom.NewFrame(geom.Vec3{Z: z0}, geom.Vec3{Z: -1}, geom.Vec3{X: 1})
	up := geom.NewFrame(geom.Vec3{Z: z1}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})
	bottom = b.Face(surface.Plane{Frame: down}, false, Chain(turned(low)...))
	top = b.Face(surface.Plane{Frame: up}, false, Chain(high...))
	return bottom, top
}

// sideSurface returns the wall over a profile piece; the outside is on the right of the piece.
func sideSurface(c Corner, end geom.Vec2, z float64) (surface.Surface, bool) {
	if c.Bulge == 0 {
		d := end.Sub(c.P)
		o := geom.Vec3{X: c.P.X, Y: c.P.Y, Z: z}
		return surface.Plane{Frame: geom.NewFrame(o, geom.Vec3{X: d.Y, Y: -d.X}, geom.Vec3{X: d.X, Y: d.Y})}, false
	}
	center, radius, _, sweep := c.arc(end)
	f := geom.World
	f.Origin = geom.Vec3{X: center.X, Y: center.Y, Z: z}
	return surface.Cylinder{Frame: f, Radius: radius}, sweep < 0
}

// hole adds the faces of a hole under the top at z and its openings to the top and bottom faces.
func (b *Builder) hole(h Hole, z float64, bottom, top brep.FaceID, style Style) {
	frame := geom.World
	frame.Origin = geom.Vec3{X: h.Center.X, Y: h.Center.Y, Z: z}
	profile := make([]Corner, len(h.Profile))
	for i, p := range h.Profile {
		profile[i].P = geom.Vec2{X: p.X, Y: -p.Y}
	}
	rings := b.revolve(frame, profile, style, false)
	b.AddLoop(top, rings[0].loop(true))
	if last := &rings[len(rings)-1]; last.r > 0 {
		b.AddLoop(bottom, last.loop(false))
	}
}
