package build

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Seams is the form of the boundary of a face that closes around its axis.
type Seams uint8

// The forms in which CAD systems write closed faces.
const (
	SeamEdge  Seams = iota // one face per segment, slit by one edge that its loop uses twice
	HalfFaces              // two faces per segment
	Rings                  // one face per segment between closed rings, no seam at all
)

// Poles is the form of the pole of a face that reaches its axis.
type Poles uint8

// The forms in which CAD systems write poles.
const (
	PoleImplied Poles = iota // no entity: an edge ends at the pole, or no loop contains it
	PoleEdge                 // an edge without curve
	PoleVertex               // a loop of a single vertex; with seams or half faces the same as PoleImplied
)

// Style selects the form in which closed faces and poles are written.
type Style struct {
	Seams Seams
	Poles Poles
}

// Styles lists every combination.
func Styles() []Style {
	var all []Style
	for s := SeamEdge; s <= Rings; s++ {
		for p := PoleImplied; p <= PoleVertex; p++ {
			all = append(all, Style{s, p})
		}
	}
	return all
}

// Corner is a corner of a profile. The piece to the next corner is straight when Bulge is 0, else an
// arc of angle 4·atan(Bulge), to the left (counter-clockwise) when positive.
type Corner struct {
	P     geom.Vec2
	Bulge float64
}

// Bulge returns the Corner.Bulge of an arc of the given signed angle, |angle| < 2π.
func Bulge(angle float64) float64 { return math.Tan(angle / 4) }

// arc returns center, radius, start angle and signed sweep of the piece from c to the corner end.
func (c Corner) arc(end geom.Vec2) (center geom.Vec2, radius, start, sweep float64) {
	sweep = 4 * math.Atan(c.Bulge)
	chord := end.Sub(c.P)
	h := (1 - c.Bulge*c.Bulge) / (4 * c.Bulge) // distance of the center from the chord over its length
	center = c.P.Lerp(end, 0.5).Add(geom.Vec2{X: -chord.Y, Y: chord.X}.Scale(h))
	d := c.P.Sub(center)
	return center, d.Norm(), math.Atan2(d.Y, d.X), sweep
}

// ring is a circle around the axis at one corner of a profile, or a pole.
type ring struct {
	r, z     float64
	vertices []brep.VertexID // at angle 0 and, with half faces, at π; the pole alone
	edges    []brep.EdgeID   // whole circle, or two halves
}

func (r *ring) isPole() bool { return len(r.edges) == 0 }

// loop returns the loop of the whole ring, with increasing angle unless reversed.
func (r *ring) loop(reversed bool) Loop {
	if len(r.edges) == 1 {
		return Chain(EdgeUse{r.edges[0], reversed})
	}
	if reversed {
		return Chain(Rev(r.edges[1]), Rev(r.edges[0]))
	}
	return Chain(Fwd(r.edges[0]), Fwd(r.edges[1]))
}

// Revolve revolves a profile of X = radius ≥ 0 and Y = height about the axis of frame, with the
// material on its left. A profile that starts and ends on the axis is left open; any other is closed.
func Revolve(name string, frame geom.Frame, profile []Corner, style Style) *brep.Model {
	b := New(name)
	closed := profile[0].P.X > 0 || profile[len(profile)-1].P.X > 0
	b.revolve(frame, profile, style, closed)
	return b.solidModel()
}

// revolve adds the faces of all segments and returns the rings of the profile's corners.
func (b *Builder) revolve(frame geom.Frame, profile []Corner, style Style, closed bool) []ring {
	n := len(profile)
	rings := make([]ring, n)
	for i, c := range profile {
		isFlatEnd := c.P.X == 0 && (i == 0 && isFlat(c, profile[1].P) ||
			i == n-1 && isFlat(profile[i-1], c.P))
		if !isFlatEnd {
			rings[i] = b.ring(frame, c.P, style)
		}
	}
	last := n - 1
	if closed {
		last = n
	}
	for i := range last {
		j := (i + 1) % n
		b.segment(frame, profile[i], profile[j].P, &rings[i], &rings[j], style)
	}
	return rings
}

func isFlat(c Corner, end geom.Vec2) bool { return c.Bulge == 0 && c.P.Y == end.Y }

func (b *Builder) ring(frame geom.Frame, p geom.Vec2, style Style) ring {
	at := func(x float64) brep.VertexID { return b.Vertex(frame.Point(geom.Vec3{X: x, Z: p.Y})) }
	r := ring{r: p.X, z: p.Y, vertices: []brep.VertexID{at(p.X)}}
	if p.X == 0 {
		return r
	}
	f := frame
	f.Origin = frame.Point(geom.Vec3{Z: p.Y})
	c := curve.Circle{Frame: f, Radius: p.X}
	v := r.vertices[0]
	if style.Seams == HalfFaces {
		w := at(-p.X)
		r.vertices = append(r.vertices, w)
		r.edges = []brep.EdgeID{b.Edge(c, 0, math.Pi, v, w), b.Edge(c, math.Pi, 2*math.Pi, w, v)}
		return r
	}
	r.edges = []brep.EdgeID{b.Edge(c, 0, 2*math.Pi, v, v)}
	return r
}

