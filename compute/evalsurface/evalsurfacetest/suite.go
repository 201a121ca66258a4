// Package evalsurfacetest is the suite that every twin of surface evaluation must pass, and inputs to measure it on.
package evalsurfacetest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/compute/evalsurface"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Suite tests a runner of the primitive against evalsurface.Input. Points, normals and curvatures must lie within the
// stated bounds of package surface's float64 results, and each batch must have its origin.
func Suite(t testing.TB, b primitive.Runner) {
	t.Helper()
	in, names := inputs(t)
	out := run(t, b, evalsurface.Primitive, in)
	if n := len(out.Point); len(out.Normal) != n || len(out.Curvature) != n {
		t.Fatalf("%d points, %d normals and %d curvatures", n, len(out.Normal), len(out.Curvature))
	}
	for k := range in.Batches {
		if checkPoints(t, names[k], &in.Batches[k], &out, k) {
			checkShape(t, names[k], &in.Batches[k], &out, k)
		}
	}
	refuseSurfaces(t, b, evalsurface.Primitive)
}

// PointsSuite is Suite for points alone.
func PointsSuite(t testing.TB, b primitive.Runner) {
	t.Helper()
	in, names := inputs(t)
	out := run(t, b, evalsurface.Points, in)
	if out.Normal != nil || out.Curvature != nil {
		t.Errorf("%d normals and %d curvatures that nobody asked for", len(out.Normal), len(out.Curvature))
	}
	for k := range in.Batches {
		checkPoints(t, names[k], &in.Batches[k], &out, k)
	}
	refuseSurfaces(t, b, evalsurface.Points)
}

// run calls a primitive with an input, and with an empty one.
func run(
	t testing.TB, b primitive.Runner, p *primitive.Primitive[evalsurface.Input, evalsurface.Output],
	in evalsurface.Input,
) evalsurface.Output {
	t.Helper()
	out, err := p.Run(context.Background(), b, in)
	if err != nil {
		t.Fatal(err)
	}
	if n := out.First[len(in.Batches)]; len(out.Point) != n {
		t.Fatalf("%d points for %d samples", len(out.Point), n)
	}
	if out, err := p.Run(context.Background(), b, evalsurface.Input{}); err != nil || len(out.Point) != 0 {
		t.Errorf("no batches: %d points, %v", len(out.Point), err)
	}
	return out
}

// inputs returns a batch of every kind and their names.
func inputs(t testing.TB) (in evalsurface.Input, names []string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	add := func(name string, s surface.Surface, u, v []float64) {
		in.Batches = append(in.Batches, evalsurface.Batch{Surface: s, U: u, V: v})
		names = append(names, name)
	}
	for _, c := range analyticSurfaces(rng) {
		u, v := analyticSamples(rng, c.s, 200)
		add(c.name, c.s, u, v)
	}
	for _, c := range splineSurfaces(t, rng) {
		u, v := splineSamples(rng, c.s, 200)
		add(c.name, c.s, u, v)
	}
	add("no samples", surface.Plane{Frame: geom.World}, nil, nil)
	add("one sample", surface.Sphere{Frame: geom.World, Radius: 2}, []float64{1}, []float64{0.5})
	return in, names
}

// checkPoints compares the points of batch k and stops at the first that is wrong.
func checkPoints(t testing.TB, name string, b *evalsurface.Batch, out *evalsurface.Output, k int) (ok bool) {
	t.Helper()
	origin, reach := b.Reach()
	if out.Origin[k] != origin || out.First[k+1]-out.First[k] != len(b.U) {
		t.Errorf("%s: origin %v, want %v; %d samples", name, out.Origin[k], origin, out.First[k+1]-out.First[k])
		return false
	}
	bound := b.PointError()
	for i, u := range b.U {
		got := out.Point[out.First[k]+i]
		if d := vec(got).Dist(b.Surface.At(u, b.V[i]).Sub(origin)); !(d <= bound) {
			t.Errorf("%s at (%g, %g): point %v is off by %g mm, allowed %g; reach %g", name, u, b.V[i], got, d,
				bound, reach)
			return false
		}
	}
	return true
}

