package trim

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// pole is a collapsed iso-line of the surface. On it only the free coordinate moves.
type pole struct {
	surface.Singularity
	fixed, free int           // axes: 0 = u, 1 = v
	vertex      brep.VertexID // the model's vertex there, or None
	extra       int32         // Vertex.Index of the point made for it, when hasExtra
	hasExtra    bool
}

func newPole(s surface.Singularity) pole {
	p := pole{Singularity: s, fixed: 0, free: 1, vertex: brep.None}
	if s.ConstV {
		p.fixed, p.free = 1, 0
	}
	return p
}

// poleAt returns the pole within tol of p, or noPole.
func (b *Builder) poleAt(p geom.Vec3, tol float64) int32 {
	for i := range b.poles {
		if b.poles[i].Point.Dist2(p) <= tol*tol {
			return int32(i)
		}
	}
	return noPole
}

// markPole records that the model has a vertex at a pole. It ignores a vertex elsewhere.
func (b *Builder) markPole(v brep.VertexID) {
	tol := math.Max(b.off, b.model.Vertices[v].Tolerance)
	if i := b.poleAt(b.model.Vertices[v].Point, tol); i != noPole {
		b.poles[i].vertex = v
	}
}

// polePoint returns the point of a pole as a corner without place in the parameter plane.
func (b *Builder) polePoint(p *pole) Vertex {
	if p.vertex != brep.None {
		s := b.sampler.VertexSample(p.vertex)
		return Vertex{P: s.P, Index: s.Index, Coedge: brep.None}
	}
	if !p.hasExtra {
		p.extra, p.hasExtra = b.addExtra(p.Point), true
	}
	return Vertex{P: p.Point, Index: p.extra, Coedge: brep.None}
}

// direction returns the sign in which the free coordinate grows along the pole with the face, which
// lies at from, on the left.
func (p *pole) direction(from geom.Vec2) float64 {
	below := coord(from, p.fixed) < p.Param
	if (p.fixed == 1) == below { // under the top border, or right of the left one
		return -1
	}
	return 1
}

// nearPole returns the direction in which the axis is passed along the pole nearest to uv.
func (b *Builder) nearPole(uv geom.Vec2, axis int) float64 {
	side, best := 0.0, math.Inf(1)
	for i := range b.poles {
		p := &b.poles[i]
		if d := math.Abs(coord(uv, p.fixed) - p.Param); p.free == axis && d < best {
			side, best = p.direction(uv), d
		}
	}
	return side
}

// passPole emits the group of steps from i on, all of them at one pole. The chain reaches the pole from uv. passPole
// returns the departure from it.
func (b *Builder) passPole(i, group int, uv geom.Vec2) geom.Vec2 {
	n := len(b.steps)
	p := &b.poles[b.steps[i].pole]
	prev, last := &b.steps[(i+n-1)%n], &b.steps[(i+group-1)%n]
	fixed := p.Param
	if period := b.period[p.fixed]; period > 0 {
		fixed += period * math.Round((coord(uv, p.fixed)-fixed)/period)
	}
	side := p.direction(withCoord(uv, p.fixed, coord(uv, p.fixed)-fixed+p.Param))
	in := b.approach(p, prev.coedge, prev.to, prev.from, uv)
	out := b.approach(p, last.coedge, last.from, last.to, withCoord(uv, p.free, in))
	turn, ambiguous := out-in, false
	if period := b.period[p.free]; period > 0 {
		turn, ambiguous = poleTurn(side*(out-in), period)
		if b.model.Coedges[prev.coedge].Edge == b.model.Coedges[last.coedge].Edge && ambiguous {
			turn, ambiguous = period, false // both sides of a slit
		}
		turn *= side
	}
	at := func(s float64) geom.Vec2 {
		return withCoord(withCoord(uv, p.free, in+s*turn), p.fixed, fixed)
	}
	first := len(b.verts)
	for k := range group {
		s := &b.steps[(i+k)%n]
		switch {
		case group > 1:
			b.emit(s, at(float64(k)/float64(group-1)))
		case turn == 0:
			b.emit(s, at(0))
		default:
			b.verts = append(b.verts, Vertex{UV: at(0), P: s.p, Index: s.index, Coedge: brep.None})
			b.emit(s, at(1))
		}
	}
	if ambiguous {
		b.doubts = append(b.doubts, doubt{vert: first + group - 1, axis: p.free, side: int(side)})
	}
	return at(1)
}

// poleTurn returns the angle in [0, period) that the free coordinate moves along the pole, given the difference between
// the two directions. Near 0 a cusp and a slit are indistinguishable.
func poleTurn(d, period float64) (turn float64, ambiguous bool) {
	const cusp = 1e-4 // share of the period: how well directions at a pole are known
	d -= period * math.Floor(d/period)
	if d < cusp*period || d > (1-cusp)*period {
		return 0, true
	}
	return d, false
}

// approach returns the free coordinate with which a curve arrives at a pole at tPole, from its sample at tNear. It is
// the coordinate of a point slightly ahead on its tangent.
func (b *Builder) approach(p *pole, c brep.CoedgeID, tPole, tNear float64, hint geom.Vec2) float64 {
	const (
		little = 1e-2 // fraction of the distance to the sample
		stops  = 1e-6 // speed over chord below which the curve has no tangent there
	)
	e := &b.model.Edges[b.model.Coedges[c].Edge]
	near := e.Curve.At(tNear)
	_, d := e.Curve.D1(tPole)
	chord := near.Sub(p.Point)
	if d.Norm()*math.Abs(tNear-tPole) < stops*chord.Norm() {
		d = chord
	} else if tNear < tPole {
		d = d.Neg()
	}
	uv, _ := b.surf.InvertNear(near, hint)
	uv, _ = b.surf.InvertNear(p.Point.AddScaled(little*chord.Norm(), d.Unit()), uv)
	return coord(uv, p.free)
}

// doubt is a passage of a pole whose turn is either zero or a whole period: two edges with a common tangent there bound
// a cusp or a slit.
type doubt struct {
	vert int // the vertex after which the chain is one period further on
	axis int
	side int // sign of that period
}

// settle resolves doubts so that the chain from verts[lo] closes, and returns its turns.
func (b *Builder) settle(lo int, turns [2]int) [2]int {
	for _, d := range b.doubts {
		if turns[d.axis] != -d.side {
			continue
		}
		var shift [2]int
		shift[d.axis] = d.side
		turns[d.axis] = 0
		end := b.verts[d.vert]
		for i := d.vert; i < len(b.verts); i++ {
			b.verts[i].UV = b.shifted(b.verts[i].UV, shift)
		}
		end.Coedge, end.From, end.To = brep.None, 0, 0
		b.verts = append(b.verts, Vertex{})
		copy(b.verts[d.vert+1:], b.verts[d.vert:])
		b.verts[d.vert] = end
		break // one slit closes a chain; its vertices have moved
	}
	b.doubts = b.doubts[:0]
	return turns
}