// segment adds the face or faces between two rings.
func (b *Builder) segment(frame geom.Frame, c Corner, end geom.Vec2, lo, hi *ring, style Style) {
	s, reversed := segmentSurface(frame, c, end)
	if s.Kind() == surface.KindPlane {
		var loops []Loop
		if !lo.isPole() {
			loops = append(loops, lo.loop(false))
		}
		if !hi.isPole() {
			loops = append(loops, hi.loop(true))
		}
		b.Face(s, reversed, loops...)
		return
	}
	switch style.Seams {
	case Rings:
		b.Face(s, reversed, b.ringLoops(lo, hi, style)...)
	case SeamEdge:
		seam := b.meridian(frame, c, end, 0, lo, hi)
		uses := append(b.along(lo, 0, style, false), Fwd(seam))
		uses = append(uses, b.along(hi, 0, style, true)...)
		b.Face(s, reversed, Chain(append(uses, Rev(seam))...))
	case HalfFaces:
		m := [2]brep.EdgeID{b.meridian(frame, c, end, 0, lo, hi), b.meridian(frame, c, end, 1, lo, hi)}
		for half := range 2 {
			uses := append(b.along(lo, half, style, false), Fwd(m[1-half]))
			uses = append(uses, b.along(hi, half, style, true)...)
			b.Face(s, reversed, Chain(append(uses, Rev(m[half]))...))
		}
	}
}

func (b *Builder) ringLoops(lo, hi *ring, style Style) []Loop {
	var loops []Loop
	for i, r := range []*ring{lo, hi} {
		switch {
		case !r.isPole():
			loops = append(loops, r.loop(i == 1))
		case style.Poles == PoleEdge:
			loops = append(loops, Chain(EdgeUse{b.Degenerate(r.vertices[0]), i == 1}))
		case style.Poles == PoleVertex:
			loops = append(loops, Point(r.vertices[0]))
		}
	}
	return loops
}

// along returns the edge uses of the given half (or the whole) of a ring.
func (b *Builder) along(r *ring, half int, style Style, reversed bool) []EdgeUse {
	if !r.isPole() {
		return []EdgeUse{{r.edges[half], reversed}}
	}
	if style.Poles == PoleEdge {
		return []EdgeUse{{b.Degenerate(r.vertices[0]), reversed}}
	}
	return nil
}

// meridian adds the edge between two rings at angle 0 (side 0) or π (side 1).
func (b *Builder) meridian(frame geom.Frame, c Corner, end geom.Vec2, side int, lo, hi *ring) brep.EdgeID {
	v, w := lo.vertices[min(side, len(lo.vertices)-1)], hi.vertices[min(side, len(hi.vertices)-1)]
	if c.Bulge == 0 {
		return b.Line(v, w)
	}
	x := frame.X
	if side == 1 {
		x = x.Neg()
	}
	return b.arc(geom.Frame{Origin: frame.Origin, X: x, Y: frame.Z, Z: x.Cross(frame.Z)}, c, end, v, w)
}

// arc adds the edge of a profile arc drawn in the X-Y plane of f.
func (b *Builder) arc(f geom.Frame, c Corner, end geom.Vec2, v, w brep.VertexID) brep.EdgeID {
	center, radius, start, sweep := c.arc(end)
	f.Origin = f.Point(geom.Vec3{X: center.X, Y: center.Y})
	if sweep < 0 { // an edge runs with its curve: draw the circle from the other side
		f.Y, f.Z, start = f.Y.Neg(), f.Z.Neg(), -start
	}
	if start < 0 {
		start += 2 * math.Pi
	}
	return b.Edge(curve.Circle{Frame: f, Radius: radius}, start, start+math.Abs(sweep), v, w)
}

// segmentSurface returns the surface swept by the profile piece from c to end, and whether the
// outward normal (on the right of the profile) is against the surface's own.
func segmentSurface(frame geom.Frame, c Corner, end geom.Vec2) (surface.Surface, bool) {
	at := func(z float64) geom.Frame {
		f := frame
		f.Origin = frame.Point(geom.Vec3{Z: z})
		return f
	}
	if c.Bulge != 0 {
		const onAxis = 1e-12 // share of the radius: rounding of the center
		center, radius, _, sweep := c.arc(end)
		if math.Abs(center.X) < onAxis*radius {
			return surface.Sphere{Frame: at(center.Y), Radius: radius}, sweep < 0
		}
		if center.X > 0 {
			// Part means nothing unless the circle crosses the axis.
			return surface.Torus{Frame: at(center.Y), Major: center.X, Minor: radius, Part: surface.Apple}, sweep < 0
		}
		f := at(center.Y) // a spindle: its points lie opposite to u, its normal points to the axis
		f.Y, f.Z = f.Y.Neg(), f.Z.Neg()
		return surface.Torus{Frame: f, Major: -center.X, Minor: radius, Part: surface.Lemon}, sweep > 0
	}
	dr, dz := end.X-c.P.X, end.Y-c.P.Y
	switch {
	case dz == 0:
		return surface.Plane{Frame: at(c.P.Y)}, dr > 0
	case dr == 0:
		return surface.Cylinder{Frame: at(c.P.Y), Radius: c.P.X}, dz < 0
	case dr*dz > 0:
		return surface.Cone{Frame: at(c.P.Y), Radius: c.P.X, HalfAngle: math.Atan(dr / dz)}, dz < 0
	}
	f := at(c.P.Y) // the radius of a cone grows along its own z
	f.Y, f.Z = f.Y.Neg(), f.Z.Neg()
	return surface.Cone{Frame: f, Radius: c.P.X, HalfAngle: math.Atan(math.Abs(dr / dz))}, dz < 0
}
