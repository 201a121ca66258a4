package parasolid

import (
	"math"
	"slices"

	"millwright/adapters/cad/parasolid/internal/xt"
	"millwright/core/brep"
	"millwright/core/geom"
	"millwright/core/geom/curve"
)

// The surface of a blend becomes a B-spline of degree 3 in both directions: across it arcs from one support to the
// other, each of as many cubics as keep to the circle, and along the spine cubics through such arcs, of which there are
// as many as it takes. It covers what its face needs of the spine, and goes on a little on all sides, so that the edges
// of the face lie within it.

const (
	beyondArc   = 0.05 // rad: how far an arc goes on behind the supports
	beyondSpine = 1e-3 // of the part of the spine that is covered
)

// ball rolls along the spine of a blend.
type ball struct {
	*pipe
	on   [2]locus
	turn float64 // 1 or -1: the arcs turn about the tangent of the spine, or against it
	arcs int     // cubics of a section
}

// ball returns that of a blend.
func (g *geometry) ball(n xt.Node, depth int) (*ball, error) {
	p, err := g.pipe(n, depth)
	if err != nil {
		return nil, err
	}
	b := &ball{pipe: p}
	on := n.All("surface")
	if len(on) < 2 {
		return nil, fail(n, "lacks its supports")
	}
	for i := range b.on {
		if b.on[i], err = g.locus(on[i], depth+1); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// arc returns where on the spine a section is and from where it goes how far: centre, the directions towards the first
// support and a quarter turn ahead of it, angle (rad).
func (b *ball) arc(t float64) (c, x, y geom.Vec3, angle float64) {
	c, d := b.spine.D1(t)
	d = d.Unit()
	p0, _ := b.on[0].foot(c)
	p1, _ := b.on[1].foot(c)
	flat := func(p geom.Vec3) geom.Vec3 {
		v := p.Sub(c)
		return v.AddScaled(-v.Dot(d), d).Unit()
	}
	x = flat(p0)
	y = d.Cross(x).Scale(b.turn)
	to := flat(p1)
	return c, x, y, math.Atan2(to.Dot(y), to.Dot(x))
}

// section returns the control points of the arc at a place of the spine.
func (b *ball) section(t float64) []geom.Vec3 {
	c, x, y, angle := b.arc(t)
	from, step := -beyondArc, (angle+2*beyondArc)/float64(b.arcs)
	handle := 4.0 / 3 * math.Tan(step/4) * b.radius
	out := make([]geom.Vec3, 0, 3*b.arcs+1)
	for k := range b.arcs + 1 {
		sin, cos := math.Sincos(from + step*float64(k))
		p := c.AddScaled(b.radius*cos, x).AddScaled(b.radius*sin, y)
		ahead := y.Scale(cos).AddScaled(-sin, x)
		if k > 0 {
			out = append(out, p.AddScaled(-handle, ahead))
		}
		out = append(out, p)
		if k < b.arcs {
			out = append(out, p.AddScaled(handle, ahead))
		}
	}
	return out
}

// settle finds out over a part of the spine which way the arcs turn and of how many cubics they are.
func (b *ball) settle(iv geom.Interval) {
	const looks = 16
	b.turn = 1
	sum, widest := 0.0, 0.0
	for i := range looks {
		_, _, _, angle := b.arc(iv.At((float64(i) + 0.5) / looks))
		sum, widest = sum+angle, max(widest, math.Abs(angle))
	}
	if sum < 0 {
		b.turn = -1
	}
	// A cubic misses its arc by 2/27·sin⁶(φ/4)·r.
	const share = 0.1 // of the tolerance
	most := 4 * math.Pow(share*fitTolerance*27/2/b.radius, 1.0/6)
	b.arcs = int(math.Ceil((widest + 2*beyondArc) / min(most, math.Pi/4)))
	b.arcs = min(max(b.arcs, 1), 64)
}

// rolled returns the surface of a blend over a part of its spine.
func (g *geometry) rolled(n xt.Node, b *ball, iv geom.Interval) (carrier, error) {
	b.settle(iv)
	bounds := b.spine.Domain()
	if b.spine.Period() > 0 {
		bounds = geom.Everything
	}
	r := &ribbing{section: b.section, iv: iv, bounds: bounds}
	s, err := r.surface(g.ctx, b.arcs)
	if ctxErr := g.ctx.Err(); ctxErr != nil {
		return carrier{}, ctxErr
	}
	if err != nil {
		return carrier{}, fail(n, "has no valid geometry: %v", err)
	}
	return carrier{Surface: s, flipped: b.turn > 0}, nil
}

// covered returns the part of a spine beside which points lie, and a little more; all of a closed one along which
// they have no gap.
func (b *ball) covered(points []geom.Vec3) geom.Interval {
	at := make([]float64, len(points))
	for i, p := range points {
		at[i], _ = b.spine.Invert(p)
	}
	slices.Sort(at)
	dom, period := b.spine.Domain(), b.spine.Period()
	if len(at) == 0 {
		return dom
	}
	iv := geom.Interval{Lo: at[0], Hi: at[len(at)-1]}
	if period > 0 {
		// The widest gap is where the blend is not.
		gap, begin := at[0]+period-at[len(at)-1], 0
		for i := 1; i < len(at); i++ {
			if d := at[i] - at[i-1]; d > gap {
				gap, begin = d, i
			}
		}
		const widest = 1.0 / 16 // of the period: between samples
		if gap < widest*period {
			return geom.Interval{Lo: dom.Lo, Hi: dom.Lo + period}
		}
		if begin > 0 {
			iv = geom.Interval{Lo: at[begin], Hi: at[begin-1] + period}
		}
	}
	more := beyondSpine * iv.Length()
	iv = geom.Interval{Lo: iv.Lo - more, Hi: iv.Hi + more}
	if period == 0 && dom.IsFinite() {
		iv = geom.Interval{Lo: dom.Clamp(iv.Lo), Hi: dom.Clamp(iv.Hi)}
	}
	return iv
}

// blend gives a face whose loops are traced the surface at a distance (mm) from a blend, away from the spine.
func (t *tracer) blend(n xt.Node, lift float64, loops []brep.LoopID) (carrier, error) {
	b, err := t.ball(n, 0)
	if err != nil {
		return carrier{}, err
	}
	if b.radius += lift; !(b.radius > tolerance) {
		return carrier{}, fail(n, "has an offset that turns it inside out")
	}
	var points []geom.Vec3
	for _, l := range loops {
		for _, c := range t.m.Loops[l].Coedges {
			e := &t.m.Edges[t.m.Coedges[c].Edge]
			if e.Curve == nil {
				continue
			}
			const turn = math.Pi / 24
			for _, at := range curve.Sample(e.Curve, e.Range, 0, turn) {
				points = append(points, e.Curve.At(at))
			}
		}
	}
	iv := b.covered(points)
	if !iv.IsFinite() || !(iv.Length() > 0) {
		return carrier{}, fail(n, "covers no part of its spine")
	}
	return t.rolled(n, b, iv)
}
