package parasolid

import (
	"context"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// The file gives a traced curve by conditions and by a few points, whose chords may be millimeters off. It becomes a
// cubic B-spline through these points with their tangents. More points, each computed on the curve itself, are added
// until the cubic is within fitTolerance. The error of a cubic between two points falls with the fourth power of their
// distance.

// fitTolerance (mm) is the maximum error of an approximation: the distance within which two points are one.
const fitTolerance = tolerance

// halved is the smallest factor by which the error of a cubic falls when its span is halved: four where the curvature
// jumps, sixteen elsewhere.
const halved = 4

// Limits of an approximation.
const (
	maxStations = 1 << 14
	maxHalving  = 12
)

// track is a curve given by conditions. It stores the last point, where the next search starts.
type track interface {
	// begin moves to a point, independent of the last one.
	begin(at curvePoint)
	// near returns the point of the curve nearest to p; if along is not zero, the point is in the plane through p
	// perpendicular to along. It also returns the tangent with the direction of along, and the distance (mm) by which p
	// violates the conditions. ok is false if there is no such point.
	near(p, along geom.Vec3) (s station, fails float64, ok bool)
}

// curvePoint is a point of a curve, with its parameters on the surfaces that define the curve. They are parameters of
// the file, NaN if the file does not state them.
type curvePoint struct {
	p  geom.Vec3
	uv [2]geom.Vec2
}

// spotAt returns a point without known parameters.
func spotAt(p geom.Vec3) curvePoint {
	nowhere := geom.Vec2{X: math.NaN(), Y: math.NaN()}
	return curvePoint{p, [2]geom.Vec2{nowhere, nowhere}}
}

// station is a point of a curve with its unit tangent.
type station struct {
	p, t       geom.Vec3
	hasTangent bool // the curve determines the tangent
}

// stride is the parameter length from a to b on a cubic of unit speed at both ends. It is the one for an arc of a
// circle, whose handles are 4/3·r·tan(θ/4) long.
func stride(a, b station) float64 {
	c := math.Cos(a.t.Angle(b.t) / 4)
	return a.p.Dist(b.p) / (c * c)
}

// between returns the point and the direction of the cubic from a to b at a fraction s.
func between(a, b station, s float64) (p, d geom.Vec3) {
	h := stride(a, b) / 3
	q := [4]geom.Vec3{a.p, a.p.AddScaled(h, a.t), b.p.AddScaled(-h, b.t), b.p}
	for n := 3; n > 0; n-- {
		if n == 1 {
			d = q[1].Sub(q[0])
		}
		for i := range n {
			q[i] = q[i].Lerp(q[i+1], s)
		}
	}
	return q[0], d.Unit()
}

// follower traces a track.
type follower struct {
	track
	ctx  context.Context
	out  []station
	left int
}

// follow approximates a track through the given points.
func follow(ctx context.Context, tr track, points []curvePoint, closed bool) (*curve.BSpline, error) {
	f := &follower{track: tr, ctx: ctx, left: maxStations}
	// At an end without its own tangent, the tangent that makes the first piece an arc is better than the chord.
	mirror := func(end, next *station) {
		if chord := next.p.Sub(end.p).Unit(); !end.hasTangent && !closed {
			end.t = chord.Scale(2 * chord.Dot(next.t)).Sub(next.t)
		}
	}
	a := f.station(points, 0, closed)
	for i := range points[1:] {
		b := f.station(points, i+1, closed)
		if i == 0 {
			mirror(&a, &b)
			f.out = append(f.out, a)
		}
		if i == len(points)-2 {
			mirror(&b, &a)
		}
		f.fill(a, b, math.Inf(1), 0)
		f.out = append(f.out, b)
		a = b
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return hermite(f.out, closed)
}

// station moves to point i of the track and sets its tangent: the tangent of the track, or of the circle through the
// point and its neighbors.
func (f *follower) station(points []curvePoint, i int, closed bool) station {
	n := len(points)
	a, b := points[max(i-1, 0)].p, points[min(i+1, n-1)].p
	if closed && i == 0 {
		a = points[n-2].p
	} else if closed && i == n-1 {
		b = points[1].p
	}
	p := points[i].p
	out := station{p: p, t: bent(a, p, b)}
	f.begin(points[i])
	if s, _, ok := f.near(p, out.t); ok && s.hasTangent {
		out.t, out.hasTangent = s.t, true
	}
	return out
}

// bent is the direction at p of the circle through a, p and b.
func bent(a, p, b geom.Vec3) geom.Vec3 {
	u, v := p.Sub(a), b.Sub(p)
	du, dv := u.Norm(), v.Norm()
	switch {
	case du == 0:
		return v.Unit()
	case dv == 0:
		return u.Unit()
	}
	return u.Scale(dv / du).Add(v.Scale(du / dv)).Unit()
}

// unseen bounds the error of a cubic from a to b that its midpoint does not show. A cubic that interpolates an arc of a
// circle at its midpoint misses it by 2/27·sin⁶(φ/4)·r.
func unseen(a, b station) float64 {
	const share = 4 * 2.0 / 27 // four times the share of an arc, for curves of uneven curvature
	angle := a.t.Angle(b.t)
	if angle == 0 {
		return 0
	}
	s := math.Sin(angle / 4)
	return share * s * s * s * s * s * s * a.p.Dist(b.p) / angle
}

// fill adds the stations needed between a and b. The cubic has the ends and end tangents of the track. Its error at the
// fraction s is therefore close to s²(1-s)²(e+o(s-½)). The midpoint shows the even part e, and its tangent the odd part
// o. If the error is too large, or the track has no tangent there, the point at a quarter shows both parts. twice (mm)
// is the error of a cubic over twice this interval.
func (f *follower) fill(a, b station, twice float64, depth int) {
	if twice <= halved*fitTolerance || depth >= maxHalving || f.left <= 0 || f.ctx.Err() != nil ||
		a.p.Dist(b.p) <= fitTolerance {
		return
	}
	f.left--
	const lopped = 0.144 // largest value of an odd error, as a fraction of its derivative in the middle
	all := math.Inf(1)
	for _, s := range []float64{0.5, 0.25} {
		p, along := between(a, b, s)
		mid, fails, ok := f.near(p, along)
		off := mid.p.Sub(p)
		if !ok || off.Norm() > a.p.Dist(b.p) {
			return
		}
		// Where surfaces graze each other, a point on both may be far from their curve. The curve cannot be determined
		// more precisely there.
		across := off.AddScaled(-off.Dot(along), along).Norm()
		odd := lopped * a.p.Dist(b.p) * mid.t.Cross(along).Norm()
		if s == 0.5 && mid.hasTangent {
			if all = across + odd + unseen(a, b); all <= fitTolerance {
				return
			}
		}
		if across <= fitTolerance || fails <= fitTolerance {
			continue
		}
		if s != 0.5 {
			if mid, _, ok = f.near(between(a, b, 0.5)); !ok {
				return
			}
		}
		f.fill(a, mid, all, depth+1)
		f.out = append(f.out, mid)
		f.fill(mid, b, all, depth+1)
		return
	}
}

// hermite is the cubic B-spline with continuous tangent through stations.
func hermite(s []station, closed bool) (*curve.BSpline, error) {
	points := append(make([]geom.Vec3, 0, 2*len(s)), s[0].p)
	knots := append(make([]float64, 0, 2*len(s)+4), 0, 0, 0, 0)
	at := 0.0
	for i, b := range s[1:] {
		a := s[i]
		l := stride(a, b)
		if !(l > 0) {
			continue
		}
		if at > 0 {
			knots = append(knots, at, at)
		}
		at += l
		points = append(points, a.p.AddScaled(l/3, a.t), b.p.AddScaled(-l/3, b.t))
	}
	points = append(points, s[len(s)-1].p)
	knots = append(knots, at, at, at, at)
	return curve.NewBSpline(3, knots, points, nil, closed)
}
