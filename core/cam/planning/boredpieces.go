package planning

// The piece of bored soft jaws of a chuck: a sector of the ring that the proof keeps clear of, with a ledge under the
// part. Its fastening depends on the chuck, so it has no holes.

import (
	"math"

	"millwright.dev/millwright/core/cam/fixture"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// boredJaws is the soft jaws of a chuck.
type boredJaws struct {
	*chuckGrip
	side side
}

// pieces returns one of the three equal jaws.
func (g *boredJaws) pieces(w *writer) ([]fixture.Piece, error) {
	s := g.side
	a, b := s.across()
	half := geom.Radians(jawArc) / 2
	inner, outer := g.Diameter/2, g.body/2
	ledge := max(inner-jawLedge, inner/2)
	corner := geom.Vec2{X: ledge * math.Cos(half), Y: -outer * math.Sin(half)}
	var at, to geom.Vec3
	sin, cos := math.Sincos(geom.Radians(float64(g.turn)) + half)
	to.SetCoordinate(a, cos)
	to.SetCoordinate(b, sin)
	at.SetCoordinate(a, g.middle[0])
	at.SetCoordinate(b, g.middle[1])
	at.SetCoordinate(s.axis(), s.sign()*(g.top-g.jaw))
	frame := geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, w.out.Frame.LocalDir(w.frame.Dir(to)))
	frame.Origin = w.out.Frame.Local(w.frame.Point(at)).Add(frame.Dir(geom.Vec3{X: corner.X, Y: corner.Y}))
	p := fixture.Piece{
		Name: "bored jaw", Count: 3, Material: jawMaterial, Frame: frame, Note: noHoles,
		Size: geom.Vec3{X: outer - corner.X, Y: -2 * corner.Y, Z: g.jaw},
	}
	add := func(radius, top float64) {
		l := sector(radius, outer, half)
		p.Layers = append(p.Layers, fixture.NewLayer(top, mapped([]planar.Loop{l}, func(v geom.Vec2) geom.Vec2 {
			return v.Sub(corner)
		})))
	}
	if seat := g.rest - (g.top - g.jaw); seat > w.tol() {
		add(ledge, seat)
	}
	add(inner, g.jaw)
	return []fixture.Piece{p}, nil
}

// sector is a part of a ring, to both sides of X.
func sector(inner, outer, half float64) planar.Loop {
	at := func(r, angle float64) geom.Vec2 { return geom.Vec2{X: r * math.Cos(angle), Y: r * math.Sin(angle)} }
	far, near := planar.NewArc(geom.Vec2{}, at(outer, -half), 2*half), planar.NewArc(geom.Vec2{}, at(inner, half), -2*half)
	return planar.Loop{far, planar.NewLine(far.To, near.From), near, planar.NewLine(near.To, far.From)}
}
