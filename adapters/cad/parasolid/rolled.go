package parasolid

import (
	"math"
	"slices"

	"millwright.dev/millwright/adapters/cad/parasolid/internal/xt"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// The surface of a blend becomes a B-spline. Across the spine it has rational quadratics, which are arcs from one
// support to the other. Along the spine it has cubics through the control points of as many arcs as the tolerance
// needs. It covers the part of the spine under its face and extends a little on all sides, so that the edges of the
// face lie within it.

const (
	beyondArc   = 0.05 // rad: extension of an arc beyond the supports
	beyondSpine = 1e-3 // of the covered part of the spine
)

// ball rolls along the spine of a blend.
type ball struct {
	*pipeBlend
	on   [2]tracedSurface
	tube float64 // radius of the surface: the radius of the ball, or another one for an offset of the blend
	turn float64 // 1 if the arcs turn about the tangent of the spine, -1 if against it
	arcs int     // rational quadratics in a section
}

// ball returns the ball of a blend.
func (g *geometry) ball(n xt.Node, depth int) (*ball, error) {
	p, err := g.pipeBlend(n, depth)
	if err != nil {
		return nil, err
	}
	b := &ball{pipeBlend: p, tube: p.radius}
	on := n.All("surface")
	if len(on) < 2 {
		return nil, fail(n, "lacks its supports")
	}
	for i := range b.on {
		if b.on[i], err = g.tracedSurface(on[i], depth+1); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// arc is a section of a pipe at a parameter of the spine: its center, the direction toward the first support, the
// direction a quarter turn ahead, and its angle (rad).
type arc struct {
	c, x, y geom.Vec3
	angle   float64
}

// arc returns the arc at the spine parameter t.
func (b *ball) arc(t float64) arc {
	a, _ := b.sweep(t)
	return a
}

// ray is a unit vector perpendicular to the spine, with its derivative along the spine.
type ray struct{ n, d geom.Vec3 }

// across returns the direction of the component of v perpendicular to t. dv and dt are the derivatives of v and t.
func across(v, dv, t, dt geom.Vec3) ray {
	h := v.Dot(t)
	dh := dv.Dot(t) + v.Dot(dt)
	v, dv = v.AddScaled(-h, t), dv.AddScaled(-dh, t).AddScaled(-h, dt)
	n := v.Unit()
	return ray{n, dv.AddScaled(-dv.Dot(n), n).Scale(1 / v.Norm())}
}

// sweep returns the arc at a spine parameter, and its derivative.
func (b *ball) sweep(at float64) (a, d arc) {
	b.goTo(at)
	c, d1, d2 := b.c, b.d1, b.d2
	speed := d1.Norm()
	t := d1.Scale(1 / speed)
	dt := d2.AddScaled(-d2.Dot(t), t).Scale(1 / speed)
	var to [2]ray
	for i, on := range b.on {
		p := b.touch(on, c)
		to[i] = across(p.Sub(c), on.driftFrom(c, d1).Sub(d1), t, dt)
	}
	x, z := to[0], to[1]
	y := ray{t.Cross(x.n).Scale(b.turn), dt.Cross(x.n).Add(t.Cross(x.d)).Scale(b.turn)}
	cos, sin := z.n.Dot(x.n), z.n.Dot(y.n)
	turn := cos*(z.d.Dot(y.n)+z.n.Dot(y.d)) - sin*(z.d.Dot(x.n)+z.n.Dot(x.d))
	return arc{c, x.n, y.n, math.Atan2(sin, cos)}, arc{d1, x.d, y.d, turn}
}

// section returns the control points of the arc at the spine parameter t. For each rational quadratic they are the ends
// and, weighted by the cosine of half its angle, the intersection of the tangents at the ends.
func (b *ball) section(r *sectionSet, t float64) section {
	a, d := b.sweep(t)
	halves := float64(2 * b.arcs)
	half, wider := (a.angle+2*beyondArc)/halves, d.angle/halves
	sinHalf, cosHalf := math.Sincos(half)
	out := r.newRib(t, 2*b.arcs+1)
	for k := range out.p {
		sin, cos := math.Sincos(half*float64(k) - beyondArc)
		radial, ahead := a.x.Scale(cos).AddScaled(sin, a.y), a.y.Scale(cos).AddScaled(-sin, a.x)
		turned := d.x.Scale(cos).AddScaled(sin, d.y).AddScaled(wider*float64(k), ahead)
		w, dw := 1.0, 0.0
		if k%2 == 1 {
			w, dw = cosHalf, -sinHalf*wider
		}
		out.set(k, a.c.Scale(w).AddScaled(b.tube, radial), w,
			d.c.Scale(w).AddScaled(dw, a.c).AddScaled(b.tube, turned), dw)
	}
	return out
}

// settle determines, from samples of a range of the spine, the sense of the arcs and the number of quadratics in one.
func (b *ball) settle(iv geom.Interval) {
	const looks = 4
	b.turn = 1
	sum, widest := 0.0, 0.0
	for i := range looks {
		a := b.arc(iv.At((float64(i) + 0.5) / looks))
		sum, widest = sum+a.angle, max(widest, math.Abs(a.angle))
	}
	if sum < 0 {
		b.turn = -1
	}
	const most = 2 // rad
	b.arcs = max(int(math.Ceil((widest+2*beyondArc)/most)), 1)
}

// rolled returns the surface of a blend over a part of its spine.
func (g *geometry) rolled(n xt.Node, b *ball, iv geom.Interval) (carrier, error) {
	b.settle(iv)
	r := &sectionSet{iv: iv}
	r.section = func(t float64) section { return b.section(r, t) }
	s, err := r.surface(g.ctx, b.arcs)
	if ctxErr := g.ctx.Err(); ctxErr != nil {
		return carrier{}, ctxErr
	}
	if err != nil {
		return carrier{}, fail(n, "has no valid geometry: %v", err)
	}
	return carrier{Surface: s, flipped: b.turn > 0}, nil
}

// covered returns the part of a spine next to the points, extended a little. It is the whole spine if the spine is
// closed and the points leave no gap.
func (b *ball) covered(points []geom.Vec3) geom.Interval {
	at := make([]float64, len(points))
	dom, period := b.spine.Domain(), b.spine.Period()
	for i, p := range points {
		if !b.known || !(math.Abs(b.rollTo(p, still)-b.tube) <= close) {
			t, _ := b.spine.Invert(p)
			b.goTo(t)
		}
		if at[i] = b.last; period > 0 {
			at[i] = dom.Wrap(b.last)
		}
	}
	slices.Sort(at)
	if len(at) == 0 {
		return dom
	}
	iv := geom.Interval{Lo: at[0], Hi: at[len(at)-1]}
	if period > 0 {
		// The blend does not cover the widest gap.
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

// blend returns the surface for a face whose loops are traced: a blend, lifted by a distance (mm) away from the spine.
func (t *tracer) blend(n xt.Node, lift float64, loops []brep.LoopID) (carrier, error) {
	b, err := t.ball(n, 0)
	if err != nil {
		return carrier{}, err
	}
	if b.tube += lift; !(b.tube > tolerance) {
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
