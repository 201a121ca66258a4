package parasolid

import (
	"context"
	"math"

	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// ribbing approximates points that move with a parameter by cubics: through the points at some places, with
// their derivatives there, at as many as it takes.
type ribbing struct {
	rib  func(t float64) rib
	iv   geom.Interval // what is approximated
	ribs []rib
	left int
}

// rib is the points at a parameter with their derivatives.
type rib struct {
	at   float64
	p, d []geom.Vec3
}

// fill adds what ribs it takes up to next; off is by how much (mm) cubics over twice as much miss what they follow.
func (r *ribbing) fill(ctx context.Context, next rib, off float64, depth int) {
	last := r.ribs[len(r.ribs)-1]
	const most = 7
	if off > halved*fitTolerance && depth < most && r.left > 0 && ctx.Err() == nil {
		r.left--
		h := next.at - last.at
		mid := r.rib(last.at + h/2)
		off = 0
		for i := range mid.p {
			p := last.p[i].Lerp(next.p[i], 0.5).AddScaled(h/8, last.d[i].Sub(next.d[i]))
			off = max(off, p.Dist(mid.p[i]))
		}
		if !(off <= fitTolerance) {
			r.fill(ctx, mid, off, depth+1)
			r.fill(ctx, next, off, depth+1)
			return
		}
	}
	r.ribs = append(r.ribs, next)
}

// net returns the knots along the parameter and the rows of control points of the cubics.
func (r *ribbing) net(ctx context.Context) (knots []float64, points []geom.Vec3, err error) {
	const first, most = 4, 1 << 10
	r.ribs, r.left = []rib{r.rib(r.iv.Lo)}, most
	for i := range first {
		r.fill(ctx, r.rib(r.iv.At(float64(i+1)/first)), math.Inf(1), 0)
	}
	lo, pieces, row := r.ribs[0].at, len(r.ribs)-1, len(r.ribs[0].p)
	points = append(make([]geom.Vec3, 0, (2*pieces+2)*row), r.ribs[0].p...)
	knots = append(make([]float64, 0, 2*pieces+6), lo, lo, lo, lo)
	for i, b := range r.ribs[1:] {
		a := r.ribs[i]
		h := (b.at - a.at) / 3
		for k := range a.p {
			points = append(points, a.p[k].AddScaled(h, a.d[k]))
		}
		for k := range b.p {
			points = append(points, b.p[k].AddScaled(-h, b.d[k]))
		}
		knots = append(knots, b.at, b.at)
	}
	last := r.ribs[len(r.ribs)-1]
	return append(knots, last.at, last.at), append(points, last.p...), ctx.Err()
}

// surface returns the surface through sections that are the control points of arcs cubics each.
func (r *ribbing) surface(ctx context.Context, arcs int) (*surface.BSpline, error) {
	u, points, err := r.net(ctx)
	if err != nil {
		return nil, err
	}
	v := []float64{0}
	for k := range arcs + 1 {
		v = append(v, float64(k), float64(k), float64(k))
	}
	return surface.NewBSpline(3, 3, u, append(v, float64(arcs)), points, nil)
}
