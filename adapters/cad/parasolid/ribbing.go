package parasolid

import (
	"context"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// sectionSet approximates points that move with a parameter by cubics. The cubics interpolate the points and their
// derivatives at as many parameters as the tolerance needs.
type sectionSet struct {
	section func(t float64) section
	iv      geom.Interval // approximated range
	ribs    []section
	left    int
	free    []bspline.Hom // unused storage for sections
}

// section contains the points at a parameter and their derivatives, in homogeneous coordinates.
type section struct {
	at   float64
	p, d []bspline.Hom
}

func (r *sectionSet) newRib(at float64, points int) section {
	const several = 16
	if len(r.free) < 2*points {
		r.free = make([]bspline.Hom, several*2*points)
	}
	out := section{at, r.free[:points:points], r.free[points : 2*points : 2*points]}
	r.free = r.free[2*points:]
	return out
}

// set sets point i to (p, w), and its derivative to (d, dw).
func (r section) set(i int, p geom.Vec3, w float64, d geom.Vec3, dw float64) {
	r.p[i], r.d[i] = bspline.Hom{X: p.X, Y: p.Y, Z: p.Z, W: w}, bspline.Hom{X: d.X, Y: d.Y, Z: d.Z, W: dw}
}

// between returns point i at the middle of the cubic from a to b.
func (a section) between(b section, i int) bspline.Hom {
	h := (b.at - a.at) / 8
	return bspline.Hom{}.AddScaled(0.5, a.p[i]).AddScaled(0.5, b.p[i]).AddScaled(h, a.d[i]).AddScaled(-h, b.d[i])
}

// fill adds the sections needed up to next. off (mm) is the error of a cubic over twice this interval.
func (r *sectionSet) fill(ctx context.Context, next section, off float64, depth int) {
	last := r.ribs[len(r.ribs)-1]
	const most = 7
	if off > halved*fitTolerance && depth < most && r.left > 0 && ctx.Err() == nil {
		r.left--
		mid := r.section(last.at + (next.at-last.at)/2)
		off = 0
		for i := range mid.p {
			off = max(off, last.between(next, i).Point().Dist(mid.p[i].Point()))
		}
		if !(off <= fitTolerance) {
			r.fill(ctx, mid, off, depth+1)
			r.fill(ctx, next, off, depth+1)
			return
		}
	}
	r.ribs = append(r.ribs, next)
}

// net returns the knots along the parameter and the rows of control points of the cubics, with their weights.
func (r *sectionSet) net(ctx context.Context) (knots []float64, points []geom.Vec3, weights []float64, err error) {
	const first, most = 4, 1 << 10
	r.ribs, r.left = append(make([]section, 0, 4*first), r.section(r.iv.Lo)), most
	for i := range first {
		r.fill(ctx, r.section(r.iv.At(float64(i+1)/first)), math.Inf(1), 0)
	}
	lo, pieces, row := r.ribs[0].at, len(r.ribs)-1, len(r.ribs[0].p)
	points, weights = make([]geom.Vec3, 0, (2*pieces+2)*row), make([]float64, 0, (2*pieces+2)*row)
	add := func(b section, ahead float64) {
		for k := range b.p {
			p := b.p[k].AddScaled(ahead, b.d[k])
			points, weights = append(points, p.Point()), append(weights, p.W)
		}
	}
	add(r.ribs[0], 0)
	knots = append(make([]float64, 0, 2*pieces+6), lo, lo, lo, lo)
	for i, b := range r.ribs[1:] {
		a := r.ribs[i]
		h := (b.at - a.at) / 3
		add(a, h)
		add(b, -h)
		knots = append(knots, b.at, b.at)
	}
	last := r.ribs[pieces]
	add(last, 0)
	return append(knots, last.at, last.at), points, weights, ctx.Err()
}

// surface returns the surface through the sections. A section contains the control points of arcs rational quadratics.
func (r *sectionSet) surface(ctx context.Context, arcs int) (*surface.BSpline, error) {
	u, points, weights, err := r.net(ctx)
	if err != nil {
		return nil, err
	}
	v := []float64{0}
	for k := range arcs + 1 {
		v = append(v, float64(k), float64(k))
	}
	return surface.NewBSpline(3, 2, u, append(v, float64(arcs)), points, weights)
}
