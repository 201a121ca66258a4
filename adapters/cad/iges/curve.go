package iges

import (
	"math"
	"slices"

	"millwright.dev/millwright/adapters/cad/iges/internal/deck"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// piece is a bounded part of a curve; if it is reversed, it runs against the parameter.
type piece struct {
	c        curve.Curve
	iv       geom.Interval
	reversed bool
	// file is the range of the parameter in the file, where it is not iv.
	file geom.Interval
}

// parameters returns the parameter range of the piece in the file.
func (p *piece) parameters() geom.Interval {
	if p.file.Length() > 0 {
		return p.file
	}
	return p.iv
}

func (p *piece) start() geom.Vec3 {
	if p.reversed {
		return p.c.At(p.iv.Hi)
	}
	return p.c.At(p.iv.Lo)
}

func (p *piece) end() geom.Vec3 {
	if p.reversed {
		return p.c.At(p.iv.Lo)
	}
	return p.c.At(p.iv.Hi)
}

func (p *piece) transform(t geom.Transform) {
	if t != geom.Identity {
		p.iv = curve.TransformRange(p.c, t, p.iv)
		p.c = p.c.Transform(t)
	}
}

// size is the diagonal of the piece's box, mm.
func (p *piece) size() float64 { return p.c.Bounds(p.iv).Diagonal() }

// curve returns a curve with the domain and the direction of the piece.
func (p *piece) curve() (curve.Curve, error) {
	if p.c.Domain() == p.iv && !p.reversed {
		return p.c, nil
	}
	return curve.NewTrimmed(p.c, p.iv, p.reversed)
}

func reversed(pieces []piece) []piece {
	slices.Reverse(pieces)
	for i := range pieces {
		pieces[i].reversed = !pieces[i].reversed
	}
	return pieces
}

// curve reads a curve as the pieces it is composed of, in their order.
func (r *reader) curve(e *deck.Entity) ([]piece, error) {
	if err := r.enter(e); err != nil {
		return nil, err
	}
	defer r.popEntity()
	pieces, err := r.rawCurve(e)
	if err != nil {
		return nil, err
	}
	t, err := r.placement(e)
	if err != nil {
		return nil, err
	}
	for i := range pieces {
		pieces[i].transform(t)
		iv := pieces[i].iv
		if !iv.IsFinite() || !pieces[i].start().IsFinite() || !pieces[i].end().IsFinite() {
			return nil, deck.Fail(e, "has no finite ends")
		}
	}
	return pieces, nil
}

// rawCurve reads a curve in its own definition space.
func (r *reader) rawCurve(e *deck.Entity) ([]piece, error) {
	p := r.file.Params(e)
	var one piece
	var err error
	switch e.Type {
	case 102:
		return r.composite(e, p)
	case 100:
		one, err = r.arc(e, p)
	case 104:
		one, err = r.conic(e, p)
	case 106:
		one, err = r.copious(e, p)
	case 110:
		one, err = r.line(e, p)
	case 112:
		one, err = r.parametricSpline(e, p)
	case 126:
		one, err = r.splineCurve(e, p)
	case 130:
		one, err = r.offsetCurve(e, p)
	case 142:
		return r.curveOnSurface(e)
	default:
		return nil, deck.Fail(e, "is not a readable curve")
	}
	return []piece{one}, err
}

// composite reads a chain of curves (102).
func (r *reader) composite(e *deck.Entity, p deck.Params) ([]piece, error) {
	var pieces []piece
	for range p.Count(1) {
		part, err := r.at(e, p.Pointer())
		if err != nil {
			return nil, err
		}
		if part.Type == 116 || part.Type == 132 {
			continue // points may be members; they add nothing
		}
		more, err := r.curve(part)
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, more...)
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	if len(pieces) == 0 {
		return nil, deck.Fail(e, "has no curves")
	}
	return pieces, nil
}

// line reads a line segment (110).
func (r *reader) line(e *deck.Entity, p deck.Params) (piece, error) {
	a, b := r.point(&p), r.point(&p)
	if err := p.Err(); err != nil {
		return piece{}, err
	}
	if e.Form != 0 {
		return piece{}, deck.Fail(e, "is unbounded and cannot bound a face")
	}
	one := segment(a, b)
	one.file = unitRange
	return one, nil
}

// segment is the line from a to b.
func segment(a, b geom.Vec3) piece {
	d := b.Sub(a)
	if d.Norm() == 0 {
		return piece{c: curve.Line{Origin: a, Dir: geom.World.X}}
	}
	return piece{c: curve.Line{Origin: a, Dir: d.Unit()}, iv: geom.Interval{Hi: d.Norm()}}
}

// arc reads a circular arc (100): counter-clockwise in a plane z = constant; equal ends mean a full circle.
func (r *reader) arc(e *deck.Entity, p deck.Params) (piece, error) {
	var x [7]float64
	p.Reals(x[:])
	if err := p.Err(); err != nil {
		return piece{}, err
	}
	for i := range x {
		x[i] *= r.mm
	}
	start, end := geom.Vec2{X: x[3] - x[1], Y: x[4] - x[2]}, geom.Vec2{X: x[5] - x[1], Y: x[6] - x[2]}
	radius := start.Norm()
	if !(radius > 0) || math.IsInf(radius, 0) {
		return piece{}, deck.Fail(e, "has no radius")
	}
	f := geom.World
	f.Origin = geom.Vec3{X: x[1], Y: x[2], Z: x[0]}
	f.X = geom.Vec3{X: start.X, Y: start.Y}.Unit()
	f.Y = f.Z.Cross(f.X)
	sweep := math.Atan2(start.X*end.Y-start.Y*end.X, start.X*end.X+start.Y*end.Y)
	if end.Sub(start).Norm() <= r.closing(radius) {
		sweep = 2 * math.Pi
	} else if sweep <= 0 {
		sweep += 2 * math.Pi
	}
	from := math.Atan2(start.Y, start.X)
	if from < 0 {
		from += 2 * math.Pi
	}
	return piece{c: curve.Circle{Frame: f, Radius: radius}, iv: geom.Interval{Hi: sweep},
		file: geom.Interval{Lo: from, Hi: from + sweep}}, nil
}

// closes is the distance between the ends of a conic, as a fraction of its size, within which they are one point.
const closes = 1e-7

// closing is the distance (mm) between the ends of an arc within which it is a full circle: the rounding error, or the
// resolution of the file, because writers do not mean shorter arcs.
func (r *reader) closing(radius float64) float64 {
	const short = 1e-4 // of the radius; a coarser resolution is not credible
	return max(closes*radius, min(r.file.Global.Resolution*r.mm, short*radius))
}

// copious reads points joined by lines (106).
func (r *reader) copious(e *deck.Entity, p deck.Params) (piece, error) {
	kind := p.Int()
	perPoint := map[int]int{1: 2, 2: 3, 3: 6}[kind]
	if perPoint == 0 {
		return piece{}, deck.Fail(e, "has points of an unknown kind (%d)", kind)
	}
	n := p.Count(perPoint)
	z := 0.0
	if kind == 1 {
		z = p.Real()
	}
	points := make([]geom.Vec3, 0, n)
	x := make([]float64, perPoint)
	for range n {
		p.Reals(x)
		q := geom.Vec3{X: x[0], Y: x[1], Z: z}
		if kind != 1 {
			q.Z = x[2]
		}
		if q = q.Scale(r.mm); len(points) == 0 || points[len(points)-1] != q {
			points = append(points, q)
		}
	}
	if err := p.Err(); err != nil {
		return piece{}, err
	}
	if len(points) == 2 {
		return segment(points[0], points[1]), nil
	}
	c, err := curve.NewPolyline(points)
	if err != nil {
		return piece{}, deck.Fail(e, "has no valid geometry: %v", err)
	}
	return piece{c: c, iv: c.Domain()}, nil
}

// offsetCurve reads an offset curve (130) of constant distance.
func (r *reader) offsetCurve(e *deck.Entity, p deck.Params) (piece, error) {
	base, err := r.at(e, p.Pointer())
	if err != nil {
		return piece{}, err
	}
	flag := p.Int()
	p.Skip(3) // for a varying distance: its curve, the coordinate of that curve, and the kind of taper
	distance := p.Real() * r.mm
	p.Skip(3) // the end of a varying distance
	normal := direction(&p)
	from, to := p.RealOr(math.NaN()), p.RealOr(math.NaN())
	if err := p.Err(); err != nil {
		return piece{}, err
	}
	if flag != 1 {
		return piece{}, deck.Fail(e, "is at a varying distance from its curve, which cannot be read")
	}
	pieces, err := r.curve(base)
	if err != nil {
		return piece{}, err
	}
	if len(pieces) != 1 {
		return piece{}, deck.Fail(e, "is the offset of a composite curve, which cannot be read")
	}
	one := pieces[0]
	if base.Type == 126 && from < to {
		one.iv = geom.Interval{Lo: max(from, one.iv.Lo), Hi: min(to, one.iv.Hi)}
	}
	c, err := one.curve()
	if err == nil {
		c, err = curve.NewOffset(c, distance, normal)
	}
	if err != nil {
		return piece{}, deck.Fail(e, "has no valid geometry: %v", err)
	}
	return piece{c: c, iv: one.iv}, nil
}