// checkShape compares the normals and curvatures of batch k and stops at the first that is wrong.
func checkShape(t testing.TB, name string, b *evalsurface.Batch, out *evalsurface.Output, k int) {
	t.Helper()
	_, reach := b.Reach()
	for i, u := range b.U {
		at := out.First[k] + i
		_, n, k1, k2 := surface.LocalProperties(b.Surface, u, b.V[i])
		got := vec(out.Normal[at])
		if !(got.Dist(n) <= evalsurface.NormalError) || math.Abs(got.Norm()-n.Norm()) > 1e-5 {
			t.Errorf("%s at (%g, %g): normal %v, want %v", name, u, b.V[i], out.Normal[at], n)
			return
		}
		c := out.Curvature[at]
		k1, k2 = max(-math.MaxFloat32, k1), min(math.MaxFloat32, k2)
		allowed := evalsurface.CurvatureError * max(math.Abs(k1), math.Abs(k2), 1/extent(b.Surface, u, b.V[i], reach))
		if !(math.Abs(float64(c[0])-k1) <= allowed && math.Abs(float64(c[1])-k2) <= allowed) {
			t.Errorf("%s at (%g, %g): curvatures %v, want %g and %g within %g", name, u, b.V[i], c, k1, k2, allowed)
			return
		}
	}
}

func vec(p [3]float32) geom.Vec3 {
	return geom.Vec3{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
}

// extent is L of evalsurface.Output.
func extent(s surface.Surface, u, v, reach float64) float64 {
	b, ok := s.(*surface.BSpline)
	if !ok {
		return reach
	}
	u, v = b.Inside(u, v)
	points := b.Net().Bezier(b.Net().U.Piece(u), b.Net().V.Piece(v))
	box, r := geom.EmptyBox(), 0.0
	for _, h := range points {
		box = box.Add(h.Point())
	}
	for _, h := range points {
		r = max(r, h.Point().Dist(box.Center()))
	}
	return r
}

func randomFrame(rng *rand.Rand, far float64) geom.Frame {
	v := func(s float64) geom.Vec3 {
		return geom.Vec3{X: s * rng.NormFloat64(), Y: s * rng.NormFloat64(), Z: s * rng.NormFloat64()}
	}
	return geom.NewFrame(v(far), v(1), v(1))
}

type namedSurface struct {
	name string
	s    surface.Surface
}

// analyticSurfaces are of every kind, in all orientations and sizes, far from the origin, and mirrored.
func analyticSurfaces(rng *rand.Rand) (all []namedSurface) {
	for i := range 8 {
		f := randomFrame(rng, math.Pow(10, float64(i)-2))
		if i%2 == 1 {
			f.Y = f.Y.Neg()
		}
		r := math.Pow(10, 4*rng.Float64()-1.5)
		angle, minor := 1.4*(2*rng.Float64()-1), r*(0.01+0.9*rng.Float64())
		all = append(all, []namedSurface{
			{"plane", surface.Plane{Frame: f}},
			{"cylinder", surface.Cylinder{Frame: f, Radius: r}},
			{"cone", surface.Cone{Frame: f, Radius: r, HalfAngle: angle}},
			{"sharp cone", surface.Cone{Frame: f, HalfAngle: 0.3}},
			{"sphere", surface.Sphere{Frame: f, Radius: r}},
			{"torus", surface.Torus{Frame: f, Major: r, Minor: minor}},
			{"horn torus", surface.Torus{Frame: f, Major: r, Minor: r}},
			{"apple", surface.Torus{Frame: f, Major: r, Minor: 1.5 * r, Part: surface.Apple}},
			{"lemon", surface.Torus{Frame: f, Major: r, Minor: 1.5 * r, Part: surface.Lemon}},
			{"whole torus", surface.Torus{Frame: f, Major: r, Minor: 1.5 * r}},
		}...)
	}
	return all
}

// analyticSamples are parameters all over a surface, on its seams and singular points and next to them.
func analyticSamples(rng *rand.Rand, s surface.Surface, n int) (us, vs []float64) {
	du, dv := s.Domain()
	pick := func(iv geom.Interval, periodic bool) float64 {
		if !iv.IsFinite() {
			iv = geom.Interval{Lo: -50, Hi: 50}
		}
		switch k := rng.IntN(10); {
		case k == 0:
			return iv.Lo
		case k == 1:
			return iv.Hi
		case k == 2 && periodic:
			return iv.Lo + iv.Length()*float64(rng.IntN(2001)-1000)/4
		}
		return iv.At(rng.Float64())
	}
	pu, pv := s.Periods()
	singular := s.Singularities()
	for range n {
		u, v := pick(du, pu > 0), pick(dv, pv > 0)
		if len(singular) > 0 && rng.IntN(4) == 0 {
			v = dv.Clamp(singular[rng.IntN(len(singular))].Param + rng.NormFloat64()*math.Pow(10, -12*rng.Float64()))
		}
		us, vs = append(us, u), append(vs, v)
	}
	return us, vs
}

// namedSpline is a B-spline under test.
type namedSpline struct {
	name string
	s    *surface.BSpline
}

// splineSurfaces are B-splines of all degrees, rational or not, bent, flat, degenerate and far away.
func splineSurfaces(t testing.TB, rng *rand.Rand) (all []namedSpline) {
	t.Helper()
	add := func(name string, p, q int, ku, kv []float64, points []geom.Vec3, weights []float64) {
		s, err := surface.NewBSpline(p, q, ku, kv, points, weights)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, namedSpline{name, s})
	}
	for _, d := range [][2]int{{1, 1}, {1, 2}, {2, 2}, {3, 3}, {3, 1}, {5, 4}, {7, 7}, {2, 9}, {15, 11}, {25, 25}} {
		p, q := d[0], d[1]
		nu, nv := p+1+rng.IntN(5), q+1+rng.IntN(5)
		ku, kv := bspline.QuasiUniformKnots(p, nu), bspline.QuasiUniformKnots(q, nv)
		for _, kind := range []string{"bent", "flat", "rational", "collapsed", "far", "a line"} {
			f := randomFrame(rng, 100)
			if kind == "far" {
				f.Origin = f.Origin.Scale(1e5)
			}
			points, weights := make([]geom.Vec3, nu*nv), []float64(nil)
			for i := range points {
				x, y := float64(i/nv), float64(i%nv)
				z := 0.4 * rng.NormFloat64()
				switch {
				case kind == "flat":
					z = 0
				case kind == "collapsed" && i/nv == 0:
					y, z = 0, 0
				case kind == "a line":
					y, z = 0, 0
				}
				points[i] = f.Point(geom.Vec3{X: 10 * x, Y: 10 * y, Z: 10 * z})
				if kind == "rational" {
					weights = append(weights, 0.5+rng.Float64())
				}
			}
			add(fmt.Sprintf("%s %d × %d", kind, p, q), p, q, ku, kv, points, weights)
		}
	}
	add("quarter of a sphere", 2, 2, []float64{0, 0, 0, 1, 1, 1}, []float64{0, 0, 0, 1, 1, 1}, []geom.Vec3{
		{X: 5}, {X: 5, Z: 5}, {Z: 5}, {X: 5, Y: 5}, {X: 5, Y: 5, Z: 5}, {Z: 5}, {Y: 5}, {Y: 5, Z: 5}, {Z: 5},
	}, []float64{1, math.Sqrt2 / 2, 1, math.Sqrt2 / 2, 0.5, math.Sqrt2 / 2, 1, math.Sqrt2 / 2, 1})
	add("a point", 1, 1, []float64{0, 0, 1, 1}, []float64{0, 0, 1, 1}, make([]geom.Vec3, 4), nil)
	return all
}

// splineSamples are parameters all over a surface, on knots, on sides and corners.
func splineSamples(rng *rand.Rand, s *surface.BSpline, n int) (us, vs []float64) {
	du, dv := s.Domain()
	ku, kv := s.Breaks()
	pick := func(iv geom.Interval, knots []float64) float64 {
		switch rng.IntN(6) {
		case 0:
			return knots[rng.IntN(len(knots))]
		case 1:
			return iv.Lo + iv.Length()*math.Pow(10, -14*rng.Float64())
		}
		return iv.At(rng.Float64())
	}
	for range n {
		us, vs = append(us, pick(du, ku)), append(vs, pick(dv, kv))
	}
	return us, vs
}

func refuseSurfaces(
	t testing.TB, b primitive.Runner, p *primitive.Primitive[evalsurface.Input, evalsurface.Output],
) {
	t.Helper()
	plane := surface.Plane{Frame: geom.World}
	patch, err := surface.NewBSpline(1, 1, []float64{0, 0, 1, 1}, []float64{0, 0, 1, 1},
		[]geom.Vec3{{}, {Y: 1}, {X: 1}, {X: 1, Y: 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	one := func(b evalsurface.Batch) evalsurface.Input {
		return evalsurface.Input{Batches: []evalsurface.Batch{b}}
	}
	sound := func() evalsurface.Input {
		return one(evalsurface.Batch{Surface: plane, U: []float64{1}, V: []float64{1}})
	}
	spoiled := map[string]func(*evalsurface.Input){}
	for name, batch := range map[string]evalsurface.Batch{
		"uneven":        {Surface: plane, U: []float64{1}},
		"not a number":  {Surface: plane, U: []float64{math.NaN()}, V: []float64{0}},
		"endless":       {Surface: plane, U: []float64{0}, V: []float64{math.Inf(1)}},
		"no surface":    {},
		"many turns":    {Surface: surface.Sphere{Frame: geom.World, Radius: 1}, U: []float64{1e6}, V: []float64{0}},
		"out of domain": {Surface: patch, U: []float64{1.1}, V: []float64{0}},
	} {
		spoiled[name] = func(in *evalsurface.Input) { *in = one(batch) }
	}
	primitivetest.Refuses(t, b, p, sound, spoiled)
}
